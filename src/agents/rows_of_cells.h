// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the runs of a table of rows of cells. A template, so that a kernel pays no call for a run.
#pragma once

#include "agents/directory.h"
#include "agents/rows_reached.h"

namespace juxta::agents_detail {

/// for_each_run() where the arrangement is kRows.
template <class Visit>
void visit_runs_of_rows(const Directory& directory, const Bounds& box, const Reach& reach, Visit&& visit) {
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

}  // namespace juxta::agents_detail
