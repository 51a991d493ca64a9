// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Which rank has which rows of cells.
#include "agents/flock_cuts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "scenes/draws.h"

namespace juxta {
namespace {

using agents_detail::blocks_of_layers;
using agents_detail::FlockCuts;

struct Shape {
  std::uint32_t across, layers, ranks;
};
constexpr Shape kShapes[] = {{1, 1, 1},   {1, 1, 5},    {40, 1, 7},   {1, 40, 7},  {9, 9, 4},
                             {30, 30, 8}, {30, 30, 16}, {31, 29, 37}, {8, 200, 6}, {120, 110, 250}};

/// All alike; some in each of ten; all but one row have nothing; nothing at all.
std::vector<std::vector<double>> works(std::size_t rows) {
  scenes::Draws draws(5);
  std::vector<std::vector<double>> all(4, std::vector<double>(rows, 0.0));
  for (std::size_t i = 0; i < rows; ++i) {
    all[0][i] = 1;
    all[1][i] = draws.below(10) == 0 ? draws.below(1000) : 0;
  }
  all[2][rows / 3] = 7;
  return all;
}

TEST(FlockCuts, EachRowHasOneOwner) {
  for (const Shape& shape : kShapes) {
    for (const std::vector<double>& work : works(std::size_t{shape.across} * shape.layers)) {
      SCOPED_TRACE(std::to_string(shape.across) + " x " + std::to_string(shape.layers) + ", " +
                   std::to_string(shape.ranks));
      const FlockCuts cuts(shape.across, work, shape.ranks);
      std::vector<std::uint32_t> owners(work.size(), shape.ranks);
      for (std::uint32_t rank = 0; rank < shape.ranks; ++rank) {
        const std::vector<std::uint32_t> rows = cuts.rows_of(rank);
        ASSERT_TRUE(std::is_sorted(rows.begin(), rows.end()));
        for (const std::uint32_t row : rows) {
          ASSERT_EQ(owners.at(row), shape.ranks) << row;
          owners[row] = rank;
        }
      }
      for (std::uint32_t row = 0; row < work.size(); ++row) {
        ASSERT_EQ(cuts.owner(row), owners[row]) << row;
      }
    }
  }
}

TEST(FlockCuts, EachRankHasAsMuchToDo) {
  for (const Shape& shape : kShapes) {
    const std::size_t rows = std::size_t{shape.across} * shape.layers;
    for (const std::vector<double>& work : works(rows)) {
      double total = 0, largest = 0;
      for (const double of_row : work) {
        total += of_row;
        largest = std::max(largest, of_row);
      }
      const FlockCuts cuts(shape.across, work, shape.ranks);
      for (std::uint32_t rank = 0; rank < shape.ranks && total > 0; ++rank) {
        double of_rank = 0;
        for (const std::uint32_t row : cuts.rows_of(rank)) {
          of_rank += work[row];
        }
        EXPECT_LE(of_rank, total / shape.ranks + largest);
      }
    }
  }
}

/// Rows beside those of a rank, the most of any.
std::size_t most_seen(const Shape& shape) {
  const std::vector<double> work(std::size_t{shape.across} * shape.layers, 1.0);
  const FlockCuts cuts(shape.across, work, shape.ranks);
  std::size_t most = 0;
  for (std::uint32_t rank = 0; rank < shape.ranks; ++rank) {
    std::set<std::uint32_t> seen;
    const std::vector<std::uint32_t> own = cuts.rows_of(rank);
    for (const std::uint32_t row : own) {
      const std::uint32_t y = row % shape.across, z = row / shape.across;
      for (std::uint32_t nz = std::max(z, 1U) - 1; nz <= std::min(z + 1, shape.layers - 1); ++nz) {
        for (std::uint32_t ny = std::max(y, 1U) - 1; ny <= std::min(y + 1, shape.across - 1); ++ny) {
          seen.insert(nz * shape.across + ny);
        }
      }
    }
    most = std::max(most, seen.size() - own.size());
  }
  return most;
}

/// Slabs would see two layers of rows, however thin they are.
TEST(FlockCuts, BordersAreShort) {
  EXPECT_LE(most_seen({60, 60, 2}), 62U);
  EXPECT_LE(most_seen({60, 60, 4}), 122U);  // four slabs, as good as a square of four
  EXPECT_LE(most_seen({60, 60, 9}), 2U * 60);
  EXPECT_LE(most_seen({60, 60, 16}), 4U * 15 + 8);
  EXPECT_LE(most_seen({120, 120, 100}), 4U * 12 + 8);
  EXPECT_LE(most_seen({300, 300, 1000}), 2U * (12 + 8) + 10);
  EXPECT_EQ(blocks_of_layers(1206, 1206, 1000), 25U);  // and not 32, which 1,000 ranks do not divide among
}

/// In the plane, and of ranks without work.
TEST(FlockCuts, RowsOfThePlaneFollowEachOther) {
  const std::vector<double> work{1, 1, 1, 1, 5, 1};
  const FlockCuts cuts(6, work, 2);
  EXPECT_EQ(cuts.rows_of(0), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(cuts.rows_of(1), (std::vector<std::uint32_t>{4, 5}));
}

}  // namespace
}  // namespace juxta
