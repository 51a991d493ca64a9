// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Bodies: casts that turn, and all surfaces on a ray, against each body asked in turn.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "shape/bodies_world.h"

namespace juxta {
namespace {

using test::BodiesWorld;
using test::draw_place;
using test::draw_vec;

BodyCast draw_cast(scenes::Draws& draws, const BodiesWorld& world, int i) {
  BodyCast cast;
  const float thin = draws.uniform(0.05F, 0.3F), long_side = draws.uniform(0.5F, 3);
  cast.shape = i % 3 == 0   ? Shape(Capsule{{0, 0, 0}, {long_side, 0, 0}, thin})
               : i % 3 == 1 ? Shape(Box{{}, {}, {thin, long_side / 2, thin}})
                            : Shape(world.scene.hulls[0]);
  cast.from = draw_place(draws, world.side);
  cast.way = i % 4 == 0 ? Vec3{} : draw_vec(draws, -3, 3);
  cast.turn = draw_vec(draws, -3, 3) * (i % 5 == 0 ? 4.0F : 0.5F);
  cast.pivot = i % 2 == 0 ? Vec3{} : draw_vec(draws, -2, 2);
  return cast;
}

TEST(BodiesTurning, AsEachBodyAskedInTurn) {
  const BodiesWorld world(400, 620, true);
  Bodies bodies;
  ASSERT_TRUE(bodies.rebuild(world.bodies, world.options()));
  scenes::Draws draws(62);
  std::vector<BodyCast> casts;
  std::vector<BodyCastHit> singles;
  int hits = 0;
  for (int i = 0; i < 400; ++i) {
    const BodyCast cast = draw_cast(draws, world, i);
    const Motion motion{cast.from, cast.way, cast.turn, cast.pivot};
    const QueryOptions options{.filter = {1U << draws.below(3), draws.below(8)}};
    std::vector<BodyCastHit> want;
    for (std::uint32_t body = 0; body < world.bodies.size(); ++body) {
      if (!world.meets(body, options)) {
        continue;
      }
      const CastHit hit = juxta::cast(cast.shape, motion, world.bodies[body].shape, world.bodies[body].at);
      if (hit) {
        want.push_back({hit, body});
      }
    }
    std::sort(want.begin(), want.end(), [](const BodyCastHit& a, const BodyCastHit& b) {
      return a.t < b.t || (a.t == b.t && a.body < b.body);
    });
    std::vector<BodyCastHit> all(world.bodies.size());
    const QueryResult found = bodies.cast_all(cast.shape, motion, all, options);
    ASSERT_EQ(found.found, want.size()) << i;
    for (std::size_t k = 0; k < want.size(); ++k) {
      EXPECT_EQ(all[k].body, want[k].body);
      EXPECT_EQ(all[k].t, want[k].t);
      EXPECT_EQ(all[k].point, want[k].point);
    }
    const BodyCastHit first = bodies.cast_closest(cast.shape, motion, options);
    EXPECT_EQ(first.body, want.empty() ? kNoBody : want[0].body);
    EXPECT_EQ(bodies.cast_any(cast.shape, motion, options).hit, !want.empty());
    hits += first.hit ? 1 : 0;
    casts.push_back(cast);
    singles.push_back(bodies.cast_closest(cast.shape, motion));
  }
  EXPECT_GT(hits, 50);
  std::vector<BodyCastHit> batch(casts.size());
  ASSERT_TRUE(bodies.cast_closest(casts, batch));
  for (std::size_t i = 0; i < batch.size(); ++i) {
    EXPECT_EQ(batch[i].body, singles[i].body);
    EXPECT_EQ(batch[i].t, singles[i].t);
  }
}

TEST(BodiesTurning, WhatIsNotFiniteHitsNothing) {
  const BodiesWorld world(50, 621, false);
  Bodies bodies;
  ASSERT_TRUE(bodies.rebuild(world.bodies));
  const Shape ball(Sphere{{1, 0, 0}, 5});
  for (const float bad : {test::kNan, test::kInf, 1e4F}) {  // the last: more than 1000 radians
    EXPECT_FALSE(bodies.cast_closest(ball, {.turn = {bad, 0, 0}}));
    EXPECT_FALSE(bodies.cast_any(ball, {.turn = {bad, 0, 0}}));
    EXPECT_EQ(bodies.cast_all(ball, {.turn = {bad, 0, 0}}, {}).found, 0U);
  }
  std::vector<BodyCast> casts(1);
  casts[0].shape = ball;
  casts[0].turn = {test::kNan, 0, 0};
  std::vector<BodyCastHit> out(1);
  ASSERT_TRUE(bodies.cast_closest(casts, out));
  EXPECT_FALSE(out[0]);
}

TEST(BodiesRaycastEvery, AsEachBodyAskedInTurn) {
  const BodiesWorld world(400, 622, true);
  Bodies bodies;
  ASSERT_TRUE(bodies.rebuild(world.bodies, world.options()));
  scenes::Draws draws(63);
  std::size_t several = 0;
  for (int i = 0; i < 500; ++i) {
    Ray3 ray{draw_vec(draws, 0, world.side), draw_vec(draws, -1, 1)};
    if (i % 2 == 0) {  // at a body
      ray.direction = world.bodies[draws.below(400)].at.position - ray.origin;
    }
    if (i % 10 == 0) {
      ray.direction = ray.direction * 1e-37F;
    }
    if (i % 3 == 0) {
      ray.max = draws.uniform(0, 5);
    }
    const QueryOptions options{.filter = {1U << draws.below(3), 7}};
    std::vector<std::pair<std::uint32_t, PartId>> want;
    std::vector<SurfaceHit> own(4000);
    for (std::uint32_t body = 0; body < world.bodies.size(); ++body) {
      if (world.meets(body, options)) {
        const QueryResult found =
            juxta::raycast_every(world.bodies[body].shape, world.bodies[body].at, ray, own);
        ASSERT_LE(found.found, own.size());
        several += found.found > 1 ? 1 : 0;
        for (std::size_t k = 0; k < found.written; ++k) {
          want.emplace_back(body, own[k].part);
        }
      }
    }
    std::vector<BodyRayHit> got(8000);
    const QueryResult found = bodies.raycast_every(ray, got, options);
    ASSERT_EQ(found.found, want.size()) << i;
    got.resize(found.written);
    EXPECT_TRUE(std::is_sorted(got.begin(), got.end(), [](const BodyRayHit& a, const BodyRayHit& b) {
      return a.t < b.t || (a.t == b.t && a.body < b.body);
    }));
    const BodyRayHit first = bodies.raycast_closest(ray, options);
    EXPECT_EQ(first.hit, !got.empty());
    if (first.hit && !got.empty()) {
      EXPECT_EQ(first.t, got[0].t);
      EXPECT_EQ(first.body, got[0].body);
    }
    for (const BodyRayHit& hit : got) {
      const auto it = std::find(want.begin(), want.end(), std::pair{hit.body, hit.part});
      ASSERT_NE(it, want.end());
      want.erase(it);
    }
  }
  EXPECT_GT(several, 20U);
}

// accept is asked about bodies that the exact test would refuse: it runs first, and what it refuses costs
// none.
TEST(BodiesFilters, RunBeforeTheExactTest) {
  const Shape corner(Triangle{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});  // fills half of its box
  Bodies bodies;
  ASSERT_TRUE(bodies.rebuild(std::vector<Body>{{corner, {}}}));
  int asked = 0;
  const auto accept = [&](std::uint32_t) {
    ++asked;
    return true;
  };
  const QueryOptions options{.accept = accept};
  const Ray3 beside{{0.9F, 0.9F, 5}, {0, 0, -1}};
  const Shape ball(Sphere{{0, 0, 0}, 0.01F});
  Qvvs at;
  at.position = {0.9F, 0.9F, 0};
  Qvvs above = at;
  above.position.z = 5;
  std::vector<BodyRayHit> hits(1);
  std::vector<BodyCastHit> landings(1);
  std::vector<std::uint32_t> found(1);
  const auto once = [&](bool hit, const char* query) {
    EXPECT_FALSE(hit) << query;
    EXPECT_GE(asked, 1) << query;
    asked = 0;
  };
  once(bodies.raycast_closest(beside, options).hit, "raycast_closest");
  once(bodies.raycast_any(beside, options).hit, "raycast_any");
  once(bodies.raycast_all(beside, hits, options).found != 0, "raycast_all");
  once(bodies.raycast_every(beside, hits, options).found != 0, "raycast_every");
  once(bodies.cast_closest(ball, above, {0, 0, -9}, options).hit, "cast_closest");
  once(bodies.cast_any(ball, above, {0, 0, -9}, options).hit, "cast_any");
  once(bodies.cast_all(ball, above, {0, 0, -9}, landings, options).found != 0, "cast_all");
  once(bodies.cast_closest(ball, Motion{.from = above, .way = {0, 0, -9}, .turn = {1, 0, 0}}, options).hit,
       "cast_closest, turning");
  once(bodies.nearest(ball, at, 0.05F, options).found, "nearest");
  once(bodies.find_all(ball, at, found, options).found != 0, "find_all");
}

}  // namespace
}  // namespace juxta
