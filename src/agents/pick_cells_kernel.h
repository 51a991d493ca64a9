// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: which rows are in some of the cells.
#pragma once

#include <cstddef>
#include <cstdint>

namespace juxta::agents_detail {

/// Cells [first, first + count).
struct CellSpan {
  std::uint32_t first, count;
};

/// Of the rows [first, last), those whose cell is wanted, ascending: their numbers, and their cells counted
/// from the first one that is wanted. How many. Sixteen numbers may be read behind the last cell, and written
/// behind the last row. Undefined below SSE4.2 (see active_isa()).
std::size_t pick_cells(const std::uint32_t* cells, std::uint32_t first, std::uint32_t last, CellSpan wanted,
                       std::uint32_t* rows, std::uint32_t* row_cells) noexcept;
/// The same, one row after the other.
std::size_t pick_cells_reference(const std::uint32_t* cells, std::uint32_t first, std::uint32_t last,
                                 CellSpan wanted, std::uint32_t* rows, std::uint32_t* row_cells) noexcept;

}  // namespace juxta::agents_detail
