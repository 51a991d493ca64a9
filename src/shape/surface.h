// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: one triangle of a mesh or height field as a convex shape, and searches for those that come near.
#pragma once

#include <algorithm>
#include <cstdint>

#include "shape/convex.h"
#include "shape/placed.h"

namespace juxta::detail {

/// A mesh or a height field where it stands.
struct Surface {
  const Triangles* triangles = nullptr;  // null: the shape is convex
  Frame frame;

  explicit Surface(const Placed& placed) noexcept
      : triangles(triangles_of(*placed.shape)), frame(placed.frame) {}

  [[nodiscard]] Convex triangle(std::uint32_t number) const noexcept {
    const std::array<Vec3, 3> corners = triangles->corners(number);
    return convex_of({frame(V3(corners[0])), frame(V3(corners[1])), frame(V3(corners[2]))});
  }
  [[nodiscard]] Extent extent() const noexcept { return extent_of(triangles->bounds(), frame); }

  /// A distance in the common frame, as a bound on distances in coordinates of the mesh. A little more, so
  /// that triangles at that very distance are seen whatever the last bits are.
  [[nodiscard]] double local_limit(double limit) const noexcept {
    return limit / least_stretch(frame) * (1 + 1e-9);
  }
  /// visit(number of the triangle) for those within `limit` of the box; it returns the new limit, in the
  /// common frame.
  template <class Visit>
  void visit_near(const Extent& box, double limit, Visit&& visit) const noexcept {
    triangles->visit_near(local_box(box, frame), local_limit(limit),
                          [&](std::uint32_t number) { return local_limit(visit(number)); });
  }
};

/// The box of a convex shape in the common frame.
[[nodiscard]] inline Extent extent_of(const Convex& convex) noexcept {
  Extent e;
  for (std::uint32_t i = 0; i < convex.count; ++i) {
    e.take(convex.point(i));
  }
  return e.grown(convex.radius);
}

}  // namespace juxta::detail
