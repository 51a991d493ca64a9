// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: world transforms in a tile of lanes.
#pragma once

#include "transform/sweep_kernel.h"

namespace juxta::transform_detail {

/// sweep() for a tile of lanes. World transforms are written to `out`: those of the tile, or a column outside
/// of it; then they go from there to the tile past the caches. That needs all nodes of the tile to be marked,
/// none of them with flags, and finish_streams() before another thread reads them.
Overflow sweep_lanes(const HierarchyStore& store, const SweepCalls& calls, Tile& tile, const RowMask& marks,
                     TransformColumn& out) noexcept;
/// A tile of lanes without flags: once its parents are known, a short loop sweeps it, unless groups are
/// mixed.
[[nodiscard]] inline bool needs_no_care(const Tile& tile) noexcept {
  return tile.lanes && !tile.special.any();
}
void finish_streams() noexcept;

/// Lanes that were computed, of which one at least is not finite: puts them where their parents stand.
void put_lanes_at_parents(TransformColumn& world, std::uint32_t group, std::uint32_t lanes,
                          const GroupTransforms& parents, Overflow& overflow) noexcept;
/// Lanes of a group whose link is 0: if they are linked, they are roots.
[[nodiscard]] std::uint32_t root_lanes(const Tile& tile, std::uint32_t group) noexcept;

}  // namespace juxta::transform_detail
