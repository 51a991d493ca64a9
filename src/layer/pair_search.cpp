// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "layer/pair_search.h"

#include <algorithm>

#include "layer/pair_chunks.h"
#include "layer/pair_order.h"

namespace juxta::layer_detail {
namespace {

template <class Plan>
QueryResult find_serial(const Plan& plan, std::span<Pair> out, const KeepPair& keep) {
  BufferSink<Pair> sink(out, false, keep);
  SearchWork work;
  for (const auto& task : plan.tasks) {
    (void)plan.run(task, sink, work);
  }
  sink.finish();
  return {.found = sink.found(), .written = sink.written(), .tested = work.tested, .visited = work.visited};
}

// All pairs in natural order where they fit. Where they do not, `found` alone is known.
template <class Plan>
QueryResult find_parallel(const Plan& plan, std::span<Pair> out, Workspace& workspace,
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

template <class Plan>
QueryResult find_in_order(const Plan& plan, std::span<Pair> out, Workspace& workspace,
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
template <class Plan>
QueryResult find_sorted(const Plan& plan, std::span<Pair> out, Workspace& workspace, const Executor* executor,
                        const KeepPair& keep) {
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

template <class Plan>
QueryResult search_pairs(const Plan& plan, std::span<Pair> out, bool sorted, Workspace& workspace,
                         const Executor* executor, const KeepPair& keep) {
  return sorted ? find_sorted(plan, out, workspace, executor, keep)
                : find_in_order(plan, out, workspace, executor, keep, Short::kFirst);
}

template <int D>
SingleSearchPlan<D>::SingleSearchPlan(const LayerView<D>& view, const SortedQueries<D>& sorted,
                                      const BatchOptions& batch, Workspace& workspace)
    : bodies(view), queries(sorted), options(batch) {
  const std::size_t count = sorted.order.size();
  const std::span<Task> all = workspace.take<Task>((count + kBatchGrain - 1) / kBatchGrain);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = {i * kBatchGrain, std::min(count, (i + 1) * kBatchGrain)};
  }
  tasks = all;
}

template <int D>
bool SingleSearchPlan<D>::run(const Task& task, Sink<Pair>& sink, SearchWork& work) const {
  constexpr std::size_t kBodies = 256;  // handed over at once
  OptionsOfQuery own(options);
  std::uint32_t query = 0;
  bool going = true;
  const auto take = [&](std::span<const std::uint32_t> found) {
    for (; going && !found.empty();) {
      const std::size_t some = std::min(found.size(), Sink<Pair>::kMostAtOnce);
      if (static_cast<std::size_t>(sink.limit - sink.cursor) < some) {
        going = sink.more(sink);
        continue;
      }
      for (std::size_t i = 0; i < some; ++i) {
        sink.cursor[i] = {query, found[i]};
      }
      sink.cursor += some;
      found = found.subspan(some);
    }
    return going;
  };
  auto batch = batch_sink<std::uint32_t, kBodies>(take);
  for (std::size_t i = task.first; going && i < task.last; ++i) {
    const std::uint32_t at = queries.order[i];
    query = queries.query_of(at);
    bodies_in_box(bodies, queries.boxes[at], own.of(query), batch, work);
    (void)(going && batch.flush());
  }
  return going;
}

template struct SingleSearchPlan<2>;
template struct SingleSearchPlan<3>;

#define JUXTA_INSTANTIATE(Plan)                                                                      \
  template QueryResult search_pairs(const Plan&, std::span<Pair>, bool, Workspace&, const Executor*, \
                                    const KeepPair&);
JUXTA_INSTANTIATE(PairSearchPlan<2>)
JUXTA_INSTANTIATE(PairSearchPlan<3>)
JUXTA_INSTANTIATE(SingleSearchPlan<2>)
JUXTA_INSTANTIATE(SingleSearchPlan<3>)
#undef JUXTA_INSTANTIATE

}  // namespace juxta::layer_detail
