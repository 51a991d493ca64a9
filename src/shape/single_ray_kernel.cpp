// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One ray against one mesh that stands somewhere: what gameplay code asks.
//
//   place     o, d of the world -> from, way of the mesh: doubles, a lane each for x, y and z
//   pass by   an axis between the line and the box: floats with slack; most misses end here
//   search    down the tree: triangle_ray-inl.h. Nodes see the ray as given, triangles with length 1
//   finish    t by the triangle's plane, point, normal: doubles
//
// Work:         to place a ray 6 products and 4 sums of four lanes; to pass by some 30 instructions; to get
//               ready 2 roots and divisions in doubles, 3 divisions in floats; to finish it as much again.
// Limit:        for a ray that passes by, its 90 instructions. For others what waits for something: each node
//               for the one above it, and the first triangles for a root and two divisions; and branches that
//               nothing foretells (docs/decisions/0058).
// Determinism:  the steps of make_mesh_ray(), make_ready() and finish_mesh_ray(), in their order, never
//               fused; passing by only leaves out what the tree would not meet.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "shape/mesh_ray.h"
#include "shape/triangle_tree.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/shape/single_ray_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "shape/triangle_ray-inl.h"
#include "shape/xyz-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::shape_detail::HWY_NAMESPACE {

/// Nothing turned, nothing stretched. Where `at` was just written in parts this load has to wait, but nothing
/// waits for its answer: it is foretold.
HWY_INLINE bool IsStraight(const Qvvs& at) {
  static_assert(sizeof(at.rotation) == 16 && offsetof(Qvvs, scale) == offsetof(Qvvs, stretch) + 12);
  const hn::RebindToUnsigned<XyzTag> w;  // bits: those of -0 are not those of 0
  HWY_ALIGN static constexpr float kNoTurn[4] = {0, 0, 0, 1};
  const auto bits = [w](hn::Vec<XyzTag> v) { return hn::BitCast(w, v); };
  const XyzTag d;
  const auto turn = hn::Xor(bits(hn::LoadU(d, &at.rotation.x)), bits(hn::Load(d, kNoTurn)));
  const auto stretch = hn::Xor(bits(hn::LoadU(d, &at.stretch.x)), bits(hn::Set(d, 1)));
  return hn::AllTrue(w, hn::Eq(hn::Or(turn, stretch), hn::Zero(w)));
}

/// A Frame by rows, for rays; without rotation and stretch there is nothing to compute.
class RayPlace {
 public:
  RayPlace() = default;
  RayPlace(const RayPlace&) = delete;
  RayPlace& operator=(const RayPlace&) = delete;

  HWY_INLINE void SetStraight() {
    rows_ = kStraight;
    stretched_ = false;
  }
  void Set(const Qvvs& at) {
    const Frame frame(at, {});
    for (int i = 0; i < 3; ++i) {
      const double row[3] = {frame.row[i].x, frame.row[i].y, frame.row[i].z};
      for (int axis = 0; axis < 3; ++axis) {
        filled_[i][axis] = filled_[3 + axis][i] = row[axis];
      }
    }
    for (auto& row : filled_) {
      row[3] = 0;
    }
    rows_ = filled_;
    const double stretch[4] = {frame.stretch.x, frame.stretch.y, frame.stretch.z, 1};
    std::copy(stretch, stretch + 4, stretch_);
    stretched_ = stretch[0] != 1 || stretch[1] != 1 || stretch[2] != 1;
  }
  /// Frame::local_way
  [[nodiscard]] WideXyz LocalWay(const WideXyz& v) const {
    HWY_ALIGN double xyz[4];
    v.Store(xyz);
    const WideXyz back = WideXyz::Load(filled_[0]).Times(xyz[0]) + WideXyz::Load(filled_[1]).Times(xyz[1]) +
                         WideXyz::Load(filled_[2]).Times(xyz[2]);
    return stretched_ ? back / WideXyz::Load(stretch_) : back;
  }
  /// Frame::normal
  HWY_INLINE WideXyz Normal(const double (&n)[3]) const {
    double v[3] = {n[0], n[1], n[2]};
    if (stretched_) {
      for (int axis = 0; axis < 3; ++axis) {
        v[axis] = n[axis] / stretch_[axis];
      }
    }
    return WideXyz::Load(rows_[3]).Times(v[0]) + WideXyz::Load(rows_[4]).Times(v[1]) +
           WideXyz::Load(rows_[5]).Times(v[2]);
  }

 private:
  // Three rows of the rotation, then its three columns.
  HWY_ALIGN static constexpr double kStraight[6][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0},
                                                       {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};

  const double (*rows_)[4];
  HWY_ALIGN double filled_[6][4];
  HWY_ALIGN double stretch_[4];
  bool stretched_;
};

/// Whether a ray clearly misses the box. Never true of one that meets it, and of none that is not finite.
///
/// Two convex shapes are apart if an axis is between them: for a box and a line an axis of the box, or one at
/// a right angle to the line and to an axis of the box (Gottschalk, Lin, Manocha, "OBBTree", SIGGRAPH 1996).
/// All numbers are known to 2^-20 of the largest that takes part, which may be the mesh's own offset from its
/// origin; the slack is eight times that. A hit may lie as much behind a ray's end as the tree forgives.
HWY_INLINE bool ClearlyMisses(const MeshBox& box, Xyz origin, Xyz way, float max) {
  const XyzTag d;
  const auto half = hn::Load(d, box.half), from = hn::Sub(origin, hn::Load(d, box.middle));
  const auto off = hn::Abs(from), length = hn::Abs(way), longest = hn::MaxOfLanes(d, length);
  const auto largest = hn::MaxOfLanes(d, hn::Add(hn::Add(off, half), hn::Abs(origin)));
  const auto slack = hn::Mul(largest, hn::Set(d, 0x1p-17F)), aside = hn::Mul(slack, longest);
  // Beyond a side, and moving away from it or ending before.
  const auto gap = hn::Sub(hn::Sub(hn::Sub(off, half), slack), hn::Set(d, box.beyond));
  const auto towards = hn::Xor(way, hn::And(hn::Neg(from), hn::Set(d, -0.0F)));
  const auto beyond = hn::And(hn::Gt(gap, hn::Zero(d)), hn::Gt(gap, hn::Mul(towards, hn::Set(d, max))));
  // Beside it, seen along the ray. Products that overflow say nothing.
  const auto apart = hn::Abs(hn::Sub(hn::Mul(from, YzxOf(way)), hn::Mul(YzxOf(from), way)));
  const auto cover = hn::Add(hn::Add(hn::Mul(half, YzxOf(length)), hn::Mul(YzxOf(half), length)), aside);
  const auto beside = hn::And(hn::Gt(apart, cover), hn::Lt(apart, hn::Set(d, 0x1p120F)));
  // Nor do products near the least floats.
  const auto sure = hn::And(hn::Gt(longest, hn::Set(d, 0x1p-100F)), hn::Gt(aside, hn::Set(d, 0x1p-120F)));
  return (BitsOf(d, hn::And(sure, hn::Or(beyond, beside))) & 7) != 0;
}

/// The root of a number that is not negative; std::sqrt() asks whether it is.
HWY_INLINE double RootOf(double x) {
  const hn::FixedTag<double, 1> d;
  return hn::GetLane(hn::Sqrt(hn::Set(d, x)));
}

/// What of a ray is read first, in floats.
struct WorldRay {
  Xyz origin, direction, position;  // the last: of the mesh

  HWY_INLINE WorldRay(Xyz o, Xyz way, Xyz mesh) : origin(o), direction(way), position(mesh) {}
  HWY_INLINE WorldRay(const Qvvs& at, const Ray3& ray)
      : origin(GatherXyz(ray.origin)),
        direction(GatherXyz(ray.direction)),
        position(GatherXyz(at.position)) {}

  /// Floats will do for this. Never true where the mesh is turned: Place() asks then.
  [[nodiscard]] HWY_INLINE bool PassesBy(const Triangles& triangles, bool straight, float max) const {
    return HWY_LIKELY(straight) &&
           ClearlyMisses(triangles.extent().box, hn::Sub(origin, position), direction, max);
  }
};

/// A ray as nodes see it: its direction has the length that it came with, so that the first nodes need not
/// wait for a root and two divisions. They only leave out what a ray of length 1 leaves out, too:
///
///   grow    Of the two rays, each step of a node's test differs by 2^-24 of what takes part. Four steps of
///           each are 2^-21 of a distance; origins are moved by 2^-20 of it more than in make_ready(). Of how
///           far the origin is from 0, all four are used up: one step more would be one too many.
///   2^-70   Along an axis on which it runs less, a ray through the mesh stays within what it was moved by.
///           No product with its inverse is infinite: a difference of such would be NaN.
///   limit   A direction is no shorter than its longest part.
struct EarlyRay {
  Xyz near_origin, far_origin, back;
  std::uint32_t negative;
  float limit, scale;

  /// False: too long, too short, or for a mesh too large or too small.
  HWY_INLINE bool Set(Xyz start, Xyz given, float max, const MeshBox& box) {
    const XyzTag d;
    const hn::RebindToSigned<XyzTag> di;
    const auto way = hn::Add(given, hn::Zero(d)), length = hn::Abs(way);  // no -0
    const auto grow = hn::CopySign(hn::Load(d, box.grow), way);
    near_origin = hn::Add(start, grow);
    far_origin = hn::Sub(start, grow);
    back = hn::Div(hn::Set(d, -1), hn::CopySign(hn::Max(length, hn::Set(d, 0x1p-70F)), way));
    negative = BitsOf(di, hn::Lt(hn::BitCast(di, way), hn::Zero(di))) & 7;
    const float longest = hn::GetLane(hn::MaxOfLanes(d, length));
    limit = (max + box.beyond / longest) * (1 + 0x1p-20F);
    return longest > 0x1p-30F && longest < box.longest_way;
  }
};

/// A ray on its way through the four steps.
struct SingleRay {
  const Triangles& triangles;
  const Qvvs& at;
  const Ray3& world;
  RayPlace place;
  Xyz origin, direction;  // of the world
  Xyz given;              // the direction of the mesh
  WideXyz from, way;      // of the mesh; once it is ready, way has length 1
  EarlyRay early;
  bool is_early = false;
  double speed, most, enter = 0;

  HWY_INLINE SingleRay(const Triangles& all, const Qvvs& where, const Ray3& ray, const WorldRay& world_ray)
      : triangles(all), at(where), world(ray), origin(world_ray.origin), direction(world_ray.direction) {
    from = WideXyz::Of(origin) - WideXyz::Of(world_ray.position);
    way = WideXyz::Of(direction);
  }

  /// False: it passes by.
  HWY_INLINE bool Place(bool straight) {
    if (HWY_LIKELY(straight)) {
      place.SetStraight();
      given = direction;
      return true;
    }
    return PlaceTurned();
  }

  /// make_mesh_ray(); false: it asks for nothing, or misses.
  HWY_INLINE bool Ready(ReadyRay& ready) {
    const MeshExtent& extent = triangles.extent();
    Xyz start = from.Rounded();
    is_early = early.Set(start, given, world.max, extent.box);
    speed = RootOf((way * way).Sum());
    // is_valid(): a direction that is not finite has no finite length, and an origin that is not is not near.
    if (!(speed > 0 && speed <= std::numeric_limits<double>::max() && world.max >= 0)) {
      return false;
    }
    const double slowness = 1 / speed;
    early.scale = static_cast<float>(slowness) * (1 + 0x1p-20F);
    way = way.Times(slowness) + WideXyz::Zero();  // no -0
    most = static_cast<double>(world.max) * speed;
    auto end = static_cast<float>(std::min(most, extent.longest()) + extent.beyond());
    if (HWY_UNLIKELY(
            !(from - WideXyz::Load(extent.lanes.middle)).Within(WideXyz::Load(extent.lanes.reach)))) {
      MeshRay far;
      if (!StartFar(far)) {
        return false;
      }
      enter = far.enter;
      start = GatherXyz(far.cast.origin);
      end = far.cast.max;
      is_early = false;
    }
    const XyzTag d;
    MakeReady(start, way.Rounded(), end, hn::Load(d, extent.box.lo), hn::Load(d, extent.box.hi), ready);
    return ready.sound;
  }

  /// The closest, or any.
  template <bool kAny>
  [[nodiscard]] HWY_INLINE TriangleHit Find(const ReadyRay& ready) const {
    if (HWY_UNLIKELY(!is_early)) {
      return FindPlainly(ready);
    }
    const EarlyLanes nodes(early.near_origin, early.far_origin, early.back, early.negative);
    return Search<kAny, kAny>(triangles.tree(), ready, nodes, early.limit, early.scale);
  }

  /// The closest, of any ray.
  HWY_NOINLINE TriangleHit FindPlainly(const ReadyRay& ready) const {
    return Search<false>(triangles.tree(), ready);
  }

  /// finish_mesh_ray(); false: it ends before.
  HWY_INLINE bool Finish(const TriangleHit& hit, SurfaceHit& out) const {
    const MeshExtent& extent = triangles.extent();
    const TriangleBlock& block = triangles.tree().blocks[hit.slot / kBlockLanes];
    const std::uint32_t lane = hit.slot % kBlockLanes;
    const auto corner = [&](int i) {
      return GatherXyz(block.corner[i][0][lane], block.corner[i][1][lane], block.corner[i][2][lane]);
    };
    const Xyz a = corner(0), b = corner(1), c = corner(2);
    const WideXyz first = WideXyz::Of(a), e = WideXyz::Of(b) - first, f = WideXyz::Of(c) - first;
    const WideXyz turned = WideXyz::Of(YzxOf(a)), e1 = WideXyz::Of(YzxOf(b)) - turned;
    const WideXyz f1 = WideXyz::Of(YzxOf(c)) - turned;
    HWY_ALIGN double zxy[4], to[4], along[4];
    (e * f1 - f * e1).Store(zxy);  // the normal; its z comes first
    (first - from).Store(to);
    way.Store(along);
    const double normal[3] = {zxy[1], zxy[2], zxy[0]};
    const double about = enter + static_cast<double>(hit.t);
    const double exact = (normal[0] * to[0] + normal[1] * to[1] + normal[2] * to[2]) /
                         (normal[0] * along[0] + normal[1] * along[1] + normal[2] * along[2]);
    const double t = std::abs(exact - about) <= extent.trust() ? exact : about;
    if (t > most + extent.slack()) {
      return false;
    }
    const double world_t = std::clamp(t / speed, 0.0, static_cast<double>(world.max));
    const WideXyz placed = place.Normal(normal), along_world = WideXyz::Of(direction);
    const double k = 1 / RootOf((placed * placed).Sum());
    out.hit = true;
    out.t = static_cast<float>(world_t);
    out.point = Vec3Of((WideXyz::Of(origin) + along_world.Times(world_t)).Rounded());
    out.normal = Vec3Of(placed.Times((placed * along_world).Sum() < 0 ? k : -k).Rounded());
    out.part = {kNoPart, hit.triangle};
    return true;
  }

 private:
  HWY_NOINLINE bool PlaceTurned() {
    place.Set(at);
    from = place.LocalWay(from);
    way = place.LocalWay(way);
    given = way.Rounded();
    return !ClearlyMisses(triangles.extent().box, from.Rounded(), given, world.max);
  }
  /// Also of rays that are not finite, and of meshes without a triangle.
  HWY_NOINLINE bool StartFar(MeshRay& far) const {
    if (!is_valid(world) || triangles.extent().empty()) {
      return false;
    }
    HWY_ALIGN double f[4], w[4];
    from.Store(f);
    way.Store(w);
    far.unit = {{f[0], f[1], f[2]}, {w[0], w[1], w[2]}, most};
    far.speed = speed;
    return start_far(MeshPlace(triangles, Frame(at, V3(at.position))), far);
  }
};

/// Apart, so that rays that pass by need no stack; the three are a WorldRay, in registers.
HWY_NOINLINE bool ClosestNear(const Triangles& triangles, const Qvvs& at, const Ray3& world, SurfaceHit& out,
                              bool straight, Xyz origin, Xyz direction, Xyz position) {
  SingleRay ray(triangles, at, world, WorldRay(origin, direction, position));
  ReadyRay ready;
  if (!ray.Place(straight) || !ray.Ready(ready)) {
    return false;
  }
  const TriangleHit hit = ray.Find<false>(ready);
  return hit.triangle != kNoTriangle && ray.Finish(hit, out);
}

HWY_NOINLINE bool ClosestIsBefore(const SingleRay& ray, const ReadyRay& ready) {
  SurfaceHit closest;
  return ray.Finish(ray.FindPlainly(ready), closest);
}

HWY_NOINLINE bool AnyNear(const Triangles& triangles, const Qvvs& at, const Ray3& world, bool straight,
                          Xyz origin, Xyz direction, Xyz position) {
  SingleRay ray(triangles, at, world, WorldRay(origin, direction, position));
  ReadyRay ready;
  if (!ray.Place(straight) || !ray.Ready(ready)) {
    return false;
  }
  const TriangleHit hit = ray.Find<true>(ready);
  if (hit.triangle == kNoTriangle) {
    return false;
  }
  // Near the ray's end the exact t decides, and that of the closest triangle.
  const double about = ray.enter + static_cast<double>(hit.t);
  return about <= ray.most - 2 * triangles.extent().trust() || ClosestIsBefore(ray, ready);
}

bool ClosestAtMesh(const Triangles& triangles, const Qvvs& at, const Ray3& world, SurfaceHit& out) {
  const WorldRay ray(at, world);
  const bool straight = IsStraight(at);
  return !ray.PassesBy(triangles, straight, world.max) &&
         ClosestNear(triangles, at, world, out, straight, ray.origin, ray.direction, ray.position);
}

bool AnyAtMesh(const Triangles& triangles, const Qvvs& at, const Ray3& world) {
  const WorldRay ray(at, world);
  const bool straight = IsStraight(at);
  return !ray.PassesBy(triangles, straight, world.max) &&
         AnyNear(triangles, at, world, straight, ray.origin, ray.direction, ray.position);
}

}  // namespace juxta::shape_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::shape_detail {

JUXTA_KERNEL(ClosestAtMesh);
JUXTA_KERNEL(AnyAtMesh);

bool raycast_mesh(const Triangles& triangles, const Qvvs& at, const Ray3& ray, SurfaceHit& out) noexcept {
  return JUXTA_CALL_KERNEL(ClosestAtMesh)(triangles, at, ray, out);
}
bool raycast_mesh_any(const Triangles& triangles, const Qvvs& at, const Ray3& ray) noexcept {
  return JUXTA_CALL_KERNEL(AnyAtMesh)(triangles, at, ray);
}

}  // namespace juxta::shape_detail
#endif  // HWY_ONCE
