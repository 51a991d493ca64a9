// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The same bytes whoever runs the tasks, in whatever order, with whatever registers. Under the thread
// sanitizer, the same steps show that tasks share nothing.
#include <gtest/gtest.h>

#include "agents/pass_scenario.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using test::PassScenario;
using test::ScenarioOptions;
using Trace = std::vector<std::uint64_t>;

constexpr std::array kArrangements{Arrangement::kRows, Arrangement::kMorton, Arrangement::kHilbert,
                                   Arrangement::kHashed, Arrangement::kTree};

std::vector<ScenarioOptions> scenarios() {
  std::vector<ScenarioOptions> all;
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const Arrangement arrangement : kArrangements) {
      for (const bool extents : {false, true}) {
        ScenarioOptions options;
        options.dimensions = dimensions;
        options.arrangement = arrangement;
        options.extents = extents;
        options.skin = extents ? 0.3F : 0;
        options.steps = 4;
        all.push_back(options);
      }
    }
  }
  return all;
}

TEST(SeeDeterminism, TheSameBytesOnEveryExecutor) {
  for (const ScenarioOptions& options : scenarios()) {
    SCOPED_TRACE(static_cast<int>(options.arrangement));
    const Trace expected = PassScenario(options, nullptr).run();
    ASSERT_EQ(expected.size(), 4u);
    test::for_each_executor(
        [&](const Executor* executor) { EXPECT_EQ(PassScenario(options, executor).run(), expected); });
  }
}

// Enough agents for many tasks of every stage.
TEST(SeeDeterminism, ManyThreadsManyTasks) {
  ScenarioOptions options;
  options.agents = 60'000;
  options.steps = 2;
  const Trace expected = PassScenario(options, nullptr).run();
  for (const unsigned threads : {2U, 5U, 16U}) {
    const test::ThreadsExecutor executor(threads);
    EXPECT_EQ(PassScenario(options, &executor).run(), expected) << threads;
  }
}

TEST(SeeDeterminism, TheSameBytesOnEveryInstructionSet) {
  for (const ScenarioOptions& options : scenarios()) {
    SCOPED_TRACE(static_cast<int>(options.arrangement));
    const Trace expected = PassScenario(options, nullptr).run();
    test::for_each_isa([&](Isa) { EXPECT_EQ(PassScenario(options, nullptr).run(), expected); });
  }
}

}  // namespace
}  // namespace juxta
