// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "layer/pair_search.h"

#include <algorithm>

#include "layer/pair_chunks.h"
#include "layer/pair_order.h"

namespace juxta::layer_detail {
namespace {

template <int D>
QueryResult find_serial(const PairSearchPlan<D>& plan, std::span<Pair> out, const KeepPair& keep) {
  BufferSink<Pair> sink(out, false, keep);
  SearchWork work;
  for (const TerritoryPair& task : plan.tasks) {
    (void)plan.run(task, sink, work);
  }
  sink.finish();
  return {.found = sink.found(), .written = sink.written(), .tested = work.tested, .visited = work.visited};
}

// All pairs in natural order where they fit. Where they do not, `found` alone is known.
template <int D>
QueryResult find_parallel(const PairSearchPlan<D>& plan, std::span<Pair> out, Workspace& workspace,
                          const Executor& executor, const KeepPair& keep) {
  const std::size_t tasks = plan.tasks.size();
  const std::size_t chunks = out.size() / (ChunkPool::kChunk - 1 - Sink<Pair>::kMostAtOnce) + 1 + tasks;
  ChunkPool pool{workspace.take<Pair>(chunks * ChunkPool::kChunk), workspace.take<std::uint32_t>(chunks)};
  const std::span<TaskPairs> results = workspace.take<TaskPairs>(tasks);
  const std::span<SearchWork> works = workspace.take<SearchWork>(tasks);
  executor.parallel_for(tasks, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      results[i] = {};
      works[i] = {};
      ChunkSink sink(pool, results[i], keep);
      (void)plan.run(plan.tasks[i], sink, works[i]);
      sink.finish();
    }
  });
  QueryResult total;
  const std::span<std::size_t> begins = workspace.take<std::size_t>(tasks);
  for (std::size_t i = 0; i < tasks; ++i) {
    begins[i] = total.found;
    total.found += results[i].found;
    total.tested += works[i].tested;
    total.visited += works[i].visited;
  }
  if (out.empty() || total.found > out.size()) {
    return total;
  }
  executor.parallel_for(tasks, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      copy_chunks(pool, results[i].first_chunk, out.data() + begins[i]);
    }
  });
  total.written = total.found;
  return total;
}

/// Whether a short output gets the first pairs, or none.
enum class Short : std::uint8_t { kFirst, kNone };

template <int D>
QueryResult find_in_order(const PairSearchPlan<D>& plan, std::span<Pair> out, Workspace& workspace,
                          const Executor* executor, const KeepPair& keep, Short rule) {
  if (executor == nullptr || plan.tasks.size() < 2) {
    return find_serial(plan, out, keep);
  }
  const QueryResult result = find_parallel(plan, out, workspace, *executor, keep);
  if (result.found > out.size() && !out.empty() && rule == Short::kFirst) {
    return find_serial(plan, out, keep);  // chunks were taken in any order
  }
  return result;
}

// Sorts by (a, b). Only when the output is too short are the pairs searched twice: all of them are needed to
// know the first ones.
template <int D>
QueryResult find_sorted(const PairSearchPlan<D>& plan, std::span<Pair> out, Workspace& workspace,
                        const Executor* executor, const KeepPair& keep) {
  QueryResult result = find_in_order(plan, out, workspace, executor, keep, Short::kNone);
  std::span<Pair> all = out.first(std::min(result.found, out.size()));
  if (result.found > out.size() && !out.empty()) {
    all = workspace.take<Pair>(result.found);
    (void)find_in_order(plan, all, workspace, executor, keep, Short::kNone);
  }
  (void)order_pairs(all, all, workspace, executor);  // there are fewer than 2^32 pairs, or memory had ended
  result.written = std::min(result.found, out.size());
  if (all.data() != out.data()) {
    std::copy_n(all.data(), result.written, out.data());
  }
  return result;
}

}  // namespace

template <int D>
QueryResult search_pairs(const PairSearchPlan<D>& plan, std::span<Pair> out, bool sorted,
                         Workspace& workspace, const Executor* executor, const KeepPair& keep) {
  return sorted ? find_sorted(plan, out, workspace, executor, keep)
                : find_in_order(plan, out, workspace, executor, keep, Short::kFirst);
}

template QueryResult search_pairs(const PairSearchPlan<2>&, std::span<Pair>, bool, Workspace&,
                                  const Executor*, const KeepPair&);
template QueryResult search_pairs(const PairSearchPlan<3>&, std::span<Pair>, bool, Workspace&,
                                  const Executor*, const KeepPair&);

}  // namespace juxta::layer_detail
