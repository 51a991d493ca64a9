// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Transforms without shear: rotation (Q), position (V), scale (S), and a stretch (V) that children do not
// inherit. Source of the idea: QVVS of the Latios Framework (Dreaming I'm Latios, docs "QVVS Transforms").
//
//   matrix = translate(position) * rotate(rotation) * scale(scale * stretch)
//
// A parent's stretch moves its children's positions and nothing else, so a hierarchy never shears. Every
// function below is a fixed sequence of IEEE operations: the same bits as the SIMD kernels, on every machine
// and under a user's own flags (product.h), but for -ffast-math.
#pragma once

#include <cmath>
#include <cstdint>

#include "juxta/math/product.h"

namespace juxta {

struct Vec3 {
  float x = 0, y = 0, z = 0;
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

/// A rotation when its length is 1. The identity unless said otherwise.
struct Quat {
  float x = 0, y = 0, z = 0, w = 1;
  friend bool operator==(const Quat&, const Quat&) = default;
};

/// Where a node stands relative to its parent. 32 bytes.
struct LocalTransform {
  Quat rotation{};
  Vec3 position{};
  float scale = 1;  ///< Uniform, above 0.
  friend bool operator==(const LocalTransform&, const LocalTransform&) = default;
};

/// Where a node stands in the world. 48 bytes.
struct Qvvs {
  Quat rotation{};
  Vec3 position{};
  std::int32_t context = 0;  ///< The user's own number; travels along.
  Vec3 stretch{1, 1, 1};     ///< Of this node alone, along its own axes.
  float scale = 1;           ///< Uniform; inherited.
  friend bool operator==(const Qvvs&, const Qvvs&) = default;
};

[[nodiscard]] constexpr Vec3 operator+(Vec3 a, Vec3 b) noexcept {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[nodiscard]] constexpr Vec3 operator-(Vec3 a, Vec3 b) noexcept {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
/// Component by component.
[[nodiscard]] constexpr Vec3 operator*(Vec3 a, Vec3 b) noexcept {
  return {product(a.x, b.x), product(a.y, b.y), product(a.z, b.z)};
}
[[nodiscard]] constexpr Vec3 operator*(Vec3 a, float s) noexcept {
  return {product(a.x, s), product(a.y, s), product(a.z, s)};
}
[[nodiscard]] constexpr Vec3 cross(Vec3 a, Vec3 b) noexcept {
  return {product(a.y, b.z) - product(b.y, a.z), product(a.z, b.x) - product(b.z, a.x),
          product(a.x, b.y) - product(b.x, a.y)};
}

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
[[nodiscard]] constexpr float length_squared(Quat q) noexcept {
  return (product(q.x, q.x) + product(q.y, q.y)) + (product(q.z, q.z) + product(q.w, q.w));
}
/// Length 1, by square root and division. The length must not be 0.
[[nodiscard]] inline Quat normalized(Quat q) noexcept {
  const float k = 1 / std::sqrt(length_squared(q));
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

/// No NaN, no infinity. x * 0 is 0 for every finite x, and NaN for the others.
[[nodiscard]] constexpr bool is_finite(Vec3 v) noexcept {
  return v.x * 0 + v.y * 0 + v.z * 0 == 0;
}
[[nodiscard]] constexpr bool is_finite(Quat q) noexcept {
  return (q.x * 0 + q.y * 0) + (q.z * 0 + q.w * 0) == 0;
}
[[nodiscard]] constexpr bool is_finite(const LocalTransform& t) noexcept {
  return is_finite(t.rotation) && is_finite(t.position) && t.scale * 0 == 0;
}

/// Where a node stands whose parent stands at `parent`: its own stretch and context are kept.
[[nodiscard]] constexpr Qvvs mul(const Qvvs& parent, const LocalTransform& local, Vec3 stretch = {1, 1, 1},
                                 std::int32_t context = 0) noexcept {
  return {renormalized(parent.rotation * local.rotation),
          parent.position + rotate(parent.rotation, (local.position * parent.stretch) * parent.scale),
          context, stretch, product(local.scale, parent.scale)};
}

/// The local transform that brings a node to `world`: mul(parent, inverse_mul(parent, world)) is `world` but
/// for rounding. Where the parent's scale or stretch is 0, the local position is 0 there (and the scale 1):
/// never an infinity out of finite numbers, unless a quotient on the way is beyond float.
[[nodiscard]] constexpr LocalTransform inverse_mul(const Qvvs& parent, const Qvvs& world) noexcept {
  const Quat back = conjugate(parent.rotation);
  const Vec3 offset = rotate(back, world.position - parent.position);
  const auto divide = [](float a, float b) { return b == 0 ? 0.0F : a / b; };
  return {renormalized(back * world.rotation),
          {divide(divide(offset.x, parent.stretch.x), parent.scale),
           divide(divide(offset.y, parent.stretch.y), parent.scale),
           divide(divide(offset.z, parent.stretch.z), parent.scale)},
          parent.scale == 0 ? 1.0F : world.scale / parent.scale};
}

}  // namespace juxta
