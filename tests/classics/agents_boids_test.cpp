// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Every stage of the article's boids against all pairs with sums in double. Who is near is decided in float,
// as the rules say, so that nothing hangs on a neighbour at the very edge.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "classics/agents/boids.h"
#include "classics/agents/boids_published.h"
#include "classics/boids_model.h"
#include "scenes/draws.h"

namespace juxta::classics {
namespace {

std::vector<Stage> stages() {
  return {stage<NaiveBoids>("naive"),
          stage<GridBoids>("grid"),
          stage<GridBoids>("grid of 3", BoidsGridOptions{3}),
          stage<OrderedBoids>("scalar in cell order"),
          stage<OrderedBoids>("scalar in cell order, of 3", BoidsGridOptions{3}),
          stage<SseBlockBoids>("published"),
          stage<SseBlockBoids>("published of 3", BoidsGridOptions{3}),
          stage<SseBlockBoids>("published of 200", BoidsGridOptions{200}),
          stage<SseBlockBoids>("published, gathering", BoidsGridOptions{},
                               SseBlockOptions{SeerLoads::kNever, CellWalk::kRows}),
          stage<SseBlockBoids>("published, along Morton's curve", BoidsGridOptions{},
                               SseBlockOptions{SeerLoads::kWhereTheyFollow, CellWalk::kMorton}),
          stage<SseBlockBoids>("published, along Hilbert's curve", BoidsGridOptions{77},
                               SseBlockOptions{SeerLoads::kWhereTheyFollow, CellWalk::kHilbert}),
          stage<SseBoids>("sse"),
          stage<SseBoids>("sse of 3", BoidsGridOptions{3}),
          stage<SseBoids>("sse of 200", BoidsGridOptions{200}),
          stage<SseBoids>("sse by rows", BoidsGridOptions{}, SseRuns::kRow),
          stage<RowBoids>("rows"),
          stage<RowBoids>("rows of wide cells", RowsOptions{5, 5}),
          stage<RowBoids>("rows of small cells", RowsOptions{0.05F, 0.3F}),
          stage<CellBoids>("cells")};
}

TEST(ClassicBoids, OneStepIsThatOfAllPairs) {
  scenes::Draws draws(51);
  const FlockRules rules;
  for (const std::size_t size : {0U, 1U, 2U, 3U, 4U, 5U, 17U, 150U, 1500U}) {
    for (const float half_size : {0.4F, 2.0F, 10.5F}) {
      // Up to the walls, where boids see no further cells and are pushed.
      const std::vector<Boid> before = scattered(draws, size, half_size);
      for (const Stage& stage : stages()) {
        const auto boids = stage.make(half_size, rules);
        boids->set(before);
        EXPECT_EQ(strays(before, after_step(*boids, size), half_size, rules), 0U)
            << stage.name << ' ' << size << ' ' << half_size;
      }
    }
  }
}

TEST(ClassicBoids, EveryStepOfALongRunIsThatOfAllPairs) {
  scenes::Draws draws(52);
  const FlockRules rules;
  const std::vector<Boid> start = scattered(draws, 400, 1.9F);
  for (const Stage& stage : stages()) {
    const auto boids = stage.make(2, rules);
    boids->set(start);
    std::vector<Boid> before = start;
    for (int step = 0; step < 60; ++step) {
      const std::vector<Boid> after = after_step(*boids, before.size());
      ASSERT_EQ(strays(before, after, 2, rules), 0U) << stage.name << " at step " << step;
      before = after;
    }
  }
}

TEST(ClassicBoids, ReadsEveryParameter) {
  scenes::Draws draws(53);
  const FlockRules defaults;
  for (int parameter = 0; parameter < 10; ++parameter) {
    FlockRules rules;
    float* const all[] = {&rules.time_step, &rules.see_radius2,   &rules.avoid_radius2, &rules.min_speed,
                          &rules.max_speed, &rules.wall_distance, &rules.wall,          &rules.avoid,
                          &rules.align,     &rules.cohere};
    *all[parameter] *= parameter == 3 ? 1.3F : 0.6F;  // The least speed stays below the most.
    rules.max_speed = std::max(rules.max_speed, rules.min_speed);
    const std::vector<Boid> before = scattered(draws, 300, 2);
    for (const Stage& stage : stages()) {
      const auto boids = stage.make(2, rules);
      boids->set(before);
      const std::vector<Boid> after = after_step(*boids, before.size());
      EXPECT_EQ(strays(before, after, 2, rules), 0U) << stage.name << " parameter " << parameter;
      EXPECT_GT(strays(before, after, 2, defaults), 5U) << stage.name << " parameter " << parameter;
    }
  }
}

TEST(ClassicBoids, ThoseInOnePlaceSeeEachOther) {
  const FlockRules rules;
  std::vector<Boid> before(37, {0.25F, -0.5F, 1, 0});
  before[5].vx = -1;
  before[20].vy = 1.25F;
  for (const Stage& stage : stages()) {
    const auto boids = stage.make(10.5F, rules);
    boids->set(before);
    EXPECT_EQ(strays(before, after_step(*boids, before.size()), 10.5F, rules), 0U) << stage.name;
  }
}

TEST(ClassicBoids, CanBeSetAnew) {
  scenes::Draws draws(54);
  const FlockRules rules;
  for (const Stage& stage : stages()) {
    const auto boids = stage.make(2, rules);
    for (const std::size_t size : {200U, 30U, 0U, 300U}) {
      const std::vector<Boid> before = scattered(draws, size, 2);
      boids->set(before);
      EXPECT_EQ(strays(before, after_step(*boids, size), 2, rules), 0U) << stage.name << ' ' << size;
    }
  }
}

// Cells as narrow as the steps between floats: whatever rounding does to the ends of a search shows.
TEST(ClassicBoids, SearchReachesTheFurthestNeighbour) {
  scenes::Draws draws(56);
  const FlockRules rules;
  const float radius = std::sqrt(rules.see_radius2);
  const BoidsGrid grid(10.5F, rules, BoidsGridOptions{1U << 23});
  for (int i = 0; i < 20000; ++i) {
    const Boid boid{draws.uniform(-10, 10), 0, 0, 0};
    float low = boid.x - radius * 1.0001F, high = boid.x + radius * 1.0001F;
    const auto near = [&](float x) { return (x - boid.x) * (x - boid.x) < rules.see_radius2; };
    while (!near(low)) {
      low = std::nextafter(low, 11.0F);
    }
    while (!near(high)) {
      high = std::nextafter(high, -11.0F);
    }
    ASSERT_LE(grid.around(boid).low_x, grid.cell_of(low));
    ASSERT_GE(grid.around(boid).high_x, grid.cell_of(high));
  }
}

// Boids written in the order of traversal stand as they were walked: most fours can be loaded at once. In the
// order of their numbers, which is any order, hardly one can.
TEST(ClassicBoids, WritingInTheOrderOfTraversalMakesFoursFollow) {
  scenes::Draws draws(57);
  const std::vector<Boid> start = scattered(draws, 3000, 3.6F);
  SseBlockBoids boids(3.7F);
  boids.set(start);
  boids.step();
  const SseBlockBoids::Groups first = boids.groups();
  EXPECT_LT(first.loaded * 50, first.gathered);
  for (int step = 0; step < 10; ++step) {
    boids.step();
  }
  const SseBlockBoids::Groups later = boids.groups();
  EXPECT_GT((later.loaded - first.loaded) * 4, later.gathered - first.gathered);
  EXPECT_GT(later.fewer, 0U);
}

TEST(ClassicBoids, GatheringAllFoursLoadsNone) {
  scenes::Draws draws(58);
  SseBlockBoids boids(3.7F, {}, {}, {SeerLoads::kNever, CellWalk::kRows});
  boids.set(scattered(draws, 1000, 3.6F));
  boids.step();
  boids.step();
  EXPECT_EQ(boids.groups().loaded, 0U);
  EXPECT_GT(boids.groups().gathered, 0U);
}

}  // namespace
}  // namespace juxta::classics
