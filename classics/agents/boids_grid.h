// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "juxta/agents/flock.h"

namespace juxta::classics {

/// Where the stages of the boids with a grid look.
struct BoidsGridOptions {
  std::uint32_t cells = 0;  ///< Per axis; 0: as many as give the article's edge, 21 / 64 (64 in its world).
  float search_radius = 0;  ///< Cells within this are searched; 0: the true radius, sqrt(see_radius2).
                            ///< The published program passes the squared radius, and misses neighbours.
};

/// Cells, both ends included.
struct CellRange {
  std::uint32_t low_x, high_x, low_y, high_y;
};

/// Square cells over [-half_size, half_size]^2; what lies beyond belongs to the cells at the edge.
struct BoidsGrid {
  BoidsGrid(float half, const FlockRules& rules, const BoidsGridOptions& options)
      : cells(options.cells), half_size(half) {
    if (cells == 0) {
      cells = std::max(1U, static_cast<std::uint32_t>(half * (128.0F / 21) + 0.5F));
    }
    const float radius = options.search_radius > 0 ? options.search_radius : std::sqrt(rules.see_radius2);
    // A rounded sum may fall short of the cell of a neighbour that is as far as can be.
    search_radius = radius + half * 0x1p-20F;
    cells_per_unit = static_cast<float>(cells) / (2 * half);
  }

  [[nodiscard]] std::uint32_t cell_of(float coordinate) const noexcept {
    const float cell = (coordinate + half_size) * cells_per_unit;
    return static_cast<std::uint32_t>(std::min(std::max(cell, 0.0F), static_cast<float>(cells - 1)));
  }
  template <class Place>
  [[nodiscard]] CellRange around(const Place& place) const noexcept {
    return {cell_of(place.x - search_radius), cell_of(place.x + search_radius),
            cell_of(place.y - search_radius), cell_of(place.y + search_radius)};
  }

  std::uint32_t cells;
  float half_size, search_radius = 0, cells_per_unit = 0;
};

}  // namespace juxta::classics
