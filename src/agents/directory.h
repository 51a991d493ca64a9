// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: which runs of rows hold the agents near a box.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory_resource>

#include "agents/curve_cells.h"
#include "agents/grid.h"
#include "agents/hashed_rows.h"
#include "agents/tree_blocks.h"
#include "juxta/agents/population.h"
#include "juxta/core/array.h"
#include "juxta/core/function_ref.h"
#include "juxta/core/memory.h"

namespace juxta::agents_detail {

/// Rows [first, last).
struct Run {
  std::uint32_t first, last;
};

/// A box of seers, as far as their positions go.
struct Bounds {
  Vec3 lo{}, hi{};
};

/// Rows sorted by cell, and where each cell begins: as kRows has it, and what the others have instead.
///
///   2D          x ->                           rows of cells are about half a radius high, cells a quarter
///          +--+--+--+--+--+--+--+              wide: five rows around a seer, each cut off where the ball
///   y |    |  |::|::|::|::|  |  |  row 0       ends (:), are a good fit, and each is one run of agents
///     v    |::|::|::|::|::|::|  |  row 1
///          |::|::| seers |::|::|  row 2
struct Directory {
  explicit Directory(std::pmr::memory_resource* resource = huge_page_resource()) noexcept
      : begins(resource), curve(resource), hashed(resource), tree(resource) {}

  Arrangement arrangement = Arrangement::kAuto;
  Grid grid;                    // without a table of all cells: one cell, the world
  Array<std::uint32_t> begins;  // of each cell in its order, and the number of rows
  CurveCells curve;             // kMorton, kHilbert
  HashedRows hashed;            // kHashed
  TreeBlocks tree;              // kTree
  float radius = 0;             // that it was made for
  Vec3 largest{};               // extents of any of the agents
  float magnitude = 0;          // the largest coordinate, for the rounding of distances
  float moved = 0;              // no agent stands further than this from where it was sorted

  [[nodiscard]] std::size_t memory_bytes() const noexcept;
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

  Vec3 on{};          // per axis: how far from a seer to search
  Vec3 wide{};        // and how far off the centre of a neighbour may be
  float slack = 0;    // part of both; a row may be this much nearer than computed
  bool round = true;  // the corners are out of reach
};

/// Across an edge of the world: pairs are then judged by their nearest images.
[[nodiscard]] inline bool wraps(const Directory& directory, const Bounds& box, const Reach& reach) noexcept {
  bool any = false;
  for (std::uint32_t a = 0; a < directory.grid.dimensions; ++a) {
    any = any || directory.grid.axis[a].wraps(box.lo[a] - reach.wide[a], box.hi[a] + reach.wide[a]);
  }
  return any;
}

/// Calls visit(run) for runs of rows that together hold every agent within reach of the box, in ascending
/// order, no row twice; any arrangement, across edges too.
void for_each_run(const Directory& directory, const Bounds& box, const Reach& reach,
                  FunctionRef<void(Run run)> visit);

}  // namespace juxta::agents_detail
