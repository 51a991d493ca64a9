// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Compiled for this machine (bench/transform/CMakeLists.txt).
#include "bench/transform/plain_boxes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace juxta::bench {

void plain_boxes(std::span<const Qvvs> transforms, std::span<const Aabb3> local, std::span<Aabb3> out) {
  const Qvvs* __restrict from = transforms.data();
  const Aabb3* __restrict boxes = local.data();
  Aabb3* __restrict to = out.data();
  const std::size_t count = transforms.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto [x, y, z, w] = from[i].rotation;
    const float sx = from[i].scale * from[i].stretch.x, sy = from[i].scale * from[i].stretch.y,
                sz = from[i].scale * from[i].stretch.z;
    const float rows[3][3] = {
        {(1 - 2 * (y * y + z * z)) * sx, 2 * (x * y - w * z) * sy, 2 * (x * z + w * y) * sz},
        {2 * (x * y + w * z) * sx, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z - w * x) * sz},
        {2 * (x * z - w * y) * sx, 2 * (y * z + w * x) * sy, (1 - 2 * (x * x + y * y)) * sz}};
    const float position[3] = {from[i].position.x, from[i].position.y, from[i].position.z};
    float middle[3], half[3];
    for (int axis = 0; axis < 3; ++axis) {
      middle[axis] = 0.5F * (boxes[i].lo[axis] + boxes[i].hi[axis]);
      half[axis] = 0.5F * (boxes[i].hi[axis] - boxes[i].lo[axis]);
    }
    for (int row = 0; row < 3; ++row) {
      const float* m = rows[row];
      const float at = position[row] + (m[0] * middle[0] + m[1] * middle[1] + m[2] * middle[2]);
      const float by = std::abs(m[0]) * half[0] + std::abs(m[1]) * half[1] + std::abs(m[2]) * half[2];
      to[i].lo[row] = at - by;
      to[i].hi[row] = at + by;
    }
  }
}

void plain_unrotated_boxes(std::span<const Qvvs> transforms, std::span<const Aabb3> local,
                           std::span<Aabb3> out) {
  const Qvvs* __restrict from = transforms.data();
  const Aabb3* __restrict boxes = local.data();
  Aabb3* __restrict to = out.data();
  const std::size_t count = transforms.size();
  for (std::size_t i = 0; i < count; ++i) {
    const float size[3] = {from[i].scale * from[i].stretch.x, from[i].scale * from[i].stretch.y,
                           from[i].scale * from[i].stretch.z};
    const float position[3] = {from[i].position.x, from[i].position.y, from[i].position.z};
    for (int axis = 0; axis < 3; ++axis) {
      const float a = position[axis] + size[axis] * boxes[i].lo[axis];
      const float b = position[axis] + size[axis] * boxes[i].hi[axis];
      to[i].lo[axis] = std::min(a, b);
      to[i].hi[axis] = std::max(a, b);
    }
  }
}

}  // namespace juxta::bench
