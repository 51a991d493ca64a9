// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/order/counting_sort.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/call_workspace.h"
#include "order/first_out_of_range.h"
#include "order/sort_cells.h"

namespace juxta {
namespace {

constexpr std::size_t kMostElements = 0xFFFF'FFFEU;
constexpr std::size_t kChunk = std::size_t{1} << 15;
// One line of the second cache for each cell that is being filled, in every thread.
constexpr std::size_t kMostCellsAtOnce = 2048;
// Counters of 4 MB: with more of them, elements in a random order wait for memory.
constexpr std::size_t kMostCellsOnOneThread = std::size_t{1} << 20;

//   counters  chunk 0 | c0 c1 c2 ...      summed down each cell, then on to the next cell:
//             chunk 1 | c0 c1 c2 ...      the place of a chunk's first element of that cell
void add_up(std::span<std::uint32_t> counters, std::span<std::uint32_t> offsets) noexcept {
  std::uint32_t sum = 0;
  const std::size_t cell_count = offsets.size() - 1;
  for (std::size_t cell = 0; cell < cell_count; ++cell) {
    offsets[cell] = sum;
    for (std::size_t at = cell; at < counters.size(); at += cell_count) {
      sum += std::exchange(counters[at], sum);
    }
  }
  offsets[cell_count] = sum;
}

void distribute(std::span<const std::uint32_t> cells, std::span<std::uint32_t> offsets,
                std::span<std::uint32_t> order, Workspace& workspace, const Executor& executor) {
  const std::size_t cell_count = offsets.size() - 1;
  const std::size_t chunks = (cells.size() + kChunk - 1) / kChunk;
  const Workspace::Scope scope(workspace);
  const std::span<std::uint32_t> counters = workspace.take<std::uint32_t>(chunks * cell_count);
  executor.parallel_for(cells.size(), kChunk, [&](std::size_t first, std::size_t last) {
    const std::span<std::uint32_t> counter = counters.subspan(first / kChunk * cell_count, cell_count);
    std::fill(counter.begin(), counter.end(), 0U);
    for (std::size_t i = first; i < last; ++i) {
      ++counter[cells[i]];
    }
  });
  add_up(counters, offsets);
  executor.parallel_for(cells.size(), kChunk, [&](std::size_t first, std::size_t last) {
    const std::span<std::uint32_t> next = counters.subspan(first / kChunk * cell_count, cell_count);
    for (std::size_t i = first; i < last; ++i) {
      order[next[cells[i]]++] = static_cast<std::uint32_t>(i);
    }
  });
}

// Too many cells to keep a line of each at hand: first by bands of consecutive cells, then each band by
// itself.
//
//   elements   chunk 0 | chunk 1 | ...          cells are near their last ones in most uses, so that the
//   by bands   band 0 | band 1 | ...            elements of a chunk go to a few bands: streams of memory
//   by cells   0 | 1 | 2 ... | kBandCells ...   the counters of one band stay in the first cache
constexpr std::uint32_t kBandBits = 11;
constexpr std::uint32_t kBandCells = std::uint32_t{1} << kBandBits;

struct Element {
  std::uint32_t cell, index;
};

/// Elements by bands, stably; begins[b] is the place of band b's first one.
void to_bands(std::span<const std::uint32_t> cells, std::span<std::uint32_t> begins,
              std::span<Element> banded, Workspace& workspace, const Executor& executor) {
  const std::size_t bands = begins.size() - 1;
  const Workspace::Scope scope(workspace);
  const std::span<std::uint32_t> counters =
      workspace.take<std::uint32_t>((cells.size() / kChunk + 1) * bands);
  executor.parallel_for(cells.size(), kChunk, [&](std::size_t first, std::size_t last) {
    const std::span<std::uint32_t> counter = counters.subspan(first / kChunk * bands, bands);
    std::fill(counter.begin(), counter.end(), 0U);
    for (std::size_t i = first; i < last; ++i) {
      ++counter[cells[i] >> kBandBits];
    }
  });
  add_up(counters.first((cells.size() + kChunk - 1) / kChunk * bands), begins);
  executor.parallel_for(cells.size(), kChunk, [&](std::size_t first, std::size_t last) {
    const std::span<std::uint32_t> next = counters.subspan(first / kChunk * bands, bands);
    for (std::size_t i = first; i < last; ++i) {
      banded[next[cells[i] >> kBandBits]++] = {cells[i], static_cast<std::uint32_t>(i)};
    }
  });
}

/// The elements of one band by cells; `offsets` are those of its cells, `begin` its first place in `order`.
void sort_band(std::span<const Element> band, std::uint32_t first_cell, std::uint32_t begin,
               std::span<std::uint32_t> offsets, std::span<std::uint32_t> order) noexcept {
  std::array<std::uint32_t, kBandCells> next{};
  for (const Element& element : band) {
    ++next[element.cell - first_cell];
  }
  for (std::size_t cell = 0; cell < offsets.size(); ++cell) {
    offsets[cell] = begin;
    begin += std::exchange(next[cell], begin);
  }
  for (const Element& element : band) {
    order[next[element.cell - first_cell]++] = element.index;
  }
}

void sort_many_cells(std::span<const std::uint32_t> cells, std::span<std::uint32_t> offsets,
                     std::span<std::uint32_t> order, Workspace& workspace, const Executor& executor) {
  const Workspace::Scope scope(workspace);
  const std::size_t cell_count = offsets.size() - 1;
  const std::size_t bands = (cell_count + kBandCells - 1) / kBandCells;
  const std::span<std::uint32_t> begins = workspace.take<std::uint32_t>(bands + 1);
  const std::span<Element> banded = workspace.take<Element>(cells.size());
  to_bands(cells, begins, banded, workspace, executor);
  executor.parallel_for(bands, 1, [&](std::size_t first, std::size_t) {
    const std::size_t first_cell = first * kBandCells;
    sort_band(banded.subspan(begins[first], begins[first + 1] - begins[first]),
              static_cast<std::uint32_t>(first_cell), begins[first],
              offsets.subspan(first_cell, std::min<std::size_t>(kBandCells, cell_count - first_cell)), order);
  });
  offsets[cell_count] = static_cast<std::uint32_t>(cells.size());
}

// In one go, on one thread. Elements that follow each other are in near cells in most uses, so that the
// counters at hand are in the first cache; where they are not, all counters are in the second or third one.
//
//   offsets   how many | begins | ends, after the last element went to its place | moved up by one: begins
void sort_at_once(std::span<const std::uint32_t> cells, std::span<std::uint32_t> offsets,
                  std::span<std::uint32_t> order) noexcept {
  std::fill(offsets.begin(), offsets.end(), 0U);
  for (const std::uint32_t cell : cells) {
    ++offsets[cell];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& offset : offsets) {
    sum += std::exchange(offset, sum);
  }
  for (std::size_t i = 0; i < cells.size(); ++i) {
    order[offsets[cells[i]]++] = static_cast<std::uint32_t>(i);
  }
  std::copy_backward(offsets.begin(), offsets.end() - 1, offsets.end());
  offsets[0] = 0;
}

}  // namespace

void order_detail::sort_cells(std::span<const std::uint32_t> cells, std::span<std::uint32_t> offsets,
                              std::span<std::uint32_t> order, Workspace& workspace,
                              const Executor& executor) {
  const std::size_t cell_count = offsets.size() - 1;
  if (cells.size() <= kChunk || (&executor == &serial_executor() && cell_count <= kMostCellsOnOneThread)) {
    sort_at_once(cells, offsets, order);
  } else if (cell_count <= kMostCellsAtOnce) {
    distribute(cells, offsets, order, workspace, executor);
  } else {
    sort_many_cells(cells, offsets, order, workspace, executor);
  }
}

Result<void> counting_sort(std::span<const std::uint32_t> cells, std::uint32_t cell_count,
                           std::span<std::uint32_t> offsets, std::span<std::uint32_t> order,
                           const Context& context) {
  const std::size_t n = cells.size();
  if (n > kMostElements) {
    return fail(ErrorCode::kTooLarge, "at most 2^32 - 2 elements can be sorted at once", kMostElements);
  }
  if (order.size() != n || offsets.size() != std::size_t{cell_count} + 1) {
    return fail(ErrorCode::kInvalidArgument,
                "for " + std::to_string(n) + " elements in " + std::to_string(cell_count) +
                    " cells give an order of as many elements and one offset more than cells");
  }
  const Executor& runner = executor_or_serial(context.executor);
  if (n == 0) {
    std::fill(offsets.begin(), offsets.end(), 0U);
    return {};
  }
  if (const std::size_t bad = order_detail::first_out_of_range(cells, cell_count, runner); bad != n) {
    return fail(ErrorCode::kInvalidArgument,
                "an element is in cell " + std::to_string(cells[bad]) + ", but there are only " +
                    std::to_string(cell_count) + " cells",
                bad);
  }
  const CallWorkspace call(context);
  order_detail::sort_cells(cells, offsets, order, *call, runner);
  return {};
}

}  // namespace juxta
