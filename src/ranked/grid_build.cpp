// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The counting grid: how many points lie below and left of each cell corner: a summed-area table
// (F. Crow, 1984).
//
//   points   | part 0 | part 1 | ...     each part counts in cells of its own
//   counts   | cells  | cells  | ...     summed over the parts, along rows, then along columns
//
// Cost: one increment per point, in cache (4 MiB at 10M points), then two sweeps of prefix sums. On an
// executor eight parts count, whatever its number of threads: more would spend more time on their cells than
// on points.

#include <algorithm>
#include <bit>

#include "ranked/ranked_file.h"
#include "ranked/store.h"

namespace juxta::ranked_detail {
namespace {

constexpr std::size_t kParts = 8;
constexpr std::size_t kLinesOfTask = 32;  // a row of cells is as long as a column

void count_in_cells(std::span<const std::uint16_t> qx, std::span<const std::uint16_t> qy, std::uint32_t bits,
                    std::span<std::uint32_t> counts) noexcept {
  std::ranges::fill(counts, 0U);
  for (std::size_t p = 0; p < qx.size(); ++p) {
    ++counts[(std::size_t{qy[p]} >> (16 - bits) << bits) + (std::size_t{qx[p]} >> (16 - bits))];
  }
}

}  // namespace

// About ten points per cell: then the four strips between a rectangle and its whole cells are as thin as
// blocks.
std::uint32_t grid_bits(std::size_t points) noexcept {
  return static_cast<std::uint32_t>(std::clamp(static_cast<int>(std::bit_width(points)) - 3, 4, 24)) / 2;
}

GridView build_grid(Array<std::uint32_t>& store, std::span<const std::uint16_t> qx,
                    std::span<const std::uint16_t> qy, const BuildContext& context) {
  const Workspace::Scope scope(context.workspace);
  const Executor& executor = context.executor;
  GridView grid;
  grid.bits = grid_bits(qx.size());
  const std::size_t side = grid.side(), row = side + 1, cells = side * side;
  const std::size_t parts = &executor == &serial_executor() ? 1 : kParts;
  const std::size_t grain = (qx.size() + parts - 1) / parts;
  const std::span<std::uint32_t> counts = context.workspace.take<std::uint32_t>(parts * cells);
  std::ranges::fill(counts.subspan((qx.size() + grain - 1) / grain * cells), 0U);  // parts without points
  executor.parallel_for(qx.size(), grain, [&](std::size_t first, std::size_t last) {
    count_in_cells(qx.subspan(first, last - first), qy.subspan(first, last - first), grid.bits,
                   counts.subspan(first / grain * cells, cells));
  });
  store.resize_discard(row * row);
  std::uint32_t* const sums = store.data();
  std::fill_n(sums, row, 0U);
  executor.parallel_for(side, kLinesOfTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t j = first; j < last; ++j) {
      std::uint32_t* const line = sums + (j + 1) * row;
      line[0] = 0;
      for (std::size_t i = 0; i < side; ++i) {
        line[i + 1] = line[i];
        for (std::size_t cell = j * side + i; cell < counts.size(); cell += cells) {
          line[i + 1] += counts[cell];
        }
      }
    }
  });
  executor.parallel_for(side, kLinesOfTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t j = 2; j <= side; ++j) {
      for (std::size_t i = first + 1; i <= last; ++i) {
        sums[j * row + i] += sums[(j - 1) * row + i];
      }
    }
  });
  grid.sums = sums;
  return grid;
}

}  // namespace juxta::ranked_detail
