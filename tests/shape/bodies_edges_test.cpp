// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Bodies that are only just met, and bodies met at once.
#include <gtest/gtest.h>

#include <cmath>

#include "juxta/core/workspace.h"
#include "shape/bodies_compare.h"

namespace juxta {
namespace {

using test::BodiesWorld;
using test::built;
using test::expect_cast;
using test::expect_ray;
using test::kInf;

/// Rays along faces and through corners of boxes: the search must leave what they graze to the exact test.
TEST(BodiesEdges, GrazedBodiesAreFound) {
  BodiesWorld world(125, 1, false);
  for (std::uint32_t i = 0; i < 125; ++i) {
    const auto x = static_cast<float>(i % 5), y = static_cast<float>(i / 5 % 5),
               z = static_cast<float>(i / 25);
    world.bodies[i] = {Box{{}, {}, {0.3F, 0.3F, 0.3F}}, {}};
    world.bodies[i].at.position = {x, y, z};
  }
  const Bodies bodies = built(world);
  std::size_t hits = 0;
  for (int i = 0; i < 5; ++i) {
    for (const float from : {-17.3F, -1.1F, 40.7F}) {
      for (const float edge : {-0.3F, 0.3F}) {
        const float side = static_cast<float>(i) + edge, way = from < 0 ? 0.7F : -1.3F;
        const Ray3 along{{from, side, side}, {way, 0, 0}, kInf};
        ASSERT_NO_FATAL_FAILURE(expect_ray(bodies, world, along, {}));
        const Ray3 corner{{from, from, side}, {way, way, 0}, kInf};
        ASSERT_NO_FATAL_FAILURE(expect_ray(bodies, world, corner, {}));
        hits += bodies.raycast_closest(along) ? 1U : 0U;
        Body moving{Box{{}, {}, {0.2F, 0.2F, 0.2F}}, {}};
        moving.at.position = {from, side + (edge < 0 ? -0.2F : 0.2F), side};
        ASSERT_NO_FATAL_FAILURE(expect_cast(bodies, world, moving, {way * 60, 0, 0}, {}));
        ASSERT_NO_FATAL_FAILURE(expect_cast(bodies, world, moving, {way * 60, way * 60, 0}, {}));
      }
    }
  }
  EXPECT_GT(hits, 0U);
}

/// A direction of any length meets the same body, also where t is beyond float.
TEST(BodiesEdges, DirectionsOfAnyLength) {
  BodiesWorld world(27, 1, false);
  for (std::uint32_t i = 0; i < 27; ++i) {  // the nearest comes last
    world.bodies[i] = {Box{{}, {}, {0.3F, 0.3F, 0.3F}}, {}};
    world.bodies[i].at.position = {-static_cast<float>(i), static_cast<float>(i % 2) * 0.1F, 0};
  }
  const Bodies bodies = built(world);
  Workspace workspace;
  for (int power = -149; power < 128; ++power) {
    SCOPED_TRACE(power);
    const Ray3 ray{{-40.2F, 0.1F, 0.2F}, {std::ldexp(1.0F, power), std::ldexp(0.001F, power), 0}, kInf};
    const BodyRayHit hit = bodies.raycast_closest(ray);
    const double t = std::ldexp(13.9, -power);
    ASSERT_EQ(hit.body, 26U);
    ASSERT_TRUE(std::isinf(hit.t) ? t > 3.4e38 : std::abs(hit.t - t) <= 1e-5 * t + 1e-44) << hit.t;
    BodyRayHit first[1];
    ASSERT_EQ(bodies.raycast_all(ray, first).found, 27U);
    ASSERT_EQ(first[0].body, 26U);
    ASSERT_TRUE(bodies.raycast_any(ray));
    const Ray3 both[] = {ray, ray};
    BodyRayHit out[2];
    ASSERT_TRUE(bodies.raycast_closest(both, out, {}, {.workspace = &workspace}));
    ASSERT_EQ(out[1].body, 26U);
    ASSERT_EQ(out[1].t, hit.t);
    if (t < 1e38 && t > 1e-37) {
      Ray3 shorter = ray;
      shorter.max = static_cast<float>(t * 0.999);
      ASSERT_FALSE(bodies.raycast_any(shorter));
      shorter.max = static_cast<float>(t * 1.001);
      ASSERT_EQ(bodies.raycast_all(shorter, {}).found, 1U);
    }
  }
}

/// From so far away that t is rounded by more than the bodies' boxes are: the search must allow for it.
TEST(BodiesEdges, EdgesAreFoundFromAfar) {
  BodiesWorld world(27, 1, false);
  for (std::uint32_t i = 0; i < 27; ++i) {
    world.bodies[i] = {Box{{}, {}, {0.3F, 0.3F, 0.3F}}, {}};
    world.bodies[i].at.position = {static_cast<float>(i % 3), static_cast<float>(i / 3 % 3),
                                   static_cast<float>(i / 9)};
  }
  const Bodies bodies = built(world);
  scenes::Draws draws(3);
  std::size_t hits = 0;
  for (int i = 0; i < 20000; ++i) {
    Vec3 way = test::draw_vec(draws, -1, 1), edge = world.bodies[draws.below(27)].at.position;
    edge.x += draws.below(2) == 0 ? 0.3F : -0.3F;
    edge.y += draws.below(2) == 0 ? 0.3F : -0.3F;
    edge.z += draws.uniform(-0.3F, 0.3F);
    const Vec3 from = edge + way * -1e4F;
    const Ray3 ray{{from.x, from.y, from.z}, {way.x, way.y, way.z}, kInf};
    const auto right = test::hits_of_all<BodyRayHit>(
        world, {}, [&](const Body& body) { return raycast(body.shape, body.at, ray); });
    ASSERT_TRUE(test::same_hit(bodies.raycast_closest(ray), right.empty() ? BodyRayHit{} : right[0]));
    hits += right.empty() ? 0U : 1U;
  }
  EXPECT_GT(hits, 5000U);
}

/// The same for a large box that moves past small ones: how far it is from them is rounded by its own size.
TEST(BodiesEdges, LargeBoxesTouchSmallOnes) {
  BodiesWorld world(27, 1, false);
  for (std::uint32_t i = 0; i < 27; ++i) {
    world.bodies[i] = {Box{{}, {}, {0.001F, 0.001F, 0.001F}}, {}};
    world.bodies[i].at.position = {static_cast<float>(i % 3) * 0.1F, static_cast<float>(i / 3 % 3) * 0.1F,
                                   static_cast<float>(i / 9) * 0.1F};
  }
  const Bodies bodies = built(world);
  scenes::Draws draws(4);
  std::size_t hits = 0;
  for (int i = 0; i < 20000; ++i) {
    const Vec3 half = test::draw_vec(draws, 100, 1000), way = test::draw_vec(draws, -1, 1) * 1000;
    Body moving{Box{{}, {}, half}, {}};
    const Vec3 edge = world.bodies[draws.below(27)].at.position;
    // Its sides slide along theirs, or nearly.
    moving.at.position = {way.x > 0 ? edge.x - half.x - 100 : edge.x + half.x + 100,
                          edge.y + half.y + 0.001F - way.y * 100 / std::fabs(way.x),
                          edge.z - half.z - 0.001F - way.z * 100 / std::fabs(way.x)};
    const auto right = test::hits_of_all<BodyCastHit>(
        world, {}, [&](const Body& body) { return cast(moving.shape, moving.at, way, body.shape, body.at); });
    ASSERT_TRUE(test::same_hit(bodies.cast_closest(moving.shape, moving.at, way),
                               right.empty() ? BodyCastHit{} : right[0]));
    hits += right.empty() ? 0U : 1U;
  }
  EXPECT_GT(hits, 5000U);
}

/// Of bodies at one t or distance the lowest, wherever the layer has put them.
TEST(BodiesEdges, TiesGoToTheLowestBody) {
  BodiesWorld world(64, 61, false);
  for (Body& body : world.bodies) {
    body = {Sphere{{}, 0.5F}, {}};
  }
  const Bodies bodies = built(world);
  const Ray3 ray{{-3, 0, 0}, {1, 0, 0}};
  const std::array<std::uint32_t, 2> first_two{0, 1};
  QueryOptions query;
  EXPECT_EQ(bodies.raycast_closest(ray).body, 0U);
  EXPECT_EQ(bodies.nearest(Sphere{{3, 0, 0}, 1}, {}, kInf).body, 0U);
  query.ignore = first_two;
  EXPECT_EQ(bodies.raycast_closest(ray, query).body, 2U);
  EXPECT_EQ(bodies.cast_closest(Sphere{{}, 0.1F}, {{}, {-3, 0, 0}}, {5, 0, 0}, query).body, 2U);
  EXPECT_EQ(bodies.nearest(Sphere{{3, 0, 0}, 1}, {}, kInf, query).body, 2U);
}

/// The same where lanes are not in the order of bodies: they changed places, and the layer kept its order.
TEST(BodiesEdges, TiesGoToTheLowestBodyAfterMoves) {
  for (const bool turned : {false, true}) {
    BodiesWorld world(16, 62, false);
    std::vector<Qvvs> at(16);
    for (std::size_t i = 0; i < 16; ++i) {
      world.bodies[i] = {Box{{}, {}, {0.5F, 0.5F, 0.5F}}, {}};
      world.bodies[i].at.position.x = static_cast<float>(turned ? 15 - i : i) * 3;
    }
    Bodies bodies = built(world);
    ASSERT_TRUE(bodies.refit(at));
    EXPECT_EQ(bodies.layer().stats().sorts, 1U);
    EXPECT_EQ(bodies.raycast_closest({{-3, 0.1F, 0.2F}, {1, 0, 0}}).body, 0U);
    EXPECT_EQ(bodies.cast_closest(Sphere{{}, 0.1F}, {{}, {-3, 0, 0}}, {5, 0, 0}).body, 0U);
    EXPECT_EQ(bodies.nearest(Sphere{{3, 0, 0}, 1}, {}, kInf).body, 0U);
  }
}

}  // namespace
}  // namespace juxta
