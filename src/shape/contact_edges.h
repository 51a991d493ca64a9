// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: directions in which a triangle of a surface may be touched.
#pragma once

#include <array>
#include <cstdint>

#include "shape/convex.h"
#include "shape/surface.h"
#include "shape/surface_edges.h"

namespace juxta::shape_detail {

/// How a contact's normal stands to the edges of its triangle.
enum class Leaning : std::uint8_t {
  kAllowed,
  kOverEdge,  // of the inside of the surface: only the triangle's own normal counts
  kOverSeam,  // the same, and what it leans over belongs to another surface
};

/// A mesh or height field with what lies beside its triangles.
class EdgeRules {
 public:
  explicit EdgeRules(const Placed& placed) noexcept;

  /// Whether `triangle` may touch `solid` along `normal`, from the triangle to the solid. Otherwise only
  /// along `face`, its own normal on the side of the solid.
  [[nodiscard]] Leaning leaning(std::uint32_t triangle, V3 normal, const Convex& solid,
                                V3& face) const noexcept;

 private:
  /// Walks around the corner of the contact, over level edges, as far as the normal leans over them.
  [[nodiscard]] Leaning around_corner(std::uint32_t triangle, std::array<V3, 3> c, V3 normal,
                                      V3 face) const noexcept;
  Surface surface_;
  SurfaceEdges edges_;
};

}  // namespace juxta::shape_detail
