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
  options.agents = 800;
  options.steps = 6;
  return test::PassScenario(options, executor).run().back();
}

std::uint64_t run_flock(std::uint32_t dimensions, bool periodic, const Executor* executor = nullptr) {
  FlockOptions options;
  options.dimensions = dimensions;
  options.periodic = periodic;
  options.half_size = dimensions == 2 ? 2.5F : 1.1F;
  auto flock = Flock::build(options).value();
  EXPECT_TRUE(flock.scatter(1200, 5));
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(flock.step({.executor = executor}));
  }
  std::uint64_t hash = test::fnv(flock.numbers());
  for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
    hash = test::fnv(flock.velocity(axis), test::fnv(flock.position(axis), hash));
  }
  return hash;
}

TEST(AgentsGolden, Passes) {
  test::for_each_isa([&](Isa) {
    EXPECT_EQ(run_passes(2, Arrangement::kRows), 0x6d8591b8cdf2e813U);
    EXPECT_EQ(run_passes(3, Arrangement::kRows), 0xa230542c0d7508d7U);
    EXPECT_EQ(run_passes(2, Arrangement::kMorton), 0x4780a16de7d2cdd5U);
    EXPECT_EQ(run_passes(2, Arrangement::kHilbert), 0xec606c7e90f29c6cU);
    EXPECT_EQ(run_passes(3, Arrangement::kHashed), 0x7f77ed5db2213892U);
    EXPECT_EQ(run_passes(3, Arrangement::kTree), 0x5cfc4859d9522b21U);
  });
}

TEST(AgentsGolden, Flocks) {
  test::for_each_isa([&](Isa) {
    EXPECT_EQ(run_flock(2, false), 0x5da69f77236dd799U);
    EXPECT_EQ(run_flock(2, true), 0x349dd48ccc65c8b6U);
    EXPECT_EQ(run_flock(3, false), 0xc044cf7fb339564dU);
    EXPECT_EQ(run_flock(3, true), 0x22a5f48730adae57U);
  });
}

#if !defined(__wasi__)
TEST(AgentsGolden, OnThreads) {
  const test::ThreadsExecutor executor(3);
  EXPECT_EQ(run_passes(2, Arrangement::kRows, &executor), run_passes(2, Arrangement::kRows));
  EXPECT_EQ(run_flock(2, false, &executor), run_flock(2, false));
}
#endif

}  // namespace
}  // namespace juxta
