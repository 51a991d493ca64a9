// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: rows of cells of a world that is too wide for a table of all.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "agents/grid.h"
#include "juxta/core/array.h"
#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/workspace.h"

namespace juxta::agents_detail {

/// GridAxis in double: up to 2^30 cells, between any two floats.
struct WideAxis {
  using Real = double;
  double origin = 0;
  double inverse = 0;  // cells a unit
  double width = 0;    // of a cell
  std::uint32_t cells = 1;
  bool periodic = false;

  /// Never falls as x rises.
  [[nodiscard]] std::uint32_t cell(double x) const noexcept {
    const double c = (x - origin) * inverse;
    return static_cast<std::uint32_t>(std::min(c > 0 ? c : 0, static_cast<double>(cells) - 1));
  }
  [[nodiscard]] float gap(double c, float lo, float hi) const noexcept {
    const double begin = origin + c * width;
    return cells == 1 && !periodic ? 0 : static_cast<float>(std::max(begin - hi, lo - (begin + width)));
  }
  [[nodiscard]] CellIntervals touched(float lo, float hi) const noexcept;
};

/// Only cells and rows of cells that hold agents. Rows ascend by (z, y), the cells of a row by x; where a
/// cell's agents begin stands in Directory::begins.
///
///   slots     . . 2 . . 0 . 1 .        by a hash of (z, y)
///   row_key       (0,3) (0,4) (7,0)
///   row_cell      0     2     5     6  its first cell
///   cell_x        4 9   4 5 6 1
struct HashedRows {
  explicit HashedRows(std::pmr::memory_resource* resource) noexcept
      : cell_x(resource), row_key(resource), row_cell(resource), slots(resource) {}

  std::array<WideAxis, 3> axis;
  std::uint32_t bits = 30;  // of a coordinate in a key
  Array<std::uint32_t> cell_x;
  Array<std::uint64_t> row_key;
  Array<std::uint32_t> row_cell;
  Array<std::uint32_t> slots;  // rows; a power of two of them, at most half of them taken
  std::uint32_t rows = 0;

  [[nodiscard]] std::uint64_t key(std::uint32_t x, std::uint32_t y, std::uint32_t z) const noexcept {
    return (std::uint64_t{z} << bits | y) << bits | x;
  }
  /// The number of a row, or `rows`.
  [[nodiscard]] std::uint32_t find(std::uint32_t y, std::uint32_t z) const noexcept;
  /// From the keys of all agents, ascending.
  void fill(std::span<const std::uint64_t> keys, Array<std::uint32_t>& begins, Workspace& scratch,
            const Executor& executor);

 private:
  [[nodiscard]] std::size_t slot_of(std::uint64_t row) const noexcept {
    return static_cast<std::size_t>((row * 0x9E37'79B9'7F4A'7C15U) >> 32) & (slots.size() - 1);
  }
  void fill_slots();
};

}  // namespace juxta::agents_detail
