// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: 1024 rows of nodes, column by column.
//
//   a block: some whole trees, breadth first      r0 r1 r2 | c c c c c c | g g g g g | end
//   first_child[row]                               the row where its children begin; those of rows [a, b) are
//                                                  the rows [first_child[a], first_child[b])
//   `end`, a row without a node, closes the last range and keeps runs of rows from reaching into the next
//   block
//
// A row that is `linked` has its parent elsewhere: it is a root, or was created under or moved to another
// parent. It may stand inside a child range (of its former parent); ranges therefore leave out rows that are
// linked, and rows whose node is gone. Everything in a tile flows from lower rows to higher ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "juxta/math/qvvs.h"
#include "transform/row_mask.h"

namespace juxta::transform_detail {

/// A row of the whole hierarchy: tile * kTileRows + row of the tile.
using Row = std::uint32_t;
inline constexpr Row kNoRow = ~Row{0};

/// Rotation, position and scale of a world transform: what children need of it.
using HotWorld = LocalTransform;

/// The rest of a world transform.
struct Cold {
  Vec3 stretch{1, 1, 1};
  std::int32_t context = 0;
};

/// What rows take from a parent in another tile.
struct Frame {
  HotWorld world;
  Vec3 stretch{1, 1, 1};
};

/// In Tile::parent of a row that is not linked: the row of its parent in the tile, and whether that is
/// stretched.
inline constexpr std::uint32_t kParentRow = kTileRows - 1;
inline constexpr std::uint32_t kParentStretched = std::uint32_t{1} << 31;

/// Which of 64 rows changed last, and when. Rows outside `mask` have theirs in Tile::row_version, none of
/// which is above `before`: where all rows change again and again, no row's own version is ever written.
struct Change {
  std::uint64_t mask = 0;
  std::uint32_t version = 0;
  std::uint32_t before = 0;
};

/// World transforms of the last two steps; allocated beside a tile when history is kept.
struct TileHistory {
  std::array<std::array<Qvvs, kTileRows>, 2> steps;
};

/// Values without a constructor's touch: a new tile costs the memory that is used, not all of it.
template <class T>
class RawColumn {
 public:
  RawColumn() noexcept {}  // NOLINT(modernize-use-equals-default): rows_ stays as it is
  [[nodiscard]] T& operator[](std::size_t row) noexcept { return rows_[row]; }
  [[nodiscard]] const T& operator[](std::size_t row) const noexcept { return rows_[row]; }
  [[nodiscard]] T* data() noexcept { return rows_; }
  [[nodiscard]] const T* data() const noexcept { return rows_; }

 private:
  union {
    T rows_[kTileRows];
  };
};

struct alignas(64) Tile {
  RowMask live;       // holds a node
  RowMask linked;     // Tile::parent is a link (0: a root)
  RowMask deferred;   // linked, and its parent's world is known only after an earlier round
  RowMask special;    // has inheritance flags
  RowMask stretched;  // its own stretch is not 1
  RowMask has_links;  // first_link is not 0
  RowMask pending;    // written since the last propagation
  RowMask
      written;  // its local transform was: that decides, whatever the flags keep (new nodes and special ones)
  std::array<Change, kTileWords> changes;

  std::uint32_t used = 0;     // rows below are in blocks
  std::uint32_t nodes = 0;    // alive
  std::uint32_t hung = 0;     // of them, linked to a parent
  std::uint32_t version = 0;  // of the last change in the tile
  /// Of HierarchyStore::open: the rows below have their child ranges; that of the last of them is still open.
  std::uint32_t open_parents = 0;
  bool dirty = false;          // stands in HierarchyStore::dirty
  std::uint8_t step = 0;       // which of TileHistory::steps is the previous one
  std::uint8_t steps_due = 0;  // steps until both of them equal the world
  TileHistory* history = nullptr;

  alignas(64) RawColumn<HotWorld> world;
  RawColumn<LocalTransform> local;
  RawColumn<Cold> cold;
  std::array<std::uint32_t, kTileRows> parent;  // row of the tile and kParentStretched; a link when linked
  std::array<std::uint32_t, kTileRows> slot;    // of the node's Id
  std::array<std::uint32_t, kTileRows> first_link;   // of the children that are linked to this row; 0: none
  std::array<std::uint32_t, kTileRows> row_version;  // see Change
  std::array<std::uint16_t, kTileRows> flags;        // Inherit
  std::array<std::uint16_t, kTileRows + 1> first_child;

  /// Something that readers see at once was written (a stretch, a context, the world transform of a row whose
  /// user writes it): the next two steps are to note it.
  void show() noexcept { steps_due = history != nullptr ? std::uint8_t{2} : steps_due; }
  [[nodiscard]] bool is_root(std::uint32_t row) const noexcept {
    return linked.test(row) && parent[row] == 0;
  }
  [[nodiscard]] Vec3 stretch_of(std::uint32_t row) const noexcept {
    return stretched.test(row) ? cold[row].stretch : Vec3{1, 1, 1};
  }
  [[nodiscard]] Qvvs world_of(std::uint32_t row) const noexcept {
    return {world[row].rotation, world[row].position, cold[row].context, cold[row].stretch, world[row].scale};
  }
  [[nodiscard]] std::uint32_t version_of(std::uint32_t row) const noexcept {
    const Change& change = changes[row / 64];
    return (change.mask >> row % 64 & 1) != 0 ? change.version : row_version[row];
  }
  /// The rows [first, last) of the tile that follow in it from these parents: alive, not linked.
  [[nodiscard]] std::uint64_t followers(std::uint32_t word) const noexcept {
    return live.words[word] & ~linked.words[word];
  }
};

/// Twenty tiles fill one huge page, which must be asked for as a whole to become one.
inline constexpr std::size_t kSlabTiles = 20;
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;
static_assert(sizeof(Tile) * kSlabTiles <= kHugePage);

}  // namespace juxta::transform_detail
