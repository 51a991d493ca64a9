// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// World transforms in a tile of lanes: eight trees of one shape side by side, a node of each at a time.
//
//   parents' group   qx | t0 .. t7 |  qy | t0 .. t7 |  ..          no shuffles: a lane's parent stands in the
//   group            qx | t0 .. t7 |  qy | t0 .. t7 |  ..          same lane
//
// Per group:    81 multiplications and additions on eight lanes (four at a time on SSE4), 16 loads, 8 stores:
//               about 1.8 ns a node in the caches (Zen 4).
//
// Limit:        memory: 32 bytes a row read, 64 moved for the write.
//
// Determinism:  the operations of qvvs.h in their order, nothing fused, lanes never meet.
//
// Rows that are linked take their parents from links, lane by lane. Rows with flags are computed one by one.
#include "transform/lane_sweep_kernel.h"

#include "juxta/math/qvvs.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/transform/lane_sweep_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::transform_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using LaneTag = hn::CappedTag<float, kGroupRows>;
using LaneWordTag = hn::RebindToSigned<LaneTag>;
using Lane = hn::Vec<LaneTag>;
using LaneWords = hn::Vec<LaneWordTag>;
inline constexpr std::size_t kLaneStep = hn::MaxLanes(LaneTag());

struct LaneQuat {
  Lane x, y, z, w;
};
struct LaneVec {
  Lane x, y, z;
};
struct LaneTransform {
  LaneQuat q;
  LaneVec p;
  Lane s;
};

HWY_INLINE LaneTransform LoadGroup(const GroupTransforms& group, std::size_t n) {
  const LaneTag d;
  return {{hn::Load(d, group.qx + n), hn::Load(d, group.qy + n), hn::Load(d, group.qz + n),
           hn::Load(d, group.qw + n)},
          {hn::Load(d, group.x + n), hn::Load(d, group.y + n), hn::Load(d, group.z + n)},
          hn::Load(d, group.scale + n)};
}

/// Which of the lanes from n on are in a mask of bits: all ones, or zeros.
HWY_INLINE LaneWords Chosen(std::uint32_t lanes, std::size_t n) {
  const LaneWordTag d;
  const LaneWords bits = hn::Shl(hn::Set(d, 1), hn::Iota(d, static_cast<std::int32_t>(n)));
  return hn::VecFromMask(d, hn::TestBit(hn::Set(d, static_cast<std::int32_t>(lanes)), bits));
}

/// Writes the chosen lanes; all of them without reading what was there. Lanes that are not chosen get the
/// bits that they have: whoever reads them at that time sees no change.
template <bool kAll>
struct Writer {
  hn::Mask<LaneTag> chosen;
  HWY_INLINE void Put(Lane value, float* at) const {
    const LaneTag d;
    if constexpr (kAll) {
      hn::Store(value, d, at);
    } else {
      hn::Store(hn::IfThenElse(chosen, value, hn::Load(d, at)), d, at);
    }
  }
  HWY_INLINE void Put(const LaneTransform& t, GroupTransforms& group, std::size_t n) const {
    Put(t.q.x, group.qx + n);
    Put(t.q.y, group.qy + n);
    Put(t.q.z, group.qz + n);
    Put(t.q.w, group.qw + n);
    Put(t.p.x, group.x + n);
    Put(t.p.y, group.y + n);
    Put(t.p.z, group.z + n);
    Put(t.s, group.scale + n);
  }
};

/// renormalized() of quat.h.
HWY_INLINE LaneQuat Renormalize(const LaneQuat& q) {
  const LaneTag d;
  const Lane squared =
      hn::Add(hn::Add(hn::Mul(q.x, q.x), hn::Mul(q.y, q.y)), hn::Add(hn::Mul(q.z, q.z), hn::Mul(q.w, q.w)));
  const Lane k = hn::Sub(hn::Set(d, 1.5F), hn::Mul(hn::Set(d, 0.5F), squared));
  return {hn::Mul(q.x, k), hn::Mul(q.y, k), hn::Mul(q.z, k), hn::Mul(q.w, k)};
}

/// operator*(Quat, Quat) of quat.h.
HWY_INLINE LaneQuat Product(const LaneQuat& a, const LaneQuat& b) {
  const auto add = [](Lane sum, Lane u, Lane v) HWY_ATTR { return hn::Add(sum, hn::Mul(u, v)); };
  const auto sub = [](Lane sum, Lane u, Lane v) HWY_ATTR { return hn::Sub(sum, hn::Mul(u, v)); };
  return {sub(add(add(hn::Mul(a.w, b.x), a.x, b.w), a.y, b.z), a.z, b.y),
          add(add(sub(hn::Mul(a.w, b.y), a.x, b.z), a.y, b.w), a.z, b.x),
          add(sub(add(hn::Mul(a.w, b.z), a.x, b.y), a.y, b.x), a.z, b.w),
          sub(sub(sub(hn::Mul(a.w, b.w), a.x, b.x), a.y, b.y), a.z, b.z)};
}

/// cross() of vec.h, of the axis of a rotation.
HWY_INLINE LaneVec Cross(const LaneQuat& a, const LaneVec& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)), hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}

/// rotate() of quat.h.
HWY_INLINE LaneVec Rotate(const LaneQuat& q, const LaneVec& v) {
  const LaneVec half = Cross(q, v);
  const LaneVec t{hn::Add(half.x, half.x), hn::Add(half.y, half.y), hn::Add(half.z, half.z)};
  const LaneVec turned = Cross(q, t);
  return {hn::Add(hn::Add(v.x, hn::Mul(t.x, q.w)), turned.x),
          hn::Add(hn::Add(v.y, hn::Mul(t.y, q.w)), turned.y),
          hn::Add(hn::Add(v.z, hn::Mul(t.z, q.w)), turned.z)};
}

/// mul() of qvvs.h; the position of `local` is stretched already.
HWY_INLINE LaneTransform Multiply(const LaneTransform& parent, const LaneTransform& local) {
  const LaneVec turned = Rotate(
      parent.q, {hn::Mul(local.p.x, parent.s), hn::Mul(local.p.y, parent.s), hn::Mul(local.p.z, parent.s)});
  return {Renormalize(Product(parent.q, local.q)),
          {hn::Add(parent.p.x, turned.x), hn::Add(parent.p.y, turned.y), hn::Add(parent.p.z, turned.z)},
          hn::Mul(local.s, parent.s)};
}

/// What the lanes of a group take from their parents.
struct Parents {
  const GroupTransforms* world;
  const float* stretches = nullptr;  // three times eight; null: none is stretched
};

/// World transforms of some lanes of a group, or of all. Zero: all are finite.
template <bool kAll>
HWY_INLINE LaneWords SweepGroupOf(const Tile& tile, TransformColumn& out, std::uint32_t group,
                                  std::uint32_t lanes, const Parents& parents) {
  const LaneTag d;
  const LaneWordTag words;
  LaneWords gone = hn::Zero(words);
  for (std::size_t n = 0; n < kGroupRows; n += kLaneStep) {
    LaneTransform local = LoadGroup(tile.local.group(group), n);
    if (HWY_UNLIKELY(parents.stretches != nullptr)) {
      local.p.x = hn::Mul(local.p.x, hn::Load(d, parents.stretches + n));
      local.p.y = hn::Mul(local.p.y, hn::Load(d, parents.stretches + kGroupRows + n));
      local.p.z = hn::Mul(local.p.z, hn::Load(d, parents.stretches + 2 * kGroupRows + n));
    }
    const LaneTransform world = Multiply(LoadGroup(*parents.world, n), local);
    const LaneWords chosen = kAll ? hn::Zero(words) : Chosen(lanes, n);
    const Lane sum = hn::Add(hn::Add(hn::Sub(world.p.x, world.p.x), hn::Sub(world.p.y, world.p.y)),
                             hn::Add(hn::Sub(world.p.z, world.p.z), hn::Sub(world.s, world.s)));
    const LaneWords bits = hn::BitCast(words, sum);
    gone = hn::Or(gone, kAll ? bits : hn::And(chosen, bits));
    Writer<kAll>{hn::MaskFromVec(hn::BitCast(d, chosen))}.Put(world, out.group(group), n);
  }
  return gone;
}
HWY_INLINE LaneWords SweepGroup(const Tile& tile, TransformColumn& out, std::uint32_t group,
                                std::uint32_t lanes, const Parents& parents) {
  return HWY_LIKELY(lanes == 0xFF) ? SweepGroupOf<true>(tile, out, group, lanes, parents)
                                   : SweepGroupOf<false>(tile, out, group, lanes, parents);
}

/// Roots stand in the world where they stand.
template <bool kAll>
HWY_INLINE void SweepRootGroupOf(const Tile& tile, TransformColumn& out, std::uint32_t group,
                                 std::uint32_t lanes) {
  const LaneTag d;
  for (std::size_t n = 0; n < kGroupRows; n += kLaneStep) {
    LaneTransform world = LoadGroup(tile.local.group(group), n);
    world.q = Renormalize(world.q);
    Writer<kAll>{hn::MaskFromVec(hn::BitCast(d, Chosen(lanes, n)))}.Put(world, out.group(group), n);
  }
}
HWY_INLINE void SweepRootGroup(const Tile& tile, TransformColumn& out, std::uint32_t group,
                               std::uint32_t lanes) {
  if (lanes == 0xFF) {
    SweepRootGroupOf<true>(tile, out, group, lanes);
  } else if (lanes != 0) {
    SweepRootGroupOf<false>(tile, out, group, lanes);
  }
}

HWY_INLINE bool AnyGone(LaneWords gone) {
  const LaneWordTag words;
  return !hn::AllTrue(words, hn::Eq(gone, hn::Zero(words)));
}

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

Overflow SweepLanes(const HierarchyStore& store, const SweepCalls& calls, Tile& tile, const RowMask& marks,
                    TransformColumn& out) {
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
