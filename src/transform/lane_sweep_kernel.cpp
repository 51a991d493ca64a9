// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// World transforms in a tile of lanes: eight trees of one shape side by side, a node of each at a time.
//
// What a group takes is in lane_math-inl.h. A tile that is computed as a whole is done by the short loop of
// whole_lanes-inl.h, if it can be.
//
// Limit:        memory: 32 bytes a row read (hardly any where groups are alike: lane_tree.h), 64 moved for
//               the write.
//
// Rows that are linked take their parents from links, lane by lane. Rows with flags are computed one by one.
#include "transform/lane_sweep_kernel.h"

#include <algorithm>

#include "juxta/math/qvvs.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/transform/lane_sweep_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "transform/whole_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::transform_detail::HWY_NAMESPACE {

/// Rows that follow from a group of the tile.
void SweepFollowingLanes(Tile& tile, TransformColumn& out, std::uint32_t group, std::uint32_t lanes,
                         Overflow& overflow) {
  const std::uint32_t above = tile.group_above(group);
  Parents parents{&out.group(above)};
  alignas(64) float stretches[3 * kGroupRows];
  if (HWY_UNLIKELY((Tile::lanes_of(tile.stretched, above) & lanes) != 0)) {
    StretchesOfGroup(tile, above, stretches);
    parents.stretches = stretches;
  }
  if (HWY_UNLIKELY(AnyGone(SweepGroup(tile, out, group, lanes, parents)))) {
    put_lanes_at_parents(out, group, lanes, *parents.world, overflow);
  }
}

/// Rows whose parents stand elsewhere, each its own.
void SweepLinkedLanes(const HierarchyStore& store, const SweepCalls& calls, Tile& tile, TransformColumn& out,
                      std::uint32_t group, std::uint32_t lanes, LinkedParents& parents, Overflow& overflow) {
  parents.Take(store, calls, &tile.parent[group * kGroupRows], lanes);
  if (HWY_UNLIKELY(AnyGone(SweepGroup(tile, out, group, lanes, {&parents.world, parents.stretches})))) {
    put_lanes_at_parents(out, group, lanes, parents.world, overflow);
  }
}

/// So many groups later their children may be computed.
inline constexpr std::uint32_t kStretchesAhead = 4;
HWY_INLINE void AskForStretches(const Tile& tile, std::uint32_t group) {
  if (group < kTileGroups && Tile::lanes_of(tile.stretched, group) != 0) {
    core_detail::prefetch_line(&tile.cold[group * kGroupRows]);
    core_detail::prefetch_line(&tile.cold[group * kGroupRows + kGroupRows / 2]);
  }
}

/// Past the caches: what is overwritten as a whole need not be read before. Two numbers were stored one by
/// one: a load of both would wait for them.
template <class Line = hn::CappedTag<float, 2 * kGroupRows>>
HWY_INLINE void StreamGroup(const GroupTransforms& from, GroupTransforms& to) {
  const LaneTag d;
  const Line line;
  for (std::size_t i = 0; i < sizeof(GroupTransforms) / sizeof(float); i += hn::MaxLanes(line)) {
    if constexpr (hn::MaxLanes(line) == 2 * kGroupRows) {
      hn::Stream(hn::Combine(line, hn::Load(d, from.qx + i + kGroupRows), hn::Load(d, from.qx + i)), line,
                 to.qx + i);
    } else {
      hn::Stream(hn::Load(line, from.qx + i), line, to.qx + i);
    }
  }
}

Overflow SweepSomeLanes(const HierarchyStore& store, const SweepCalls& calls, Tile& tile,
                        const RowMask& marks, TransformColumn& out) {
  Overflow overflow;
  LinkedParents parents;
  const bool dense = marks.count() > kTileRows / 4;  // rows that come one after the other
  for (std::uint32_t row = marks.next(0); row < kTileRows;) {
    const std::uint32_t group = row / kGroupRows;
    if (dense) {
      ask_for_locals(tile, group + kGroupsAhead);
      AskForStretches(tile, group + kStretchesAhead);
      if (&out == &tile.world) {
        ask_ahead(tile.world, nullptr, group * kGroupRows, kGroupRows);
      }
    }
    const std::uint32_t marked = Tile::lanes_of(marks, group), special = Tile::lanes_of(tile.special, group),
                        linked = Tile::lanes_of(tile.linked, group) & ~special & marked;
    if (const std::uint32_t following = marked & ~linked & ~special; following != 0) {
      SweepFollowingLanes(tile, out, group, following, overflow);
    }
    if (linked != 0) {
      const std::uint32_t roots = tile.hung == 0 ? linked : linked & root_lanes(tile, group);
      SweepRootGroup(tile, out, group, roots);
      if (linked != roots) {
        SweepLinkedLanes(store, calls, tile, out, group, linked & ~roots, parents, overflow);
      }
    }
    for_each_bit(marked & special, group * kGroupRows, [&](std::uint32_t at) {
      if (!calls.follow_row(store, tile, at)) {
        overflow.add(at);
      }
    });
    if (&out != &tile.world) {
      StreamGroup(out.group(group), tile.world.group(group));
    }
    row = marks.next((group + 1) * kGroupRows);
  }
  return overflow;
}

Overflow SweepLanes(const HierarchyStore& store, const SweepCalls& calls, Tile& tile, const RowMask& marks,
                    TransformColumn& out) {
  if (needs_no_care(tile) && std::ranges::equal(marks.words, tile.live.words) && !has_mixed_groups(tile)) {
    WholeSweep sweep{store, calls, tile, out, tile.stretched.any()};
    if (&out == &tile.world ? SweepWords<false, true>(sweep, 0, kTileWords)
                            : SweepWords<true, true>(sweep, 0, kTileWords)) {
      return {};
    }
  }
  return SweepSomeLanes(store, calls, tile, marks, out);
}

}  // namespace juxta::transform_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::transform_detail {

JUXTA_KERNEL(SweepLanes);

Overflow sweep_lanes(const HierarchyStore& store, const SweepCalls& calls, Tile& tile, const RowMask& marks,
                     TransformColumn& out) noexcept {
  return JUXTA_CALL_KERNEL(SweepLanes)(store, calls, tile, marks, out);
}

void finish_streams() noexcept {
  hwy::FlushStream();
}

void put_lanes_at_parents(TransformColumn& world, std::uint32_t group, std::uint32_t lanes,
                          const GroupTransforms& parents, Overflow& overflow) noexcept {
  for_each_bit(lanes, 0, [&](std::uint32_t lane) {
    if (!is_finite_place(world.group(group).get(lane))) {
      world.group(group).put(lane, parents.get(lane));
      overflow.add(group * kGroupRows + lane);
    }
  });
}

std::uint32_t root_lanes(const Tile& tile, std::uint32_t group) noexcept {
  std::uint32_t roots = 0;
  for (std::uint32_t lane = 0; lane < kGroupRows; ++lane) {
    roots |= std::uint32_t{tile.parent[group * kGroupRows + lane] == 0} << lane;
  }
  return roots;
}

}  // namespace juxta::transform_detail
#endif
