// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Questions to bodies, drawn, and their answers held against asking each body.
#pragma once

#include <gtest/gtest.h>

#include "shape/bodies_world.h"

namespace juxta::test {

struct Asked {
  QueryOptions query;
  std::array<std::uint32_t, 3> ignored;
  std::uint32_t every;

  Asked(scenes::Draws& draws, std::size_t bodies) {
    if (draws.below(2) == 0) {
      query.filter = {1U << draws.below(3), draws.below(8)};
    }
    for (std::uint32_t& body : ignored) {
      body = draws.below(static_cast<std::uint32_t>(bodies));
    }
    query.ignore = std::span(ignored).first(draws.below(4));
    every = 1 + draws.below(4);
    if (draws.below(3) == 0) {
      query.accept = *this;
    }
  }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;
  bool operator()(std::uint32_t body) const { return body % every != 1; }
};

// A ray somewhere through the world: with an end or without, long or short of direction, along an axis.
inline Ray3 draw_ray(scenes::Draws& draws, float side) {
  const Vec3 from = draw_vec(draws, -2, side + 2);
  const std::array<float, 6> scales{1, 1, 1, 5, 1e-25F, 1e25F};
  const float scale = scales[draws.below(6)];
  Vec3 way = draw_vec(draws, -1, 1) * scale;
  const std::uint32_t axis = draws.below(8);
  way.x = axis == 0 || axis == 1 ? 0 : way.x;
  way.y = axis == 0 || axis == 2 ? -0.0F : way.y;
  const float max = draws.below(2) == 0 ? kInf : draws.uniform(0, 10) / scale;
  return {{from.x, from.y, from.z}, {way.x, way.y, way.z}, max};
}

inline void expect_ray(const Bodies& bodies, const BodiesWorld& world, const Ray3& ray,
                       const QueryOptions& query) {
  const auto right = hits_of_all<BodyRayHit>(
      world, query, [&](const Body& body) { return raycast(body.shape, body.at, ray); });
  const BodyRayHit first = right.empty() ? BodyRayHit{} : right[0];
  ASSERT_TRUE(same_hit(bodies.raycast_closest(ray, query), first)) << first.body << " " << first.t;
  const BodyRayHit any = bodies.raycast_any(ray, query);
  ASSERT_EQ(any.hit, !right.empty());
  ASSERT_TRUE(!any.hit || std::any_of(right.begin(), right.end(),
                                      [&](const BodyRayHit& hit) { return same_hit(hit, any); }));
  for (const std::size_t room : {right.size() + 3, right.size() / 2}) {
    std::vector<BodyRayHit> out(room);
    const QueryResult result = bodies.raycast_all(ray, out, query);
    ASSERT_EQ(result.found, right.size());
    ASSERT_EQ(result.written, std::min(right.size(), room));
    ASSERT_TRUE(std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(result.written),
                           right.begin(), same_hit<BodyRayHit>));
  }
}

inline void expect_cast(const Bodies& bodies, const BodiesWorld& world, const Body& moving, const Vec3& way,
                        const QueryOptions& query) {
  const auto right = hits_of_all<BodyCastHit>(world, query, [&](const Body& body) {
    return cast(moving.shape, moving.at, way, body.shape, body.at);
  });
  const BodyCastHit first = right.empty() ? BodyCastHit{} : right[0];
  const BodyCastHit got = bodies.cast_closest(moving.shape, moving.at, way, query);
  ASSERT_TRUE(same_hit(got, first)) << first.body << " at " << first.t << ", not " << got.body << " at "
                                    << got.t;
  const BodyCastHit any = bodies.cast_any(moving.shape, moving.at, way, query);
  ASSERT_EQ(any.hit, !right.empty());
  std::vector<BodyCastHit> out(right.size() / 2 + 1);
  const QueryResult result = bodies.cast_all(moving.shape, moving.at, way, out, query);
  ASSERT_EQ(result.found, right.size());
  ASSERT_EQ(result.written, std::min(right.size(), out.size()));
  ASSERT_TRUE(std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(result.written),
                         right.begin(), same_hit<BodyCastHit>));
}

inline void expect_near(const Bodies& bodies, const BodiesWorld& world, const Body& asked, float most,
                        const QueryOptions& query) {
  const BodyDistance right = closest_of_all(world, query, asked.shape, asked.at, most);
  const BodyDistance got = bodies.nearest(asked.shape, asked.at, most, query);
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
  const QueryResult result = bodies.find_all(asked.shape, asked.at, out, query);
  ASSERT_EQ(result.found, touched.size());
  touched.resize(std::min(touched.size(), out.size()));
  out.resize(result.written);
  ASSERT_EQ(out, touched);
}

inline Body draw_convex(const BodiesWorld& world, scenes::Draws& draws) {
  for (;;) {
    Body body = world.bodies[draws.below(static_cast<std::uint32_t>(world.bodies.size()))];
    if (body.shape.convex()) {
      body.at.position = draw_vec(draws, -1, world.side + 1);
      return body;
    }
  }
}

inline void ask_everything(const Bodies& bodies, const BodiesWorld& world, scenes::Draws& draws, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    const Asked asked(draws, world.bodies.size());
    ASSERT_NO_FATAL_FAILURE(expect_ray(bodies, world, draw_ray(draws, world.side), asked.query));
    const Body moving = draw_convex(world, draws);
    const float far = draws.below(4) == 0 ? 0 : draws.uniform(0, world.side);
    ASSERT_NO_FATAL_FAILURE(expect_cast(bodies, world, moving, draw_vec(draws, -1, 1) * far, asked.query));
    const float most = draws.below(3) == 0 ? kInf : draws.uniform(0, 2);
    ASSERT_NO_FATAL_FAILURE(expect_near(bodies, world, draw_convex(world, draws), most, asked.query));
  }
}

}  // namespace juxta::test
