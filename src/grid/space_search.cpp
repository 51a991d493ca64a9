// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Spaces: all agents anew, and free cells.
#include <algorithm>
#include <string>

#include "grid/space_kernel.h"
#include "grid/space_store.h"
#include "juxta/core/try.h"

namespace juxta {
namespace grid_detail {
namespace {

/// Nothing, or what is wrong with the lengths.
Result<void> check_columns(const GridSpaceOptions& options, std::span<const float> x,
                           std::span<const float> y, std::span<const float> z,
                           std::span<const std::uint8_t> kinds) {
  if (y.size() != x.size() || (z.size() != x.size() && (!z.empty() || options.grid.cells[2] != 1)) ||
      (options.kinds > 0 ? kinds.size() != x.size() : !kinds.empty())) {
    return fail(ErrorCode::kInvalidArgument,
                "x, y, z (empty in 2D) and kinds (empty if there are none) need a value for each row");
  }
  if (x.size() >= kNone) {
    return fail(ErrorCode::kTooLarge, "more than 2^32 - 2 rows");
  }
  return {};
}

/// The cell of each row; the first row that is in none, or their number.
std::uint32_t find_cells(const CellGrid& grid, std::span<const float> x, std::span<const float> y,
                         std::span<const float> z, std::uint32_t* cell) {
  const auto rows = static_cast<std::uint32_t>(x.size());
  const auto end_x = static_cast<float>(grid.cells[0]), end_y = static_cast<float>(grid.cells[1]),
             end_z = static_cast<float>(grid.cells[2]);
  for (std::uint32_t row = 0; row < rows; ++row) {
    const float at_z = z.empty() ? 0 : z[row];
    if (!(x[row] >= 0 && x[row] < end_x && y[row] >= 0 && y[row] < end_y && at_z >= 0 && at_z < end_z)) {
      return row;
    }
    cell[row] = grid.cell_at(static_cast<std::uint32_t>(x[row]), static_cast<std::uint32_t>(y[row]),
                             static_cast<std::uint32_t>(at_z));
  }
  return rows;
}

/// All at once, from the last row to the first.
void fill_cells_of_many(SpaceStore& store, std::uint32_t rows) {
  std::uint32_t* const first = store.first.data();
  std::uint32_t* const next = store.next.data();
  const std::uint32_t* const cell = store.cell.data();
  std::size_t taken = 0;
  for (std::uint32_t row = rows; row-- > 0;) {
    std::uint32_t& head = first[cell[row]];
    taken += head == kNone ? 1 : 0;
    next[row] = head;
    head = row;
  }
  store.free -= taken;
}

Result<void> check_kinds(const SpaceStore& store, std::span<const std::uint8_t> kinds) {
  for (std::uint32_t row = 0; row < kinds.size(); ++row) {
    if (kinds[row] >= store.options.kinds) {
      return fail(
          ErrorCode::kInvalidArgument,
          "row " + std::to_string(row) + " is of kind " + std::to_string(kinds[row]) + ", which is not there",
          row);
    }
  }
  return {};
}

/// One after the other; in cells for many the last row first, because the last one to enter is the first.
Result<void> fill_cells(SpaceStore& store, std::uint32_t rows, std::span<const std::uint8_t> kinds) {
  std::copy(kinds.begin(), kinds.end(), store.kind.data());
  for (std::uint32_t i = 0; i < rows; ++i) {
    const std::uint32_t row = store.many ? rows - 1 - i : i, to = store.cell[row];
    JUXTA_TRY(store.check_cell("rebuild with", row, to));
    store.enter(row, to);
    ++store.agents;
  }
  return {};
}

}  // namespace

/// As draw_free(), of cells for many.
std::uint32_t draw_free_of_many(const SpaceStore& store, const RandomKey& key, std::uint32_t id) {
  for (std::uint64_t round = 0; round < kDrawRounds; ++round) {
    for (const std::uint32_t word : random_block(key, round << 32 | id)) {
      if (const std::uint32_t cell = random_below(word, store.cells); store.first[cell] == kNone) {
        return cell;
      }
    }
  }
  return kAllTaken;
}

std::uint32_t choose_free(const std::uint32_t* first, std::size_t free, const RandomKey& key,
                          std::uint32_t id) noexcept {
  std::uint32_t left = random_below(random_u32(key, std::uint64_t{kDrawRounds} << 32 | id), free);
  std::uint32_t cell = 0;
  for (; first[cell] != kNone || left != 0; ++cell) {
    left -= first[cell] == kNone ? 1 : 0;
  }
  return cell;
}

}  // namespace grid_detail

using grid_detail::kNone;
using grid_detail::SpaceStore;

Result<void> GridSpace::rebuild(std::span<const float> x, std::span<const float> y, std::span<const float> z,
                                std::span<const std::uint8_t> kinds) {
  SpaceStore& store = *store_;
  store.clear();
  JUXTA_TRY(grid_detail::check_columns(store.options, x, y, z, kinds));
  JUXTA_TRY(grid_detail::check_kinds(store, kinds));
  const auto rows = static_cast<std::uint32_t>(x.size());
  store.make_room(rows);
  view_ = store.view();
  const std::uint32_t inside = grid_detail::find_cells(grid(), x, y, z, store.cell.data());
  if (inside < rows) {
    store.clear();
    return fail(ErrorCode::kInvalidArgument, "row " + std::to_string(inside) + " is in none of the cells",
                inside);
  }
  if (store.many && store.options.kinds == 0) {
    grid_detail::fill_cells_of_many(store, rows);
    store.agents = rows;
    return {};
  }
  auto filled = grid_detail::fill_cells(store, rows, kinds);
  if (!filled) {
    store.clear();
  }
  return filled;
}

Result<std::uint32_t> GridSpace::free_cell(const RandomKey& key, std::uint32_t id) const {
  const SpaceStore& store = *store_;
  if (store.free == 0) {
    return fail(ErrorCode::kNotFound, "no cell is free");
  }
  const std::uint32_t drawn = store.many ? grid_detail::draw_free_of_many(store, key, id)
                                         : grid_detail::draw_free(key, id, store.cells, store.taken.data());
  return drawn != grid_detail::kAllTaken ? drawn
                                         : grid_detail::choose_free(store.first.data(), store.free, key, id);
}

Result<std::uint32_t> GridSpace::move_to_free(std::uint32_t row, const RandomKey& key) {
  SpaceStore& store = *store_;
  if (store.quick && store.free > 0 && cell_of(row) != kNoCell) {
    store.task.free = store.free;
    return grid_detail::move_to_free(store.task, key, row);
  }
  JUXTA_TRY(store.check_row("move", row));
  auto cell = free_cell(key, row);
  if (cell) {
    store.leave(row);
    store.enter(row, *cell);
  }
  return cell;
}

Result<std::uint32_t> GridSpace::nearest_free(std::uint32_t cell) const {
  const SpaceStore& store = *store_;
  if (cell >= store.cells) {
    return fail(ErrorCode::kInvalidArgument, "there is no cell " + std::to_string(cell), cell);
  }
  if (store.free == 0) {
    return fail(ErrorCode::kNotFound, "no cell is free");
  }
  if (store.first[cell] == kNone) {
    return cell;
  }
  std::uint32_t found = kNone;
  for (std::uint32_t radius = 1; found == kNone; ++radius) {
    grid().visit_ring(cell, radius, [&](std::uint32_t other) {
      found = found == kNone && store.first[other] == kNone ? other : found;
    });
  }
  return found;
}

}  // namespace juxta
