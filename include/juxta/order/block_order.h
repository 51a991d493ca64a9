// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/export.h"
#include "juxta/core/workspace.h"
#include "juxta/math/aabb.h"
#include "juxta/order/block_tree.h"

namespace juxta {

/// Refuses what no tree can hold: a NaN or infinite side (kNotFinite), an inverted box (kInvalidArgument),
/// with the index of the first; more than 2^32 - 2 boxes (kTooLarge). Cost: about 1 ns a box.
template <int D>
[[nodiscard]] Result<void> check_boxes(std::span<const Aabb<D>> boxes, const Executor* executor = nullptr);

/// How much work an order is worth.
enum class OrderQuality : std::uint8_t {
  kFast,   ///< Along the curve: for boxes that move every frame.
  kTight,  ///< Along the curve, then split at medians again and again, as a k-d tree is: takes some eight
           ///< times as long and lets a ray read a quarter fewer blocks. For boxes that stay.
};

/// The order in which blocks of 16 boxes are small: order[i] is the box that lies at place i.
///
/// First by size class (boxes that are much larger than a block of their neighbours would be stand together
/// at the end, so that they do not spoil the bounds of small ones), then along Hilbert's curve through the
/// centres; cells of the curve that hold more than 16 boxes are ordered again inside, so that worlds of any
/// shape and density keep small blocks. Equal boxes stand in input order.
///
/// Cost:    O(n): about 10 ns a box at 100k; more for crowded cells. Allocates nothing once `workspace` has
///          grown (about 16 bytes a box; 42 for kTight).
/// Threads: uses the executor's; the result is the same for any executor and instruction set.
/// Errors:  kInvalidArgument (lengths differ), kTooLarge, kUnsupportedCpu. Boxes must have passed
/// check_boxes().
///
/// Idea:    size in the key as in Vinkler, Bittner, Havran, "Extended Morton codes for high performance
///          bounding volume hierarchy construction" (HPG 2017); Hilbert packing of boxes as in Kamel and
///          Faloutsos, "Hilbert R-tree" (VLDB 1994).
template <int D>
[[nodiscard]] Result<void> block_order(std::span<const Aabb<D>> boxes, std::span<std::uint32_t> order,
                                       Workspace& workspace, const Executor* executor = nullptr,
                                       OrderQuality quality = OrderQuality::kFast);

/// An entry of an order that leaves its lane empty.
inline constexpr std::uint32_t kEmptyLane = ~std::uint32_t{0};

/// Fills all levels: lane i of level 0 gets boxes[order[i]], or nothing where order[i] is kEmptyLane; lanes
/// past the end of the order get nothing. Zeros lose their sign. Cost: one gather, about 3 ns a box at 100k.
template <int D>
void fill_tree(const BlockTree<D>& tree, std::span<const Aabb<D>> boxes, std::span<const std::uint32_t> order,
               const Executor* executor = nullptr);

/// Fills the levels above from level 0. Cost: about 1 ns a box; the limit is reading level 0.
template <int D>
void fit_levels(const BlockTree<D>& tree, const Executor* executor = nullptr);

/// Sum of the edges of the bounds of the level-0 blocks in lanes [0, lanes), as far as those fill whole
/// level-1 blocks, divided by eight so that it is finite: what refitting compares. Deterministic.
template <int D>
[[nodiscard]] double sum_of_block_edges(const BlockTree<D>& tree, std::uint32_t lanes,
                                        const Executor* executor = nullptr);

/// After lane `lane` changed: brings the bounds of its block, and of the nodes above it, up to date; stops
/// where nothing changes. Cost: about 20 ns a level.
template <int D>
void refit_path(const BlockTree<D>& tree, std::uint32_t lane);

}  // namespace juxta
