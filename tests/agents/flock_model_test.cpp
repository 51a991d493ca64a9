// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The rules over all pairs, by hand.
#include "agents/flock_model.h"

#include <gtest/gtest.h>

namespace juxta::test {
namespace {

TEST(FlockModel, OneStepByHand) {
  Boids boids;
  boids.position = {std::vector<float>{0, 0.1F, 10.4F, 5}, std::vector<float>{0, 0, 0, -10.49F}, {}};
  boids.velocity = {std::vector<float>{1.2F, 1.2F, 1, 0}, std::vector<float>{0, 0.3F, 0, -2}, {}};
  const FlockModel model{FlockOptions{}};
  const auto first = model.step(boids, 0);
  EXPECT_EQ(first.seen, 1u);
  EXPECT_EQ(first.avoided, 1u);
  // 1.2 + .22352 * .1 - .07352 * .1 = 1.215; + .09117 * (1.2 - 1.215), + .09117 * .3
  EXPECT_NEAR(first.velocity[0], 1.21363245, 1e-6);
  EXPECT_NEAR(first.velocity[1], 0.027351, 1e-6);
  EXPECT_NEAR(first.position[0], 1.21363245 / 60, 1e-6);
  // Alone at a wall: up to the least speed, then the push.
  const auto third = model.step(boids, 2);
  EXPECT_EQ(third.seen, 0u);
  EXPECT_NEAR(third.velocity[0], 1.088 - 0.14117, 1e-6);
  EXPECT_NEAR(third.position[0], 10.4 + (1.088 - 0.14117) / 60, 1e-6);
  // Down to the most, pushed, and held by the wall.
  const auto fourth = model.step(boids, 3);
  EXPECT_NEAR(fourth.velocity[1], -1.55 + 0.14117, 1e-6);
  EXPECT_NEAR(fourth.position[1], -10.49, 1e-6);
}

TEST(FlockModel, SeesAcrossAPeriodicEdge) {
  FlockOptions options;
  options.dimensions = 3;
  options.periodic = true;
  options.half_size = 2;
  Boids boids;
  boids.position = {std::vector<float>{-1.95F, 1.95F}, std::vector<float>{0, 0}, std::vector<float>{1, 1}};
  boids.velocity = {std::vector<float>{-1.2F, 1.2F}, std::vector<float>{0, 0}, std::vector<float>{0, 0}};
  const auto moved = FlockModel(options).step(boids, 0);
  EXPECT_EQ(moved.seen, 1u);
  EXPECT_LT(moved.velocity[0], 0);
  const auto other = FlockModel(options).step(boids, 1);
  EXPECT_NEAR(other.velocity[0], -moved.velocity[0], 1e-12);
  boids.position[0] = {-1.99F, 1.5F};
  EXPECT_NEAR(FlockModel(options).step(boids, 0).position[0], 4 - 1.99 - 1.2 / 60, 1e-6);
}

}  // namespace
}  // namespace juxta::test
