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

}  // namespace

GridModel::GridModel(const Setup& setup)
    : parameters_(setup.parameters),
      simulation_(setup.simulation),
      grid_(setup.grid),
      is_new_(setup.is_new) {}

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
    complete_ = check_world(*cells, grid_);
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
