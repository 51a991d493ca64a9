// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "juxta/shape/query.h"
#include "shape/convex.h"
#include "shape/placed.h"
#include "shape/surface.h"

namespace juxta {
namespace shape_detail {
namespace {

constexpr double kTouching = 1e-6;  // of the size

struct Flat {
  double u, v, w;  // w: along the ray
};

/// Twice the area of a, b and the point (0, 0). From b to a it is the same with the other sign, to the last
/// bit: the two triangles at an edge agree on which side of it the point lies, so one of them has it or none.
double side_of(const Flat& a, const Flat& b) noexcept {
  return a.u * b.v - a.v * b.u;
}

/// How often a ray from (0, 0, 0) along w passes through a triangle, upwards minus downwards. Points on an
/// edge count as if the ray ran a hair beside it.
int crossings(const Flat& a, const Flat& b, const Flat& c) noexcept {
  const auto turn = [](const Flat& p, const Flat& q) {
    if ((p.v > 0) == (q.v > 0)) {
      return 0;
    }
    const double area = side_of(p, q);  // the edge crosses v = 0; to the right of the point when ...
    return q.v > 0 ? (area > 0 ? 1 : 0) : (area < 0 ? -1 : 0);
  };
  const int winding = turn(a, b) + turn(b, c) + turn(c, a);
  if (winding == 0) {
    return 0;
  }
  if (std::max({a.w, b.w, c.w}) < 0) {
    return 0;
  }
  if (std::min({a.w, b.w, c.w}) > 0) {
    return winding;
  }
  const double x = side_of(b, c), y = side_of(c, a), z = side_of(a, b);
  return (x * a.w + y * b.w + z * c.w) * (x + y + z) > 0 ? winding : 0;
}

/// How often a closed surface winds around a point, seen along one axis.
int winding_along(const Triangles& triangles, V3 point, int axis) noexcept {
  const auto of_axis = [](V3 v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; };
  const Aabb3& bounds = triangles.bounds();
  Extent ray;
  ray.take(point);
  const double end = static_cast<double>(bounds.hi[axis]);
  ray.hi = {axis == 0 ? end : point.x, axis == 1 ? end : point.y, axis == 2 ? end : point.z};
  int winding = 0;
  triangles.visit(outward(ray), [&](std::uint32_t t) {
    const std::array<Vec3, 3> corners = triangles.corners(t);
    const auto flat = [&](std::size_t i) {
      const V3 p = V3(corners[i]) - point;
      return Flat{of_axis(p, (axis + 1) % 3), of_axis(p, (axis + 2) % 3), of_axis(p, axis)};
    };
    winding += crossings(flat(0), flat(1), flat(2));
    return true;
  });
  return winding;
}

/// Around a point, in coordinates of the mesh. Two axes agree but where the surface is as thin as rounding;
/// then the third decides.
bool inside_closed(const Triangles& triangles, V3 point) noexcept {
  const Aabb3& box = triangles.bounds();
  const bool out = point.x < static_cast<double>(box.lo[0]) || point.x > static_cast<double>(box.hi[0]) ||
                   point.y < static_cast<double>(box.lo[1]) || point.y > static_cast<double>(box.hi[1]) ||
                   point.z < static_cast<double>(box.lo[2]) || point.z > static_cast<double>(box.hi[2]);
  if (out) {
    return false;
  }
  const bool by_x = winding_along(triangles, point, 0) != 0;
  const bool by_y = winding_along(triangles, point, 1) != 0;
  return by_x == by_y ? by_x : winding_along(triangles, point, 2) != 0;
}

bool near_surface(const Surface& mesh, const Convex& point, double most) noexcept {
  bool found = false;
  mesh.visit_near(mesh.box_of(point), most, [&](std::uint32_t t) {
    Near near;
    found = found || closest_convex(point, convex_of(mesh.triangle(t)), most, near);
    return found ? -kFar : most;
  });
  return found;
}

bool in_box(const PlacedBox& box, V3 point) noexcept {
  const V3 p = box.along(point - box.center);
  const double most = kTouching * length(box.half);
  return std::abs(p.x) <= box.half.x + most && std::abs(p.y) <= box.half.y + most &&
         std::abs(p.z) <= box.half.z + most;
}

/// Below all planes, or no farther from the hull than most, as a length of the common frame. A point just
/// above two planes that meet at a sharp edge may be much farther from the edge than from either plane: then
/// the distance decides.
bool in_hull(const HullStore& hull, const Frame& frame, const Convex& point, const Convex& convex,
             double most) noexcept {
  const V3 p = frame.local_point({}) - hull.middle;
  bool below_all = true;
  for (const HullStore::Side& side : hull.sides) {
    const double above = dot(side.normal, p) - side.reach;
    if (above > most * length(frame.normal(side.normal))) {
      return false;
    }
    below_all = below_all && above <= 0;
  }
  Near near;
  return below_all || closest_convex(point, convex, most, near);
}

/// Everything in the frame whose origin is the point.
bool contains_point(const Placed& placed, const Convex& point) noexcept {
  const Surface mesh(placed);
  if (mesh.triangles != nullptr) {
    const Extent extent = mesh.extent();
    const double most = kTouching / 2 * length(extent.hi - extent.lo);
    const auto* solid = placed.shape->get_if<TriangleMesh>();
    return near_surface(mesh, point, most) || (solid != nullptr && solid->closed() &&
                                               inside_closed(*mesh.triangles, mesh.frame.local_point({})));
  }
  if (const auto* box = placed.shape->get_if<Box>()) {
    return in_box(PlacedBox(*box, placed.frame), {});
  }
  const Convex convex = convex_of(*placed.shape, placed.frame);
  const double most = kTouching * convex.size;
  const auto* hull = placed.shape->get_if<ConvexHull>();
  if (hull != nullptr && !hull->faces().empty()) {
    return in_hull(Access::store(*hull), placed.frame, point, convex, most);
  }
  Near near;
  return closest_convex(point, convex, most, near);
}

}  // namespace
}  // namespace shape_detail

bool contains(const Shape& shape, const Qvvs& at, const Vec3& point) {
  using namespace shape_detail;
  if (!is_finite(point)) {
    return false;
  }
  const Shape dot_shape{Sphere{}};
  const Convex here = convex_of(dot_shape, Frame());
  bool found = false;
  visit_parts(shape, Frame(at, V3(point)), [&](const Placed& part) {
    const Extent& e = part.extent;
    const double slack = part.part == kNoPart ? 0 : kTouching * length(e.hi - e.lo);
    Extent origin;
    origin.take(V3());
    found = !(gap(e, origin) > slack) && contains_point(part, here);
    return !found;
  });
  return found;
}

}  // namespace juxta
