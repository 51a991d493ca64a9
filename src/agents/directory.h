// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: which runs of rows hold the agents near a box.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "agents/grid.h"
#include "juxta/agents/population.h"
#include "juxta/core/array.h"

namespace juxta::detail {

/// Rows [first, last).
struct Run {
  std::uint32_t first, last;
};

/// A box of seers, as far as their positions go.
struct Bounds {
  std::array<float, 3> lo{}, hi{};
};

/// Rows sorted by cell, and where each cell begins.
///
///   2D          x ->                           rows of cells are about half a radius high, cells a quarter
///          +--+--+--+--+--+--+--+              wide: five rows around a seer, each cut off where the ball
///   y |    |  |::|::|::|::|  |  |  row 0       ends (:), are a good fit, and each is one run of agents
///     v    |::|::|::|::|::|::|  |  row 1
///          |::|::| seers |::|::|  row 2
struct Directory {
  Arrangement arrangement = Arrangement::kAuto;
  Grid grid;
  Array<std::uint32_t> begins;     // of each cell in its order, and the number of rows
  std::array<float, 3> largest{};  // extents of any of the agents
  float magnitude = 0;             // the largest coordinate, for the rounding of distances
  float moved = 0;                 // no agent stands further than this from where it was sorted
};

/// How far a pass reaches: half the width, along x, of what must be searched in a row of cells that is
/// (rows_y, rows_z) whole rows away; below 0 for those out of reach.
class Reach {
 public:
  static constexpr std::uint32_t kRows = 8;

  /// `round`: a ball; else a box.
  Reach(const Directory& directory, float radius, bool round) noexcept;

  [[nodiscard]] float on(std::uint32_t axis) const noexcept { return on_[axis]; }
  [[nodiscard]] float width(std::uint32_t rows_y, std::uint32_t rows_z) const noexcept {
    return width_[std::min(rows_z, kRows - 1)][std::min(rows_y, kRows - 1)];
  }

 private:
  std::array<float, 3> on_{};
  std::array<std::array<float, kRows>, kRows> width_{};
};

/// Across an edge of the world: pairs are then judged by their nearest images.
[[nodiscard]] inline bool wraps(const Directory& directory, const Bounds& box, const Reach& reach) noexcept {
  bool any = false;
  for (std::uint32_t a = 0; a < directory.grid.dimensions; ++a) {
    any = any || directory.grid.axis[a].wraps(box.lo[a] - reach.on(a), box.hi[a] + reach.on(a));
  }
  return any;
}

/// The rows of cells on one axis that a box reaches, and for each how many whole rows lie between.
class RowsReached {
 public:
  RowsReached(const GridAxis& axis, float lo, float hi, float reach) noexcept
      : cells_(axis.touched(lo - reach, hi + reach)), lo_(axis.cell(lo)), hi_(axis.cell(hi)) {}

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::uint32_t i = 0; i < cells_.count; ++i) {
      const CellInterval& interval = cells_.interval[i];
      for (std::uint32_t c = interval.first; c <= interval.last; ++c) {
        visit(c, cells_.all ? 0 : between(static_cast<std::int32_t>(c) + interval.shift));
      }
    }
  }

 private:
  [[nodiscard]] std::uint32_t between(std::int32_t c) const noexcept {
    return static_cast<std::uint32_t>(
        std::max({static_cast<std::int32_t>(lo_) - c - 1, c - static_cast<std::int32_t>(hi_) - 1, 0}));
  }
  CellIntervals cells_;
  std::uint32_t lo_, hi_;
};

/// Calls visit(run) for runs of rows that together hold every agent within reach of the box, in ascending
/// order, no row twice.
template <class Visit>
void for_each_run(const Directory& directory, const Bounds& box, const Reach& reach, Visit&& visit) {
  const auto& [x, y, z] = directory.grid.axis;
  const RowsReached ys(y, box.lo[1], box.hi[1], reach.on(1)), zs(z, box.lo[2], box.hi[2], reach.on(2));
  zs.for_each([&](std::uint32_t cz, std::uint32_t rows_z) {
    ys.for_each([&](std::uint32_t cy, std::uint32_t rows_y) {
      const float width = reach.width(rows_y, rows_z);
      if (width < 0) {
        return;
      }
      const CellIntervals xs = x.touched(box.lo[0] - width, box.hi[0] + width);
      const std::uint32_t* const begins = &directory.begins[(std::size_t{cz} * y.cells + cy) * x.cells];
      for (std::uint32_t k = 0; k < xs.count; ++k) {
        visit(Run{begins[xs.interval[k].first], begins[xs.interval[k].last + 1]});
      }
    });
  });
}

}  // namespace juxta::detail
