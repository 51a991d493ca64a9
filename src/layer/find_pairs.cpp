// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/layer/find_pairs.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "layer/pair_order.h"
#include "layer/pair_tasks.h"
#include "layer/selection.h"

namespace juxta {
namespace {

using layer_detail::PairSearchPlan;
using layer_detail::SearchWork;
using layer_detail::Sink;

constexpr std::size_t kBatch = 2048;  // pairs handed to a visitor at once: 16 KiB, half an L1 cache

template <int D>
FindPairsResult find_serial(const PairSearchPlan<D>& plan, std::span<Pair> out) {
  layer_detail::BufferSink<Pair> sink(out);
  SearchWork work;
  for (const layer_detail::TerritoryPair& task : plan.tasks) {
    (void)plan.run(task, sink, work);
  }
  sink.finish();
  return {sink.found(), sink.written(), work.tested, work.visited};
}

// Where the tasks of a parallel search leave their pairs: chunks of one pool, as many as fit the output and
// one more for each task. What does not fit is counted.
struct ChunkPool {
  static constexpr std::size_t kChunk = 512;  // there may be 65,536 tasks: 4 KiB for each
  std::span<Pair> pairs;
  std::span<std::uint32_t> next;  // of each chunk: the chunk that the same task filled after it
  std::atomic<std::uint32_t> used{0};

  [[nodiscard]] std::uint32_t take() {
    const std::uint32_t chunk = used.fetch_add(1, std::memory_order_relaxed);
    return chunk < next.size() ? chunk : kNoBody;
  }
};

struct TaskPairs {
  std::size_t found = 0;
  std::uint32_t first_chunk = kNoBody;
};

class ChunkSink : public Sink<Pair> {
 public:
  ChunkSink(ChunkPool& pool, TaskPairs& result) : pool_(pool), result_(result) {
    cursor = limit = overflow_;
    base_ = overflow_;
    more = [](Sink<Pair>& sink) {
      static_cast<ChunkSink&>(sink).next_chunk();
      return true;
    };
  }
  void finish() { count(); }

 private:
  // A chunk is left when fewer than kMostAtOnce places are free in it; how many it holds is kept at its end.
  void count() {
    const auto fresh = static_cast<std::size_t>(cursor - base_);
    result_.found += fresh;
    if (chunk_ != kNoBody) {
      pool_.pairs[chunk_ * ChunkPool::kChunk + ChunkPool::kChunk - 1].a = static_cast<std::uint32_t>(fresh);
    }
  }
  void next_chunk() {
    count();
    const std::uint32_t fresh = pool_.take();
    if (fresh == kNoBody) {
      chunk_ = kNoBody;
      cursor = base_ = overflow_;
      limit = overflow_ + std::size(overflow_);
      return;
    }
    (chunk_ == kNoBody ? result_.first_chunk : pool_.next[chunk_]) = fresh;
    pool_.next[fresh] = kNoBody;
    chunk_ = fresh;
    cursor = base_ = pool_.pairs.data() + fresh * ChunkPool::kChunk;
    limit = cursor + ChunkPool::kChunk - 1;
  }

  ChunkPool& pool_;
  TaskPairs& result_;
  std::uint32_t chunk_ = kNoBody;
  Pair* base_;
  Pair overflow_[2 * kMostAtOnce];
};

void copy_chunks(const ChunkPool& pool, std::uint32_t chunk, Pair* out) {
  for (; chunk != kNoBody; chunk = pool.next[chunk]) {
    const Pair* pairs = pool.pairs.data() + chunk * ChunkPool::kChunk;
    const std::size_t count = pairs[ChunkPool::kChunk - 1].a;
    std::copy_n(pairs, count, out);
    out += count;
  }
}

template <int D>
FindPairsResult find_parallel(const PairSearchPlan<D>& plan, std::span<Pair> out, Workspace& workspace,
                              const Executor& executor) {
  const std::size_t tasks = plan.tasks.size();
  const std::size_t chunks = out.size() / (ChunkPool::kChunk - 1 - Sink<Pair>::kMostAtOnce) + 1 + tasks;
  ChunkPool pool{workspace.take<Pair>(chunks * ChunkPool::kChunk), workspace.take<std::uint32_t>(chunks)};
  const std::span<TaskPairs> results = workspace.take<TaskPairs>(tasks);
  const std::span<SearchWork> works = workspace.take<SearchWork>(tasks);
  executor.parallel_for(tasks, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      results[i] = {};
      works[i] = {};
      ChunkSink sink(pool, results[i]);
      (void)plan.run(plan.tasks[i], sink, works[i]);
      sink.finish();
    }
  });
  FindPairsResult total;
  const std::span<std::size_t> begins = workspace.take<std::size_t>(tasks);
  for (std::size_t i = 0; i < tasks; ++i) {
    begins[i] = total.found;
    total.found += results[i].found;
    total.tested += works[i].tested;
    total.visited += works[i].visited;
  }
  if (out.empty()) {
    return total;
  }
  if (total.found > out.size()) {
    return find_serial(plan, out);  // the first ones are wanted, and chunks were taken in any order
  }
  executor.parallel_for(tasks, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      copy_chunks(pool, results[i].first_chunk, out.data() + begins[i]);
    }
  });
  total.written = total.found;
  return total;
}

template <int D>
FindPairsResult find_in_order(const PairSearchPlan<D>& plan, std::span<Pair> out, Workspace& workspace,
                              const Executor* executor) {
  if (executor == nullptr || plan.tasks.size() < 2) {
    return find_serial(plan, out);
  }
  return find_parallel(plan, out, workspace, *executor);
}

// Sorts by (a, b). When the output is too short, all pairs are needed to know the first ones.
template <int D>
FindPairsResult find_sorted(const PairSearchPlan<D>& plan, std::span<Pair> out, Workspace& workspace,
                            const Executor* executor) {
  FindPairsResult result = find_in_order(plan, out, workspace, executor);
  std::span<Pair> all = out.first(result.written);
  if (result.found > out.size()) {
    all = workspace.take<Pair>(result.found);
    (void)find_in_order(plan, all, workspace, executor);
  }
  (void)layer_detail::order_pairs(all, workspace,
                                  executor);  // there are fewer than 2^32 pairs, or memory had ended
  if (all.data() != out.data()) {
    std::copy_n(all.data(), result.written, out.data());
  }
  return result;
}

template <int D>
FindPairsResult visit_all(const PairSearchPlan<D>& plan, PairVisitor visitor, Workspace& workspace,
                          const FindPairsOptions& options) {
  FindPairsResult result;
  const auto take = [&](std::span<const Pair> pairs) {
    result.found += pairs.size();
    result.written += pairs.size();
    return visitor(pairs);
  };
  if (options.sorted) {
    const std::size_t need = find_in_order<D>(plan, {}, workspace, nullptr).found;
    const std::span<Pair> all = workspace.take<Pair>(need);
    result = find_sorted(plan, all, workspace, options.executor);
    result.found = result.written = 0;
    for (std::size_t first = 0; first < need; first += kBatch) {
      if (!take(all.subspan(first, std::min(kBatch, need - first)))) {
        break;
      }
    }
    return result;
  }
  SearchWork work;
  auto sink = layer_detail::batch_sink<Pair, kBatch>(take);
  bool going = true;
  for (std::size_t i = 0; going && i < plan.tasks.size(); ++i) {
    going = plan.run(plan.tasks[i], sink, work);
  }
  if (going) {
    (void)sink.flush();
  }
  result.tested = work.tested;
  result.visited = work.visited;
  return result;
}

/// What tasks found together, on any threads.
class Totals {
 public:
  void add(std::size_t found, const SearchWork& work) noexcept {
    found_.fetch_add(found, std::memory_order_relaxed);
    tested_.fetch_add(work.tested, std::memory_order_relaxed);
    visited_.fetch_add(work.visited, std::memory_order_relaxed);
  }
  [[nodiscard]] FindPairsResult result() const noexcept { return {found_, found_, tested_, visited_}; }

 private:
  std::atomic<std::size_t> found_{0}, tested_{0}, visited_{0};
};

/// One after the other, in batches.
template <int D>
void visit_tasks(const PairSearchPlan<D>& plan, std::span<const layer_detail::TerritoryPair> tasks,
                 ExclusiveVisitor visitor, Totals& totals) {
  std::size_t found = 0;
  const auto take = [&](std::span<const Pair> pairs) {
    found += pairs.size();
    visitor(pairs);
    return true;
  };
  SearchWork work;
  auto sink = layer_detail::batch_sink<Pair, kBatch>(take);
  for (const layer_detail::TerritoryPair& task : tasks) {
    (void)plan.run(task, sink, work);
  }
  (void)sink.flush();
  totals.add(found, work);
}

template <int D>
FindPairsResult visit_phases(const PairSearchPlan<D>& plan, int sides, ExclusiveVisitor visitor,
                             Workspace& workspace, const Executor* executor) {
  const layer_detail::Phases phases = layer_detail::colour_pairs(plan.tasks, sides, workspace);
  Totals totals;
  for (std::size_t phase = 0; phase + 1 < phases.begins.size(); ++phase) {
    const auto tasks =
        phases.pairs.subspan(phases.begins[phase], phases.begins[phase + 1] - phases.begins[phase]);
    executor_or_serial(executor).parallel_for(tasks.size(), 1, [&](std::size_t first, std::size_t last) {
      visit_tasks(plan, tasks.subspan(first, last - first), visitor, totals);
    });
  }
  return totals.result();
}

template <int D>
FindPairsResult visit_runs(const PairSearchPlan<D>& plan, ExclusiveVisitor visitor, Workspace& workspace,
                           const Executor* executor) {
  const std::span<const std::uint32_t> begins = layer_detail::task_groups(plan.tasks, workspace);
  Totals totals;
  executor_or_serial(executor).parallel_for(begins.size() - 1, 1, [&](std::size_t first, std::size_t last) {
    visit_tasks(plan, plan.tasks.subspan(begins[first], begins[last] - begins[first]), visitor, totals);
  });
  return totals.result();
}

constexpr FindPairsResult kRefused{0, 0, 0, 0, true};

template <int D>
bool refuses(const BasicLayer<D>& layer, const FindPairsOptions& options) {
  return !layer_detail::fits(layer, options.only);
}
template <int D>
bool refuses(const BasicLayer<D>& a, const BasicLayer<D>& b, const FindPairsOptions& options) {
  return !layer_detail::fits(a, options.only) || !layer_detail::fits(b, options.only_b);
}

}  // namespace

template <int D>
FindPairsResult layer_detail::search_pairs(const PairSearchPlan<D>& plan, std::span<Pair> out,
                                           Workspace& workspace, const FindPairsOptions& options) {
  return options.sorted ? find_sorted(plan, out, workspace, options.executor)
                        : find_in_order(plan, out, workspace, options.executor);
}

template <int D>
FindPairsResult find_pairs(const BasicLayer<D>& layer, Workspace& workspace, std::span<Pair> out,
                           const FindPairsOptions& options) {
  if (refuses(layer, options)) {
    return kRefused;
  }
  const Workspace::Scope scope(workspace);
  return layer_detail::search_pairs(PairSearchPlan<D>(layer, workspace, options), out, workspace, options);
}
template <int D>
FindPairsResult find_pairs(const BasicLayer<D>& a, const BasicLayer<D>& b, Workspace& workspace,
                           std::span<Pair> out, const FindPairsOptions& options) {
  if (refuses(a, b, options)) {
    return kRefused;
  }
  const Workspace::Scope scope(workspace);
  return layer_detail::search_pairs(PairSearchPlan<D>(a, b, workspace, options), out, workspace, options);
}

template <int D>
FindPairsResult visit_pairs(const BasicLayer<D>& layer, Workspace& workspace, PairVisitor visitor,
                            const FindPairsOptions& options) {
  if (refuses(layer, options)) {
    return kRefused;
  }
  const Workspace::Scope scope(workspace);
  return visit_all(PairSearchPlan<D>(layer, workspace, options), visitor, workspace, options);
}
template <int D>
FindPairsResult visit_pairs(const BasicLayer<D>& a, const BasicLayer<D>& b, Workspace& workspace,
                            PairVisitor visitor, const FindPairsOptions& options) {
  if (refuses(a, b, options)) {
    return kRefused;
  }
  const Workspace::Scope scope(workspace);
  return visit_all(PairSearchPlan<D>(a, b, workspace, options), visitor, workspace, options);
}

template <int D>
FindPairsResult visit_pairs_exclusive(const BasicLayer<D>& layer, Workspace& workspace,
                                      ExclusiveVisitor visitor, const FindPairsOptions& options) {
  if (refuses(layer, options)) {
    return kRefused;
  }
  const Workspace::Scope scope(workspace);
  return visit_phases(PairSearchPlan<D>(layer, workspace, options), 1, visitor, workspace, options.executor);
}
template <int D>
FindPairsResult visit_pairs_exclusive(const BasicLayer<D>& a, const BasicLayer<D>& b, Workspace& workspace,
                                      ExclusiveVisitor visitor, const FindPairsOptions& options) {
  if (refuses(a, b, options)) {
    return kRefused;
  }
  const Workspace::Scope scope(workspace);
  return visit_phases(PairSearchPlan<D>(a, b, workspace, options), 2, visitor, workspace, options.executor);
}

template <int D>
FindPairsResult visit_pairs_by_first(const BasicLayer<D>& a, const BasicLayer<D>& b, Workspace& workspace,
                                     ExclusiveVisitor visitor, const FindPairsOptions& options) {
  if (refuses(a, b, options)) {
    return kRefused;
  }
  const Workspace::Scope scope(workspace);
  return visit_runs(PairSearchPlan<D>(a, b, workspace, options), visitor, workspace, options.executor);
}

#define JUXTA_INSTANTIATE(D)                                                                                 \
  template FindPairsResult layer_detail::search_pairs(const PairSearchPlan<D>&, std::span<Pair>, Workspace&, \
                                                      const FindPairsOptions&);                              \
  template JUXTA_API FindPairsResult find_pairs(const BasicLayer<D>&, Workspace&, std::span<Pair>,           \
                                                const FindPairsOptions&);                                    \
  template JUXTA_API FindPairsResult find_pairs(const BasicLayer<D>&, const BasicLayer<D>&, Workspace&,      \
                                                std::span<Pair>, const FindPairsOptions&);                   \
  template JUXTA_API FindPairsResult visit_pairs(const BasicLayer<D>&, Workspace&, PairVisitor,              \
                                                 const FindPairsOptions&);                                   \
  template JUXTA_API FindPairsResult visit_pairs(const BasicLayer<D>&, const BasicLayer<D>&, Workspace&,     \
                                                 PairVisitor, const FindPairsOptions&);                      \
  template JUXTA_API FindPairsResult visit_pairs_exclusive(const BasicLayer<D>&, Workspace&,                 \
                                                           ExclusiveVisitor, const FindPairsOptions&);       \
  template JUXTA_API FindPairsResult visit_pairs_exclusive(                                                  \
      const BasicLayer<D>&, const BasicLayer<D>&, Workspace&, ExclusiveVisitor, const FindPairsOptions&);    \
  template JUXTA_API FindPairsResult visit_pairs_by_first(                                                   \
      const BasicLayer<D>&, const BasicLayer<D>&, Workspace&, ExclusiveVisitor, const FindPairsOptions&);
JUXTA_INSTANTIATE(2)
JUXTA_INSTANTIATE(3)
#undef JUXTA_INSTANTIATE

}  // namespace juxta
