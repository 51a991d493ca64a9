// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Points and directions of 2 or 3 dimensions. Every function is a fixed sequence of IEEE operations: the same
// bits as the SIMD kernels, on every machine and under your own compiler flags (product.h), except for
// -ffast-math.
#pragma once

#include "juxta/math/product.h"
#include "juxta/math/square_root.h"

namespace juxta {

/// A point, a direction or a size in D = 2 or 3 dimensions: D floats without padding.
template <int D>
struct Vec;

template <>
struct Vec<2> {
  float x = 0, y = 0;

  /// Axis 0 is x, axis 1 is y. Any integer type.
  template <class Axis>
  [[nodiscard]] constexpr float operator[](Axis axis) const noexcept {
    return axis == 0 ? x : y;
  }
  template <class Axis>
  [[nodiscard]] constexpr float& operator[](Axis axis) noexcept {
    return axis == 0 ? x : y;
  }
  /// Axis by axis.
  [[nodiscard]] float* begin() noexcept { return &x; }
  [[nodiscard]] float* end() noexcept { return &x + 2; }
  [[nodiscard]] const float* begin() const noexcept { return &x; }
  [[nodiscard]] const float* end() const noexcept { return &x + 2; }
  /// The vector with the same value on every axis.
  [[nodiscard]] static constexpr Vec all(float value) noexcept { return {value, value}; }
  friend bool operator==(const Vec&, const Vec&) = default;
};

template <>
struct Vec<3> {
  float x = 0, y = 0, z = 0;

  /// Axis 0 is x, axis 1 is y, axis 2 is z. Any integer type.
  template <class Axis>
  [[nodiscard]] constexpr float operator[](Axis axis) const noexcept {
    return axis == 0 ? x : axis == 1 ? y : z;
  }
  template <class Axis>
  [[nodiscard]] constexpr float& operator[](Axis axis) noexcept {
    return axis == 0 ? x : axis == 1 ? y : z;
  }
  /// Axis by axis.
  [[nodiscard]] float* begin() noexcept { return &x; }
  [[nodiscard]] float* end() noexcept { return &x + 3; }
  [[nodiscard]] const float* begin() const noexcept { return &x; }
  [[nodiscard]] const float* end() const noexcept { return &x + 3; }
  /// The vector with the same value on every axis.
  [[nodiscard]] static constexpr Vec all(float value) noexcept { return {value, value, value}; }
  friend bool operator==(const Vec&, const Vec&) = default;
};

using Vec2 = Vec<2>;
using Vec3 = Vec<3>;

[[nodiscard]] constexpr Vec2 operator+(Vec2 a, Vec2 b) noexcept {
  return {a.x + b.x, a.y + b.y};
}
[[nodiscard]] constexpr Vec2 operator-(Vec2 a, Vec2 b) noexcept {
  return {a.x - b.x, a.y - b.y};
}
[[nodiscard]] constexpr Vec2 operator-(Vec2 a) noexcept {
  return {-a.x, -a.y};
}
/// Component by component.
[[nodiscard]] constexpr Vec2 operator*(Vec2 a, Vec2 b) noexcept {
  return {product(a.x, b.x), product(a.y, b.y)};
}
[[nodiscard]] constexpr Vec2 operator*(Vec2 a, float s) noexcept {
  return {product(a.x, s), product(a.y, s)};
}
[[nodiscard]] constexpr Vec2 operator/(Vec2 a, float s) noexcept {
  return {a.x / s, a.y / s};
}
/// a.x b.x + a.y b.y.
[[nodiscard]] constexpr float dot(Vec2 a, Vec2 b) noexcept {
  return product(a.x, b.x) + product(a.y, b.y);
}
/// The z of the cross product in space: above 0 when b is to the left of a.
[[nodiscard]] constexpr float cross(Vec2 a, Vec2 b) noexcept {
  return product(a.x, b.y) - product(b.x, a.y);
}
/// No NaN, no infinity. x * 0 is 0 for every finite x, and NaN for the others.
[[nodiscard]] constexpr bool is_finite(Vec2 v) noexcept {
  return v.x * 0 + v.y * 0 == 0;
}

[[nodiscard]] constexpr Vec3 operator+(Vec3 a, Vec3 b) noexcept {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[nodiscard]] constexpr Vec3 operator-(Vec3 a, Vec3 b) noexcept {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[nodiscard]] constexpr Vec3 operator-(Vec3 a) noexcept {
  return {-a.x, -a.y, -a.z};
}
/// Component by component.
[[nodiscard]] constexpr Vec3 operator*(Vec3 a, Vec3 b) noexcept {
  return {product(a.x, b.x), product(a.y, b.y), product(a.z, b.z)};
}
[[nodiscard]] constexpr Vec3 operator*(Vec3 a, float s) noexcept {
  return {product(a.x, s), product(a.y, s), product(a.z, s)};
}
[[nodiscard]] constexpr Vec3 operator/(Vec3 a, float s) noexcept {
  return {a.x / s, a.y / s, a.z / s};
}
/// a.x b.x + a.y b.y + a.z b.z, from left to right.
[[nodiscard]] constexpr float dot(Vec3 a, Vec3 b) noexcept {
  return (product(a.x, b.x) + product(a.y, b.y)) + product(a.z, b.z);
}
[[nodiscard]] constexpr Vec3 cross(Vec3 a, Vec3 b) noexcept {
  return {product(a.y, b.z) - product(b.y, a.z), product(a.z, b.x) - product(b.z, a.x),
          product(a.x, b.y) - product(b.x, a.y)};
}
/// No NaN, no infinity. x * 0 is 0 for every finite x, and NaN for the others.
[[nodiscard]] constexpr bool is_finite(Vec3 v) noexcept {
  return v.x * 0 + v.y * 0 + v.z * 0 == 0;
}

template <int D>
constexpr Vec<D>& operator+=(Vec<D>& a, Vec<D> b) noexcept {
  return a = a + b;
}
template <int D>
constexpr Vec<D>& operator-=(Vec<D>& a, Vec<D> b) noexcept {
  return a = a - b;
}
template <int D>
constexpr Vec<D>& operator*=(Vec<D>& a, float s) noexcept {
  return a = a * s;
}
template <int D>
[[nodiscard]] constexpr Vec<D> operator*(float s, Vec<D> a) noexcept {
  return a * s;
}
template <int D>
[[nodiscard]] constexpr float length_squared(Vec<D> v) noexcept {
  return dot(v, v);
}
/// Infinite where the square is beyond float (lengths above 1.8e19).
template <int D>
[[nodiscard]] inline float length(Vec<D> v) noexcept {
  return square_root(dot(v, v));
}
/// The vector of length 1 in the direction of v; the zero vector for the zero vector.
template <int D>
[[nodiscard]] inline Vec<D> normalized(Vec<D> v) noexcept {
  const float norm = length(v);
  return norm > 0 ? v * (1 / norm) : Vec<D>{};
}

}  // namespace juxta
