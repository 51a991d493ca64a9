// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Grids of every shape, and what is near in them by looking at all cells.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "juxta/grid/grid_space.h"

namespace juxta::test {

inline std::vector<CellGrid> all_grids() {
  std::vector<CellGrid> grids;
  for (const std::array<std::uint32_t, 3> cells : {std::array<std::uint32_t, 3>{1, 1, 1},
                                                   {7, 1, 1},
                                                   {1, 6, 1},
                                                   {2, 3, 1},
                                                   {5, 4, 1},
                                                   {23, 19, 1},
                                                   {3, 4, 5},
                                                   {1, 2, 6}}) {
    for (std::uint32_t around = 0; around < 8; ++around) {
      CellGrid grid{.cells = cells};
      for (std::uint32_t axis = 0; axis < 3; ++axis) {
        grid.edges[axis] = (around >> axis & 1) != 0 ? Edge::kPeriodic
                           : axis == 1               ? Edge::kOpen
                                                     : Edge::kWall;
      }
      grids.push_back(grid);
    }
  }
  return grids;
}

inline std::string name_of(const CellGrid& grid, const Neighbourhood& near) {
  std::string name = near.shape == NearShape::kMoore ? "moore " : "von neumann ";
  name += std::to_string(near.radius) + " in";
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    name += " " + std::to_string(grid.cells[axis]) + (grid.edges[axis] == Edge::kPeriodic ? "p" : "w");
  }
  return name;
}

/// The distance along each axis: the shorter way around.
inline std::array<std::uint32_t, 3> apart(const CellGrid& grid, std::uint32_t a, std::uint32_t b) {
  std::array<std::uint32_t, 3> apart{};
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const std::uint32_t p = grid.place_of(a)[axis], q = grid.place_of(b)[axis], far = p > q ? p - q : q - p;
    apart[axis] = grid.edges[axis] == Edge::kPeriodic ? std::min(far, grid.cells[axis] - far) : far;
  }
  return apart;
}

inline bool is_near(const CellGrid& grid, const Neighbourhood& near, std::uint32_t a, std::uint32_t b) {
  const auto [x, y, z] = apart(grid, a, b);
  return near.shape == NearShape::kMoore ? std::max({x, y, z}) <= near.radius : x + y + z <= near.radius;
}

}  // namespace juxta::test
