// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: sixteen rays down the tree of triangles together. For kernel files only.
//
// Nodes see the sixteen as one: the least and the largest origin and inverse direction of each axis bound
// where any of them enters and leaves a box (interval arithmetic; Reshetov, Soupikov, Hurley, "Multi-level
// ray tracing algorithm", SIGGRAPH 2005). Rounding never exchanges two numbers, so that the bound holds for
// what each ray computes alone. Triangles whose boxes pass are then tested by sixteen rays at once, in the
// steps of hit_triangle().

#if defined(JUXTA_SHAPE_TRIANGLE_PACKET_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_SHAPE_TRIANGLE_PACKET_INL_H
#undef JUXTA_SHAPE_TRIANGLE_PACKET_INL_H
#else
#define JUXTA_SHAPE_TRIANGLE_PACKET_INL_H
#endif

#include <algorithm>
#include <cstddef>

#include "hwy/highway.h"
#include "shape/ray_columns-inl.h"
#include "shape/triangle_ray-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::shape_detail::HWY_NAMESPACE {

/// What they hit, or kNoTriangle and any t.
struct alignas(64) PacketHits {
  std::uint32_t number[kPacket], slot[kPacket];
  float best[kPacket];
};

/// Columns of what ReadyRay has, beside the given ones.
struct alignas(64) PacketRays {
  float near_origin[3][kPacket], far_origin[3][kPacket], inverse[3][kPacket];
  float sx[kPacket], sy[kPacket];
  std::uint32_t negative, kx, ky, kz;
  const RayColumns& given;
  PacketHits& hits;

  HWY_INLINE PacketRays(const RayColumns& rays, PacketHits& out) : given(rays), hits(out) {}
  /// False: not sound, or they run too far apart to be one.
  HWY_INLINE bool Ready(const Aabb3& bounds);

 private:
  HWY_INLINE void Prepare(const Aabb3& bounds);
};

HWY_INLINE float LeastOf(const float* row) {
  const RayTag d;
  auto v = hn::Load(d, row);
  for (std::uint32_t s = kRayStep; s < kPacket; s += kRayStep) {
    v = hn::Min(v, hn::Load(d, row + s));
  }
  return hn::GetLane(hn::MinOfLanes(d, v));
}
HWY_INLINE float MostOf(const float* row) {
  const RayTag d;
  auto v = hn::Load(d, row);
  for (std::uint32_t s = kRayStep; s < kPacket; s += kRayStep) {
    v = hn::Max(v, hn::Load(d, row + s));
  }
  return hn::GetLane(hn::MaxOfLanes(d, v));
}

HWY_INLINE bool PacketRays::Ready(const Aabb3& bounds) {
  // The first ray decides which way all have to run.
  const float way[3] = {given.direction[0][0], given.direction[1][0], given.direction[2][0]};
  kz = std::fabs(way[0]) >= std::fabs(way[1]) ? 0 : 1;
  kz = std::fabs(way[2]) > std::fabs(way[kz]) ? 2 : kz;
  kx = (kz + 1) % 3;
  ky = (kz + 2) % 3;
  negative = 0;
  bool one = true;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    negative |= (std::signbit(way[axis]) ? 1U : 0U) << axis;
  }
  const RayTag d;
  const hn::RebindToSigned<RayTag> signed_tag;
  const auto zero = hn::Zero(d), most = hn::Set(d, std::numeric_limits<float>::max());
  for (std::uint32_t s = 0; s < kPacket; s += kRayStep) {
    const auto x = hn::Load(d, given.direction[kx] + s), y = hn::Load(d, given.direction[ky] + s);
    const auto z = hn::Load(d, given.direction[kz] + s), length = hn::Abs(z);
    // make_ready() takes the first of equal lengths.
    const auto longer_x = kx < kz ? hn::Gt(length, hn::Abs(x)) : hn::Ge(length, hn::Abs(x));
    const auto longer_y = ky < kz ? hn::Gt(length, hn::Abs(y)) : hn::Ge(length, hn::Abs(y));
    auto sound = hn::And(hn::And(longer_x, longer_y), hn::Ge(hn::Load(d, given.max + s), zero));
    sound =
        hn::And(sound, hn::And(hn::Gt(length, hn::Set(d, 0x1p-30F)), hn::Lt(length, hn::Set(d, 0x1p30F))));
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      // -0 runs backwards, as make_ready() has it.
      const auto signs = hn::BitCast(signed_tag, hn::Load(d, given.direction[axis] + s));
      const auto back = hn::RebindMask(d, hn::Lt(signs, hn::Zero(signed_tag)));
      sound = hn::And(sound, hn::Le(hn::Abs(hn::Load(d, given.origin[axis] + s)), most));
      sound = hn::And(sound, (negative >> axis & 1) != 0 ? back : hn::Not(back));
    }
    hn::Store(hn::Div(x, z), d, sx + s);
    hn::Store(hn::Div(y, z), d, sy + s);
    hn::Store(hn::Load(d, given.max + s), d, hits.best + s);
    hn::Store(hn::Set(hn::RebindToUnsigned<RayTag>(), kNoTriangle), hn::RebindToUnsigned<RayTag>(),
              hits.number + s);
    one = one && hn::AllTrue(d, sound);
  }
  // Half of an eighth of their way apart, they would look into much that only some of them meet.
  if (!one || MostOf(sx) - LeastOf(sx) > 0.125F || MostOf(sy) - LeastOf(sy) > 0.125F) {
    return false;
  }
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    if (MostOf(given.origin[axis]) - LeastOf(given.origin[axis]) >
        (bounds.hi[axis] - bounds.lo[axis]) * 0.03F) {
      return false;
    }
  }
  Prepare(bounds);
  return true;
}

/// The steps of make_ready().
HWY_INLINE void PacketRays::Prepare(const Aabb3& bounds) {
  const RayTag d;
  for (std::uint32_t s = 0; s < kPacket; s += kRayStep) {
    auto reach = hn::Zero(d);
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const auto from = hn::Load(d, given.origin[axis] + s);
      const auto below = hn::Abs(hn::Sub(hn::Set(d, bounds.lo[axis]), from));
      const auto above = hn::Abs(hn::Sub(hn::Set(d, bounds.hi[axis]), from));
      reach = hn::Max(reach, hn::Max(below, above));
    }
    reach = hn::Mul(hn::Min(reach, hn::Set(d, 0x1p126F)), hn::Set(d, 0x1p-20F));
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const bool back = (negative >> axis & 1) != 0;
      const auto from = hn::Load(d, given.origin[axis] + s);
      const auto grow = hn::Add(reach, hn::Mul(hn::Abs(from), hn::Set(d, 0x1p-22F)));
      const auto step = hn::Max(hn::Abs(hn::Load(d, given.direction[axis] + s)), hn::Set(d, 0x1p-90F));
      const auto less = hn::Sub(from, grow), more = hn::Add(from, grow);
      hn::Store(hn::Div(hn::Set(d, back ? -1.0F : 1.0F), step), d, inverse[axis] + s);
      hn::Store(back ? less : more, d, near_origin[axis] + s);
      hn::Store(back ? more : less, d, far_origin[axis] + s);
    }
  }
}

/// What bounds them all: as NodeLanes does for one ray, for eight boxes.
struct PacketBounds {
  using V = hn::Vec<LaneTag>;
  V near_origin[3], far_origin[3], least[3], most[3];
  std::uint32_t near_row[3], far_row[3], negative;

  HWY_INLINE explicit PacketBounds(const PacketRays& rays) : negative(rays.negative) {
    const LaneTag d;
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const bool back = (negative >> axis & 1) != 0;
      near_row[axis] = (back ? axis + 3 : axis) * kTreeLanes;
      far_row[axis] = (back ? axis : axis + 3) * kTreeLanes;
      near_origin[axis] = hn::Set(d, back ? LeastOf(rays.near_origin[axis]) : MostOf(rays.near_origin[axis]));
      far_origin[axis] = hn::Set(d, back ? MostOf(rays.far_origin[axis]) : LeastOf(rays.far_origin[axis]));
      least[axis] = hn::Set(d, LeastOf(rays.inverse[axis]));
      most[axis] = hn::Set(d, MostOf(rays.inverse[axis]));
    }
  }
  /// `enter` of no ray is less, and of none that meets the box the answer is no.
  HWY_INLINE hn::Mask<LaneTag> Meet(const V (&near_side)[3], const V (&far_side)[3], V limit, V& enter,
                                    V& leave) const {
    enter = hn::Zero(LaneTag());
    leave = limit;
    for (int axis = 0; axis < 3; ++axis) {
      const auto to = hn::Sub(near_side[axis], near_origin[axis]);
      const auto past = hn::Sub(far_side[axis], far_origin[axis]);
      enter = hn::Max(enter, hn::Min(hn::Mul(to, least[axis]), hn::Mul(to, most[axis])));
      leave = hn::Min(leave, hn::Max(hn::Mul(past, least[axis]), hn::Mul(past, most[axis])));
    }
    return hn::Le(enter, leave);
  }
  HWY_INLINE hn::Mask<LaneTag> Enter(const float* HWY_RESTRICT rows, V limit, V& enter, V& leave) const {
    const LaneTag d;
    V near_side[3], far_side[3];
    for (int axis = 0; axis < 3; ++axis) {
      near_side[axis] = hn::Load(d, rows + near_row[axis]);
      far_side[axis] = hn::Load(d, rows + far_row[axis]);
    }
    return Meet(near_side, far_side, limit, enter, leave);
  }
  /// The triangles of a leaf whose boxes any may meet.
  HWY_INLINE std::uint32_t Triangles(const TriangleBlock* blocks, std::uint32_t count, float limit) const {
    const LaneTag d;
    std::uint32_t bits = 0;
    for (std::uint32_t s = 0; s < count; s += kLaneStep) {
      const TriangleBlock& first = blocks[s / kBlockLanes];
      const TriangleBlock& second = blocks[count > s + kBlockLanes ? s / kBlockLanes + 1 : s / kBlockLanes];
      V near_side[3], far_side[3], enter, leave;
      for (int axis = 0; axis < 3; ++axis) {
        const auto a = LoadTwo(first.corner[0][axis], second.corner[0][axis]);
        const auto b = LoadTwo(first.corner[1][axis], second.corner[1][axis]);
        const auto c = LoadTwo(first.corner[2][axis], second.corner[2][axis]);
        const auto lo = hn::Min(hn::Min(a, b), c), hi = hn::Max(hn::Max(a, b), c);
        const bool back = (negative >> axis & 1) != 0;
        near_side[axis] = back ? hi : lo;
        far_side[axis] = back ? lo : hi;
      }
      bits |= BitsOf(d, Meet(near_side, far_side, hn::Set(d, limit), enter, leave)) << s;
    }
    return bits & ((2U << (count - 1)) - 1);
  }
};

/// One triangle, sixteen rays.
class PacketTriangle {
 public:
  HWY_INLINE PacketTriangle(const TriangleTree& tree, std::uint32_t at, std::uint32_t lane,
                            const PacketRays& rays)
      : block_(tree.blocks[at]), lane_(lane), number_(block_.number[lane]), slot_(at * kBlockLanes + lane) {
    for (int i = 0; i < 3; ++i) {
      x_[i] = block_.corner[i][rays.kx][lane];
      y_[i] = block_.corner[i][rays.ky][lane];
      z_[i] = block_.corner[i][rays.kz][lane];
    }
  }
  HWY_INLINE void Improve(PacketRays& rays, const Aabb3& bounds) const {
    for (std::uint32_t s = 0; s < kPacket; s += kRayStep) {
      ImprovePart(rays, s, bounds);
    }
  }

 private:
  HWY_INLINE void ImprovePart(PacketRays& rays, std::uint32_t s, const Aabb3& bounds) const {
    const RayTag d;
    const auto zero = hn::Zero(d);
    const auto ox = hn::Load(d, rays.given.origin[rays.kx] + s),
               oy = hn::Load(d, rays.given.origin[rays.ky] + s);
    const auto oz = hn::Load(d, rays.given.origin[rays.kz] + s);
    const auto sx = hn::Load(d, rays.sx + s), sy = hn::Load(d, rays.sy + s);
    Rays x[3], y[3], z[3];
    for (int i = 0; i < 3; ++i) {
      z[i] = hn::Sub(hn::Set(d, z_[i]), oz);
      x[i] = hn::Sub(hn::Sub(hn::Set(d, x_[i]), ox), hn::Mul(sx, z[i]));
      y[i] = hn::Sub(hn::Sub(hn::Set(d, y_[i]), oy), hn::Mul(sy, z[i]));
    }
    const auto u = hn::Sub(hn::Mul(x[2], y[1]), hn::Mul(y[2], x[1]));
    const auto v = hn::Sub(hn::Mul(x[0], y[2]), hn::Mul(y[0], x[2]));
    const auto w = hn::Sub(hn::Mul(x[1], y[0]), hn::Mul(y[1], x[0]));
    const auto mixed =
        hn::And(hn::Lt(hn::Min(hn::Min(u, v), w), zero), hn::Gt(hn::Max(hn::Max(u, v), w), zero));
    if (hn::AllTrue(d, mixed)) {
      return;
    }
    const auto det = hn::Add(hn::Add(u, v), w);
    const auto sum = hn::Add(hn::Add(hn::Mul(u, z[0]), hn::Mul(v, z[1])), hn::Mul(w, z[2]));
    const auto size = hn::Abs(det);
    const auto safe =
        hn::And(hn::And(hn::Gt(size, hn::Set(d, kLeastDet)), hn::Lt(size, hn::Set(d, kMostDet))),
                hn::Le(hn::Abs(sum), hn::Set(d, kMostSum)));
    const auto t = hn::Div(sum, hn::Mul(det, hn::Load(d, rays.given.direction[rays.kz] + s)));
    auto good = hn::And(hn::Ge(t, zero), hn::Le(t, hn::Load(d, rays.hits.best + s)));
    good = hn::AndNot(mixed, hn::And(good, safe));
    Keep(rays, s, hn::Abs(t), good);
    const auto unsure = hn::AndNot(mixed, hn::Not(safe));
    if (HWY_UNLIKELY(!hn::AllFalse(d, unsure))) {
      Ask(rays, s, BitsOf(d, unsure), bounds);
    }
  }

  /// The triangle's own box, and the lowest number of equal t.
  HWY_INLINE void Keep(PacketRays& rays, std::uint32_t s, Rays t, hn::Mask<RayTag> good) const {
    const RayTag d;
    const hn::RebindToUnsigned<RayTag> w;
    if (hn::AllFalse(d, good)) {
      return;
    }
    auto enter = hn::Zero(d), leave = hn::Set(d, std::numeric_limits<float>::infinity());
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const float a = block_.corner[0][axis][lane_], b = block_.corner[1][axis][lane_];
      const float c = block_.corner[2][axis][lane_];
      const float lo = std::min(std::min(a, b), c), hi = std::max(std::max(a, b), c);
      const bool back = (rays.negative >> axis & 1) != 0;
      const auto inverse = hn::Load(d, rays.inverse[axis] + s);
      const auto to = hn::Sub(hn::Set(d, back ? hi : lo), hn::Load(d, rays.near_origin[axis] + s));
      const auto past = hn::Sub(hn::Set(d, back ? lo : hi), hn::Load(d, rays.far_origin[axis] + s));
      enter = hn::Max(enter, hn::Mul(to, inverse));
      leave = hn::Min(leave, hn::Mul(past, inverse));
    }
    const auto at = hn::IfThenElse(hn::Lt(t, enter), enter, t);
    const auto best = hn::Load(d, rays.hits.best + s);
    const auto number = hn::Load(w, rays.hits.number + s), own = hn::Set(w, number_);
    const auto lower = hn::And(hn::Eq(at, best), hn::RebindMask(d, hn::Lt(own, number)));
    const auto better = hn::And(hn::And(good, hn::Le(enter, leave)), hn::Or(hn::Lt(at, best), lower));
    hn::Store(hn::IfThenElse(better, at, best), d, rays.hits.best + s);
    hn::Store(hn::IfThenElse(hn::RebindMask(w, better), own, number), w, rays.hits.number + s);
    const auto slot = hn::Load(w, rays.hits.slot + s);
    hn::Store(hn::IfThenElse(hn::RebindMask(w, better), hn::Set(w, slot_), slot), w, rays.hits.slot + s);
  }

  HWY_NOINLINE void Ask(PacketRays& rays, std::uint32_t s, std::uint32_t bits, const Aabb3& bounds) const {
    const CornerView view{
        {block_.corner[0][0] + lane_, block_.corner[1][0] + lane_, block_.corner[2][0] + lane_}, kBlockLanes};
    for (; bits != 0; bits &= bits - 1) {
      const std::uint32_t i = s + LowestBitOf(bits);
      const float t = hit_triangle(make_ready(rays.given.At(i), bounds), view);
      if (t >= 0 && (t < rays.hits.best[i] || (t == rays.hits.best[i] && number_ < rays.hits.number[i]))) {
        rays.hits.best[i] = t;
        rays.hits.number[i] = number_;
        rays.hits.slot[i] = slot_;
      }
    }
  }

  const TriangleBlock& block_;
  std::uint32_t lane_, number_, slot_;
  float x_[3], y_[3], z_[3];
};

/// Whether sixteen rays that run side by side go down the tree together. They should not where triangles are
/// small beside them: then most of what one meets the others do not. The last packet tells about the next;
/// answers do not depend on it.
///
///   A node costs the sixteen 15 ns and a triangle 42; one after the other they take 14 ns for each node that
///   the packet meets, and each ray (six meshes of 13k to 300k triangles).
class PacketChoice {
 public:
  [[nodiscard]] HWY_INLINE bool Together() {
    if (apart_ == 0) {
      return true;
    }
    --apart_;
    return false;
  }
  HWY_INLINE void Learn(std::uint32_t nodes, std::uint32_t triangles) {
    apart_ = triangles > kTrianglesPerNode * nodes ? kRest : 0;
  }

 private:
  static constexpr std::uint32_t kTrianglesPerNode = 6, kRest = 7;
  std::uint32_t apart_ = 0;
};

/// Sixteen rays; false: they are for Search(), one by one.
HWY_INLINE bool SearchPacket(const TriangleTree& tree, const RayColumns& given, PacketChoice& choice,
                             PacketHits& hits) {
  PacketRays rays(given, hits);
  if (tree.nodes.empty() || !choice.Together() || !rays.Ready(tree.bounds)) {
    return false;
  }
  const PacketBounds bounds(rays);
  WaitingNodes waiting;
  float limit = MostOf(rays.hits.best);
  std::uint32_t nodes = 0, triangles = 0;
  for (std::uint32_t at = 0; at != WaitingNodes::kNone;) {
    if (!ChildWord::is_leaf(at)) {
      ++nodes;
      at = waiting.Next<false>(tree.nodes[at], bounds, limit);
      continue;
    }
    const std::uint32_t first = ChildWord::index(at);
    std::uint32_t bits = bounds.Triangles(tree.blocks.data() + first, ChildWord::count(at), limit);
    for (; bits != 0; bits &= bits - 1) {
      ++triangles;
      const std::uint32_t lane = LowestBitOf(bits);
      PacketTriangle(tree, first + lane / kBlockLanes, lane % kBlockLanes, rays).Improve(rays, tree.bounds);
    }
    limit = MostOf(rays.hits.best);
    at = waiting.Pop(limit);
  }
  choice.Learn(nodes, triangles);
  return true;
}

}  // namespace juxta::shape_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
