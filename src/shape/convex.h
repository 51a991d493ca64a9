// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: all convex kinds as one: the hull of some points (the core), and all within a radius of it.
//
//   sphere    1 point + r       box        8 points
//   capsule   2 points + r      triangle   3 points      hull   its vertices
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "juxta/shape/shape.h"
#include "shape/frame.h"

namespace juxta::shape_detail {

/// A convex shape in a common frame. Small cores are placed once, hulls vertex by vertex when asked.
struct Convex {
  std::array<V3, 8> corners;        // in the common frame; of a hull: none
  std::uint32_t count = 0;          // of the core's points
  std::span<const Vec3> vertices;   // of a hull, in its own coordinates
  const double* columns = nullptr;  // the same as HullStore has them; null: there are none
  Frame frame;
  double radius = 0;
  double size = 0;  // of the whole: the largest distance of a point from the middle, for tolerances
  const Shape* shape = nullptr;

  /// The core's point `i`.
  [[nodiscard]] V3 point(std::uint32_t i) const noexcept {
    return vertices.empty() ? corners[i] : frame(vertices[i]);
  }
  /// The number of the core's point farthest along a direction; of several the lowest.
  [[nodiscard]] std::uint32_t support(V3 direction) const noexcept;
};
/// `shape` is convex; it outlives the result.
[[nodiscard]] Convex convex_of(const Shape& shape, const Frame& frame) noexcept;
/// A triangle that stands in the common frame already.
[[nodiscard]] Convex convex_of(const std::array<V3, 3>& corners) noexcept;

/// Half the diagonal of its box: the size of a triangle.
[[nodiscard]] double half_diagonal(const std::array<V3, 3>& corners) noexcept;

/// The nearest points of two, or the shortest way out of each other.
struct Near {
  double distance = std::numeric_limits<double>::infinity();  // below 0: depth
  V3 on_a, on_b;
  V3 normal;  // of length 1, from a to b
};
/// False, and `near.distance` a lower bound above it: farther apart than `most`. Both of any size, flat or
/// points.
[[nodiscard]] bool closest_convex(const Convex& a, const Convex& b, double most, Near& near) noexcept;

/// When a, moved by `way`, first touches b: t in [0, most], most <= 1.
struct Touch {
  double t = std::numeric_limits<double>::infinity();
  V3 point, normal;     // normal from b to a
  double distance = 0;  // below 0: how deep they overlap at t = 0
};
[[nodiscard]] bool cast_convex(const Convex& a, V3 way, const Convex& b, double most, Touch& touch) noexcept;

}  // namespace juxta::shape_detail
