// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Many boxes at once. The queries become a tree of their own, in an order of their own; then it is a search
// in two trees, where 16 queries share what they read.
#include <algorithm>

#include "juxta/layer/query.h"
#include "layer/batch.h"
#include "layer/pair_tasks.h"
#include "layer/sink.h"

namespace juxta {
namespace {

using layer_detail::LayerView;
using layer_detail::PairSearchPlan;
using layer_detail::SearchWork;

template <int D>
struct QueryTree {
  BlockTree<D> tree;
  LayerView<D> view;  // its "bodies" are query numbers
  std::size_t count;
};

// Values for the lanes of a tree, padded like an Array.
template <class ValueOf>
const std::uint32_t* lane_column(std::size_t lanes, Workspace& workspace, ValueOf&& value_of) {
  const std::span<std::uint32_t> values = workspace.take<std::uint32_t>(lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    values[lane] = value_of(lane);
  }
  return values.data();
}

// Those of the boxes that ask for something.
template <int D>
void make_tree(QueryTree<D>& queries, std::span<const Aabb<D>> boxes, Filter filter, bool filtered,
               Workspace& workspace, const Executor* executor) {
  const layer_detail::SortedQueries<D> sorted = layer_detail::sort_boxes(boxes, workspace, executor);
  queries.count = sorted.boxes.size();
  const BlockTreePlan plan = plan_block_tree(queries.count);
  queries.tree = BlockTree<D>(plan, workspace.take<BoxBlock<D>>(plan.total).data());
  queries.view.tree = &queries.tree;
  if (queries.count == 0) {
    return;
  }
  fill_tree(queries.tree, sorted.boxes, sorted.order, executor);
  const std::size_t lanes = std::size_t{queries.tree.blocks[0]} * kBlockLanes;
  queries.view.body_of = lane_column(lanes, workspace, [&](std::size_t lane) {
    return lane < queries.count ? sorted.query[sorted.order[lane]] : kNoBody;
  });
  if (filtered) {
    queries.view.category = lane_column(lanes, workspace, [&](std::size_t) { return filter.category; });
    queries.view.mask = lane_column(lanes, workspace, [&](std::size_t) { return filter.mask; });
  }
}

// Lanes without a query need no answer.
std::span<std::uint16_t> lanes_done(std::size_t queries, std::size_t leaves, Workspace& workspace) {
  const std::span<std::uint16_t> done = workspace.take<std::uint16_t>(leaves);
  std::fill(done.begin(), done.end(), std::uint16_t{0});
  if (queries % kBlockLanes != 0) {
    done.back() = static_cast<std::uint16_t>(0xFFFFU << queries % kBlockLanes);
  }
  return done;
}

constexpr std::size_t kBodiesPerQuery = 4;  // measured: at 10 one by one wins by a quarter, at 3 it loses

// Calls `answer(query, box, work)` in the order of space; it returns how many bodies it found.
template <int D, class Answer>
QueryResult one_by_one(std::span<const Aabb<D>> boxes, Workspace& workspace, const Executor* executor,
                       Answer&& answer) {
  const layer_detail::SortedQueries<D> queries = layer_detail::sort_boxes(boxes, workspace, executor);
  layer_detail::SharedWork total;
  executor_or_serial(executor).parallel_for(queries.order.size(), layer_detail::kBatchGrain,
                                            [&](std::size_t first, std::size_t last) {
                                              SearchWork work;
                                              std::size_t found = 0;
                                              for (std::size_t i = first; i < last; ++i) {
                                                const std::uint32_t at = queries.order[i];
                                                found += answer(queries.query[at], queries.boxes[at], work);
                                              }
                                              total.add(work, found);
                                            });
  return total.result();
}

template <int D>
QueryResult any_one_by_one(const BasicLayer<D>& layer, std::span<const Aabb<D>> boxes, Workspace& workspace,
                           std::span<std::uint32_t> out, const BatchOptions& options) {
  return one_by_one<D>(boxes, workspace, options.executor,
                       [&](std::uint32_t query, const Aabb<D>& box, SearchWork& work) -> std::size_t {
                         out[query] =
                             layer_detail::any_in_box(layer.store().view(), box, options.filter, work);
                         return out[query] != kNoBody ? 1 : 0;
                       });
}

// Whatever the search does, it meets the bodies that one query overlaps in the layer's order: the first is
// the one that find_any() gives.
template <int D>
QueryResult any_by_search(const BasicLayer<D>& layer, std::span<const Aabb<D>> boxes, Workspace& workspace,
                          std::span<std::uint32_t> out, const BatchOptions& options) {
  QueryTree<D> queries;
  make_tree(queries, boxes, options.filter, layer.store().filtered, workspace, options.executor);
  const PairSearchPlan<D> plan(queries.view, layer.store().view(), workspace);
  const std::span<std::uint16_t> done =
      lanes_done(queries.count, queries.count == 0 ? 0 : queries.tree.blocks[0], workspace);
  // Tasks of one territory of queries run one after the other: each needs to know what the others found.
  const std::span<std::uint32_t> begins = layer_detail::task_groups(plan.tasks, workspace);
  layer_detail::SharedWork total;
  executor_or_serial(options.executor)
      .parallel_for(begins.size() - 1, 1, [&](std::size_t g, std::size_t last) {
        for (; g < last; ++g) {
          layer_detail::SearchWork work;
          for (std::uint32_t i = begins[g]; i < begins[g + 1]; ++i) {
            plan.answer(plan.tasks[i], {out.data(), done.data()}, work);
          }
          total.add(work, 0);
        }
      });
  return total.result();
}

}  // namespace

template <int D>
FindPairsResult find_all(const BasicLayer<D>& layer, std::span<const BoxOf<D>> boxes, Workspace& workspace,
                         std::span<Pair> out, const BatchOptions& options) {
  const Workspace::Scope scope(workspace);
  const LayerView<D> bodies = layer.store().view();
  if (layer_detail::asks_for_nothing(bodies, options.filter)) {
    return {};
  }
  QueryTree<D> queries;
  make_tree(queries, boxes, options.filter, layer.store().filtered, workspace, options.executor);
  FindPairsOptions pair_options;
  pair_options.sorted = options.sorted;
  pair_options.executor = options.executor;
  return layer_detail::search_pairs(PairSearchPlan<D>(queries.view, bodies, workspace), out, workspace,
                                    pair_options);
}

template <int D>
Result<QueryResult> find_any(const BasicLayer<D>& layer, std::span<const BoxOf<D>> boxes,
                             Workspace& workspace, std::span<std::uint32_t> out,
                             const BatchOptions& options) {
  if (boxes.size() != out.size()) {
    return layer_detail::unlike_lengths(boxes.size(), out.size());
  }
  std::fill(out.begin(), out.end(), kNoBody);
  if (layer_detail::asks_for_nothing(layer.store().view(), options.filter)) {
    return QueryResult{};
  }
  const Workspace::Scope scope(workspace);
  // Many bodies for each query: its answer is soon found, and a search of its own ends there.
  QueryResult result = layer.size() / kBodiesPerQuery > boxes.size()
                           ? any_one_by_one(layer, boxes, workspace, out, options)
                           : any_by_search(layer, boxes, workspace, out, options);
  result.found = static_cast<std::size_t>(
      std::count_if(out.begin(), out.end(), [](std::uint32_t body) { return body != kNoBody; }));
  result.written = out.size();
  return result;
}

template <int D>
Result<QueryResult> find_first(const BasicLayer<D>& layer, std::span<const BoxOf<D>> boxes, std::size_t most,
                               Workspace& workspace, std::span<std::uint32_t> out,
                               std::span<std::uint32_t> counts, const BatchOptions& options) {
  if (boxes.size() != counts.size()) {
    return layer_detail::unlike_lengths(boxes.size(), counts.size());
  }
  if (most != 0 && (out.size() % most != 0 || out.size() / most != boxes.size())) {
    return layer_detail::unlike_lengths(boxes.size(), out.size() / most);
  }
  std::fill(counts.begin(), counts.end(), 0U);
  if (most == 0 || layer_detail::asks_for_nothing(layer.store().view(), options.filter)) {
    return QueryResult{};
  }
  const Workspace::Scope scope(workspace);
  return one_by_one<D>(
      boxes, workspace, options.executor, [&](std::uint32_t query, const Aabb<D>& box, SearchWork& work) {
        layer_detail::BufferSink<std::uint32_t> buffer(out.subspan(query * most, most), true);
        layer_detail::bodies_in_box(layer.store().view(), box, options.filter, buffer, work);
        buffer.finish();
        counts[query] = static_cast<std::uint32_t>(buffer.written());
        return buffer.written();
      });
}

template <int D>
Result<QueryResult> count(const BasicLayer<D>& layer, std::span<const BoxOf<D>> boxes, Workspace& workspace,
                          std::span<std::uint32_t> counts, const BatchOptions& options) {
  if (boxes.size() != counts.size()) {
    return layer_detail::unlike_lengths(boxes.size(), counts.size());
  }
  std::fill(counts.begin(), counts.end(), 0U);
  if (layer_detail::asks_for_nothing(layer.store().view(), options.filter)) {
    return QueryResult{};
  }
  const Workspace::Scope scope(workspace);
  QueryResult result = one_by_one<D>(
      boxes, workspace, options.executor, [&](std::uint32_t query, const Aabb<D>& box, SearchWork& work) {
        const std::size_t n = layer_detail::count_in_box(layer.store().view(), box, options.filter, work);
        counts[query] = static_cast<std::uint32_t>(n);
        return n;
      });
  result.written = counts.size();
  return result;
}

#define JUXTA_INSTANTIATE(D)                                                                                \
  template JUXTA_API FindPairsResult find_all(const BasicLayer<D>&, std::span<const BoxOf<D>>, Workspace&,  \
                                              std::span<Pair>, const BatchOptions&);                        \
  template JUXTA_API Result<QueryResult> find_any(const BasicLayer<D>&, std::span<const BoxOf<D>>,          \
                                                  Workspace&, std::span<std::uint32_t>,                     \
                                                  const BatchOptions&);                                     \
  template JUXTA_API Result<QueryResult> find_first(const BasicLayer<D>&, std::span<const BoxOf<D>>,        \
                                                    std::size_t, Workspace&, std::span<std::uint32_t>,      \
                                                    std::span<std::uint32_t>, const BatchOptions&);         \
  template JUXTA_API Result<QueryResult> count(const BasicLayer<D>&, std::span<const BoxOf<D>>, Workspace&, \
                                               std::span<std::uint32_t>, const BatchOptions&);
JUXTA_INSTANTIATE(2)
JUXTA_INSTANTIATE(3)
#undef JUXTA_INSTANTIATE

}  // namespace juxta
