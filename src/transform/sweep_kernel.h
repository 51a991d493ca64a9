// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: world transforms from local ones, along runs of rows.
#pragma once

#include <cstdint>

#include "transform/tile.h"

namespace juxta::transform_detail {

struct HierarchyStore;

/// A root's world transform is its local one.
[[nodiscard]] constexpr HotWorld root_world(const LocalTransform& local) noexcept {
  return {renormalized(local.rotation), local.position, local.scale};
}

/// What the sweep asks the hierarchy for; plain functions, called seldom.
struct SweepCalls {
  /// The parent of the rows of a link, which is not 0.
  Frame (*frame_of)(const HierarchyStore& store, std::uint32_t link);
  /// Computes one row with flags. False: see Overflow.
  bool (*follow_row)(const HierarchyStore& store, Tile& tile, std::uint32_t row);
};

/// Rows whose world transform would not be finite: they stand where their parents stand.
struct Overflow {
  std::uint32_t count = 0;
  std::uint32_t first = kTileRows;  // the lowest of them

  void add(std::uint32_t row) noexcept {
    ++count;
    first = first < row ? first : row;
  }
};

[[nodiscard]] constexpr bool is_finite_place(const HotWorld& world) noexcept {
  return is_finite(world.position) && world.scale * 0 == 0;
}
/// Rows that were computed, of which one at least is not finite: puts them where their parents stand.
/// `frame`: what they take from a parent elsewhere; null: they follow in the tile.
void put_at_parents(const Frame* frame, Tile& tile, std::uint32_t row, std::uint32_t last,
                    Overflow& overflow) noexcept;

/// Computes Tile::world of the marked rows, each from its parent's. Parents are final: they are not marked,
/// or stand in lower rows of the tile, or belong to an earlier round. `words`: where the marks are.
/// Undefined below SSE4.2 (see active_isa()).
Overflow sweep(const HierarchyStore& store, const SweepCalls& calls, Tile& tile, const RowMask& marks,
               MaskWords words = {}) noexcept;

/// The plain twin: the same bits, row by row.
Overflow sweep_reference(const HierarchyStore& store, const SweepCalls& calls, Tile& tile,
                         const RowMask& marks) noexcept;

}  // namespace juxta::transform_detail
