// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: which triangle lies on the other side of each edge, for contacts.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "juxta/math/vec.h"

namespace juxta::shape_detail {

inline constexpr std::uint32_t kNoNeighbour = ~std::uint32_t{0};

/// Of edge i, from corner i to the next one. Ends are the same by their places, so that meshes whose vertices
/// are repeated have neighbours too. Edges of one triangle, or of more than two: none.
using EdgeNeighbours = std::array<std::uint32_t, 3>;

[[nodiscard]] std::vector<EdgeNeighbours> edge_neighbours(
    std::span<const Vec3> vertices, std::span<const std::array<std::uint32_t, 3>> triangles);

}  // namespace juxta::shape_detail
