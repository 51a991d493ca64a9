// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/curve_cells.h"

#include "agents/directory_runs.h"
#include "agents/rows_reached.h"
#include "agents/run_list.h"
#include "juxta/order/curves.h"

namespace juxta::agents_detail {
namespace {

std::uint32_t on_curve(Arrangement curve, std::uint32_t dimensions, std::uint32_t x, std::uint32_t y,
                       std::uint32_t z) noexcept {
  const auto x16 = static_cast<std::uint16_t>(x), y16 = static_cast<std::uint16_t>(y);
  if (curve == Arrangement::kHilbert) {
    return dimensions == 2 ? hilbert2(x16, y16) : hilbert3_10(x, y, z);
  }
  return dimensions == 2 ? morton2(x16, y16) : morton3_10(x, y, z);
}

/// Cells met on one axis by squares of 2^j, at most.
std::uint64_t squares(const CellIntervals& cells, std::uint32_t j) noexcept {
  std::uint64_t all = 0;
  for (std::uint32_t i = 0; i < cells.count; ++i) {
    all += (cells.interval[i].last >> j) - (cells.interval[i].first >> j) + 1;
  }
  return all;
}

template <class Visit>
void for_each_square(const CellIntervals& cells, std::uint32_t j, Visit&& visit) {
  for (std::uint32_t i = 0; i < cells.count; ++i) {
    for (std::uint32_t c = cells.interval[i].first >> j; c <= cells.interval[i].last >> j; ++c) {
      visit(c << j);
    }
  }
}

/// Whole squares of 2^j cells a side; one that is met from both ends of the world is joined with itself.
void list_squares(const Directory& directory, const std::array<CellIntervals, 3>& met, std::uint32_t j,
                  RunList& runs) {
  const Grid& grid = directory.grid;
  const std::uint32_t shift = j * grid.dimensions;
  for_each_square(met[2], j, [&](std::uint32_t z) {
    for_each_square(met[1], j, [&](std::uint32_t y) {
      for_each_square(met[0], j, [&](std::uint32_t x) {
        const std::uint32_t first = directory.curve.number(grid, {x, y, z}) >> shift << shift;
        runs.add({directory.begins[first], directory.begins[first + (1U << shift)]});
      });
    });
  });
}

}  // namespace

void CurveCells::fill(Arrangement curve, std::uint32_t brick_bits, std::uint32_t dimensions) {
  if (filled_ == curve && bits == brick_bits && dimensions_ == dimensions) {
    return;
  }
  const std::uint32_t side = 1U << brick_bits, sides = dimensions == 3 ? side : 1;
  numbers.resize_discard(std::size_t{1} << (brick_bits * dimensions));
  std::size_t at = 0;
  for (std::uint32_t z = 0; z < sides; ++z) {
    for (std::uint32_t y = 0; y < side; ++y) {
      for (std::uint32_t x = 0; x < side; ++x) {
        numbers[at++] = on_curve(curve, dimensions, x, y, z);
      }
    }
  }
  filled_ = curve;
  bits = brick_bits;
  dimensions_ = dimensions;
}

void for_each_run_of_curve(const Directory& directory, const Bounds& box, const Reach& reach,
                           FunctionRef<void(Run run)> visit) {
  const Grid& grid = directory.grid;
  const RowsReached ys(grid.axis[1], box.lo[1], box.hi[1], reach, reach.on[1]);
  const RowsReached zs(grid.axis[2], box.lo[2], box.hi[2], reach, reach.on[2]);
  const std::array<CellIntervals, 3> met{
      grid.axis[0].touched(box.lo[0] - reach.on[0], box.hi[0] + reach.on[0]), ys.cells(), zs.cells()};
  // Cell by cell where they are few, else by squares of cells.
  std::uint32_t j = 0;
  while (j < directory.curve.bits &&
         squares(met[0], j) * squares(met[1], j) * squares(met[2], j) > RunList::kMost) {
    ++j;
  }
  RunList runs;
  if (j != 0) {
    list_squares(directory, met, j, runs);
    runs.visit_all(visit);
    return;
  }
  zs.for_each([&](std::uint32_t z, float gap_z) {
    ys.for_each([&](std::uint32_t y, float gap_y) {
      const float width = reach.width(gap_y, gap_z);
      if (width < 0) {
        return;
      }
      const CellIntervals xs = grid.axis[0].touched(box.lo[0] - width, box.hi[0] + width);
      for_each_square(xs, 0, [&](std::uint32_t x) {
        const std::uint32_t cell = directory.curve.number(grid, {x, y, z});
        runs.add({directory.begins[cell], directory.begins[cell + 1]});
      });
    });
  });
  runs.visit_all(visit);
}

}  // namespace juxta::agents_detail
