// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: where triangles lie in their own coordinates, as rays want to know it.
#pragma once

#include <algorithm>
#include <cmath>

#include "juxta/math/aabb.h"
#include "shape/frame.h"

namespace juxta::shape_detail {

/// The box in floats, for kernels: four lanes, of which the last means nothing. `half` holds what is on the
/// far side of a rounded middle.
struct MeshBox {
  alignas(16) float lo[4] = {}, hi[4] = {};
  alignas(16) float middle[4] = {}, half[4] = {};
  /// For EarlyRay (single_ray_kernel.cpp): by how much it grows boxes, twice what make_ready() does for rays
  /// that start near; and directions from this length on are not for it.
  alignas(16) float grow[4] = {};
  float longest_way = 0;
  float beyond = 0;  // MeshExtent::beyond(), not less
};
/// MeshExtent::middle and reach, for kernels.
struct MeshReach {
  alignas(64) double middle[4] = {}, reach[4] = {};
};

struct MeshExtent {
  V3 lo, hi;
  V3 middle, reach;  // |from - middle| <= reach: near
  double size = 0;
  MeshBox box;
  MeshReach lanes;

  MeshExtent() = default;
  explicit MeshExtent(const Aabb3& bounds) noexcept : lo(bounds.lo), hi(bounds.hi), middle((lo + hi) * 0.5) {
    const V3 far{std::max(std::abs(lo.x), std::abs(hi.x)), std::max(std::abs(lo.y), std::abs(hi.y)),
                 std::max(std::abs(lo.z), std::abs(hi.z))};
    size = length(hi - lo) + 1e-6 * length(far);
    reach = (hi - lo) * 0.5 + V3(2, 2, 2) * size;
    take_axis(0, lo.x, hi.x, middle.x, reach.x);
    take_axis(1, lo.y, hi.y, middle.y, reach.y);
    take_axis(2, lo.z, hi.z, middle.z, reach.z);
    box.beyond = narrowed(beyond() * (1 + 0x1p-20));
    const double farthest = std::max({reach.x, reach.y, reach.z}) + size;
    for (int axis = 0; axis < 3; ++axis) {
      const double away = std::abs(lanes.middle[axis]) + lanes.reach[axis];
      box.grow[axis] = narrowed((farthest * 0x1p-19 + away * 0x1p-21) * (1 + 0x1p-20));
    }
    box.longest_way = size > 0x1p-40 && size < 0x1p30 ? 0x1p30F : 0;
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

 private:
  void take_axis(int axis, double least, double most, double mid, double far) noexcept {
    box.lo[axis] = narrowed(least);
    box.hi[axis] = narrowed(most);
    box.middle[axis] = narrowed(mid);
    const double around = static_cast<double>(box.middle[axis]);
    box.half[axis] = narrowed(std::max(most - around, around - least) * (1 + 0x1p-20));
    lanes.middle[axis] = mid;
    lanes.reach[axis] = far;
  }
};

}  // namespace juxta::shape_detail
