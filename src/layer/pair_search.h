// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a search for pairs of one or two layers, ready to run task by task.
#pragma once

#include <span>

#include "juxta/core/executor.h"
#include "juxta/core/function_ref.h"
#include "juxta/core/query_result.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/find_pairs.h"
#include "layer/batch.h"
#include "layer/pair_kernel.h"
#include "layer/selection.h"
#include "layer/territories.h"

namespace juxta::layer_detail {

template <int D>
struct PairSearchPlan {
  LayerView<D> a, b;
  bool one_layer;
  std::span<const TerritoryPair> tasks;  // in natural order

  PairSearchPlan(const BasicLayer<D>& layer, Workspace& workspace, const FindPairsOptions& options,
                 const Executor* executor)
      : a(select_bodies(Access::store(layer), options.only, false, workspace, executor_or_serial(executor))),
        b(a),
        one_layer(true),
        tasks(territory_pairs(a, workspace)) {}
  PairSearchPlan(const BasicLayer<D>& first, const BasicLayer<D>& second, Workspace& workspace,
                 const FindPairsOptions& options, const Executor* executor)
      : a(select_bodies(Access::store(first), options.only, Access::store(second).filtered, workspace,
                        executor_or_serial(executor))),
        b(select_bodies(Access::store(second), options.only_b, Access::store(first).filtered, workspace,
                        executor_or_serial(executor))),
        one_layer(false),
        tasks(territory_pairs(a, b, workspace)) {}
  PairSearchPlan(const LayerView<D>& first, const LayerView<D>& second, Workspace& workspace)
      : a(first), b(second), one_layer(false), tasks(territory_pairs(a, b, workspace)) {}

  /// False: the sink stopped it.
  bool run(const TerritoryPair& task, Sink<Pair>& sink, SearchWork& work) const {
    const TreeNode p{territory_level(*a.tree), task.first}, q{territory_level(*b.tree), task.second};
    return one_layer && task.first == task.second ? pairs_below(a, p, sink, work)
                                                  : pairs_between(a, p, b, q, one_layer, sink, work);
  }
  /// The same for queries in `a` to which any body of `b` is an answer.
  void answer(const TerritoryPair& task, const AnyAnswers& answers, SearchWork& work) const {
    answers_between(a, {territory_level(*a.tree), task.first}, b, {territory_level(*b.tree), task.second},
                    answers, work);
  }
};

/// A batch of boxes as pairs (query, body), each box searched for by itself, in the order of space.
template <int D>
struct SingleSearchPlan {
  struct Task {
    std::size_t first, last;  // in `queries.order`
  };
  LayerView<D> bodies;
  SortedQueries<D> queries;
  const BatchOptions& options;
  std::span<const Task> tasks;

  SingleSearchPlan(const LayerView<D>& view, const SortedQueries<D>& sorted, const BatchOptions& batch,
                   Workspace& workspace);

  /// False: the sink stopped it.
  bool run(const Task& task, Sink<Pair>& sink, SearchWork& work) const;
};

/// Says which pairs are answers. Empty: all are.
using KeepPair = FunctionRef<bool(const Pair&)>;

/// Runs a plan, a PairSearchPlan or a SingleSearchPlan: what find_pairs() does once it has one.
template <class Plan>
[[nodiscard]] QueryResult search_pairs(const Plan& plan, std::span<Pair> out, bool sorted,
                                       Workspace& workspace, const Executor* executor,
                                       const KeepPair& keep = {});

}  // namespace juxta::layer_detail
