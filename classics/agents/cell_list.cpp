// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "classics/agents/cell_list.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace juxta::classics {

// Cells over the bounds of the points; wider than the radius where there would be many more cells than
// points, as in a wide and empty world.
template <int kAxes>
void CellList<kAxes>::choose_cells(const Axes& points, float radius) {
  std::array<double, kAxes> extent{};
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const auto [least, most] = std::minmax_element(points[axis].begin(), points[axis].end());
    lo_[axis] = points[axis].empty() ? 0 : *least;
    extent[axis] = points[axis].empty() ? 0 : double{*most} - double{*least};
  }
  const double most_cells = 4.0 * static_cast<double>(points[0].size()) + 64;
  // A little more than the radius: rounding never puts a neighbour two cells away.
  for (double edge = double{radius} * 1.0001;; edge *= 1.25) {
    double cells = 1;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      cells *= std::floor(extent[axis] / edge) + 1;
    }
    if (cells <= most_cells) {
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        counts_[axis] = static_cast<std::uint32_t>(extent[axis] / edge) + 1;
      }
      cells_per_unit_ = static_cast<float>(1 / edge);
      return;
    }
  }
}

template <int kAxes>
void CellList<kAxes>::build(const Axes& points, float radius) {
  const std::size_t size = points[0].size();
  choose_cells(points, radius);
  radius2_ = radius * radius;
  starts_.assign(std::size_t{counts_[0]} * counts_[1] * counts_[2] + 1, 0);
  cell_of_point_.resize(size);
  numbers_.resize(size);
  points_.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    std::uint32_t cell = 0;
    for (std::size_t axis = kAxes; axis-- > 0;) {
      cell = cell * counts_[axis] + cell_of(points[axis][i], axis);
    }
    cell_of_point_[i] = cell;
    ++starts_[cell];
  }
  for (std::size_t cell = 1; cell < starts_.size(); ++cell) {
    starts_[cell] += starts_[cell - 1];
  }
  // starts_[cell] is where the cell ends; filled from the back, it becomes where it starts.
  for (std::size_t i = size; i-- > 0;) {
    const std::uint32_t row = --starts_[cell_of_point_[i]];
    numbers_[row] = static_cast<std::uint32_t>(i);
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      points_[row][axis] = points[axis][i];
    }
  }
}

template <int kAxes>
void visit_cells(CellList<kAxes>& list, const typename CellList<kAxes>::Axes& points, float radius,
                 std::span<float> sums, std::span<std::uint32_t> found) {
  list.build(points, radius);
  const float per_radius = 1 / radius;
  for (std::uint32_t row = 0; row < list.size(); ++row) {
    float sum = 0;
    std::uint32_t count = 0;
    list.for_each_neighbour(row, [&](std::uint32_t, const auto&, float distance2) {
      const float weight = 1 - std::sqrt(distance2) * per_radius;
      sum += weight * weight;
      ++count;
    });
    sums[list.number(row)] = sum;
    found[list.number(row)] = count;
  }
}

template class CellList<2>;
template class CellList<3>;
template void visit_cells<2>(CellList<2>&, const CellList<2>::Axes&, float, std::span<float>,
                             std::span<std::uint32_t>);
template void visit_cells<3>(CellList<3>&, const CellList<3>::Axes&, float, std::span<float>,
                             std::span<std::uint32_t>);

}  // namespace juxta::classics
