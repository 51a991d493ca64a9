// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "layer/selection.h"

#include <algorithm>

#include "juxta/order/block_order.h"
#include "layer/sorting.h"
#include "order/block_tree.h"

namespace juxta::layer_detail {
namespace {

// The chosen lanes in order: the order that the layer has is as good for some of its bodies.
template <int D>
std::span<const std::uint32_t> chosen_lanes(const LayerStore<D>& store, std::span<const std::uint8_t> only,
                                            Workspace& workspace) {
  const std::span<std::uint32_t> lanes = workspace.take<std::uint32_t>(store.lane_end);
  std::size_t count = 0;
  for (std::uint32_t lane = 0; lane < store.lane_end; ++lane) {
    const std::uint32_t body = store.body_of[lane];
    lanes[count] = lane;
    count += body != kNoBody && only[body] != 0 ? 1 : 0;
  }
  return lanes.first(count);
}

template <int D>
const BlockTree<D>* tree_of(const LayerStore<D>& store, std::span<const std::uint32_t> lanes,
                            Workspace& workspace, const Executor& executor) {
  const BlockTreePlan plan = plan_block_tree(lanes.size());
  BlockTree<D>& tree = workspace.take<BlockTree<D>>(1).front();
  tree = BlockTree<D>(plan, workspace.take<BoxBlock<D>>(plan.total).data());
  for (std::size_t i = 0; i < std::size_t{tree.blocks[0]} * kBlockLanes; ++i) {
    const std::uint32_t lane = i < lanes.size() ? lanes[i] : 0;
    const Aabb<D> box =
        i < lanes.size() ? store.tree.level[0][lane / kBlockLanes].box(lane % kBlockLanes) : empty_lane<D>();
    tree.level[0][i / kBlockLanes].set(i % kBlockLanes, box);
  }
  fit_levels(tree, &executor);
  return &tree;
}

// values[lane] for the chosen lanes, padded like an Array.
std::span<std::uint32_t> gather_lanes(std::span<const std::uint32_t> lanes, const std::uint32_t* values,
                                      std::uint32_t padding, Workspace& workspace) {
  const std::span<std::uint32_t> column = workspace.take<std::uint32_t>(lanes.size() + kBlockLanes);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    column[i] = values[lanes[i]];
  }
  std::fill(column.begin() + static_cast<std::ptrdiff_t>(lanes.size()), column.end(), padding);
  return column;
}

std::span<const std::uint32_t> all_ones(std::size_t lanes, Workspace& workspace) {
  const std::span<std::uint32_t> column = workspace.take<std::uint32_t>(lanes);
  std::fill(column.begin(), column.end(), ~std::uint32_t{0});
  return column;
}

}  // namespace

template <int D>
LayerView<D> select_bodies(const LayerStore<D>& store, std::span<const std::uint8_t> only, bool filtered,
                           Workspace& workspace, const Executor& executor) {
  LayerView<D> view = store.view();
  if (!only.empty()) {
    const std::span<const std::uint32_t> lanes = chosen_lanes(store, only, workspace);
    view.tree = tree_of(store, lanes, workspace, executor);
    view.body_of = gather_lanes(lanes, store.body_of.data(), kNoBody, workspace).data();
    if (store.filtered) {
      view.category = gather_lanes(lanes, store.category.data(), 0, workspace).data();
      view.mask = gather_lanes(lanes, store.mask.data(), 0, workspace).data();
    }
  }
  if (filtered && !store.filtered && view.tree->levels != 0) {
    const std::size_t lanes = std::size_t{view.tree->blocks[0]} * kBlockLanes;
    view.category = view.mask = all_ones(lanes, workspace).data();
  }
  return view;
}

template LayerView<2> select_bodies(const LayerStore<2>&, std::span<const std::uint8_t>, bool, Workspace&,
                                    const Executor&);
template LayerView<3> select_bodies(const LayerStore<3>&, std::span<const std::uint8_t>, bool, Workspace&,
                                    const Executor&);

}  // namespace juxta::layer_detail
