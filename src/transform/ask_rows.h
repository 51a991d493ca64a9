// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a sweep of one tile asks the memory for before it touches it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/prefetch.h"
#include "transform/lane_rows.h"
#include "transform/tile.h"

namespace juxta::transform_detail {

/// So far ahead of where they are used rows are asked for that come one after the other.
inline constexpr std::size_t kBytesAhead = 2048;
/// Asks for what stands kBytesAhead behind `count` rows of a column of transforms; at its end for the begin
/// of the same column in the next tile (null: there is none).
inline void ask_ahead(const LocalTransform* column, const LocalTransform* next, std::uint32_t row,
                      std::uint32_t count) noexcept {
  std::size_t at = row + kBytesAhead / sizeof(LocalTransform);
  if (at >= kTileRows) {
    at -= kTileRows;
    column = next;
  }
  if (column != nullptr) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(column + at);
    for (std::size_t line = 0; line < count * sizeof(LocalTransform); line += 64) {
      core_detail::prefetch_line(bytes + line);
    }
  }
}

/// Asks for where one row stands in a column of transforms.
inline void ask_for(const TransformColumn& column, std::uint64_t turned, std::uint32_t row) noexcept {
  if (Tile::has_turned(turned, row)) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(&column.group(row / kGroupRows));
    for (std::size_t at = 0; at < sizeof(GroupTransforms); at += 64) {
      core_detail::prefetch_line(bytes + at);
    }
  } else {
    core_detail::prefetch_line(&column.rows()[row]);
  }
}
inline void ask_for_local(const Tile& tile, std::uint32_t row) noexcept {
  ask_for(tile.local, tile.local_turned.bits(), row);
}
inline void ask_for_world(const Tile& tile, std::uint32_t row) noexcept {
  ask_for(tile.world, tile.world_turned.bits(), row);
}

/// Asks for the local transforms of a group of a tile of lanes, as far as a sweep loads them.
inline void ask_for_locals(const Tile& tile, std::uint32_t group) noexcept {
  if (group >= kTileGroups) {
    return;
  }
  if (const std::uint8_t alike = tile.lane_tree.alike[group]; alike >= kAlike) {
    core_detail::prefetch_line(&tile.lane_tree.shared[alike - kAlike]);
  } else {
    ask_for(tile.local, ~std::uint64_t{0}, group * kGroupRows);  // all of its lines
  }
}
/// So far ahead sweeps of groups that come one after the other ask.
inline constexpr std::uint32_t kGroupsAhead = kBytesAhead / sizeof(GroupTransforms);

/// Asks for where the children of a row stand; of the end of a tile for nothing that is used. What else a
/// sweep needs of a tile of lanes first comes with it.
inline void prefetch_children(const Tile& tile, std::uint32_t row) noexcept {
  if (tile.lanes) {
    const std::size_t group = row / kGroupRows;
    core_detail::prefetch_line(tile.lane_tree.children.data() + 2 * group);
    core_detail::prefetch_line(tile.lane_tree.above.data() + group);
    core_detail::prefetch_line(tile.lane_tree.alike.data() + group);
  } else {
    core_detail::prefetch_line(&tile.first_child[row]);
  }
}

/// So few rows of a tile that they must be asked for; more come by themselves.
inline constexpr std::uint32_t kFew = kTileRows / 8;

/// Asks for some rows of a group in a column of transforms.
inline void ask_for(const TransformColumn& column, std::uint64_t turned, std::uint32_t first,
                    std::uint32_t lanes) noexcept {
  if (Tile::has_turned(turned, first)) {
    ask_for(column, turned, first);  // all of its lines
  } else {
    for_each_bit(lanes, first, [&](std::uint32_t row) { core_detail::prefetch_line(&column.rows()[row]); });
  }
}
/// Asks for some rows of a group of a tile of lanes.
inline void ask_for_lanes(const Tile& tile, std::uint32_t group, std::uint32_t lanes) noexcept {
  const std::uint32_t first = group * kGroupRows;
  if (const std::uint8_t alike = tile.lane_tree.alike[group]; alike >= kAlike) {
    core_detail::prefetch_line(tile.lane_tree.shared[alike - kAlike].data());
  } else {
    ask_for(tile.local, tile.local_turned.bits(), first, lanes);
  }
  ask_for(tile.world, tile.world_turned.bits(), first, lanes);
  if (tile.hung != 0) {
    core_detail::prefetch_line(&tile.parent[first]);
  }
  for_each_bit(lanes & Tile::lanes_of(tile.stretched(), group), first,
               [&](std::uint32_t row) { core_detail::prefetch_line(&tile.cold[row]); });
}
/// Asks for the local transform of a row of a tile of lanes, or for the one that its group shares.
inline void ask_for_own_or_shared(const Tile& tile, std::uint32_t row) noexcept {
  if (const std::uint8_t alike = tile.lane_tree.alike[row / kGroupRows]; alike >= kAlike) {
    core_detail::prefetch_line(tile.lane_tree.shared[alike - kAlike].data());
  } else {
    ask_for_local(tile, row);
  }
}
/// Asks for all rows of a lane of a block.
inline void ask_for_lane(const Tile& tile, const LaneRows& rows) noexcept {
  for (std::uint32_t node = 0; node < rows.count(); ++node) {
    const std::uint32_t row = rows.row(node);
    ask_for_own_or_shared(tile, row);
    ask_for_world(tile, row);
    if (tile.stretched().test(row)) {
      core_detail::prefetch_line(&tile.cold[row]);
    }
  }
  if (tile.hung != 0) {
    core_detail::prefetch_line(&tile.parent[rows.row(0)]);
  }
}
/// Asks for the parents of some rows of a group that are not marked.
inline void ask_for_parents(const Tile& tile, const RowMask& marks, std::uint32_t group,
                            std::uint32_t lanes) noexcept {
  if (const std::uint32_t following = lanes & ~Tile::lanes_of(tile.linked, group); following != 0) {
    const std::uint32_t above = tile.group_above(group);
    if (const std::uint32_t others = following & ~Tile::lanes_of(marks, above); others != 0) {
      ask_for(tile.world, tile.world_turned.bits(), above * kGroupRows, others);
    }
  }
}

}  // namespace juxta::transform_detail
