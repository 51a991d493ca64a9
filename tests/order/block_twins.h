// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What block orders and trees are, said plainly: the library's kernels are held against these, here and in
// fuzz/order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "juxta/order/block_order.h"
#include "order/block_tree.h"
#include "order/block_worlds.h"

namespace juxta::test {

/// The box of lanes without an item: neutral to bounds.
template <int D>
Aabb<D> empty_lane() {
  Aabb<D> box{};
  box.lo = Vec<D>::all(std::numeric_limits<float>::infinity());
  box.hi = Vec<D>::all(-std::numeric_limits<float>::infinity());
  return box;
}

template <int D>
bool same_bits(const Aabb<D>& a, const Aabb<D>& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

template <int D>
Aabb<D> joined(Aabb<D> a, const Aabb<D>& b) {
  for (int axis = 0; axis < D; ++axis) {
    a.lo[axis] = b.lo[axis] < a.lo[axis] ? b.lo[axis] : a.lo[axis];
    a.hi[axis] = b.hi[axis] > a.hi[axis] ? b.hi[axis] : a.hi[axis];
  }
  return a;
}

template <int D>
Aabb<D> bounds_twin(const BoxBlock<D>& block) {
  Aabb<D> bounds = empty_lane<D>();
  for (std::uint32_t lane = 0; lane < kBlockLanes; ++lane) {
    bounds = joined(bounds, block.box(lane));
  }
  return bounds;
}

/// fill_blocks(): lane i holds boxes[order[i]] without signs of zeros, or nothing.
template <int D>
void fill_blocks_twin(BoxBlock<D>* leaves, std::span<const Aabb<D>> boxes,
                      std::span<const std::uint32_t> order, std::uint32_t first, std::uint32_t last) {
  for (std::size_t at = std::size_t{first} * kBlockLanes; at < std::size_t{last} * kBlockLanes; ++at) {
    Aabb<D> box = empty_lane<D>();
    if (at < order.size() && order[at] != kEmptyLane) {
      box = boxes[order[at]];
      for (int axis = 0; axis < D; ++axis) {
        box.lo[axis] = box.lo[axis] == 0 ? 0 : box.lo[axis];
        box.hi[axis] = box.hi[axis] == 0 ? 0 : box.hi[axis];
      }
    }
    leaves[at / kBlockLanes].set(static_cast<std::uint32_t>(at % kBlockLanes), box);
  }
}

/// fit_parents(): lane i of parents[p] bounds children[16 p + i].
template <int D>
void fit_parents_twin(const BoxBlock<D>* children, std::uint32_t end, BoxBlock<D>* parents,
                      std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t p = first; p < last; ++p) {
    for (std::uint32_t lane = 0; lane < kBlockLanes; ++lane) {
      const std::uint32_t child = p * kBlockLanes + lane;
      parents[p].set(lane, child < end ? bounds_twin(children[child]) : empty_lane<D>());
    }
  }
}

/// edge_sum(): floats along the axes of a lane, doubles from lane to lane.
template <int D>
double edge_sum_twin(const BoxBlock<D>* blocks, std::uint32_t first, std::uint32_t last) {
  double sum = 0;
  for (std::uint32_t b = first; b < last; ++b) {
    for (std::uint32_t lane = 0; lane < kBlockLanes; ++lane) {
      const Aabb<D> box = blocks[b].box(lane);
      float edges = 0;
      for (int axis = 0; axis < D && !box.empty(); ++axis) {
        edges += box.hi[axis] * 0.125F - box.lo[axis] * 0.125F;
      }
      sum += static_cast<double>(edges);
    }
  }
  return sum;
}

/// A tree and its memory.
template <int D>
struct OwnedTree {
  BlockTreePlan plan;
  std::vector<BoxBlock<D>> blocks;
  BlockTree<D> tree;

  explicit OwnedTree(std::size_t lanes)
      : plan(plan_block_tree(lanes)), blocks(plan.total), tree(plan, blocks.data()) {
    BoxBlock<D> other;
    std::memset(static_cast<void*>(&other), 0x7F, sizeof other);  // what no fill leaves behind
    std::fill(blocks.begin(), blocks.end(), other);
  }
  OwnedTree(const OwnedTree&) = delete;
  OwnedTree& operator=(const OwnedTree&) = delete;
};

template <int D>
bool same_bits(const OwnedTree<D>& a, const OwnedTree<D>& b) {
  return a.blocks.size() == b.blocks.size() &&
         (a.blocks.empty() ||
          std::memcmp(a.blocks.data(), b.blocks.data(), a.blocks.size() * sizeof(BoxBlock<D>)) == 0);
}

/// fill_tree() on a whole tree, from the twins.
template <int D>
void fill_tree_twin(OwnedTree<D>& owned, std::span<const Aabb<D>> boxes,
                    std::span<const std::uint32_t> order) {
  BlockTree<D>& tree = owned.tree;
  if (tree.levels > 0) {
    fill_blocks_twin<D>(tree.level[0], boxes, order, 0, tree.blocks[0]);
  }
  for (std::uint32_t l = 1; l < tree.levels; ++l) {
    fit_parents_twin<D>(tree.level[l - 1], tree.blocks[l - 1], tree.level[l], 0, tree.blocks[l]);
  }
}

/// Whether order[] names each of n boxes once.
inline bool is_permutation(std::span<const std::uint32_t> order) {
  std::vector<bool> seen(order.size());
  for (const std::uint32_t box : order) {
    if (box >= order.size() || seen[box]) {
      return false;
    }
    seen[box] = true;
  }
  return true;
}

/// Whether equal boxes stand in input order.
template <int D>
bool keeps_input_order(std::span<const Aabb<D>> boxes, std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> place(order.size()), by_value(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = static_cast<std::uint32_t>(i);
  }
  std::iota(by_value.begin(), by_value.end(), 0U);
  std::sort(by_value.begin(), by_value.end(), [&](std::uint32_t a, std::uint32_t b) {
    return less_box(boxes[a], boxes[b]) || (!less_box(boxes[b], boxes[a]) && a < b);
  });
  for (std::size_t i = 1; i < by_value.size(); ++i) {
    const std::uint32_t a = by_value[i - 1], b = by_value[i];
    if (!less_box(boxes[a], boxes[b]) && place[a] > place[b]) {
      return false;
    }
  }
  return true;
}

}  // namespace juxta::test
