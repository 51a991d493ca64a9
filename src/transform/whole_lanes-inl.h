// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: world transforms of all nodes of some words of a tile of lanes, where nothing in the tile needs
// care: no flags, no parent in another tile, groups of roots or of others only. For kernel files only.
//
//   live     | 11111111 | 11111111 | 11111110 | ..     a group without nodes is left out; rows without nodes
//   linked   | 11111111 | 00000000 | 00000000 | ..     in another one are computed and never read
//
// Per group:    the 81 multiplications and additions of lane_math-inl.h, and 10 instructions around them. The
//               general loop (lane_sweep_kernel.cpp) has 60.
//
// A place that is not finite is met seldom: then the general loop does the words again.

#if defined(JUXTA_TRANSFORM_WHOLE_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_TRANSFORM_WHOLE_LANES_INL_H
#undef JUXTA_TRANSFORM_WHOLE_LANES_INL_H
#else
#define JUXTA_TRANSFORM_WHOLE_LANES_INL_H
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "transform/lane_math-inl.h"
#include "transform/lane_sweep_kernel.h"
#include "transform/tile.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::transform_detail::HWY_NAMESPACE {

/// Writes a group to the column that children and readers take it from, and past the caches to the tile:
/// lines of 64 bytes where a register has as many, since a line that goes in two halves waits for the second
/// one.
template <bool kStream>
struct WholeWriter {
  GroupTransforms& near;
  GroupTransforms& far;

  template <class Tag>
  HWY_INLINE void Put(Tag d, hn::Vec<Tag> value, float* at, float* stream) const {
    hn::Store(value, d, at);
    if constexpr (kStream) {
      hn::Stream(value, d, stream);
    }
  }
  template <class Line = hn::CappedTag<float, 2 * kGroupRows>>
  HWY_INLINE void PutTwo(Lane a, Lane b, float* at, float* stream) const {
    const Line line;
    if constexpr (hn::MaxLanes(line) == 2 * kGroupRows) {
      Put(line, hn::Combine(line, b, a), at, stream);
    } else {
      Put(LaneTag(), a, at, stream);
      Put(LaneTag(), b, at + kGroupRows, stream + kGroupRows);
    }
  }
  HWY_INLINE void Put(const LaneTransform& t, std::size_t n) const {
    PutTwo(t.q.x, t.q.y, near.qx + n, far.qx + n);
    PutTwo(t.q.z, t.q.w, near.qz + n, far.qz + n);
    PutTwo(t.p.x, t.p.y, near.x + n, far.x + n);
    PutTwo(t.p.z, t.s, near.z + n, far.z + n);
  }
};

/// Lanes of a group that have a node; the others may hold anything.
HWY_INLINE LaneWords OfNodes(LaneWords bits, std::uint32_t live, std::size_t n) {
  return HWY_LIKELY(live == 0xFF) ? bits : hn::And(bits, Chosen(live, n));
}

template <bool kStream>
HWY_INLINE LaneWords WholeGroup(Tile& tile, TransformColumn& out, std::uint32_t group, std::uint32_t live,
                                bool roots, bool stretched) {
  LaneWords gone = hn::Zero(LaneWordTag());
  const WholeWriter<kStream> writer{out.group(group), tile.world.group(group)};
  if (roots) {
    for (std::size_t n = 0; n < kGroupRows; n += kLaneStep) {
      LaneTransform world = LoadGroup(tile.local.group(group), n);
      world.q = Renormalize(world.q);
      writer.Put(world, n);
    }
    return gone;
  }
  const std::uint32_t above = tile.group_above(group);
  Parents parents{&out.group(above)};
  alignas(64) float stretches[3 * kGroupRows];
  if (HWY_UNLIKELY(stretched) && Tile::lanes_of(tile.stretched, above) != 0) {
    stretches_of_group(tile, above, stretches);
    parents.stretches = stretches;
  }
  for (std::size_t n = 0; n < kGroupRows; n += kLaneStep) {
    const LaneTransform world = FollowGroup(tile.local.group(group), parents, n);
    gone = hn::Or(gone, OfNodes(NotFinite(world), live, n));
    writer.Put(world, n);
  }
  return gone;
}

/// All nodes of the words [first, last). `kAsk`: not all of it is in the cache. `stretched`: some are. False:
/// something needs care.
template <bool kStream, bool kAsk>
HWY_INLINE bool SweepWords(Tile& tile, std::uint32_t first, std::uint32_t last, bool stretched,
                           TransformColumn& out) {
  LaneWords gone = hn::Zero(LaneWordTag());
  for (std::uint32_t w = first; w < last; ++w) {
    std::uint64_t live = tile.live.words[w], linked = tile.linked.words[w] & live;
    for (std::uint32_t group = w * 8; live != 0; ++group, live >>= kGroupRows, linked >>= kGroupRows) {
      if constexpr (kAsk) {
        ask_ahead(tile.local, nullptr, group * kGroupRows, kGroupRows);
      }
      if constexpr (kAsk && !kStream) {
        ask_ahead(tile.world, nullptr, group * kGroupRows, kGroupRows);
      }
      const auto nodes = static_cast<std::uint32_t>(live & 0xFF),
                 roots = static_cast<std::uint32_t>(linked & 0xFF);
      if (nodes == 0) {
        continue;
      }
      if (HWY_UNLIKELY(roots != 0 && roots != nodes)) {
        return false;
      }
      gone = hn::Or(gone, WholeGroup<kStream>(tile, out, group, nodes, roots != 0, stretched));
    }
  }
  return !AnyGone(gone);
}

}  // namespace juxta::transform_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
