// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/plan_grid.h"

#include <algorithm>
#include <cmath>

namespace juxta::detail {
namespace {

/// More cells than this for each agent would cost more to count than they spare.
constexpr double kCellsPerAgent = 4;
constexpr double kFewCells = 4096;

/// Cells of at least `width` over [lo, hi].
GridAxis axis_of(float lo, float hi, double width, bool periodic) noexcept {
  const double length = std::max(static_cast<double>(hi) - lo, 0.0);
  const double whole = std::floor(length / width);
  GridAxis axis;
  axis.origin = lo;
  axis.periodic = periodic;
  // A periodic axis is cut into whole cells; another one ends in a cell of its own.
  const double cells = periodic ? std::max(whole, 1.0) : whole + 1;
  axis.cells = static_cast<std::uint32_t>(cells);
  axis.most = static_cast<float>(cells - 1);
  axis.width = static_cast<float>(periodic ? length / cells : width);
  axis.inverse = 1 / axis.width;
  return axis;
}

double count(const Extent& extent, std::uint32_t dimensions, const std::array<double, 3>& width) noexcept {
  double cells = 1;
  for (std::uint32_t a = 0; a < dimensions; ++a) {
    cells *= std::floor((static_cast<double>(extent.bounds.hi[a]) - extent.bounds.lo[a]) / width[a]) + 1;
  }
  return cells;
}

}  // namespace

Grid plan_rows(const World& world, const Extent& extent, float radius) noexcept {
  // Rows a little higher than half a radius (in space: a radius), so that what is exactly a radius away is
  // not one row further.
  const double height = radius * (world.dimensions == 2 ? 0.5 : 1.0) * 1.0001;
  std::array<double, 3> width{radius * 0.25, height, height};
  const double most = kFewCells + kCellsPerAgent * static_cast<double>(extent.agents);
  for (double cells = count(extent, world.dimensions, width); cells > most;
       cells = count(extent, world.dimensions, width)) {
    const double coarser = std::max(1.01, std::pow(cells / most, 1.0 / world.dimensions));
    for (double& w : width) {
      w *= coarser;
    }
  }
  Grid grid;
  grid.dimensions = world.dimensions;
  for (std::uint32_t a = 0; a < world.dimensions; ++a) {
    grid.axis[a] =
        axis_of(extent.bounds.lo[a], extent.bounds.hi[a], width[a], world.edges[a] == Edge::kPeriodic);
  }
  return grid;
}

}  // namespace juxta::detail
