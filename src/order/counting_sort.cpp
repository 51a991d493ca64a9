// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/order/counting_sort.h"

#include <algorithm>
#include <string>

#include "juxta/order/radix_sort.h"
#include "order/first_out_of_range.h"

namespace juxta {
namespace {

constexpr std::size_t kMostElements = 0xFFFF'FFFEU;
constexpr std::size_t kChunk = std::size_t{1} << 17;
// One line of the second cache for each cell that is being filled, in every thread.
constexpr std::size_t kMostCellsAtOnce = 2048;

//   counters  chunk 0 | c0 c1 c2 ...      summed down each cell, then on to the next cell:
//             chunk 1 | c0 c1 c2 ...      the place of a chunk's first element of that cell
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
  std::uint32_t sum = 0;
  for (std::size_t cell = 0; cell < cell_count; ++cell) {
    offsets[cell] = sum;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      std::uint32_t& counter = counters[chunk * cell_count + cell];
      const std::uint32_t count = counter;
      counter = sum;
      sum += count;
    }
  }
  offsets[cell_count] = sum;
  executor.parallel_for(cells.size(), kChunk, [&](std::size_t first, std::size_t last) {
    const std::span<std::uint32_t> next = counters.subspan(first / kChunk * cell_count, cell_count);
    for (std::size_t i = first; i < last; ++i) {
      order[next[cells[i]]++] = static_cast<std::uint32_t>(i);
    }
  });
}

Result<void> sort_many_cells(std::span<const std::uint32_t> cells, std::span<std::uint32_t> offsets,
                             std::span<std::uint32_t> order, Workspace& workspace, const Executor& executor) {
  const Workspace::Scope scope(workspace);
  const std::size_t n = cells.size();
  const std::span<std::uint32_t> keys = workspace.take<std::uint32_t>(n);
  executor.parallel_for(n, kChunk, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      keys[i] = cells[i];
      order[i] = static_cast<std::uint32_t>(i);
    }
  });
  if (Result<void> sorted = sort_pairs(keys, order, workspace, &executor); !sorted) {
    return sorted;
  }
  // offsets[c] is the first place whose cell is c or more: each place fills the cells it begins.
  executor.parallel_for(n, kChunk, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t begin = i == 0 ? 0 : std::size_t{keys[i - 1]} + 1;
      for (std::size_t cell = begin; cell <= keys[i]; ++cell) {
        offsets[cell] = static_cast<std::uint32_t>(i);
      }
    }
  });
  for (std::size_t cell = std::size_t{keys[n - 1]} + 1; cell < offsets.size(); ++cell) {
    offsets[cell] = static_cast<std::uint32_t>(n);
  }
  return {};
}

}  // namespace

Result<void> counting_sort(std::span<const std::uint32_t> cells, std::uint32_t cell_count,
                           std::span<std::uint32_t> offsets, std::span<std::uint32_t> order,
                           Workspace& workspace, const Executor* executor) {
  const std::size_t n = cells.size();
  if (n > kMostElements) {
    return fail(ErrorCode::kTooLarge, "at most 2^32 - 2 elements can be sorted at once", kMostElements);
  }
  if (order.size() != n || offsets.size() != std::size_t{cell_count} + 1) {
    return fail(ErrorCode::kInvalidArgument,
                "for " + std::to_string(n) + " elements in " + std::to_string(cell_count) +
                    " cells give an order of as many elements and one offset more than cells");
  }
  const Executor& runner = executor_or_serial(executor);
  if (n == 0) {
    std::fill(offsets.begin(), offsets.end(), 0U);
    return {};
  }
  if (const std::size_t bad = detail::first_out_of_range(cells, cell_count, runner); bad != n) {
    return fail(ErrorCode::kInvalidArgument,
                "an element is in cell " + std::to_string(cells[bad]) + ", but there are only " +
                    std::to_string(cell_count) + " cells",
                bad);
  }
  if (n <= kChunk || cell_count <= kMostCellsAtOnce) {
    distribute(cells, offsets, order, workspace, runner);
    return {};
  }
  return sort_many_cells(cells, offsets, order, workspace, runner);
}

}  // namespace juxta
