// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "juxta/grid/cell_grid.h"
#include "tests/grid/spaces.h"

namespace juxta {
namespace {

TEST(CellGrid, PlacesAndNumbersBelongTogether) {
  for (const CellGrid& grid : test::all_grids()) {
    std::uint32_t cell = 0;
    for (std::uint32_t z = 0; z < grid.cells[2]; ++z) {
      for (std::uint32_t y = 0; y < grid.cells[1]; ++y) {
        for (std::uint32_t x = 0; x < grid.cells[0]; ++x, ++cell) {
          ASSERT_EQ(grid.cell_at(x, y, z), cell);
          ASSERT_EQ(grid.place_of(cell), (std::array{x, y, z}));
          ASSERT_EQ((std::array{grid.x_of(cell), grid.y_of(cell), grid.z_of(cell)}), grid.place_of(cell));
        }
      }
    }
    ASSERT_EQ(cell, grid.size());
  }
}

TEST(CellGrid, VisitsEachCellThatIsNearOnce) {
  for (const CellGrid& grid : test::all_grids()) {
    for (const NearShape shape : {NearShape::kMoore, NearShape::kVonNeumann}) {
      for (const std::uint32_t radius : {0U, 1U, 2U, 3U, 8U, 0xFFFF'FFFFU}) {
        const Neighbourhood near{radius, shape};
        SCOPED_TRACE(test::name_of(grid, near));
        for (std::uint32_t cell = 0; cell<grid.size(); cell += grid.size()> 100 ? 7 : 1) {
          std::vector<int> visits(grid.size());
          grid.visit_near(cell, near, [&](std::uint32_t other) { ++visits[other]; });
          for (std::uint32_t other = 0; other < grid.size(); ++other) {
            ASSERT_EQ(visits[other], other != cell && test::is_near(grid, near, cell, other))
                << cell << " " << other;
          }
        }
      }
    }
  }
}

TEST(CellGrid, VisitsTheRing) {
  for (const CellGrid& grid : test::all_grids()) {
    for (const std::uint32_t radius : {1U, 2U, 3U, 5U, 30U}) {
      for (std::uint32_t cell = 0; cell<grid.size(); cell += grid.size()> 100 ? 7 : 1) {
        std::vector<int> visits(grid.size());
        grid.visit_ring(cell, radius, [&](std::uint32_t other) { ++visits[other]; });
        for (std::uint32_t other = 0; other < grid.size(); ++other) {
          const auto [x, y, z] = test::apart(grid, cell, other);
          ASSERT_EQ(visits[other], std::max({x, y, z}) == radius) << test::name_of(grid, {radius}) << cell;
        }
      }
    }
  }
}

TEST(CellGrid, VisitsInTheOrderOfOffsets) {
  const CellGrid grid{.cells = {5, 4, 1}, .edges = {Edge::kPeriodic, Edge::kWall, Edge::kWall}};
  std::vector<std::uint32_t> near;
  grid.visit_near(grid.cell_at(0, 1), {1}, [&](std::uint32_t cell) { near.push_back(cell); });
  EXPECT_EQ(near, (std::vector<std::uint32_t>{4, 0, 1, 9, 6, 14, 10, 11}));
  near.clear();
  grid.visit_near(grid.cell_at(0, 1), {1, NearShape::kVonNeumann},
                  [&](std::uint32_t cell) { near.push_back(cell); });
  EXPECT_EQ(near, (std::vector<std::uint32_t>{0, 9, 6, 10}));
}

TEST(CellGrid, WalksToTheEdgeOrAcross) {
  const CellGrid grid{.cells = {5, 4, 1}, .edges = {Edge::kPeriodic, Edge::kWall, Edge::kWall}};
  EXPECT_EQ(grid.walk(0, 0, -1), 4U);
  EXPECT_EQ(grid.walk(0, 4, 2), 1U);
  EXPECT_EQ(grid.walk(0, 3, -5), 3U);
  EXPECT_EQ(grid.walk(1, 0, -1), 0U);
  EXPECT_EQ(grid.walk(1, 2, 3), 3U);
  EXPECT_EQ(grid.walk(1, 2, -1), 1U);
}

TEST(CellGrid, IsAWorld) {
  const World plane =
      CellGrid{.cells = {5, 4, 1}, .edges = {Edge::kPeriodic, Edge::kWall, Edge::kWall}}.world();
  EXPECT_EQ(plane, (World{.dimensions = 2, .edges = {Edge::kPeriodic, Edge::kWall}, .hi = {5, 4, 0}}));
  EXPECT_EQ((CellGrid{.cells = {5, 4, 3}}.world().hi), (Vec3{5, 4, 3}));
}

}  // namespace
}  // namespace juxta
