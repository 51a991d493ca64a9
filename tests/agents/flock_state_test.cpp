// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How a flock begins, what is refused, and that its steps are the same bytes for every executor and
// instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "agents/flock_states.h"
#include "support/code_of.h"
#include "support/counting_resource.h"
#include "support/each_isa.h"
#include "support/executors.h"
#include "support/fnv.h"

namespace juxta {
namespace {

using test::Boids;
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

FlockOptions options_of(std::uint32_t dimensions, bool periodic, float half_size) {
  FlockOptions options;
  options.dimensions = dimensions;
  options.periodic = periodic;
  options.half_size = half_size;
  return options;
}

std::uint64_t hash_of(const Flock& flock) {
  std::uint64_t hash = test::fnv(flock.numbers());
  for (std::uint32_t axis = 0; axis < flock.options().dimensions; ++axis) {
    hash = test::fnv(flock.velocity(axis), test::fnv(flock.position(axis), hash));
  }
  return hash;
}

std::uint64_t run(const FlockOptions& options, std::size_t count, int steps, const Executor* executor) {
  auto flock = Flock::build(options).value();
  EXPECT_TRUE(flock.scatter(count, 11));
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(flock.step({.executor = executor}));
  }
  return hash_of(flock);
}

TEST(FlockState, TheSameBytesOnEveryExecutor) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const bool periodic : {false, true}) {
      const FlockOptions options = options_of(dimensions, periodic, dimensions == 2 ? 7 : 2);
      const std::uint64_t expected = run(options, 5000, 300, nullptr);
      const test::ThreadsExecutor sixteen(16);
      EXPECT_EQ(run(options, 5000, 300, &sixteen), expected);
      const std::uint64_t shorter = run(options, 3000, 50, nullptr);
      test::for_each_executor(
          [&](const Executor* executor) { EXPECT_EQ(run(options, 3000, 50, executor), shorter); });
    }
  }
}

TEST(FlockState, TheSameBytesOnEveryInstructionSet) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const bool periodic : {false, true}) {
      const FlockOptions options = options_of(dimensions, periodic, dimensions == 2 ? 4 : 1.5F);
      const std::uint64_t expected = run(options, 3001, 300, nullptr);
      test::for_each_isa([&](Isa) { EXPECT_EQ(run(options, 3001, 300, nullptr), expected); });
    }
  }
}

TEST(FlockState, ScattersAsItSays) {
  auto flock = Flock::build(options_of(3, false, 4)).value();
  EXPECT_EQ(flock.size(), 0u);
  EXPECT_TRUE(flock.step());
  EXPECT_EQ(flock.steps(), 1u);
  ASSERT_TRUE(flock.scatter(5000, 1));
  const Boids first = test::boids_of(flock);
  double mean = 0;
  for (std::size_t i = 0; i < first.size(); ++i) {
    double speed2 = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      ASSERT_LE(std::abs(first.position[axis][i]), 0.9F * 4 + 1e-6F);
      mean += double{first.position[axis][i]};
      speed2 += double{first.velocity[axis][i]} * double{first.velocity[axis][i]};
    }
    ASSERT_GE(std::sqrt(speed2), 1.088 / 2 - 1e-5);
    ASSERT_LE(std::sqrt(speed2), 1.55 / 2 + 1e-5);
  }
  EXPECT_LT(std::abs(mean / 15'000), 0.1);
  ASSERT_TRUE(flock.scatter(5000, 2));
  EXPECT_NE(test::boids_of(flock).position[0], first.position[0]);
  ASSERT_TRUE(flock.scatter(1000, 1));  // drawn by number: the first of them are the same
  const Boids fewer = test::boids_of(flock);
  ASSERT_EQ(fewer.size(), 1000u);
  EXPECT_TRUE(std::equal(fewer.position[2].begin(), fewer.position[2].end(), first.position[2].begin()));
}

TEST(FlockState, NumbersStayWithTheirBoids) {
  auto flock = Flock::build(options_of(2, false, 3)).value();
  ASSERT_TRUE(flock.scatter(2000, 3));
  for (int i = 0; i < 10; ++i) {
    const Boids before = test::boids_of(flock);
    ASSERT_TRUE(flock.step());
    std::vector<std::uint32_t> numbers(flock.numbers().begin(), flock.numbers().end());
    std::sort(numbers.begin(), numbers.end());
    for (std::uint32_t k = 0; k < numbers.size(); ++k) {
      ASSERT_EQ(numbers[k], k);
    }
    const Boids now = test::boids_of(flock);
    for (std::size_t k = 0; k < now.size(); ++k) {
      ASSERT_LT(std::abs(now.position[0][k] - before.position[0][k]), 0.04F);
    }
  }
}

TEST(FlockState, StepsAllocateNothingOnceGrown) {
  test::CountingResource resource;
  {
    auto flock = Flock::build(options_of(2, false, 3), &resource).value();
    ASSERT_TRUE(flock.scatter(3000, 3));
    for (int i = 0; i < 5; ++i) {
      ASSERT_TRUE(flock.step());
    }
    const std::size_t before = resource.calls();
    for (int i = 0; i < 5; ++i) {
      ASSERT_TRUE(flock.step());
    }
    EXPECT_EQ(resource.calls(), before);
    EXPECT_LE(flock.memory_bytes(), resource.held() + 65'536);
    EXPECT_GE(flock.memory_bytes() + 65'536, resource.held());
  }
  EXPECT_EQ(resource.held(), 0u);
}

TEST(FlockState, FliesInWorldsThatNoTableCouldHold) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const bool periodic : {false, true}) {
      for (const float half_size : {1e6F, 1e9F, 1e14F}) {
        auto flock = Flock::build(options_of(dimensions, periodic, half_size)).value();
        ASSERT_TRUE(flock.scatter(300, 5));
        ASSERT_TRUE(flock.step());
        EXPECT_LT(flock.memory_bytes(), std::size_t{1} << 22) << half_size;
        for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
          for (const float p : flock.position(axis)) {
            EXPECT_TRUE(p >= -half_size && p <= half_size);
          }
        }
      }
    }
  }
}

TEST(FlockState, MovesAsAWhole) {
  auto flock = Flock::build().value();
  ASSERT_TRUE(flock.scatter(100, 3));
  const std::uint64_t hash = hash_of(flock);
  Flock other = std::move(flock);
  EXPECT_EQ(hash_of(other), hash);
  flock = Flock::build().value();
  EXPECT_EQ(flock.size(), 0u);
}

TEST(FlockState, RefusesOptionsThatMakeNoSense) {
  struct Bad {
    const char* word;  // in the message
    ErrorCode code;
    std::function<void(FlockOptions&)> spoil;
  };
  const auto invalid = ErrorCode::kInvalidArgument, infinite = ErrorCode::kNotFinite;
  const std::vector<Bad> all{
      {"dimensions", invalid, [](FlockOptions& o) { o.dimensions = 1; }},
      {"dimensions", invalid, [](FlockOptions& o) { o.dimensions = 4; }},
      {"half_size", invalid, [](FlockOptions& o) { o.half_size = 0.02F; }},
      {"half_size", invalid, [](FlockOptions& o) { o.half_size = -3; }},
      {"half_size", infinite, [](FlockOptions& o) { o.half_size = kInf; }},
      {"half_size", infinite, [](FlockOptions& o) { o.half_size = kNan; }},
      {"time_step", invalid, [](FlockOptions& o) { o.rules.time_step = 0; }},
      {"time_step", infinite, [](FlockOptions& o) { o.rules.time_step = kNan; }},
      {"see_radius2", invalid, [](FlockOptions& o) { o.rules.see_radius2 = 0; }},
      {"see_radius2", infinite, [](FlockOptions& o) { o.rules.see_radius2 = kInf; }},
      {"avoid_radius2", invalid, [](FlockOptions& o) { o.rules.avoid_radius2 = -1; }},
      {"avoid_radius2", invalid, [](FlockOptions& o) { o.rules.avoid_radius2 = 0.14F; }},
      {"min_speed", invalid, [](FlockOptions& o) { o.rules.min_speed = -1; }},
      {"max_speed", invalid, [](FlockOptions& o) { o.rules.max_speed = 1; }},
      {"wall_distance", invalid, [](FlockOptions& o) { o.rules.wall_distance = -1; }},
      {"wall", infinite, [](FlockOptions& o) { o.rules.wall = kNan; }},
      {"avoid", infinite, [](FlockOptions& o) { o.rules.avoid = kInf; }},
      {"align", infinite, [](FlockOptions& o) { o.rules.align = kNan; }},
      {"cohere", infinite, [](FlockOptions& o) { o.rules.cohere = -kInf; }},
  };
  for (const Bad& bad : all) {
    FlockOptions options;
    bad.spoil(options);
    const auto flock = Flock::build(options);
    ASSERT_FALSE(flock) << bad.word;
    EXPECT_EQ(test::code_of(flock), bad.code) << bad.word;
    EXPECT_NE(flock.error().message.find(bad.word), std::string::npos) << flock.error().message;
  }
}

TEST(FlockState, RefusesBoidsThatHaveNoPlace) {
  for (const bool periodic : {false, true}) {
    auto flock = Flock::build(options_of(2, periodic, 2)).value();
    ASSERT_TRUE(flock.scatter(10, 1));
    const std::uint64_t hash = hash_of(flock);
    const auto expect_refused = [&](const Boids& boids, ErrorCode code, std::uint64_t index) {
      const auto done = test::set(flock, boids);
      ASSERT_FALSE(done);
      EXPECT_EQ(test::code_of(done), code) << done.error().message;
      EXPECT_EQ(done.error().index, index) << done.error().message;
      EXPECT_EQ(hash_of(flock), hash);
    };
    Boids good;
    good.position[0] = good.position[1] = {0, 1, -2, 1.5F, 0};
    good.velocity[0] = good.velocity[1] = {1, 1, 1, 1, 1};
    Boids bad = good;
    bad.position[1][3] = kNan;
    expect_refused(bad, ErrorCode::kNotFinite, 3);
    bad = good;
    bad.velocity[0][4] = kInf;
    expect_refused(bad, ErrorCode::kNotFinite, 4);
    bad = good;
    bad.position[0][2] = 2.5F;
    expect_refused(bad, ErrorCode::kInvalidArgument, 2);
    bad.position[0][2] = -2.0001F;
    expect_refused(bad, ErrorCode::kInvalidArgument, 2);
    bad = good;
    bad.velocity[1].pop_back();
    expect_refused(bad, ErrorCode::kInvalidArgument, Error::kNowhere);
    EXPECT_TRUE(test::set(flock, good));
    EXPECT_EQ(flock.size(), 5u);
  }
}

}  // namespace
}  // namespace juxta
