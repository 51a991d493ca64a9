// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: one ray made ready, and its numbers in every lane. For kernel files only.
//
// Differences are taken as `ray - side` and not `side - ray`: so the side may come from memory in the same
// instruction. Both factors of a product then have another sign, and no bit of it changes but the sign of 0.

#if defined(JUXTA_SHAPE_TRIANGLE_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_SHAPE_TRIANGLE_LANES_INL_H
#undef JUXTA_SHAPE_TRIANGLE_LANES_INL_H
#else
#define JUXTA_SHAPE_TRIANGLE_LANES_INL_H
#endif

#include <cstddef>
#include <limits>

#include "core/simd/mask_bits-inl.h"
#include "hwy/highway.h"
#include "shape/triangle_ray.h"
#include "shape/xyz-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::shape_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using namespace core_detail::HWY_NAMESPACE;

using LaneTag = hn::CappedTag<float, kTreeLanes>;
using BlockTag = hn::FixedTag<float, kBlockLanes>;
/// Lanes of one register: 8 or 4.
inline constexpr std::uint32_t kLaneStep = static_cast<std::uint32_t>(hn::MaxLanes(LaneTag()));
inline constexpr std::uint32_t kNoTriangle = ~std::uint32_t{0};

HWY_INLINE std::uint32_t LowestBitOf(std::uint32_t bits) {
  return static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(bits));
}

/// The steps of make_ready(), for a way whose longest part is within 2^-30 ... 2^30.
HWY_INLINE void MakeReady(Xyz origin, Xyz way, float max, Xyz lo, Xyz hi, ReadyRay& ready) {
  const XyzTag d;
  const hn::RebindToSigned<XyzTag> di;
  const auto length = hn::Abs(way);
  const auto far = hn::Max(hn::Abs(hn::Sub(lo, origin)), hn::Abs(hn::Sub(hi, origin)));
  const auto reach = hn::Mul(hn::Min(hn::MaxOfLanes(d, far), hn::Set(d, 0x1p126F)), hn::Set(d, 0x1p-20F));
  const auto grow = hn::CopySign(hn::Add(reach, hn::Mul(hn::Abs(origin), hn::Set(d, 0x1p-22F))), way);
  const auto step = hn::CopySign(hn::Max(length, hn::Set(d, 0x1p-90F)), way);
  hn::Store(hn::Div(hn::Set(d, -1), step), d, ready.back);
  hn::Store(origin, d, ready.origin);
  hn::Store(hn::Add(origin, grow), d, ready.near_origin);
  hn::Store(hn::Sub(origin, grow), d, ready.far_origin);
  hn::Store(way, d, ready.way);
  ready.negative = BitsOf(di, hn::Lt(hn::BitCast(di, way), hn::Zero(di))) & 7;
  // The first of equal lengths; without a longest one the answer does not matter.
  ready.kz = LowestBitOf(BitsOf(d, hn::Eq(length, hn::MaxOfLanes(d, length))) | 4);
  hn::Store(hn::Div(way, hn::Set(d, ready.way[ready.kz])), d, ready.ratio);
  ready.exponent = 0;
  ready.max = max;
  const auto finite = hn::Le(hn::Abs(origin), hn::Set(d, std::numeric_limits<float>::max()));
  ready.sound = max >= 0 && hn::AllTrue(d, finite);
}

/// make_ready(), by lanes where they can.
HWY_INLINE void MakeReady(const Ray3& ray, const Aabb3& bounds, ReadyRay& ready) {
  const XyzTag d;
  const Xyz way = GatherXyz(ray.direction);
  const float longest = hn::GetLane(hn::MaxOfLanes(d, hn::Abs(way)));
  if (HWY_LIKELY(longest > 0x1p-30F && longest < 0x1p30F)) {
    MakeReady(GatherXyz(ray.origin), way, ray.max, GatherXyz(bounds.lo), GatherXyz(bounds.hi), ready);
    // A NaN beside a longest part: lanes do not say which of the two is the larger.
    ready.sound = ready.sound && hn::AllTrue(d, hn::Eq(way, way));
  } else {
    ready = make_ready(ray, bounds);
  }
}

/// Of a node, which side a ray meets first on each axis, and which last: rows of floats. By the octant.
struct NodeRows {
  std::uint32_t near_row[3], far_row[3];
};
inline constexpr NodeRows kNodeRows[8] = {{{0, 8, 16}, {24, 32, 40}}, {{24, 8, 16}, {0, 32, 40}},
                                          {{0, 32, 16}, {24, 8, 40}}, {{24, 32, 16}, {0, 8, 40}},
                                          {{0, 8, 40}, {24, 32, 16}}, {{24, 8, 40}, {0, 32, 16}},
                                          {{0, 32, 40}, {24, 8, 16}}, {{24, 32, 40}, {0, 8, 16}}};
static_assert(kTreeLanes == 8);

using LaneV = hn::Vec<LaneTag>;

/// Where a ray is in boxes that it meets the sides of at these t: from `enter` to `leave`, which is at
/// `limit` at most. By pairs: one of three waits less.
HWY_INLINE hn::Mask<LaneTag> Within(const LaneV (&to)[3], const LaneV (&past)[3], LaneV limit, LaneV& enter,
                                    LaneV& leave) {
  enter = hn::Max(hn::Max(hn::Zero(LaneTag()), to[0]), hn::Max(to[1], to[2]));
  leave = hn::Min(hn::Min(limit, past[0]), hn::Min(past[1], past[2]));
  return hn::Le(enter, leave);
}

/// What nodes want to know of a ray, in every lane.
struct NodeLanes {
  LaneV near_origin[3], far_origin[3], back[3];
  std::uint32_t negative;
  const NodeRows& rows;

  HWY_INLINE explicit NodeLanes(const ReadyRay& ray) : negative(ray.negative), rows(kNodeRows[ray.negative]) {
    const LaneTag d;
    for (int axis = 0; axis < 3; ++axis) {
      near_origin[axis] = hn::Set(d, ray.near_origin[axis]);
      far_origin[axis] = hn::Set(d, ray.far_origin[axis]);
      back[axis] = hn::Set(d, ray.back[axis]);
    }
  }
  /// Which boxes of one register the ray meets before `limit`.
  HWY_INLINE hn::Mask<LaneTag> Enter(const float* HWY_RESTRICT sides, LaneV limit, LaneV& enter,
                                     LaneV& leave) const {
    const LaneTag d;
    LaneV to[3], past[3];
    for (int axis = 0; axis < 3; ++axis) {
      to[axis] = hn::Mul(hn::Sub(near_origin[axis], hn::Load(d, sides + rows.near_row[axis])), back[axis]);
      past[axis] = hn::Mul(hn::Sub(far_origin[axis], hn::Load(d, sides + rows.far_row[axis])), back[axis]);
    }
    return Within(to, past, limit, enter, leave);
  }
};

/// The same of a ray whose direction has any length, and t with it. Boxes have to be grown twice as much, and
/// so the products of origins may be rounded before the sides are subtracted.
struct EarlyLanes {
  LaneV near_t[3], far_t[3], inverse[3];
  std::uint32_t negative;
  const NodeRows& rows;

  HWY_INLINE EarlyLanes(Xyz near_origin, Xyz far_origin, Xyz back, std::uint32_t signs)
      : negative(signs), rows(kNodeRows[signs]) {
    const XyzTag x;
    HWY_ALIGN float near_all[4], far_all[4], inverse_all[4];
    hn::Store(hn::Mul(near_origin, back), x, near_all);
    hn::Store(hn::Mul(far_origin, back), x, far_all);
    hn::Store(hn::Neg(back), x, inverse_all);
    const LaneTag d;
    for (int axis = 0; axis < 3; ++axis) {
      near_t[axis] = hn::Set(d, near_all[axis]);
      far_t[axis] = hn::Set(d, far_all[axis]);
      inverse[axis] = hn::Set(d, inverse_all[axis]);
    }
  }
  HWY_INLINE hn::Mask<LaneTag> Enter(const float* HWY_RESTRICT sides, LaneV limit, LaneV& enter,
                                     LaneV& leave) const {
    const LaneTag d;
    LaneV to[3], past[3];
    for (int axis = 0; axis < 3; ++axis) {
      to[axis] = hn::Add(hn::Mul(hn::Load(d, sides + rows.near_row[axis]), inverse[axis]), near_t[axis]);
      past[axis] = hn::Add(hn::Mul(hn::Load(d, sides + rows.far_row[axis]), inverse[axis]), far_t[axis]);
    }
    return Within(to, past, limit, enter, leave);
  }
};

/// What triangles want to know of it.
struct LeafLanes {
  using Four = hn::Vec<BlockTag>;
  Four ox, oy, oz, sx, sy, back_along;
  std::size_t x_row, y_row, z_row;  // of a block's corner

  HWY_INLINE explicit LeafLanes(const ReadyRay& ray)
      : x_row(std::size_t{ray.kx()} * kBlockLanes),
        y_row(std::size_t{ray.ky()} * kBlockLanes),
        z_row(std::size_t{ray.kz} * kBlockLanes) {
    const BlockTag b;
    ox = hn::Set(b, ray.origin[ray.kx()]);
    oy = hn::Set(b, ray.origin[ray.ky()]);
    oz = hn::Set(b, ray.origin[ray.kz]);
    sx = hn::Set(b, ray.ratio[ray.kx()]);
    sy = hn::Set(b, ray.ratio[ray.ky()]);
    back_along = hn::Neg(hn::Set(b, ray.way[ray.kz]));
  }
};

}  // namespace juxta::shape_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
