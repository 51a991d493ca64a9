// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Positions of few bits. Boids that stand on the steps lose nothing by rounding, and must do what all pairs
// say; others may miss a neighbour at the edge, and how far they go astray is bounded by the step.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "classics/agents/boids.h"
#include "classics/agents/boids_compact.h"
#include "classics/boids_model.h"
#include "scenes/draws.h"

namespace juxta::classics {
namespace {

// In the middle between two steps, so that rounding down never meets a step itself.
template <class Stored>
std::vector<Boid> on_steps(scenes::Draws& draws, std::size_t count, float half_size) {
  const BoidsGrid grid(half_size, FlockRules{}, {});
  const double step = 1 / (double{grid.cells_per_unit} * CompactBoids<Stored>::kSteps);
  std::vector<Boid> boids = scattered(draws, count, half_size * 0.98F);
  for (Boid& boid : boids) {
    for (float* coordinate : {&boid.x, &boid.y}) {
      const double steps = std::floor((double{*coordinate} + double{half_size}) / step);
      *coordinate = static_cast<float>((steps + 0.5) * step - double{half_size});
    }
  }
  return boids;
}

template <class Stored>
std::size_t strays_of(const std::vector<Boid>& before, float half_size, double tolerance,
                      SseRuns runs = SseRuns::kCell) {
  const FlockRules rules;
  CompactBoids<Stored> boids(half_size, rules, runs);
  boids.set(before);
  return strays(before, after_step(boids, before.size()), half_size, rules, tolerance);
}

// Two boids exactly at the edge of what they see may be judged otherwise by floats: at most one such pair.
TEST(CompactBoids, OnTheStepsOfEightBitsTheyAreThoseOfAllPairs) {
  scenes::Draws draws(71);
  for (const std::size_t size : {1U, 2U, 5U, 150U, 1500U}) {
    for (const float half_size : {0.4F, 2.9F, 10.5F}) {
      EXPECT_LE(strays_of<std::uint8_t>(on_steps<std::uint8_t>(draws, size, half_size), half_size, 1e-4), 2U)
          << size << ' ' << half_size;
    }
  }
}

// With 11 bits a float far from the middle is not much finer than a step: who is just at the edge may be
// judged either way.
TEST(CompactBoids, OnTheStepsOfSixteenBitsHardlyAnyStrays) {
  scenes::Draws draws(72);
  for (const float half_size : {0.4F, 2.9F, 10.5F}) {
    const std::vector<Boid> before = on_steps<std::uint16_t>(draws, 1500, half_size);
    for (const SseRuns runs : {SseRuns::kCell, SseRuns::kRow}) {
      EXPECT_LE(strays_of<std::uint16_t>(before, half_size, 1e-4, runs), 3U) << half_size;
    }
  }
}

// More than 32 cells: places of 16 bits begin anew, and their differences do not care.
TEST(CompactBoids, PlacesOfSixteenBitsAreRightAcrossTheirOverflow) {
  scenes::Draws draws(75);
  const std::vector<Boid> before = on_steps<std::uint16_t>(draws, 1500, 21);
  EXPECT_LE(strays_of<std::uint16_t>(before, 21, 1e-4, SseRuns::kRow), 3U);
  // Around the middle of the published world, which is where the 33rd cell begins.
  const std::vector<Boid> close = scattered(draws, 300, 0.5F);
  EXPECT_LE(strays_of<std::uint16_t>(close, 10.5F, 5e-3, SseRuns::kRow), 6U);
}

// 225 registers of boids whose differences are all 265 steps: sums in 16 bits would overflow if nobody
// widened them.
TEST(CompactBoids, CrowdsDoNotOverflow) {
  std::vector<Boid> before(1000, {0.01F, 0.01F, 1, 0});
  for (std::size_t i = 0; i < 900; ++i) {
    before[i].x = 0.35F;  // On one side of the others, near the edge of what they see.
  }
  EXPECT_EQ(strays_of<std::uint8_t>(before, 10.5F, 0.02), 0U);
  EXPECT_EQ(strays_of<std::uint16_t>(before, 10.5F, 0.001), 0U);
  EXPECT_EQ(strays_of<std::uint16_t>(before, 10.5F, 0.001, SseRuns::kRow), 0U);
}

TEST(CompactBoids, AnywhereElseSixteenBitsAreNearAndEightAreNot) {
  scenes::Draws draws(74);
  const std::vector<Boid> before = scattered(draws, 1500, 2.8F);
  const std::size_t fine = strays_of<std::uint16_t>(before, 2.9F, 1e-3);
  const std::size_t coarse = strays_of<std::uint8_t>(before, 2.9F, 1e-3);
  EXPECT_LT(fine, 120U);        // 8 %: a step is 0.04 % of the radius.
  EXPECT_GT(coarse, 2 * fine);  // A step is 0.3 % of the radius.
  EXPECT_LT(strays_of<std::uint8_t>(before, 2.9F, 0.1), 15U);
}

}  // namespace
}  // namespace juxta::classics
