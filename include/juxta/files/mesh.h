// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "juxta/math/aabb.h"

namespace juxta {

/// Triangles that share vertices.
struct Mesh {
  std::vector<Vec3> vertices;                           ///< Finite.
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< Places in `vertices`, each below its size.
};

/// The box of every triangle: box i is triangle i.
[[nodiscard]] std::vector<Aabb3> triangle_boxes(const Mesh& mesh);

}  // namespace juxta
