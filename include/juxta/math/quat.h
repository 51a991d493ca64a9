// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Rotations. Every function is a fixed sequence of IEEE operations, as in vec.h.
#pragma once

#include "juxta/math/product.h"
#include "juxta/math/square_root.h"
#include "juxta/math/vec.h"

namespace juxta {

/// A unit quaternion is a rotation. The default is the identity.
struct Quat {
  float x = 0, y = 0, z = 0, w = 1;
  friend bool operator==(const Quat&, const Quat&) = default;
};

/// First b, then a.
[[nodiscard]] constexpr Quat operator*(Quat a, Quat b) noexcept {
  return {((product(a.w, b.x) + product(a.x, b.w)) + product(a.y, b.z)) - product(a.z, b.y),
          ((product(a.w, b.y) - product(a.x, b.z)) + product(a.y, b.w)) + product(a.z, b.x),
          ((product(a.w, b.z) + product(a.x, b.y)) - product(a.y, b.x)) + product(a.z, b.w),
          ((product(a.w, b.w) - product(a.x, b.x)) - product(a.y, b.y)) - product(a.z, b.z)};
}
[[nodiscard]] constexpr Quat conjugate(Quat q) noexcept {
  return {-q.x, -q.y, -q.z, q.w};
}
/// The cosine of half the angle between two rotations; below 0 when the longer arc leads from a to b.
[[nodiscard]] constexpr float dot(Quat a, Quat b) noexcept {
  return (product(a.x, b.x) + product(a.y, b.y)) + (product(a.z, b.z) + product(a.w, b.w));
}
[[nodiscard]] constexpr float length_squared(Quat q) noexcept {
  return dot(q, q);
}
/// Length 1, by square root and division. The length must not be 0.
[[nodiscard]] inline Quat normalized(Quat q) noexcept {
  const float k = 1 / square_root(length_squared(q));
  return {product(q.x, k), product(q.y, k), product(q.z, k), product(q.w, k)};
}
/// One step of Newton's method towards length 1: a length of 1 + e becomes 1 - 1.5 e^2. What propagation does
/// to every product of two rotations, so that a chain of any depth stays a rotation; a square root and a
/// division would cost as much as all the rest.
[[nodiscard]] constexpr Quat renormalized(Quat q) noexcept {
  const float k = 1.5F - product(0.5F, length_squared(q));
  return {product(q.x, k), product(q.y, k), product(q.z, k), product(q.w, k)};
}
[[nodiscard]] constexpr Vec3 rotate(Quat q, Vec3 v) noexcept {
  const Vec3 axis{q.x, q.y, q.z};
  const Vec3 half = cross(axis, v);
  const Vec3 t = half + half;
  return (v + t * q.w) + cross(axis, t);
}
[[nodiscard]] constexpr bool is_finite(Quat q) noexcept {
  return (q.x * 0 + q.y * 0) + (q.z * 0 + q.w * 0) == 0;
}

}  // namespace juxta
