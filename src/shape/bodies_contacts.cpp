// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// All contacts: the layer's search for pairs over boxes grown by half the margin, then each pair exactly.
//
//   pairs of boxes, ascending | 0 ... 16383 | 16384 ... |      rounds: a manifold takes 112 bytes, and most
//   manifolds of a round      | x . . xx... |                  pairs of boxes have none
//   out                       | x x ...                        those there are, in the order of the pairs
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/call_workspace.h"
#include "juxta/core/try.h"
#include "juxta/shape/bodies.h"
#include "layer/pair_search.h"
#include "layer/selection.h"
#include "shape/bodies_store.h"

namespace juxta {
namespace {

using layer_detail::LayerView;

constexpr std::size_t kRound = 16384;  // pairs

// Outwards by `by`, and by all that may be rounded away.
void grow(BoxBlock<3>& block, float by) {
  for (std::uint32_t lane = 0; lane < kBlockLanes; ++lane) {
    for (int axis = 0; axis < 3; ++axis) {
      float& lo = block.lo[axis][lane];
      float& hi = block.hi[axis][lane];
      if (lo <= hi) {  // not an empty lane
        lo = (lo - by) - (std::fabs(lo) + by) * 0x1p-22F;
        hi = (hi + by) + (std::fabs(hi) + by) * 0x1p-22F;
      }
    }
  }
}

// The same lanes with larger boxes. Every level is grown by itself, and holds what is below it before
// rounding: no pair within the margin is missed.
BlockTree<3> grown_tree(const BlockTree<3>& tree, float by, Workspace& workspace, const Executor& executor) {
  BlockTree<3> grown = tree;
  for (std::uint32_t level = 0; level < tree.levels; ++level) {
    const std::span<BoxBlock<3>> blocks = workspace.take<BoxBlock<3>>(tree.blocks[level]);
    grown.level[level] = blocks.data();
    executor.parallel_for(blocks.size(), shape_detail::kGrain, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        blocks[i] = tree.level[level][i];
        grow(blocks[i], by);
      }
    });
  }
  return grown;
}

// Pairs of boxes within the margin, ascending, in the workspace; and what the search for them cost.
struct NearPairs {
  std::span<const Pair> pairs;
  QueryResult cost;
};

NearPairs near_pairs(const Layer& layer, float margin, const FindContactsOptions& options,
                     Workspace& workspace, const Executor* executor) {
  layer_detail::PairSearchPlan<3> plan(layer, workspace, {.only = options.only}, executor);
  BlockTree<3> grown;
  if (margin > 0 && plan.a.tree->levels > 0) {
    grown = grown_tree(*plan.a.tree, margin / 2, workspace, executor_or_serial(executor));
    plan.a.tree = plan.b.tree = &grown;
    plan.tasks = layer_detail::territory_pairs(plan.a, workspace);
  }
  const auto accepted = [&](const Pair& pair) { return options.accept(pair.a, pair.b); };
  layer_detail::KeepPair keep;
  if (options.accept) {
    keep = accepted;
  }
  const QueryResult cost = layer_detail::search_pairs(plan, {}, false, workspace, executor, keep);
  const std::span<Pair> pairs = workspace.take<Pair>(cost.found);
  // No more than are written, should `accept` answer otherwise now.
  const QueryResult again = layer_detail::search_pairs(plan, pairs, true, workspace, executor, keep);
  return {pairs.first(again.written), cost};
}

}  // namespace

Result<QueryResult> Bodies::find_contacts(float margin, std::span<Contact> out,
                                          const FindContactsOptions& options, const Context& context) const {
  JUXTA_TRY(layer_detail::check_only(store_->layer, options.only, "only"));
  if (!(margin >= 0)) {
    return QueryResult{};
  }
  const CallWorkspace workspace(context);
  // An infinite margin would turn the infinities that pad the tree into NaN, and they would meet everything.
  const float reach = std::min(margin, std::numeric_limits<float>::max());
  const NearPairs near = near_pairs(store_->layer, reach, options, *workspace, context.executor);
  const std::span<const Pair> pairs = near.pairs;
  const auto most_of = [this](const Pair& pair) -> std::uint32_t {
    return store_->bodies[pair.a].shape.convex() && store_->bodies[pair.b].shape.convex() ? 1
                                                                                          : kMostManifolds;
  };
  const std::span<std::uint32_t> first = (*workspace).take<std::uint32_t>(std::min(kRound, pairs.size()) + 1);
  const std::span<std::uint32_t> count = (*workspace).take<std::uint32_t>(std::min(kRound, pairs.size()));
  std::size_t capacity = 0;  // of one round: all, if they are few
  for (std::size_t i = 0; i < pairs.size() && capacity < kRound + kMostManifolds; ++i) {
    capacity += most_of(pairs[i]);
  }
  const std::span<Manifold> round = (*workspace).take<Manifold>(capacity);
  QueryResult result{.tested = near.cost.tested, .visited = near.cost.visited};
  for (std::size_t begin = 0; begin < pairs.size();) {
    std::size_t some = 0;
    first[0] = 0;
    for (; begin + some < pairs.size() && first[some] < kRound; ++some) {
      first[some + 1] = first[some] + most_of(pairs[begin + some]);
    }
    executor_or_serial(context.executor)
        .parallel_for(some, shape_detail::kGrain, [&](std::size_t from, std::size_t to) {
          for (std::size_t i = from; i < to; ++i) {
            const Body &a = store_->bodies[pairs[begin + i].a], &b = store_->bodies[pairs[begin + i].b];
            const auto found = contacts(a.shape, a.at, b.shape, b.at, margin,
                                        round.subspan(first[i], first[i + 1] - first[i]));
            count[i] = static_cast<std::uint32_t>(found.written);
          }
        });
    for (std::size_t i = 0; i < some; ++i) {
      for (const Manifold& manifold : round.subspan(first[i], count[i])) {
        if (result.written < out.size()) {
          out[result.written++] = {pairs[begin + i].a, pairs[begin + i].b, manifold};
        }
        ++result.found;
      }
    }
    begin += some;
  }
  return result;
}

}  // namespace juxta
