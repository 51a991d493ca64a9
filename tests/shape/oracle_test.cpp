// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The oracle itself: closed forms, and that its answers agree with points taken at random.
#include "shape/oracle.h"

#include <gtest/gtest.h>

#include "scenes/draws.h"

namespace juxta::test {
namespace {

Solid box(V3 half, V3 at, const Quat& turned = {}) {
  const Shape shape = Box{{}, turned, half.rounded()};
  return solid_of(shape, skin_of(shape), {}, -at);
}
Solid made(const Shape& shape, V3 at = {}) {
  return solid_of(shape, skin_of(shape), {}, -at);
}

TEST(Oracle, ClosedForms) {
  const Truth spheres = truth_of(made(Sphere{{}, 1}), made(Sphere{{}, 2}, {0, 5, 0}));
  EXPECT_NEAR(spheres.distance, 2, 1e-15);
  EXPECT_NEAR(spheres.normal.y, 1, 1e-15);
  EXPECT_NEAR(spheres.on_b.y, 3, 1e-15);
  EXPECT_NEAR(truth_of(made(Sphere{{}, 1}), made(Sphere{{}, 2}, {0, 2, 0})).distance, -1, 1e-15);

  // A cube on its corner above a cube.
  const Quat corner = normalized(Quat{0.3647052F, 0, -0.2798481F, 0.8880738F});
  const Solid above = box({1, 1, 1}, {0, 4, 0}, corner);
  double low = kFar;
  for (const V3& p : above.points) {
    low = std::min(low, p.y);
  }
  const Truth cubes = truth_of(box({1, 1, 1}, {}), above);
  EXPECT_NEAR(cubes.distance, low - 1, 1e-12);
  EXPECT_NEAR(cubes.normal.y, 1, 1e-12);

  // Two cubes, edge to edge: both turned by 45 degrees about axes that cross.
  const float s = 0.38268343F, c = 0.92387953F;
  const Truth edges = truth_of(box({1, 1, 1}, {}, {s, 0, 0, c}), box({1, 1, 1}, {0, 3, 0}, {0, 0, s, c}));
  EXPECT_NEAR(edges.distance, 3 - 2 * std::sqrt(2.0), 1e-6);
  const Truth deep = truth_of(box({1, 1, 1}, {}), box({1, 1, 1}, {0.25, 1.5, 0}));
  EXPECT_NEAR(deep.distance, -0.5, 1e-15);
  EXPECT_NEAR(deep.normal.y, 1, 1e-15);

  // Segments that cross have no depth; a segment through a cube has.
  const Solid segment = made(Capsule{{-9, 0, 0}, {9, 0, 0}, 0}),
              other = made(Capsule{{0, -9, 0}, {0, 9, 0}, 0});
  EXPECT_EQ(truth_of(segment, other).distance, 0);
  EXPECT_NEAR(truth_of(segment, other.moved({0, 0, 2})).distance, 2, 1e-15);
  EXPECT_NEAR(truth_of(segment, box({1, 2, 3}, {})).distance, -2, 1e-15);
}

TEST(Oracle, Contact) {
  EXPECT_NEAR(touch_time(made(Sphere{{}, 1}), {10, 0, 0}, made(Sphere{{}, 1}, {7, 0, 0})), 0.5, 1e-12);
  EXPECT_EQ(touch_time(made(Sphere{{}, 1}), {10, 0, 0}, made(Sphere{{}, 1}, {7, 3, 0})), kFar);
  EXPECT_NEAR(least_distance(made(Sphere{{}, 1}), {10, 0, 0}, made(Sphere{{}, 1}, {7, 3, 0})), 1, 1e-12);
  EXPECT_NEAR(touch_time(box({1, 1, 1}, {}), {0, 0, 4}, box({1, 1, 1}, {1.5, 0, 3})), 0.25, 1e-12);
  EXPECT_EQ(touch_time(made(Sphere{{}, 1}), {1, 0, 0}, made(Sphere{{}, 1}, {7, 0, 0})), kFar);
}

/// A point of the core: random weights of its corners.
V3 some_point(const Solid& s, scenes::Draws& draws) {
  V3 sum;
  double weights = 0;
  for (const V3& p : s.points) {
    const double u = static_cast<double>(draws.unit()), w = u * u * u * u;
    sum = sum + p * w;
    weights += w;
  }
  return weights > 0 ? sum * (1 / weights) : s.points[0];
}

/// No two points of the shapes are nearer than it says, and no direction has them farther apart.
TEST(Oracle, HoldsAgainstPointsAndDirections) {
  scenes::Draws draws(7);
  const auto coordinate = [&] { return draws.uniform(-1, 1); };
  const auto vector = [&] { return Vec3{coordinate(), coordinate(), coordinate()}; };
  int apart = 0, deep = 0;
  for (int round = 0; round < 400; ++round) {
    const Quat turned = normalized(Quat{coordinate(), coordinate(), coordinate(), 0.5F});
    const Shape kinds[] = {Triangle{vector(), vector(), vector()}, Capsule{vector(), vector(), 0},
                           Box{{}, turned, {0.3F, 0.5F, 0.9F}}, Sphere{vector(), 0}};
    const Solid a = made(kinds[round % 4], {}), b = made(kinds[(round / 4) % 4], V3(vector()) * 1.5);
    const Truth truth = truth_of(a, b);
    for (int i = 0; i < 200; ++i) {
      ASSERT_GE(length(some_point(b, draws) - some_point(a, draws)), truth.distance - 1e-12);
      const V3 way = V3(vector());
      ASSERT_LE(oracle::gap(a, b, way * (1 / (length(way) + 1e-9))), truth.core + 1e-7);
    }
    if (truth.distance > 0) {
      ASSERT_NEAR(oracle::gap(a, b, truth.normal), truth.distance, 1e-9);
      ++apart;
    } else if (truth.distance < 0) {
      // Moved out along the normal they touch, and a little farther they are apart.
      const double after = truth_of(a, b.moved(truth.normal * (1e-6 - truth.distance))).distance;
      ASSERT_NEAR(after, 1e-6, 1e-9);
      ++deep;
    }
  }
  EXPECT_GT(apart, 100);
  EXPECT_GT(deep, 20);
}

}  // namespace
}  // namespace juxta::test
