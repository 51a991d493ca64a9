// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: doubles for one shape against one, in the frame of the first.
//
// Two bodies a kilometre from the origin differ by metres: the difference of their positions is exact in
// doubles, and all that follows is as good there as at the origin.
#pragma once

#include <cmath>

#include "juxta/math/qvvs.h"

namespace juxta::shape_detail {

/// x as a float, in truth. gcc 12 takes the double of a float of x for x itself where it turns two or more of
/// them into a vector (-O2), and then a box is not rounded outwards, and -O0 gives other bits: hence memory.
[[nodiscard]] inline float narrowed(double x) noexcept {
  volatile float f = static_cast<float>(x);
  return f;
}

struct V3 {
  double x = 0, y = 0, z = 0;

  V3() = default;
  constexpr V3(double px, double py, double pz) noexcept : x(px), y(py), z(pz) {}
  constexpr V3(const Vec3& v) noexcept  // NOLINT(google-explicit-constructor): widening loses nothing
      : x(static_cast<double>(v.x)), y(static_cast<double>(v.y)), z(static_cast<double>(v.z)) {}
  [[nodiscard]] Vec3 rounded() const noexcept { return {narrowed(x), narrowed(y), narrowed(z)}; }
};
[[nodiscard]] constexpr V3 operator+(V3 a, V3 b) noexcept {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[nodiscard]] constexpr V3 operator-(V3 a, V3 b) noexcept {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[nodiscard]] constexpr V3 operator-(V3 a) noexcept {
  return {-a.x, -a.y, -a.z};
}
[[nodiscard]] constexpr V3 operator*(V3 a, double s) noexcept {
  return {a.x * s, a.y * s, a.z * s};
}
[[nodiscard]] constexpr double dot(V3 a, V3 b) noexcept {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[nodiscard]] constexpr V3 cross(V3 a, V3 b) noexcept {
  return {a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y};
}
[[nodiscard]] inline double length(V3 a) noexcept {
  return std::sqrt(dot(a, a));
}

/// Where a shape stands in a common frame: p -> position + rotation * (p * stretch * scale).
struct Frame {
  V3 row[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  // of the rotation
  V3 position{};
  V3 stretch{1, 1, 1};  // times the scale
  double scale = 1;     // of radii

  Frame() = default;
  /// `at`, seen from `origin`, which is a position in the world.
  Frame(const Qvvs& at, const V3& origin) noexcept;

  [[nodiscard]] V3 turned(V3 v) const noexcept { return {dot(row[0], v), dot(row[1], v), dot(row[2], v)}; }
  [[nodiscard]] V3 turned_back(V3 v) const noexcept { return row[0] * v.x + row[1] * v.y + row[2] * v.z; }
  [[nodiscard]] V3 operator()(V3 p) const noexcept {
    return position + turned({p.x * stretch.x, p.y * stretch.y, p.z * stretch.z});
  }
  /// The inverse, for points and for directions.
  [[nodiscard]] V3 local_point(V3 p) const noexcept { return local_way(p - position); }
  [[nodiscard]] V3 local_way(V3 v) const noexcept {
    const V3 back = turned_back(v);
    return {back.x / stretch.x, back.y / stretch.y, back.z / stretch.z};
  }
  /// A normal of the local shape, as it is in the common frame; not of length 1.
  [[nodiscard]] V3 normal(V3 n) const noexcept {
    return turned({n.x / stretch.x, n.y / stretch.y, n.z / stretch.z});
  }
};

}  // namespace juxta::shape_detail
