// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Stages of a build that are cut into tasks, against their definitions, on every executor.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory_resource>
#include <string>
#include <utility>
#include <vector>

#include "juxta/core/random.h"
#include "ranked/ranked_file.h"
#include "ranked/sort_positions.h"
#include "ranked/store.h"
#include "support/executors.h"

namespace juxta::ranked_detail {
namespace {

constexpr std::size_t kMany = 40'000;  // 4,096 quanta, in four tasks

struct Values {
  std::string name;
  std::function<double(std::uint32_t random, std::size_t i)> value;
};

// Runs of equal values that end within tasks, at their borders, and behind several of them.
std::vector<Values> all_values() {
  return {
      {"uniform", [](std::uint32_t r, std::size_t) { return r * 1e-4 - 2e5; }},
      {"ascending", [](std::uint32_t, std::size_t i) { return static_cast<double>(i); }},
      {"one value", [](std::uint32_t, std::size_t) { return 3.0; }},
      {"ten values", [](std::uint32_t r, std::size_t) { return static_cast<double>(r % 10); }},
      {"long runs", [](std::uint32_t, std::size_t i) { return static_cast<double>(i / 10'000); }},
      {"half of them one value", [](std::uint32_t r, std::size_t) { return r % 2 == 0 ? 5.0 : r * 1e-8; }},
      {"the last half one value", [](std::uint32_t r, std::size_t) { return r % 2 == 0 ? 50.0 : r * 1e-9; }},
      {"short runs", [](std::uint32_t r, std::size_t) { return static_cast<double>(r % 3000); }},
  };
}

template <class T>
std::vector<T> make(const Values& values, std::size_t n) {
  std::vector<std::uint32_t> random(n);
  fill_random({.seed = n, .step = 0, .purpose = 1}, 0, std::span(random));
  std::vector<T> made(n);
  for (std::size_t i = 0; i < n; ++i) {
    made[i] = static_cast<T>(values.value(random[i], i));
  }
  return made;
}

// Where the values of quantum q begin: at the run of equal values in which its quantile falls, or behind that
// run if the quantum before has it.
template <class T>
std::size_t begin_of(const std::vector<T>& sorted, std::size_t quanta, std::size_t q) {
  const std::size_t at = q * sorted.size() / quanta;
  const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), sorted[at]);
  const std::size_t begin = static_cast<std::size_t>(first - sorted.begin());
  return q == 0 || (q - 1) * sorted.size() / quanta < begin ? begin
                                                            : static_cast<std::size_t>(last - sorted.begin());
}

template <class T>
void expect_axis(const std::vector<T>& values, const Executor* executor) {
  Workspace workspace;
  AxisStore store(std::pmr::get_default_resource());
  const StridedColumn<T> column{reinterpret_cast<const std::byte*>(values.data()), sizeof(T)};
  const AxisView view =
      build_axis(store, column, values.size(), BuildContext{executor_or_serial(executor), workspace}).view;
  std::vector<T> sorted = values;
  std::ranges::sort(sorted);
  const std::size_t quanta = quanta_of(view.levels);
  const T* const knots = view.level<T>(view.levels - 1);
  std::size_t end = values.size(), next = quanta;
  for (std::size_t q = quanta; q-- > 0;) {
    const std::size_t begin = begin_of(sorted, quanta, q);
    ASSERT_EQ(knots[q], begin < sorted.size() ? sorted[begin] : std::numeric_limits<T>::infinity()) << q;
    ASSERT_EQ(view.run_end[q], begin < end ? next - 1 : q) << q;
    std::uint64_t occupied = 0;
    for (std::size_t i = begin; i < end; ++i) {
      occupied |= std::uint64_t{1} << AxisView::slot_of(knots + q, sorted[i]);
      ASSERT_LE(sorted[i], view.highest_in<T>(q)) << q;
    }
    ASSERT_EQ(view.occupied[q], occupied) << q;
    next = begin < end ? q : next;
    end = begin;
  }
}

TEST(RankedStages, AxesAreWhatTheyAreDefinedToBe) {
  for (const Values& values : all_values()) {
    for (const std::size_t n : {std::size_t{1}, std::size_t{300}, kMany}) {
      SCOPED_TRACE(values.name + " " + std::to_string(n));
      const std::vector<float> floats = make<float>(values, n);
      const std::vector<double> doubles = make<double>(values, n);
      test::for_each_executor([&](const Executor* executor) {
        expect_axis(floats, executor);
        expect_axis(doubles, executor);
      });
    }
  }
}

TEST(RankedStages, GridsCountWhatLiesBelow) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{7}, std::size_t{9}, kMany}) {
    std::vector<std::uint32_t> random(n);
    fill_random({.seed = n, .step = 0, .purpose = 2}, 0, std::span(random));
    std::vector<std::uint16_t> qx(n), qy(n);
    for (std::size_t p = 0; p < n; ++p) {
      qx[p] = static_cast<std::uint16_t>(random[p]);
      qy[p] = static_cast<std::uint16_t>(random[p] >> 16);
    }
    std::ranges::fill(std::span(qy).first(n / 2), std::uint16_t{0xFFFF});
    test::for_each_executor([&](const Executor* executor) {
      Workspace workspace;
      Array<std::uint32_t> store(std::pmr::get_default_resource());
      const GridView grid = build_grid(store, qx, qy, BuildContext{executor_or_serial(executor), workspace});
      const std::size_t side = grid.side(), row = side + 1;
      std::vector<std::size_t> cells(side * side);
      for (std::size_t p = 0; p < n; ++p) {
        ++cells[(qy[p] >> (16 - grid.bits)) * side + (qx[p] >> (16 - grid.bits))];
      }
      for (std::size_t j = 0; j <= side; ++j) {
        std::size_t sum = 0;  // of the row below
        for (std::size_t i = 0; i <= side; ++i) {
          ASSERT_EQ(grid.sums[j * row + i], (j == 0 ? 0 : grid.sums[(j - 1) * row + i]) + sum);
          sum += j == 0 || i == side ? 0 : cells[(j - 1) * side + i];
        }
      }
    });
  }
}

TEST(RankedStages, LevelsHoldTheirPositionsInTheOrderOfCells) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{4096}, std::size_t{4097}, kMany}) {
    std::vector<std::uint32_t> random(n);
    fill_random({.seed = n, .step = 0, .purpose = 3}, 0, std::span(random));
    std::vector<std::uint16_t> qx(n), qy(n);
    for (std::size_t p = 0; p < n; ++p) {
      qx[p] = static_cast<std::uint16_t>(random[p]);
      qy[p] = static_cast<std::uint16_t>(p % 3 == 0 ? qx[p] : random[p] >> 16);
    }
    test::for_each_executor([&](const Executor* executor) {
      Workspace workspace;
      LevelStore store(std::pmr::get_default_resource());
      const BuildContext context{executor_or_serial(executor), workspace};
      TreeStore tree(std::pmr::get_default_resource());
      const TreeView tall = build_tree(tree, qx, qy, true, context);
      const LevelsView view = build_levels(store, tall, n, context);
      std::vector<std::uint32_t> next(view.cells, view.cells + view.cell_total);
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t p = tall.leaves[i / kBlockSize].name[i % kBlockSize];
        const LevelsView::Level& level = view.level[LevelsView::level_of(p)];
        ASSERT_TRUE(level.first <= p && p < level.last);
        const std::size_t place = next[level.cell_begin + level.cell_of(qx[p], qy[p])]++;
        const Block& block = view.blocks[place / kBlockSize];
        ASSERT_EQ(block.name[place % kBlockSize], p);
        ASSERT_EQ(block.x[place % kBlockSize], qx[p]);
        ASSERT_EQ(block.y[place % kBlockSize], qy[p]);
      }
      std::size_t first = 0;
      for (std::size_t l = 0; l < view.levels; ++l) {
        const LevelsView::Level& level = view.level[l];
        const std::uint32_t* const begin = view.cells + level.cell_begin;
        ASSERT_EQ(level.first, first);
        ASSERT_EQ(begin[0], first);
        ASSERT_EQ(begin[level.cell_count()], level.last);
        ASSERT_TRUE(std::equal(begin + 1, begin + level.cell_count() + 1, next.begin() + level.cell_begin));
        first = level.last;
      }
      ASSERT_EQ(first, n);
    });
  }
}

// Spread evenly, crowded into few buckets, and with repeats, which only a forged file has.
TEST(RankedStages, PositionsAreSorted) {
  constexpr std::uint32_t kFirst = 1000, kLast = 4'000'000'000;
  for (const std::size_t n : {0u, 1u, 2u, 33u, 1000u, 8192u, 8193u, 60'000u, 3'000'000u}) {
    std::vector<std::uint32_t> random(n);
    fill_random({.seed = n, .step = 0, .purpose = 4}, 0, std::span(random));
    for (const std::uint32_t spread : {1u, 300u, 1'000'000u, kLast - kFirst}) {
      std::vector<std::uint32_t> values = random;
      for (std::size_t i = 0; i < n; ++i) {
        values[i] = (i % 7 == 0 ? kLast - spread : kFirst) + values[i] % spread;
      }
      std::vector<std::uint32_t> sorted = values;
      std::ranges::sort(sorted);
      std::size_t met = 0;
      PositionSort([&met](std::uint32_t) { ++met; })(values);
      ASSERT_EQ(values, sorted) << n << ' ' << spread;
      ASSERT_LE(met, n);
    }
  }
}

}  // namespace
}  // namespace juxta::ranked_detail
