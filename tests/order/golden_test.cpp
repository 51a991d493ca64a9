// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Literal hashes of whole results: the same for every compiler, optimisation, instruction set and executor.
#include <gtest/gtest.h>

#include <vector>

#include "juxta/core/random.h"
#include "juxta/core/workspace.h"
#include "juxta/order/counting_sort.h"
#include "juxta/order/curves.h"
#include "juxta/order/ordered_key.h"
#include "juxta/order/radix_sort.h"
#include "juxta/order/reorder.h"
#include "support/each_isa.h"
#include "support/executors.h"
#include "support/fnv.h"

namespace juxta {
namespace {

constexpr std::size_t kCount = 500'000;

template <class T>
std::uint64_t hash(const std::vector<T>& values) {
  return test::fnv(std::span<const T>(values));
}

// Points -> cells -> Hilbert codes -> sorted order -> gathered column: what every build does.
std::uint64_t order_points(const Executor* executor) {
  std::vector<std::uint32_t> words(kCount);
  fill_random({.seed = 2024, .step = 1, .purpose = 1}, 0, std::span(words));
  std::vector<std::uint16_t> x(kCount), y(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    x[i] = static_cast<std::uint16_t>(words[i] >> 20);  // 4096 x 4096 cells: many equal codes
    y[i] = static_cast<std::uint16_t>(words[i] >> 4 & 0xFFF);
  }
  std::vector<std::uint32_t> codes(kCount), order(kCount), gathered(kCount);
  Workspace workspace;
  EXPECT_TRUE(hilbert2_codes(x, y, codes, {.executor = executor}));
  identity_order(order);
  EXPECT_TRUE(
      sort_pairs(std::span(codes), std::span(order), {.executor = executor, .workspace = &workspace}));
  EXPECT_TRUE(
      gather(order, std::span<const std::uint32_t>(words), std::span(gathered), {.executor = executor}));
  return hash(codes) ^ hash(order) * 3 ^ hash(gathered) * 5;
}

std::uint64_t sort_doubles(const Executor* executor) {
  std::vector<double> values(kCount);
  fill_random({.seed = 2024, .step = 2, .purpose = 1}, 0, std::span(values));
  std::vector<std::uint64_t> keys(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    keys[i] = ordered_key((values[i] - 0.5) * values[i]);
  }
  Workspace workspace;
  std::vector<std::uint32_t> order(kCount);
  identity_order(order);
  EXPECT_TRUE(sort_pairs(std::span(keys), std::span(order), {.executor = executor, .workspace = &workspace}));
  return hash(keys) ^ hash(order) * 3;
}

std::uint64_t group_cells(std::uint32_t cell_count, const Executor* executor) {
  std::vector<std::uint32_t> cells(kCount), offsets(cell_count + 1), order(kCount);
  fill_random({.seed = 2024, .step = 3, .purpose = 1}, 0, std::span(cells));
  for (std::uint32_t& cell : cells) {
    cell %= cell_count;
  }
  Workspace workspace;
  EXPECT_TRUE(
      counting_sort(cells, cell_count, offsets, order, {.executor = executor, .workspace = &workspace}));
  return hash(offsets) ^ hash(order) * 3;
}

TEST(OrderGolden, PointsAlongTheHilbertCurve) {
  test::for_each_isa([](Isa) {
    test::for_each_executor(
        [](const Executor* executor) { EXPECT_EQ(order_points(executor), 0x75c49491068c1a65U); });
  });
}

TEST(OrderGolden, SortedDoubles) {
  test::for_each_executor(
      [](const Executor* executor) { EXPECT_EQ(sort_doubles(executor), 0xf768ce25304f0148U); });
}

TEST(OrderGolden, GroupedCells) {
  test::for_each_executor([](const Executor* executor) {
    EXPECT_EQ(group_cells(1000, executor), 0xe0906a7036fd7c21U);
    EXPECT_EQ(group_cells(70'000, executor), 0x930fce76fdf1520aU);
  });
}

TEST(OrderGolden, CurvesInSpace) {
  std::vector<std::uint64_t> codes;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const auto words = random_block({.seed = 2024, .step = 4, .purpose = 1}, i);
    codes.push_back(hilbert3_21(words[0], words[1], words[2]));
    codes.push_back(hilbert3_10(words[0], words[1], words[2]));
    codes.push_back(morton3_21(words[0], words[1], words[2]));
    codes.push_back(morton2(words[0], words[1]));
  }
  EXPECT_EQ(hash(codes), 0x31333277618147c5U);
}

}  // namespace
}  // namespace juxta
