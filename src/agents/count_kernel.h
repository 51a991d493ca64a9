// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: how many of those that are filed in cells are near each seer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace juxta::agents_detail {

/// Rows whose number is in [least, most]. Null: all rows.
struct RowsWhere {
  const float* column;  // padded by kArrayPadding
  float least, most;

  [[nodiscard]] bool has(std::size_t row) const noexcept {
    return column == nullptr || (column[row] >= least && column[row] <= most);
  }
};

/// One axis of the cells: number 0 begins at the origin. What is outside belongs to the cell at that end.
struct CountAxis {
  float origin, inverse;  // cells a unit
  std::int32_t cells;

  /// Never falls as x rises; NaN is in cell 0.
  [[nodiscard]] std::int32_t cell(float x) const noexcept {
    const float at = (x - origin) * inverse, last = static_cast<float>(cells - 1);
    return static_cast<std::int32_t>(at > 0 ? (at < last ? at : last) : 0);
  }
};

struct CountTask {
  std::uint32_t dimensions;
  std::array<CountAxis, 3> axes;      // cells of x follow each other, then rows, then layers
  std::array<const float*, 3> seer;   // positions, padded by kArrayPadding
  std::array<const float*, 3> filed;  // positions in the order of cells, padded
  const std::uint32_t* begins;        // of cells, and of the end
  const std::uint8_t* near;  // a byte for each cell, padded: not 0 if somebody is filed in or beside it
  float reach;               // the least width of a cell: a little more than the radius
  float radius2;
  RowsWhere seers, seen;
  bool same;  // the two populations are one: a seer that is seen is filed too
  float* into;
};

/// Fills into[first, last), first a multiple of 64; `rows` has room for as many, padded.
void count_rows(const CountTask& task, std::size_t first, std::size_t last, std::uint32_t* rows) noexcept;
/// The rows of [0, count) that `where` has, ascending, to `rows`, which is padded; how many.
[[nodiscard]] std::size_t select_rows(const RowsWhere& where, std::size_t count,
                                      std::uint32_t* rows) noexcept;

}  // namespace juxta::agents_detail
