// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

namespace juxta {

/// A closed axis-aligned box of D = 2 or 3 dimensions: its faces belong to it, so touching boxes overlap.
/// Inverted or NaN: empty. Six (four) floats without padding, so that an array of them can be shared.
template <int D>
struct Aabb {
  static_assert(D == 2 || D == 3);
  float lo[D], hi[D];

  [[nodiscard]] constexpr bool empty() const noexcept {
    for (int axis = 0; axis < D; ++axis) {
      if (!(lo[axis] <= hi[axis])) {
        return true;
      }
    }
    return false;
  }
  /// Touching included; -0 equals 0. False when a side is NaN.
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
