// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the library says of two convex shapes, held against the oracle. Each check returns what is wrong as
// words, or nothing.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "juxta/shape/query.h"
#include "shape/random_shapes.h"

namespace juxta::test {

/// Of the size of the two shapes: what the room promises.
inline constexpr double kExact = 1e-5, kDeep = 1e-4;

inline double wide(float x) {
  return static_cast<double>(x);
}
/// Half a step of a float at x, and then some: results are rounded once, at the end.
inline double rounding(double x) {
  return 1.3e-7 * std::abs(x);
}
inline double largest(V3 v) {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}
inline bool finite(const Vec3& v) {
  return is_finite(v);
}

/// Two shapes in the frame of the first.
struct PairTruth {
  V3 origin;
  Solid a, b;
  Truth truth;
  double size;

  PairTruth(const Placed& x, const Placed& y)
      : origin(V3(x.at.position)),
        a(x.solid(origin)),
        b(y.solid(origin)),
        truth(truth_of(a, b)),
        size(a.size + b.size) {}
};

inline double end_of(const Solid& s, V3 n) {
  double end = -kFar;
  for (const V3& p : s.points) {
    end = std::max(end, dot(n, p));
  }
  return end + s.radius;
}

inline std::string check_closest(const Placed& x, const Placed& y, const PairTruth& pair,
                                 double most = kFar) {
  const ClosestPoints got = closest(x.shape, x.at, y.shape, y.at, static_cast<float>(most));
  const Truth& truth = pair.truth;
  const double exact = kExact * pair.size + rounding(truth.distance);
  if (!got.found) {
    return truth.distance < most - exact ? fmt::format("none within {}, but at {}", most, truth.distance)
                                         : "";
  }
  if (truth.distance > most + exact) {
    return fmt::format("found at {}, farther than {}", truth.distance, most);
  }
  if (!(std::abs(wide(got.distance) - truth.distance) <= exact)) {
    return fmt::format("distance {} is {}", got.distance, truth.distance);
  }
  const V3 n = V3(got.normal), on_a = V3(got.on_a) - pair.origin, on_b = V3(got.on_b) - pair.origin;
  if (!(std::abs(length(n) - 1) <= 1e-6)) {
    return fmt::format("a normal of length {}", length(n));
  }
  // No direction shows a larger gap than the right one, so that the gap along a normal tells how good it is.
  const double gap = oracle::gap(pair.a, pair.b, n) - pair.a.radius - pair.b.radius;
  if (!(std::abs(gap - truth.distance) <= exact + 1e-7 * pair.size)) {
    return fmt::format("along the normal the gap is {} instead of {}", gap, truth.distance);
  }
  const double placed = exact + 2 * rounding(std::max(largest(V3(got.on_a)), largest(V3(got.on_b))));
  if (!(largest(on_b - on_a - n * wide(got.distance)) <= 2 * placed)) {
    return "the two points do not lie along the normal at the distance";
  }
  if (!(std::abs(dot(n, on_a) - end_of(pair.a, n)) <= 2 * placed) ||
      !(std::abs(dot(-n, on_b) - end_of(pair.b, -n)) <= 2 * placed)) {
    return "a point is not on the surface";
  }
  const auto away = [&](V3 p, const Solid& s) { return truth_of(Solid{{p}, {}, {}, 0, 0}, s).distance; };
  if (!(away(on_a, pair.a) <= 2 * placed) || !(away(on_b, pair.b) <= 2 * placed)) {
    return fmt::format("a point is beside its shape: {}, {}", away(on_a, pair.a), away(on_b, pair.b));
  }
  return "";
}

inline std::string check_overlaps(const Placed& x, const Placed& y, const PairTruth& pair) {
  const bool got = overlaps(x.shape, x.at, y.shape, y.at);
  const double slack = 2e-6 * pair.size;
  if (got ? pair.truth.distance > slack : pair.truth.distance < -slack) {
    return fmt::format("overlaps() is {} at a distance of {}", got, pair.truth.distance);
  }
  return "";
}

/// The least distance of the two while `a` moves on by `way`, from t on: a sample.
inline double deepest(const Solid& a, V3 way, const Solid& b, double t) {
  const double end = std::min(1.0, t + 2 * (a.size + b.size) / length(way));
  double least = kFar;
  for (int i = 0; i <= 24; ++i) {
    least = std::min(least, truth_of(a.moved(way * (t + (end - t) * i / 24)), b).distance);
  }
  return least;
}

/// x moves by `way` towards y.
inline std::string check_cast(const Placed& x, const Placed& y, const Vec3& way, const PairTruth& pair) {
  const CastHit got = cast(x.shape, x.at, way, y.shape, y.at);
  const V3 w = V3(way);
  const double t = pair.truth.distance <= 0 ? 0 : touch_time(pair.a, w, pair.b);
  const double exact = kExact * pair.size + rounding(length(w));
  if (!got.hit) {
    if (t == kFar || t > 1) {
      return "";
    }
    // A shape that only grazes the other may be missed.
    const double depth = -deepest(pair.a, w, pair.b, t);
    return depth > exact ? fmt::format("missed at t = {}, {} deep", t, depth) : "";
  }
  if (!(got.t >= 0 && got.t <= 1)) {
    return fmt::format("t = {}", got.t);
  }
  if (t != kFar && !((wide(got.t) - t) * length(w) <= exact) && deepest(pair.a, w, pair.b, t) < -exact) {
    return fmt::format("too late: t = {} instead of {}", got.t, t);
  }
  const Solid there = pair.a.moved(w * wide(got.t));
  const Truth truth = truth_of(there, pair.b);
  if (!(truth.distance <= exact)) {
    return fmt::format("too early: t = {} instead of {}, {} apart", got.t, t, truth.distance);
  }
  const V3 n = V3(got.normal), point = V3(got.point) - pair.origin;
  if (!(std::abs(length(n) - 1) <= 1e-6)) {
    return fmt::format("a normal of length {}", length(n));
  }
  const double gap = oracle::gap(pair.b, there, n) - pair.a.radius - pair.b.radius;
  if (!(gap >= std::min(truth.distance, 0.0) - 2 * exact)) {
    return fmt::format("along the normal of the contact the gap is {}, not {}", gap, truth.distance);
  }
  const double deep = got.t == 0 ? std::min(pair.truth.distance, 0.0) : 0;
  if (!(got.distance <= 0) || !(std::abs(wide(got.distance) - deep) <= kExact * pair.size + rounding(deep))) {
    return fmt::format("{} deep at the start instead of {}", got.distance, deep);
  }
  // Shapes that overlap from the start do not touch in a point: then it is within their depth.
  const double depth = std::max(0.0, -truth.distance);
  const double placed = depth + 2 * exact + 2 * rounding(largest(V3(got.point)));
  const Solid spot{{point}, {}, {}, 0, 0};
  if (!(truth_of(spot, there).distance <= placed) || !(truth_of(spot, pair.b).distance <= placed)) {
    return "the point of contact is not where they touch";
  }
  return "";
}

/// Whether a ray runs through a triangle, farther than `margin` from its edges.
inline bool pierces(V3 from, V3 way, const Solid& triangle, double margin) {
  const V3 a = triangle.points[0], n = cross(triangle.points[1] - a, triangle.points[2] - a);
  const double slope = dot(n, way);
  if (!(std::abs(slope) > 1e-6 * length(n) * length(way))) {
    return false;
  }
  const double t = dot(n, a - from) / slope;
  const V3 spot = from + way * t;
  bool inside = t >= 0 && t <= 1;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const V3 p = triangle.points[i], edge = triangle.points[(i + 1) % 3] - p;
    inside = inside && dot(cross(edge, spot - p), n) > margin * length(edge) * length(n);
  }
  return inside;
}

/// A ray, which is a point that moves.
inline std::string check_ray(const Placed& y, const Ray3& ray) {
  const V3 from{wide(ray.origin[0]), wide(ray.origin[1]), wide(ray.origin[2])};
  const V3 w{wide(ray.direction[0]), wide(ray.direction[1]), wide(ray.direction[2])};
  const Solid point{{V3{}}, {}, {}, 0, 0}, still = y.solid(from);
  const SurfaceHit got = raycast(y.shape, y.at, ray);
  double farthest = still.radius;
  for (const V3& p : still.points) {
    farthest = std::max(farthest, length(p) + still.radius);
  }
  const double end = std::min(wide(ray.max), 2 * farthest / length(w));
  const double t = touch_time(point, w * end, still) * end;
  const double exact = kExact * still.size + rounding(t < kFar ? t * length(w) : 0);
  if (!got.hit) {
    if (t == kFar) {
      return "";
    }
    const bool missed = y.shape.kind() == ShapeKind::kTriangle
                            ? pierces({}, w * end, still, exact)
                            : deepest(point, w * end, still, t / end) < -exact;
    return missed ? fmt::format("missed at t = {}", t) : "";
  }
  if (t == kFar) {
    const double least = least_distance(point, w * end, still);
    return least > exact ? fmt::format("hit at t = {}, but passes at {}", got.t, least) : "";
  }
  const Truth there = truth_of(point.moved(w * wide(got.t)), still);
  if (!((wide(got.t) - t) * length(w) <= exact) && !(there.distance >= -exact)) {
    return fmt::format("too late: t = {} instead of {}", got.t, t);
  }
  if (!(there.distance <= exact)) {
    return fmt::format("too early: t = {} instead of {}", got.t, t);
  }
  const V3 n = V3(got.normal);
  if (t == 0 && truth_of(point, still).distance < -exact) {
    return length(n) == 0 && got.t == 0 ? "" : "a ray from inside has a time or a normal";
  }
  if (length(n) != 0 || t > 0) {
    if (!(std::abs(length(n) - 1) <= 1e-6) || !(dot(n, w) <= 1e-6 * length(w))) {
      return "a normal that is not of length 1 and against the ray";
    }
  }
  const double placed = 2 * exact + 2 * rounding(largest(V3(got.point)));
  const V3 off = V3(got.point) - from - w * wide(got.t);
  return largest(off) <= placed ? "" : "the point is not on the ray";
}

}  // namespace juxta::test
