// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: from positions to cells, along one axis. points_kernel.cpp does the same in registers.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "juxta/math/product.h"
#include "juxta/math/world.h"

namespace juxta::grid_detail {

struct Axis {
  float lo = 0, hi = 1;
  float scale = 1;         // cells / (hi - lo)
  float half_inverse = 0;  // 1 / (2 cell sizes), of central differences
  std::int32_t cells = 1;
  std::int32_t stride = 1;  // from a cell to the next one along this axis
  Edge edge = Edge::kOpen;
};
using Axes = std::array<Axis, 3>;

/// A cell along an axis; those outside of an open edge hold 0.
struct CellOfAxis {
  std::int32_t index = 0;
  bool there = true;
};

/// Cell `i`, which may be up to two beyond the ends.
[[nodiscard]] inline CellOfAxis cell_of(const Axis& axis, std::int32_t i) noexcept {
  if (axis.edge == Edge::kPeriodic) {
    return {i < 0 ? i + axis.cells : i >= axis.cells ? i - axis.cells : i, true};
  }
  const std::int32_t inside = std::clamp(i, 0, axis.cells - 1);
  return {inside, axis.edge == Edge::kWall || inside == i};
}

/// The cell that a neighbour of cell `i` is in, `i` as sample() counts: within walls, one of the cells.
[[nodiscard]] inline CellOfAxis beside(const Axis& axis, std::int32_t i, std::int32_t step) noexcept {
  return cell_of(axis, axis.edge == Edge::kOpen ? i + step : cell_of(axis, i).index + step);
}

/// How many cells a position is from lo; at most two cells beyond the ends, so that it fits into an integer.
[[nodiscard]] inline float in_cells(const Axis& axis, float position) noexcept {
  if (axis.edge == Edge::kPeriodic && !(position >= axis.lo && position < axis.hi)) {
    const float period = axis.hi - axis.lo;
    const float back = position - product(period, std::floor((position - axis.lo) / period));
    position = back >= axis.lo && back < axis.hi ? back : axis.lo;
  }
  const float cells = product(position - axis.lo, axis.scale);
  return std::min(std::max(cells, -2.0F), static_cast<float>(axis.cells) + 2.0F);
}

/// The cell that holds a position.
[[nodiscard]] inline CellOfAxis nearest_cell(const Axis& axis, float position) noexcept {
  const auto cell = static_cast<std::int32_t>(std::floor(in_cells(axis, position)));
  // In a world without open edges rounding alone leads to the cell behind the last one.
  return cell_of(axis, axis.edge == Edge::kOpen ? cell : std::min(cell, axis.cells - 1));
}

/// The two cells around a position are `first` and first + 1; the second one counts `weight`.
struct Between {
  std::int32_t first = 0;
  float weight = 0;
};
[[nodiscard]] inline Between between_cells(const Axis& axis, float position) noexcept {
  const float from_centre = in_cells(axis, position) - 0.5F, whole = std::floor(from_centre);
  return {static_cast<std::int32_t>(whole), from_centre - whole};
}

[[nodiscard]] inline bool finite(float value) noexcept {
  return value - value == 0;
}
/// Not outside of a wall.
[[nodiscard]] inline bool allowed(const Axis& axis, float position) noexcept {
  return axis.edge != Edge::kWall || (position >= axis.lo && position <= axis.hi);
}

}  // namespace juxta::grid_detail
