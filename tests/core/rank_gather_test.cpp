// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What all ranks have, on each of them.
#include "core/rank_gather.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "support/thread_ranks.h"

namespace juxta {
namespace {

/// Lists of unlike lengths, some of which take more than one round.
TEST(RankGather, ListsOfAnyLength) {
  const std::vector<std::vector<std::size_t>> cases{
      {0, 0, 0}, {1, 0, 3}, {16384, 16385, 16383}, {100'000, 7, 0}, {0, 32768, 50'000}};
  for (const std::vector<std::size_t>& sizes : cases) {
    std::vector<std::uint64_t> expected;
    for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
      for (std::size_t i = 0; i < sizes[rank]; ++i) {
        expected.push_back(rank << 32 | i);
      }
    }
    test::run_ranks(static_cast<std::uint32_t>(sizes.size()), [&](Ranks& ranks) {
      std::vector<std::uint64_t> mine;
      for (std::size_t i = 0; i < sizes[ranks.rank()]; ++i) {
        mine.push_back(std::uint64_t{ranks.rank()} << 32 | i);
      }
      const auto all = core_detail::all_of_all<std::uint64_t>(ranks, mine);
      ASSERT_TRUE(all);
      EXPECT_TRUE(*all == expected);
      for (std::uint32_t to = 0; to < ranks.size(); ++to) {
        const auto lists = core_detail::lists_on<std::uint64_t>(ranks, to, mine);
        ASSERT_TRUE(lists);
        std::vector<std::uint64_t> joined;
        for (const auto& list : *lists) {
          joined.insert(joined.end(), list.begin(), list.end());
        }
        EXPECT_TRUE(joined == (ranks.rank() == to ? expected : std::vector<std::uint64_t>()));
      }
    });
  }
}

}  // namespace
}  // namespace juxta
