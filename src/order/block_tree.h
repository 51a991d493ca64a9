// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/export.h"
#include "juxta/core/workspace.h"
#include "juxta/math/aabb.h"

namespace juxta {

// An implicit tree of blocks of 16 boxes: no pointers, one block is one short run of SIMD compares.
//
//   items along a curve      | 0 ... 15 | 16 ... 31 | ...      level 0: the boxes themselves, 16 a block
//   bounds of 16 blocks      |        lanes 0 ... 15        |  level 1: lane i of block j: block 16 j + i
//   ... up to the first level that is one block, at least level 1: every block has its bounds in a parent
//
// Lanes without an item hold lo = +inf, hi = -inf: neutral to bounds, and no finite query overlaps them.

inline constexpr std::uint32_t kBlockLanes = 16;
inline constexpr std::uint32_t kMaxTreeLevels = 8;  // 16^8 = 2^32 items

/// Sixteen boxes, side by side: lo[axis][lane].
template <int D>
struct alignas(64) BoxBlock {
  float lo[D][kBlockLanes];
  float hi[D][kBlockLanes];

  [[nodiscard]] Aabb<D> box(std::uint32_t lane) const noexcept {
    Aabb<D> box{};
    for (int axis = 0; axis < D; ++axis) {
      box.lo[axis] = lo[axis][lane];
      box.hi[axis] = hi[axis][lane];
    }
    return box;
  }
  void set(std::uint32_t lane, const Aabb<D>& box) noexcept {
    for (int axis = 0; axis < D; ++axis) {
      lo[axis][lane] = box.lo[axis];
      hi[axis][lane] = box.hi[axis];
    }
  }
};

/// How many blocks each level has: a pure function of the number of items.
struct BlockTreePlan {
  std::array<std::uint32_t, kMaxTreeLevels> blocks{};
  std::uint32_t levels = 0;  ///< 0 for no items.
  std::size_t total = 0;     ///< Blocks of all levels together.
};
[[nodiscard]] JUXTA_API BlockTreePlan plan_block_tree(std::size_t items) noexcept;

/// Where the blocks of each level are. Const goes along: a const tree gives const blocks.
template <int D>
class TreeLevels {
 public:
  [[nodiscard]] BoxBlock<D>*& operator[](std::size_t level) noexcept { return blocks_[level]; }
  [[nodiscard]] const BoxBlock<D>* operator[](std::size_t level) const noexcept { return blocks_[level]; }

 private:
  BoxBlock<D>* blocks_[kMaxTreeLevels] = {};
};

/// A tree somewhere in memory: all levels in one array, level 0 first. Whoever has a const one only reads.
template <int D>
struct BlockTree {
  TreeLevels<D> level;
  std::array<std::uint32_t, kMaxTreeLevels> blocks{};
  std::uint32_t levels = 0;

  BlockTree() = default;
  /// `memory` holds plan.total blocks.
  BlockTree(const BlockTreePlan& plan, BoxBlock<D>* memory) noexcept
      : blocks(plan.blocks), levels(plan.levels) {
    for (std::uint32_t l = 0; l < levels; ++l) {
      level[l] = memory;
      memory += blocks[l];
    }
  }
};

/// An entry of an order that leaves its lane empty.
inline constexpr std::uint32_t kEmptyLane = ~std::uint32_t{0};

/// Fills all levels: lane i of level 0 gets boxes[order[i]], or nothing where order[i] is kEmptyLane; lanes
/// past the end of the order get nothing. Zeros lose their sign. Cost: one gather, about 3 ns a box at 100k.
template <int D>
void fill_tree(BlockTree<D>& tree, std::span<const Aabb<D>> boxes, std::span<const std::uint32_t> order,
               const Executor* executor = nullptr);

/// Fills the levels above from level 0. Cost: about 1 ns a box; the limit is reading level 0.
template <int D>
void fit_levels(BlockTree<D>& tree, const Executor* executor = nullptr);

/// Sum of the edges of the bounds of the level-0 blocks in lanes [0, lanes), as far as those fill whole
/// level-1 blocks, divided by eight so that it is finite: what refitting compares. Deterministic.
template <int D>
[[nodiscard]] double sum_of_block_edges(const BlockTree<D>& tree, std::uint32_t lanes,
                                        const Executor* executor = nullptr);

/// After lane `lane` changed: brings the bounds of its block, and of the nodes above it, up to date; stops
/// where nothing changes. Cost: about 20 ns a level.
template <int D>
void refit_path(BlockTree<D>& tree, std::uint32_t lane);

}  // namespace juxta
