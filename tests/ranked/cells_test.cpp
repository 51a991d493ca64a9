// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// count_cells() against its plain twin and against edges written out, on every instruction set and executor.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory_resource>
#include <numeric>
#include <vector>

#include "juxta/core/workspace.h"
#include "ranked/brute.h"
#include "scenes/hard_points.h"
#include "support/code_of.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using Counts = std::vector<std::uint32_t>;

// Where the cells of one axis begin, and its end: numpy.linspace(low, high, cells + 1).
std::vector<double> edges_of(double low, double high, std::size_t cells) {
  std::vector<double> edges;
  const double step = (high - low) / static_cast<double>(cells);
  for (std::size_t i = 0; i < cells; ++i) {
    edges.push_back(static_cast<double>(i) * step + low);
  }
  edges.push_back(high);
  return edges;
}

// As numpy.histogram2d: a value on an edge is in the cell behind it, but the last edge has none behind it.
template <class T>
Counts histogram(const std::vector<T>& xs, const std::vector<T>& ys, const RectD& rect, std::size_t columns,
                 std::size_t rows) {
  const std::vector<double> x_edges = edges_of(rect.lx, rect.hx, columns);
  const std::vector<double> y_edges = edges_of(rect.ly, rect.hy, rows);
  const auto cell = [](const std::vector<double>& edges, double value) {
    const auto behind = std::upper_bound(edges.begin(), edges.end() - 1, value);
    return static_cast<std::size_t>(behind - edges.begin()) - 1;
  };
  Counts counts(columns * rows);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const auto x = static_cast<double>(xs[i]), y = static_cast<double>(ys[i]);
    if (rect.contains(x, y)) {
      ++counts[cell(y_edges, y) * columns + cell(x_edges, x)];
    }
  }
  return counts;
}

template <class T>
void expect_histogram(const RankedPoints& points, const std::vector<T>& xs, const std::vector<T>& ys,
                      const RectD& rect, std::size_t columns, std::size_t rows, const Context& context = {}) {
  Counts got(columns * rows + 1, 7);  // what is not asked for is left alone
  const auto result = points.count_cells(rect, columns, rows, got, context);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(got.back(), 7u);
  got.pop_back();
  ASSERT_EQ(got, histogram(xs, ys, rect, columns, rows)) << columns << " x " << rows;
  EXPECT_EQ(result->found, points.count(rect).found);
  EXPECT_EQ(result->found, std::accumulate(got.begin(), got.end(), std::size_t{0}));
}

TEST(RankedCells, AreThoseOfAHistogram) {
  for (const auto kind : scenes::kHardSets) {
    for (const std::size_t n : {33u, 700u, 20'000u}) {
      SCOPED_TRACE(std::string(scenes::name(kind)) + " " + std::to_string(n));
      const scenes::HardPoints set = scenes::make_hard_points(kind, n, n);
      const auto points = RankedPoints::build(set.x, set.y, set.rank).value();
      test::for_each_isa([&](Isa) {
        expect_histogram(points, set.x, set.y, test::as_double(set.frame), 256, 256);
        expect_histogram(points, set.x, set.y, test::as_double(set.frame), 7, 3);
        for (const auto family : scenes::kQueryFamilies) {
          for (const RectF& query : scenes::make_hard_queries(family, set, 4, n)) {
            if (query.lx < query.hx && query.ly < query.hy) {
              expect_histogram(points, set.x, set.y, test::as_double(query), 1, 1);
              expect_histogram(points, set.x, set.y, test::as_double(query), 60, 17);
            }
          }
        }
      });
    }
  }
}

TEST(RankedCells, TheSameOnEveryExecutor) {
  const scenes::HardPoints set = scenes::make_hard_points(scenes::HardSet::kCities, 400'000, 3);
  const auto points = RankedPoints::build(set.x, set.y, set.rank).value();
  Workspace workspace;
  test::for_each_executor([&](const Executor* executor) {
    const Context context{.executor = executor, .workspace = &workspace};
    expect_histogram(points, set.x, set.y, test::as_double(set.frame), 100, 80, context);
    expect_histogram(points, set.x, set.y, test::as_double(set.frame), 1000, 1000, context);
  });
}

TEST(RankedCells, PointsOnEdgesGoToTheCellBehind) {
  std::vector<double> xs, ys;
  for (int y = 0; y <= 40; ++y) {
    for (int x = 0; x <= 40; ++x) {
      xs.push_back(x * 0.1);  // rounded otherwise than the edges are
      ys.push_back(x % 2 == 0 ? y * 0.1 : std::nextafter(y * 0.1, 0.0));
    }
  }
  const auto points = RankedPoints::build(xs, ys, xs).value();
  for (const std::size_t cells : {1u, 3u, 4u, 39u, 40u, 41u, 400u}) {
    expect_histogram(points, xs, ys, {0, 0, 4, 4}, cells, 40);
    expect_histogram(points, xs, ys, {0.1, 0.3, 3.9, 3.1}, 40, cells);
    expect_histogram(points, xs, ys, {-1, -1, 1e9, 5}, cells, cells);
  }
  // Cells thinner than a double can tell apart: the last that begins at or below the value.
  expect_histogram(points, xs, ys, {1, 1, std::nextafter(1.0, 2.0), 2}, 1000, 2);
}

TEST(RankedCells, NoPointsNoCellsNoRoom) {
  const RankedPoints none;
  Counts counts(12, 7);
  EXPECT_EQ(none.count_cells({0, 0, 1, 1}, 4, 3, counts).value().found, 0u);
  EXPECT_EQ(counts, Counts(12));
  const auto one =
      RankedPoints::build(std::vector<float>{1}, std::vector<float>{1}, std::vector<float>{1}).value();
  EXPECT_EQ(one.count_cells({2, 2, 3, 3}, 4, 3, counts).value().found, 0u);
  EXPECT_EQ(one.count_cells({0, 0, 1, 1}, 4, 3, counts).value().found, 1u);
  EXPECT_EQ(counts.back(), 1u);
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const RectD& rect : {RectD{0, 0, kInf, 1}, RectD{0, std::nan(""), 1, 1}, RectD{1, 0, 1, 1},
                            RectD{0, 1, 1, 0}, RectD{-1.5e308, 0, 1.5e308, 1}, RectD{0, 0, 5e-324, 1}}) {
    EXPECT_EQ(test::code_of(one.count_cells(rect, 4, 3, counts)), ErrorCode::kInvalidArgument);
  }
  for (const auto& [columns, rows] :
       {std::pair{0u, 3u}, std::pair{4u, 0u}, std::pair{65'536u, 1u}, std::pair{4u, 4u}}) {
    EXPECT_EQ(test::code_of(one.count_cells({0, 0, 1, 1}, columns, rows, counts)),
              ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace juxta
