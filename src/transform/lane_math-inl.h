// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: the world transforms of a group of eight rows. For kernel files only.
//
//   parents' group   qx | t0 .. t7 |  qy | t0 .. t7 |  ..          no shuffles: a lane's parent stands in the
//   group            qx | t0 .. t7 |  qy | t0 .. t7 |  ..          same lane
//
// Per group:    81 multiplications and additions on eight lanes (four at a time on SSE4), 16 loads (8 of them
//               of one number where all eight have the same local transform), 8 stores; 24 shuffles more each
//               way where they are rows (group_rows-inl.h).
//
// Determinism:  the operations of qvvs.h in their order, nothing fused, lanes never meet.

#if defined(JUXTA_TRANSFORM_LANE_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_TRANSFORM_LANE_MATH_INL_H
#undef JUXTA_TRANSFORM_LANE_MATH_INL_H
#else
#define JUXTA_TRANSFORM_LANE_MATH_INL_H
#endif

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "transform/group_rows-inl.h"
#include "transform/lane_sweep_kernel.h"
#include "transform/tile.h"

static_assert(sizeof(juxta::transform_detail::Cold) == 4 * sizeof(float));

HWY_BEFORE_NAMESPACE();
namespace juxta::transform_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Which of the lanes from n on are in a mask of bits: all ones, or zeros.
HWY_INLINE LaneWords Chosen(std::uint32_t lanes, std::size_t n) {
  const LaneWordTag d;
  const LaneWords bits = hn::Shl(hn::Set(d, 1), hn::Iota(d, static_cast<std::int32_t>(n)));
  return hn::VecFromMask(d, hn::TestBit(hn::Set(d, static_cast<std::int32_t>(lanes)), bits));
}

/// Lanes of a group that have a node; the others may hold anything.
HWY_INLINE LaneWords OfNodes(LaneWords bits, std::uint32_t live, std::size_t n) {
  return HWY_LIKELY(live == 0xFF) ? bits : hn::And(bits, Chosen(live, n));
}
HWY_INLINE bool AnyGone(LaneWords gone) {
  const LaneWordTag words;
  return !hn::AllTrue(words, hn::Eq(gone, hn::Zero(words)));
}

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

/// The transforms of a group in a column, whichever way they stand there.
HWY_INLINE LaneTransform LoadGroup(const TransformColumn& column, std::uint64_t turned, std::uint32_t group,
                                   std::size_t n) {
  return Tile::has_turned(turned, group * kGroupRows) ? LoadGroup(column.group(group), n)
                                                      : LoadRowGroup(&column.rows()[group * kGroupRows + n]);
}

/// The chosen nodes of a group have this local transform, to the bit.
HWY_INLINE bool AreAlike(const Tile& tile, std::uint32_t group, std::uint32_t chosen,
                         const LocalTransform& one) {
  const LaneTag d;
  LaneWords differ = hn::Zero(LaneWordTag());
  for (std::size_t n = 0; n < kGroupRows; n += kLaneStep) {
    const LaneTransform t = LoadGroup(tile.local, tile.local_turned.bits(), group, n);
    const auto other = [d](Lane v, float wanted) HWY_ATTR { return hn::Xor(v, hn::Set(d, wanted)); };
    const Lane q = hn::Or(hn::Or(other(t.q.x, one.rotation.x), other(t.q.y, one.rotation.y)),
                          hn::Or(other(t.q.z, one.rotation.z), other(t.q.w, one.rotation.w)));
    const Lane p = hn::Or(hn::Or(other(t.p.x, one.position.x), other(t.p.y, one.position.y)),
                          hn::Or(other(t.p.z, one.position.z), other(t.s, one.scale)));
    differ = hn::Or(differ, OfNodes(hn::BitCast(LaneWordTag(), hn::Or(q, p)), chosen, n));
  }
  return !AnyGone(differ);
}

/// Before a sweep of a group: looks whether its nodes without flags (`plain`, some at least) share a local
/// transform, if they were not written lately.
HWY_INLINE void Settle(Tile& tile, std::uint32_t group, std::uint32_t plain) {
  LaneTree& tree = tile.lane_tree;
  if (HWY_LIKELY(tree.alike[group] >= kNotAlike)) {
    return;
  }
  if (tree.alike[group] == kWritten) {
    tree.alike[group] = kSettled;
  } else if (const LocalTransform one =
                 tile.local_at(group * kGroupRows + static_cast<std::uint32_t>(std::countr_zero(plain)));
             AreAlike(tile, group, plain, one)) {
    tree.share(group, one, tile.live);
    if (HWY_UNLIKELY(Tile::lanes_of(tile.live, group) != 0xFF && tree.alike[group] >= kAlike)) {
      put_dead_locals(tile, group, one);
    }
  } else {
    tree.alike[group] = kNotAlike;
  }
}

/// What the lanes of a group take from their parents.
struct Parents {
  const GroupTransforms* world;
  const float* stretches = nullptr;  // three times eight; null: none is stretched
};

/// The local transforms of a group: eight, or the one that all have.
HWY_INLINE LaneTransform LoadLocals(const Tile& tile, std::uint32_t group, std::size_t n) {
  const std::uint8_t alike = tile.lane_tree.alike[group];
  if (alike < kAlike) {
    return LoadGroup(tile.local, tile.local_turned.bits(), group, n);
  }
  const LaneTag d;
  const std::array<float, 8>& one = tile.lane_tree.shared[alike - kAlike];
  return {{hn::Set(d, one[0]), hn::Set(d, one[1]), hn::Set(d, one[2]), hn::Set(d, one[3])},
          {hn::Set(d, one[4]), hn::Set(d, one[5]), hn::Set(d, one[6])},
          hn::Set(d, one[7])};
}

/// The stretches of a group: eight along x, eight along y, eight along z. Stored as they are loaded next: a
/// load of several numbers that were stored one by one waits for all of them.
HWY_INLINE void StretchesOfGroup(const Tile& tile, std::uint32_t group, float* out) {
  const LaneTag d;
  const Lane one = hn::Set(d, 1.0F);
  for (std::size_t n = 0; n < kGroupRows; n += kLaneStep) {
    Lane x, y, z, context;
    hn::LoadInterleaved4(d, &tile.cold[group * kGroupRows + n].stretch.x, x, y, z, context);
    const auto stretched =
        hn::MaskFromVec(hn::BitCast(d, Chosen(Tile::lanes_of(tile.stretched(), group), n)));
    hn::Store(hn::IfThenElse(stretched, x, one), d, out + n);
    hn::Store(hn::IfThenElse(stretched, y, one), d, out + kGroupRows + n);
    hn::Store(hn::IfThenElse(stretched, z, one), d, out + 2 * kGroupRows + n);
  }
}

/// The lanes of a group from n on, below their parents.
HWY_INLINE LaneTransform FollowGroup(const Tile& tile, std::uint32_t group, const Parents& parents,
                                     std::size_t n) {
  const LaneTag d;
  LaneTransform local = LoadLocals(tile, group, n);
  if (HWY_UNLIKELY(parents.stretches != nullptr)) {
    local.p.x = hn::Mul(local.p.x, hn::Load(d, parents.stretches + n));
    local.p.y = hn::Mul(local.p.y, hn::Load(d, parents.stretches + kGroupRows + n));
    local.p.z = hn::Mul(local.p.z, hn::Load(d, parents.stretches + 2 * kGroupRows + n));
  }
  return Multiply(LoadGroup(*parents.world, n), local);
}

/// Zero where place and scale are finite.
HWY_INLINE LaneWords NotFinite(const LaneTransform& world) {
  const Lane sum = hn::Add(hn::Add(hn::Sub(world.p.x, world.p.x), hn::Sub(world.p.y, world.p.y)),
                           hn::Add(hn::Sub(world.p.z, world.p.z), hn::Sub(world.s, world.s)));
  return hn::BitCast(LaneWordTag(), sum);
}

/// Some lanes of a group to where they stand.
HWY_INLINE void StoreLanes(Tile& tile, std::uint32_t group, std::uint32_t lanes, const LaneTransform& world,
                           std::size_t n) {
  if (!Tile::has_turned(tile.world_turned.bits(), group * kGroupRows)) {
    StoreSomeRows(world, lanes >> n, &tile.world.rows()[group * kGroupRows + n]);
    return;
  }
#ifdef __SANITIZE_THREAD__  // to it, a store of the same bits is a race with a load
  GroupTransforms all;
  StoreGroup(world, all, n);
  for (auto lane = static_cast<std::uint32_t>(n); lane < n + kLaneStep; ++lane) {
    if ((lanes >> lane & 1) != 0) {
      tile.world.group(group).put(lane, all.get(lane));
    }
  }
#else
  // Other lanes get the bits that they have: whoever reads them at that time sees no change.
  const LaneTag d;
  const auto chosen = hn::MaskFromVec(hn::BitCast(d, Chosen(lanes, n)));
  const LaneTransform old = LoadGroup(tile.world.group(group), n);
  const auto one = [&](Lane a, Lane b) HWY_ATTR { return hn::IfThenElse(chosen, a, b); };
  StoreGroup(
      {{one(world.q.x, old.q.x), one(world.q.y, old.q.y), one(world.q.z, old.q.z), one(world.q.w, old.q.w)},
       {one(world.p.x, old.p.x), one(world.p.y, old.p.y), one(world.p.z, old.p.z)},
       one(world.s, old.s)},
      tile.world.group(group), n);
#endif
}

/// World transforms of some lanes of a group. Zero: all are finite.
HWY_INLINE LaneWords SweepGroup(Tile& tile, std::uint32_t group, std::uint32_t lanes,
                                const Parents& parents) {
  LaneWords gone = hn::Zero(LaneWordTag());
  for (std::size_t n = 0; n < kGroupRows; n += kLaneStep) {
    const LaneTransform world = FollowGroup(tile, group, parents, n);
    gone = hn::Or(gone, hn::And(Chosen(lanes, n), NotFinite(world)));
    StoreLanes(tile, group, lanes, world, n);
  }
  return gone;
}

/// Roots stand in the world where they stand.
HWY_INLINE LaneTransform RootsOfGroup(const Tile& tile, std::uint32_t group, std::size_t n) {
  LaneTransform world = LoadGroup(tile.local, tile.local_turned.bits(), group, n);
  world.q = Renormalize(world.q);
  return world;
}
HWY_INLINE void SweepRootGroup(Tile& tile, std::uint32_t group, std::uint32_t lanes) {
  for (std::size_t n = 0; n < kGroupRows; n += kLaneStep) {
    StoreLanes(tile, group, lanes, RootsOfGroup(tile, group, n), n);
  }
}

/// Sixteen rows are turned, or those that are turned become rows.
template <bool kToRows>
HWY_INLINE void TurnSixteen(TransformColumn& column, Turned& turned, std::uint32_t group) {
  const std::uint32_t first = group / 2 * 2;
  for (std::uint32_t g = first; g < first + kTurnedRows / kGroupRows; ++g) {
    LaneTransform all[kGroupRows / kLaneStep];
    for (std::size_t n = 0; n < kGroupRows; n += kLaneStep) {
      all[n / kLaneStep] = LoadGroup(column, turned.bits(), g, n);
    }
    for (std::size_t n = 0; n < kGroupRows; n += kLaneStep) {
      if constexpr (kToRows) {
        StoreRowGroup(all[n / kLaneStep], &column.rows()[g * kGroupRows + n]);
      } else {
        StoreGroup(all[n / kLaneStep], column.group(g), n);
      }
    }
  }
  const std::uint64_t bit = std::uint64_t{1} << first / 2;
  turned.put(kToRows ? turned.bits() & ~bit : turned.bits() | bit);
}

}  // namespace juxta::transform_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
