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

#include "core/simd/compress-inl.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "shape/triangle_lanes-inl.h"
#include "shape/triangle_ray.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::shape_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Whether an instruction moves lanes of a mask together. Without it, Highway's table takes longer than eight
/// lanes one by one.
inline constexpr bool kCompresses = HWY_TARGET <= HWY_AVX3;

/// Nodes still to be looked into, the nearest on top.
class WaitingNodes {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};  // a leaf, but no child has this word

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
  /// `kFewBranches`: one child is treated as several are. Faster for rays without order, slower for those of
  /// a camera, where a branch is mostly predicted.
  template <bool kFewBranches, class Lanes>
  HWY_INLINE std::uint32_t Next(const TriangleNode& node, const Lanes& lanes, float limit) {
    const LaneTag d;
    HWY_ALIGN float enters[kTreeLanes];
    std::uint32_t bits = 0;
    LaneV enter, leave;
    for (std::uint32_t s = 0; s < kTreeLanes; s += kLaneStep) {
      bits |= BitsOf(d, lanes.Enter(node.side[0] + s, hn::Set(d, limit), enter, leave)) << s;
      hn::Store(enter, d, enters + s);
    }
    if (bits == 0) {
      return Pop(limit);
    }
    const std::uint32_t first = LowestBitOf(bits), others = bits & (bits - 1);
    if ((!kFewBranches || !kCompresses) && others == 0) {
      return node.child[first];
    }
    const std::uint32_t order = node.order[lanes.negative];
    if constexpr (kCompresses) {
      return KeepSorted(node, order, bits, enter, leave);
    }
    const std::uint32_t second = LowestBitOf(others);
    if ((others & (others - 1)) == 0) {
      const bool swap = enters[second] < enters[first];
      const std::uint32_t far = swap ? first : second;
      enter_[size_] = enters[far];
      child_[size_] = node.child[far];
      ++size_;
      return node.child[swap ? second : first];
    }
    KeepSorted(node, order, bits, enters);
    return child_[--size_];
  }

 private:
  /// The children of `bits`, farthest first, as node.order has them.
  HWY_INLINE void KeepSorted(const TriangleNode& node, std::uint32_t order, std::uint32_t bits,
                             const float (&enters)[kTreeLanes]) {
    for (std::uint32_t i = 0; i < kTreeLanes; ++i) {
      const std::uint32_t lane = order >> (3 * i) & 7;
      enter_[size_] = enters[lane];
      child_[size_] = node.child[lane];
      size_ += bits >> lane & 1;
    }
  }
  /// The same in one register, but for the nearest, which it returns. All eight are put in order before it is
  /// known which of them the ray enters: so nothing but that comparison lies between the boxes and the child.
  HWY_INLINE std::uint32_t KeepSorted(const TriangleNode& node, std::uint32_t order, std::uint32_t bits,
                                      LaneV enter, LaneV leave) {
    const LaneTag d;
    const hn::RebindToUnsigned<LaneTag> w;
    HWY_ALIGN static constexpr std::uint32_t kThrees[kTreeLanes] = {0, 3, 6, 9, 12, 15, 18, 21};
    const auto lane = hn::And(hn::Shr(hn::Set(w, order), hn::Load(w, kThrees)), hn::Set(w, 7));
    const auto child = hn::TableLookupLanes(hn::Load(w, node.child), hn::IndicesFromVec(w, lane));
    HWY_ALIGN std::uint32_t children[kTreeLanes];
    hn::Store(child, w, children);
    enter = hn::TableLookupLanes(enter, hn::IndicesFromVec(d, lane));
    leave = hn::TableLookupLanes(leave, hn::IndicesFromVec(d, lane));
    const auto in = hn::Le(enter, leave);
    hn::StoreU(hn::Compress(enter, in), d, enter_ + size_);
    hn::StoreU(hn::Compress(child, hn::RebindMask(w, in)), w, child_ + size_);
    size_ += static_cast<std::uint32_t>(hwy::PopCount(bits)) - 1;
    return children[31 - hwy::Num0BitsAboveMS1Bit_Nonzero32(BitsOf(d, in))];
  }

  float enter_[kMostWaiting + kTreeLanes];
  std::uint32_t child_[kMostWaiting + kTreeLanes];
  std::uint32_t size_ = 1;
};

/// clamp_to_box() of four triangles, without branches: which side of a box is the near one, no predictor
/// knows of rays without order.
HWY_INLINE LeafLanes::Four ClampToBoxes(const ReadyRay& ray, const TriangleBlock& block, LeafLanes::Four t) {
  const BlockTag d;
  auto enter = hn::Zero(d), leave = hn::Set(d, kInf);
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = hn::Load(d, block.corner[0][axis]), b = hn::Load(d, block.corner[1][axis]);
    const auto c = hn::Load(d, block.corner[2][axis]);
    const auto lo = hn::Min(hn::Min(a, b), c), hi = hn::Max(hn::Max(a, b), c);
    const auto back = hn::Set(d, ray.back[axis]);
    const auto near_side = hn::IfNegativeThenElse(back, lo, hi);
    const auto far_side = hn::IfNegativeThenElse(back, hi, lo);
    enter = hn::Max(enter, hn::Mul(hn::Sub(hn::Set(d, ray.near_origin[axis]), near_side), back));
    leave = hn::Min(leave, hn::Mul(hn::Sub(hn::Set(d, ray.far_origin[axis]), far_side), back));
  }
  return hn::IfThenElse(hn::Le(enter, leave), hn::Max(enter, hn::Abs(t)), hn::Set(d, -1.0F));
}

HWY_INLINE bool IsNearer(float t, std::uint32_t triangle, const TriangleHit& best) {
  return t < best.t || (t == best.t && triangle < best.triangle);
}

/// What floats cannot tell of the triangles of `bits`.
HWY_NOINLINE inline TriangleHit NearestExactly(const ReadyRay& ray, const TriangleBlock& block,
                                               std::uint32_t slot, std::uint32_t bits, TriangleHit best) {
  for (; bits != 0; bits &= bits - 1) {
    const std::uint32_t lane = LowestBitOf(bits);
    const CornerView view{{block.corner[0][0] + lane, block.corner[1][0] + lane, block.corner[2][0] + lane},
                          kBlockLanes};
    const float t = hit_triangle(ray, view);
    if (t >= 0 && IsNearer(t, block.number[lane], best)) {
      best = {block.number[lane], t, slot + lane};
    }
  }
  return best;
}

/// The nearest of up to four triangles, if it is nearer than the best so far.
HWY_INLINE bool ImproveByBlock(const TriangleTree& tree, std::uint32_t number, std::uint32_t padding,
                               const ReadyRay& ray, const LeafLanes& lanes, TriangleHit& best) {
  const TriangleBlock& block = tree.blocks[number];
  constexpr std::uint32_t kAll = (1U << kBlockLanes) - 1;
  const BlockTag d;
  const auto zero = hn::Zero(d);
  LeafLanes::Four x[3], y[3], z[3];  // with their other sign
  for (int i = 0; i < 3; ++i) {
    const float* corner = block.corner[i][0];
    z[i] = hn::Sub(lanes.oz, hn::Load(d, corner + lanes.z_row));
    x[i] = hn::Sub(hn::Sub(lanes.ox, hn::Load(d, corner + lanes.x_row)), hn::Mul(lanes.sx, z[i]));
    y[i] = hn::Sub(hn::Sub(lanes.oy, hn::Load(d, corner + lanes.y_row)), hn::Mul(lanes.sy, z[i]));
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
  const auto t = hn::Div(sum, hn::Mul(det, lanes.back_along));
  const auto near_enough = hn::And(hn::Ge(t, zero), hn::Le(t, hn::Set(d, best.t)));
  const std::uint32_t safe_bits = BitsOf(d, safe);
  const std::uint32_t before = best.triangle;
  if (HWY_UNLIKELY((~mixed & ~safe_bits & kAll) != 0)) {
    best = NearestExactly(ray, block, number * kBlockLanes, ~mixed & ~safe_bits & kAll, best);
  }
  std::uint32_t bits = ~mixed & safe_bits & BitsOf(d, near_enough);
  if (bits == 0) {
    return best.triangle != before;
  }
  HWY_ALIGN float ts[kBlockLanes];
  const auto at = ClampToBoxes(ray, block, t);
  hn::Store(at, d, ts);
  for (bits &= BitsOf(d, hn::Ge(at, zero)); bits != 0; bits &= bits - 1) {
    const std::uint32_t lane = LowestBitOf(bits);
    if (IsNearer(ts[lane], block.number[lane], best)) {
      best = {block.number[lane], ts[lane], number * kBlockLanes + lane};
    }
  }
  return best.triangle != before;
}

/// The nearest of a leaf's triangles, if it is nearer than the best so far.
HWY_INLINE bool Improve(const TriangleTree& tree, std::uint32_t child, const ReadyRay& ray,
                        const LeafLanes& lanes, TriangleHit& best) {
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

/// Nodes and triangles may count t in different lengths: `limit` is where nodes end at first, in theirs, and
/// `scale` makes a triangle's t one of theirs, or a larger one.
template <bool kAny, bool kFewBranches, class Lanes>
HWY_INLINE TriangleHit Search(const TriangleTree& tree, const ReadyRay& ray, const Lanes& nodes, float limit,
                              float scale) {
  TriangleHit best;
  if (!ray.sound || tree.nodes.empty()) {
    return best;
  }
  best.t = ray.max;
  const LeafLanes lanes(ray);
  WaitingNodes waiting;
  for (std::uint32_t at = 0;;) {
    if (!ChildWord::is_leaf(at)) {
      at = waiting.Next<kFewBranches>(tree.nodes[at], nodes, limit);
      continue;
    }
    if (at == WaitingNodes::kNone || (Improve(tree, at, ray, lanes, best) && kAny)) {
      return ray.answer(best);
    }
    limit = HWY_MIN(limit, best.t * scale);  // not only when it has changed: that would be a branch
    at = waiting.Pop(limit);
  }
}
template <bool kAny, bool kFewBranches = kAny>
HWY_INLINE TriangleHit Search(const TriangleTree& tree, const ReadyRay& ray) {
  return ray.sound ? Search<kAny, kFewBranches>(tree, ray, NodeLanes(ray), ray.max, 1) : TriangleHit();
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
      if (!ChildWord::is_leaf(one.at)) {
        one.at = one.waiting.Next<true>(tree.nodes[one.at], NodeLanes(one.ray), one.best.t);
      } else {
        (void)Improve(tree, one.at, one.ray, LeafLanes(one.ray), one.best);
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
  // Taking turns pays where reading waits: a tenth of the time with 4 MB, a quarter with 20. Where the next
  // cache holds the tree, it costs a tenth.
  if (tree.blocks.size() * sizeof(TriangleBlock) > kTurnsFromBytes) {
    for (std::size_t i = 0; i < count; i += kCrowd) {
      SearchCrowd(tree, rays + i, HWY_MIN(kCrowd, count - i), out + i);
    }
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    ReadyRay ready;
    MakeReady(rays[i], tree.bounds, ready);
    out[i] = Search<false, true>(tree, ready);
  }
}

}  // namespace juxta::shape_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
