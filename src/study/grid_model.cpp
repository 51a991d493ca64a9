// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/grid_model.h"

#include <fmt/format.h>

namespace juxta {
namespace {

/// Errors: kInvalidArgument (the world is not the grid's).
Result<void> check_world(const Population& population, const CellGrid& grid) {
  if (population.world() != grid.world()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the world of '{}' is not a grid of {} x {} x {} cells: give the parameters that "
                            "the simulation began with",
                            population.name(), grid.cells[0], grid.cells[1], grid.cells[2]));
  }
  return {};
}

/// Every agent is in a cell. Errors: kInvalidArgument (another world; an agent outside, with the lowest row
/// along the first axis that has one).
Result<void> check_inside(const Population& agents, const CellGrid& grid) {
  JUXTA_TRY(check_world(agents, grid));
  for (std::uint32_t axis = 0; axis < agents.world().dimensions; ++axis) {
    const auto at = agents.read(agents.position(axis));
    for (std::size_t row = 0; row < at.size(); ++row) {
      if (!(at[row] >= 0 && at[row] < static_cast<float>(grid.cells[axis]))) {  // so that NaN is refused too
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("agent {} of '{}' is at {} along axis {}, outside of the grid, which has {} "
                                "cells there",
                                row, agents.name(), at[row], axis, grid.cells[axis]),
                    row);
      }
    }
  }
  return {};
}

/// Whole numbers beyond it are not all floats.
constexpr std::uint32_t kMostCellsOfAxis = std::uint32_t{1} << 24;

/// Row i is in cell i. Errors: kInvalidArgument (another world; the lowest row that is elsewhere).
Result<void> check_in_order(const Population& cells, const CellGrid& grid) {
  JUXTA_TRY(check_inside(cells, grid));
  const auto at = [&](std::uint32_t axis, std::uint32_t row) {
    return axis < cells.world().dimensions ? static_cast<std::uint32_t>(cells.read(cells.position(axis))[row])
                                           : 0;
  };
  for (std::uint32_t row = 0; row < cells.size(); ++row) {
    if (grid.cell_at(at(0, row), at(1, row), at(2, row)) != row) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("row {} of '{}' is not in cell {}: cells stay in the order in which they began",
                              row, cells.name(), row),
                  row);
    }
  }
  return {};
}

}  // namespace

GridModel::GridModel(const Setup& setup)
    : parameters_(setup.parameters), simulation_(setup.simulation), grid_(setup.grid), is_new_(setup.is_new) {
  for (const std::uint32_t count : grid_.cells) {
    if (count > kMostCellsOfAxis) {
      complete_ =
          fail(ErrorCode::kInvalidArgument,
               fmt::format("a grid of {} cells along an axis: positions are floats, which tell {} apart",
                           count, kMostCellsOfAxis));
    }
  }
}

Population* GridModel::agents(std::string_view name) {
  if (!complete_ || is_new_) {
    return complete_ ? noted(simulation_.add_population(name)) : nullptr;
  }
  Population* const agents = noted(require_population(simulation_, name));
  if (agents != nullptr) {
    complete_ = check_inside(*agents, grid_);
  }
  return agents;
}

Population* GridModel::cells(std::string_view name) {
  if (!complete_ || is_new_) {
    return complete_ ? noted(add_cells(simulation_, name, grid_)) : nullptr;
  }
  Population* const cells = noted(require_cells(simulation_, name, grid_));
  if (cells != nullptr) {
    complete_ = check_in_order(*cells, grid_);
  }
  return cells;
}

GridSpace GridModel::space(GridSpaceOptions options) {
  options.grid = grid_;
  return complete_ ? noted(GridSpace::build(options)) : GridSpace();
}

Population* GridModel::found(std::string_view population) {
  return complete_ ? noted(require_population(simulation_, population)) : nullptr;
}

}  // namespace juxta
