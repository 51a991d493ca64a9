// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a task on all blocks of seers.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/monitor.h"
#include "juxta/core/query_result.h"
#include "points/search.h"

namespace juxta::points_detail {

/// Calls `task(first, last, work)` for ranges that make up all blocks of seers. `tested` and `visited` are
/// their work. Errors: kCancelled.
template <int D, class Task>
Result<QueryResult> run(const Search<D>& search, const char* stage, const Context& context, Task&& task) {
  constexpr std::size_t kGrain = 32;   // blocks of seers a task
  constexpr std::size_t kSlices = 64;  // between two of them the monitor is asked
  const auto cancelled = [] {
    return fail(ErrorCode::kCancelled, "the search for neighbours was cancelled");
  };
  const Executor& executor = executor_or_serial(context.executor);
  std::atomic<std::size_t> tested{0}, visited{0};
  const std::size_t blocks = search.tree.count == 0 ? 0 : search.seers.block_count();
  const std::size_t slice = context.monitor == nullptr ? blocks : std::max(blocks / kSlices, kGrain * 8);
  for (std::size_t begin = 0; begin < blocks; begin += slice) {
    if (!report(context.monitor, stage, begin, blocks)) {
      return cancelled();
    }
    executor.parallel_for(std::min(slice, blocks - begin), kGrain, [&](std::size_t first, std::size_t last) {
      SearchWork work;
      task(static_cast<std::uint32_t>(begin + first), static_cast<std::uint32_t>(begin + last), work);
      tested.fetch_add(work.tested, std::memory_order_relaxed);
      visited.fetch_add(work.visited, std::memory_order_relaxed);
    });
  }
  if (!report(context.monitor, stage, blocks, blocks)) {
    return cancelled();
  }
  return QueryResult{.tested = tested, .visited = visited};
}

}  // namespace juxta::points_detail
