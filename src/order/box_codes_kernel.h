// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what block_order() asks of many boxes at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "juxta/math/aabb.h"

namespace juxta::order_detail {

/// A quarter of lo + hi: the centre, at half its size so that nothing overflows.
template <int D>
struct CentreRange {
  float lo[D], hi[D];
  bool sound = true;  // every box finite and not inverted

  CentreRange() noexcept {
    for (int axis = 0; axis < D; ++axis) {
      lo[axis] = std::numeric_limits<float>::infinity();
      hi[axis] = -std::numeric_limits<float>::infinity();
    }
  }
  void join(const CentreRange& other) noexcept {
    for (int axis = 0; axis < D; ++axis) {
      lo[axis] = other.lo[axis] < lo[axis] ? other.lo[axis] : lo[axis];
      hi[axis] = other.hi[axis] > hi[axis] ? other.hi[axis] : hi[axis];
    }
    sound = sound && other.sound;
  }
};

/// How boxes become codes: cell = (centre - origin) * scale, `bits` bits an axis; above the curve's bits the
/// size class: how many of `class_edge` are less than the longest edge.
template <int D>
struct CodeGrid {
  float origin[D];
  float scale = 0;
  unsigned bits = 1;  // 1 .. 10 (3D), 1 .. 15 (2D)
  float class_edge[3] = {};
};

/// The range of centres of boxes[0, n); whether all are sound.
template <int D>
[[nodiscard]] CentreRange<D> centre_range(const Aabb<D>* boxes, std::size_t n) noexcept;
template <int D>
[[nodiscard]] CentreRange<D> centre_range_reference(const Aabb<D>* boxes, std::size_t n) noexcept;

/// codes[i] of boxes[i], i < n.
template <int D>
void box_codes(const Aabb<D>* boxes, std::size_t n, const CodeGrid<D>& grid, std::uint32_t* codes) noexcept;
template <int D>
void box_codes_reference(const Aabb<D>* boxes, std::size_t n, const CodeGrid<D>& grid,
                         std::uint32_t* codes) noexcept;

}  // namespace juxta::order_detail
