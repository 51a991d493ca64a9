// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Every stage of the article's boids against all pairs with sums in double. Who is near is decided in float,
// as the rules say, so that nothing hangs on a neighbour at the very edge.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "classics/agents/boids.h"
#include "scenes/draws.h"

namespace juxta::classics {
namespace {

struct Stage {
  std::string name;
  std::function<std::unique_ptr<BoidsClassic>(float half_size, const FlockRules&)> make;
};

template <class Boids, class... Options>
Stage stage(const std::string& name, const Options&... options) {
  return {name, [=](float half_size, const FlockRules& rules) {
            return std::make_unique<Boids>(half_size, rules, options...);
          }};
}

std::vector<Stage> stages() {
  return {stage<NaiveBoids>("naive"),
          stage<GridBoids>("grid"),
          stage<GridBoids>("grid of 3", BoidsGridOptions{3}),
          stage<SseBoids>("sse"),
          stage<SseBoids>("sse of 3", BoidsGridOptions{3}),
          stage<SseBoids>("sse of 200", BoidsGridOptions{200}),
          stage<SseBoids>("sse by rows", BoidsGridOptions{}, SseRuns::kRow),
          stage<RowBoids>("rows"),
          stage<RowBoids>("rows of wide cells", RowsOptions{5, 5}),
          stage<RowBoids>("rows of small cells", RowsOptions{0.05F, 0.3F}),
          stage<CellBoids>("cells")};
}

std::vector<Boid> scattered(scenes::Draws& draws, std::size_t count, float extent) {
  std::vector<Boid> boids(count);
  for (Boid& boid : boids) {
    boid.x = draws.uniform(-extent, extent);
    boid.y = draws.uniform(-extent, extent);
    boid.vx = draws.uniform(-1, 1);
    boid.vy = draws.uniform(-1, 1);
  }
  return boids;
}

struct DoubleBoid {
  double x, y, vx, vy;
};

// One boid's step, as the header of juxta::FlockRules tells it.
DoubleBoid stepped(const std::vector<Boid>& boids, std::size_t i, float half_size, const FlockRules& rules) {
  const Boid& boid = boids[i];
  double n = 0, sum_vx = 0, sum_vy = 0, sum_x = 0, sum_y = 0, away_x = 0, away_y = 0;
  for (std::size_t j = 0; j < boids.size(); ++j) {
    const float dx = boids[j].x - boid.x, dy = boids[j].y - boid.y;
    const float distance2 = dx * dx + dy * dy;
    if (j == i || !(distance2 < rules.see_radius2)) {
      continue;
    }
    n += 1;
    sum_vx += double{boids[j].vx};
    sum_vy += double{boids[j].vy};
    sum_x += double{boids[j].x} - double{boid.x};
    sum_y += double{boids[j].y} - double{boid.y};
    away_x -= distance2 < rules.avoid_radius2 ? double{dx} : 0;
    away_y -= distance2 < rules.avoid_radius2 ? double{dy} : 0;
  }
  double vx = double{boid.vx} + double{rules.avoid} * away_x,
         vy = double{boid.vy} + double{rules.avoid} * away_y;
  if (n > 0) {
    vx += double{rules.cohere} * sum_x / n;
    vy += double{rules.cohere} * sum_y / n;
    vx += double{rules.align} * (sum_vx / n - vx);
    vy += double{rules.align} * (sum_vy / n - vy);
  }
  const double speed = std::hypot(vx, vy);
  if (speed > 0) {
    const double wanted = std::clamp(speed, double{rules.min_speed}, double{rules.max_speed});
    vx *= wanted / speed;
    vy *= wanted / speed;
  }
  const double near_wall = double{half_size} - double{rules.wall_distance}, edge = double{half_size} - 0.01;
  vx += double{boid.x} < -near_wall  ? double{rules.wall}
        : double{boid.x} > near_wall ? -double{rules.wall}
                                     : 0;
  vy += double{boid.y} < -near_wall  ? double{rules.wall}
        : double{boid.y} > near_wall ? -double{rules.wall}
                                     : 0;
  return {std::clamp(double{boid.x} + vx * double{rules.time_step}, -edge, edge),
          std::clamp(double{boid.y} + vy * double{rules.time_step}, -edge, edge), vx, vy};
}

double difference(const Boid& got, const DoubleBoid& want) {
  return std::max({std::abs(double{got.x} - want.x), std::abs(double{got.y} - want.y),
                   std::abs(double{got.vx} - want.vx), std::abs(double{got.vy} - want.vy)});
}

// How many boids are not where all pairs send them.
std::size_t strays(const std::vector<Boid>& before, const std::vector<Boid>& after, float half_size,
                   const FlockRules& rules, double tolerance = 1e-5) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    count += !(difference(after[i], stepped(before, i, half_size, rules)) < tolerance);
  }
  return count;
}

std::vector<Boid> after_step(BoidsClassic& boids, std::size_t count) {
  boids.step();
  std::vector<Boid> after(count);
  boids.get(after);
  return after;
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

// The published program hands the squared radius to a search that takes a radius: 0.138 instead of 0.371. The
// cells within that hold only part of the neighbours.
TEST(ClassicBoids, PublishedSearchBySquaredRadiusMissesNeighbours) {
  scenes::Draws draws(55);
  const FlockRules rules;
  const std::vector<Boid> before = scattered(draws, 1500, 2.8F);
  BoidsGridOptions published;
  published.search_radius = rules.see_radius2;
  for (const Stage& stage : {stage<GridBoids>("grid", published), stage<SseBoids>("sse", published)}) {
    const auto boids = stage.make(2.9F, rules);
    boids->set(before);
    EXPECT_GT(strays(before, after_step(*boids, before.size()), 2.9F, rules, 1e-4), before.size() / 2)
        << stage.name;
  }
}

// Where four boids look together, they look into the cells between the least and the most of their four
// lanes. The published minimum and maximum of four lanes leave one out: here the last.
TEST(ClassicBoids, PublishedRangeOfFourForgetsALane) {
  const BoidsGrid grid(10.5F, FlockRules{}, {});
  const Boid four[] = {{0, 0, 1, 0}, {0.1F, 0, 1, 0}, {0.2F, 0, 1, 0}, {5, 0, 1, 0}};
  const auto range_of = [&](std::size_t lanes) {
    CellRange range = grid.around(four[0]);
    for (std::size_t lane = 1; lane < lanes; ++lane) {
      range.low_x = std::min(range.low_x, grid.around(four[lane]).low_x);
      range.high_x = std::max(range.high_x, grid.around(four[lane]).high_x);
    }
    return range;
  };
  const CellRange published = range_of(3), corrected = range_of(4);
  EXPECT_LT(published.high_x, grid.cell_of(four[3].x));  // Boid 3 does not even look into its own cell.
  EXPECT_GE(corrected.high_x, grid.around(four[3]).high_x);
}

}  // namespace
}  // namespace juxta::classics
