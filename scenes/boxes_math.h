// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What std::cbrt, std::exp and std::normal_distribution would do, but with the same bits everywhere: only
// operations that IEEE 754 rounds in one way.
#pragma once

#include "juxta/math/aabb.h"
#include "scenes/draws.h"

namespace juxta::scenes {

/// For v >= 0, to the last few bits of a double. Newton from above falls until rounding stops it.
[[nodiscard]] inline double cube_root(double v) noexcept {
  double x = v < 1 ? 1 : v;
  for (double next = 0; v > 0; x = next) {
    next = (2 * x + v / (x * x)) / 3;
    if (next >= x) {
      break;
    }
  }
  return v > 0 ? x : 0;
}

/// e^x for |x| <= 100, to about 1e-12 of itself: (e^(x / 1024))^1024.
[[nodiscard]] inline double exponential(double x) noexcept {
  const double small = x / 1024;
  double sum = 1;
  for (int term = 10; term > 0; --term) {
    sum = 1 + sum * small / term;
  }
  for (int doubling = 0; doubling < 10; ++doubling) {
    sum *= sum;
  }
  return sum;
}

/// Mean 0, variance 1, within (-6, 6): the sum of twelve uniform numbers, exact in double.
[[nodiscard]] inline double normal(Draws& draws) noexcept {
  double sum = -6;
  for (int i = 0; i < 12; ++i) {
    sum += static_cast<double>(draws.unit());
  }
  return sum;
}

[[nodiscard]] inline Aabb3 box_around(const Vec3& centre, const Vec3& edge) noexcept {
  Aabb3 box{};
  for (int axis = 0; axis < 3; ++axis) {
    box.lo[axis] = centre[axis] - 0.5F * edge[axis];
    box.hi[axis] = centre[axis] + 0.5F * edge[axis];
  }
  return box;
}

}  // namespace juxta::scenes
