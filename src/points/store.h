// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a tree of points owns, and what its kernels read.
//
//   lane      0 .. 15 | 16 .. 31 | ...      points in the order of space
//   blocks    x x .. x  y y .. y  z z .. z | ...   NaN past the end: near nothing
//   number    which point is in a lane (kNoPoint past the end)
//   boxes     an implicit tree over the bounds of the blocks
//
// Kernels read floats. For points of doubles those are (p - origin) * scale, rounded: at most 1 in magnitude,
// and what they cannot decide is decided by the doubles themselves (`exact`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "juxta/core/array.h"
#include "juxta/points/point_tree.h"
#include "order/block_tree.h"

namespace juxta::points_detail {

inline constexpr std::uint32_t kLanes = kBlockLanes;

/// Sixteen points, side by side: at[axis][lane].
template <int D>
struct alignas(64) PointBlock {
  float at[D][kLanes];
};

/// How doubles become the floats of kernels. For points of floats: unchanged.
template <int D>
struct Frame {
  double origin[D] = {};
  double scale = 1;  // a power of two
};

/// Points in the order of space, wherever they are in memory.
template <int D>
struct PointsView {
  const PointBlock<D>* blocks = nullptr;
  const std::uint32_t* number = nullptr;  // per lane, whole blocks
  BlockTree<D> boxes;                     // lane i of block j of level 0: bounds of blocks[16 j + i]
  std::uint32_t count = 0;                // points
  const double* exact = nullptr;          // D a lane; null for points of floats

  [[nodiscard]] std::uint32_t block_count() const noexcept { return (count + kLanes - 1) / kLanes; }
};

template <int D, class Real>
struct PointStore {
  explicit PointStore(std::pmr::memory_resource* resource)
      : blocks(resource), number(resource), nodes(resource), exact(resource) {}

  PointSpace<D, Real> space;
  Frame<D> frame;
  Array<PointBlock<D>> blocks;
  Array<std::uint32_t> number;
  Array<BoxBlock<D>> nodes;  // all levels
  Array<double> exact;       // empty for floats
  PointsView<D> view;        // over the arrays
};

/// What the library and its tests see of a tree.
struct Access {
  template <int D, class Real>
  [[nodiscard]] static const PointStore<D, Real>& store(const BasicPointTree<D, Real>& tree) noexcept {
    return *tree.store_;
  }
};

}  // namespace juxta::points_detail
