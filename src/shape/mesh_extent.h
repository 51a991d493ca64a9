// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: where triangles lie in their own coordinates, as rays want to know it.
#pragma once

#include <algorithm>
#include <cmath>

#include "juxta/math/aabb.h"
#include "shape/frame.h"

namespace juxta::shape_detail {

struct MeshExtent {
  V3 lo, hi;
  V3 middle, reach;  // |from - middle| <= reach: near
  double size = 0;

  MeshExtent() = default;
  explicit MeshExtent(const Aabb3& box) noexcept : lo(box.lo), hi(box.hi), middle((lo + hi) * 0.5) {
    const V3 far{std::max(std::abs(lo.x), std::abs(hi.x)), std::max(std::abs(lo.y), std::abs(hi.y)),
                 std::max(std::abs(lo.z), std::abs(hi.z))};
    size = length(hi - lo) + 1e-6 * length(far);
    reach = (hi - lo) * 0.5 + V3(2, 2, 2) * size;
  }
  [[nodiscard]] bool empty() const noexcept { return !(lo.x <= hi.x); }
  /// Of t: how far the tree's floats may be off, and what an end of a ray forgives.
  [[nodiscard]] double trust() const noexcept { return size * 1e-4; }
  [[nodiscard]] double slack() const noexcept { return size * 1e-7; }
  /// What the tree is given beyond a ray's end: all whose exact t is before the end, and so the answer does
  /// not depend on where behind it a ray ends.
  [[nodiscard]] double beyond() const noexcept { return size * 1.1e-4; }
  /// No ray that starts near is longer while it is in the box.
  [[nodiscard]] double longest() const noexcept { return size * 16; }
};

}  // namespace juxta::shape_detail
