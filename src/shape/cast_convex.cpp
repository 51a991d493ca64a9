// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The first touch of a shape that moves along a line: as a ray (cast_ray_kernel.cpp), and where that is
// unsure by distances, with conservative advancement (Mirtich 1996).
//
//   gap(t) = distance of the cores - both radii is convex in t, and falls no faster than way . normal.
//
// A step of gap / (way . normal) is Newton's: from the left it never goes too far, whatever the shapes; plane
// features are reached in one step, round ones with twice the digits each, grazing ones with two bits each.
#include <algorithm>

#include "shape/cast_core.h"
#include "shape/gjk.h"

namespace juxta::shape_detail {
namespace {

constexpr int kRounds = 128;
constexpr double kSharp = 1e-8;  // of the size: cores nearer than this have a noisy direction
constexpr double kLost = 1e-6;   // of the size: a direction along which they overlap by more is another's

/// Distance of the cores when a has moved by `shift`.
GjkEnd cores_at(const Convex& a, V3 shift, const Convex& b, double most, Simplex& simplex, Near& near) {
  PointPair cores;
  if (!closest_cores(a, shift, b, cores)) {
    return gjk(a, b, shift, most, simplex, near);
  }
  const V3 gap = cores.b - cores.a;
  near.distance = length(gap);
  near.on_a = cores.a;
  near.on_b = cores.b;
  if (!(near.distance > kNoGap * (a.size + b.size))) {
    return GjkEnd::kTouching;
  }
  near.normal = gap * (1 / near.distance);
  return near.distance > most ? GjkEnd::kBeyond : GjkEnd::kApart;
}

/// `cores`: their nearest points where those are apart, which closest_convex() would only find again.
bool overlapping_at_start(const Convex& a, const Convex& b, GjkEnd end, const Near& cores, Touch& touch) {
  Near near = cores;
  if (end == GjkEnd::kApart) {
    near.distance -= a.radius + b.radius;
    near.on_a = near.on_a + near.normal * a.radius;
    near.on_b = near.on_a + near.normal * near.distance;
  } else {
    (void)closest_convex(a, b, std::numeric_limits<double>::infinity(), near);
  }
  touch.t = 0;
  touch.point = (near.on_a + near.on_b) * 0.5;
  touch.normal = -near.normal;
  touch.distance = std::min(near.distance, 0.0);
  return true;
}

/// Whether a direction from a to b still tells the cores apart, when a has moved by `shift` and they touch.
/// The nearest features may change within the last kSharp of the way, and leave the direction far behind.
bool separates(const Convex& a, V3 shift, const Convex& b, V3 normal) {
  const V3 across = b.point(b.support(-normal)) - a.point(a.support(normal)) - shift;
  return dot(normal, across) >= -kLost * (a.size + b.size);
}

/// The direction of the shortest way apart, where a has moved by `shift`.
V3 normal_of_touching(const Convex& a, V3 shift, const Convex& b) {
  Convex moved = a;
  moved.frame.position = a.frame.position + shift;
  for (V3& corner : moved.corners) {
    corner = corner + shift;
  }
  Near near;
  (void)closest_convex(moved, b, std::numeric_limits<double>::infinity(), near);
  return near.normal;
}

}  // namespace

bool cast_by_distance(const Convex& a, V3 way, const Convex& b, double most, Touch& touch) noexcept {
  const double radii = a.radius + b.radius, size = a.size + b.size, speed = length(way);
  const double enough =
      near_enough(size, sum_of_parts(a.point(0)) + sum_of_parts(b.point(0)) + sum_of_parts(way));
  Simplex simplex;
  Near near;
  V3 normal;
  bool sharp = false;
  double t = 0;
  for (int round = 0; round < kRounds; ++round) {
    const double left = radii + speed * (most - t) + enough;
    const GjkEnd end = cores_at(a, way * t, b, left, simplex, near);
    if (end == GjkEnd::kBeyond) {
      return false;
    }
    const bool there = end == GjkEnd::kTouching || near.distance - radii <= enough;
    if (there && round == 0) {
      return overlapping_at_start(a, b, end, near, touch);
    }
    sharp = end == GjkEnd::kApart && near.distance > kSharp * size;
    if (sharp || (end == GjkEnd::kApart && round == 0)) {
      normal = near.normal;
    }
    if (there) {
      break;
    }
    const double closing = dot(way, near.normal);
    if (!(closing > 0)) {
      return false;
    }
    t += (near.distance - radii) / closing;
    if (!(t <= most)) {
      return false;
    }
  }
  if (!sharp && !separates(a, way * t, b, normal)) {
    normal = normal_of_touching(a, way * t, b);
  }
  touch.t = t;
  touch.point = near.on_b - normal * b.radius;
  touch.normal = -normal;
  return true;
}

bool cast_convex(const Convex& a, V3 way, const Convex& b, double most, Touch& touch) noexcept {
  const Ahead ahead(way);
  const Verdict verdict = cast_by_ray(core_of(a, ahead), core_of(b, ahead), ahead, most, touch);
  return verdict == Verdict::kUnsure ? cast_by_distance(a, way, b, most, touch) : verdict == Verdict::kHit;
}

}  // namespace juxta::shape_detail
