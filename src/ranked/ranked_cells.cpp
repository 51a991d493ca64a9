// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// RankedPoints::count_cells.

#include <cmath>
#include <string>

#include "juxta/core/isa.h"
#include "juxta/core/try.h"
#include "ranked/cells_kernel.h"

namespace juxta {

Result<QueryResult> RankedPoints::count_cells(const RectD& rect, std::size_t columns, std::size_t rows,
                                              std::span<std::uint32_t> counts, const Context& context) const {
  using ranked_detail::kMostCells;
  if (columns == 0 || rows == 0 || columns > kMostCells || rows > kMostCells) {
    return fail(ErrorCode::kInvalidArgument, std::to_string(columns) + " x " + std::to_string(rows) +
                                                 " cells: give 1 to " + std::to_string(kMostCells) +
                                                 " columns and rows");
  }
  if (counts.size() < columns * rows) {
    return fail(ErrorCode::kInvalidArgument, "counts has " + std::to_string(counts.size()) +
                                                 " elements, but " + std::to_string(columns) + " x " +
                                                 std::to_string(rows) + " cells need " +
                                                 std::to_string(columns * rows) + ": enlarge it");
  }
  const ranked_detail::CellGrid grid = {
      rect, columns, rows, {rect.lx, rect.hx, columns}, {rect.ly, rect.hy, rows}};
  if (!(std::isfinite(grid.x.step) && std::isfinite(grid.y.step) && grid.x.step > 0 && grid.y.step > 0)) {
    return fail(ErrorCode::kInvalidArgument,
                "the rectangle has no cells: give finite edges, with lx < hx and ly < hy");
  }
  JUXTA_TRY(active_isa());
  Workspace own(store_->resource);
  const ranked_detail::BuildContext call{executor_or_serial(context.executor),
                                         context.workspace != nullptr ? *context.workspace : own};
  return ranked_detail::count_cells(store_->view, grid, counts.first(columns * rows), call);
}

}  // namespace juxta
