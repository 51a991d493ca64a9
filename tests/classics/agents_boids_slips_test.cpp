// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// The slips of the published boids, each shown as printed beside what was meant. "The program" is
// github.com/Ihaa21/Boids with its library github.com/Ihaa21/math: what is said of it was read there. The
// listings of the articles could not be read in full here; a test that rests on a quotation alone says so.
// Registers are arrays of four here, so that the printed code can be followed lane by lane.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "classics/agents/boids.h"
#include "classics/agents/boids_published.h"
#include "classics/agents/boids_rules-inl.h"
#include "classics/boids_model.h"
#include "scenes/draws.h"

namespace juxta::classics {
namespace {

using Four = std::array<std::uint32_t, 4>;

constexpr std::uint32_t kAllOnes = ~std::uint32_t{0};

Four equal(const Four& a, const Four& b) {
  Four mask{};
  for (std::size_t lane = 0; lane < 4; ++lane) {
    mask[lane] = a[lane] == b[lane] ? kAllOnes : 0;
  }
  return mask;
}

// The highest bit of each lane: what MoveMask is for.
std::uint32_t meant_move_mask(const Four& mask) {
  return mask[0] >> 31 | mask[1] >> 31 << 1 | mask[2] >> 31 << 2 | mask[3] >> 31 << 3;
}

// MoveMask(v1u_x4) of the program's library: one bit of each lane, all moved to bit 0, and joined by "or".
std::uint32_t printed_move_mask(const Four& mask) {
  std::uint32_t bytes = 0;  // _mm_movemask_epi8
  for (std::uint32_t byte = 0; byte < 16; ++byte) {
    bytes |= (mask[byte / 4] >> (8 * (byte % 4) + 7) & 1) << byte;
  }
  return (bytes >> 3 & 1) | (bytes >> 6 & 1) | (bytes >> 10 & 1) | (bytes >> 12 & 1);
}

// Four boids may be loaded at once when their indices follow the first one's.
Four agreement(const Four& indices) {
  return equal(indices, {indices[0], indices[0] + 1, indices[0] + 2, indices[0] + 3});
}

constexpr Four kFollowing{7, 8, 9, 10}, kScattered{7, 3, 12, 5}, kHalf{7, 8, 30, 31};

// The program hands the squared radius to a search that takes a radius: 0.138 instead of 0.371. The cells
// within that hold only part of the neighbours.
TEST(BoidsSlips, SearchBySquaredRadiusMissesNeighbours) {
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
  // Four that look together share their cells, and miss fewer.
  SseBlockBoids four(2.9F, rules, published);
  four.set(before);
  EXPECT_GT(strays(before, after_step(four, before.size()), 2.9F, rules, 1e-4), before.size() / 50);
}

// Where four boids look together, they look into the cells between the least and the most of their lanes.
// HorizontalMin and HorizontalMax of the library shift by the number of the field instead of by two bits for
// each: the shuffles are 29 and 7, not 177 and 78, and the third lane takes no part.
TEST(BoidsSlips, HorizontalMinimumForgetsTheThirdLane) {
  const auto shuffled = [](const Four& v, std::uint32_t control) {
    return Four{v[control & 3], v[control >> 2 & 3], v[control >> 4 & 3], v[control >> 6 & 3]};
  };
  const auto least = [](const Four& a, const Four& b) {
    return Four{std::min(a[0], b[0]), std::min(a[1], b[1]), std::min(a[2], b[2]), std::min(a[3], b[3])};
  };
  const auto least_of = [&](Four v, std::uint32_t first, std::uint32_t second) {
    v = least(v, shuffled(v, first));
    return least(v, shuffled(v, second))[0];
  };
  constexpr std::uint32_t kFirst = (1 << 0) | (0 << 1) | (3 << 2) | (2 << 3);   // printed
  constexpr std::uint32_t kSecond = (3 << 0) | (3 << 1) | (0 << 2) | (0 << 3);  // printed
  static_assert(kFirst == 29 && kSecond == 7);
  for (std::size_t lane = 0; lane < 4; ++lane) {
    Four cells{40, 41, 42, 43};
    cells[lane] = 5;
    EXPECT_EQ(least_of(cells, 177, 78), 5U) << lane;
    EXPECT_EQ(least_of(cells, kFirst, kSecond), lane == 2 ? 40U : 5U) << lane;
  }
}

// The range of cells is clamped to the number of cells, not to the last one: at the high walls a search looks
// into a cell that is none. At the low walls a negative cell becomes a huge one by its cast, and is clamped
// to the same: the search begins beyond its end, and a boid there has no neighbours.
TEST(BoidsSlips, RangesAreWrongAtTheWalls) {
  static constexpr std::uint32_t kCells = 64;
  const auto printed = [](float cell) {
    const auto floored = static_cast<std::int32_t>(std::floor(cell));
    return std::min(static_cast<std::uint32_t>(floored), kCells);
  };
  EXPECT_EQ(printed(63.9F + 1.1F), kCells);  // One more than the last.
  const std::uint32_t low = printed(0.4F - 1.1F), high = printed(0.4F + 1.1F);
  EXPECT_EQ(low, kCells);
  EXPECT_GT(low, high);

  const BoidsGrid grid(10.5F, FlockRules{}, {});
  const Boid at_low_wall{-10.45F, 0, 1, 0}, at_high_wall{10.45F, 0, 1, 0};
  EXPECT_EQ(grid.around(at_low_wall).low_x, 0U);
  EXPECT_LT(grid.around(at_low_wall).low_x, grid.around(at_low_wall).high_x);
  EXPECT_EQ(grid.around(at_high_wall).high_x, kCells - 1);
}

// MoveMask gives 1 for any lane and never the 15 that says "all four": whoever asks for all four never loads.
// SeerLoads::kNever is that program.
TEST(BoidsSlips, MoveMaskOrsAllLanesIntoBitZeroSoTheFastPathNeverRuns) {
  for (std::uint32_t lanes = 0; lanes < 16; ++lanes) {
    const Four mask{lanes & 1 ? kAllOnes : 0, lanes & 2 ? kAllOnes : 0, lanes & 4 ? kAllOnes : 0,
                    lanes & 8 ? kAllOnes : 0};
    EXPECT_EQ(meant_move_mask(mask), lanes);
    EXPECT_EQ(printed_move_mask(mask), lanes == 0 ? 0U : 1U);
    EXPECT_NE(printed_move_mask(mask), 15U);
  }
}

// The printed question `AlignedMask == 1`, quoted. The first lane always agrees with itself. Of a right mask
// it is true when no other lane follows, and false when all do: it would load just the fours that must be
// gathered. Of the printed mask it is true for all fours: boids 7, 8, 9, 10 in place of 7, 3, 12, 5.
TEST(BoidsSlips, AlignedMaskEqualToOneAsksForTheFirstLaneAlone) {
  EXPECT_EQ(meant_move_mask(agreement(kFollowing)), 15U);
  EXPECT_EQ(meant_move_mask(agreement(kScattered)), 1U);
  EXPECT_EQ(meant_move_mask(agreement(kHalf)), 3U);
  for (const Four& four : {kFollowing, kScattered, kHalf}) {
    EXPECT_EQ(printed_move_mask(agreement(four)), 1U);
  }
  // As numbers of one lane: what a comparison leaves is all ones, not 1.
  EXPECT_EQ(printed_move_mask(equal(agreement(kFollowing), {1, 1, 1, 1})), 0U);
}

// Steering applied where n = 0: without neighbours the sums are 0, so that "the mean place of the others" is
// the middle of the world, and "their mean velocity" is rest. A boid alone is drawn to the middle. By the
// rules it flies on.
TEST(BoidsSlips, SteeringAtNoNeighboursDrawsToTheMiddleOfTheWorld) {
  const FlockRules rules;
  const float half_size = 10.5F;
  const Boid alone{6, -3, 0, 1.2F};
  const auto printed = [&rules](float position, float velocity) {
    const float mean_place = 0 / 1.0F, mean_velocity = 0 / 1.0F;
    velocity += rules.cohere * (mean_place - position);
    return velocity + rules.align * (mean_velocity - velocity);
  };
  const float vx = printed(alone.x, alone.vx), vy = printed(alone.y, alone.vy);
  EXPECT_LT(std::atan2(vx, vy), -0.5F);  // Turned by more than a quarter of a right angle, in one step.
  const std::vector<Boid> before{alone};
  SseBlockBoids boids(half_size, rules);
  boids.set(before);
  const std::vector<Boid> after = after_step(boids, 1);
  EXPECT_EQ(after[0].vx, alone.vx);
  EXPECT_EQ(after[0].vy, alone.vy);
  EXPECT_EQ(strays(before, after, half_size, rules), 0U);
}

}  // namespace
}  // namespace juxta::classics
