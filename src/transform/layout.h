// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: trees into tiles.
//
//   a tree, breadth first     a | b c | d e f          a: 2 children, b: 2, c: 1
//   another                   g | h | i
//   one block of both         a g | b c h | d e f i | end
//
//   eight trees of one shape  a0 .. a7 | b0 .. b7 | c0 .. c7 | ...       in a tile of lanes
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "juxta/core/function_ref.h"
#include "transform/store.h"

namespace juxta::transform_detail {

/// A tree larger than this is cut, so that it fills up the tile that others began: its pieces are linked. See
/// cut_trees() for chains.
inline constexpr std::uint32_t kWholeTree = 256;

/// Trees that are to be placed, each breadth first. A source is whatever the caller calls a node.
struct Forest {
  struct Tree {
    std::uint32_t first;          // in sources
    std::uint32_t count;          // at most kTileRows
    std::uint32_t parent;         // source of the node that its root hangs under; kNone: see Placing::root
    bool first_of_eight = false;  // it and the next seven have one shape and stand side by side
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::vector<std::uint32_t> sources;
  std::vector<std::uint32_t> children;  // how many each has in its tree
  std::vector<Tree> trees;
};

/// What placing asks its caller for.
struct Placing {
  /// Puts nodes into the rows from `begin` on: everything but parents and child ranges. The rows were never
  /// used.
  FunctionRef<void(std::span<const std::uint32_t> sources, Tile& tile, Row begin)> nodes;
  /// The root of a tree stands in `row`: link it. Children in the tile are in place.
  FunctionRef<void(const Forest::Tree& tree, Row row)> root;
};

/// Places trees, in this order, into HierarchyStore::filled, tiles of lanes with room, and new tiles.
void place(HierarchyStore& store, const Forest& forest, const Placing& placing);

/// The row where a block of `count` rows may begin in the tile that is being filled; a new tile when need be.
[[nodiscard]] Row begin_block(HierarchyStore& store, std::uint32_t count);
/// Rows that are left in the tile that is being filled.
[[nodiscard]] std::uint32_t room_left(const HierarchyStore& store) noexcept;
/// The same for blocks of `groups` groups in a tile of lanes.
[[nodiscard]] Row begin_lane_block(HierarchyStore& store, std::uint32_t groups);
/// The block of `groups` groups that began at `begin` holds a node in each row.
void end_lane_block(HierarchyStore& store, Row begin, std::uint32_t groups);
/// Trees of so many nodes can stand in a tile of lanes and leave at most an eighth of it to others: tidying
/// begins where a fifth of the rows is empty.
[[nodiscard]] constexpr bool fits_lanes(std::uint32_t nodes) noexcept {
  return nodes <= kTileGroups && kTileGroups % nodes <= kTileGroups / 8;
}

/// The block that began at `begin` holds `count` nodes. Rows of a block were never in use: none is marked
/// yet.
void end_block(Tile& tile, std::uint32_t begin, std::uint32_t count) noexcept;

}  // namespace juxta::transform_detail
