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
#include "agents/row_boxes.h"
#include "agents/tree_blocks.h"
#include "juxta/agents/population.h"
#include "juxta/core/array.h"
#include "juxta/core/function_ref.h"
#include "juxta/core/memory.h"

namespace juxta::agents_detail {

/// Rows sorted by cell, and where each cell begins: as kRows has it, and what the others have instead.
///
///   2D   +--+--+--+--+--+--+--+--+     rows of cells are as high as a square of sixteen agents, whatever the
///   y |  |->|->|->|->|->|->|->|->| 0   radius, and a cell holds about one agent. The order goes along one
///   row
///     v  |<-|<-|<-|<-|<-|<-|<-|<-| 1   and back along the next: sixteen agents that follow each other are
///        |->|->|->|->|->|->|->|->| 2   near each other, where a row ends too.
///
/// What is near a box is one run of agents in each row of cells (two where the world wraps), cut off where
/// the ball ends.
struct Directory {
  explicit Directory(std::pmr::memory_resource* resource = huge_page_resource()) noexcept
      : begins(resource), boxes(resource), curve(resource), hashed(resource), tree(resource) {}

  Arrangement arrangement = Arrangement::kAuto;
  Grid grid;                    // without a table of all cells: one cell, the world
  Array<std::uint32_t> begins;  // of each cell in its order, and the number of rows
  RowBoxes boxes;               // kRows: where many share a cell; else empty
  CurveCells curve;             // kMorton, kHilbert
  HashedRows hashed;            // kHashed
  TreeBlocks tree;              // kTree
  bool winding = false;         // kRows: there and back again, not each row from left to right
  float height = 0;             // of winding rows; else 0
  bool crowded = false;         // kRows: cells that many share are ordered inside, and there are boxes
  float radius = 0;             // that it was made for
  Vec3 largest{};               // extents of any of the agents
  float magnitude = 0;          // the largest coordinate, for the rounding of distances
  float moved = 0;              // no agent stands further than this from where it was sorted
  // Of kRows, where rows of cells stand in another order or not at all (FlockRanks): the place of each in
  // `begins`. A row has a cell more then, which is empty: the next row may stand anywhere. Null: all rows, as
  // they come.
  const std::uint32_t* places = nullptr;

  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  // Of kRows. Rows of cells are numbered in their order.
  [[nodiscard]] std::uint32_t row_number(std::uint32_t y, std::uint32_t z) const noexcept {
    const std::uint32_t rows = grid.axis[1].cells;
    return z * rows + (turned(z) ? rows - 1 - y : y);
  }
  /// The order goes back along this row, or through the rows of this layer.
  [[nodiscard]] bool turned(std::uint32_t number) const noexcept { return winding && (number & 1) != 0; }
  /// Where the cells of a row begin.
  [[nodiscard]] const std::uint32_t* row(std::uint32_t number) const noexcept {
    const std::size_t cells = grid.axis[0].cells;
    return begins.data() + (places == nullptr ? number * cells : places[number] * (cells + 1));
  }
  [[nodiscard]] const std::uint32_t* row(std::uint32_t y, std::uint32_t z) const noexcept {
    return row(row_number(y, z));
  }
  /// The agents of the cells [first, last] of a row.
  [[nodiscard]] Run run_of_row(std::uint32_t number, std::uint32_t first, std::uint32_t last) const noexcept {
    const std::size_t cells = grid.axis[0].cells;
    const std::uint32_t* const at = row(number);
    return turned(number) ? Run{at[cells - 1 - last], at[cells - first]} : Run{at[first], at[last + 1]};
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

  [[nodiscard]] Reach shorter(float by) const noexcept {
    Reach reach = *this;
    for (std::uint32_t a = 0; a < 3; ++a) {
      reach.on[a] -= by;
      reach.wide[a] -= by;
    }
    return reach;
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
