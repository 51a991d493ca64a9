// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "shape/mesh_ray.h"

#include "shape/triangle_tree.h"

namespace juxta::shape_detail {

bool start_far(const MeshPlace& place, MeshRay& ray) noexcept {
  Extent box;
  box.lo = place.extent.lo;
  box.hi = place.extent.hi;
  const Stretch stretch(ray.unit, box.grown(place.extent.size * 1e-2));
  if (stretch.empty() || stretch.enter > ray.unit.most) {
    return false;
  }
  ray.enter = stretch.enter;
  const Vec3 from = (ray.unit.origin + ray.unit.way * stretch.enter).rounded();
  const Vec3 way = ray.unit.way.rounded();
  const double most = std::min(ray.unit.most, stretch.leave) - stretch.enter + place.extent.beyond();
  ray.cast = {from, way, narrowed(most)};
  return true;
}

bool make_mesh_ray(const MeshPlace& place, const Line& line, MeshRay& ray) noexcept {
  ray.unit = {place.frame.local_point(line.origin), place.frame.local_way(line.way), 0};
  ray.speed = length(ray.unit.way);
  if (!(ray.speed > 0) || place.extent.empty()) {
    return false;
  }
  // Of a component of 0 the sign would say which side of a box is met first: it is that of 0 everywhere.
  ray.unit.way = ray.unit.way * (1 / ray.speed) + V3(0, 0, 0);
  ray.unit.most = line.most * ray.speed;
  const V3 off = ray.unit.origin - place.extent.middle;
  if (!(std::abs(off.x) <= place.extent.reach.x && std::abs(off.y) <= place.extent.reach.y &&
        std::abs(off.z) <= place.extent.reach.z)) {
    return start_far(place, ray);
  }
  ray.enter = 0;
  const Vec3 from = ray.unit.origin.rounded(), way = ray.unit.way.rounded();
  const double most = std::min(ray.unit.most, place.extent.longest()) + place.extent.beyond();
  ray.cast = {from, way, narrowed(most)};
  return true;
}

// t is that of the triangle's plane, in doubles: the tree works in floats. Where the plane is met at so flat
// an angle that it answers something else, the tree's own t stays.
bool finish_mesh_ray(const MeshPlace& place, const Line& line, const MeshRay& ray, const TriangleHit& hit,
                     Entry& entry) noexcept {
  const TriangleBlock& block = place.triangles.tree().blocks[hit.slot / kBlockLanes];
  const auto corner = [&](std::size_t i) {
    const std::uint32_t lane = hit.slot % kBlockLanes;
    return V3(Vec3{block.corner[i][0][lane], block.corner[i][1][lane], block.corner[i][2][lane]});
  };
  const V3 a = corner(0), normal = cross(corner(1) - a, corner(2) - a);
  const double about = ray.enter + static_cast<double>(hit.t);
  const double exact = dot(normal, a - ray.unit.origin) / dot(normal, ray.unit.way);
  const double t = std::abs(exact - about) <= place.extent.trust() ? exact : about;
  if (t > ray.unit.most + place.extent.slack()) {
    return false;
  }
  entry.t = std::clamp(t / ray.speed, 0.0, line.most);
  entry.normal = place.frame.normal(normal);
  const double k = 1 / length(entry.normal);
  entry.normal = entry.normal * (dot(entry.normal, line.way) < 0 ? k : -k);
  return true;
}

}  // namespace juxta::shape_detail
