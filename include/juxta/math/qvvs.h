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

#include <cstdint>

#include "juxta/math/product.h"
#include "juxta/math/quat.h"
#include "juxta/math/vec.h"

namespace juxta {

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
