// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// All contacts: the layer's search for pairs over boxes grown by half the margin, then each pair exactly.
//
//   pairs of boxes, ascending | 0 ... 16383 | 16384 ... |      rounds: a contact takes 88 bytes, and most
//   contacts of a round       | x . . x ... |                  pairs of boxes have none
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

Manifold touch(const Body& a, const Body& b, float margin) {
  if (a.shape.convex() && b.shape.convex()) {
    return contact(a.shape, a.at, b.shape, b.at, margin);
  }
  Manifold manifold;
  if (const ClosestPoints near = closest(a.shape, a.at, b.shape, b.at, margin)) {
    manifold.normal = near.normal;
    manifold.count = 1;
    manifold.points[0] = {near.on_a * 0.5F + near.on_b * 0.5F, near.distance};
  }
  return manifold;
}

// Pairs of boxes within the margin, ascending, in the workspace; and what the search for them cost.
struct NearPairs {
  std::span<const Pair> pairs;
  QueryResult cost;
};

NearPairs near_pairs(const Layer& layer, float margin, const FindPairsOptions& options, Workspace& workspace,
                     const Executor* executor) {
  layer_detail::PairSearchPlan<3> plan(layer, workspace, options, executor);
  BlockTree<3> grown;
  if (margin > 0 && plan.a.tree->levels > 0) {
    grown = grown_tree(*plan.a.tree, margin / 2, workspace, executor_or_serial(executor));
    plan.a.tree = plan.b.tree = &grown;
    plan.tasks = layer_detail::territory_pairs(plan.a, workspace);
  }
  const QueryResult cost = layer_detail::search_pairs(plan, {}, false, workspace, executor);
  const std::span<Pair> pairs = workspace.take<Pair>(cost.found);
  (void)layer_detail::search_pairs(plan, pairs, true, workspace, executor);
  return {pairs, cost};
}

}  // namespace

Result<QueryResult> Bodies::find_contacts(float margin, std::span<Contact> out,
                                          const FindPairsOptions& options, const Context& context) const {
  JUXTA_TRY(layer_detail::check_only(store_->layer, options.only, "only"));
  if (!(margin >= 0)) {
    return QueryResult{};
  }
  const CallWorkspace workspace(context);
  // An infinite margin would turn the infinities that pad the tree into NaN, and they would meet everything.
  const float reach = std::min(margin, std::numeric_limits<float>::max());
  const auto [pairs, cost] = near_pairs(store_->layer, reach, options, *workspace, context.executor);
  const std::span<Contact> round = (*workspace).take<Contact>(std::min(kRound, pairs.size()));
  QueryResult result{.tested = cost.tested, .visited = cost.visited};
  for (std::size_t begin = 0; begin < pairs.size(); begin += kRound) {
    const std::span<const Pair> some = pairs.subspan(begin, std::min(kRound, pairs.size() - begin));
    executor_or_serial(context.executor)
        .parallel_for(some.size(), shape_detail::kGrain, [&](std::size_t first, std::size_t last) {
          for (std::size_t i = first; i < last; ++i) {
            const auto [a, b] = some[i];
            round[i] = {a, b, touch(store_->bodies[a], store_->bodies[b], margin)};
          }
        });
    for (const Contact& contact : round.first(some.size())) {
      if (contact.manifold.count == 0) {
        continue;
      }
      if (result.written < out.size()) {
        out[result.written++] = contact;
      }
      ++result.found;
    }
  }
  return result;
}

}  // namespace juxta
