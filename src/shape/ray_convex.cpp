// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "shape/ray_convex.h"

#include <algorithm>
#include <cmath>

#include "shape/placed.h"

namespace juxta::shape_detail {
namespace {

/// Sines below this are rounding: a ray that runs in a plane.
constexpr double kParallel = 1e-12;
/// Distances below this part of the numbers that they came from are rounding: a ray aimed at a point or a
/// segment meets it.
constexpr double kRounding = 1e-15;

V3 against(const V3& way) noexcept {
  return way * (-1 / length(way));
}

/// Entry of a line into the ball of `radius` around 0, or into a cylinder around an axis through 0: then
/// `from` and `way` have no part along it. False: it misses, or leaves before t = 0, or it starts inside.
bool enter_round(V3 from, V3 way, double radius, Entry& entry) noexcept {
  const double speed2 = dot(way, way);
  const double nearest = -dot(from, way) / speed2;
  if (!(nearest > 0)) {
    return false;
  }
  const V3 there = from + way * nearest;
  const double slack = kRounding * length(from);
  if (length(there) > radius + slack) {
    return false;
  }
  entry.t = std::max(nearest - std::sqrt(std::max(radius * radius - dot(there, there), 0.0) / speed2), 0.0);
  const V3 normal = from + way * entry.t;
  const double size = length(normal);
  entry.normal = size > slack ? normal * (1 / size) : against(way);
  return true;
}

bool starts_inside(Entry& entry) noexcept {
  entry = {0, {}};
  return true;
}

bool ray_ball(V3 center, double radius, const Line& line, Entry& entry) noexcept {
  const V3 from = line.origin - center;
  if (dot(from, from) <= radius * radius) {
    return starts_inside(entry);
  }
  return dot(line.way, line.way) > 0 && enter_round(from, line.way, radius, entry);
}

bool ray_capsule(V3 a, V3 b, double radius, const Line& line, Entry& entry) noexcept {
  const V3 axis = b - a, from = line.origin - a;
  const double axis2 = dot(axis, axis);
  if (!(axis2 > 0)) {
    return ray_ball(a, radius, line, entry);
  }
  const double along = std::clamp(dot(from, axis) / axis2, 0.0, 1.0);
  const V3 offset = from - axis * along;
  if (dot(offset, offset) <= radius * radius) {
    return starts_inside(entry);
  }
  const double way2 = dot(line.way, line.way);
  if (!(way2 > 0)) {
    return false;
  }
  // The capsule is two balls and the cylinder between them; the ray starts outside of all three.
  bool hit = false;
  Entry one;
  for (const V3& end : {a, b}) {
    if (enter_round(line.origin - end, line.way, radius, one) && one.t < entry.t) {
      entry = one;
      hit = true;
    }
  }
  const V3 across = line.way - axis * (dot(line.way, axis) / axis2);
  const V3 aside = from - axis * (dot(from, axis) / axis2);
  if (dot(across, across) > kParallel * kParallel * way2 && enter_round(aside, across, radius, one) &&
      one.t < entry.t) {
    const double place = dot(from + line.way * one.t, axis);
    if (place >= 0 && place <= axis2) {
      entry = one;
      hit = true;
    }
  }
  return hit;
}

/// What is left of a line inside of half-spaces, and the one it came in through.
struct Clip {
  double enter = -kFar, leave = kFar;
  V3 normal;
  bool outside = false;

  /// The half-space where normal . p <= reach, with `height` = normal . origin - reach and `speed` = normal .
  /// way.
  void cut(double height, double speed, const V3& with) noexcept {
    if (speed == 0) {
      outside = outside || height > 0;
      return;
    }
    const double t = -height / speed;
    if (speed < 0 && t > enter) {
      enter = t;
      normal = with;
    } else if (speed > 0) {
      leave = std::min(leave, t);
    }
  }
  [[nodiscard]] bool inside() const noexcept { return !outside && enter <= 0 && leave >= 0; }
  [[nodiscard]] bool meets() const noexcept { return !outside && enter <= leave && leave >= 0; }
};

bool ray_box(const PlacedBox& box, const Line& line, Entry& entry) noexcept {
  const V3 from = box.along(line.origin - box.center), way = box.along(line.way);
  Clip clip;
  const auto slab = [&clip](double at, double speed, double half, const V3& axis) {
    clip.cut(at - half, speed, axis);
    clip.cut(-at - half, -speed, -axis);
  };
  slab(from.x, way.x, box.half.x, box.axis[0]);
  slab(from.y, way.y, box.half.y, box.axis[1]);
  slab(from.z, way.z, box.half.z, box.axis[2]);
  if (clip.inside()) {
    return starts_inside(entry);
  }
  entry = {clip.enter, clip.normal};
  return clip.meets();
}

bool ray_triangle(const V3 (&corner)[3], const Line& line, Entry& entry) noexcept {
  const V3 a = corner[0] - line.origin, b = corner[1] - line.origin, c = corner[2] - line.origin;
  const V3 normal = cross(b - a, c - a);
  const double size = length(normal), speed = dot(normal, line.way);
  if (!(std::abs(speed) > kParallel * size * length(line.way))) {
    return false;
  }
  // On which side of each edge the line passes: a side of 0 belongs to both triangles there.
  const double u = dot(line.way, cross(b, c)), v = dot(line.way, cross(c, a)), w = dot(line.way, cross(a, b));
  const bool inside = (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
  entry.t = dot(normal, a) / speed;
  entry.normal = normal * ((speed < 0 ? 1 : -1) / size);
  return inside && entry.t >= 0;
}

/// Clip::cut() of all sides, by blocks, but for the normal: the last entry and first exit of each lane, then
/// of all. Which side it is, is left to entered_side(): whole numbers in this loop keep compilers from
/// registers.
void cut_by_sides(const HullStore& hull, V3 from, V3 way, Clip& clip) noexcept {
  constexpr std::size_t kLanes = kHullBlock;
  const std::size_t padded = whole_hull_blocks(hull.sides.size());
  const double *x = hull.side_columns.data(), *y = x + padded, *z = y + padded, *reach = z + padded;
  double enter[kLanes], leave[kLanes], beyond[kLanes];
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    enter[lane] = -kFar;
    leave[lane] = kFar;
    beyond[lane] = 0;
  }
  for (std::size_t first = 0; first < padded; first += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t i = first + lane;
      const double height = x[i] * from.x + y[i] * from.y + z[i] * from.z - reach[i];
      const double speed = x[i] * way.x + y[i] * way.y + z[i] * way.z;
      const double t = -height / speed;
      const double in = speed < 0 ? t : -kFar, out = speed > 0 ? t : kFar, off = speed == 0 ? height : 0;
      enter[lane] = in > enter[lane] ? in : enter[lane];
      leave[lane] = out < leave[lane] ? out : leave[lane];
      beyond[lane] = off > beyond[lane] ? off : beyond[lane];
    }
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    clip.enter = std::max(clip.enter, enter[lane]);
    clip.leave = std::min(clip.leave, leave[lane]);
    clip.outside = clip.outside || beyond[lane] > 0;
  }
}

/// The first side that a line enters at t, and that very t: 0 has two signs.
V3 entered_side(const HullStore& hull, V3 from, V3 way, double& t) noexcept {
  for (const HullStore::Side& side : hull.sides) {
    const double height = dot(side.normal, from) - side.reach, speed = dot(side.normal, way);
    if (speed < 0 && -height / speed == t) {
      t = -height / speed;
      return side.normal;
    }
  }
  return {};
}

/// A hull with faces, in its own coordinates: t is the same there.
bool ray_solid_hull(const HullStore& hull, const Frame& frame, const Line& line, Entry& entry) noexcept {
  const V3 from = frame.local_point(line.origin) - hull.middle, way = frame.local_way(line.way);
  Clip clip;
  cut_by_sides(hull, from, way, clip);
  if (clip.inside()) {
    return starts_inside(entry);
  }
  if (!clip.meets()) {
    return false;
  }
  const V3 normal = frame.normal(entered_side(hull, from, way, clip.enter));
  entry = {clip.enter, normal * (1 / length(normal))};
  return true;
}

/// A flat hull of three corners or more. A ray in its plane meets its edge: other than a triangle it is a
/// solid, if a thin one.
bool ray_flat_hull(std::span<const Vec3> ring, const Frame& frame, const Line& line, Entry& entry) noexcept {
  const V3 first = frame(V3(ring[0]));
  V3 normal;
  double size = 0;
  for (std::size_t i = 1; i + 1 < ring.size(); ++i) {
    const V3 side = frame(V3(ring[i])) - first;
    normal = normal + cross(side, frame(V3(ring[i + 1])) - first);
    size = std::max(size, length(side));
  }
  const double area = length(normal);
  if (!(area > 0)) {
    return false;
  }
  normal = normal * (1 / area);
  const double height = dot(normal, line.origin - first), speed = dot(normal, line.way);
  const bool parallel = std::abs(speed) <= kParallel * length(line.way);
  if (parallel && std::abs(height) > 1e-9 * size) {
    return false;
  }
  const double t = parallel ? 0 : -height / speed;
  const V3 from = line.origin + line.way * t;
  Clip clip;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const V3 corner = frame(V3(ring[i]));
    const V3 outward = cross(frame(V3(ring[(i + 1) % ring.size()])) - corner, normal);
    clip.cut(dot(outward, from - corner), parallel ? dot(outward, line.way) : 0, outward);
  }
  if (!parallel) {
    entry = {t, normal * (speed < 0 ? 1.0 : -1.0)};
    return !clip.outside && t >= 0;
  }
  if (clip.inside()) {
    return starts_inside(entry);
  }
  entry = {clip.enter, clip.normal * (1 / length(clip.normal))};
  return clip.meets() && clip.enter >= 0;
}

struct RayConvex {
  const Frame& frame;
  const Line& line;
  Entry& entry;

  bool operator()(const Sphere& s) const noexcept {
    return ray_ball(frame(V3(s.center)), static_cast<double>(s.radius) * frame.scale, line, entry);
  }
  bool operator()(const Capsule& c) const noexcept {
    return ray_capsule(frame(V3(c.a)), frame(V3(c.b)), static_cast<double>(c.radius) * frame.scale, line,
                       entry);
  }
  bool operator()(const Box& box) const noexcept { return ray_box(PlacedBox(box, frame), line, entry); }
  bool operator()(const Triangle& t) const noexcept {
    const V3 corners[3] = {frame(V3(t.a)), frame(V3(t.b)), frame(V3(t.c))};
    return ray_triangle(corners, line, entry);
  }
  bool operator()(const ConvexHull& hull) const noexcept {
    const HullStore& store = Access::store(hull);
    if (!store.sides.empty()) {
      return ray_solid_hull(store, frame, line, entry);
    }
    return store.vertices.size() >= 3 ? ray_flat_hull(store.vertices, frame, line, entry)
                                      : ray_capsule(frame(V3(store.vertices.front())),
                                                    frame(V3(store.vertices.back())), 0, line, entry);
  }
  template <class NotConvex>
  bool operator()(const NotConvex& /*shape*/) const noexcept {
    return false;
  }
};

}  // namespace

bool ray_convex(const Shape& shape, const Frame& frame, const Line& line, Entry& entry) noexcept {
  return shape.visit(RayConvex{frame, line, entry}) && entry.t <= line.most;
}

}  // namespace juxta::shape_detail
