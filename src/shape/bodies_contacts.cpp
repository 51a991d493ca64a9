// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// All contacts: the layer's search for pairs over boxes grown by half the margin, then each pair exactly.
//
//   pairs of boxes, ascending | 0 ... 16383 | 16384 ... |      rounds: a contact takes 88 bytes, and most
//   contacts of a round       | x . . x ... |                  pairs of boxes have none
//   out                       | x x ...                        those there are, in the order of the pairs
#include <algorithm>
#include <cmath>
#include <limits>

#include "juxta/shape/bodies.h"
#include "layer/pair_tasks.h"
#include "layer/selection.h"
#include "shape/bodies_store.h"

namespace juxta {
namespace {

using layer_detail::LayerView;

constexpr std::size_t kRound = 16384;  // pairs
constexpr std::size_t kGrain = 64;     // pairs a task

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
    executor.parallel_for(blocks.size(), kGrain, [&](std::size_t first, std::size_t last) {
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

// Ascending pairs of boxes, from the workspace.
std::span<const Pair> near_pairs(const Layer& layer, float margin, Workspace& workspace,
                                 const FindPairsOptions& options, FindPairsResult& result) {
  layer_detail::PairSearchPlan<3> plan(layer, workspace, options);
  BlockTree<3> grown;
  if (margin > 0 && plan.a.tree->levels > 0) {
    grown = grown_tree(*plan.a.tree, margin / 2, workspace, executor_or_serial(options.executor));
    plan.a.tree = plan.b.tree = &grown;
    plan.tasks = layer_detail::territory_pairs(plan.a, workspace);
  }
  FindPairsOptions sorted = options;
  sorted.sorted = false;
  result = layer_detail::search_pairs(plan, {}, workspace, sorted);
  const std::span<Pair> pairs = workspace.take<Pair>(result.found);
  sorted.sorted = true;
  (void)layer_detail::search_pairs(plan, pairs, workspace, sorted);
  return pairs;
}

}  // namespace

FindPairsResult Bodies::find_contacts(Workspace& workspace, std::span<Contact> out, float margin,
                                      const FindPairsOptions& options) const {
  FindPairsResult result;
  result.refused = !layer_detail::fits(store_->layer, options.only);
  if (!(margin >= 0) || result.refused) {
    return result;
  }
  const Workspace::Scope scope(workspace);
  const std::span<const Pair> pairs = near_pairs(store_->layer, margin, workspace, options, result);
  const std::span<Contact> round = workspace.take<Contact>(std::min(kRound, pairs.size()));
  result.found = result.written = 0;
  for (std::size_t begin = 0; begin < pairs.size(); begin += kRound) {
    const std::size_t count = std::min(kRound, pairs.size() - begin);
    executor_or_serial(options.executor)
        .parallel_for(count, kGrain, [&](std::size_t first, std::size_t last) {
          for (std::size_t i = first; i < last; ++i) {
            const auto [a, b] = pairs[begin + i];
            round[i] = {a, b, touch(store_->bodies[a], store_->bodies[b], margin)};
          }
        });
    for (std::size_t i = 0; i < count; ++i) {
      if (round[i].manifold.count == 0) {
        continue;
      }
      if (result.written < out.size()) {
        out[result.written++] = round[i];
      }
      ++result.found;
    }
  }
  return result;
}

}  // namespace juxta
