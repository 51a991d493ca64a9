// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Many questions at once: the bits of asking one after the other, for any executor and instruction set.
#include <gtest/gtest.h>

#include "juxta/core/workspace.h"
#include "juxta/shape/bodies.h"
#include "layer/narrow.h"
#include "shape/bodies_compare.h"
#include "shape/triangle_meshes.h"
#include "support/code_of.h"
#include "support/counting_resource.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using test::BodiesWorld;
using test::built;
using test::draw_vec;
using test::kInf;
using test::kNan;

/// How many hit.
std::size_t expect_rays(const Bodies& bodies, std::span<const Ray3> rays, const BatchOptions& options) {
  Workspace workspace;
  std::vector<BodyRayHit> out(rays.size(), BodyRayHit{{true, 1, {}, {}, {}}, 3});
  const auto done = bodies.raycast_closest(rays, out, options, {.workspace = &workspace});
  EXPECT_TRUE(done);
  std::size_t found = 0;
  for (std::uint32_t i = 0; i < rays.size(); ++i) {
    const test::SingleOptions single(options, i);
    const BodyRayHit right = bodies.raycast_closest(rays[i], single.options());
    EXPECT_TRUE(test::same_hit(out[i], right))
        << i << ": body " << out[i].body << " at " << out[i].t << ", not " << right.body << " at " << right.t;
    found += right ? 1U : 0U;
    if (testing::Test::HasFailure()) {
      return found;
    }
  }
  EXPECT_EQ(done->found, found);
  EXPECT_EQ(done->written, rays.size());
  return found;
}

/// A camera's rays in squares of 4 x 4, or mixed up.
std::vector<Ray3> draw_picture(scenes::Draws& draws, float side, std::size_t count, bool mixed) {
  const Vec3 eye = draw_vec(draws, -side, 0), right = draw_vec(draws, -1, 1), up = draw_vec(draws, -1, 1);
  const Vec3 forward = draw_vec(draws, 0, side) - eye;
  std::vector<Ray3> rays;
  for (std::size_t i = 0; i < count; ++i) {
    const float x = static_cast<float>(i / 16 % 8 * 4 + i % 4) - 16,
                y = static_cast<float>(i / 128 * 4 + i / 4 % 4) - 16;
    const Vec3 way = forward + right * (x * side / 32) + up * (y * side / 32);
    rays.push_back({{eye.x, eye.y, eye.z}, {way.x, way.y, way.z}, i % 7 == 0 ? 1.1F : kInf});
  }
  for (std::size_t i = count; mixed && i > 1; --i) {
    std::swap(rays[i - 1], rays[draws.below(static_cast<std::uint32_t>(i))]);
  }
  return rays;
}

TEST(BodiesBatch, PicturesEqualSingleRays) {
  test::for_each_isa([](Isa) {
    const BodiesWorld world(500, 81, true);
    const Bodies bodies = built(world);
    scenes::Draws draws(82);
    std::size_t hits = 0;
    for (const std::size_t count : {0U, 1U, 2U, 15U, 16U, 17U, 1000U}) {
      for (const bool mixed : {false, true}) {
        for (int round = 0; round < 6; ++round) {
          std::vector<Ray3> rays = draw_picture(draws, world.side, count, mixed);
          if (count > 16) {
            rays[5].origin[1] = kNan;
            rays[9].direction[2] = kInf;
            rays[12].max = -1;
            rays[14].max = kNan;
            rays[3].direction[0] = rays[3].direction[1] = rays[3].direction[2] = 0;
          }
          test::Narrowing narrow(draws, {7, 6}, 500);
          hits += expect_rays(bodies, rays, narrow.batch(count));
        }
      }
    }
    EXPECT_GT(hits, 1000U);
  });
}

/// Bodies that are all meshes or height fields, large ones: where packets are taken.
TEST(BodiesBatch, PicturesOfMeshesEqualSingleRays) {
  scenes::Draws draws(83);
  const test::Soup ball = test::make_sphere(3000);
  const TriangleMesh mesh = TriangleMesh::build(ball.vertices, ball.triangles).value();
  std::vector<float> heights(33 * 33);
  for (float& height : heights) {
    height = draws.uniform(0, 0.1F);
  }
  const HeightField field = HeightField::build(33, 33, 0.1F, heights).value();
  std::vector<Body> all;
  for (std::uint32_t i = 0; i < 60; ++i) {
    Body body{i % 4 == 0 ? Shape(field) : Shape(mesh), test::draw_place(draws, 6)};
    body.at.stretch = i % 3 == 0 ? draw_vec(draws, 0.5F, 2) : Vec3{1, 1, 1};
    all.push_back(i % 10 == 9 ? all[i - 5] : body);  // ties
  }
  Bodies bodies;
  ASSERT_TRUE(bodies.rebuild(all));
  std::size_t hits = 0;
  test::for_each_isa([&](Isa) {
    for (int round = 0; round < 6; ++round) {
      hits += expect_rays(bodies, draw_picture(draws, 6, 1000, round % 2 != 0), {});
    }
  });
  EXPECT_GT(hits, 5000U);
}

std::vector<BodyCast> draw_casts(const BodiesWorld& world, scenes::Draws& draws, std::size_t count) {
  std::vector<BodyCast> casts;
  for (std::size_t i = 0; i < count; ++i) {
    const Body moving = test::draw_convex(world, draws);
    casts.push_back({moving.shape, moving.at, draw_vec(draws, -5, 5)});
  }
  if (count > 12) {
    casts[3].way = {};
    casts[5].way.y = kNan;
    casts[7].from.position.x = kNan;
    casts[9].shape = world.scene.meshes[0];
    casts[11].way = {3e38F, -3e38F, 3e38F};
  }
  return casts;
}

TEST(BodiesBatch, CastsEqualSingleCasts) {
  const BodiesWorld world(800, 84, true);
  scenes::Draws draws(85);
  for (const std::size_t count : {0U, 1U, 15U, 17U, 700U, 600U, 500U}) {
    test::Narrowing narrow(draws, {7, 5}, 800);
    const BatchOptions options = narrow.batch(count);
    const std::vector<BodyCast> casts = draw_casts(world, draws, count);
    test::for_each_executor([&](const Executor* executor) {
      const Bodies bodies = built(world, executor);
      Workspace workspace;
      std::vector<BodyCastHit> out(count);
      const auto done =
          bodies.cast_closest(casts, out, options, {.executor = executor, .workspace = &workspace});
      ASSERT_TRUE(done);
      std::size_t found = 0;
      for (std::uint32_t i = 0; i < count; ++i) {
        const BodyCast& c = casts[i];
        const test::SingleOptions single(options, i);
        ASSERT_TRUE(test::same_hit(out[i], bodies.cast_closest(c.shape, c.from, c.way, single.options())))
            << i;
        found += out[i] ? 1U : 0U;
      }
      ASSERT_EQ(done->found, found);
      ASSERT_TRUE(count < 100 || found > 40) << found;
    });
  }
}

bool same_near(const BodyDistance& a, const BodyDistance& b) {
  return a.found == b.found && a.body == b.body && a.distance == b.distance && a.on_a == b.on_a &&
         a.on_b == b.on_b && a.normal == b.normal && a.part_a == b.part_a && a.part_b == b.part_b;
}

TEST(BodiesBatch, ClosestEqualSingleOnes) {
  const BodiesWorld world(800, 86, true);
  scenes::Draws draws(87);
  std::vector<BodyNear> asked;
  for (int i = 0; i < 500; ++i) {
    const Body body = test::draw_convex(world, draws);
    asked.push_back({body.shape, body.at, i % 3 == 0 ? kInf : draws.uniform(0, 2)});
  }
  asked[3].max_distance = -1;
  asked[4].max_distance = kNan;
  asked[5].at.position.y = kNan;
  asked[6].at.position.y = 1e30F;
  asked[7].shape = world.scene.meshes[0];
  test::for_each_executor([&](const Executor* executor) {
    const Bodies bodies = built(world, executor);
    test::Narrowing narrow(draws, {7, 5}, 800);
    const BatchOptions options = narrow.batch(asked.size());
    Workspace workspace;
    std::vector<BodyDistance> out(asked.size());
    const auto done = bodies.nearest(asked, out, options, {.executor = executor, .workspace = &workspace});
    ASSERT_TRUE(done);
    std::size_t found = 0;
    for (std::uint32_t i = 0; i < asked.size(); ++i) {
      const BodyNear& a = asked[i];
      const test::SingleOptions single(options, i);
      const BodyDistance r = bodies.nearest(a.shape, a.at, a.max_distance, single.options());
      ASSERT_TRUE(same_near(out[i], r)) << i;
      found += out[i] ? 1U : 0U;
    }
    ASSERT_GT(found, 200U);
    ASSERT_EQ(done->found, found);
  });
}

TEST(BodiesBatch, OverlapsEqualSingleOnes) {
  const BodiesWorld world(800, 88, true);
  scenes::Draws draws(89);
  std::vector<Body> asked;
  for (int i = 0; i < 400; ++i) {
    asked.push_back(test::draw_convex(world, draws));
  }
  asked[5].at.position.y = kNan;
  asked[6].shape = world.scene.meshes[0];
  const Bodies one = built(world);
  for (int round = 0; round < 4; ++round) {
    test::Narrowing narrow(draws, {7, 6}, 800);
    const BatchOptions options = narrow.batch(asked.size());
    std::vector<Pair> right;
    for (std::uint32_t i = 0; i < asked.size(); ++i) {
      const test::SingleOptions single(options, i);
      std::vector<std::uint32_t> touched(world.bodies.size());
      touched.resize(one.find_all(asked[i].shape, asked[i].at, touched, single.options()).written);
      for (const std::uint32_t body : touched) {
        right.push_back({i, body});
      }
    }
    ASSERT_GT(right.size(), 10U);
    test::for_each_executor([&](const Executor* executor) {
      const Bodies bodies = built(world, executor);
      Workspace workspace;
      for (const std::size_t room : {right.size() + 2, right.size() / 2, std::size_t{0}}) {
        std::vector<Pair> out(room);
        const QueryResult done =
            bodies.find_all(asked, out, options, {.executor = executor, .workspace = &workspace}).value();
        ASSERT_EQ(done.found, right.size());
        ASSERT_EQ(done.written, std::min(room, right.size()));
        ASSERT_TRUE(
            std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(done.written), right.begin()));
      }
    });
  }
}

TEST(BodiesBatch, UnlikeLengthsAreRefused) {
  const BodiesWorld world(100, 90, false);
  const Bodies bodies = built(world);
  Workspace workspace;
  const std::array<BodyCast, 2> casts{};
  std::array<BodyCastHit, 3> hits{};
  EXPECT_EQ(test::code_of(bodies.cast_closest(casts, hits, {}, {.workspace = &workspace})),
            ErrorCode::kInvalidArgument);
  const std::array<BodyNear, 2> asked{};
  std::array<BodyDistance, 1> near{};
  EXPECT_EQ(test::code_of(bodies.nearest(asked, near, {}, {.workspace = &workspace})),
            ErrorCode::kInvalidArgument);
  const std::array<std::uint32_t, 1> ignore{};
  EXPECT_FALSE(bodies.cast_closest(casts, std::span(hits).first(2), {.ignore = ignore}));
  EXPECT_FALSE(bodies.find_all(std::array<Body, 2>{}, {}, {.ignore = ignore}));
}

TEST(BodiesBatch, NothingThere) {
  Bodies bodies;
  Workspace workspace;
  const std::array<BodyCast, 1> casts{{{Sphere{{}, 1}, {}, {1, 0, 0}}}};
  const std::array<BodyNear, 1> asked{{{Sphere{{}, 1}, {}}}};
  const std::array<Body, 1> shapes{{{Sphere{{}, 1}, {}}}};
  std::array<BodyCastHit, 1> hits{};
  std::array<BodyDistance, 1> near{};
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(bodies.cast_closest(casts, hits, {}, {.workspace = &workspace})->found, 0U);
    EXPECT_EQ(bodies.nearest(asked, near, {}, {.workspace = &workspace})->found, 0U);
    EXPECT_EQ(bodies.find_all(shapes, {}, {}, {.workspace = &workspace})->found, 0U);
    ASSERT_TRUE(bodies.rebuild({}));
  }
}

TEST(BodiesBatch, AllocateNothingOnceGrown) {
  const BodiesWorld world(1000, 91, false);
  const Bodies bodies = built(world);
  scenes::Draws draws(92);
  test::CountingResource resource;
  Workspace workspace(&resource);
  const std::vector<Ray3> rays = draw_picture(draws, world.side, 1000, true);
  const std::vector<BodyCast> casts = draw_casts(world, draws, 200);
  std::vector<BodyNear> asked;
  std::vector<Body> shapes;
  for (const BodyCast& cast : casts) {
    asked.push_back({cast.shape, cast.from, 1});
    shapes.push_back({cast.shape, cast.from});
  }
  std::vector<BodyRayHit> ray_hits(rays.size());
  std::vector<BodyCastHit> cast_hits(casts.size());
  std::vector<BodyDistance> near(asked.size());
  std::vector<Pair> pairs(500);
  std::size_t calls = 0;
  for (int round = 0; round < 3; ++round) {
    calls = resource.calls();
    ASSERT_TRUE(bodies.raycast_closest(rays, ray_hits, {}, {.workspace = &workspace}));
    ASSERT_TRUE(bodies.cast_closest(casts, cast_hits, {}, {.workspace = &workspace}));
    ASSERT_TRUE(bodies.nearest(asked, near, {}, {.workspace = &workspace}));
    (void)bodies.find_all(shapes, pairs, {}, {.workspace = &workspace});
    workspace.reset();
  }
  EXPECT_EQ(resource.calls(), calls);
}

}  // namespace
}  // namespace juxta
