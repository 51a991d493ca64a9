// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The plain twins of the kernels: what diffusion and points mean, cell by cell and point by point.
#include <cmath>

#include "grid/diffuse_kernel.h"
#include "grid/points_kernel.h"
#include "juxta/math/product.h"

namespace juxta::grid_detail {
namespace {

/// The cell beside cell (at[0], at[1], at[2]) along an axis.
float value_beside(const DiffuseTask& task, std::array<std::size_t, 3> at, std::size_t axis, bool up) {
  const std::array<std::size_t, 3> cells = {task.nx, task.ny, task.nz};
  const bool outside = up ? at[axis] + 1 == cells[axis] : at[axis] == 0;
  if (!outside) {
    at[axis] += up ? 1 : std::size_t(-1);
  } else if (task.edges[axis] == Edge::kPeriodic) {
    at[axis] = up ? 0 : cells[axis] - 1;
  } else if (task.edges[axis] == Edge::kOpen) {
    return 0;
  }
  return task.from[at[0] + task.nx * (at[1] + task.ny * at[2])];
}

/// Values of the cells around a point.
class PointReader {
 public:
  PointReader(const PointsTask& task, std::size_t point) : task_(task), point_(point) {}

  [[nodiscard]] bool allowed_here() const {
    bool good = true;
    for (std::uint32_t axis = 0; axis < task_.dimensions; ++axis) {
      good = good && finite(position(axis)) && allowed((*task_.axes)[axis], position(axis));
    }
    return good;
  }
  /// The value, or with `slope` < 3 the slope along that axis.
  [[nodiscard]] float nearest(std::uint32_t slope) const {
    std::array<std::int32_t, 3> cell{};
    for (std::uint32_t axis = 0; axis < task_.dimensions; ++axis) {
      const Axis& along = (*task_.axes)[axis];
      const auto whole = static_cast<std::int32_t>(std::floor(in_cells(along, position(axis))));
      cell[axis] = along.edge == Edge::kOpen ? whole : nearest_cell(along, position(axis)).index;
    }
    return of_cell(cell, slope);
  }
  /// The same between the centres of cells: along x first.
  [[nodiscard]] float linear(std::uint32_t slope) const {
    std::array<std::int32_t, 3> cell{};
    return along_axis(task_.dimensions, cell, slope);
  }

 private:
  [[nodiscard]] float position(std::uint32_t axis) const { return task_.position[axis][point_]; }

  float along_axis(std::uint32_t axes_left, std::array<std::int32_t, 3>& cell, std::uint32_t slope) const {
    if (axes_left == 0) {
      return of_cell(cell, slope);
    }
    const std::uint32_t axis = axes_left - 1;
    const Between between = between_cells((*task_.axes)[axis], position(axis));
    cell[axis] = between.first;
    const float first = along_axis(axis, cell, slope);
    cell[axis] = between.first + 1;
    const float second = along_axis(axis, cell, slope);
    return product(1 - between.weight, first) + product(between.weight, second);
  }
  float of_cell(const std::array<std::int32_t, 3>& cell, std::uint32_t slope) const {
    if (slope >= 3) {
      return value(cell, 3, 0);
    }
    return product(value(cell, slope, 1) - value(cell, slope, -1), (*task_.axes)[slope].half_inverse);
  }
  /// The value of the cell, or of the one a step along `moved`.
  float value(const std::array<std::int32_t, 3>& cell, std::uint32_t moved, std::int32_t step) const {
    std::int32_t index = 0;
    for (std::uint32_t axis = 0; axis < task_.dimensions; ++axis) {
      const Axis& along = (*task_.axes)[axis];
      const CellOfAxis own = axis == moved ? beside(along, cell[axis], step) : cell_of(along, cell[axis]);
      if (!own.there) {
        return 0;
      }
      index += own.index * along.stride;
    }
    return task_.values[index];
  }

  const PointsTask& task_;
  std::size_t point_;
};

}  // namespace

bool diffuse_reference(const DiffuseTask& task) noexcept {
  bool sound = true;
  for (std::size_t z = 0; z < task.nz; ++z) {
    for (std::size_t y = 0; y < task.ny; ++y) {
      for (std::size_t x = 0; x < task.nx; ++x) {
        const std::size_t at = x + task.nx * (y + task.ny * z);
        const float c = task.from[at];
        float sum = 0;
        for (std::size_t axis = 0; axis < task.dimensions; ++axis) {
          const float both = flow(task.amount, c, value_beside(task, {x, y, z}, axis, false)) +
                             flow(task.amount, c, value_beside(task, {x, y, z}, axis, true));
          sum = axis == 0 ? both : sum + both;
        }
        const float next = product(c + sum, task.keep);
        task.to[at] = std::fabs(next) < kLeastValue ? 0 : next;
        sound = sound && finite(next);
      }
    }
  }
  return sound;
}

std::size_t answer_points_reference(const PointsTask& task, std::size_t first, std::size_t last) noexcept {
  constexpr std::uint32_t kValue = 3;
  const bool nearest =
      task.question == PointQuestion::kNearestValue || task.question == PointQuestion::kNearestSlope;
  const bool slope =
      task.question == PointQuestion::kNearestSlope || task.question == PointQuestion::kLinearSlope;
  for (std::size_t i = first; i < last; ++i) {
    const PointReader reader(task, i);
    if (!reader.allowed_here()) {
      return i;
    }
    for (std::uint32_t k = 0; k < (slope ? task.dimensions : 1); ++k) {
      const std::uint32_t what = slope ? k : kValue;
      const float answer = nearest ? reader.nearest(what) : reader.linear(what);
      if (!finite(answer)) {
        return i;
      }
      task.out[k][i] = answer;
    }
  }
  return last;
}

}  // namespace juxta::grid_detail
