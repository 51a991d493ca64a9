// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "juxta/math/vec.h"

namespace juxta {

/// A closed axis-aligned box of D = 2 or 3 dimensions: its faces belong to it, so touching boxes overlap.
/// A box with lo above hi on an axis, or with a NaN, is empty. An array of boxes is an array of floats, 2 D a
/// box.
template <int D>
struct Aabb {
  Vec<D> lo, hi;

  [[nodiscard]] constexpr bool empty() const noexcept {
    for (int axis = 0; axis < D; ++axis) {
      if (!(lo[axis] <= hi[axis])) {
        return true;
      }
    }
    return false;
  }
  /// True when the boxes have a point in common; -0 equals 0. False when a side is NaN.
  [[nodiscard]] constexpr bool overlaps(const Aabb& other) const noexcept {
    for (int axis = 0; axis < D; ++axis) {
      if (!(lo[axis] <= other.hi[axis] && other.lo[axis] <= hi[axis])) {
        return false;
      }
    }
    return true;
  }
  friend bool operator==(const Aabb&, const Aabb&) = default;
};

using Aabb2 = Aabb<2>;
using Aabb3 = Aabb<3>;

}  // namespace juxta
