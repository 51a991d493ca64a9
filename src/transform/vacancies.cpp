// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "transform/vacancies.h"

#include "transform/lane_rows.h"
#include "transform/store.h"

namespace juxta::transform_detail {

std::span<const std::uint32_t> VacantRows::find(const HierarchyStore& store, Row top,
                                                std::span<const std::uint32_t> first_child) {
  rows_.clear();
  const std::uint32_t number = top / kTileRows, row = top % kTileRows;
  if (number < store.tiles.size() && store.tiles[number] != nullptr) {
    const Tile& tile = *store.tiles[number];
    if (row >= tile.used ||
        !(tile.lanes ? find_lane(tile, row, first_child) : find_rows(tile, row, first_child))) {
      rows_.clear();
    }
  }
  return rows_;
}

bool VacantRows::find_lane(const Tile& tile, std::uint32_t top, std::span<const std::uint32_t> first_child) {
  const std::uint32_t group = top / kGroupRows;
  if (!tile.lane_tree.begins_block(group)) {
    return false;
  }
  const LaneRows lane = LaneRows::below(tile, top);
  if (lane.count() != first_child.size() - 1 || lane.has_any(tile.live)) {
    return false;
  }
  for (std::uint32_t node = 0; node < lane.count(); ++node) {
    if (tile.first_group(group + node) != group + first_child[node] ||
        tile.last_group(group + node) != group + first_child[node + 1]) {
      return false;
    }
    rows_.push_back(lane.row(node));
  }
  return true;
}

bool VacantRows::find_rows(const Tile& tile, std::uint32_t top, std::span<const std::uint32_t> first_child) {
  rows_.push_back(top);
  for (std::size_t node = 0; node + 1 < first_child.size(); ++node) {
    const std::uint32_t row = rows_[node], first = tile.first_child[row], last = tile.first_child[row + 1];
    if (tile.live.test(row) || first <= row || last > tile.used ||
        last - first != first_child[node + 1] - first_child[node]) {
      return false;
    }
    for (std::uint32_t child = first; child < last; ++child) {
      rows_.push_back(child);
    }
  }
  return true;
}

}  // namespace juxta::transform_detail
