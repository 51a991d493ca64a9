// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/hashed_rows.h"

#include <bit>
#include <cmath>

#include "agents/directory_runs.h"
#include "agents/rows_reached.h"

namespace juxta::agents_detail {
namespace {

constexpr std::uint32_t kFree = ~std::uint32_t{0};

/// Cells and rows that begin in a range of agents.
struct Begins {
  std::uint32_t cells = 0, rows = 0;
};

}  // namespace

CellIntervals WideAxis::touched(float lo, float hi) const noexcept {
  const auto n = static_cast<double>(cells);
  const double a = (lo - origin) * inverse, b = (hi - origin) * inverse;
  if (!periodic || (a >= 0 && b < n)) {
    return {{CellInterval{cell(lo), cell(hi), 0}}, 1};
  }
  // More than a round, or so far outside as only seers that are not sorted stand.
  if (!(a >= -n && b < 2 * n && std::floor(b) - std::floor(a) + 1 < n)) {
    return {{CellInterval{0, cells - 1, 0}}, 1, true};
  }
  const auto first = static_cast<std::int64_t>(std::floor(a)),
             last = static_cast<std::int64_t>(std::floor(b));
  const auto round = static_cast<std::int32_t>(cells);
  const auto at = [](std::int64_t c) { return static_cast<std::uint32_t>(c); };
  if (first < 0 && last >= 0) {
    return {{CellInterval{0, at(last), 0}, CellInterval{at(first + round), cells - 1, -round}}, 2};
  }
  if (first < round && last >= round) {
    return {{CellInterval{0, at(last - round), round}, CellInterval{at(first), cells - 1, 0}}, 2};
  }
  const std::int32_t shift = first < 0 ? -round : round;
  return {{CellInterval{at(first - shift), at(last - shift), shift}}, 1};
}

std::uint32_t HashedRows::find(std::uint32_t y, std::uint32_t z) const noexcept {
  const std::uint64_t row = std::uint64_t{z} << bits | y;
  for (std::size_t at = slot_of(row);; at = (at + 1) & (slots.size() - 1)) {
    if (slots[at] == kFree) {
      return rows;
    }
    if (row_key[slots[at]] == row) {
      return slots[at];
    }
  }
}

void HashedRows::fill(std::span<const std::uint64_t> keys, Array<std::uint32_t>& begins, Workspace& scratch,
                      const Executor& executor) {
  const Workspace::Scope scope(scratch);
  const std::size_t tasks = (keys.size() + kManyRows - 1) / kManyRows;
  const std::span<Begins> before = scratch.take<Begins>(tasks);
  const auto begins_cell = [&](std::size_t i) { return i == 0 || keys[i] != keys[i - 1]; };
  const auto begins_row = [&](std::size_t i) { return i == 0 || keys[i] >> bits != keys[i - 1] >> bits; };
  executor.parallel_for(keys.size(), kManyRows, [&](std::size_t first, std::size_t last) {
    Begins here;
    for (std::size_t i = first; i < last; ++i) {
      here.cells += begins_cell(i);
      here.rows += begins_row(i);
    }
    before[first / kManyRows] = here;
  });
  Begins all;
  for (Begins& task : before) {
    const Begins here = task;
    task = all;
    all = {all.cells + here.cells, all.rows + here.rows};
  }
  cell_x.resize_discard(all.cells);
  begins.resize_discard(std::size_t{all.cells} + 1);
  row_key.resize_discard(all.rows);
  row_cell.resize_discard(std::size_t{all.rows} + 1);
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  executor.parallel_for(keys.size(), kManyRows, [&](std::size_t first, std::size_t last) {
    Begins at = before[first / kManyRows];
    for (std::size_t i = first; i < last; ++i) {
      if (begins_row(i)) {
        row_key[at.rows] = keys[i] >> bits;
        row_cell[at.rows++] = at.cells;
      }
      if (begins_cell(i)) {
        cell_x[at.cells] = static_cast<std::uint32_t>(keys[i] & mask);
        begins[at.cells++] = static_cast<std::uint32_t>(i);
      }
    }
  });
  begins[all.cells] = static_cast<std::uint32_t>(keys.size());
  row_cell[all.rows] = all.cells;
  rows = all.rows;
  fill_slots();
}

void HashedRows::fill_slots() {
  slots.resize_discard(std::bit_ceil(std::max<std::size_t>(16, std::size_t{2} * rows)));
  std::fill(slots.begin(), slots.end(), kFree);
  for (std::uint32_t row = 0; row < rows; ++row) {
    std::size_t at = slot_of(row_key[row]);
    while (slots[at] != kFree) {
      at = (at + 1) & (slots.size() - 1);
    }
    slots[at] = row;
  }
}

void for_each_run_of_hashed(const Directory& directory, const Bounds& box, const Reach& reach,
                            FunctionRef<void(Run run)> visit) {
  const HashedRows& hashed = directory.hashed;
  const RowsReached ys(hashed.axis[1], box.lo[1], box.hi[1], reach, reach.on[1]);
  const RowsReached zs(hashed.axis[2], box.lo[2], box.hi[2], reach, reach.on[2]);
  const auto visit_row = [&](std::uint32_t row, float gap_y, float gap_z) {
    const float width = reach.width(gap_y, gap_z);
    if (width < 0) {
      return;
    }
    const std::uint32_t* const x = hashed.cell_x.data();
    const std::uint32_t *begin = x + hashed.row_cell[row], *const end = x + hashed.row_cell[row + 1];
    const CellIntervals xs = hashed.axis[0].touched(box.lo[0] - width, box.hi[0] + width);
    for (std::uint32_t k = 0; k < xs.count; ++k) {
      const auto* const first = std::lower_bound(begin, end, xs.interval[k].first);
      begin = std::upper_bound(first, end, xs.interval[k].last);
      visit(Run{directory.begins[static_cast<std::size_t>(first - x)],
                directory.begins[static_cast<std::size_t>(begin - x)]});
    }
  };
  if (ys.count() * zs.count() > hashed.rows) {
    const std::uint64_t mask = (std::uint64_t{1} << hashed.bits) - 1;
    for (std::uint32_t row = 0; row < hashed.rows; ++row) {
      const auto y = static_cast<std::uint32_t>(hashed.row_key[row] & mask),
                 z = static_cast<std::uint32_t>(hashed.row_key[row] >> hashed.bits);
      zs.if_reached(z, [&](std::uint32_t, float gap_z) {
        ys.if_reached(y, [&](std::uint32_t, float gap_y) { visit_row(row, gap_y, gap_z); });
      });
    }
    return;
  }
  zs.for_each([&](std::uint32_t z, float gap_z) {
    ys.for_each([&](std::uint32_t y, float gap_y) {
      if (const std::uint32_t row = hashed.find(y, z); row < hashed.rows) {
        visit_row(row, gap_y, gap_z);
      }
    });
  });
}

}  // namespace juxta::agents_detail
