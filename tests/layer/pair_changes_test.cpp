// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Matching two lists of pairs, and changing an ascending one, against the standard library's set operations.
#include "layer/pair_changes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "juxta/core/workspace.h"
#include "layer/pair_matching.h"
#include "scenes/draws.h"
#include "support/executors.h"

namespace juxta::layer_detail {
namespace {

using Pairs = std::vector<Pair>;

Pairs sorted(Pairs pairs) {
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}
Pairs copy(std::span<const Pair> pairs) {
  return {pairs.begin(), pairs.end()};
}
Pairs without(const Pairs& from, const Pairs& what) {
  Pairs left;
  std::set_difference(from.begin(), from.end(), what.begin(), what.end(), std::back_inserter(left));
  return left;
}
Pairs joined(const Pairs& one, const Pairs& other) {
  Pairs both;
  std::merge(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(both));
  return both;
}

/// What is left of both lists, with repeats counted, must be the same pairs.
void expect_partners(const Pairs& now, const Pairs& last, const Unmatched& rest) {
  const Pairs rest_now = sorted(copy(rest.now)), rest_last = sorted(copy(rest.last));
  const Pairs all_now = sorted(now), all_last = sorted(last);
  ASSERT_TRUE(std::includes(all_now.begin(), all_now.end(), rest_now.begin(), rest_now.end()));
  ASSERT_TRUE(std::includes(all_last.begin(), all_last.end(), rest_last.begin(), rest_last.end()));
  ASSERT_TRUE(without(all_now, rest_now) == without(all_last, rest_last));
}

/// `count` different pairs in random order.
Pairs different_pairs(std::uint32_t count, scenes::Draws& draws) {
  std::set<Pair> once;
  Pairs pairs;
  while (pairs.size() < count) {
    const Pair pair{draws.below(count), draws.below(count + 5)};
    if (once.insert(pair).second) {
      pairs.push_back(pair);
    }
  }
  return pairs;
}

TEST(MatchPairs, LeavesLittleMoreThanTheDifference) {
  scenes::Draws draws(1);
  for (const std::uint32_t size : {1U, 40U, 1000U, 200'000U}) {
    for (const std::uint32_t rare : {1000U, 20U, 5U}) {
      const Pairs all = different_pairs(size, draws);
      Pairs now, last;
      std::size_t only_now = 0, only_last = 0;
      for (const Pair& pair : all) {
        const std::uint32_t what = draws.below(rare);
        only_now += what == 0 ? 1 : 0;
        only_last += what == 1 ? 1 : 0;
        if (what != 1) {
          now.push_back(pair);
        }
        if (what != 0) {
          last.push_back(pair);
        }
      }
      test::for_each_executor([&](const Executor* executor) {
        Workspace workspace;
        const Unmatched rest = match_pairs(now, last, workspace, executor);
        if (size < 1000 && !rest.alike) {
          return;  // a list of one pair has nothing to go by
        }
        ASSERT_TRUE(rest.alike);
        expect_partners(now, last, rest);
        // 1 in 5 differs at most: a few that follow each other let pairs go that have a partner.
        EXPECT_LE(rest.now.size(), only_now + only_now / 5 + 64);
        EXPECT_LE(rest.last.size(), only_last + only_last / 5 + 64);
      });
    }
  }
}

TEST(MatchPairs, FindsItsWayAfterLongRunsOfOneListOnly) {
  scenes::Draws draws(2);
  const Pairs all = different_pairs(120'000, draws);
  for (const std::ptrdiff_t run : {20, 300, 1000}) {
    Pairs now = all;
    now.erase(now.begin() + 50'000, now.begin() + 50'000 + run);
    Pairs last = all;
    last.erase(last.begin() + 20'000, last.begin() + 20'000 + run);
    test::for_each_executor([&](const Executor* executor) {
      Workspace workspace;
      const Unmatched rest = match_pairs(now, last, workspace, executor);
      ASSERT_TRUE(rest.alike);
      expect_partners(now, last, rest);
      EXPECT_EQ(rest.now.size(), static_cast<std::size_t>(run));
      EXPECT_EQ(rest.last.size(), static_cast<std::size_t>(run));
    });
  }
}

TEST(MatchPairs, SoonGivesUpOnAnotherOrder) {
  scenes::Draws draws(3);
  const Pairs all = different_pairs(100'000, draws);
  Pairs other = all;
  draws.shuffle(other);
  test::for_each_executor([&](const Executor* executor) {
    Workspace workspace;
    EXPECT_FALSE(match_pairs(other, all, workspace, executor).alike);
    EXPECT_FALSE(match_pairs(all, {}, workspace, executor).alike);
    EXPECT_TRUE(match_pairs({}, {}, workspace, executor).alike);
  });
}

// Pairs that join and leave, that only join, only leave, and repeats; in one part and in several.
TEST(ChangePairs, EqualsSetOperations) {
  scenes::Draws draws(4);
  for (const std::uint32_t size : {0U, 1U, 7U, 8U, 9U, 100U, 3000U, 300'000U}) {
    for (const std::uint32_t rare : {1U, 6U, 100U, 5000U}) {
      Pairs last, joins, leaves;
      for (const Pair& pair : sorted(different_pairs(size, draws))) {
        const std::uint32_t what = draws.below(5 * rare + 2);
        if (what == 0 || what > 4) {
          last.push_back(pair);  // stays
        }
        if (what == 1 || what == 2) {
          joins.push_back(pair);  // is new
        }
        if (what == 3) {
          last.push_back(pair);
          leaves.push_back(pair);
          if (draws.below(4) == 0) {
            joins.push_back(pair);  // only changed its place
          }
        }
        if (what == 4) {
          last.push_back(pair);
          if (draws.below(2) == 0) {
            joins.push_back(pair);  // a repeat
          }
        }
      }
      const Pairs begun = without(joins, last), ended = without(leaves, joins);
      const Pairs now = joined(without(last, ended), begun);
      test::for_each_executor([&](const Executor* executor) {
        Workspace workspace;
        Pairs all(last.size() + joins.size() + 1), begins(joins.size() + 1), ends(leaves.size() + 1);
        const Changed changed =
            change_pairs(last, joins, leaves, {all.data(), begins.data(), ends.data()}, workspace, executor);
        all.resize(changed.now);
        begins.resize(changed.begun);
        ends.resize(changed.ended);
        ASSERT_TRUE(all == now);
        ASSERT_TRUE(begins == begun);
        ASSERT_TRUE(ends == ended);
      });
    }
  }
}

// Copies of eight stop where a part does: ranges in descending order would overwrite what is there already.
TEST(ChangePairs, PartsDoNotWriteIntoTheNext) {
  scenes::Draws draws(6);
  const test::ShuffledExecutor reversed(test::ShuffledExecutor::Order::kReversed);
  Workspace workspace;
  for (int round = 0; round < 100; ++round) {
    Pairs last, joins, leaves;
    for (std::uint32_t i = 0; i < 200'000; ++i) {
      const Pair pair{i, draws.below(9)};
      const std::uint32_t what = draws.below(8);
      (what == 0 ? joins : last).push_back(pair);
      if (what == 1 || what == 2) {
        leaves.push_back(pair);
      }
    }
    Pairs all(last.size() + joins.size() + 1), begins(joins.size() + 1), ends(leaves.size() + 1);
    const Changed changed =
        change_pairs(last, joins, leaves, {all.data(), begins.data(), ends.data()}, workspace, &reversed);
    all.resize(changed.now);
    ASSERT_TRUE(all == joined(without(last, leaves), joins));
    ASSERT_EQ(changed.begun, joins.size());
    ASSERT_EQ(changed.ended, leaves.size());
  }
}

TEST(UniquePairs, EqualsTheStandardLibrary) {
  scenes::Draws draws(5);
  for (const std::uint32_t size : {0U, 1U, 2U, 50U, 1000U}) {
    for (const std::uint32_t values : {1U, 3U, 40U}) {
      Pairs pairs;
      for (std::uint32_t i = 0; i < size; ++i) {
        pairs.push_back({draws.below(values), draws.below(values)});
      }
      std::sort(pairs.begin(), pairs.end());
      const std::set<Pair> once(pairs.begin(), pairs.end());
      pairs.resize(unique_pairs(pairs));
      EXPECT_EQ(pairs, Pairs(once.begin(), once.end()));
    }
  }
}

}  // namespace
}  // namespace juxta::layer_detail
