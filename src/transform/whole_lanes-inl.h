// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: world transforms of all nodes of some words of a tile of lanes, where nothing in the tile needs
// care: no flags, parents elsewhere that are known, groups of roots or of others only. For kernel files only.
//
//   live     | 11111111 | 11111111 | 11111110 | ..     groups without nodes are left out;
//   linked   | 11111111 | 00000000 | 00000000 | ..     lanes without a node are computed and ignored
//
// Per group:    the 81 multiplications and additions of lane_math-inl.h and 7 that look for places that are
//               not finite: 1.1 ns a node in the caches (Zen 4). The general loop (lane_sweep_kernel.cpp)
//               looks at more masks for each group.
//
// A place that is not finite is met seldom: then the general loop does all of it again.

#if defined(JUXTA_TRANSFORM_WHOLE_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_TRANSFORM_WHOLE_LANES_INL_H
#undef JUXTA_TRANSFORM_WHOLE_LANES_INL_H
#else
#define JUXTA_TRANSFORM_WHOLE_LANES_INL_H
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "transform/ask_rows.h"
#include "transform/lane_math-inl.h"
#include "transform/lane_sweep_kernel.h"
#include "transform/tile.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::transform_detail::HWY_NAMESPACE {

/// What lanes take from parents that stand elsewhere. Where one parent has many children, group after group
/// has the same links.
struct LinkedParents {
  LinkedParents() noexcept {}  // NOLINT(modernize-use-equals-default): few sweeps take any, and need zeros
  GroupTransforms world;
  alignas(64) float stretches[3 * kGroupRows];
  std::uint32_t links[kGroupRows];  // 0: none yet

  HWY_INLINE void Take(const HierarchyStore& store, const SweepCalls& calls, const std::uint32_t* wanted,
                       std::uint32_t lanes) {
    if (!begun_) {
      begun_ = true;
      world = {};
      std::fill_n(stretches, 3 * kGroupRows, 0.0F);
      std::fill_n(links, kGroupRows, 0U);
    }
    if (!Has(wanted)) {
      for_each_bit(lanes, 0, [&](std::uint32_t lane) HWY_ATTR {
        if (links[lane] != wanted[lane]) {
          Take(lane, wanted[lane], calls.frame_of(store, wanted[lane]));
        }
      });
    }
  }

 private:
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

  bool begun_ = false;
};

/// Writes a group, turned, to the column that children and readers take it from, and past the caches to the
/// tile: lines of 64 bytes where a register has as many, since a line that goes in two halves waits for the
/// second one.
template <bool kStream>
struct WholeWriter {
  GroupTransforms& kept;
  GroupTransforms& memory;
  bool keeps;  // children or readers take it; if it does not go past the caches, the two are one

  template <class Tag>
  HWY_INLINE void Put(Tag d, hn::Vec<Tag> value, float* at, float* stream) const {
    if (!kStream || keeps) {
      hn::Store(value, d, at);
    }
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
    PutTwo(t.q.x, t.q.y, kept.qx + n, memory.qx + n);
    PutTwo(t.q.z, t.q.w, kept.qz + n, memory.qz + n);
    PutTwo(t.p.x, t.p.y, kept.x + n, memory.x + n);
    PutTwo(t.p.z, t.s, kept.z + n, memory.z + n);
  }
};

/// What a sweep of a tile goes on with from word to word.
struct WholeSweep {
  const HierarchyStore& store;
  const SweepCalls& calls;
  Tile& tile;
  TransformColumn& out;
  bool reads;      // somebody reads `out` afterwards: all of it, not parents alone
  bool stretched;  // some rows are
  LinkedParents linked{};

  template <bool kStream>
  [[nodiscard]] HWY_INLINE WholeWriter<kStream> WriterOf(std::uint32_t group) const {
    return {out.group(group), tile.world.group(group),
            reads || tile.first_group(group) != tile.last_group(group)};
  }
};

template <bool kStream>
HWY_INLINE void WholeRoots(WholeSweep& sweep, std::uint32_t group) {
  const auto writer = sweep.WriterOf<kStream>(group);
  for (std::size_t n = 0; n < kGroupRows; n += kLaneStep) {
    writer.Put(RootsOfGroup(sweep.tile, group, n), n);
  }
}

/// Zero: all nodes are at finite places. `kSettle`: not all of it was written just now.
template <bool kStream, bool kSettle>
HWY_INLINE LaneWords WholeGroup(WholeSweep& sweep, std::uint32_t group, std::uint32_t live,
                                const Parents& parents) {
  if constexpr (kSettle) {
    Settle(sweep.tile, group, live);
  }
  LaneWords gone = hn::Zero(LaneWordTag());
  const auto writer = sweep.WriterOf<kStream>(group);
  for (std::size_t n = 0; n < kGroupRows; n += kLaneStep) {
    const LaneTransform world = FollowGroup(sweep.tile, group, parents, n);
    gone = hn::Or(gone, OfNodes(NotFinite(world), live, n));
    writer.Put(world, n);
  }
  return gone;
}

template <bool kStream, bool kSettle>
HWY_INLINE LaneWords WholeFollowers(WholeSweep& sweep, std::uint32_t group, std::uint32_t live) {
  const std::uint32_t above = sweep.tile.group_above(group);
  Parents parents{&sweep.out.group(above)};
  alignas(64) float stretches[3 * kGroupRows];
  if (HWY_UNLIKELY(sweep.stretched) && Tile::lanes_of(sweep.tile.stretched(), above) != 0) {
    StretchesOfGroup(sweep.tile, above, stretches);
    parents.stretches = stretches;
  }
  return WholeGroup<kStream, kSettle>(sweep, group, live, parents);
}

/// In Tile::world_turned: the rows of a word.
inline constexpr std::uint64_t kTurnedOfWord = (1 << 64 / kTurnedRows) - 1;

/// All nodes of the words [first, last). `kAsk`: they were not written just now, and are not in the cache.
/// False: something needs care.
template <bool kStream, bool kAsk>
HWY_INLINE bool SweepWords(WholeSweep& sweep, std::uint32_t first, std::uint32_t last) {
  Tile& tile = sweep.tile;
  LaneWords gone = hn::Zero(LaneWordTag());
  for (std::uint32_t w = first; w < last; ++w) {
    std::uint64_t live_rows = tile.live.words[w], linked_rows = tile.linked.words[w] & live_rows;
    for (std::uint32_t group = w * 8; live_rows != 0;
         ++group, live_rows >>= kGroupRows, linked_rows >>= kGroupRows) {
      if constexpr (kAsk) {
        ask_for_locals(tile, group + kGroupsAhead);
      }
      if constexpr (!kStream) {
        ask_ahead(tile.world.rows(), nullptr, group * kGroupRows, kGroupRows);
      }
      const auto live = static_cast<std::uint32_t>(live_rows & 0xFF),
                 linked = static_cast<std::uint32_t>(linked_rows & 0xFF);
      if (live == 0) {
        continue;
      }
      const std::uint32_t roots = linked == 0 || tile.hung == 0 ? linked : linked & root_lanes(tile, group);
      if (linked == 0) {
        gone = hn::Or(gone, WholeFollowers<kStream, kAsk>(sweep, group, live));
      } else if (roots == live) {
        WholeRoots<kStream>(sweep, group);
      } else if (roots == 0 && linked == live) {
        sweep.linked.Take(sweep.store, sweep.calls, &tile.parent[group * kGroupRows], live);
        gone = hn::Or(gone, WholeGroup<kStream, kAsk>(sweep, group, live,
                                                      {&sweep.linked.world, sweep.linked.stretches}));
      } else {
        return false;
      }
    }
    tile.world_turned.put(tile.world_turned.bits() | kTurnedOfWord << w * 64 / kTurnedRows);
  }
  return !AnyGone(gone);
}

}  // namespace juxta::transform_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
