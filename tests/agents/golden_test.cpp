// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Literal hashes of passes and of a flock: one for every compiler, optimisation, instruction set and
// executor.
#include <gtest/gtest.h>

#include "agents/pass_scenario.h"
#include "juxta/agents/flock.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

std::uint64_t run_passes(std::uint32_t dimensions, Arrangement arrangement,
                         const Executor* executor = nullptr) {
  test::ScenarioOptions options;
  options.dimensions = dimensions;
  options.arrangement = arrangement;
  return test::PassScenario(options, executor).run().back();
}

std::uint64_t run_flock(std::uint32_t dimensions, bool periodic, const Executor* executor = nullptr) {
  FlockOptions options;
  options.dimensions = dimensions;
  options.periodic = periodic;
  options.half_size = dimensions == 2 ? 4 : 1.5F;
  auto flock = Flock::make(options).value();
  EXPECT_TRUE(flock.scatter(3000, 5));
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(flock.step(executor));
  }
  std::uint64_t hash = test::fnv(flock.numbers());
  for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
    hash = test::fnv(flock.velocity(axis), test::fnv(flock.position(axis), hash));
  }
  return hash;
}

TEST(AgentsGolden, Passes) {
  test::for_each_isa([&](Isa) {
    EXPECT_EQ(run_passes(2, Arrangement::kRows), 0x200274f1ac23d84cU);
    EXPECT_EQ(run_passes(3, Arrangement::kRows), 0x75c1da7b2e09c31fU);
  });
}

TEST(AgentsGolden, Flocks) {
  test::for_each_isa([&](Isa) {
    EXPECT_EQ(run_flock(2, false), 0xb319d2433d9f2deaU);
    EXPECT_EQ(run_flock(2, true), 0x9ecc26909a2fb6a8U);
    EXPECT_EQ(run_flock(3, false), 0x896a4c7c859f2eeeU);
    EXPECT_EQ(run_flock(3, true), 0xb5240abb458c0116U);
  });
}

TEST(AgentsGolden, OnThreads) {
  const test::ThreadsExecutor executor(3);
  EXPECT_EQ(run_passes(2, Arrangement::kRows, &executor), run_passes(2, Arrangement::kRows));
  EXPECT_EQ(run_flock(2, false, &executor), run_flock(2, false));
}

}  // namespace
}  // namespace juxta
