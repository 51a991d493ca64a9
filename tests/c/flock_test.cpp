// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Flocks from C have the bits of C++.
#include <gtest/gtest.h>
#include <juxta.h>

#include <cstring>
#include <string>
#include <vector>

#include "c/last_page.h"
#include "c/some_threads.h"
#include "juxta/agents/flock.h"

namespace juxta {
namespace {

void expect_same(const juxta_flock* c, const Flock& cpp) {
  ASSERT_EQ(juxta_flock_size(c), cpp.size());
  EXPECT_EQ(juxta_flock_steps(c), cpp.steps());
  EXPECT_EQ(juxta_flock_memory_bytes(c), cpp.memory_bytes());
  for (std::uint32_t axis = 0; axis < cpp.options().dimensions; ++axis) {
    const std::size_t bytes = cpp.size() * sizeof(float);
    EXPECT_EQ(std::memcmp(juxta_flock_position(c, axis), cpp.position(axis).data(), bytes), 0);
    EXPECT_EQ(std::memcmp(juxta_flock_velocity(c, axis), cpp.velocity(axis).data(), bytes), 0);
  }
  EXPECT_EQ(juxta_flock_position(c, 3), nullptr);
  EXPECT_EQ(std::memcmp(juxta_flock_numbers(c), cpp.numbers().data(), cpp.size() * sizeof(std::uint32_t)), 0);
}

TEST(CFlock, FliesAsInCpp) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    juxta_flock_options options = juxta_default_flock_options();
    options.dimensions = dimensions;
    options.half_size = 4;
    options.periodic = dimensions == 3;
    juxta_flock* c = nullptr;
    juxta_error error;
    ASSERT_EQ(juxta_flock_build(&options, &c, &error), JUXTA_OK) << error.message;
    Flock cpp =
        Flock::build({.dimensions = dimensions, .half_size = 4, .periodic = dimensions == 3, .rules = {}})
            .value();
    ASSERT_EQ(juxta_flock_scatter(c, 3000, 7, nullptr), JUXTA_OK);
    ASSERT_TRUE(cpp.scatter(3000, 7));
    const test::SomeThreads threads(2);
    juxta_context context = juxta_default_context();
    context.executor = threads.executor();
    for (int step = 0; step < 10; ++step) {
      ASSERT_EQ(juxta_flock_step(c, &context, nullptr), JUXTA_OK);
      ASSERT_TRUE(cpp.step());
    }
    expect_same(c, cpp);
    std::vector<Vec3> positions(100), velocities(100);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      positions[i] = {static_cast<float>(i) / 50, 0, 0};
      velocities[i] = {0, 1, 0};
    }
    const test::LastPage<Vec3> at(positions, 16), by(velocities, 16);
    ASSERT_EQ(juxta_flock_rebuild(c, at.as<float>(), by.as<float>(), 16, positions.size(), &error), JUXTA_OK);
    ASSERT_TRUE(cpp.rebuild(positions, velocities));
    ASSERT_EQ(juxta_flock_step(c, nullptr, nullptr), JUXTA_OK);
    ASSERT_TRUE(cpp.step());
    expect_same(c, cpp);
    juxta_flock_free(c);
  }
}

TEST(CFlock, MistakesHaveAReason) {
  juxta_flock* flock = nullptr;
  juxta_error error;
  juxta_flock_options options = juxta_default_flock_options();
  options.max_speed = options.min_speed / 2;
  EXPECT_EQ(juxta_flock_build(&options, &flock, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_NE(std::string(error.message), "");
  options.cookie = 3;
  EXPECT_EQ(juxta_flock_build(&options, &flock, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(flock, nullptr);
  ASSERT_EQ(juxta_flock_build(nullptr, &flock, &error), JUXTA_OK) << "NULL stands for the defaults";
  const float outside[6] = {0, 0, 0, 99, 0, 0};
  EXPECT_EQ(juxta_flock_rebuild(flock, outside, outside, 0, 2, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(error.index, 1U);
  juxta_flock_free(flock);
  juxta_flock_free(nullptr);
}

}  // namespace
}  // namespace juxta
