// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Bodies of all kinds against asking each of them in turn, bit for bit, on every instruction set.
#include "juxta/shape/bodies.h"
#include "juxta/core/workspace.h"

#include <gtest/gtest.h>

#include "shape/bodies_compare.h"
#include "support/code_of.h"
#include "support/counting_resource.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using test::ask_everything;
using test::BodiesWorld;
using test::built;
using test::draw_convex;
using test::draw_ray;
using test::expect_cast;
using test::expect_near;
using test::expect_ray;
using test::kInf;
using test::kNan;

TEST(Bodies, EqualAskingEach) {
  test::for_each_isa([](Isa) {
    for (const std::size_t count : {1U, 16U, 17U, 300U, 2000U}) {
      SCOPED_TRACE(count);
      const BodiesWorld world(count, count, count % 2 == 0);
      scenes::Draws draws(count + 7);
      ASSERT_NO_FATAL_FAILURE(ask_everything(built(world), world, draws, count > 1000 ? 60 : 120));
    }
  });
}

TEST(Bodies, EqualAskingEachFarFromTheOrigin) {
  BodiesWorld world(500, 5, false);
  for (Body& body : world.bodies) {
    body.at.position = body.at.position + Vec3{1000, -2000, 500};
  }
  const Bodies bodies = built(world);
  scenes::Draws draws(6);
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    Ray3 ray = draw_ray(draws, world.side);
    ray.origin[0] += 1000;
    ray.origin[1] -= 2000;
    ray.origin[2] += 500;
    ASSERT_NO_FATAL_FAILURE(expect_ray(bodies, world, ray, {}));
    Body moving = draw_convex(world, draws);
    moving.at.position = moving.at.position + Vec3{1000, -2000, 500};
    ASSERT_NO_FATAL_FAILURE(expect_cast(bodies, world, moving, test::draw_vec(draws, -9, 9), {}));
    ASSERT_NO_FATAL_FAILURE(expect_near(bodies, world, moving, 1, {}));
  }
}

TEST(Bodies, BatchEqualsSingleRays) {
  const BodiesWorld world(3000, 9, true);
  scenes::Draws draws(10);
  std::vector<Ray3> rays(1500);
  for (Ray3& ray : rays) {
    ray = draw_ray(draws, world.side);
  }
  rays[7].origin[1] = kNan;
  rays[8].max = -1;
  BatchOptions options;
  options.filter = {7, 6};
  test::for_each_executor([&](const Executor* executor) {
    const Bodies bodies = built(world, executor);
    Workspace workspace;
    std::vector<BodyRayHit> out(rays.size());
    const auto done =
        bodies.raycast_closest(rays, out, options, {.executor = executor, .workspace = &workspace});
    ASSERT_TRUE(done);
    std::size_t found = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      ASSERT_TRUE(test::same_hit(out[i], bodies.raycast_closest(rays[i], {options.filter, {}}))) << i;
      found += out[i] ? 1U : 0U;
    }
    ASSERT_GT(found, 100U);
    ASSERT_EQ(done->found, found);
    ASSERT_FALSE(bodies.raycast_closest(rays, std::span(out).first(3), options,
                                        {.executor = executor, .workspace = &workspace}));
  });
}

TEST(Bodies, MovedEqualAskingEach) {
  BodiesWorld world(600, 31, true);
  Bodies bodies = built(world);
  scenes::Draws draws(32);
  for (int frame = 0; frame < 4; ++frame) {
    std::vector<Qvvs> at;
    for (Body& body : world.bodies) {
      // A little, then anywhere: refits and sorts.
      body.at.position = frame < 2 ? body.at.position + test::draw_vec(draws, -0.3F, 0.3F)
                                   : test::draw_vec(draws, 0, world.side);
      at.push_back(body.at);
    }
    ASSERT_TRUE(bodies.refit(at));
    ASSERT_EQ(bodies.body(17).at, world.bodies[17].at);
    ASSERT_NO_FATAL_FAILURE(ask_everything(bodies, world, draws, 40));
  }
}

TEST(Bodies, RefusedOnesChangeNothing) {
  BodiesWorld world(100, 41, false);
  Bodies bodies = built(world);
  scenes::Draws draws(42);
  std::vector<Body> broken = world.bodies;
  broken[90].shape = Sphere{{}, -1};
  broken[60].at.position.y = kNan;
  const auto refused = bodies.rebuild(broken);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().index, 60U);
  EXPECT_EQ(test::code_of(refused), ErrorCode::kNotFinite);
  std::vector<Qvvs> at(99);
  ASSERT_FALSE(bodies.refit(at));
  at.resize(100);
  at[33].scale = 0;
  const auto unmoved = bodies.refit(at);
  ASSERT_FALSE(unmoved);
  EXPECT_EQ(unmoved.error().index, 33U);
  ASSERT_NO_FATAL_FAILURE(ask_everything(bodies, world, draws, 40));
}

TEST(Bodies, NothingThere) {
  Bodies bodies;
  Workspace workspace;
  const Ray3 ray{{0, 0, 0}, {1, 0, 0}};
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(bodies.size(), 0U);
    EXPECT_FALSE(bodies.raycast_closest(ray));
    EXPECT_FALSE(bodies.raycast_any(ray));
    EXPECT_EQ(bodies.raycast_all(ray, {}).found, 0U);
    EXPECT_FALSE(bodies.cast_closest(Sphere{{}, 1}, {}, {1, 0, 0}));
    EXPECT_FALSE(bodies.nearest(Sphere{{}, 1}, {}, kInf));
    EXPECT_EQ(bodies.find_all(Sphere{{}, 1}, {}, {}).found, 0U);
    EXPECT_EQ(bodies.find_contacts(1, {}, {}, {.workspace = &workspace})->found, 0U);
    std::vector<BodyRayHit> out(1);
    EXPECT_TRUE(bodies.raycast_closest(std::span(&ray, 1), out, {}, {.workspace = &workspace}));
    EXPECT_FALSE(out[0]);
    ASSERT_TRUE(bodies.rebuild({}));
  }
}

TEST(Bodies, QuestionsThatAskForNothing) {
  const BodiesWorld world(200, 51, false);
  const Bodies bodies = built(world);
  const Vec3 middle = world.bodies[0].at.position;
  EXPECT_FALSE(bodies.raycast_closest({{kNan, 0, 0}, {1, 0, 0}}));
  EXPECT_FALSE(bodies.raycast_closest({{0, 0, 0}, {kInf, 0, 0}}));
  EXPECT_FALSE(bodies.raycast_any({{middle.x, middle.y, middle.z}, {1, 0, 0}, -1}));
  EXPECT_FALSE(bodies.cast_any(Sphere{{}, 1}, {}, {kNan, 0, 0}));
  EXPECT_FALSE(bodies.cast_any(world.scene.meshes[0], world.bodies[0].at, {1, 0, 0}));
  EXPECT_FALSE(bodies.nearest(Sphere{{}, 1}, {}, -1));
  EXPECT_FALSE(bodies.nearest(Sphere{{}, 1}, {}, kNan));
  EXPECT_FALSE(bodies.nearest(Sphere{{}, 1}, {{}, {kNan, 0, 0}}, kInf));
  EXPECT_FALSE(bodies.cast_any(Sphere{{}, 1}, {{}, {0, 0, kNan}}, {1, 0, 0}));
  EXPECT_EQ(bodies.find_all(Sphere{{0, kInf, 0}, 1}, {}, {}).found, 0U);
  QueryOptions nobody;
  nobody.filter.mask = 0;
  EXPECT_FALSE(bodies.nearest(Sphere{{}, 1}, {}, kInf, nobody));
  EXPECT_TRUE(bodies.nearest(Sphere{{}, 1}, {}, kInf));
}

TEST(Bodies, AllocateNothingOnceBuilt) {
  const BodiesWorld world(1000, 71, true);
  test::CountingResource resource;
  Bodies bodies(&resource);
  ASSERT_TRUE(bodies.rebuild(world.bodies, world.options()));
  std::vector<Qvvs> at;
  for (const Body& body : world.bodies) {
    at.push_back(body.at);
  }
  Workspace workspace(&resource);
  std::vector<Bodies::Contact> out(100);
  (void)bodies.find_contacts(0.1F, out, {}, {.workspace = &workspace});
  workspace.reset();
  (void)bodies.find_contacts(0.1F, out, {}, {.workspace = &workspace});
  const std::size_t calls = resource.calls();
  ASSERT_GT(calls, 0U);
  ASSERT_TRUE(bodies.rebuild(world.bodies, world.options()));
  ASSERT_TRUE(bodies.refit(at));
  (void)bodies.find_contacts(0.1F, out, {}, {.workspace = &workspace});
  scenes::Draws draws(72);
  ASSERT_NO_FATAL_FAILURE(ask_everything(bodies, world, draws, 20));
  EXPECT_EQ(resource.calls(), calls);
}

/// What rays meet is apart from what contacts meet: docs/shape.md.
TEST(Bodies, RaysMeetOthersThanContacts) {
  enum : std::uint32_t { kSolid = 1, kSmoke = 2, kSight = 4 };
  const Box box{{}, {}, {1, 1, 1}};
  std::vector<Body> bodies;
  std::vector<Filter> filters;
  const auto add = [&](float x, float y, Filter filter) {
    bodies.push_back({box, {}});
    bodies.back().at.position = {x, y, 0};
    filters.push_back(filter);
  };
  add(0, 0, {kSolid, kSolid + kSight});  // a wall
  add(5, 0, {kSolid, kSolid});           // a window
  add(10, 0, {kSmoke, kSight});          // smoke
  for (const float x : {0.0F, 5.0F, 10.0F}) {
    add(x, 1.5F, {kSolid, kSolid});  // balls that lie in each
  }
  Bodies world;
  ASSERT_TRUE(world.rebuild(bodies, {.filters = filters}));
  const QueryOptions sight{.filter = {.category = kSight, .mask = kSolid + kSmoke}};
  const auto seen = [&](float x) { return world.raycast_closest({{x, 0, -9}, {0, 0, 1}}, sight).body; };
  EXPECT_EQ(seen(0), 0U);
  EXPECT_EQ(seen(5), kNoBody);
  EXPECT_EQ(seen(10), 2U);
  std::vector<Bodies::Contact> contacts(9);
  ASSERT_EQ(world.find_contacts(0, contacts).value().found, 2U);
  EXPECT_EQ((std::array{contacts[0].a, contacts[0].b, contacts[1].a, contacts[1].b}),
            (std::array{0U, 3U, 1U, 4U}));
}

}  // namespace
}  // namespace juxta
