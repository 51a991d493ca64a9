// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: counts per cell of a grid over a rectangle.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/query_result.h"
#include "juxta/math/rect.h"
#include "ranked/ranked_view.h"
#include "ranked/store.h"

namespace juxta::ranked_detail {

/// [low, high] in `count` equal cells. Cell i begins at i * step + low, rounded twice, as numpy.linspace has
/// it; the last one ends with `high`.
struct CellEdges {
  CellEdges(double lo, double hi, std::size_t cells) noexcept
      : low(lo),
        high(hi),
        step((hi - lo) / static_cast<double>(cells)),
        last(static_cast<double>(cells - 1)) {}

  [[nodiscard]] double begin(double cell) const noexcept { return cell * step + low; }
  /// The last cell that begins at or below `value`, which is in [low, high]. Never falls while the value
  /// rises.
  [[nodiscard]] std::uint32_t cell_of(double value) const noexcept {
    double cell = std::clamp(static_cast<double>(static_cast<std::int64_t>((value - low) / step)), 0.0, last);
    while (cell > 0 && begin(cell) > value) {
      --cell;
    }
    while (cell < last && begin(cell + 1) <= value) {
      ++cell;
    }
    return static_cast<std::uint32_t>(cell);
  }

  double low, high, step, last;
};

struct CellGrid {
  RectD rect;  // finite, with a positive size
  std::size_t columns, rows;
  CellEdges x, y;
};

inline constexpr std::size_t kMostCells = 0xFFFF;  // of an axis

/// Writes how many points are in each cell, row by row; `counts` has columns * rows places. `found` is their
/// sum.
QueryResult count_cells(const RankedView& view, const CellGrid& grid, std::span<std::uint32_t> counts,
                        const BuildContext& context);

/// The same in plain C++, by looking at every point.
QueryResult count_cells_reference(const RankedView& view, const CellGrid& grid,
                                  std::span<std::uint32_t> counts) noexcept;

}  // namespace juxta::ranked_detail
