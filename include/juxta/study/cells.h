// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Cells that have columns: what other frameworks call patches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "juxta/agents/simulation.h"
#include "juxta/core/error.h"
#include "juxta/core/random.h"
#include "juxta/core/try.h"
#include "juxta/grid/cell_grid.h"
#include "juxta/study/columns.h"

namespace juxta {

/// As many cells along x as along y, and walls.
[[nodiscard]] inline CellGrid square_grid(std::size_t edge) noexcept {
  return {.cells = {static_cast<std::uint32_t>(edge), static_cast<std::uint32_t>(edge), 1}};
}

/// Row i of the agents stands at the lower corner of cells[i]; there are as many cells as agents, or more.
inline void place_in_cells(Population& agents, const CellGrid& grid, std::span<const std::uint32_t> cells) {
  for (std::uint32_t axis = 0; axis < agents.world().dimensions; ++axis) {
    const auto at = agents.write(agents.position(axis));
    for (std::size_t row = 0; row < at.size(); ++row) {
      at[row] = static_cast<float>(grid.place_of(cells[row])[axis]);
    }
  }
}

/// Every agent in a cell of its own draw: words 0, 1 and 2 of the block of (key, row) are its x, y and z.
inline void place_at_random(Population& agents, const CellGrid& grid, const RandomKey& key) {
  for (std::uint32_t axis = 0; axis < agents.world().dimensions; ++axis) {
    const auto at = agents.write(agents.position(axis));
    for (std::size_t row = 0; row < at.size(); ++row) {
      at[row] = static_cast<float>(random_below(random_block(key, row)[axis], grid.cells[axis]));
    }
  }
}

/// New agents, in the last rows, and then place_at_random() for all of the population. Errors: kTooLarge.
[[nodiscard]] inline Result<void> insert_at_random(Population& agents, std::size_t count,
                                                   const CellGrid& grid, const RandomKey& key) {
  JUXTA_TRY(agents.insert(count));
  place_at_random(agents, grid, key);
  return {};
}

/// In a plane, every agent goes to one of the 8 cells around its own, or as far that way as the edge lets it:
/// (-1, -1), (0, -1), (1, -1), (-1, 0), and so on, by the three top bits of draws[row][0]; there is a draw
/// for each agent. Where each is now comes into `cells`, which gets as long as `draws`.
inline void walk_at_random(Population& agents, const CellGrid& grid,
                           std::span<const std::array<std::uint32_t, 4>> draws,
                           std::vector<std::uint32_t>& cells) {
  constexpr std::array<std::int32_t, 8> kX = {-1, 0, 1, -1, 1, -1, 0, 1}, kY = {-1, -1, -1, 0, 0, 1, 1, 1};
  const auto [x, y] = write_xy(agents);
  cells.resize(draws.size());
  for (std::size_t row = 0; row < draws.size(); ++row) {
    const std::uint32_t way = draws[row][0] >> 29;
    const std::uint32_t to_x = grid.walk(0, static_cast<std::uint32_t>(x[row]), kX[way]);
    const std::uint32_t to_y = grid.walk(1, static_cast<std::uint32_t>(y[row]), kY[way]);
    x[row] = static_cast<float>(to_x);
    y[row] = static_cast<float>(to_y);
    cells[row] = grid.cell_at(to_x, to_y);
  }
}

/// A new population with an agent for each cell of the grid: row i is cell i, and stays there if it is never
/// sorted. Errors: of Simulation::add_population() and Population::insert().
[[nodiscard]] inline Result<Population*> add_cells(Simulation& simulation, std::string_view name,
                                                   const CellGrid& grid) {
  JUXTA_TRY_LET(Population* const cells, simulation.add_population(name));
  JUXTA_TRY(cells->insert(grid.size()));
  std::vector<std::uint32_t> all(grid.size());
  std::iota(all.begin(), all.end(), 0);
  place_in_cells(*cells, grid, all);
  return cells;
}

/// The population of that name, which has an agent for each cell. Errors: kNotFound (no such population, or
/// of another size).
[[nodiscard]] inline Result<Population*> require_cells(Simulation& simulation, std::string_view name,
                                                       const CellGrid& grid) {
  JUXTA_TRY_LET(Population* const cells, require_population(simulation, name));
  if (cells->size() != grid.size()) {
    return fail(ErrorCode::kNotFound, "the population \"" + std::string(name) + "\" has " +
                                          std::to_string(cells->size()) + " agents, not one for each of " +
                                          std::to_string(grid.size()) + " cells");
  }
  return cells;
}

}  // namespace juxta
