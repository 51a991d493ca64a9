// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The order of agents inside cells that many share.
#include "agents/crowded_cells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "agents/crowds.h"
#include "agents/pass_check.h"
#include "scenes/draws.h"
#include "support/executors.h"

namespace juxta {
namespace {

using agents_detail::find_crowded_cells;
using agents_detail::kOrderedInside;
using agents_detail::order_crowded_cells;
using scenes::Draws;

/// Agents in the cells of a table.
struct Cells {
  std::array<std::vector<float>, 3> position;
  std::vector<std::uint32_t> begins{0};
  std::uint32_t dimensions = 3;

  /// One more cell, with agents that stand in a box of this size.
  void add(Draws& draws, std::uint32_t agents, std::array<float, 3> size) {
    for (std::uint32_t a = 0; a < 3; ++a) {
      for (std::uint32_t i = 0; i < agents; ++i) {
        position[a].push_back(static_cast<float>(begins.size()) * 10 + size[a] * draws.uniform(0, 1));
      }
    }
    begins.push_back(begins.back() + agents);
  }
  [[nodiscard]] agents_detail::Places places() const {
    agents_detail::Places places;
    for (std::uint32_t a = 0; a < dimensions; ++a) {
      places.position[a] = position[a].data();
    }
    places.count = begins.back();
    return places;
  }
  [[nodiscard]] std::vector<std::uint32_t> ordered(unsigned threads = 1,
                                                   std::optional<std::size_t> together = {}) const {
    std::vector<std::uint32_t> order(begins.back());
    std::iota(order.begin(), order.end(), 0U);
    Workspace scratch;
    const test::ThreadsExecutor executor(threads);
    const auto crowded = find_crowded_cells(begins, scratch);
    if (together) {
      order_crowded_cells(crowded, places(), dimensions, order, scratch, executor, *together);
    } else {
      order_crowded_cells(crowded, places(), dimensions, order, scratch, executor);
    }
    return order;
  }
};

/// The mean volume (area, length) of boxes around sixteen agents that follow each other.
double mean_box(const Cells& cells, const std::vector<std::uint32_t>& order) {
  double sum = 0, boxes = 0;
  for (std::size_t first = 0; first + 16 <= order.size(); first += 16, ++boxes) {
    double volume = 1;
    for (std::uint32_t a = 0; a < cells.dimensions; ++a) {
      float lo = cells.position[a][order[first]], hi = lo;
      for (std::size_t i = first; i < first + 16; ++i) {
        lo = std::min(lo, cells.position[a][order[i]]);
        hi = std::max(hi, cells.position[a][order[i]]);
      }
      volume *= hi > lo ? hi - lo : 1;  // flat: no axis
    }
    sum += volume;
  }
  return sum / boxes;
}

TEST(CrowdedCells, SixteenThatFollowEachOtherAreNear) {
  struct Case {
    std::uint32_t dimensions;
    std::array<float, 3> size;
  };
  for (const Case& c : {Case{2, {4, 4, 0}}, Case{2, {8, 1, 0}}, Case{3, {4, 4, 4}}, Case{3, {4, 4, 0}},
                        Case{3, {0, 4, 4}}, Case{3, {0, 0, 4}}}) {
    SCOPED_TRACE(std::to_string(c.dimensions) + ": " + std::to_string(c.size[0]) + " " +
                 std::to_string(c.size[1]) + " " + std::to_string(c.size[2]));
    Draws draws(5);
    Cells cells;
    cells.dimensions = c.dimensions;
    cells.add(draws, 1600, c.size);
    double volume = 1;
    for (std::uint32_t a = 0; a < c.dimensions; ++a) {
      volume *= c.size[a] > 0 ? c.size[a] : 1;
    }
    // A hundredth of the cell would be perfect. Where a row ends, sixteen are wider.
    EXPECT_LT(mean_box(cells, cells.ordered()), 2.5 * volume / 100);
  }
}

// One agent far out, and of the others half in a thousandth of their cube.
TEST(CrowdedCells, AreOrderedInACrowdOfACrowd) {
  Draws draws(9);
  Cells cells;
  for (auto& column : cells.position) {
    for (int i = 0; i < 3201; ++i) {
      column.push_back(i == 77 ? 1e15F : i % 2 == 0 ? draws.uniform(1, 1.4F) : draws.uniform(0, 4));
    }
  }
  cells.begins.push_back(3201);
  std::vector<std::uint32_t> clump = cells.ordered();
  clump.erase(std::remove_if(clump.begin(), clump.end(), [](std::uint32_t row) { return row % 2 != 0; }),
              clump.end());
  EXPECT_LT(mean_box(cells, clump), 4 * 0.064 / 100);
}

// Cells that all threads sort together, and crowds in them, have the order that one thread gives them.
TEST(CrowdedCells, AreTheSameByAllThreadsTogether) {
  constexpr std::size_t kNone = ~std::size_t{0};
  for (const std::uint32_t dimensions : {2U, 3U}) {
    Draws draws(31);
    Cells cells;
    cells.dimensions = dimensions;
    cells.add(draws, 3000, {4, 4, 4});
    cells.add(draws, 20, {1, 1, 1});
    cells.add(draws, 700, {0, 0, 0});
    for (const int crowd : {1, 2}) {  // half of a cell in a thousandth of it, and half of those once more
      cells.add(draws, 40'000, {2, 2, 2});
      for (auto& column : cells.position) {
        for (std::size_t i = column.size() - 40'000; i < column.size(); i += 2) {
          const float first = static_cast<float>(cells.begins.size() - 1) * 10;
          column[i] = first + (column[i] - first) * (crowd == 2 && i % 4 == 0 ? 0.003F : 0.1F);
        }
      }
    }
    const std::vector<std::uint32_t> expected = cells.ordered(1, kNone);
    for (const unsigned threads : {1U, 3U}) {
      SCOPED_TRACE(std::to_string(dimensions) + "D, threads: " + std::to_string(threads));
      for (const std::size_t together : {40U, 2000U, 30'000U}) {
        EXPECT_EQ(cells.ordered(threads, together), expected) << together;
      }
      EXPECT_EQ(cells.ordered(threads), expected);
    }
  }
}

TEST(CrowdedCells, KeepTheirAgentsAndOthersTheirOrder) {
  Draws draws(6);
  Cells cells;
  const std::vector<std::uint32_t> sizes{0, 3, kOrderedInside, kOrderedInside + 1, 0, 500, 1, 77};
  for (const std::uint32_t size : sizes) {
    cells.add(draws, size, {1, 1, 1});
  }
  std::vector<std::uint32_t> order = cells.ordered();
  EXPECT_EQ(order, cells.ordered(3));
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    const auto first = order.begin() + cells.begins[c], last = order.begin() + cells.begins[c + 1];
    EXPECT_EQ(std::is_sorted(first, last), sizes[c] <= kOrderedInside) << sizes[c];
    std::sort(first, last);
  }
  std::vector<std::uint32_t> all(order.size());
  std::iota(all.begin(), all.end(), 0U);
  EXPECT_EQ(order, all);
}

// Of agents in one place, the first stays the first. Cells may be as small and as large as floats allow.
TEST(CrowdedCells, AreStable) {
  for (const float size : {0.0F, 1e-45F, 1e-38F, 3e38F}) {
    Draws draws(7);
    Cells cells;
    for (auto& column : cells.position) {
      for (int i = 0; i < 300; ++i) {
        column.push_back(draws.below(2) != 0 ? size : size > 1 ? -size : 0);
      }
    }
    cells.begins.push_back(300);
    const std::vector<std::uint32_t> order = cells.ordered();
    const auto place = [&](std::uint32_t row) {
      return std::array{cells.position[0][row], cells.position[1][row], cells.position[2][row]};
    };
    for (std::size_t i = 1; i < order.size(); ++i) {
      EXPECT_TRUE(place(order[i - 1]) != place(order[i]) || order[i - 1] < order[i]);
    }
  }
}

TEST(CrowdedCells, AreFoundByKeysAsByTables) {
  const std::vector<std::uint32_t> begins{0, 40, 40, 45, 78, 200};
  std::vector<std::uint64_t> keys(200);
  for (std::size_t cell = 0; cell + 1 < begins.size(); ++cell) {
    std::fill(keys.begin() + begins[cell], keys.begin() + begins[cell + 1], cell << 40);
  }
  Workspace scratch;
  const auto found = [](std::span<const agents_detail::Run> runs) {
    std::vector<std::array<std::uint32_t, 2>> all;
    for (const agents_detail::Run& run : runs) {
      all.push_back({run.first, run.last});
    }
    return all;
  };
  const std::vector<std::array<std::uint32_t, 2>> expected{{0, 40}, {45, 78}, {78, 200}};
  EXPECT_EQ(found(find_crowded_cells(std::span<const std::uint32_t>(begins), scratch)), expected);
  EXPECT_EQ(found(find_crowded_cells(std::span<const std::uint64_t>(keys), scratch)), expected);
}

// Half of all agents in a ten-thousandth of the space.
TEST(CrowdedCells, SparePassesMostOfAClump) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    World world;
    world.dimensions = dimensions;
    world.hi = Vec3::all(100);
    Draws draws(8);
    test::Crowd crowd;
    const float size = dimensions == 2 ? 1 : 4.6416F;
    for (std::uint32_t a = 0; a < dimensions; ++a) {
      for (int i = 0; i < 4000; ++i) {
        crowd.position[a].push_back(i % 2 == 0 ? 30 + draws.uniform(0, size) : draws.uniform(0, 100));
      }
    }
    Simulation simulation = Simulation::build(world).value();
    Population& agents = *simulation.add_population("agents").value();
    test::fill(agents, crowd, draws);
    const float radius = size / 10;
    ASSERT_EQ(agents.sort({.radius = radius}).value().arrangement, Arrangement::kRows);
    EXPECT_EQ(test::compare_pass(agents, agents, radius, {}), "");
    const std::size_t tested = see(agents, agents, radius, test::Census{0}).value().tested;
    // Of 2,000 in the clump a group of sixteen reaches some hundred; of a cell that has no order, nearly all.
    EXPECT_LT(tested, std::size_t{2000} * 300);
  }
}

}  // namespace
}  // namespace juxta
