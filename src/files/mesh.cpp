// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/files/mesh.h"

#include <algorithm>

namespace juxta {

std::vector<Aabb3> triangle_boxes(const Mesh& mesh) {
  std::vector<Aabb3> boxes(mesh.triangles.size());
  for (std::size_t t = 0; t < boxes.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto [lo, hi] =
          std::minmax({mesh.vertices[a][axis], mesh.vertices[b][axis], mesh.vertices[c][axis]});
      boxes[t].lo[axis] = lo;
      boxes[t].hi[axis] = hi;
    }
  }
  return boxes;
}

}  // namespace juxta
