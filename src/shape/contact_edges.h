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
struct Leaning {
  enum Kind : std::uint8_t {
    kAllowed,
    kOverEdge,  // of the inside of the surface: only `face` counts
    kOverSeam,  // the same, and the surface goes on in another one: `beyond` counts, too
  };
  Kind kind = kAllowed;
  V3 face;    // the triangle's own normal, on the side of the solid
  V3 beyond;  // that of the triangle across the seam, on the same side of the two
  V3 seam;    // a point of both
};

/// A mesh or height field with what lies beside its triangles.
class EdgeRules {
 public:
  explicit EdgeRules(const Placed& placed) noexcept;

  /// Whether `triangle` may touch `solid` in its point `point` along `normal`, from the triangle to the
  /// solid.
  [[nodiscard]] Leaning leaning(std::uint32_t triangle, V3 point, V3 normal,
                                const Convex& solid) const noexcept;

 private:
  /// Walks around the corner of the contact, over level edges, as far as the normal leans over them.
  [[nodiscard]] Leaning around_corner(std::uint32_t triangle, std::array<V3, 3> c, V3 point, V3 normal,
                                      V3 face) const noexcept;
  Surface surface_;
  SurfaceEdges edges_;
};

}  // namespace juxta::shape_detail
