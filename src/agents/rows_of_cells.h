// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the runs of a table of rows of cells. A template, so that a kernel pays no call for a run.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "agents/directory.h"
#include "agents/rows_reached.h"

namespace juxta::agents_detail {

/// visit_runs_of_rows() for the common case, in two plain loops: the box and its reach cross no periodic edge
/// and touch at most 32 rows along y. Some runs may be empty. Returns false, and visits nothing, in other
/// cases and where the directory does not have all rows (Directory::places).
template <class Visit>
bool visit_runs_inside(const Directory& directory, const Bounds& box, const Reach& reach, Visit&& visit) {
  const std::array<GridAxis, 3>& axis = directory.grid.axis;
  if (directory.places != nullptr) {
    return false;
  }
  std::array<std::uint32_t, 3> lo, hi;
  for (std::uint32_t a = 0; a < 3; ++a) {
    if (axis[a].wraps(box.lo[a] - reach.on[a], box.hi[a] + reach.on[a])) {
      return false;
    }
    lo[a] = axis[a].cell(box.lo[a] - reach.on[a]);
    hi[a] = axis[a].cell(box.hi[a] + reach.on[a]);
  }
  const auto gap2 = [&](std::uint32_t a, std::uint32_t cell) {
    const float gap = axis[a].gap(static_cast<float>(static_cast<std::int32_t>(cell)), box.lo[a], box.hi[a]);
    const float sure = std::max(gap - reach.slack, 0.0F);
    return sure * sure;
  };
  const std::uint32_t last_y = hi[1] - lo[1];
  std::array<float, 32> gap2_y;
  if (last_y >= gap2_y.size()) {
    return false;
  }
  for (std::uint32_t k = 0; k <= last_y; ++k) {
    gap2_y[k] = gap2(1, lo[1] + k);
  }
  const GridAxis x = axis[0];
  for (std::uint32_t z = lo[2]; z <= hi[2]; ++z) {
    const float gap2_z = gap2(2, z);
    const bool back = directory.turned(z);
    const std::uint32_t first_row = directory.row_number(back ? hi[1] : lo[1], z);
    for (std::uint32_t k = 0; k <= last_y; ++k) {
      const float left = reach.on[0] * reach.on[0] - (gap2_y[back ? last_y - k : k] + gap2_z);
      const float width = reach.round ? std::sqrt(std::max(left, 0.0F)) + reach.slack : reach.on[0];
      Run run = directory.run_of_row(first_row + k, x.cell(box.lo[0] - width), x.cell(box.hi[0] + width));
      run.last = reach.round && left < 0 ? run.first : run.last;
      visit(run);
    }
  }
  return true;
}

/// Runs of whole cells.
template <class Visit>
void visit_runs_of_cells(const Directory& directory, const Bounds& box, const Reach& reach, Visit&& visit) {
  if (visit_runs_inside(directory, box, reach, visit)) {
    return;
  }
  const std::array<GridAxis, 3>& axis = directory.grid.axis;
  const RowsReached ys(axis[1], box.lo[1], box.hi[1], reach, reach.on[1]);
  const RowsReached zs(axis[2], box.lo[2], box.hi[2], reach, reach.on[2]);
  zs.for_each([&](std::uint32_t cz, float gap_z) {
    const auto visit_row = [&](std::uint32_t cy, float gap_y) {
      const float width = reach.width(gap_y, gap_z);
      if (width < 0) {
        return;
      }
      const std::uint32_t row = directory.row_number(cy, cz);
      const CellIntervals xs = axis[0].touched(box.lo[0] - width, box.hi[0] + width);
      const bool turned = directory.turned(row);
      for (std::uint32_t k = 0; k < xs.count; ++k) {
        const CellInterval& interval = xs.interval[turned ? xs.count - 1 - k : k];
        visit(directory.run_of_row(row, interval.first, interval.last));
      }
    };
    if (directory.turned(cz)) {
      ys.for_each_down(visit_row);
    } else {
      ys.for_each(visit_row);
    }
  });
}

/// for_each_run() where the arrangement is kRows. Some runs may be empty.
template <class Visit>
void visit_runs_of_rows(const Directory& directory, const Bounds& box, const Reach& reach, Visit&& visit) {
  if (directory.boxes.empty()) {
    return visit_runs_of_cells(directory, box, reach, visit);
  }
  RowBoxes::Look look{box, reach};
  if (wraps(directory, box, reach)) {
    for (std::uint32_t a = 0; a < directory.grid.dimensions; ++a) {
      look.period[a] = directory.grid.axis[a].period();
    }
  }
  visit_runs_of_cells(directory, box, reach, [&](Run run) {
    if (run.last - run.first <= RowBoxes::kShort) {
      visit(run);
    } else {
      directory.boxes.visit_near(run, look, visit);
    }
  });
}

}  // namespace juxta::agents_detail
