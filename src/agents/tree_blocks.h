// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: blocks of 16 agents, and bounds of their boxes.
#pragma once

#include <cstdint>
#include <span>

#include "juxta/core/array.h"
#include "order/block_tree.h"

namespace juxta::agents_detail {

/// order's block tree over the agents: lane i of level 0 is the box of row i, extents included, so that one
/// large agent widens the bounds of its own block and not every search.
struct TreeBlocks {
  explicit TreeBlocks(std::pmr::memory_resource* resource) noexcept : flat(resource), deep(resource) {}

  BlockTreePlan plan;
  Array<BoxBlock<2>> flat;  // of a 2D world
  Array<BoxBlock<3>> deep;  // of a 3D one
  std::uint32_t agents = 0;

  template <int D>
  [[nodiscard]] Array<BoxBlock<D>>& blocks() noexcept {
    if constexpr (D == 2) {
      return flat;
    } else {
      return deep;
    }
  }
  template <int D>
  [[nodiscard]] const Array<BoxBlock<D>>& blocks() const noexcept {
    return const_cast<TreeBlocks*>(this)->blocks<D>();
  }
};

}  // namespace juxta::agents_detail
