// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A flock over ranks flies as on one machine: every boid in its row, to the bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "agents/flock_states.h"
#include "juxta/agents/flock.h"
#include "scenes/draws.h"
#include "support/code_of.h"
#include "support/executors.h"
#include "support/thread_ranks.h"

namespace juxta {
namespace {

using test::Boids;
using test::Crowding;

/// All rows, as bits: NaN would be equal to itself.
std::vector<std::uint32_t> bits_of(const Flock& flock) {
  std::vector<std::uint32_t> bits(flock.numbers().begin(), flock.numbers().end());
  for (std::uint32_t axis = 0; axis < flock.options().dimensions; ++axis) {
    for (const auto& column : {flock.position(axis), flock.velocity(axis)}) {
      for (const float value : column) {
        bits.push_back(std::bit_cast<std::uint32_t>(value));
      }
    }
  }
  return bits;
}

struct Flight {
  FlockOptions options;
  Crowding crowding = Crowding::kUniform;
  std::size_t boids = 500;
  int steps = 5;
};

Flock begin(const Flight& flight) {
  scenes::Draws draws(11);
  Flock flock = Flock::build(flight.options).value();
  EXPECT_TRUE(test::set(flock, test::draw_boids(draws, flight.options, flight.crowding, flight.boids)));
  return flock;
}

void expect_same(const Flight& flight, std::initializer_list<std::uint32_t> sizes,
                 const Executor* executor = nullptr) {
  std::vector<std::vector<std::uint32_t>> expected;
  Flock alone = begin(flight);
  for (int i = 0; i < flight.steps; ++i) {
    ASSERT_TRUE(alone.step());
    expected.push_back(bits_of(alone));
  }
  for (const std::uint32_t size : sizes) {
    SCOPED_TRACE(std::to_string(size) + " ranks");
    std::vector<std::size_t> boids(size);
    test::run_ranks(size, [&](Ranks& ranks) {
      Flock flock = ranks.rank() == 0 ? begin(flight) : Flock::build(flight.options).value();
      ASSERT_TRUE(flock.distribute(ranks));
      for (int i = 0; i < flight.steps; ++i) {
        ASSERT_TRUE(flock.step({.executor = executor}));
        const std::uint32_t rank = static_cast<std::uint32_t>(i) % size;
        const auto whole = flock.gather(rank);
        ASSERT_TRUE(whole);
        if (ranks.rank() == rank) {
          ASSERT_EQ(bits_of(*whole), expected[static_cast<std::size_t>(i)]) << "step " << i;
        }
      }
      boids[ranks.rank()] = flock.size();
    });
    if (flight.boids >= 500 && flight.crowding == Crowding::kUniform && flight.options.half_size > 2) {
      EXPECT_GT(std::count_if(boids.begin(), boids.end(), [](std::size_t n) { return n != 0; }),
                size == 1 ? 0 : 1);
    }
  }
}

TEST(FlockOverRanks, FliesAsOnOneMachine) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const bool periodic : {false, true}) {
      for (const Crowding crowding : test::kCrowdings) {
        for (const float half_size : {0.3F, 4.0F}) {
          SCOPED_TRACE(std::to_string(dimensions) + "D" + (periodic ? " periodic, " : ", ") +
                       std::string(test::name(crowding)) + ", " + std::to_string(half_size));
          Flight flight;
          flight.options.dimensions = dimensions;
          flight.options.periodic = periodic;
          flight.options.half_size = half_size;
          flight.crowding = crowding;
          ASSERT_NO_FATAL_FAILURE(expect_same(flight, {1, 2, 3, 8}));
        }
      }
    }
  }
}

TEST(FlockOverRanks, FewBoids) {
  for (const std::size_t boids : {0U, 1U, 2U, 5U, 17U}) {
    SCOPED_TRACE(boids);
    Flight flight;
    flight.options.half_size = 3;
    flight.boids = boids;
    flight.steps = 40;  // ranks without boids look at the balance, too
    ASSERT_NO_FATAL_FAILURE(expect_same(flight, {1, 4}));
  }
}

/// Steps so long that boids cross several ranks; far worlds, where sums are not folded.
TEST(FlockOverRanks, LongSteps) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const float half_size : {5.0F, 90.0F}) {
      Flight flight;
      flight.options.dimensions = dimensions;
      flight.options.half_size = half_size;
      flight.options.periodic = true;
      flight.options.rules.time_step = half_size / 2;
      flight.boids = 2000;
      ASSERT_NO_FATAL_FAILURE(expect_same(flight, {2, 5}));
    }
  }
}

/// The balance is looked at, and cuts move; threads inside ranks.
TEST(FlockOverRanks, ManySteps) {
  Flight flight;
  flight.options.half_size = 9;
  flight.crowding = Crowding::kClusters;
  flight.boids = 4000;
  flight.steps = 50;
  test::for_each_executor([&](const Executor* executor) { expect_same(flight, {3}, executor); });
}

/// In space ranks are cut into blocks of layers, and rows of one rank stand apart in the order of one
/// machine.
TEST(FlockOverRanks, BlocksOfLayers) {
  for (const bool periodic : {false, true}) {
    for (const Crowding crowding : {Crowding::kUniform, Crowding::kClusters}) {
      Flight flight;
      flight.options.dimensions = 3;
      flight.options.periodic = periodic;
      flight.options.half_size = 3;
      flight.crowding = crowding;
      flight.boids = 6000;
      flight.steps = 36;  // the balance is looked at twice
      ASSERT_NO_FATAL_FAILURE(expect_same(flight, {9, 16}));
    }
  }
}

/// Each rank brings some: they stand in the order of ranks.
TEST(FlockOverRanks, EachBringsSome) {
  Flight flight;
  flight.options.half_size = 4;
  flight.boids = 900;
  Flock alone = begin(flight);
  const Boids all = test::boids_of(alone);
  ASSERT_TRUE(alone.step());
  test::run_ranks(3, [&](Ranks& ranks) {
    Boids some;
    for (std::uint32_t axis = 0; axis < 2; ++axis) {
      const auto part = [&](const std::vector<float>& of) {
        const auto first = of.begin() + 300 * static_cast<std::ptrdiff_t>(ranks.rank());
        return std::vector<float>(first, first + 300);
      };
      some.position[axis] = part(all.position[axis]);
      some.velocity[axis] = part(all.velocity[axis]);
    }
    Flock flock = Flock::build(flight.options).value();
    ASSERT_TRUE(test::set(flock, some));
    ASSERT_TRUE(flock.distribute(ranks));
    auto whole = flock.gather(1);  // before the first step
    ASSERT_TRUE(whole);
    if (ranks.rank() == 1) {
      EXPECT_EQ(bits_of(*whole), bits_of(begin(flight)));
    }
    ASSERT_TRUE(flock.step());
    whole = flock.gather();
    ASSERT_TRUE(whole);
    if (ranks.rank() == 0) {
      EXPECT_EQ(bits_of(*whole), bits_of(alone));
      ASSERT_TRUE(whole->step() && alone.step());  // it flies on by itself
      EXPECT_EQ(bits_of(*whole), bits_of(alone));
      EXPECT_EQ(whole->steps(), 2U);
    } else {
      EXPECT_EQ(whole->size(), 0U);
    }
  });
}

TEST(FlockOverRanks, RefusesWhatCannotBe) {
  test::run_ranks(2, [&](Ranks& ranks) {
    FlockOptions options;
    Flock flock = Flock::build(options).value();
    EXPECT_EQ(test::code_of(flock.gather()), ErrorCode::kInvalidArgument);
    ASSERT_TRUE(flock.distribute(ranks));
    EXPECT_EQ(test::code_of(flock.distribute(ranks)), ErrorCode::kInvalidArgument);
    EXPECT_EQ(test::code_of(flock.gather(2)), ErrorCode::kInvalidArgument);
    EXPECT_EQ(test::code_of(flock.scatter(5, 1)), ErrorCode::kInvalidArgument);
    EXPECT_EQ(test::code_of(flock.rebuild({}, {})), ErrorCode::kInvalidArgument);
    options.half_size = ranks.rank() == 0 ? 3.0F : 4.0F;
    Flock other = Flock::build(options).value();
    const auto refused = other.distribute(ranks);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("options"), std::string::npos) << refused.error().message;
  });
}

}  // namespace
}  // namespace juxta
