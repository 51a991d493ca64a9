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
#include "juxta/core/function_ref.h"

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

  /// Where the cells of a row begin.
  [[nodiscard]] const std::uint32_t* row(std::uint32_t y, std::uint32_t z) const noexcept {
    return &begins[(std::size_t{z} * grid.axis[1].cells + y) * grid.axis[0].cells];
  }
};

/// How far a pass reaches, with all that computing in float may be off by.
struct Reach {
  /// `ball`: else a box.
  Reach(const Directory& directory, float radius, bool ball) noexcept;

  /// Half of what must be searched along x in a row of cells that is (y, z) away; below 0 for none.
  [[nodiscard]] float width(float y, float z) const noexcept {
    const float left = on[0] * on[0] - (y * y + z * z);
    return !round ? on[0] : left < 0 ? -1.0F : std::sqrt(left) + slack;
  }

  std::array<float, 3> on{};  // per axis
  float slack = 0;            // part of `on`; a row may be this much nearer than computed
  bool round = true;          // the corners are out of reach
};

/// Across an edge of the world: pairs are then judged by their nearest images.
[[nodiscard]] inline bool wraps(const Directory& directory, const Bounds& box, const Reach& reach) noexcept {
  bool any = false;
  for (std::uint32_t a = 0; a < directory.grid.dimensions; ++a) {
    any = any || directory.grid.axis[a].wraps(box.lo[a] - reach.on[a], box.hi[a] + reach.on[a]);
  }
  return any;
}

/// Calls visit(run) for runs of rows that together hold every agent within reach of the box, in ascending
/// order, no row twice; any arrangement, across edges too.
void for_each_run(const Directory& directory, const Bounds& box, const Reach& reach,
                  FunctionRef<void(Run run)> visit);

}  // namespace juxta::detail
