// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Begun and ended pairs against sets, frame by frame.
#include "juxta/core/workspace.h"
#include "juxta/layer/pair_tracker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "scenes/draws.h"
#include "support/executors.h"

namespace juxta {
namespace {

using Pairs = std::vector<Pair>;

Pairs copy(std::span<const Pair> pairs) {
  return {pairs.begin(), pairs.end()};
}

TEST(PairTracker, TheExampleOfTheHeader) {
  PairTracker tracker;
  Workspace workspace;
  ASSERT_TRUE(tracker.update(Pairs{{8, 9}, {3, 7}, {1, 2}}, {.workspace = &workspace}));
  EXPECT_EQ(copy(tracker.begun()), (Pairs{{1, 2}, {3, 7}, {8, 9}}));
  EXPECT_TRUE(tracker.ended().empty());
  ASSERT_TRUE(tracker.update(Pairs{{4, 5}, {8, 9}, {1, 2}, {8, 9}}, {.workspace = &workspace}));
  EXPECT_EQ(copy(tracker.begun()), (Pairs{{4, 5}}));
  EXPECT_EQ(copy(tracker.ended()), (Pairs{{3, 7}}));
  EXPECT_EQ(copy(tracker.pairs()), (Pairs{{1, 2}, {4, 5}, {8, 9}}));
  ASSERT_TRUE(tracker.update({}, {.workspace = &workspace}));
  EXPECT_TRUE(tracker.begun().empty());
  EXPECT_EQ(copy(tracker.ended()), (Pairs{{1, 2}, {4, 5}, {8, 9}}));
  ASSERT_TRUE(tracker.update({}, {.workspace = &workspace}));
  EXPECT_TRUE(tracker.ended().empty());
}

TEST(PairTracker, TheSameFrameTwiceHasNoEvents) {
  PairTracker tracker;
  Workspace workspace;
  const Pairs frame = {{0, 0}, {0, 0xFFFFFFFE}, {0xFFFFFFFE, 0xFFFFFFFE}};
  ASSERT_TRUE(tracker.update(frame, {.workspace = &workspace}));
  ASSERT_TRUE(tracker.update(frame, {.workspace = &workspace}));
  EXPECT_TRUE(tracker.begun().empty());
  EXPECT_TRUE(tracker.ended().empty());
  EXPECT_EQ(copy(tracker.pairs()), frame);
  tracker.clear();
  EXPECT_TRUE(tracker.pairs().empty());
  ASSERT_TRUE(tracker.update(frame, {.workspace = &workspace}));
  EXPECT_EQ(copy(tracker.begun()), frame);
  EXPECT_TRUE(tracker.ended().empty());
}

TEST(PairTracker, RandomFramesEqualSetDifferences) {
  test::for_each_executor([](const Executor* executor) {
    scenes::Draws draws(5);
    PairTracker tracker;
    Workspace workspace;
    std::set<Pair> last;
    for (const std::uint32_t size : {0u, 1u, 20u, 3000u, 2900u, 0u, 70'000u, 65'000u, 7u}) {
      Pairs frame;
      for (std::uint32_t i = 0; i < size; ++i) {
        frame.push_back({draws.below(size / 8 + 2), draws.below(9)});  // many come twice
      }
      if (draws.below(2) == 0) {
        std::sort(frame.begin(), frame.end());
      }
      const std::set<Pair> now(frame.begin(), frame.end());
      Pairs begun, ended;
      std::set_difference(now.begin(), now.end(), last.begin(), last.end(), std::back_inserter(begun));
      std::set_difference(last.begin(), last.end(), now.begin(), now.end(), std::back_inserter(ended));
      ASSERT_TRUE(tracker.update(frame, {.executor = executor, .workspace = &workspace}));
      EXPECT_EQ(copy(tracker.begun()), begun);
      EXPECT_EQ(copy(tracker.ended()), ended);
      EXPECT_EQ(copy(tracker.pairs()), Pairs(now.begin(), now.end()));
      last = now;
    }
  });
}

}  // namespace
}  // namespace juxta
