// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: many queries in the order of space.
#pragma once

#include <algorithm>
#include <atomic>
#include <limits>
#include <span>
#include <string>

#include "core/call_workspace.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/query_result.h"
#include "juxta/core/try.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/query_options.h"
#include "juxta/math/aabb.h"
#include "juxta/order/block_order.h"
#include "juxta/order/reorder.h"
#include "layer/query_kernel.h"
#include "order/block_order.h"

namespace juxta::layer_detail {

inline constexpr std::size_t kBatchGrain = 64;  // queries a task

/// The same box for finite boxes: infinite sides become the largest floats. Not for empty ones.
template <int D>
[[nodiscard]] Aabb<D> finite_sides(Aabb<D> box) noexcept {
  constexpr float kLargest = std::numeric_limits<float>::max();
  for (int axis = 0; axis < D; ++axis) {
    box.lo[axis] = std::clamp(box.lo[axis], -kLargest, kLargest);
    box.hi[axis] = std::clamp(box.hi[axis], -kLargest, kLargest);
  }
  return box;
}

/// A box of infinite sides beyond the largest float holds nothing, but clamping would make it touch that
/// float.
template <int D>
[[nodiscard]] bool holds_nothing(const Aabb<D>& box) noexcept {
  constexpr float kLargest = std::numeric_limits<float>::max();
  for (int axis = 0; axis < D; ++axis) {
    if (box.lo[axis] > kLargest || box.hi[axis] < -kLargest) {
      return true;
    }
  }
  return box.empty();
}

/// Queries that ask for something, in the order of space.
template <int D>
struct SortedQueries {
  std::span<const Aabb<D>> boxes;        // one a query asked; finite
  std::span<const std::uint32_t> query;  // which query it is; empty: box i is query i
  std::span<std::uint32_t> order;        // indices into boxes; from the workspace, so there is padding behind

  [[nodiscard]] std::uint32_t query_of(std::uint32_t box) const noexcept {
    return query.empty() ? box : query[box];
  }
};

/// `box_of(i, box)` makes the finite box where query i looks, or says that it asks for nothing (false).
template <int D, class BoxOf>
[[nodiscard]] SortedQueries<D> sort_queries(std::size_t count, Workspace& workspace, const Executor* executor,
                                            BoxOf&& box_of) {
  const std::span<Aabb<D>> boxes = workspace.take<Aabb<D>>(count);
  const std::span<std::uint32_t> query = workspace.take<std::uint32_t>(count);
  std::size_t asked = 0;
  for (std::size_t i = 0; i < count; ++i) {
    query[asked] = static_cast<std::uint32_t>(i);
    asked += box_of(i, boxes[asked]) ? 1 : 0;
  }
  const std::span<std::uint32_t> order = workspace.take<std::uint32_t>(asked);
  // Boxes are sound, unless another thread writes to what is asked: any order will do then.
  if (!block_order<D>(boxes.first(asked), order, OrderQuality::kFast,
                      {.executor = executor, .workspace = &workspace})) {
    identity_order(order);
  }
  return {boxes.first(asked), asked == count ? query.first(0) : query.first(asked), order};
}

/// For box queries. Where all are sound, as they mostly are, nothing is copied.
template <int D>
[[nodiscard]] SortedQueries<D> sort_boxes(std::span<const Aabb<D>> boxes, Workspace& workspace,
                                          const Executor* executor) {
  const Executor& runner = executor_or_serial(executor);
  const order_detail::CentreRange<D> range = order_detail::range_of_all(boxes, runner);
  if (range.sound) {
    const std::span<std::uint32_t> order = workspace.take<std::uint32_t>(boxes.size());
    order_detail::order_boxes<D>(boxes, range, order, workspace, runner);
    return {boxes, {}, order};
  }
  return sort_queries<D>(boxes.size(), workspace, executor, [&](std::size_t i, Aabb<D>& box) {
    const Aabb<D> asked = boxes[i];
    box = finite_sides(asked);
    return !holds_nothing(asked);
  });
}

/// What tasks did, added up on any threads.
class SharedWork {
 public:
  void add(const SearchWork& work, std::size_t found) noexcept {
    tested_.fetch_add(work.tested, std::memory_order_relaxed);
    visited_.fetch_add(work.visited, std::memory_order_relaxed);
    found_.fetch_add(found, std::memory_order_relaxed);
  }
  /// `written` is `found`.
  [[nodiscard]] QueryResult result() const noexcept {
    return {.found = found_, .written = found_, .tested = tested_, .visited = visited_};
  }

 private:
  std::atomic<std::size_t> tested_{0}, visited_{0}, found_{0};
};

/// What one query of a batch leaves out, as if it were asked alone. One object per task.
class OptionsOfQuery {
 public:
  explicit OptionsOfQuery(const BatchOptions& batch) : batch_(batch) {
    options_.filter = batch.filter;
    if (batch.accept) {
      options_.accept = accept_;
    }
  }
  OptionsOfQuery(const OptionsOfQuery&) = delete;
  OptionsOfQuery& operator=(const OptionsOfQuery&) = delete;

  /// Valid until the next call.
  [[nodiscard]] const QueryOptions& of(std::uint32_t query) noexcept {
    accept_.query = query;
    if (!batch_.ignore.empty()) {
      options_.ignore = batch_.ignore.subspan(query, 1);
    }
    return options_;
  }

 private:
  struct Accept {
    const BatchOptions& batch;
    std::uint32_t query = 0;
    bool operator()(std::uint32_t body) const { return batch.accept(query, body); }
  };

  const BatchOptions& batch_;
  Accept accept_{batch_};
  QueryOptions options_;
};

/// Calls `ask(i, options of queries, work)` for each i below `count`, on the executor's threads. It returns
/// how many bodies it found.
template <class Ask>
void ask_in_tasks(std::size_t count, const BatchOptions& options, const Executor* executor, SharedWork& total,
                  Ask&& ask) {
  executor_or_serial(executor).parallel_for(count, kBatchGrain, [&](std::size_t first, std::size_t last) {
    SearchWork work;
    OptionsOfQuery own(options);
    std::size_t found = 0;
    for (std::size_t i = first; i < last; ++i) {
      found += ask(i, own, work);
    }
    total.add(work, found);
  });
}

/// Calls `answer(query, box, options, work)` for each query, in the order of space.
template <int D, class Answer>
[[nodiscard]] QueryResult ask_each(const SortedQueries<D>& queries, const BatchOptions& options,
                                   const Executor* executor, Answer&& answer) {
  SharedWork total;
  ask_in_tasks(queries.order.size(), options, executor, total,
               [&](std::size_t i, OptionsOfQuery& own, SearchWork& work) {
                 const std::uint32_t at = queries.order[i];
                 const std::uint32_t query = queries.query_of(at);
                 return answer(query, queries.boxes[at], own.of(query), work);
               });
  return total.result();
}

/// A search of a tree that near caches hold costs the same in any order.
inline constexpr std::size_t kSortFromBytes = std::size_t{2} << 20;
/// So many queries are sorted together: of more, what is asked and answered lies too far apart itself.
inline constexpr std::size_t kSortAtOnce = std::size_t{1} << 14;

template <int D>
[[nodiscard]] bool order_pays(const LayerView<D>& bodies) noexcept {
  return bodies.tree->blocks[0] * sizeof(BoxBlock<D>) >= kSortFromBytes;
}

/// Calls `answer(query, options, work)` for each query that asks, in the order of space where that pays.
/// `box_of` as for sort_queries().
template <int D, class BoxOf, class Answer>
[[nodiscard]] QueryResult ask_all(const LayerView<D>& bodies, std::size_t count, const BatchOptions& options,
                                  Workspace& workspace, const Executor* executor, BoxOf&& box_of,
                                  Answer&& answer) {
  SharedWork total;
  if (!order_pays(bodies)) {
    ask_in_tasks(count, options, executor, total,
                 [&](std::size_t i, OptionsOfQuery& own, SearchWork& work) -> std::size_t {
                   Aabb<D> place;
                   const auto query = static_cast<std::uint32_t>(i);
                   return box_of(i, place) ? answer(query, own.of(query), work) : 0;
                 });
    return total.result();
  }
  for (std::size_t first = 0; first < count; first += kSortAtOnce) {
    const Workspace::Scope scope(workspace);
    const SortedQueries<D> queries =
        sort_queries<D>(std::min(kSortAtOnce, count - first), workspace, executor,
                        [&](std::size_t i, Aabb<D>& box) { return box_of(first + i, box); });
    ask_in_tasks(queries.order.size(), options, executor, total,
                 [&](std::size_t i, OptionsOfQuery& own, SearchWork& work) {
                   const std::uint32_t query =
                       static_cast<std::uint32_t>(first) + queries.query_of(queries.order[i]);
                   return answer(query, own.of(query), work);
                 });
  }
  return total.result();
}

/// Whether a batch gives one answer, and one or no body to ignore, for each query.
[[nodiscard]] inline Result<void> check_batch(std::size_t queries, std::size_t answers,
                                              const BatchOptions& options) {
  if (queries != answers) {
    return fail(ErrorCode::kInvalidArgument, std::to_string(queries) + " queries, but room for " +
                                                 std::to_string(answers) + " answers: give one for each");
  }
  if (!options.ignore.empty() && options.ignore.size() != queries) {
    return fail(ErrorCode::kInvalidArgument, std::to_string(queries) + " queries, but " +
                                                 std::to_string(options.ignore.size()) +
                                                 " bodies to ignore: give one for each query, or none");
  }
  return {};
}

/// out[i] = answer(asked[i], options, work), or an empty answer where nothing is asked. `box_of` as for
/// sort_queries().
template <int D, class Asked, class Out, class BoxOf, class Answer>
[[nodiscard]] Result<QueryResult> answer_each(const BasicLayer<D>& layer, std::span<const Asked> asked,
                                              std::span<Out> out, const BatchOptions& options,
                                              const Context& context, BoxOf&& box_of, Answer&& answer) {
  JUXTA_TRY(check_batch(asked.size(), out.size(), options));
  std::fill(out.begin(), out.end(), Out{});
  if (asks_for_nothing(view_of(layer), options.filter)) {
    return QueryResult{};
  }
  const CallWorkspace workspace(context);
  QueryResult result =
      ask_all<D>(view_of(layer), asked.size(), options, *workspace, context.executor, box_of,
                 [&](std::uint32_t query, const QueryOptions& own, SearchWork& work) -> std::size_t {
                   out[query] = answer(asked[query], own, work);
                   return out[query] ? 1 : 0;
                 });
  result.written = out.size();
  return result;
}

}  // namespace juxta::layer_detail
