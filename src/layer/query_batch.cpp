// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Many boxes at once. The queries become a tree of their own, in an order of their own; then it is a search
// in two trees, where 16 queries share what they read.
#include <algorithm>

#include "juxta/layer/query.h"
#include "layer/batch.h"
#include "layer/pair_search.h"
#include "layer/sink.h"

namespace juxta {
namespace {

using layer_detail::Access;
using layer_detail::LayerView;
using layer_detail::PairSearchPlan;
using layer_detail::SearchWork;
using layer_detail::view_of;

template <int D>
struct QueryTree {
  BlockTree<D> tree;
  LayerView<D> view;  // its "bodies" are query numbers
  std::size_t count;
};

// One value for all lanes of a tree, padded like an Array.
const std::uint32_t* lane_column(std::size_t lanes, Workspace& workspace, std::uint32_t value) {
  const std::span<std::uint32_t> values = workspace.take<std::uint32_t>(lanes);
  std::fill(values.begin(), values.end(), value);
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
  fill_tree(queries.tree, sorted.boxes, std::span<const std::uint32_t>(sorted.order), executor);
  // Once the tree is full, the order is turned into query numbers; the last block ends in its padding.
  static_assert(kArrayPadding >= kBlockLanes);
  const std::size_t lanes = std::size_t{queries.tree.blocks[0]} * kBlockLanes;
  std::fill(sorted.order.data() + queries.count, sorted.order.data() + lanes, kNoBody);
  if (!sorted.query.empty()) {
    for (std::uint32_t& query : sorted.order) {
      query = sorted.query[query];
    }
  }
  queries.view.body_of = sorted.order.data();
  if (filtered) {
    queries.view.category = lane_column(lanes, workspace, filter.category);
    queries.view.mask = lane_column(lanes, workspace, filter.mask);
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

/// From so many bodies on for each query, asking one by one is faster: sixteen queries together then cover
/// many bodies that none of them touches. Measured. For one body each: at 10 one by one wins by a quarter, at
/// 3 it loses. For all bodies, it wins from 50 on in space, and somewhat later in the plane.
constexpr std::size_t kFewForAny = 4, kFewForAll = 64;

template <int D>
bool few(std::size_t queries, const BasicLayer<D>& layer, std::size_t bodies_per_query) {
  return layer.size() / bodies_per_query > queries;
}

// The boxes that ask for something, each by itself.
template <int D, class Answer>
QueryResult one_by_one(std::span<const Aabb<D>> boxes, Workspace& workspace, const BatchOptions& options,
                       const Executor* executor, Answer&& answer) {
  return layer_detail::ask_each<D>(layer_detail::sort_boxes(boxes, workspace, executor), options, executor,
                                   answer);
}

template <int D>
QueryResult any_one_by_one(const BasicLayer<D>& layer, std::span<const Aabb<D>> boxes,
                           std::span<std::uint32_t> out, const BatchOptions& options, Workspace& workspace,
                           const Executor* executor) {
  return one_by_one<D>(
      boxes, workspace, options, executor,
      [&](std::uint32_t query, const Aabb<D>& box, const QueryOptions& own, SearchWork& work) -> std::size_t {
        out[query] = layer_detail::any_in_box(view_of(layer), box, own, work);
        return out[query] != kNoBody ? 1 : 0;
      });
}

// Whatever the search does, it meets the bodies that one query overlaps in the layer's order: the first is
// the one that find_any() gives.
template <int D>
QueryResult any_by_search(const BasicLayer<D>& layer, std::span<const Aabb<D>> boxes,
                          std::span<std::uint32_t> out, const BatchOptions& options, Workspace& workspace,
                          const Executor* executor) {
  QueryTree<D> queries;
  make_tree(queries, boxes, options.filter, Access::store(layer).filtered, workspace, executor);
  const PairSearchPlan<D> plan(queries.view, view_of(layer), workspace);
  const std::span<std::uint16_t> done =
      lanes_done(queries.count, queries.count == 0 ? 0 : queries.tree.blocks[0], workspace);
  // Tasks of one territory of queries run one after the other: each needs to know what the others found.
  const std::span<std::uint32_t> begins = layer_detail::task_groups(plan.tasks, workspace);
  layer_detail::SharedWork total;
  executor_or_serial(executor).parallel_for(begins.size() - 1, 1, [&](std::size_t g, std::size_t last) {
    for (; g < last; ++g) {
      SearchWork work;
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
Result<QueryResult> find_all(const BasicLayer<D>& layer, std::span<const BoxOf<D>> boxes, std::span<Pair> out,
                             const BatchOptions& options, const Context& context) {
  JUXTA_TRY(layer_detail::check_batch(boxes.size(), boxes.size(), options));
  const LayerView<D> bodies = view_of(layer);
  if (layer_detail::asks_for_nothing(bodies, options.filter)) {
    return QueryResult{};
  }
  const CallWorkspace workspace(context);
  if (few(boxes.size(), layer, kFewForAll)) {
    const layer_detail::SingleSearchPlan<D> plan(
        bodies, layer_detail::sort_boxes(boxes, *workspace, context.executor), options, *workspace);
    return layer_detail::search_pairs(plan, out, options.sorted, *workspace, context.executor);
  }
  QueryTree<D> queries;
  make_tree(queries, boxes, options.filter, Access::store(layer).filtered, *workspace, context.executor);
  const auto takes = [&](const Pair& pair) { return options.takes(pair.a, pair.b); };
  const PairSearchPlan<D> plan(queries.view, bodies, *workspace);
  return layer_detail::search_pairs(
      plan, out, options.sorted, *workspace, context.executor,
      options.narrows() ? layer_detail::KeepPair(takes) : layer_detail::KeepPair());
}

template <int D>
Result<QueryResult> find_any(const BasicLayer<D>& layer, std::span<const BoxOf<D>> boxes,
                             std::span<std::uint32_t> out, const BatchOptions& options,
                             const Context& context) {
  JUXTA_TRY(layer_detail::check_batch(boxes.size(), out.size(), options));
  std::fill(out.begin(), out.end(), kNoBody);
  if (layer_detail::asks_for_nothing(view_of(layer), options.filter)) {
    return QueryResult{};
  }
  const CallWorkspace workspace(context);
  // Many bodies for each query: its answer is soon found, and a search of its own ends there. A search of all
  // queries together knows no query's own options.
  const bool alone = options.narrows() || few(boxes.size(), layer, kFewForAny);
  QueryResult result = alone ? any_one_by_one(layer, boxes, out, options, *workspace, context.executor)
                             : any_by_search(layer, boxes, out, options, *workspace, context.executor);
  result.found = static_cast<std::size_t>(
      std::count_if(out.begin(), out.end(), [](std::uint32_t body) { return body != kNoBody; }));
  result.written = out.size();
  return result;
}

template <int D>
Result<QueryResult> find_first(const BasicLayer<D>& layer, std::span<const BoxOf<D>> boxes, std::size_t most,
                               std::span<std::uint32_t> out, std::span<std::uint32_t> counts,
                               const BatchOptions& options, const Context& context) {
  JUXTA_TRY(layer_detail::check_batch(boxes.size(), counts.size(), options));
  if (most != 0 && (out.size() % most != 0 || out.size() / most != boxes.size())) {
    return fail(ErrorCode::kInvalidArgument, std::to_string(boxes.size()) + " queries for " +
                                                 std::to_string(most) + " bodies each, but room for " +
                                                 std::to_string(out.size()));
  }
  std::fill(counts.begin(), counts.end(), 0U);
  if (most == 0 || layer_detail::asks_for_nothing(view_of(layer), options.filter)) {
    return QueryResult{};
  }
  const CallWorkspace workspace(context);
  return one_by_one<D>(
      boxes, *workspace, options, context.executor,
      [&](std::uint32_t query, const Aabb<D>& box, const QueryOptions& own, SearchWork& work) {
        layer_detail::BufferSink<std::uint32_t> buffer(out.subspan(query * most, most), true);
        layer_detail::bodies_in_box(view_of(layer), box, own, buffer, work);
        buffer.finish();
        counts[query] = static_cast<std::uint32_t>(buffer.written());
        return buffer.written();
      });
}

template <int D>
Result<QueryResult> count(const BasicLayer<D>& layer, std::span<const BoxOf<D>> boxes,
                          std::span<std::uint32_t> counts, const BatchOptions& options,
                          const Context& context) {
  JUXTA_TRY(layer_detail::check_batch(boxes.size(), counts.size(), options));
  std::fill(counts.begin(), counts.end(), 0U);
  if (layer_detail::asks_for_nothing(view_of(layer), options.filter)) {
    return QueryResult{};
  }
  const CallWorkspace workspace(context);
  QueryResult result =
      one_by_one<D>(boxes, *workspace, options, context.executor,
                    [&](std::uint32_t query, const Aabb<D>& box, const QueryOptions& own, SearchWork& work) {
                      const std::size_t n = layer_detail::count_in_box(view_of(layer), box, own, work);
                      counts[query] = static_cast<std::uint32_t>(n);
                      return n;
                    });
  result.written = counts.size();
  return result;
}

#define JUXTA_INSTANTIATE(D)                                                                             \
  template JUXTA_API Result<QueryResult> find_all(const BasicLayer<D>&, std::span<const BoxOf<D>>,       \
                                                  std::span<Pair>, const BatchOptions&, const Context&); \
  template JUXTA_API Result<QueryResult> find_any(const BasicLayer<D>&, std::span<const BoxOf<D>>,       \
                                                  std::span<std::uint32_t>, const BatchOptions&,         \
                                                  const Context&);                                       \
  template JUXTA_API Result<QueryResult> find_first(                                                     \
      const BasicLayer<D>&, std::span<const BoxOf<D>>, std::size_t, std::span<std::uint32_t>,            \
      std::span<std::uint32_t>, const BatchOptions&, const Context&);                                    \
  template JUXTA_API Result<QueryResult> count(const BasicLayer<D>&, std::span<const BoxOf<D>>,          \
                                               std::span<std::uint32_t>, const BatchOptions&,            \
                                               const Context&);
JUXTA_INSTANTIATE(2)
JUXTA_INSTANTIATE(3)
#undef JUXTA_INSTANTIATE

}  // namespace juxta
