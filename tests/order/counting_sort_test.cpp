// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/order/counting_sort.h"
#include "juxta/core/workspace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <vector>

#include "juxta/core/random.h"
#include "support/code_of.h"
#include "support/executors.h"

namespace juxta {
namespace {

void expect_grouped(std::size_t n, std::uint32_t cell_count, const Executor* executor) {
  std::vector<std::uint32_t> cells(n);
  fill_random({.seed = n, .step = 0, .purpose = 2}, 0, std::span(cells));
  for (std::uint32_t& cell : cells) {
    cell %= cell_count;
    cell -= cell % 3 == 1 ? 1 : 0;  // some cells stay empty
  }
  std::vector<std::uint32_t> want(n);
  std::iota(want.begin(), want.end(), 0U);
  std::stable_sort(want.begin(), want.end(), [&](auto a, auto b) { return cells[a] < cells[b]; });

  std::vector<std::uint32_t> offsets(cell_count + 1, 77U), order(n, 77U);
  Workspace workspace;
  ASSERT_TRUE(
      counting_sort(cells, cell_count, offsets, order, {.executor = executor, .workspace = &workspace}));
  ASSERT_EQ(order, want);
  ASSERT_EQ(offsets[cell_count], n);
  std::vector<std::uint32_t> counts(cell_count);
  for (const std::uint32_t cell : cells) {
    ++counts[cell];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t cell = 0; cell < cell_count; ++cell) {
    ASSERT_EQ(offsets[cell], sum) << cell;
    sum += counts[cell];
  }
}

TEST(CountingSort, EqualsStableSort) {
  for (const std::size_t n : std::initializer_list<std::size_t>{0, 1, 2, 17, 1000}) {
    for (const std::uint32_t cell_count : {1U, 2U, 3U, 100U, 5000U}) {
      expect_grouped(n, cell_count, nullptr);
    }
  }
}

TEST(CountingSort, EqualsStableSortOnEveryExecutor) {
  test::for_each_executor([](const Executor* executor) {
    expect_grouped(300'000, 100, executor);        // one distribution
    expect_grouped(300'000, 2048, executor);       // its limit
    expect_grouped(300'000, 2049, executor);       // sorted
    expect_grouped(300'000, 500'000, executor);    // more cells than elements
    expect_grouped(300'000, 2'000'000, executor);  // in bands on one thread too
  });
}

TEST(CountingSort, RefusesWhatCannotBe) {
  Workspace workspace;
  const std::vector<std::uint32_t> cells{0, 1, 5, 2, 9};
  std::vector<std::uint32_t> offsets(4), order(5), shorter(4);
  auto result = counting_sort(cells, 3, offsets, order, {.workspace = &workspace});
  ASSERT_FALSE(result);
  EXPECT_EQ(test::code_of(result), ErrorCode::kInvalidArgument);
  EXPECT_EQ(result.error().index, 2U);
  EXPECT_FALSE(counting_sort(cells, 10, offsets, order, {.workspace = &workspace}));
  EXPECT_FALSE(counting_sort(cells, 3, offsets, shorter, {.workspace = &workspace}));
  std::vector<std::uint32_t> one(1);
  result = counting_sort(cells, 0, one, order, {.workspace = &workspace});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().index, 0U);
  EXPECT_TRUE(counting_sort({}, 0, one, {}, {.workspace = &workspace}));
  EXPECT_EQ(one[0], 0U);
}

}  // namespace
}  // namespace juxta
