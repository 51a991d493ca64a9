// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: one triangle of a mesh or height field as a convex shape, and searches for those that come near.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "shape/convex.h"
#include "shape/placed.h"

namespace juxta::shape_detail {

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
  void visit_near(const Aabb3& box, double limit, Visit&& visit,
                  const HalfSpace& hidden = {}) const noexcept {
    triangles->visit_near(
        box, local_limit(limit), [&](std::uint32_t number) { return local_limit(visit(number)); }, hidden);
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
  Screen(const Convex& convex, const Surface& mesh) noexcept : convex_(convex), mesh_(mesh) {}

  /// Hides triangles that are farther than `limit` along `normal`, away from the shape, by more than
  /// rounding: those that are as near stay.
  void turn(V3 normal, double limit) noexcept {
    if (normal.x != normal_.x || normal.y != normal_.y || normal.z != normal_.z) {
      normal_ = normal;
      end_ = dot(normal, convex_.point(convex_.support(normal))) + convex_.radius;
    }
    const Frame& frame = mesh_.frame;
    const V3 back = frame.turned_back(normal);
    const V3 way{back.x * frame.stretch.x, back.y * frame.stretch.y, back.z * frame.stretch.z};
    const Aabb3& box = mesh_.triangles->bounds();
    double most = end_ + limit - dot(normal, frame.position);
    double largest = convex_.size + std::abs(end_) + std::abs(most);
    const double along[3] = {way.x, way.y, way.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      hidden_.way[axis] = along[axis];
      largest += std::abs(along[axis]) *
                 static_cast<double>(std::max(std::abs(box.lo[axis]), std::abs(box.hi[axis])));
    }
    hidden_.most = most + 1e-9 * largest;
  }
  /// In the mesh's own coordinates.
  [[nodiscard]] const HalfSpace& hidden() const noexcept { return hidden_; }

 private:
  const Convex& convex_;
  const Surface& mesh_;
  V3 normal_;
  double end_ = kFar;
  HalfSpace hidden_;
};

}  // namespace juxta::shape_detail
