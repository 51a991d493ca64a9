// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a step of flocking, one bird after the other.
//
//   birds in the order of their cells, cells in rows       a bird looks at three runs, one a row of cells:
//                                                              | a |b  | c |          a..c
//       index    0 1 | 2 | 3 4 5 | 6 | ..                      |   |me |   |          ..
//       cell       0   1     2     4                           |   |   |   |          ..
//
// Cells are as wide as a bird sees and flies in a step, and a bird stays in the run of its first cell when it
// leaves it. So those it may see stand in the 3 x 3 cells around its own, however far the others have gone.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

namespace juxta::models_detail {

struct FlockingRules {
  double size, radius, cohere, separate, separation, match, speed;
};

/// How many birds a kernel tests at once; behind the last one each array has as many more elements.
inline constexpr std::uint32_t kFlockingLanes = 8;

struct FlockingStep {
  FlockingRules rules;
  std::int32_t side;                          // cells along an edge: 1, or at least 3
  std::span<const std::uint32_t> cell_start;  // side * side + 1: where each cell's birds begin
  std::span<const std::uint32_t> turns;       // bird after bird, by index
  std::array<double*, 2> place, velocity;     // by index, in the order of cells
};

/// Along one axis. A place that is no number, as only a file can bring, is in the first cell.
[[nodiscard]] inline std::int32_t flocking_cell(double place, double cells_per_length, std::int32_t side) {
  const double cell = place * cells_per_length;
  return cell >= side ? side - 1 : cell > 0 ? static_cast<std::int32_t>(cell) : 0;
}

/// Where a bird that has left the square comes back.
[[nodiscard]] inline double flocking_inside(double x, double size) {
  if (x >= 0 && x < size) {
    return x;
  }
  x -= size * std::floor(x / size);
  return x < size ? x : 0;
}

/// Neighbours in memory: birds [begin, end).
struct FlockingRun {
  std::uint32_t begin, end;
};
/// Those of the 3 x 3 cells around a cell, each row in one or, across the edge, in two; or all in one.
using FlockingRuns = std::array<FlockingRun, 6>;

/// How many there are.
[[nodiscard]] inline std::size_t flocking_runs(const FlockingStep& step, std::int32_t cell_x,
                                               std::int32_t cell_y, FlockingRuns& runs) {
  const std::uint32_t* const start = step.cell_start.data();
  const std::int32_t side = step.side;
  if (side == 1) {
    runs[0] = {start[0], start[1]};
    return 1;
  }
  std::size_t count = 0;
  for (std::int32_t y = cell_y - 1; y <= cell_y + 1; ++y) {
    const std::uint32_t* const row = start + (y < 0 ? y + side : y >= side ? y - side : y) * side;
    if (cell_x > 0 && cell_x < side - 1) {
      runs[count++] = {row[cell_x - 1], row[cell_x + 2]};
    } else {
      const std::int32_t low =
          cell_x == 0 ? 2 : 1;  // cells at the low edge; the rest of three at the high one
      runs[count++] = {row[0], row[low]};
      runs[count++] = {row[side - 3 + low], row[side]};
    }
  }
  return count;
}

/// Every bird acts once. A bird's neighbours are those at most `radius` away, by the nearest image; each
/// pulls with
///
///     d * cohere + v * match, and - d * separate when it is nearer than `separation`
///
/// (d from the bird to it, v its velocity), and the bird adds to its velocity the mean pull, takes it to the
/// length 1 if it has one, and flies `speed` times that far.
/// The order of a sum: the j-th of a run adds to sum j % 8; sum i takes in sum i + 4, then i + 2, then i + 1.
void fly_in_turn(const FlockingStep& step) noexcept;
/// Its plain twin.
void fly_in_turn_plain(const FlockingStep& step) noexcept;

}  // namespace juxta::models_detail
