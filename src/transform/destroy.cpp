// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Nodes go: alone, or with all below them.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/prefetch.h"
#include "juxta/core/try.h"
#include "juxta/transform/hierarchy.h"
#include "transform/ask_rows.h"
#include "transform/lane_rows.h"
#include "transform/links.h"
#include "transform/new_nodes.h"
#include "transform/propagation.h"
#include "transform/reparent.h"
#include "transform/tidy.h"

namespace juxta {
namespace transform_detail {
namespace {

/// Its name is free.
void free_name(HierarchyStore& store, const Tile& tile, std::uint32_t row) {
  store.put_kept(tile, row, std::nullopt);
  store.note_destroyed(tile.slot[row]);
  store.free_slot(tile.slot[row]);
}

/// So many nodes of a tile went.
void leave(HierarchyStore& store, std::uint32_t number, std::uint32_t nodes) {
  store.known.forget();
  store.nodes -= nodes;
  store.debt += kDebtOfHole * nodes;
  Tile& tile = *store.tiles[number];
  tile.nodes -= nodes;
  if (tile.nodes == 0) {
    store.free_tile(number);
  }
}

/// The node of a row without children goes.
void remove(HierarchyStore& store, Row row) {
  Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  if (tile.linked.test(r)) {
    unlink(store, row);
  }
  free_name(store, tile, r);
  tile.vacate(r / 64, std::uint64_t{1} << r % 64);
  leave(store, row / kTileRows, 1);
}

/// A whole tree that stands as it was placed: a lane of its block.
void remove_lane(HierarchyStore& store, Row top, const LaneRows& rows) {
  Tile& tile = store.tile_of(top);
  unlink(store, top);
  for (std::uint32_t node = rows.count(); node-- > 0;) {
    free_name(store, tile, rows.row(node));
  }
  rows.for_each_word([&](std::uint32_t w, std::uint64_t bits) { tile.vacate(w, bits); });
  leave(store, top / kTileRows, rows.count());
}

ShapeKey shape_of(const Tile& tile, const LaneRows& rows) noexcept {
  ShapeKey shape;
  for (std::uint32_t group = rows.first; group < rows.last; ++group) {
    shape.add(tile.last_group(group) - tile.first_group(group));
  }
  return shape;
}

/// From the leaves up, so that nobody is ever without a parent. `rows` is scratch.
void remove_tree(HierarchyStore& store, Row top, std::vector<Row>& rows) {
  const Tile& tile = store.tile_of(top);
  const std::size_t all = store.tiles_in_use() * kTileRows;
  const bool begins_block = tile.lanes && tile.lane_tree.begins_block(top % kTileRows / kGroupRows);
  if (begins_block) {
    const LaneRows lane = LaneRows::below(tile, top % kTileRows);
    store.vacancies.note(shape_of(tile, lane), top, lane.count(), all);
    if (is_whole(tile, lane) && !lane.has_any(tile.has_links())) {
      store.expect_free_slots(lane.count());
      remove_lane(store, top, lane);
      return;
    }
  }
  rows.assign(1, top);
  ShapeKey shape;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t before = rows.size();
    for_each_child_row(store, rows[i], [&](Row child) { rows.push_back(child); });
    shape.add(static_cast<std::uint32_t>(rows.size() - before));
  }
  store.expect_free_slots(rows.size());
  if (!tile.lanes && tile.linked.test(top % kTileRows)) {
    store.vacancies.note(shape, top, rows.size(), all);  // if all of them stood below it in the tile
  }
  for (std::size_t i = rows.size(); i-- > 0;) {
    remove(store, rows[i]);
  }
}

/// Trees that are asked for at once, and the most nodes of them: four lines of each wait in the cache.
constexpr std::size_t kTreesAhead = 16, kNodesAhead = 512;

/// Asks for what the destruction of some trees reads. Their nodes are scattered, and one leads to the next:
/// level by level of all trees, the misses of one tree do not wait for those of another.
class TreesAhead {
 public:
  explicit TreesAhead(const HierarchyStore& store) : store_(store) {}

  void ask(std::span<const Id> ids) {
    for (const Id id : ids) {
      core_detail::prefetch_line(&store_.slots[id.slot]);
    }
    rows_.clear();
    names_.clear();
    for (const Id id : ids) {
      if (store_.alive(id)) {
        add(store_.slots[id.slot].row);
        ask_for_head(store_.slots[id.slot].row);
      }
    }
    for (std::size_t i = 0; i < rows_.size() && names_.size() < kNodesAhead; ++i) {
      if (!add_lane(rows_[i])) {
        for_each_child_row(store_, rows_[i], [this](Row child) { add(child); });
      }
    }
    for (const Row row : names_) {
      core_detail::prefetch_line(&store_.slots[store_.tile_of(row).slot[row % kTileRows]]);
    }
  }

 private:
  void add(Row row) {
    if (names_.size() < kNodesAhead) {
      const Tile& tile = store_.tile_of(row);
      core_detail::prefetch_line(&tile.slot[row % kTileRows]);
      prefetch_children(tile, row % kTileRows);
      rows_.push_back(row);
      names_.push_back(row);
    }
  }
  /// What is read of the top of a tree beyond its name.
  void ask_for_head(Row top) const noexcept {
    const Tile& tile = store_.tile_of(top);
    const std::uint32_t row = top % kTileRows;
    core_detail::prefetch_line(&tile);
    for (const RowMask* mask : {&tile.live, &tile.linked, &tile.pending}) {
      core_detail::prefetch_line(&mask->words[row / 64]);
    }
    core_detail::prefetch_line(&tile.parent[row]);
  }
  /// The rest of a tree that is a lane of a block.
  bool add_lane(Row top) {
    const Tile& tile = store_.tile_of(top);
    if (!tile.lanes || !tile.lane_tree.begins_block(top % kTileRows / kGroupRows)) {
      return false;
    }
    const LaneRows rows = LaneRows::below(tile, top % kTileRows);
    for (std::uint32_t node = 1; node < rows.count() && names_.size() < kNodesAhead; ++node) {
      if (tile.live.test(rows.row(node))) {
        core_detail::prefetch_line(&tile.slot[rows.row(node)]);
        names_.push_back(top - top % kTileRows + rows.row(node));
      }
    }
    return true;
  }

  const HierarchyStore& store_;
  std::vector<Row> rows_;   // whose children are next
  std::vector<Row> names_;  // all of them
};

void hand_over(HierarchyStore& store, Row row) {
  const Row parent = store.parent_of(row);
  std::vector<Row> children;
  for_each_child_row(store, row, [&](Row child) { children.push_back(child); });
  for (const Row child : children) {
    move_under(store, child, parent, Keep::kWorld);
  }
  remove(store, row);
}

}  // namespace
}  // namespace transform_detail

namespace {

/// `bulk`: errors say which one it was.
Result<void> destroy_all(transform_detail::HierarchyStore& store, std::span<const Id> ids, Children children,
                         bool bulk) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    JUXTA_TRY(row_of(store, ids[i], bulk ? i : Error::kNowhere));
  }
  const std::size_t nodes = store.nodes;
  transform_detail::TreesAhead ahead(store);
  std::vector<transform_detail::Row> rows;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (bulk && children == Children::kDestroy && i % transform_detail::kTreesAhead == 0) {
      const std::size_t count = std::min(transform_detail::kTreesAhead, ids.size() - i);
      ahead.ask(ids.subspan(i, count));
    }
    if (store.alive(ids[i])) {
      const transform_detail::Row row = store.slots[ids[i].slot].row;
      children == Children::kDestroy ? transform_detail::remove_tree(store, row, rows)
                                     : transform_detail::hand_over(store, row);
    }
  }
  tidy(store, nodes - store.nodes);
  return {};
}

}  // namespace

Result<void> Hierarchy::remove(Id id, Children children) {
  return destroy_all(*store_, std::span(&id, 1), children, false);
}

Result<void> Hierarchy::remove(std::span<const Id> ids, Children children) {
  return destroy_all(*store_, ids, children, true);
}

}  // namespace juxta
