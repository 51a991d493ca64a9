// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The oracle itself, by hand: an oracle that is wrong in the same way proves nothing.
#include "agents/oracle.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agents/crowds.h"
#include "scenes/draws.h"

namespace juxta::test {
namespace {

Crowd crowd_2d(std::vector<float> x, std::vector<float> y) {
  Crowd crowd;
  crowd.position = {std::move(x), std::move(y), {}};
  return crowd;
}

std::vector<std::size_t> seen_by(const World& world, Metric metric, const Crowd& crowd, std::size_t a,
                                 float radius) {
  std::vector<std::size_t> rows;
  for_each_seen(world, metric, crowd, a, crowd, true, radius,
                [&](std::size_t b, const Sight&) { rows.push_back(b); });
  return rows;
}
using Rows = std::vector<std::size_t>;

TEST(AgentsOracle, BallAndBoxTouchingIncluded) {
  const World world = make_world(2, 0);
  const Crowd crowd = crowd_2d({0, 3, 5, 3, 0}, {0, 4, 0, 4.5F, 0});
  EXPECT_EQ(seen_by(world, Metric::kBall, crowd, 0, 5), (Rows{1, 2, 4}));
  EXPECT_EQ(seen_by(world, Metric::kBox, crowd, 0, 5), (Rows{1, 2, 3, 4}));
  EXPECT_EQ(seen_by(world, Metric::kBox, crowd, 0, 4), (Rows{1, 4}));
  EXPECT_EQ(seen_by(world, Metric::kBall, crowd, 0, std::nextafter(5.0F, 0.0F)), (Rows{4}));
}

TEST(AgentsOracle, NearestImages) {
  World world = make_world(2, 2);  // [-8, 8) along x
  const Crowd crowd = crowd_2d({-7.5F, 7.5F, 0, 0.5F}, {0, 0, 0, 0});
  EXPECT_EQ(seen_by(world, Metric::kBall, crowd, 0, 1), (Rows{1}));
  EXPECT_EQ(nearest_image(world, 0, 15), -1);
  EXPECT_EQ(nearest_image(world, 0, -15), 1);
  EXPECT_EQ(nearest_image(world, 0, 8), 8);  // half of it is not more than half
  EXPECT_EQ(nearest_image(world, 0, -8), -8);
  EXPECT_EQ(nearest_image(world, 1, 15), 15);
  EXPECT_EQ(seen_by(world, Metric::kBall, crowd, 2, 100), (Rows{0, 1, 3}));  // each once
  world.edges[0] = Edge::kWall;
  EXPECT_EQ(seen_by(world, Metric::kBall, crowd, 0, 1), (Rows{}));
}

TEST(AgentsOracle, GapsOfBoxesAndRadiiOfTheirOwn) {
  const World world = make_world(2, 0);
  Crowd crowd = crowd_2d({0, 4, 4}, {0, 0, 5});
  crowd.extents = {std::vector<float>{1, 1, 0}, std::vector<float>{1, 1, 1}, {}};
  Sight sight;
  EXPECT_TRUE(is_near(world, Metric::kBall, crowd, 0, crowd, 1, 2, sight));
  EXPECT_EQ(sight.distance2, 4);
  EXPECT_EQ(sight.d[0], 4);
  EXPECT_FALSE(is_near(world, Metric::kBall, crowd, 0, crowd, 2, 4, sight));
  EXPECT_EQ(sight.distance2, 18);
  EXPECT_TRUE(is_near(world, Metric::kBox, crowd, 0, crowd, 2, 3, sight));
  crowd.radii = {2, 1.5F, 0};
  EXPECT_EQ(seen_by(world, Metric::kBall, crowd, 0, 5), (Rows{1}));
  EXPECT_EQ(seen_by(world, Metric::kBall, crowd, 1, 5), (Rows{}));
}

// With three images of everybody on each periodic axis, the nearest of them is who is met.
TEST(AgentsOracle, IsTheNearestOfAllImages) {
  const World world = make_world(3, 2 + 3 * 1 + 9 * 2);
  scenes::Draws draws(3);
  const Crowd crowd = draw_crowd(draws, world, Crowding::kUniform, 60, 1);
  Crowd inside = crowd;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const float period = world.hi[axis] - world.lo[axis];
    for (float& at : inside.position[axis]) {
      while (world.edges[axis] == Edge::kPeriodic && at < world.lo[axis]) {
        at += period;
      }
      while (world.edges[axis] == Edge::kPeriodic && at >= world.hi[axis]) {
        at -= period;
      }
    }
  }
  for (std::size_t a = 0; a < crowd.size(); ++a) {
    for (std::size_t b = 0; b < crowd.size(); ++b) {
      double nearest = 0;
      for (std::uint32_t axis = 0; axis < 3; ++axis) {
        const double d = double{inside.position[axis][b]} - double{inside.position[axis][a]};
        const double period = double{world.hi[axis]} - double{world.lo[axis]};
        double least = std::abs(d);
        if (world.edges[axis] == Edge::kPeriodic) {
          least = std::min({least, std::abs(d - period), std::abs(d + period)});
        }
        nearest += least * least;
      }
      Sight sight;
      is_near(world, Metric::kBall, inside, a, inside, b, 1, sight);
      ASSERT_NEAR(double{sight.distance2}, nearest, 1e-3);
    }
  }
}

}  // namespace
}  // namespace juxta::test
