// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The step of flocking beside its plain twin: the same bits on every instruction set.
#include "models/flocking_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "support/each_isa.h"

namespace juxta::models_detail {
namespace {

/// Birds in the order of their cells, and what points to them.
struct Birds {
  Birds(std::size_t count, std::int32_t cells, double clump, std::uint64_t seed) : side(cells), columns(4) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> part(0, 1), velocity(-1, 1);
    const double size = static_cast<double>(cells);
    std::vector<std::array<double, 4>> birds(count);
    for (auto& bird : birds) {
      for (std::size_t axis = 0; axis < 2; ++axis) {
        bird[axis] = flocking_inside(part(random) * size * clump - 0.3, size);
        bird[2 + axis] = velocity(random);
      }
    }
    const auto cell = [&](const auto& bird) {
      return flocking_cell(bird[1], 1, side) * side + flocking_cell(bird[0], 1, side);
    };
    std::stable_sort(birds.begin(), birds.end(),
                     [&](const auto& a, const auto& b) { return cell(a) < cell(b); });
    start.assign(static_cast<std::size_t>(side * side) + 1, 0);
    for (const auto& bird : birds) {
      ++start[static_cast<std::size_t>(cell(bird)) + 1];
    }
    std::partial_sum(start.begin(), start.end(), start.begin());
    for (std::size_t c = 0; c < 4; ++c) {
      for (const auto& bird : birds) {
        columns[c].push_back(bird[c]);
      }
      columns[c].resize(count + kFlockingLanes, 0.25);  // looks like a bird, and is none
    }
    turns.resize(count);
    std::iota(turns.begin(), turns.end(), 0);
    std::shuffle(turns.begin(), turns.end(), random);
  }

  FlockingStep step(const FlockingRules& rules) {
    return {rules,
            side,
            start,
            turns,
            {columns[0].data(), columns[1].data()},
            {columns[2].data(), columns[3].data()}};
  }

  std::int32_t side;
  std::vector<std::vector<double>> columns;
  std::vector<std::uint32_t> start, turns;
};

void expect_twins(const Birds& birds, const FlockingRules& rules) {
  Birds plain = birds;
  fly_in_turn_plain(plain.step(rules));
  test::for_each_isa([&](Isa) {
    Birds fast = birds;
    fly_in_turn(fast.step(rules));
    for (std::size_t c = 0; c < 4; ++c) {
      for (std::size_t i = 0; i < birds.turns.size(); ++i) {
        ASSERT_EQ(fast.columns[c][i], plain.columns[c][i]) << "column " << c << " of bird " << i;
      }
      for (std::size_t i = birds.turns.size(); i < fast.columns[c].size(); ++i) {
        ASSERT_EQ(fast.columns[c][i], 0.25) << "written behind the last bird";
      }
    }
  });
}

/// Cells are 1 wide: a bird sees and flies that far at most.
FlockingRules rules_of(std::int32_t side) {
  return {static_cast<double>(side), 0.75, 0.03, 0.5, 0.2, 0.05, 0.15};
}

TEST(FlockingKernel, IsItsTwin) {
  for (const std::int32_t side : {1, 3, 4, 5, 9}) {
    for (std::size_t count = 0; count <= 68; ++count) {
      SCOPED_TRACE(std::to_string(side) + " cells, " + std::to_string(count) + " birds");
      expect_twins(Birds(count, side, 1, count), rules_of(side));
    }
  }
}

TEST(FlockingKernel, IsItsTwinWhereManyAreNear) {
  for (const std::int32_t side : {1, 3, 6, 12}) {
    for (const double clump : {1e-9, 0.1, 1.0}) {  // across the corner at -0.3, which is size - 0.3
      for (const std::uint64_t seed : {1, 2, 3}) {
        SCOPED_TRACE(std::to_string(side) + " cells, clump " + std::to_string(clump));
        expect_twins(Birds(700, side, clump, seed), rules_of(side));
      }
    }
  }
}

TEST(FlockingKernel, FindsWhoHasFlownAcrossTheEdge) {
  // The first bird flies from 0.05 across the edge to 4.98; the second, in the next cell, must see it there.
  Birds birds(2, 5, 1, 0);
  birds.columns = {{0.05, 1.0}, {2.5, 2.5}, {-1, 0}, {0, 1}};
  for (auto& column : birds.columns) {
    column.resize(2 + kFlockingLanes);
  }
  birds.start.assign(26, 2);
  std::fill_n(birds.start.begin(), 11, 0);  // cells 10 and 11
  birds.start[11] = 1;
  birds.turns = {0, 1};
  const FlockingRules rules{5, 1.1, 0.0, 0.0, 0.0, 1.0, 0.1};
  fly_in_turn(birds.step(rules));
  EXPECT_NEAR(birds.columns[0][0], 4.98, 0.01);
  EXPECT_NEAR(birds.columns[2][1], -0.38, 0.01);  // of (-0.71, 0.71) + (0, 1)
}

TEST(FlockingKernel, SomeCellForAnyNumber) {
  EXPECT_EQ(flocking_cell(std::nan(""), 1, 7), 0);
  EXPECT_EQ(flocking_cell(-1e300, 1, 7), 0);
  EXPECT_EQ(flocking_cell(1e300, 1e10, 7), 6);
  EXPECT_EQ(flocking_cell(6.999, 1, 7), 6);
  EXPECT_EQ(flocking_inside(-1e-20, 5), 0);
  EXPECT_EQ(flocking_inside(5, 5), 0);
  EXPECT_EQ(flocking_inside(-1, 5), 4);
  EXPECT_EQ(flocking_inside(12.5, 5), 2.5);
}

}  // namespace
}  // namespace juxta::models_detail
