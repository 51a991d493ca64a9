// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: one ray down the tree of triangles. For kernel files only.

#if defined(JUXTA_SHAPE_TRIANGLE_RAY_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_SHAPE_TRIANGLE_RAY_INL_H
#undef JUXTA_SHAPE_TRIANGLE_RAY_INL_H
#else
#define JUXTA_SHAPE_TRIANGLE_RAY_INL_H
#endif

#include "core/simd/mask_bits-inl.h"
#include "hwy/highway.h"
#include "shape/triangle_ray.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using LaneTag = hn::CappedTag<float, kTreeLanes>;
/// Lanes of one register: 8 or 4.
inline constexpr std::uint32_t kLaneStep = static_cast<std::uint32_t>(hn::MaxLanes(LaneTag()));
inline constexpr std::uint32_t kNoTriangle = ~std::uint32_t{0};

HWY_INLINE std::uint32_t LowestBitOf(std::uint32_t bits) {
  return static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(bits));
}

/// Where the ray enters eight boxes; returns those it enters at or before `limit`.
HWY_INLINE std::uint32_t EnterNode(const TriangleNode& node, const ReadyRay& ray, float limit,
                                   float* HWY_RESTRICT enters) {
  const LaneTag d;
  std::uint32_t bits = 0;
  for (std::uint32_t s = 0; s < kTreeLanes; s += kLaneStep) {
    auto enter = hn::Zero(d), leave = hn::Set(d, limit);
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const std::uint32_t back = ray.negative >> axis & 1;
      const auto near_side = hn::Load(d, node.side[axis + 3 * back] + s);
      const auto far_side = hn::Load(d, node.side[axis + 3 - 3 * back] + s);
      const auto scale = hn::Set(d, ray.inverse[axis]);
      enter = hn::Max(enter, hn::Mul(hn::Sub(near_side, hn::Set(d, ray.near_origin[axis])), scale));
      leave = hn::Min(leave, hn::Mul(hn::Sub(far_side, hn::Set(d, ray.far_origin[axis])), scale));
    }
    hn::Store(enter, d, enters + s);
    bits |= BitsOf(d, hn::Le(enter, leave)) << s;
  }
  return bits;
}

/// Which triangles of a leaf the signs of the edges let through; the rest is for hit_triangle().
HWY_INLINE std::uint32_t PassEdges(const TriangleLeaf& leaf, const ReadyRay& ray) {
  const LaneTag d;
  const auto ox = hn::Set(d, ray.origin[ray.kx]), oy = hn::Set(d, ray.origin[ray.ky]);
  const auto oz = hn::Set(d, ray.origin[ray.kz]), sx = hn::Set(d, ray.sx), sy = hn::Set(d, ray.sy);
  const auto zero = hn::Zero(d);
  std::uint32_t bits = 0;
  for (std::uint32_t s = 0; s < kTreeLanes; s += kLaneStep) {
    hn::Vec<LaneTag> x[3], y[3];
    for (int corner = 0; corner < 3; ++corner) {
      const auto z = hn::Sub(hn::Load(d, leaf.corner[corner][ray.kz] + s), oz);
      x[corner] = hn::Sub(hn::Sub(hn::Load(d, leaf.corner[corner][ray.kx] + s), ox), hn::Mul(sx, z));
      y[corner] = hn::Sub(hn::Sub(hn::Load(d, leaf.corner[corner][ray.ky] + s), oy), hn::Mul(sy, z));
    }
    const auto u = hn::Sub(hn::Mul(x[2], y[1]), hn::Mul(y[2], x[1]));
    const auto v = hn::Sub(hn::Mul(x[0], y[2]), hn::Mul(y[0], x[2]));
    const auto w = hn::Sub(hn::Mul(x[1], y[0]), hn::Mul(y[1], x[0]));
    const auto below = hn::Or(hn::Or(hn::Lt(u, zero), hn::Lt(v, zero)), hn::Lt(w, zero));
    const auto above = hn::Or(hn::Or(hn::Gt(u, zero), hn::Gt(v, zero)), hn::Gt(w, zero));
    bits |= BitsOf(d, hn::And(below, above)) << s;
  }
  return ~bits & ((1U << kTreeLanes) - 1);
}

/// The nearest of a leaf's triangles, if it is nearer than the best so far.
HWY_INLINE bool Improve(const TriangleLeaf& leaf, std::uint32_t count, const ReadyRay& ray,
                        TriangleHit& best) {
  bool found = false;
  for (std::uint32_t bits = PassEdges(leaf, ray) & ((1U << count) - 1); bits != 0; bits &= bits - 1) {
    const std::uint32_t lane = LowestBitOf(bits);
    const CornerView view{{leaf.corner[0][0] + lane, leaf.corner[1][0] + lane, leaf.corner[2][0] + lane},
                          kTreeLanes};
    const float t = hit_triangle(ray, view);
    if (t >= 0 && (t < best.t || (t == best.t && leaf.number[lane] < best.triangle))) {
      best = {leaf.number[lane], t};
      found = true;
    }
  }
  return found;
}

template <bool kAny>
HWY_INLINE TriangleHit Search(const TriangleTree& tree, const ReadyRay& ray) {
  TriangleHit best;
  if (!ray.sound || tree.nodes.empty()) {
    return best;
  }
  best.t = ray.max;
  HWY_ALIGN float enters[kTreeLanes];
  struct Waiting {
    float enter;
    std::uint32_t child;
  };
  Waiting stack[kMostWaiting];
  std::uint32_t size = 0;
  stack[size++] = {0, 0};
  while (size != 0) {
    const Waiting at = stack[--size];
    if (at.enter > best.t) {
      continue;
    }
    if (ChildWord::is_leaf(at.child)) {
      if (Improve(tree.leaves[ChildWord::index(at.child)], ChildWord::count(at.child), ray, best) && kAny) {
        break;
      }
      continue;
    }
    const TriangleNode& node = tree.nodes[at.child];
    const std::uint32_t bits = EnterNode(node, ray, best.t, enters);
    std::uint32_t order = node.order[ray.negative];
    for (std::uint32_t i = kTreeLanes; i-- > 0;) {  // the nearest on top
      const std::uint32_t lane = order >> (3 * i) & 7;
      if ((bits >> lane & 1) != 0) {
        stack[size++] = {enters[lane], node.child[lane]};
      }
    }
  }
  return ray.answer(best);
}

}  // namespace juxta::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
