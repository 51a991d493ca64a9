// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/layer/raycast.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "shape/placed.h"
#include "shape/ray_convex.h"

namespace juxta {
namespace detail {
namespace {

/// What of a line lies in a box. A way of 0 along an axis: all or nothing.
struct Stretch {
  double enter = 0, leave = kFar;

  Stretch(const Line& line, const Extent& box) noexcept {
    cut(line.origin.x, line.way.x, box.lo.x, box.hi.x);
    cut(line.origin.y, line.way.y, box.lo.y, box.hi.y);
    cut(line.origin.z, line.way.z, box.lo.z, box.hi.z);
  }
  [[nodiscard]] bool empty() const noexcept { return !(enter <= leave); }

 private:
  void cut(double from, double way, double lo, double hi) noexcept {
    if (way == 0) {
      leave = lo <= from && from <= hi ? leave : -1;
      return;
    }
    const double a = (lo - from) / way, b = (hi - from) / way;
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  }
};

/// t of the plane of a triangle, in doubles: the tree works in floats. Where the plane is met at so flat an
/// angle that it answers something else, the tree's own t stays.
double refined(const std::array<Vec3, 3>& corners, const Line& unit, double t, double trust,
               V3& normal) noexcept {
  const V3 a(corners[0]);
  normal = cross(V3(corners[1]) - a, V3(corners[2]) - a);
  const double exact = dot(normal, a - unit.origin) / dot(normal, unit.way);
  return std::abs(exact - t) <= trust ? exact : t;
}

/// Triangles in their own coordinates, in floats. The ray starts anew in front of their box, so that a
/// kilometre on the way costs no digits; its way has length 1 there.
bool ray_triangles(const Triangles& triangles, const Frame& frame, const Line& line, Entry& entry,
                   std::uint32_t& triangle) noexcept {
  Line unit{frame.local_point(line.origin), frame.local_way(line.way)};
  const double speed = length(unit.way);
  const Extent box = extent_of(triangles.bounds());
  if (!(speed > 0) || !(box.lo.x <= box.hi.x)) {
    return false;
  }
  unit.way = unit.way * (1 / speed);
  unit.most = line.most * speed;
  const V3 far{std::max(std::abs(box.lo.x), std::abs(box.hi.x)),
               std::max(std::abs(box.lo.y), std::abs(box.hi.y)),
               std::max(std::abs(box.lo.z), std::abs(box.hi.z))};
  const double size = length(box.hi - box.lo) + 1e-6 * length(far);
  const Stretch stretch(unit, box.grown(size * 1e-2));
  if (stretch.empty() || stretch.enter > unit.most) {
    return false;
  }
  const double trust = size * 1e-4, slack = size * 1e-7;
  const Vec3 from = (unit.origin + unit.way * stretch.enter).rounded(), way = unit.way.rounded();
  const auto most = static_cast<float>(std::min(unit.most, stretch.leave) - stretch.enter + 2 * slack);
  const TriangleHit hit = triangles.ray_closest({{from.x, from.y, from.z}, {way.x, way.y, way.z}, most});
  if (hit.triangle == kNoPart) {
    return false;
  }
  V3 normal;
  const double t = refined(triangles.corners(hit.triangle), unit, stretch.enter + static_cast<double>(hit.t),
                           trust, normal);
  if (t > unit.most + slack) {
    return false;
  }
  triangle = hit.triangle;
  entry.t = std::clamp(t / speed, 0.0, line.most);
  entry.normal = frame.normal(normal);
  const double k = 1 / length(entry.normal);
  entry.normal = entry.normal * (dot(entry.normal, line.way) < 0 ? k : -k);
  return true;
}

/// Whether a line clearly misses a box.
bool passes(const Line& line, const Extent& box) noexcept {
  const Stretch stretch(line, box.grown(1e-6 * length(box.hi - box.lo) + 1e-12 * length(line.origin)));
  return stretch.empty() || stretch.enter > line.most;
}

bool valid(const Ray3& ray) noexcept {
  return is_finite(Vec3{ray.origin[0], ray.origin[1], ray.origin[2]}) &&
         is_finite(Vec3{ray.direction[0], ray.direction[1], ray.direction[2]}) && ray.max >= 0;
}

}  // namespace
}  // namespace detail

SurfaceHit raycast(const Shape& shape, const Qvvs& at, const Ray3& ray) {
  using detail::V3;
  SurfaceHit hit;
  if (!detail::valid(ray)) {
    return hit;
  }
  const V3 origin(Vec3{ray.origin[0], ray.origin[1], ray.origin[2]});
  const V3 way(Vec3{ray.direction[0], ray.direction[1], ray.direction[2]});
  detail::Line line{origin - V3(at.position), way, static_cast<double>(ray.max)};
  detail::Entry best;
  detail::visit_parts(shape, detail::Frame(at, V3(at.position)), [&](const detail::Placed& part) {
    if (part.part != kNoPart && detail::passes(line, part.extent)) {
      return true;
    }
    detail::Entry entry;
    std::uint32_t triangle = kNoPart;
    const detail::Triangles* triangles = detail::triangles_of(*part.shape);
    const bool met = triangles != nullptr
                         ? detail::ray_triangles(*triangles, part.frame, line, entry, triangle)
                         : detail::ray_convex(*part.shape, part.frame, line, entry);
    if (met && (!hit.hit || entry.t < best.t)) {  // parts come in order: the lowest of several stays
      hit.hit = true;
      hit.part = {part.part, triangle};
      best = entry;
      line.most = entry.t;
    }
    return true;
  });
  if (hit.hit) {
    hit.t = static_cast<float>(best.t);
    hit.point = (origin + way * best.t).rounded();
    hit.normal = best.normal.rounded();
  }
  return hit;
}

}  // namespace juxta
