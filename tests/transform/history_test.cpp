// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Thousands of random changes of every kind, in mixed order, beside a plain tree.
#include "transform/history_run.h"

#include <gtest/gtest.h>

#include "scenes/draws.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using scenes::Draws;
using test::Flags;
using test::History;
using test::HistoryOptions;

struct Case {
  const char* name;
  HistoryOptions options;
  std::uint32_t steps, changes;
};

class TransformHistory : public testing::TestWithParam<Case> {};

TEST_P(TransformHistory, IsThatOfThePlainTree) {
  const Case& one = GetParam();
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    SCOPED_TRACE(seed);
    Draws draws(seed);
    History<Draws> history(draws, one.options);
    ASSERT_NO_FATAL_FAILURE(test::run(history, draws, one.steps, one.changes));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, TransformHistory,
    testing::Values(Case{"few", {.most = 6, .flags = Flags::kNone}, 600, 4},
                    Case{"fewWithFlags", {.most = 8, .flags = Flags::kExact}, 600, 4},
                    Case{"fewDestroyed", {.most = 8, .flags = Flags::kExact, .destroyed = true}, 600, 4},
                    Case{"manyDestroyed", {.most = 1500, .flags = Flags::kNone, .destroyed = true}, 60, 60},
                    Case{"some", {.most = 120, .flags = Flags::kNone, .history = true}, 300, 12},
                    Case{"someWithFlags", {.most = 120, .flags = Flags::kExact, .history = true}, 300, 12},
                    Case{"someMixed", {.most = 60, .flags = Flags::kMixed, .history = true}, 300, 8},
                    Case{"many", {.most = 3000, .flags = Flags::kExact, .history = true}, 60, 60}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(TransformHistoryLarge, TreesLargerThanATileWithLinksOnLinks) {
  for (const test::Tree tree : test::kTrees) {
    SCOPED_TRACE(static_cast<int>(tree));
    Draws draws(7 + static_cast<std::uint64_t>(tree));
    History<Draws> history(draws, {.most = 6000, .flags = Flags::kExact, .history = true});
    ASSERT_EQ(history.create_tree(tree, 5000), "");
    ASSERT_NO_FATAL_FAILURE(test::run(history, draws, 12, 300));
  }
}

TEST(TransformHistoryLarge, OnEveryExecutor) {
  test::for_each_executor([&](const Executor* executor) {
    Draws draws(11);
    History<Draws> history(draws, {.most = 4000, .flags = Flags::kExact, .executor = executor});
    ASSERT_EQ(history.create_tree(test::Tree::kRandom, 9000), "");
    ASSERT_NO_FATAL_FAILURE(test::run(history, draws, 8, 200));
  });
}

TEST(TransformHistoryLarge, OnEveryInstructionSet) {
  test::for_each_isa([&](Isa) {
    for (const Flags flags : {Flags::kNone, Flags::kExact, Flags::kMixed}) {
      Draws draws(13);
      History<Draws> history(draws, {.most = 1500, .flags = flags, .history = true});
      ASSERT_EQ(history.create_tree(test::Tree::kNines, 3000), "");
      ASSERT_NO_FATAL_FAILURE(test::run(history, draws, 10, 100));
    }
  });
}

}  // namespace
}  // namespace juxta
