// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// All surfaces on a ray, against each triangle and part asked alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "shape/random_shapes.h"
#include "shape/triangle_meshes.h"

namespace juxta {
namespace {

TEST(ShapeRaycastEvery, ABoxInABoxOfTriangles) {
  const std::vector<Compound::Part> parts{{Shape(Sphere{{0, 0, 4}, 1}), {}},
                                          {Shape(Triangle{{-5, -5, 2}, {5, -5, 2}, {0, 5, 2}}), {}},
                                          {Shape(Box{{0, 0, 4}, {}, {1, 1, 1}}), {}},
                                          {Shape(Sphere{{9, 9, 9}, 1}), {}}};
  const Compound compound = Compound::build(parts).value();
  std::vector<SurfaceHit> out(4);
  const Ray3 ray{{0, 0, 0}, {0, 0, 2}};
  QueryResult result = raycast_every(Shape(compound), {}, ray, out);
  ASSERT_EQ(result.found, 3U);
  ASSERT_EQ(result.written, 3U);
  EXPECT_EQ(out[0].t, 1);
  EXPECT_EQ(out[0].part.part, 1U);
  EXPECT_EQ(out[1].t, 1.5F);  // two at one t: the lower part first
  EXPECT_EQ(out[1].part.part, 0U);
  EXPECT_EQ(out[2].part.part, 2U);
  EXPECT_EQ(out[2].point, (Vec3{0, 0, 3}));
  EXPECT_EQ(out[2].normal, (Vec3{0, 0, -1}));
  result = raycast_every(Shape(compound), {}, ray, std::span(out).first(1));
  EXPECT_EQ(result.found, 3U);
  EXPECT_EQ(result.written, 1U);
  EXPECT_EQ(out[0].t, 1);
  EXPECT_EQ(raycast_every(Shape(compound), {}, {{0, 0, 0}, {0, 0, 2}, 1.25F}, {}).found, 1U);
  EXPECT_EQ(raycast_every(Shape(compound), {}, {{0, 0, 0}, {0, 0, std::nanf("")}}, {}).found, 0U);
}

TEST(ShapeRaycastEvery, TrianglesOfMeshesOneByOne) {
  test::RandomShapes random(65);
  for (const test::Kind kind : {test::Kind::kRandom, test::Kind::kSphere, test::Kind::kTerrain}) {
    scenes::Draws draws(7);
    const test::Soup soup = test::make_soup(kind, 500, draws);
    const TriangleMesh mesh = TriangleMesh::build(soup.vertices, soup.triangles).value();
    std::size_t most = 0, all = 0;
    for (int i = 0; i < 300; ++i) {
      Qvvs at;
      at.rotation = random.rotation();
      at.position = random.inside();
      at.scale = random.between(0.5F, 2);
      Ray3 ray{at.position + random.inside() * 3, {}};
      ray.direction = at.position + random.inside() * 0.5F - ray.origin;
      std::vector<SurfaceHit> got(1000);
      const QueryResult result = raycast_every(Shape(mesh), at, ray, got);
      ASSERT_LE(result.found, got.size());
      got.resize(result.written);
      std::vector<std::uint32_t> want;
      for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
        if (raycast(Shape(mesh.triangle(t)), at, ray)) {
          want.push_back(t);
        }
      }
      std::vector<std::uint32_t> numbers;
      for (const SurfaceHit& hit : got) {
        numbers.push_back(hit.part.triangle);
        const SurfaceHit alone = raycast(Shape(mesh.triangle(hit.part.triangle)), at, ray);
        ASSERT_TRUE(alone);
        EXPECT_NEAR(hit.t, alone.t, 1e-4F * (1 + alone.t));
      }
      std::sort(numbers.begin(), numbers.end());
      EXPECT_EQ(numbers, want) << name(kind) << ' ' << i;
      EXPECT_TRUE(std::is_sorted(got.begin(), got.end(),
                                 [](const SurfaceHit& a, const SurfaceHit& b) { return a.t < b.t; }));
      const SurfaceHit first = raycast(Shape(mesh), at, ray);
      EXPECT_EQ(first.hit, !got.empty());
      if (first.hit && !got.empty()) {
        EXPECT_EQ(first.t, got[0].t);
        EXPECT_EQ(first.point, got[0].point);
        EXPECT_EQ(first.normal, got[0].normal);
      }
      std::vector<SurfaceHit> few(2);
      const QueryResult part = raycast_every(Shape(mesh), at, ray, few);
      EXPECT_EQ(part.found, result.found);
      for (std::size_t k = 0; k < part.written; ++k) {
        EXPECT_EQ(few[k].part, got[k].part);
      }
      most = std::max(most, result.found);
      all += result.found;
    }
    EXPECT_GE(most, 2U) << name(kind);
    EXPECT_GT(all, 100U) << name(kind);
  }
}

// No crack and no end: a ray through a corner of a closed mesh meets the triangles around it.
TEST(ShapeRaycastEvery, CornersBelongToAllTrianglesThere) {
  const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
  const TriangleMesh fan =
      TriangleMesh::build(
          corners, std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}})
          .value();
  std::vector<SurfaceHit> out(8);
  EXPECT_EQ(raycast_every(Shape(fan), {}, {{0, 0, 5}, {0, 0, -1}}, out).found, 4U);
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(out[i].part.triangle, i);
    EXPECT_EQ(out[i].t, 5);
  }
}

}  // namespace
}  // namespace juxta
