// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: world transforms in a tile of lanes.
#pragma once

#include <algorithm>

#include "transform/sweep_kernel.h"

namespace juxta::transform_detail {

/// sweep() for a tile of lanes.
Overflow sweep_lanes(const HierarchyStore& store, const SweepCalls& calls, Tile& tile, const RowMask& marks,
                     MaskWords words) noexcept;
/// The same for all nodes of a tile that can_sweep_whole(): a short loop, which leaves them turned. `out`:
/// the world transforms of the tile, or a column outside of it, from which they go to the tile past the
/// caches; finish_streams() is due before another thread reads them. Such a column holds parents, and all
/// other groups if somebody `reads` it afterwards. False: a place was not finite, or a group has roots beside
/// children of parents elsewhere. Then sweep_lanes() is to do all of it.
[[nodiscard]] bool sweep_whole_lanes(const HierarchyStore& store, const SweepCalls& calls, Tile& tile,
                                     TransformColumn& out, bool reads) noexcept;
/// A tile of lanes without flags: once its parents are known, a short loop sweeps it, unless groups are
/// mixed.
[[nodiscard]] inline bool needs_no_care(const Tile& tile) noexcept {
  return tile.lanes && !tile.has_any(Rare::kSpecial);
}
/// Some group has linked nodes beside others: linked is neither all of its living rows nor none of them.
[[nodiscard]] bool has_mixed_groups(const Tile& tile) noexcept;
[[nodiscard]] inline bool can_sweep_whole(const Tile& tile, const RowMask& marks) noexcept {
  return std::ranges::equal(marks.words, tile.live.words) && needs_no_care(tile) && !has_mixed_groups(tile);
}
void finish_streams() noexcept;

/// Lanes that were computed, of which one at least is not finite: puts them where their parents stand.
void put_lanes_at_parents(Tile& tile, std::uint32_t group, std::uint32_t lanes,
                          const GroupTransforms& parents, Overflow& overflow) noexcept;
/// The dead rows of a group get this local transform (LaneTree::holds()).
void put_dead_locals(Tile& tile, std::uint32_t group, const LocalTransform& local) noexcept;
/// Lanes of a group whose link is 0: if they are linked, they are roots.
[[nodiscard]] std::uint32_t root_lanes(const Tile& tile, std::uint32_t group) noexcept;

}  // namespace juxta::transform_detail
