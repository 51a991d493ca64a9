// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/layer/find_pairs.h"

#include <algorithm>
#include <string>

#include "layer/batch.h"
#include "layer/pair_search.h"
#include "layer/selection.h"

namespace juxta {
namespace {

using layer_detail::PairSearchPlan;
using layer_detail::SearchWork;
using layer_detail::SharedWork;

constexpr std::size_t kBatch = 2048;  // pairs handed to a visitor at once: 16 KiB, half an L1 cache

template <int D>
QueryResult visit_sorted(const PairSearchPlan<D>& plan, PairVisitor visitor, Workspace& workspace,
                         const Executor* executor) {
  const std::size_t need = layer_detail::search_pairs(plan, {}, false, workspace, executor).found;
  const std::span<Pair> all = workspace.take<Pair>(need);
  QueryResult result = layer_detail::search_pairs(plan, all, true, workspace, executor);
  result.found = 0;
  for (bool going = true; going && result.found < need;) {
    const auto batch = all.subspan(result.found, std::min(kBatch, need - result.found));
    result.found += batch.size();
    going = visitor(batch);
  }
  result.written = result.found;
  return result;
}

template <int D>
QueryResult visit_in_order(const PairSearchPlan<D>& plan, PairVisitor visitor) {
  std::size_t found = 0;
  const auto take = [&](std::span<const Pair> pairs) {
    found += pairs.size();
    return visitor(pairs);
  };
  SearchWork work;
  auto sink = layer_detail::batch_sink<Pair, kBatch>(take);
  bool going = true;
  for (std::size_t i = 0; going && i < plan.tasks.size(); ++i) {
    going = plan.run(plan.tasks[i], sink, work);
  }
  if (going) {
    (void)sink.flush();
  }
  return {.found = found, .written = found, .tested = work.tested, .visited = work.visited};
}

// One after the other, in batches.
template <int D>
void visit_tasks(const PairSearchPlan<D>& plan, std::span<const layer_detail::TerritoryPair> tasks,
                 ExclusiveVisitor visitor, SharedWork& total) {
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
  total.add(work, found);
}

template <int D>
QueryResult visit_phases(const PairSearchPlan<D>& plan, int sides, ExclusiveVisitor visitor,
                         Workspace& workspace, const Executor* executor) {
  const layer_detail::Phases phases = layer_detail::colour_pairs(plan.tasks, sides, workspace);
  SharedWork total;
  for (std::size_t phase = 0; phase + 1 < phases.begins.size(); ++phase) {
    const auto tasks =
        phases.pairs.subspan(phases.begins[phase], phases.begins[phase + 1] - phases.begins[phase]);
    executor_or_serial(executor).parallel_for(tasks.size(), 1, [&](std::size_t first, std::size_t last) {
      visit_tasks(plan, tasks.subspan(first, last - first), visitor, total);
    });
  }
  return total.result();
}

template <int D>
QueryResult visit_runs(const PairSearchPlan<D>& plan, ExclusiveVisitor visitor, Workspace& workspace,
                       const Executor* executor) {
  const std::span<const std::uint32_t> begins = layer_detail::task_groups(plan.tasks, workspace);
  SharedWork total;
  executor_or_serial(executor).parallel_for(begins.size() - 1, 1, [&](std::size_t first, std::size_t last) {
    visit_tasks(plan, plan.tasks.subspan(begins[first], begins[last] - begins[first]), visitor, total);
  });
  return total.result();
}

// run(plan, workspace), with the plan of one layer or two.
template <int D, class Run>
Result<QueryResult> with_plan(const BasicLayer<D>& layer, const FindPairsOptions& options,
                              const Context& context, Run&& run) {
  JUXTA_TRY(layer_detail::check_only(layer, options.only, "only"));
  const CallWorkspace workspace(context);
  return run(PairSearchPlan<D>(layer, *workspace, options, context.executor), *workspace);
}
template <int D, class Run>
Result<QueryResult> with_plan(const BasicLayer<D>& a, const BasicLayer<D>& b, const FindPairsOptions& options,
                              const Context& context, Run&& run) {
  JUXTA_TRY(layer_detail::check_only(a, options.only, "only"));
  JUXTA_TRY(layer_detail::check_only(b, options.only_b, "only_b"));
  const CallWorkspace workspace(context);
  return run(PairSearchPlan<D>(a, b, *workspace, options, context.executor), *workspace);
}

template <int D>
auto finder(std::span<Pair> out, const FindPairsOptions& options, const Context& context) {
  return [=, &options, &context](const PairSearchPlan<D>& plan, Workspace& workspace) {
    return layer_detail::search_pairs(plan, out, options.sorted, workspace, context.executor);
  };
}

template <int D>
auto visit_with(PairVisitor visitor, const FindPairsOptions& options, const Context& context) {
  return [=, &options, &context](const PairSearchPlan<D>& plan, Workspace& workspace) {
    return options.sorted ? visit_sorted(plan, visitor, workspace, context.executor)
                          : visit_in_order(plan, visitor);
  };
}

template <int D>
auto visit_exclusively(int sides, ExclusiveVisitor visitor, const Context& context) {
  return [=, &context](const PairSearchPlan<D>& plan, Workspace& workspace) {
    return visit_phases(plan, sides, visitor, workspace, context.executor);
  };
}

}  // namespace

template <int D>
Result<QueryResult> find_pairs(const BasicLayer<D>& layer, std::span<Pair> out,
                               const FindPairsOptions& options, const Context& context) {
  return with_plan(layer, options, context, finder<D>(out, options, context));
}
template <int D>
Result<QueryResult> find_pairs(const BasicLayer<D>& a, const BasicLayer<D>& b, std::span<Pair> out,
                               const FindPairsOptions& options, const Context& context) {
  return with_plan(a, b, options, context, finder<D>(out, options, context));
}

template <int D>
Result<QueryResult> visit_pairs(const BasicLayer<D>& layer, PairVisitor visitor,
                                const FindPairsOptions& options, const Context& context) {
  return with_plan(layer, options, context, visit_with<D>(visitor, options, context));
}
template <int D>
Result<QueryResult> visit_pairs(const BasicLayer<D>& a, const BasicLayer<D>& b, PairVisitor visitor,
                                const FindPairsOptions& options, const Context& context) {
  return with_plan(a, b, options, context, visit_with<D>(visitor, options, context));
}

template <int D>
Result<QueryResult> visit_pairs_exclusive(const BasicLayer<D>& layer, ExclusiveVisitor visitor,
                                          const FindPairsOptions& options, const Context& context) {
  return with_plan(layer, options, context, visit_exclusively<D>(1, visitor, context));
}
template <int D>
Result<QueryResult> visit_pairs_exclusive(const BasicLayer<D>& a, const BasicLayer<D>& b,
                                          ExclusiveVisitor visitor, const FindPairsOptions& options,
                                          const Context& context) {
  return with_plan(a, b, options, context, visit_exclusively<D>(2, visitor, context));
}

template <int D>
Result<QueryResult> visit_pairs_by_first(const BasicLayer<D>& a, const BasicLayer<D>& b,
                                         ExclusiveVisitor visitor, const FindPairsOptions& options,
                                         const Context& context) {
  return with_plan(a, b, options, context, [&](const PairSearchPlan<D>& plan, Workspace& workspace) {
    return visit_runs(plan, visitor, workspace, context.executor);
  });
}

#define JUXTA_INSTANTIATE(D)                                                                                 \
  template JUXTA_API Result<QueryResult> find_pairs(const BasicLayer<D>&, std::span<Pair>,                   \
                                                    const FindPairsOptions&, const Context&);                \
  template JUXTA_API Result<QueryResult> find_pairs(                                                         \
      const BasicLayer<D>&, const BasicLayer<D>&, std::span<Pair>, const FindPairsOptions&, const Context&); \
  template JUXTA_API Result<QueryResult> visit_pairs(const BasicLayer<D>&, PairVisitor,                      \
                                                     const FindPairsOptions&, const Context&);               \
  template JUXTA_API Result<QueryResult> visit_pairs(const BasicLayer<D>&, const BasicLayer<D>&,             \
                                                     PairVisitor, const FindPairsOptions&, const Context&);  \
  template JUXTA_API Result<QueryResult> visit_pairs_exclusive(const BasicLayer<D>&, ExclusiveVisitor,       \
                                                               const FindPairsOptions&, const Context&);     \
  template JUXTA_API Result<QueryResult> visit_pairs_exclusive(const BasicLayer<D>&, const BasicLayer<D>&,   \
                                                               ExclusiveVisitor, const FindPairsOptions&,    \
                                                               const Context&);                              \
  template JUXTA_API Result<QueryResult> visit_pairs_by_first(const BasicLayer<D>&, const BasicLayer<D>&,    \
                                                              ExclusiveVisitor, const FindPairsOptions&,     \
                                                              const Context&);
JUXTA_INSTANTIATE(2)
JUXTA_INSTANTIATE(3)
#undef JUXTA_INSTANTIATE

}  // namespace juxta
