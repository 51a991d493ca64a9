// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: directions in which a triangle of a surface may be touched.
#pragma once

#include <array>
#include <cstdint>

#include "shape/convex.h"
#include "shape/mesh_edges.h"
#include "shape/surface.h"

namespace juxta::shape_detail {

/// A mesh or height field with what lies beside its triangles.
class EdgeRules {
 public:
  explicit EdgeRules(const Placed& placed) noexcept;

  /// Whether `triangle` may touch `solid` along `normal`, from the triangle to the solid. False: only along
  /// `face`, its own normal on the side of the solid.
  [[nodiscard]] bool allows(std::uint32_t triangle, V3 normal, const Convex& solid, V3& face) const noexcept;

 private:
  /// Walks around the corner of the contact, over level edges, as far as the normal leans over them.
  [[nodiscard]] bool crosses_no_edge(std::uint32_t triangle, std::array<V3, 3> c, V3 normal,
                                     V3 face) const noexcept;
  [[nodiscard]] EdgeNeighbours neighbours(std::uint32_t triangle) const noexcept;
  Surface surface_;
  const std::vector<EdgeNeighbours>* mesh_;
  const HeightFieldStore* field_;
};

}  // namespace juxta::shape_detail
