// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: how far triangles and boxes are from a NearCore at least. For kernel files only.
//
// Along any direction n, two sets are as far apart as their shadows on it: (least of one - most of the other)
// / |n| is no more than their distance, and if they overlap, no more than minus their depth. Which directions
// are tried is a matter of speed alone; errors are those of products of n and the corners, never those of n.

#if defined(JUXTA_SHAPE_TRIANGLE_NEAR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_SHAPE_TRIANGLE_NEAR_INL_H
#undef JUXTA_SHAPE_TRIANGLE_NEAR_INL_H
#else
#define JUXTA_SHAPE_TRIANGLE_NEAR_INL_H
#endif

#include <limits>

#include "core/simd/doubles-inl.h"
#include "core/simd/mask_bits-inl.h"
#include "hwy/highway.h"
#include "shape/triangle_near.h"
#include "shape/triangle_tree.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::shape_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using namespace core_detail::HWY_NAMESPACE;

/// Of all coordinates that take part: products of a direction and a corner are known to 2^-20 of it, what
/// counts as touching is 2^-19.
inline constexpr float kNearSlack = 0x1p-17F;
/// No sum of products of three is infinite below.
inline constexpr float kNearLargest = 0x1p40F;
/// Of the size: distances that are as exact need no further step.
inline constexpr float kKnown = 0x1p-5F;
/// Of the squares of a triangle's longest edge, multiplied: others are slivers, a thousandth as high as long.
inline constexpr float kThickTriangle = 1e-6F;
/// Shorter directions have lost bits.
inline constexpr float kShortest = 0x1p-100F;

template <class D>
struct Lanes3 {
  hn::Vec<D> x, y, z;
};
template <class D>
HWY_INLINE Lanes3<D> Difference(const Lanes3<D>& a, const Lanes3<D>& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
template <class D>
HWY_INLINE hn::Vec<D> Product(const Lanes3<D>& a, const Lanes3<D>& b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}
template <class D>
HWY_INLINE hn::Vec<D> Along(const Lanes3<D>& a, float x, float y, float z) {
  const D d;
  return hn::Add(hn::Add(hn::Mul(a.x, hn::Set(d, x)), hn::Mul(a.y, hn::Set(d, y))),
                 hn::Mul(a.z, hn::Set(d, z)));
}
template <class D>
HWY_INLINE Lanes3<D> Moved(const Lanes3<D>& from, const Lanes3<D>& way, hn::Vec<D> t) {
  return {hn::Add(from.x, hn::Mul(way.x, t)), hn::Add(from.y, hn::Mul(way.y, t)),
          hn::Add(from.z, hn::Mul(way.z, t))};
}
template <class D>
HWY_INLINE Lanes3<D> Chosen(hn::Mask<D> yes, const Lanes3<D>& a, const Lanes3<D>& b) {
  return {hn::IfThenElse(yes, a.x, b.x), hn::IfThenElse(yes, a.y, b.y), hn::IfThenElse(yes, a.z, b.z)};
}

/// A row of one block, or of two.
template <class D>
HWY_INLINE hn::Vec<D> LoadRow(D d, const TriangleBlock* blocks, int corner, int axis) {
  if constexpr (hn::MaxLanes(D()) == kBlockLanes) {
    return hn::Load(d, blocks->corner[corner][axis]);
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, hn::Load(half, blocks[1].corner[corner][axis]),
                       hn::Load(half, blocks[0].corner[corner][axis]));
  }
}

using BlockTag = hn::FixedTag<float, kBlockLanes>;
/// A whole leaf, where registers have so many lanes.
using LeafTag = hn::CappedTag<float, kTreeLanes>;

/// Triangles of one block, or of two, in the axes of the box.
template <class D>
class NearTriangles {
  using V = hn::Vec<D>;
  using V3 = Lanes3<D>;

 public:
  HWY_INLINE NearTriangles(const NearCore& core, const TriangleBlock* blocks) : core_(core) {
    const D d;
    auto weight = hn::Zero(d);
    for (int k = 0; k < 3; ++k) {
      const V3 off{hn::Sub(LoadRow(d, blocks, k, 0), hn::Set(d, core.origin[0])),
                   hn::Sub(LoadRow(d, blocks, k, 1), hn::Set(d, core.origin[1])),
                   hn::Sub(LoadRow(d, blocks, k, 2), hn::Set(d, core.origin[2]))};
      const V3 length{hn::Abs(off.x), hn::Abs(off.y), hn::Abs(off.z)};
      weight = hn::Max(weight, Along<D>(length, core.stretch[0], core.stretch[1], core.stretch[2]));
      corner_[k] = {hn::Add(Along<D>(off, core.turn[0][0], core.turn[0][1], core.turn[0][2]),
                            hn::Set(d, core.offset[0])),
                    hn::Add(Along<D>(off, core.turn[1][0], core.turn[1][1], core.turn[1][2]),
                            hn::Set(d, core.offset[1])),
                    hn::Add(Along<D>(off, core.turn[2][0], core.turn[2][1], core.turn[2][2]),
                            hn::Set(d, core.offset[2]))};
    }
    slack_ = hn::Add(hn::Mul(hn::Add(weight, hn::Set(d, core.size)), hn::Set(d, kNearSlack)),
                     hn::Set(d, core.slack));
    sound_ = hn::Lt(weight, hn::Set(d, kNearLargest));
    thick_ = met_ = hn::Lt(hn::Zero(d), hn::Zero(d));
    apart_ = Beside();
  }

  /// What the distance is at least; minus infinity: nothing is known.
  [[nodiscard]] HWY_INLINE V Least() const {
    const auto least = hn::Sub(apart_, slack_);
    const auto known = hn::And(sound_, hn::Or(thick_, hn::Gt(least, hn::Zero(D()))));
    return hn::IfThenElse(known, least, hn::Set(D(), -kInf));
  }
  /// Triangles that overlap the core for certain, or are within its radius.
  [[nodiscard]] HWY_INLINE hn::Mask<D> Met() const { return met_; }

  /// Along the triangles' normals, and at right angles to an edge of each.
  HWY_INLINE void TryFaces() {
    const D d;
    const V3 ab = Difference<D>(corner_[1], corner_[0]), ac = Difference<D>(corner_[2], corner_[0]);
    const V3 n{hn::Sub(hn::Mul(ab.y, ac.z), hn::Mul(ab.z, ac.y)),
               hn::Sub(hn::Mul(ab.z, ac.x), hn::Mul(ab.x, ac.z)),
               hn::Sub(hn::Mul(ab.x, ac.y), hn::Mul(ab.y, ac.x))};
    Try(n);
    const V3 bc = Difference<D>(corner_[2], corner_[1]);
    const auto longest = hn::Max(hn::Max(Product<D>(ab, ab), Product<D>(ac, ac)), Product<D>(bc, bc));
    const auto squared = hn::Max(Product<D>(n, n), hn::Set(d, 0));
    thick_ = hn::Gt(squared, hn::Max(hn::Mul(hn::Mul(longest, longest), hn::Set(d, kThickTriangle)),
                                     hn::Set(d, kShortest)));
  }
  /// Corners in the box, for cores that are one.
  HWY_INLINE void TryCorners() {
    met_ = hn::And(sound_, hn::Or(hn::Or(Inside(corner_[0]), Inside(corner_[1])), Inside(corner_[2])));
  }
  HWY_INLINE void TryEdges() {
    for (int k = 0; k < 3; ++k) {
      const V3 &p = corner_[k], &q = corner_[(k + 2) % 3];
      const V3 edge = Difference<D>(corner_[(k + 1) % 3], p);
      if ((core_.crossed & 1) != 0) {
        TryEdge(edge.y, edge.z, p.y, p.z, q.y, q.z, core_.half[1], core_.half[2]);
      }
      if ((core_.crossed & 2) != 0) {
        TryEdge(edge.z, edge.x, p.z, p.x, q.z, q.x, core_.half[2], core_.half[0]);
      }
      if ((core_.crossed & 4) != 0) {
        TryEdge(edge.x, edge.y, p.x, p.y, q.x, q.y, core_.half[0], core_.half[1]);
      }
    }
  }
  /// From a point of the box to one of the triangle that are near each other. Returns their distance: the
  /// core, if it is its box, is no farther. Ends as soon as more is of no use, given that `most` is asked
  /// for.
  HWY_INLINE V TryNearest(float most) {
    const D d;
    V3 on_box{hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    V3 on = NearestOf(on_box);
    auto far = hn::Zero(d);
    for (int step = 0; step < kBoxSteps; ++step) {
      on_box = Clamped(on);
      const V3 way = Difference<D>(on, on_box);
      const auto squared = Product<D>(way, way);
      far = hn::Add(hn::Sqrt(squared), slack_);
      Try(way);
      if (core_.crossed == 0 || Enough(far, most)) {
        break;
      }
      on = NearestOf(on_box);
    }
    met_ = hn::And(sound_, hn::Or(hn::Le(far, hn::Set(d, core_.touch)), Inside(on)));
    return hn::IfThenElse(sound_, far, hn::Set(d, kInf));
  }
  /// The same for the points of a hull: Gilbert's walk ("An iterative procedure", 1966), a few steps of it.
  HWY_INLINE V TryPoints(float most) {
    const D d;
    V3 on_hull{hn::Set(d, core_.inside[0]), hn::Set(d, core_.inside[1]), hn::Set(d, core_.inside[2])};
    V3 on = NearestOf(on_hull);
    auto far = hn::Zero(d);
    for (int step = 0;; ++step) {
      const V3 way = Difference<D>(on, on_hull);
      const auto squared = Product<D>(way, way);
      far = hn::Add(hn::Sqrt(squared), slack_);
      if (step == kSteps) {
        break;
      }
      V3 end = on_hull;
      auto reach = hn::Set(d, -kInf);
      for (std::uint32_t i = 0; i < core_.count; ++i) {
        const auto x = hn::Set(d, core_.points[0][i]), y = hn::Set(d, core_.points[1][i]),
                   z = hn::Set(d, core_.points[2][i]);
        const auto at = hn::Add(hn::Add(hn::Mul(way.x, x), hn::Mul(way.y, y)), hn::Mul(way.z, z));
        const auto farther = hn::Gt(at, reach);
        reach = hn::Max(reach, at);
        end = {hn::IfThenElse(farther, x, end.x), hn::IfThenElse(farther, y, end.y),
               hn::IfThenElse(farther, z, end.z)};
      }
      const auto a = Product<D>(corner_[0], way), b = Product<D>(corner_[1], way),
                 c = Product<D>(corner_[2], way);
      Take(hn::Sub(hn::Min(hn::Min(a, b), c), reach), squared);
      if (Enough(far, most)) {
        break;
      }
      const V3 edge = Difference<D>(end, on_hull);
      const auto length = hn::Max(Product<D>(edge, edge), hn::Set(d, kShortest));
      const auto t = hn::Div(Product<D>(way, edge), length);
      on_hull = Moved<D>(on_hull, edge, hn::Min(hn::Max(t, hn::Zero(d)), hn::Set(d, 1.0F)));
      on = NearestOf(on_hull);
    }
    return hn::IfThenElse(sound_, far, hn::Set(d, kInf));
  }
  /// Along the normals of a hull.
  HWY_INLINE void TrySides() {
    const D d;
    for (std::uint32_t i = 0; i < core_.side_count; ++i) {
      const float* side = core_.sides[i];
      const auto a = Along<D>(corner_[0], side[0], side[1], side[2]),
                 b = Along<D>(corner_[1], side[0], side[1], side[2]),
                 c = Along<D>(corner_[2], side[0], side[1], side[2]);
      apart_ = hn::Max(apart_, hn::Sub(hn::Min(hn::Min(a, b), c), hn::Set(d, side[3])));
    }
  }

 private:
  static constexpr int kBoxSteps = 3, kSteps = 3;

  /// Each triangle is too far, or its distance is known well.
  [[nodiscard]] HWY_INLINE bool Enough(V far, float most) const {
    const D d;
    const auto least = Least();
    const auto nearest = hn::Set(d, HWY_MIN(most, hn::GetLane(hn::MinOfLanes(d, far))));
    const auto known = hn::Lt(hn::Sub(far, hn::Max(least, hn::Zero(d))), hn::Set(d, core_.size * kKnown));
    return hn::AllTrue(d, hn::Or(hn::Gt(least, nearest), known));
  }

  /// By more than any error.
  [[nodiscard]] HWY_INLINE hn::Mask<D> Inside(const V3& p) const {
    const D d;
    const auto in = [&](V x, float half) { return hn::Le(hn::Add(hn::Abs(x), slack_), hn::Set(d, half)); };
    return hn::And(hn::And(in(p.x, core_.half[0]), in(p.y, core_.half[1])), in(p.z, core_.half[2]));
  }
  /// By the triangles' boxes.
  [[nodiscard]] HWY_INLINE V Beside() const {
    const D d;
    const auto gap = [&](V a, V b, V c, float half) {
      const auto least = hn::Min(hn::Min(a, b), c), most = hn::Max(hn::Max(a, b), c);
      return hn::Sub(hn::Max(least, hn::Neg(most)), hn::Set(d, half));
    };
    const V3 g{gap(corner_[0].x, corner_[1].x, corner_[2].x, core_.half[0]),
               gap(corner_[0].y, corner_[1].y, corner_[2].y, core_.half[1]),
               gap(corner_[0].z, corner_[1].z, corner_[2].z, core_.half[2])};
    const auto most = hn::Max(hn::Max(g.x, g.y), g.z), zero = hn::Zero(d);
    const V3 out{hn::Max(g.x, zero), hn::Max(g.y, zero), hn::Max(g.z, zero)};
    return hn::IfThenElse(hn::Gt(most, zero), hn::Sqrt(Product<D>(out, out)), most);
  }
  HWY_INLINE void Take(V apart, V squared) {
    const D d;
    const auto far = hn::Div(apart, hn::Sqrt(squared));
    apart_ = hn::IfThenElse(hn::Gt(squared, hn::Set(d, kShortest)), hn::Max(apart_, far), apart_);
  }
  HWY_INLINE void Try(const V3& n) {
    const D d;
    const auto a = Product<D>(corner_[0], n), b = Product<D>(corner_[1], n), c = Product<D>(corner_[2], n);
    const auto least = hn::Min(hn::Min(a, b), c), most = hn::Max(hn::Max(a, b), c);
    if (core_.count == 0) {
      const V3 size{hn::Abs(n.x), hn::Abs(n.y), hn::Abs(n.z)};
      const auto half = Along<D>(size, core_.half[0], core_.half[1], core_.half[2]);
      Take(hn::Sub(hn::Max(least, hn::Neg(most)), half), Product<D>(n, n));
      return;
    }
    auto low = hn::Set(d, kInf), high = hn::Set(d, -kInf);
    for (std::uint32_t i = 0; i < core_.count; ++i) {
      const auto at = Along<D>(n, core_.points[0][i], core_.points[1][i], core_.points[2][i]);
      low = hn::Min(low, at);
      high = hn::Max(high, at);
    }
    Take(hn::Max(hn::Sub(least, high), hn::Sub(low, most)), Product<D>(n, n));
  }
  /// An edge and an axis of the box, seen along that axis: u and v are the other two. p is on the edge, q the
  /// corner beside it.
  HWY_INLINE void TryEdge(V eu, V ev, V pu, V pv, V qu, V qv, float half_u, float half_v) {
    const D d;
    const auto a = hn::Sub(hn::Mul(pu, ev), hn::Mul(pv, eu)), b = hn::Sub(hn::Mul(qu, ev), hn::Mul(qv, eu));
    const auto half =
        hn::Add(hn::Mul(hn::Set(d, half_u), hn::Abs(ev)), hn::Mul(hn::Set(d, half_v), hn::Abs(eu)));
    Take(hn::Sub(hn::Max(hn::Min(a, b), hn::Neg(hn::Max(a, b))), half),
         hn::Add(hn::Mul(eu, eu), hn::Mul(ev, ev)));
  }
  [[nodiscard]] HWY_INLINE V3 Clamped(const V3& p) const {
    const D d;
    const auto clamp = [&](V x, float half) {
      return hn::Min(hn::Max(x, hn::Set(d, -half)), hn::Set(d, half));
    };
    return {clamp(p.x, core_.half[0]), clamp(p.y, core_.half[1]), clamp(p.z, core_.half[2])};
  }
  /// The triangles' points next to a point, about.
  [[nodiscard]] HWY_INLINE V3 NearestOf(const V3& p) const {
    const D d;
    V3 best = corner_[0];
    V3 off = Difference<D>(best, p);
    auto squared = Product<D>(off, off);
    for (int k = 0; k < 3; ++k) {
      const V3& from = corner_[k];
      const V3 edge = Difference<D>(corner_[(k + 1) % 3], from), to = Difference<D>(p, from);
      const auto length = hn::Max(Product<D>(edge, edge), hn::Set(d, kShortest));
      const auto t = hn::Min(hn::Max(hn::Div(Product<D>(to, edge), length), hn::Zero(d)), hn::Set(d, 1.0F));
      const V3 on = Moved<D>(from, edge, t);
      off = Difference<D>(on, p);
      const auto here = Product<D>(off, off);
      const auto nearer = hn::Lt(here, squared);
      squared = hn::Min(here, squared);
      best = Chosen<D>(nearer, on, best);
    }
    const V3 ab = Difference<D>(corner_[1], corner_[0]), ac = Difference<D>(corner_[2], corner_[0]);
    const V3 ap = Difference<D>(p, corner_[0]);
    const auto bb = Product<D>(ab, ab), bc = Product<D>(ab, ac), cc = Product<D>(ac, ac);
    const auto pb = Product<D>(ap, ab), pc = Product<D>(ap, ac);
    const auto whole = hn::Sub(hn::Mul(bb, cc), hn::Mul(bc, bc));
    const auto v = hn::Sub(hn::Mul(cc, pb), hn::Mul(bc, pc)), w = hn::Sub(hn::Mul(bb, pc), hn::Mul(bc, pb));
    const auto zero = hn::Zero(d);
    const auto inside = hn::And(hn::And(hn::Ge(v, zero), hn::Ge(w, zero)),
                                hn::And(hn::Le(hn::Add(v, w), whole), hn::Gt(whole, hn::Set(d, kShortest))));
    const auto part = hn::Div(hn::Set(d, 1.0F), hn::Max(whole, hn::Set(d, kShortest)));
    const V3 on = Moved<D>(Moved<D>(corner_[0], ab, hn::Mul(v, part)), ac, hn::Mul(w, part));
    return Chosen<D>(inside, on, best);
  }

  const NearCore& core_;
  V3 corner_[3];
  V slack_, apart_;
  hn::Mask<D> sound_, thick_, met_;
};

/// Which of a node's eight boxes are not farther than `most` for certain: bit i for lane i. least[i]: how far
/// it is at least.
HWY_INLINE std::uint32_t NearBoxes(const NearCore& core, const TriangleNode& node, float most,
                                   float* HWY_RESTRICT least) {
  const LeafTag d;
  constexpr std::uint32_t kStep = static_cast<std::uint32_t>(hn::MaxLanes(LeafTag()));
  std::uint32_t bits = 0;
  const auto half_of = hn::Set(d, 0.5F), zero = hn::Zero(d);
  for (std::uint32_t first = 0; first < kTreeLanes; first += kStep) {
    hn::Vec<LeafTag> middle[3], reach[3];
    auto weight = zero, beyond = hn::Set(d, -kInf);
    for (int axis = 0; axis < 3; ++axis) {
      const auto from = hn::Set(d, core.origin[axis]);
      const auto lo = hn::Sub(hn::Load(d, node.side[axis] + first), from);
      const auto hi = hn::Sub(hn::Load(d, node.side[axis + 3] + first), from);
      middle[axis] = hn::Mul(hn::Add(lo, hi), half_of);
      reach[axis] = hn::Mul(hn::Sub(hi, lo), half_of);
      weight = hn::Add(weight, hn::Mul(hn::Max(hn::Abs(lo), hn::Abs(hi)), hn::Set(d, core.stretch[axis])));
      // Of lengths of the mesh, in those of the common frame at least.
      const auto gap = hn::Sub(hn::Max(lo, hn::Neg(hi)), hn::Set(d, core.around[axis]));
      beyond = hn::Max(beyond, hn::Mul(gap, hn::Set(d, core.stretch[axis])));
    }
    const auto slack = hn::Add(hn::Mul(hn::Add(weight, hn::Set(d, core.size)), hn::Set(d, kNearSlack)),
                               hn::Set(d, core.slack));
    auto apart = hn::Set(d, -kInf), squared = zero;
    for (int i = 0; i < 3; ++i) {
      auto at = hn::Set(d, core.offset[i]), cover = hn::Set(d, core.half[i]);
      for (int j = 0; j < 3; ++j) {
        const auto turn = hn::Set(d, core.turn[i][j]);
        at = hn::Add(at, hn::Mul(turn, middle[j]));
        cover = hn::Add(cover, hn::Mul(hn::Abs(turn), reach[j]));
      }
      const auto gap = hn::Sub(hn::Abs(at), cover);
      const auto out = hn::Max(gap, zero);
      apart = hn::Max(apart, gap);
      squared = hn::Add(squared, hn::Mul(out, out));
    }
    apart = hn::Max(hn::IfThenElse(hn::Gt(apart, zero), hn::Sqrt(squared), apart), beyond);
    const auto known =
        hn::IfThenElse(hn::Lt(weight, hn::Set(d, kNearLargest)), hn::Sub(apart, slack), hn::Set(d, -kInf));
    hn::Store(known, d, least + first);
    const auto far = hn::Gt(known, hn::Set(d, most));
    const auto used = hn::Le(hn::Load(d, node.side[0] + first), hn::Load(d, node.side[3] + first));
    bits |= BitsOf(d, hn::AndNot(far, used)) << first;
  }
  return bits;
}

}  // namespace juxta::shape_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
