// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: one triangle of a mesh or height field as a convex shape, and searches for those that come near.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
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

  [[nodiscard]] std::array<V3, 3> triangle(std::uint32_t number) const noexcept {
    const std::array<Vec3, 3> corners = triangles->corners(number);
    return {frame(V3(corners[0])), frame(V3(corners[1])), frame(V3(corners[2]))};
  }
  [[nodiscard]] Extent extent() const noexcept { return extent_of(triangles->bounds(), frame); }

  /// A distance in the common frame, as a bound on distances in coordinates of the mesh. A little more, so
  /// that triangles at that very distance are seen whatever the last bits are.
  [[nodiscard]] double local_limit(double limit) const noexcept {
    return limit / least_stretch(frame) * (1 + 1e-9);
  }
  /// The box of a convex shape in coordinates of the mesh: smaller than its box in the common frame, turned.
  [[nodiscard]] Aabb3 box_of(const Convex& convex) const noexcept {
    Extent e;
    for (std::uint32_t i = 0; i < convex.count; ++i) {
      e.take(frame.local_point(convex.point(i)));
    }
    return outward(e.grown(convex.radius / least_stretch(frame)));
  }
  /// visit(number of the triangle) for those within `limit` of the box, which is one of the mesh's own
  /// coordinates; it returns the new limit, in the common frame.
  template <class Visit>
  void visit_near(const Aabb3& box, double limit, Visit&& visit) const noexcept {
    triangles->visit_near(box, local_limit(limit),
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

/// Spares most triangles their exact test: what lies behind a plane in front of the convex shape is no nearer
/// than the plane. The best answer so far has the plane that is worth asking.
class Screen {
 public:
  explicit Screen(const Convex& convex) noexcept : convex_(convex) {}

  /// Along `normal`, away from the shape; a new one costs a search for the shape's end. {0, 0, 0}: hides
  /// nothing.
  void turn(V3 normal) noexcept {
    if (normal.x != normal_.x || normal.y != normal_.y || normal.z != normal_.z) {
      normal_ = normal;
      end_ = dot(normal, convex_.point(convex_.support(normal))) + convex_.radius;
    }
  }
  /// All of the triangle is farther than `limit`, by more than rounding: those that are as near stay.
  [[nodiscard]] bool hides(const std::array<V3, 3>& triangle, double limit) const noexcept {
    const double begin =
        std::min({dot(normal_, triangle[0]), dot(normal_, triangle[1]), dot(normal_, triangle[2])});
    return begin - end_ > limit + 1e-9 * (convex_.size + std::abs(begin) + std::abs(end_));
  }

 private:
  const Convex& convex_;
  V3 normal_;
  double end_ = kFar;
};

}  // namespace juxta::detail
