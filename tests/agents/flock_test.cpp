// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The flock against the same rules over all pairs.
#include "juxta/agents/flock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "agents/flock_states.h"
#include "scenes/draws.h"

namespace juxta {
namespace {

using scenes::Draws;
using test::Boids;
using test::Crowding;

struct Kind {
  std::uint32_t dimensions;
  bool periodic;
};
constexpr std::array<Kind, 4> kKinds{{{2, false}, {2, true}, {3, false}, {3, true}}};

FlockOptions options_of(const Kind& kind, float half_size) {
  FlockOptions options;
  options.dimensions = kind.dimensions;
  options.periodic = kind.periodic;
  options.half_size = half_size;
  return options;
}
std::string words(const Kind& kind) {
  return std::to_string(kind.dimensions) + "D" + (kind.periodic ? " periodic" : "");
}

/// Some steps, each from where the last one ended.
void expect_right(Flock& flock, int steps) {
  for (int i = 0; i < steps; ++i) {
    const Boids before = test::boids_of(flock);
    const auto done = flock.step();
    ASSERT_TRUE(done) << done.error().message;
    ASSERT_EQ(test::compare_step(flock, before), "") << "step " << i;
  }
}

TEST(Flock, StepsAsAllPairsDo) {
  for (const Kind& kind : kKinds) {
    for (const std::size_t count : {0U, 1U, 2U, 3U, 7U, 15U, 16U, 17U, 33U, 500U, 2000U}) {
      SCOPED_TRACE(words(kind) + ", " + std::to_string(count));
      auto flock = Flock::build(options_of(kind, kind.dimensions == 2 ? 3.3F : 1.2F)).value();
      ASSERT_TRUE(flock.scatter(count, 7));
      ASSERT_EQ(flock.size(), count);
      ASSERT_NO_FATAL_FAILURE(expect_right(flock, count > 1000 ? 3 : 8));
      EXPECT_EQ(flock.steps(), count > 1000 ? 3u : 8u);
    }
  }
}

TEST(Flock, HardStates) {
  for (const Kind& kind : kKinds) {
    for (const Crowding crowding : test::kCrowdings) {
      for (const float half_size : {0.3F, 2.0F, 10.5F}) {
        SCOPED_TRACE(words(kind) + ", " + std::string(test::name(crowding)) + ", " +
                     std::to_string(half_size));
        Draws draws(3);
        auto flock = Flock::build(options_of(kind, half_size)).value();
        ASSERT_TRUE(test::set(flock, test::draw_boids(draws, flock.options(), crowding, 400)));
        ASSERT_NO_FATAL_FAILURE(expect_right(flock, 3));
      }
    }
  }
}

TEST(Flock, OtherRulesOnTheWay) {
  for (const Kind& kind : kKinds) {
    SCOPED_TRACE(words(kind));
    Flock flock = Flock::build(options_of(kind, 2)).value();
    ASSERT_TRUE(flock.scatter(500, 3));
    expect_right(flock, 2);
    FlockRules rules = flock.options().rules;
    rules.see_radius2 *= 3;
    rules.align = 0.5F;
    rules.max_speed = 4;
    ASSERT_TRUE(flock.set_rules(rules));
    EXPECT_EQ(flock.options().rules.align, 0.5F);
    expect_right(flock, 3);
    for (const float bad : {rules.see_radius2 * 2, -1.0F, std::nanf("")}) {
      FlockRules wrong = rules;
      wrong.avoid_radius2 = bad;
      EXPECT_FALSE(flock.set_rules(wrong));
    }
    EXPECT_EQ(flock.options().rules.avoid_radius2, rules.avoid_radius2);
    expect_right(flock, 1);
  }
}

// In periodic worlds, more than half of it too.
TEST(Flock, EverySight) {
  for (const Kind& kind : kKinds) {
    for (const float radius : {0.001F, 0.1F, 0.8F, 1.9F, 2.1F, 3.5F, 5.0F, 100.0F}) {
      SCOPED_TRACE(words(kind) + ", radius " + std::to_string(radius));
      FlockOptions options = options_of(kind, 2);
      options.rules.see_radius2 = radius * radius;
      options.rules.avoid_radius2 = radius * radius / 4;
      Draws draws(4);
      auto flock = Flock::build(options).value();
      ASSERT_TRUE(test::set(flock, test::draw_boids(draws, options, Crowding::kUniform, 300)));
      ASSERT_NO_FATAL_FAILURE(expect_right(flock, 3));
    }
  }
}

/// Rules under which a boid that stood still moves by exactly the sum of where the others are not.
FlockRules counting_rules(float radius2) {
  FlockRules rules;
  rules.see_radius2 = rules.avoid_radius2 = radius2;
  rules.min_speed = 0;
  rules.max_speed = 1e6F;
  rules.wall = rules.align = rules.cohere = 0;
  rules.avoid = 1;
  return rules;
}

// Places that are multiples of 1/8, so that many are at exactly the radius, where nobody is seen, and so that
// sums are exact: a neighbour more or less shows.
TEST(Flock, NeighboursToTheLast) {
  for (const Kind& kind : kKinds) {
    for (const float radius2 : {0.0625F, 0.25F, 1.0F, 3.0F, 6.25F, 25.0F}) {
      SCOPED_TRACE(words(kind) + ", radius " + std::to_string(std::sqrt(radius2)));
      FlockOptions options = options_of(kind, 4);
      options.rules = counting_rules(radius2);
      Draws draws(5);
      Boids boids;
      for (std::uint32_t axis = 0; axis < options.dimensions; ++axis) {
        for (int i = 0; i < 900; ++i) {
          boids.position[axis].push_back(static_cast<float>(draws.below(64)) * 0.125F - 4);
        }
        boids.velocity[axis].assign(900, 0);
      }
      auto flock = Flock::build(options).value();
      ASSERT_TRUE(test::set(flock, boids));
      ASSERT_TRUE(flock.step());
      const test::FlockModel model(options);
      const Boids now = test::boids_of(flock);
      std::size_t seen = 0;
      for (std::size_t i = 0; i < boids.size(); ++i) {
        const auto right = model.step(boids, i);
        for (std::uint32_t axis = 0; axis < options.dimensions; ++axis) {
          ASSERT_EQ(now.velocity[axis][i], static_cast<float>(right.velocity[axis])) << i;
        }
        seen += right.seen;
      }
      EXPECT_GE(seen, 100u);
    }
  }
}

// One velocity is the mean of those that are seen: 1 in one of them, 0 in the others, gives their number.
TEST(Flock, CountsThoseItSees) {
  FlockOptions options;
  options.rules = counting_rules(0.25F);
  options.rules.avoid = 0;
  options.rules.align = 1;
  Draws draws(6);
  Boids boids = test::draw_boids(draws, options, Crowding::kClusters, 600);
  for (std::size_t i = 0; i < boids.size(); ++i) {
    boids.velocity[0][i] = static_cast<float>(i == 100);
    boids.velocity[1][i] = 0;
  }
  auto flock = Flock::build(options).value();
  ASSERT_TRUE(test::set(flock, boids));
  ASSERT_TRUE(flock.step());
  const test::FlockModel model(options);
  const Boids now = test::boids_of(flock);
  int told = 0;
  for (std::size_t i = 0; i < boids.size(); ++i) {
    const auto right = model.step(boids, i);
    if (right.velocity[0] > 0) {
      EXPECT_EQ(std::lround(1 / now.velocity[0][i]), static_cast<long>(right.seen)) << i;
      ++told;
    } else if (i != 100) {
      EXPECT_EQ(now.velocity[0][i], 0) << i;
    }
  }
  EXPECT_GT(told, 20);
}

TEST(Flock, AllInOnePointAndStill) {
  for (const Kind& kind : kKinds) {
    SCOPED_TRACE(words(kind));
    auto flock = Flock::build(options_of(kind, 5)).value();
    Boids boids;
    for (std::uint32_t axis = 0; axis < kind.dimensions; ++axis) {
      boids.position[axis].assign(1000, 1.5F);
      boids.velocity[axis].assign(1000, 0);
    }
    ASSERT_TRUE(test::set(flock, boids));
    for (int i = 0; i < 20; ++i) {
      ASSERT_TRUE(flock.step());
    }
    for (std::uint32_t axis = 0; axis < kind.dimensions; ++axis) {
      for (std::size_t row = 0; row < flock.size(); ++row) {
        ASSERT_TRUE(std::isfinite(flock.velocity(axis)[row]));
        ASSERT_EQ(flock.position(axis)[row], flock.position(axis)[0]);
      }
    }
  }
}

TEST(Flock, StaysInsideWithinItsSpeeds) {
  for (const Kind& kind : kKinds) {
    SCOPED_TRACE(words(kind));
    auto flock = Flock::build(options_of(kind, 2)).value();
    ASSERT_TRUE(flock.scatter(1500, 9));
    const FlockRules& rules = flock.options().rules;
    for (int step = 0; step < 200; ++step) {
      ASSERT_TRUE(flock.step());
    }
    for (std::size_t row = 0; row < flock.size(); ++row) {
      double speed2 = 0;
      for (std::uint32_t axis = 0; axis < kind.dimensions; ++axis) {
        const double v = flock.velocity(axis)[row], p = flock.position(axis)[row];
        speed2 += v * v;
        ASSERT_TRUE(kind.periodic ? p >= -2 && p < 2 : std::abs(p) <= 1.99 + 1e-6);
      }
      const double slack = kind.periodic ? 0 : 2 * double{rules.wall};  // the walls push after the limits
      ASSERT_GE(std::sqrt(speed2), double{rules.min_speed} - slack - 1e-5);
      ASSERT_LE(std::sqrt(speed2), double{rules.max_speed} + slack + 1e-5);
    }
  }
}

}  // namespace
}  // namespace juxta
