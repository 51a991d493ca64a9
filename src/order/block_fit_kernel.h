// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: filling the blocks of a tree, a run of blocks a call.
#pragma once

#include <cstdint>

#include "juxta/order/block_order.h"
#include "order/block_tree.h"

namespace juxta::order_detail {

/// Fills blocks [first, last) of level 0 from boxes[order[..]]; lanes from `count` on are empty.
template <int D>
void fill_blocks(BoxBlock<D>* leaves, const Aabb<D>* boxes, const std::uint32_t* order, std::size_t count,
                 std::uint32_t first, std::uint32_t last) noexcept;

/// Lane i of parents[] = bounds of children[i], for parents [first, last); lanes from `children_end` on are
/// empty.
template <int D>
void fit_parents(const BoxBlock<D>* children, std::uint32_t children_end, BoxBlock<D>* parents,
                 std::uint32_t first, std::uint32_t last) noexcept;

/// Sum over blocks [first, last) of the edges of their living lanes, divided by eight.
template <int D>
[[nodiscard]] double edge_sum(const BoxBlock<D>* blocks, std::uint32_t first, std::uint32_t last) noexcept;

/// refit_path() on a whole tree.
template <int D>
void fit_path(BlockTree<D>& tree, std::uint32_t lane) noexcept;

}  // namespace juxta::order_detail
