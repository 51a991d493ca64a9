// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Rays against each kind. The distance of a point on a ray to a convex shape is a convex function of t: its
// least value says whether the ray hits, and its first root where. Triangles: all of them, one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "shape/frame.h"
#include "shape/oracle.h"
#include "shape/random_shapes.h"
#include "shape/triangle_meshes.h"

namespace juxta {
namespace {

using test::dot;
using test::length;
using test::V3;

Ray3 ray_of(V3 from, V3 way, float max = std::numeric_limits<float>::infinity()) {
  const Vec3 o = from.rounded(), d = way.rounded();
  return {{o.x, o.y, o.z}, {d.x, d.y, d.z}, max};
}
V3 origin_of(const Ray3& ray) {
  return V3(Vec3{ray.origin[0], ray.origin[1], ray.origin[2]});
}
V3 way_of(const Ray3& ray) {
  return V3(Vec3{ray.direction[0], ray.direction[1], ray.direction[2]});
}

/// Distance of the ray's point at t, below 0 inside.
struct Along {
  test::Solid solid;
  V3 from, way;
  double operator()(double t) const {
    test::Solid point;
    point.points = {from + way * t};
    return test::truth_of(point, solid).distance;
  }
};

double least_at(const Along& along, double low, double high) {
  for (int i = 0; i < 100; ++i) {
    const double a = low + (high - low) * 0.382, b = low + (high - low) * 0.618;
    along(a) <= along(b) ? high = b : low = a;
  }
  return (low + high) / 2;
}

double first_root(const Along& along, double outside, double inside) {
  for (int i = 0; i < 60; ++i) {
    const double t = (outside + inside) / 2;
    along(t) > 0 ? outside = t : inside = t;
  }
  return inside;
}

void expect_convex(test::RandomShapes& random, const test::Placed& placed, bool far) {
  const V3 origin = placed.at.position;
  const Along shape{placed.solid(origin), {}, {}};
  const double size = shape.solid.size;
  const V3 middle = shape.solid.points[0];
  const V3 from = V3(random.direction()) * (size * static_cast<double>(random.between(0, far ? 1000 : 5)));
  const V3 target = middle + V3(random.inside()) * size;
  const Ray3 ray = ray_of(origin + from, target - from);
  Along along = shape;
  along.from = origin_of(ray) - origin;
  along.way = way_of(ray);
  const SurfaceHit hit = raycast(placed.shape, placed.at, ray);
  const double speed = length(along.way), reach = length(along.from) + 10 * size;
  const bool inside = along(0) < -1e-6 * size;
  const double least = least_at(along, 0, reach / speed), depth = along(least);
  if (depth > 1e-6 * size) {
    EXPECT_FALSE(hit);
  } else if (inside) {
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit.t, 0);
    EXPECT_EQ(hit.normal, Vec3{});
  } else if (depth < -1e-6 * size && along(0) > 1e-6 * size) {
    ASSERT_TRUE(hit);
    const double t = first_root(along, 0, least);
    EXPECT_NEAR(static_cast<double>(hit.t), t, 1e-5 * size / speed + 1e-6 * t);
    EXPECT_LT(dot(V3(hit.normal), along.way), 0);
    EXPECT_NEAR(length(V3(hit.normal)), 1, 1e-6);
    // A step out along the normal leaves by as much.
    along.from = along.from + along.way * static_cast<double>(hit.t);
    along.way = V3(hit.normal);
    const double step = 0.01 * size;
    EXPECT_NEAR(along(step), step, 1e-2 * step + 1e-4 * size);
  }
}

TEST(Raycast, ConvexShapes) {
  test::RandomShapes random(11);
  for (int i = 0; i < 10000; ++i) {
    test::Placed placed = random.shape(random.size());
    if (i % 3 == 0) {
      placed.at.position = random.inside() * 1000;
    }
    if (placed.shape.kind() != ShapeKind::kTriangle) {
      expect_convex(random, placed, i % 2 == 0);
    }
  }
}

/// The nearest of all triangles, and whether the ray passes so close to the rim of one that it might as well
/// miss it.
struct Brute {
  double t = test::kFar;
  bool close = false;
};
Brute brute(const TriangleMesh& mesh, const shape_detail::Frame& frame, V3 from, V3 way, double most) {
  Brute best;
  for (std::uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    const Triangle local = mesh.triangle(i);
    const V3 a = frame(V3(local.a)), u = frame(V3(local.b)) - a, v = frame(V3(local.c)) - a;
    const V3 n = cross(u, v);
    const double det = dot(n, way);
    const bool flat = std::abs(det) <= 1e-3 * length(n) * length(way);
    const double t = dot(n, a - from) / det;
    const V3 p = from + way * t - a;
    const double s = dot(cross(p, v), n) / dot(n, n), r = dot(cross(u, p), n) / dot(n, n);
    const double rim = std::min({s, r, 1 - s - r});
    best.close = best.close || flat || (std::abs(rim) < 1e-3 && t >= 0);
    if (!flat && rim >= 0 && t >= 0 && t <= most) {
      best.t = std::min(best.t, t);
    }
  }
  return best;
}

TEST(Raycast, MeshesAgainstAllTriangles) {
  test::RandomShapes random(12);
  int hits = 0;
  for (const test::Kind kind : {test::Kind::kRandom, test::Kind::kSphere, test::Kind::kTerrain}) {
    const test::Soup soup = test::make_soup(kind, 200, random.draws());
    const TriangleMesh mesh = TriangleMesh::build(soup.vertices, soup.triangles).value();
    for (int i = 0; i < 3000; ++i) {
      Qvvs at;
      at.rotation = random.rotation();
      at.position = random.inside() * (i % 2 == 0 ? 2000.0F : 1.0F);
      at.scale = random.between(0.1F, 10);
      at.stretch = {random.between(0.5F, 2), 1, random.between(0.5F, 2)};
      const V3 origin = at.position;
      const shape_detail::Frame frame(at, origin);
      const double scale = static_cast<double>(at.scale), out = i % 3 == 0 ? 1000 : 3;
      const V3 from = V3(random.direction()) * (scale * out), target = V3(random.inside()) * scale;
      const Ray3 ray = ray_of(origin + from, target - from, i % 5 == 0 ? 1 : 100);
      const V3 start = origin_of(ray) - origin, way = way_of(ray);
      const Brute best = brute(mesh, frame, start, way, static_cast<double>(ray.max));
      if (best.close) {
        continue;
      }
      const SurfaceHit hit = raycast(mesh, at, ray);
      ASSERT_EQ(hit.hit, best.t < test::kFar) << i;
      if (hit) {
        ++hits;
        EXPECT_NEAR(static_cast<double>(hit.t), best.t, 2e-7 * best.t);
        const Triangle t = mesh.triangle(hit.part.triangle);
        const V3 a = frame(V3(t.a)), n = cross(frame(V3(t.b)) - a, frame(V3(t.c)) - a);
        EXPECT_NEAR(std::abs(dot(n, V3(hit.normal))), length(n), 1e-5 * length(n));
        EXPECT_LT(dot(V3(hit.normal), way), 0);
      }
    }
  }
  EXPECT_GT(hits, 1500);
}

TEST(Raycast, NoCracksInAClosedMesh) {
  test::RandomShapes random(13);
  const test::Soup soup = test::make_sphere(800);
  const TriangleMesh mesh = TriangleMesh::build(soup.vertices, soup.triangles).value();
  for (int i = 0; i < 20000; ++i) {
    Qvvs at;
    at.rotation = random.rotation();
    at.position = random.inside() * 1500;
    at.scale = random.between(0.1F, 10);
    const shape_detail::Frame frame(at, V3());
    const auto& corners =
        soup.triangles[random.draws().below(static_cast<std::uint32_t>(soup.triangles.size()))];
    const auto vertex = [&](std::size_t c) {
      const auto& v = soup.vertices[corners[c]];
      return frame(V3(Vec3{v[0], v[1], v[2]}));
    };
    const V3 aim = i % 2 == 0 ? vertex(0) : (vertex(0) + vertex(1)) * 0.5;
    const V3 middle = frame.position, from = middle + (aim - middle) * (i % 3 == 0 ? 900.0 : 2.0);
    const SurfaceHit hit = raycast(mesh, at, ray_of(from, aim - from));
    ASSERT_TRUE(hit);
    EXPECT_NEAR(static_cast<double>(hit.t), 1, 0.02);
  }
}

TEST(Raycast, HeightFieldsAndTheirHoles) {
  test::RandomShapes random(14);
  const std::uint32_t columns = 9, rows = 7;
  std::vector<float> heights(columns * rows);
  for (float& h : heights) {
    h = random.between(0, 1);
  }
  const std::uint32_t hole = 3 * columns + 4;
  heights[hole] = std::numeric_limits<float>::quiet_NaN();
  const HeightField field = HeightField::build(columns, rows, 0.5F, heights).value();
  int through = 0;
  for (int i = 0; i < 3000; ++i) {
    const float x = random.between(0, 3.999F), z = random.between(0, 2.999F);
    Qvvs at;
    at.position = {0, 100, 0};
    const SurfaceHit hit = raycast(field, at, {{x, 200, z}, {0, -2, 0}});
    // The height by hand, of the triangle under (x, z).
    const auto column = static_cast<std::uint32_t>(x * 2), row = static_cast<std::uint32_t>(z * 2);
    const float u = x * 2 - static_cast<float>(column), v = z * 2 - static_cast<float>(row);
    const std::uint32_t first = row * columns + column;
    const float h00 = heights[first], h11 = heights[first + columns + 1];
    const float other = heights[u > v ? first + 1 : first + columns];
    const float height = u > v ? h00 + (other - h00) * (u - v) + (h11 - h00) * v
                               : h00 + (other - h00) * (v - u) + (h11 - h00) * u;
    if (std::abs(u - v) < 1e-3F) {
      continue;
    }
    const std::uint32_t triangle = 2 * (row * (columns - 1) + column) + (u > v ? 0 : 1);
    if (std::isnan(height)) {
      ++through;
      EXPECT_FALSE(hit);
    } else {
      ASSERT_TRUE(hit);
      EXPECT_EQ(hit.part, (PartId{kNoPart, triangle}));
      EXPECT_NEAR(hit.point.y, 100 + height, 2e-5F);
      EXPECT_GT(hit.normal.y, 0);
    }
  }
  EXPECT_GT(through, 50);
}

TEST(Raycast, CompoundsAnswerWithTheFirstPart) {
  test::RandomShapes random(15);
  const test::Soup soup = test::make_sphere(100);
  const TriangleMesh mesh = TriangleMesh::build(soup.vertices, soup.triangles).value();
  int hits = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<Compound::Part> parts;
    for (int i = 0; i < 6; ++i) {
      const test::Placed one = random.shape(1);
      parts.push_back({i == 4 ? Shape(mesh) : one.shape, one.at});
      parts.back().at.position = random.inside() * 4;
    }
    const Compound compound = Compound::build(parts).value();
    Qvvs at;
    at.rotation = random.rotation();
    at.position = random.inside() * 100;
    at.scale = 2;
    const Ray3 ray = ray_of(V3(at.position) + V3(random.direction()) * 20, V3(random.direction()));
    const Ray3 aimed = ray_of(origin_of(ray), V3(at.position) - origin_of(ray) + way_of(ray) * 3);
    const SurfaceHit hit = raycast(compound, at, aimed);
    float best = std::numeric_limits<float>::infinity();
    std::uint32_t part = kNoPart;
    for (std::uint32_t i = 0; i < parts.size(); ++i) {  // each where it stands in the world
      const LocalTransform local{parts[i].at.rotation, parts[i].at.position, parts[i].at.scale};
      const SurfaceHit alone = raycast(parts[i].shape, mul(at, local, parts[i].at.stretch), aimed);
      if (alone.t < best) {
        best = alone.t;
        part = i;
      }
    }
    if (hit || part != kNoPart) {
      ++hits;
      EXPECT_EQ(hit.part.part, part);
      EXPECT_EQ(hit.part.triangle == kNoPart, part != 4);
      EXPECT_NEAR(hit.t, best, 1e-4F);
    }
  }
  EXPECT_GT(hits, 400);
  const Compound twins =
      Compound::build(
          std::vector<Compound::Part>{{Sphere{{5, 0, 0}, 1}, {}}, {Sphere{{}, 1}, {}}, {Sphere{{}, 1}, {}}})
          .value();
  EXPECT_EQ(raycast(twins, {}, {{0, 0, -3}, {0, 0, 1}}).part.part, 1U);
}

TEST(Raycast, WhatHitsNothing) {
  const Shape box{Box{{}, {}, {1, 1, 1}}}, triangle{Triangle{{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}};
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInf = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(raycast(box, {}, {{-3, 0, 0}, {1, 0, 0}}));
  EXPECT_FALSE(raycast(box, {}, {{-3, 0, 0}, {kInf, 0, 0}}));
  EXPECT_FALSE(raycast(box, {}, {{-3, kNaN, 0}, {1, 0, 0}}));
  EXPECT_FALSE(raycast(box, {}, {{-3, 0, 0}, {1, 0, 0}, kNaN}));
  EXPECT_FALSE(raycast(box, {}, {{-3, 0, 0}, {1, 0, 0}, -1}));
  EXPECT_FALSE(raycast(box, {}, {{-3, 0, 0}, {0, 0, 0}}));
  EXPECT_FALSE(raycast(box, {}, {{-3, 0, 0}, {-1, 0, 0}}));
  const SurfaceHit inside = raycast(box, {}, {{0.5F, 0, 0}, {0, 0, 0}});
  EXPECT_TRUE(inside.hit && inside.t == 0 && inside.normal == Vec3{});
  EXPECT_FALSE(raycast(box, {}, {{-3, 0, 0}, {1, 0, 0}, 1.999F}));
  EXPECT_TRUE(raycast(box, {}, {{-3, 0, 0}, {1, 0, 0}, 2}));
  EXPECT_TRUE(raycast(box, {}, {{-3, 1, 0}, {1, 0, 0}}));  // along a face: touching counts
  EXPECT_FALSE(raycast(box, {}, {{-3, 1.0001F, 0}, {1, 0, 0}}));
  EXPECT_TRUE(raycast(triangle, {}, {{0, 0, -3}, {0, 0, 1}}));
  EXPECT_FALSE(raycast(triangle, {}, {{-3, 0, 0}, {1, 0, 0}}));
  EXPECT_FALSE(raycast(triangle, {}, {{0, 0, 0}, {0, 0, 0}}));
}

TEST(Raycast, ThinSolids) {
  const std::vector<Vec3> square{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  const ConvexHull flat = ConvexHull::build(square).value();
  const SurfaceHit front = raycast(flat, {}, {{0.5F, -0.5F, -4}, {0, 0, 2}});
  ASSERT_TRUE(front);
  EXPECT_EQ(front.t, 2);
  EXPECT_EQ(front.normal, (Vec3{0, 0, -1}));
  EXPECT_FALSE(raycast(flat, {}, {{1.5F, 0, -4}, {0, 0, 2}}));
  const SurfaceHit edge = raycast(flat, {}, {{-3, 0.25F, 0}, {1, 0, 0}});
  ASSERT_TRUE(edge);
  EXPECT_EQ(edge.t, 2);
  EXPECT_EQ(edge.normal, (Vec3{-1, 0, 0}));
  EXPECT_EQ(raycast(flat, {}, {{0, 0.25F, 0}, {1, 0, 0}}).t, 0);
  EXPECT_FALSE(raycast(flat, {}, {{-3, 0.25F, 0.5F}, {1, 0, 0}}));
  const SurfaceHit point = raycast(Sphere{{0.1F, 0.2F, 0.3F}, 0}, {}, {{3.1F, 0.2F, 0.3F}, {-1, 0, 0}});
  ASSERT_TRUE(point);
  EXPECT_EQ(point.normal, (Vec3{1, 0, 0}));
  const SurfaceHit line = raycast(Capsule{{0, -1, 0}, {0, 1, 0}, 0}, {}, {{-2, 0.5F, 0}, {1, 0, 0}});
  ASSERT_TRUE(line);
  EXPECT_EQ(line.t, 2);
  EXPECT_FALSE(raycast(Capsule{{0, -1, 0}, {0, 1, 0}, 0}, {}, {{-2, 1.5F, 0}, {1, 0, 0}}));
}

}  // namespace
}  // namespace juxta
