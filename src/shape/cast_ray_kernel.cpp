// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The first touch of a shape that moves along a line, as a ray against the difference of the two.
//
//                       ___
//   0 --------> z  ____/   \      a, moved by z, touches b where the ray enters all within both radii of
//                 <    B - A |     B - A, the differences of a point of b and one of a. Nothing of B - A is
//                  \_______/      known but its farthest point along a direction.
//
//   without radii (cast_flat-inl.h): three points of B - A around the ray make a triangle that it meets. The
//       farthest point along the triangle's normal takes the place of one of them, so that the ray still
//       passes between: what it meets is earlier each time, until it is a face. That is the simplex method,
//       or Snethen's portals (XenoCollide, in: Game Programming Gems 7, 2008) with a centre infinitely far.
//   with radii (cast_round-inl.h): the points nearest to the ray's place, as in van den Bergen, "Ray casting
//       against general convex objects with application to continuous collision detection" (2004). Where the
//       ray enters the sphere, cylinder or plane around these points is known in closed form; the farthest
//       point along the normal there says whether that is the answer.
//
// Every answer has its proof: a plane with B - A behind it says that they touch no earlier, a point of B - A
// within the radii that they touch no later; a miss has a plane that leaves the whole ray in front. What
// cannot be proven is left to cast_by_distance(): shapes that touch or overlap at the start, graze, or are
// too flat.
//
// Work:         two boxes need 4 farthest points of each on average, hulls of 24 corners 6, capsules 3; some
//               25 operations for a box, 5 per vertex of a hull, and some 50 around them.
// Limit:        latency: each direction is known only after the last farthest point (some 30 ns a hull).
// Determinism:  doubles; + - * / and square roots in one order, never fused. Of vertices that are as far the
//               lowest is taken, in whatever lane it is.

#include "shape/cast_core.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/shape/cast_ray_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "shape/cast_flat-inl.h"
#include "shape/cast_round-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::shape_detail::HWY_NAMESPACE {

Verdict CastByRay(const Core& a, const Core& b, const Ahead& ahead, double most, Touch& touch) {
  if (a.kind == Core::Kind::kNone || b.kind == Core::Kind::kNone || !(ahead.length > 0)) {
    return Verdict::kUnsure;
  }
  const V3 c = b.middle - a.middle;
  CastPair pair{a, b, most * ahead.length, 0, a.size + b.size};
  pair.enough = near_enough(pair.size, sum_of_parts(a.middle) + sum_of_parts(b.middle) + ahead.length);
  const double ball = a.bound + b.bound + pair.enough, room = ball * ball - (c.x * c.x + c.y * c.y);
  if (!(room > 0)) {
    return Verdict::kMiss;
  }
  const double half = std::sqrt(room);
  if (c.z - half > pair.end || c.z + half < 0) {
    return Verdict::kMiss;
  }
  const V3 n{-c.x, -c.y, -half};
  Meeting met;
  const Verdict verdict =
      a.radius + b.radius > 0 ? CastRound(pair, n, std::max(c.z - half, 0.0), met) : CastFlat(pair, n, met);
  if (verdict != Verdict::kHit) {
    return verdict;
  }
  const double t = met.z / ahead.length;
  if (!(t <= most)) {
    return Verdict::kMiss;
  }
  touch.t = t;
  touch.point = ahead.back(met.on_b);
  touch.normal = ahead.back(met.normal);
  return Verdict::kHit;
}

std::uint32_t FarthestOfAll(const double* columns, std::size_t count, V3 direction) {
  return FarthestOfColumns(columns, count, direction);
}

}  // namespace juxta::shape_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::shape_detail {

JUXTA_KERNEL(CastByRay);
JUXTA_KERNEL(FarthestOfAll);

Verdict cast_by_ray(const Core& a, const Core& b, const Ahead& ahead, double most, Touch& touch) noexcept {
  return JUXTA_CALL_KERNEL(CastByRay)(a, b, ahead, most, touch);
}
std::uint32_t farthest_of_columns(const double* columns, std::size_t count, V3 direction) noexcept {
  return JUXTA_CALL_KERNEL(FarthestOfAll)(columns, count, direction);
}

}  // namespace juxta::shape_detail
#endif  // HWY_ONCE
