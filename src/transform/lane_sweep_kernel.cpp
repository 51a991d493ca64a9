// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// World transforms in a tile of lanes: eight trees of one shape side by side, a node of each at a time.
//
// What a group takes is in lane_math-inl.h. A tile that is computed as a whole is done by the short loop of
// whole_lanes-inl.h, if it can be.
//
// Limit:        memory: 32 bytes a row read, 64 moved for the write.
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
void SweepFollowingLanes(const Tile& tile, TransformColumn& out, std::uint32_t group, std::uint32_t lanes,
                         Overflow& overflow) {
  const std::uint32_t above = tile.group_above(group);
  Parents parents{&out.group(above)};
  alignas(64) float stretches[3 * kGroupRows];
  if (HWY_UNLIKELY((Tile::lanes_of(tile.stretched, above) & lanes) != 0)) {
    stretches_of_group(tile, above, stretches);
    parents.stretches = stretches;
  }
  if (HWY_UNLIKELY(AnyGone(SweepGroup(tile, out, group, lanes, parents)))) {
    put_lanes_at_parents(out, group, lanes, *parents.world, overflow);
  }
}

/// What lanes take from parents that stand elsewhere. Where one parent has many children, group after group
/// has the same links.
struct LinkedParents {
  GroupTransforms world{};
  alignas(64) float stretches[3 * kGroupRows] = {};
  std::uint32_t links[kGroupRows] = {};  // 0: none yet

  /// All eight parents are here already.
  [[nodiscard]] HWY_INLINE bool Has(const std::uint32_t* wanted) const {
    std::uint32_t other = 0;
    for (std::uint32_t lane = 0; lane < kGroupRows; ++lane) {
      other |= links[lane] ^ wanted[lane];
    }
    return other == 0;
  }

  HWY_INLINE void Take(std::uint32_t lane, std::uint32_t link, const Frame& frame) {
    links[lane] = link;
    world.put(lane, frame.world);
    stretches[lane] = frame.stretch.x;
    stretches[kGroupRows + lane] = frame.stretch.y;
    stretches[2 * kGroupRows + lane] = frame.stretch.z;
  }
};

/// Rows whose parents stand elsewhere, each its own.
void SweepLinkedLanes(const HierarchyStore& store, const SweepCalls& calls, const Tile& tile,
                      TransformColumn& out, std::uint32_t group, std::uint32_t lanes, LinkedParents& parents,
                      Overflow& overflow) {
  if (!parents.Has(&tile.parent[group * kGroupRows])) {
    for_each_bit(lanes, 0, [&](std::uint32_t lane) HWY_ATTR {
      const std::uint32_t link = tile.parent[group * kGroupRows + lane];
      if (parents.links[lane] != link) {
        parents.Take(lane, link, calls.frame_of(store, link));
      }
    });
  }
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

/// Past the caches: what is overwritten as a whole need not be read before.
HWY_INLINE void StreamGroup(const GroupTransforms& from, GroupTransforms& to) {
  const hn::CappedTag<float, sizeof(GroupTransforms) / sizeof(float)> d;
  for (std::size_t i = 0; i < sizeof(GroupTransforms) / sizeof(float); i += hn::Lanes(d)) {
    hn::Stream(hn::Load(d, from.qx + i), d, to.qx + i);
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
      ask_ahead(tile.local, nullptr, group * kGroupRows, kGroupRows);
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
  if (needs_no_care(tile) && std::ranges::equal(marks.words, tile.live.words)) {
    const bool stretched = tile.stretched.any();
    if (&out == &tile.world ? SweepWords<false, true>(tile, 0, kTileWords, stretched, out)
                            : SweepWords<true, true>(tile, 0, kTileWords, stretched, out)) {
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

void stretches_of_group(const Tile& tile, std::uint32_t group, float* out) noexcept {
  for (std::uint32_t lane = 0; lane < kGroupRows; ++lane) {
    const Vec3 stretch = tile.stretch_of(group * kGroupRows + lane);
    out[lane] = stretch.x;
    out[kGroupRows + lane] = stretch.y;
    out[2 * kGroupRows + lane] = stretch.z;
  }
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
