// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: one ray down the tree of triangles. For kernel files only.

#if defined(JUXTA_SHAPE_TRIANGLE_RAY_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_SHAPE_TRIANGLE_RAY_INL_H
#undef JUXTA_SHAPE_TRIANGLE_RAY_INL_H
#else
#define JUXTA_SHAPE_TRIANGLE_RAY_INL_H
#endif

#include <cmath>
#include <limits>

#include "core/simd/mask_bits-inl.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "shape/mesh_extent.h"
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
  hn::Store(hn::Div(hn::Set(d, 1), step), d, ready.inverse);
  hn::Store(origin, d, ready.origin);
  hn::Store(hn::Add(origin, grow), d, ready.near_origin);
  hn::Store(hn::Sub(origin, grow), d, ready.far_origin);
  ready.negative = BitsOf(di, hn::Lt(hn::BitCast(di, way), hn::Zero(di))) & 7;
  HWY_ALIGN float to[4];
  hn::Store(way, d, to);
  const float x = std::fabs(to[0]), y = std::fabs(to[1]), z = std::fabs(to[2]);
  ready.kz = z > (y > x ? y : x) ? 2 : (y > x ? 1 : 0);
  constexpr std::uint32_t kNext[] = {1, 2, 0, 1};
  ready.kx = kNext[ready.kz];
  ready.ky = kNext[ready.kz + 1];
  ready.along = to[ready.kz];
  ready.sx = to[ready.kx] / ready.along;
  ready.sy = to[ready.ky] / ready.along;
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

/// A ray in every lane.
struct RayLanes {
  using V = hn::Vec<LaneTag>;
  V near_origin[3], far_origin[3], inverse[3];
  hn::Vec<BlockTag> ox, oy, oz, sx, sy, along;
  std::uint32_t near_row[3], far_row[3];

  HWY_INLINE explicit RayLanes(const ReadyRay& ray) {
    const LaneTag d;
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const std::uint32_t back = ray.negative >> axis & 1;
      near_row[axis] = (axis + 3 * back) * kTreeLanes;
      far_row[axis] = (2 * axis + 3) * kTreeLanes - near_row[axis];
      near_origin[axis] = hn::Set(d, ray.near_origin[axis]);
      far_origin[axis] = hn::Set(d, ray.far_origin[axis]);
      inverse[axis] = hn::Set(d, ray.inverse[axis]);
    }
    const BlockTag b;
    ox = hn::Set(b, ray.origin[ray.kx]);
    oy = hn::Set(b, ray.origin[ray.ky]);
    oz = hn::Set(b, ray.origin[ray.kz]);
    sx = hn::Set(b, ray.sx);
    sy = hn::Set(b, ray.sy);
    along = hn::Set(b, ray.along);
  }

  /// Where the ray enters the boxes of one register, and whether at or before `limit`.
  HWY_INLINE hn::Mask<LaneTag> Enter(const float* HWY_RESTRICT rows, V limit, V& enter) const {
    const LaneTag d;
    enter = hn::Zero(d);
    auto leave = limit;
    for (int axis = 0; axis < 3; ++axis) {
      enter = hn::Max(enter,
                      hn::Mul(hn::Sub(hn::Load(d, rows + near_row[axis]), near_origin[axis]), inverse[axis]));
      leave = hn::Min(leave,
                      hn::Mul(hn::Sub(hn::Load(d, rows + far_row[axis]), far_origin[axis]), inverse[axis]));
    }
    return hn::Le(enter, leave);
  }
};

/// Nodes still to be looked into, the nearest on top.
class WaitingNodes {
 public:
  static constexpr std::uint32_t kNone = 0x7FFFFFFF;  // no child has this word

  WaitingNodes() {
    enter_[0] = 0;
    child_[0] = kNone;
  }
  /// The next one that the ray enters at or before `limit`; kNone at the end.
  HWY_INLINE std::uint32_t Pop(float limit) {
    for (;;) {
      --size_;
      if (HWY_LIKELY(enter_[size_] <= limit)) {
        return child_[size_];
      }
    }
  }

  /// Of the children that the ray enters, returns the nearest and keeps the others; without any: pops.
  template <class Lanes>
  HWY_INLINE std::uint32_t Next(const TriangleNode& node, std::uint32_t octant, const Lanes& lanes,
                                float limit) {
    const LaneTag d;
    HWY_ALIGN float enters[kTreeLanes];
    std::uint32_t bits = 0;
    for (std::uint32_t s = 0; s < kTreeLanes; s += kLaneStep) {
      RayLanes::V enter;
      bits |= BitsOf(d, lanes.Enter(node.side[0] + s, hn::Set(d, limit), enter)) << s;
      hn::Store(enter, d, enters + s);
    }
    if (bits == 0) {
      return Pop(limit);
    }
    // One is the rule, two are not rare.
    const std::uint32_t first = LowestBitOf(bits);
    bits &= bits - 1;
    if (bits == 0) {
      return node.child[first];
    }
    const std::uint32_t second = LowestBitOf(bits);
    bits &= bits - 1;
    if (bits == 0) {
      const bool swap = enters[second] < enters[first];
      const std::uint32_t far = swap ? first : second;
      enter_[size_] = enters[far];
      child_[size_] = node.child[far];
      ++size_;
      return node.child[swap ? second : first];
    }
    bits |= 1U << first | 1U << second;
    const std::uint32_t order = node.order[octant];
    for (std::uint32_t i = 0; i < kTreeLanes; ++i) {
      const std::uint32_t lane = order >> (3 * i) & 7;
      enter_[size_] = enters[lane];
      child_[size_] = node.child[lane];
      size_ += bits >> lane & 1;
    }
    return child_[--size_];
  }

 private:
  float enter_[kMostWaiting + kTreeLanes];
  std::uint32_t child_[kMostWaiting + kTreeLanes];
  std::uint32_t size_ = 1;
};

/// clamp_to_box() without branches: which side of a box is the near one, no predictor knows of rays without
/// order.
HWY_INLINE float ClampToBox(const ReadyRay& ray, const TriangleBlock& block, std::uint32_t lane, float t) {
  const XyzTag d;
  const hn::RebindToUnsigned<XyzTag> w;
  const auto corner = [&](int i) {
    return GatherXyz(block.corner[i][0][lane], block.corner[i][1][lane], block.corner[i][2][lane]);
  };
  const auto a = corner(0), b = corner(1), c = corner(2);
  const auto lo = hn::Min(hn::Min(a, b), c), hi = hn::Max(hn::Max(a, b), c);
  HWY_ALIGN static constexpr std::uint32_t kBit[4] = {1, 2, 4, 0}, kThree[4] = {1, 1, 1, 0};
  const auto three = hn::RebindMask(d, hn::Ne(hn::Load(w, kThree), hn::Zero(w)));
  const auto back =
      hn::RebindMask(d, hn::Ne(hn::And(hn::Set(w, ray.negative), hn::Load(w, kBit)), hn::Zero(w)));
  const auto inverse = hn::Load(d, ray.inverse);
  const auto enters = hn::Mul(hn::Sub(hn::IfThenElse(back, hi, lo), hn::Load(d, ray.near_origin)), inverse);
  const auto leaves = hn::Mul(hn::Sub(hn::IfThenElse(back, lo, hi), hn::Load(d, ray.far_origin)), inverse);
  const auto enter = hn::MaxOfLanes(d, hn::Max(hn::IfThenElseZero(three, enters), hn::Zero(d)));
  const auto leave = hn::MinOfLanes(d, hn::IfThenElse(three, leaves, hn::Set(d, kInf)));
  const auto at = hn::Max(hn::Abs(hn::Set(d, t)), enter);
  return hn::GetLane(hn::IfThenElse(hn::Le(enter, leave), at, hn::Set(d, -1.0F)));
}

/// The nearest of up to four triangles, if it is nearer than the best so far.
HWY_INLINE bool ImproveByBlock(const TriangleTree& tree, std::uint32_t number, std::uint32_t padding,
                               const ReadyRay& ray, const RayLanes& lanes, TriangleHit& best) {
  const TriangleBlock& block = tree.blocks[number];
  constexpr std::uint32_t kAll = (1U << kBlockLanes) - 1;
  const BlockTag d;
  const auto zero = hn::Zero(d);
  hn::Vec<BlockTag> x[3], y[3], z[3];
  for (int corner = 0; corner < 3; ++corner) {
    z[corner] = hn::Sub(hn::Load(d, block.corner[corner][ray.kz]), lanes.oz);
    x[corner] =
        hn::Sub(hn::Sub(hn::Load(d, block.corner[corner][ray.kx]), lanes.ox), hn::Mul(lanes.sx, z[corner]));
    y[corner] =
        hn::Sub(hn::Sub(hn::Load(d, block.corner[corner][ray.ky]), lanes.oy), hn::Mul(lanes.sy, z[corner]));
  }
  const auto u = hn::Sub(hn::Mul(x[2], y[1]), hn::Mul(y[2], x[1]));
  const auto v = hn::Sub(hn::Mul(x[0], y[2]), hn::Mul(y[0], x[2]));
  const auto w = hn::Sub(hn::Mul(x[1], y[0]), hn::Mul(y[1], x[0]));
  // NaN: either answer will do, since such a triangle is not safe below, or has two signs without it.
  const auto below = hn::Lt(hn::Min(hn::Min(u, v), w), zero);
  const auto above = hn::Gt(hn::Max(hn::Max(u, v), w), zero);
  const std::uint32_t mixed = BitsOf(d, hn::And(below, above)) | padding;
  if (HWY_LIKELY(mixed == kAll)) {
    return false;
  }
  // Most that pass lie behind, or beyond what is known already. What floats cannot tell is kept.
  const auto det = hn::Add(hn::Add(u, v), w);
  const auto sum = hn::Add(hn::Add(hn::Mul(u, z[0]), hn::Mul(v, z[1])), hn::Mul(w, z[2]));
  const auto size = hn::Abs(det);
  const auto safe = hn::And(hn::And(hn::Gt(size, hn::Set(d, kLeastDet)), hn::Lt(size, hn::Set(d, kMostDet))),
                            hn::Le(hn::Abs(sum), hn::Set(d, kMostSum)));
  const auto t = hn::Div(sum, hn::Mul(det, lanes.along));
  const auto near_enough = hn::And(hn::Ge(t, zero), hn::Le(t, hn::Set(d, best.t)));
  const std::uint32_t safe_bits = BitsOf(d, safe);
  std::uint32_t bits = ~mixed & (BitsOf(d, near_enough) | ~safe_bits) & kAll;
  if (bits == 0) {
    return false;
  }
  bool found = false;
  HWY_ALIGN float ts[kBlockLanes];
  hn::Store(t, d, ts);
  for (; bits != 0; bits &= bits - 1) {
    const std::uint32_t lane = LowestBitOf(bits);
    const CornerView view{{block.corner[0][0] + lane, block.corner[1][0] + lane, block.corner[2][0] + lane},
                          kBlockLanes};
    const float at = HWY_LIKELY((safe_bits >> lane & 1) != 0) ? ClampToBox(ray, block, lane, ts[lane])
                                                              : hit_triangle(ray, view);
    if (at >= 0 && (at < best.t || (at == best.t && block.number[lane] < best.triangle))) {
      best = {block.number[lane], at, number * kBlockLanes + lane};
      found = true;
    }
  }
  return found;
}

/// The nearest of a leaf's triangles, if it is nearer than the best so far.
HWY_INLINE bool Improve(const TriangleTree& tree, std::uint32_t child, const ReadyRay& ray,
                        const RayLanes& lanes, TriangleHit& best) {
  const std::uint32_t first = ChildWord::index(child);
  const std::uint32_t unused = 0xFF00U >> (kTreeLanes - ChildWord::count(child)) & 0xFF;
  bool found = ImproveByBlock(tree, first, unused & 0xF, ray, lanes, best);
  if (unused >> kBlockLanes != 0xF) {
    found = ImproveByBlock(tree, first + 1, unused >> kBlockLanes, ray, lanes, best) || found;
  }
  return found;
}

/// Four lanes and four more, where a register holds them.
HWY_INLINE hn::Vec<LaneTag> LoadTwo(const float* HWY_RESTRICT first, const float* HWY_RESTRICT second) {
#if HWY_MAX_BYTES == 16
  (void)second;
  return hn::Load(LaneTag(), first);
#else
  return hn::Combine(LaneTag(), hn::Load(BlockTag(), second), hn::Load(BlockTag(), first));
#endif
}

/// Asks for all lines of a node or leaf.
HWY_INLINE void Fetch(const TriangleTree& tree, std::uint32_t child) {
  const bool leaf = ChildWord::is_leaf(child);
  const char* at = leaf ? reinterpret_cast<const char*>(tree.blocks.data() + ChildWord::index(child))
                        : reinterpret_cast<const char*>(tree.nodes.data() + child);
  for (std::size_t line = 0; line < sizeof(TriangleNode); line += 64) {
    hwy::Prefetch(at + line);
  }
  hwy::Prefetch(at + (leaf ? 2 * sizeof(TriangleBlock) - 64 : 0));
}

template <bool kAny>
HWY_INLINE TriangleHit Search(const TriangleTree& tree, const ReadyRay& ray) {
  TriangleHit best;
  if (!ray.sound || tree.nodes.empty()) {
    return best;
  }
  best.t = ray.max;
  const RayLanes lanes(ray);
  WaitingNodes waiting;
  for (std::uint32_t at = 0; at != WaitingNodes::kNone;) {
    if (!ChildWord::is_leaf(at)) {
      at = waiting.Next(tree.nodes[at], ray.negative, lanes, best.t);
      continue;
    }
    if (Improve(tree, at, ray, lanes, best) && kAny) {
      break;
    }
    at = waiting.Pop(best.t);
  }
  return ray.answer(best);
}

inline constexpr std::size_t kCrowd = 8;

/// Up to kCrowd rays that have nothing in common: each takes a step in turn, and while the others take
/// theirs, what it reads next is on its way through the caches.
HWY_INLINE void SearchCrowd(const TriangleTree& tree, const Ray3* rays, std::size_t count, TriangleHit* out) {
  struct One {
    ReadyRay ray;
    TriangleHit best;
    std::uint32_t at = 0;
    WaitingNodes waiting;
  };
  One ones[kCrowd];
  std::size_t live[kCrowd], left = 0;
  for (std::size_t i = 0; i < count; ++i) {
    MakeReady(rays[i], tree.bounds, ones[i].ray);
    out[i] = {};
    if (ones[i].ray.sound && !tree.nodes.empty()) {
      ones[i].best.t = ones[i].ray.max;
      live[left++] = i;
    }
  }
  while (left != 0) {
    for (std::size_t k = 0; k < left;) {
      One& one = ones[live[k]];
      const RayLanes lanes(one.ray);
      if (!ChildWord::is_leaf(one.at)) {
        one.at = one.waiting.Next(tree.nodes[one.at], one.ray.negative, lanes, one.best.t);
      } else {
        (void)Improve(tree, one.at, one.ray, lanes, one.best);
        one.at = one.waiting.Pop(one.best.t);
      }
      if (one.at == WaitingNodes::kNone) {
        out[live[k]] = one.ray.answer(one.best);
        live[k] = live[--left];
        continue;
      }
      Fetch(tree, one.at);
      ++k;
    }
  }
}

/// Rays that do not run side by side.
HWY_INLINE void SearchApart(const TriangleTree& tree, const Ray3* rays, std::size_t count, TriangleHit* out) {
  // Taking turns pays where reading waits: up to a quarter for trees that no near cache holds; with 4 MB it
  // costs a tenth.
  if (tree.blocks.size() * sizeof(TriangleBlock) > kTurnsFromBytes) {
    for (std::size_t i = 0; i < count; i += kCrowd) {
      SearchCrowd(tree, rays + i, HWY_MIN(kCrowd, count - i), out + i);
    }
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    ReadyRay ready;
    MakeReady(rays[i], tree.bounds, ready);
    out[i] = Search<false>(tree, ready);
  }
}

}  // namespace juxta::shape_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
