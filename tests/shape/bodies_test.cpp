// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Bodies of all kinds against asking each of them in turn, bit for bit, on every instruction set.
#include "juxta/shape/bodies.h"

#include <gtest/gtest.h>

#include "shape/bodies_world.h"
#include "support/counting_resource.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using test::BodiesWorld;
using test::built;
using test::kInf;
using test::kNan;

struct Asked {
  BodyQuery query;
  std::array<std::uint32_t, 3> ignored;

  Asked(scenes::Draws& draws, std::size_t bodies) {
    if (draws.below(2) == 0) {
      query.filter = {1U << draws.below(3), draws.below(8)};
    }
    for (std::uint32_t& body : ignored) {
      body = draws.below(static_cast<std::uint32_t>(bodies));
    }
    query.ignore = std::span(ignored).first(draws.below(4));
  }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;
};

// A ray somewhere through the world: with an end or without, long or short of direction, along an axis.
Ray3 draw_ray(scenes::Draws& draws, float side) {
  const Vec3 from = test::draw_vec(draws, -2, side + 2);
  const std::array<float, 6> scales{1, 1, 1, 5, 1e-25F, 1e25F};
  const float scale = scales[draws.below(6)];
  Vec3 way = test::draw_vec(draws, -1, 1) * scale;
  const std::uint32_t axis = draws.below(8);
  way.x = axis == 0 || axis == 1 ? 0 : way.x;
  way.y = axis == 0 || axis == 2 ? -0.0F : way.y;
  const float max = draws.below(2) == 0 ? kInf : draws.uniform(0, 10) / scale;
  return {{from.x, from.y, from.z}, {way.x, way.y, way.z}, max};
}

void expect_ray(const Bodies& bodies, const BodiesWorld& world, const Ray3& ray, const BodyQuery& query) {
  const auto right = test::hits_of_all<BodyRayHit>(
      world, query, [&](const Body& body) { return raycast(body.shape, body.at, ray); });
  const BodyRayHit first = right.empty() ? BodyRayHit{} : right[0];
  ASSERT_TRUE(test::same_hit(bodies.raycast_closest(ray, query), first)) << first.body << " " << first.t;
  const BodyRayHit any = bodies.raycast_any(ray, query);
  ASSERT_EQ(any.hit, !right.empty());
  ASSERT_TRUE(!any.hit || std::any_of(right.begin(), right.end(),
                                      [&](const BodyRayHit& hit) { return test::same_hit(hit, any); }));
  for (const std::size_t room : {right.size() + 3, right.size() / 2}) {
    std::vector<BodyRayHit> out(room);
    const QueryResult result = bodies.raycast_all(ray, out, query);
    ASSERT_EQ(result.found, right.size());
    ASSERT_EQ(result.written, std::min(right.size(), room));
    ASSERT_TRUE(std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(result.written),
                           right.begin(), test::same_hit<BodyRayHit>));
  }
}

void expect_cast(const Bodies& bodies, const BodiesWorld& world, const Body& moving, const Vec3& way,
                 const BodyQuery& query) {
  const auto right = test::hits_of_all<BodyCastHit>(world, query, [&](const Body& body) {
    return cast(moving.shape, moving.at, way, body.shape, body.at);
  });
  const BodyCastHit first = right.empty() ? BodyCastHit{} : right[0];
  const BodyCastHit got = bodies.cast_closest(moving.shape, moving.at, way, query);
  ASSERT_TRUE(test::same_hit(got, first))
      << first.body << " at " << first.t << ", not " << got.body << " at " << got.t;
  const BodyCastHit any = bodies.cast_any(moving.shape, moving.at, way, query);
  ASSERT_EQ(any.hit, !right.empty());
  std::vector<BodyCastHit> out(right.size() / 2 + 1);
  const QueryResult result = bodies.cast_all(moving.shape, moving.at, way, out, query);
  ASSERT_EQ(result.found, right.size());
  ASSERT_EQ(result.written, std::min(right.size(), out.size()));
  ASSERT_TRUE(std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(result.written),
                         right.begin(), test::same_hit<BodyCastHit>));
}

void expect_near(const Bodies& bodies, const BodiesWorld& world, const Body& asked, float most,
                 const BodyQuery& query) {
  const BodyDistance right = test::closest_of_all(world, query, asked.shape, asked.at, most);
  const BodyDistance got = bodies.closest(asked.shape, asked.at, most, query);
  ASSERT_EQ(got.found, right.found) << most;
  ASSERT_EQ(got.body, right.body) << got.distance << " " << right.distance;
  ASSERT_EQ(got.distance, right.distance);
  ASSERT_EQ(got.on_a, right.on_a);
  ASSERT_EQ(got.on_b, right.on_b);
  ASSERT_EQ(got.normal, right.normal);

  std::vector<std::uint32_t> touched;
  for (std::uint32_t i = 0; i < world.bodies.size(); ++i) {
    if (world.meets(i, query) && overlaps(asked.shape, asked.at, world.bodies[i].shape, world.bodies[i].at)) {
      touched.push_back(i);
    }
  }
  std::vector<std::uint32_t> out(touched.size() / 2 + 1);
  const QueryResult result = bodies.overlaps(asked.shape, asked.at, out, query);
  ASSERT_EQ(result.found, touched.size());
  touched.resize(std::min(touched.size(), out.size()));
  out.resize(result.written);
  ASSERT_EQ(out, touched);
}

Body draw_convex(const BodiesWorld& world, scenes::Draws& draws) {
  for (;;) {
    Body body = world.bodies[draws.below(static_cast<std::uint32_t>(world.bodies.size()))];
    if (body.shape.convex()) {
      body.at.position = test::draw_vec(draws, -1, world.side + 1);
      return body;
    }
  }
}

void ask_everything(const Bodies& bodies, const BodiesWorld& world, scenes::Draws& draws, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    const Asked asked(draws, world.bodies.size());
    ASSERT_NO_FATAL_FAILURE(expect_ray(bodies, world, draw_ray(draws, world.side), asked.query));
    const Body moving = draw_convex(world, draws);
    const float far = draws.below(4) == 0 ? 0 : draws.uniform(0, world.side);
    ASSERT_NO_FATAL_FAILURE(
        expect_cast(bodies, world, moving, test::draw_vec(draws, -1, 1) * far, asked.query));
    const float most = draws.below(3) == 0 ? kInf : draws.uniform(0, 2);
    ASSERT_NO_FATAL_FAILURE(expect_near(bodies, world, draw_convex(world, draws), most, asked.query));
  }
}

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

/// Rays along faces and through corners of boxes: the search must leave what they graze to the exact test.
TEST(Bodies, GrazedBodiesAreFound) {
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
      }
    }
  }
  EXPECT_GT(hits, 0U);
}

/// From so far away that t is rounded by more than the bodies' boxes are: the search must allow for it.
TEST(Bodies, EdgesAreFoundFromAfar) {
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
    options.executor = executor;
    const auto done = bodies.raycast_closest(rays, workspace, out, options);
    ASSERT_TRUE(done);
    std::size_t found = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      ASSERT_TRUE(test::same_hit(out[i], bodies.raycast_closest(rays[i], {options.filter, {}}))) << i;
      found += out[i] ? 1U : 0U;
    }
    ASSERT_GT(found, 100U);
    ASSERT_EQ(done->found, found);
    ASSERT_FALSE(bodies.raycast_closest(rays, workspace, std::span(out).first(3), options));
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
    ASSERT_TRUE(bodies.move(at));
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
  EXPECT_EQ(refused.error().code, ErrorCode::kNotFinite);
  std::vector<Qvvs> at(99);
  ASSERT_FALSE(bodies.move(at));
  at.resize(100);
  at[33].scale = 0;
  const auto unmoved = bodies.move(at);
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
    EXPECT_FALSE(bodies.closest(Sphere{{}, 1}, {}, kInf));
    EXPECT_EQ(bodies.overlaps(Sphere{{}, 1}, {}, {}).found, 0U);
    EXPECT_EQ(bodies.find_contacts(workspace, {}, 1).found, 0U);
    std::vector<BodyRayHit> out(1);
    EXPECT_TRUE(bodies.raycast_closest(std::span(&ray, 1), workspace, out));
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
  EXPECT_FALSE(bodies.closest(Sphere{{}, 1}, {}, -1));
  EXPECT_FALSE(bodies.closest(Sphere{{}, 1}, {}, kNan));
  BodyQuery nobody;
  nobody.filter.mask = 0;
  EXPECT_FALSE(bodies.closest(Sphere{{}, 1}, {}, kInf, nobody));
  EXPECT_TRUE(bodies.closest(Sphere{{}, 1}, {}, kInf));
}

/// Of bodies at one t or distance the lowest, wherever the layer has put them.
TEST(Bodies, TiesGoToTheLowestBody) {
  BodiesWorld world(64, 61, false);
  for (Body& body : world.bodies) {
    body = {Sphere{{}, 0.5F}, {}};
  }
  const Bodies bodies = built(world);
  const Ray3 ray{{-3, 0, 0}, {1, 0, 0}};
  const std::array<std::uint32_t, 2> first_two{0, 1};
  BodyQuery query;
  EXPECT_EQ(bodies.raycast_closest(ray).body, 0U);
  EXPECT_EQ(bodies.closest(Sphere{{3, 0, 0}, 1}, {}, kInf).body, 0U);
  query.ignore = first_two;
  EXPECT_EQ(bodies.raycast_closest(ray, query).body, 2U);
  EXPECT_EQ(bodies.cast_closest(Sphere{{}, 0.1F}, {{}, {-3, 0, 0}}, {5, 0, 0}, query).body, 2U);
  EXPECT_EQ(bodies.closest(Sphere{{3, 0, 0}, 1}, {}, kInf, query).body, 2U);
}

/// The same where lanes are not in the order of bodies: they changed places, and the layer kept its order.
TEST(Bodies, TiesGoToTheLowestBodyAfterMoves) {
  for (const bool turned : {false, true}) {
    BodiesWorld world(16, 62, false);
    std::vector<Qvvs> at(16);
    for (std::size_t i = 0; i < 16; ++i) {
      world.bodies[i] = {Box{{}, {}, {0.5F, 0.5F, 0.5F}}, {}};
      world.bodies[i].at.position.x = static_cast<float>(turned ? 15 - i : i) * 3;
    }
    Bodies bodies = built(world);
    ASSERT_TRUE(bodies.move(at));
    EXPECT_EQ(bodies.layer().stats().sorts, 1U);
    EXPECT_EQ(bodies.raycast_closest({{-3, 0.1F, 0.2F}, {1, 0, 0}}).body, 0U);
    EXPECT_EQ(bodies.cast_closest(Sphere{{}, 0.1F}, {{}, {-3, 0, 0}}, {5, 0, 0}).body, 0U);
    EXPECT_EQ(bodies.closest(Sphere{{3, 0, 0}, 1}, {}, kInf).body, 0U);
  }
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
  (void)bodies.find_contacts(workspace, out, 0.1F);
  workspace.reset();
  (void)bodies.find_contacts(workspace, out, 0.1F);
  const std::size_t calls = resource.calls();
  ASSERT_GT(calls, 0U);
  ASSERT_TRUE(bodies.rebuild(world.bodies, world.options()));
  ASSERT_TRUE(bodies.move(at));
  (void)bodies.find_contacts(workspace, out, 0.1F);
  scenes::Draws draws(72);
  ASSERT_NO_FATAL_FAILURE(ask_everything(bodies, world, draws, 20));
  EXPECT_EQ(resource.calls(), calls);
}

}  // namespace
}  // namespace juxta
