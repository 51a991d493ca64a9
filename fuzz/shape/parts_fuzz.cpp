// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Hulls of any points, meshes with any indices, height fields with holes: built or refused, and what is built
// answers as its triangles do one by one.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "fuzz/check.h"
#include "fuzz/shape/shape_draw.h"
#include "juxta/shape/query.h"

namespace juxta::fuzz {
namespace {

double wide(float x) {
  return static_cast<double>(x);
}

/// No point lies outside of a plane, and every vertex is one of the points.
void hull(ShapeDraw& draw) {
  const std::vector<Vec3> points = draw.points(24);
  const auto built = ConvexHull::build(points);
  bool finite = true;
  float reach = 0;
  for (const Vec3& p : points) {
    finite = finite && is_finite(p);
    reach = std::max({reach, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  }
  JUXTA_FUZZ_CHECK(built.has_value() == (finite && !points.empty()));
  if (!built || !(reach < 1e12F)) {
    return;
  }
  JUXTA_FUZZ_CHECK(!built->vertices().empty());
  for (const Plane3& plane : built->faces()) {
    const double x = wide(plane.normal.x), y = wide(plane.normal.y), z = wide(plane.normal.z);
    JUXTA_FUZZ_CHECK(std::abs(x * x + y * y + z * z - 1) < 1e-5);
    for (const Vec3& p : points) {
      JUXTA_FUZZ_CHECK(x * wide(p.x) + y * wide(p.y) + z * wide(p.z) + wide(plane.offset) <=
                       1e-5 * wide(reach));
    }
  }
  for (const Vec3& v : built->vertices()) {
    JUXTA_FUZZ_CHECK(std::find(points.begin(), points.end(), v) != points.end());
  }
  JUXTA_FUZZ_CHECK(mass_of(*built).volume >= -1e-9 * wide(reach) * wide(reach) * wide(reach));
}

/// When the ray meets the triangle beyond doubt: not at its start, not at an edge, not along it. A mesh is
/// asked in its own coordinates, which rounds the ray once more. An infinity: it does not.
float clear_hit(const Triangle& t, const Qvvs& at, const Ray3& ray) {
  const float none = std::numeric_limits<float>::infinity();
  const Vec3 middle = (t.a + t.b + t.c) * (1.0F / 3);
  const auto inwards = [&](const Vec3& p) { return p + (middle - p) * 0.01F; };
  const Vec3 u = t.b - t.a, v = t.c - t.a, n = cross(u, v);
  const auto squared = [](const Vec3& w) { return w.x * w.x + w.y * w.y + w.z * w.z; };
  const float longest = std::max(squared(u), std::max(squared(v), squared(t.c - t.b)));
  if (!(squared(n) > 1e-3F * longest * longest)) {
    return none;
  }
  const SurfaceHit hit = raycast(Triangle{inwards(t.a), inwards(t.b), inwards(t.c)}, at, ray);
  const Vec3 way{ray.direction[0], ray.direction[1], ray.direction[2]};
  const float along = hit.normal.x * way.x + hit.normal.y * way.y + hit.normal.z * way.z;
  const bool clear = hit && along * along > 1e-3F * squared(way) && hit.t * std::sqrt(squared(way)) > 1e-3F;
  return clear ? hit.t : none;
}

bool same_bits(const Vec3& a, const Vec3& b) {
  return std::memcmp(&a, &b, sizeof(a)) == 0;
}

/// One ray, one of many, and whether anything is hit: three ways through the same steps.
void compare_ways(const Shape& surface, const Qvvs& at, const Ray3& ray, const SurfaceHit& got) {
  const std::array rays{ray, ray};
  std::array<SurfaceHit, 2> many;
  JUXTA_FUZZ_CHECK(raycast(surface, at, rays, many));
  JUXTA_FUZZ_CHECK(many[1].hit == got.hit && raycast_any(surface, at, ray) == got.hit);
  JUXTA_FUZZ_CHECK(many[1].part == got.part && std::memcmp(&many[1].t, &got.t, sizeof(got.t)) == 0);
  JUXTA_FUZZ_CHECK(same_bits(many[1].point, got.point) && same_bits(many[1].normal, got.normal));
}

/// The surface and all of its triangles, each as a shape of its own.
void compare(const Shape& surface, const std::vector<Triangle>& triangles, ShapeDraw& draw) {
  const Qvvs at = draw.place(true);
  if (!check_shape(surface, at)) {
    return;
  }
  for (int question = 0; question < 4; ++question) {
    const Vec3 from = draw.vector(), way = draw.vector();
    const Ray3 ray{{from.x, from.y, from.z}, {way.x, way.y, way.z}};
    const SurfaceHit got = raycast(surface, at, ray);
    compare_ways(surface, at, ray, got);
    Ray3 ended = ray;  // at the surface, or a step of floats before
    ended.max = question % 2 == 0 ? got.t : std::nextafter(got.t, 0.0F);
    compare_ways(surface, at, ended, raycast(surface, at, ended));
    if (!is_finite(from) || !is_finite(way)) {
      JUXTA_FUZZ_CHECK(!got.hit);
      continue;
    }
    float first = std::numeric_limits<float>::infinity();
    for (const Triangle& t : triangles) {
      first = std::min(first, clear_hit(t, at, ray));
    }
    Qvvs there;
    there.position = from;
    const float radius = std::min(draw.positive(), 4.0F);
    if (!check_shape(Sphere{{}, radius}, there) || draw.wild()) {
      continue;
    }
    if (first < 1e6F) {
      JUXTA_FUZZ_CHECK(got.hit && wide(got.t) <= wide(first) + 1e-3 * (1 + wide(first)));
    }
    float nearest = std::numeric_limits<float>::infinity();
    for (const Triangle& t : triangles) {
      nearest = std::min(nearest, closest(Sphere{{}, radius}, there, t, at).distance);
    }
    const ClosestPoints near = closest(Sphere{{}, radius}, there, surface, at);
    JUXTA_FUZZ_CHECK(near.found == (nearest < std::numeric_limits<float>::infinity()));
    JUXTA_FUZZ_CHECK(!near.found ||
                     std::abs(wide(near.distance) - wide(nearest)) <= 1e-4 * (1 + std::abs(wide(nearest))));
    const CastHit hit = cast(Sphere{{}, radius}, there, way, surface, at);
    JUXTA_FUZZ_CHECK(!hit.hit || (hit.t >= 0 && hit.t <= 1));
    JUXTA_FUZZ_CHECK(!(nearest < -1e-3F) || (hit.hit && hit.t == 0));
    static_cast<void>(contains(surface, at, from));
  }
}

void mesh(ShapeDraw& draw) {
  std::vector<Vec3> vertices;
  for (const Vec3& p : draw.points(16)) {
    vertices.push_back({p.x, p.y, p.z});
  }
  const auto count = static_cast<std::uint32_t>(vertices.size());
  std::vector<std::array<std::uint32_t, 3>> triangles(draw.below(40));
  const std::uint32_t bound = draw.below(8) == 0 ? count + 2 : std::max(count, 1U);
  bool sound = true;
  for (auto& t : triangles) {
    for (std::uint32_t& corner : t) {
      corner = draw.below(bound);
      sound = sound && corner < count;
    }
  }
  for (const auto& v : vertices) {
    sound = sound && is_finite(Vec3{v[0], v[1], v[2]});
  }
  const auto built = TriangleMesh::build(vertices, triangles);
  JUXTA_FUZZ_CHECK(built.has_value() == sound);
  if (!built) {
    return;
  }
  JUXTA_FUZZ_CHECK(built->triangle_count() == triangles.size());
  std::vector<Triangle> each;
  for (std::uint32_t i = 0; i < triangles.size(); ++i) {
    each.push_back(built->triangle(i));
  }
  compare(*built, each, draw);
}

void field(ShapeDraw& draw) {
  const std::uint32_t columns = draw.below(7), rows = draw.below(7);
  std::vector<float> heights(std::size_t{columns} * rows + (draw.below(16) == 0 ? 1 : 0));
  bool infinite = false;
  for (float& h : heights) {
    h = draw.below(10) == 0 ? std::numeric_limits<float>::quiet_NaN() : draw.number();
    infinite = infinite || std::isinf(h);
  }
  const float cell = draw.number();
  const auto built = HeightField::build(columns, rows, cell, heights);
  const bool sound = columns >= 2 && rows >= 2 && heights.size() == std::size_t{columns} * rows && cell > 0 &&
                     std::isfinite(cell) && !infinite;
  JUXTA_FUZZ_CHECK(!built.has_value() || sound);
  JUXTA_FUZZ_CHECK(built.has_value() || !sound || draw.wild());
  if (!built) {
    return;
  }
  std::vector<Triangle> each;
  for (std::uint32_t i = 0; i < 2 * (columns - 1) * (rows - 1); ++i) {
    const Triangle t = built->triangle(i);
    if (t.a.y == t.a.y && t.b.y == t.b.y && t.c.y == t.c.y) {
      each.push_back(t);
    }
  }
  compare(*built, each, draw);
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  juxta::fuzz::ShapeDraw draw(data, size);
  juxta::fuzz::hull(draw);
  juxta::fuzz::mesh(draw);
  juxta::fuzz::field(draw);
  return 0;
}
