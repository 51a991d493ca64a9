// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Which way something looks, by square roots alone: the same bits on every machine.
#pragma once

#include <algorithm>

#include "juxta/math/quat.h"
#include "juxta/math/square_root.h"
#include "juxta/math/vec.h"

namespace juxta::sector {

/// The turn by half the angle whose cosine and sine's sign are given: sin and cos of the half.
struct HalfTurn {
  float sine, cosine;
};
[[nodiscard]] inline HalfTurn half_turn(float cosine, float side) noexcept {
  const float c = std::clamp(cosine, -1.0F, 1.0F);
  const float s = square_root((1 - c) * 0.5F);
  return {side < 0 ? -s : s, square_root((1 + c) * 0.5F)};
}

/// The rotation that turns +x to `way` without roll: first about +z, then nose up or down. Of any length; the
/// null vector gives the identity.
[[nodiscard]] inline Quat facing(Vec3 way) noexcept {
  const Vec3 ahead = normalized(way);
  const float level = length(Vec2{ahead.x, ahead.y});
  const HalfTurn yaw = level > 0 ? half_turn(ahead.x / level, ahead.y) : HalfTurn{0, 1};
  const HalfTurn pitch = half_turn(level > 0 || ahead.z != 0 ? level : 1, -ahead.z);
  return normalized(Quat{0, 0, yaw.sine, yaw.cosine} * Quat{0, pitch.sine, 0, pitch.cosine});
}

/// The part `t` of the way from a to b, along the shorter arc.
[[nodiscard]] inline Quat turned_towards(Quat a, Quat b, float t) noexcept {
  const float sign = dot(a, b) < 0 ? -1.0F : 1.0F;
  const auto mix = [&](float from, float to) { return from + (to * sign - from) * t; };
  const Quat q{mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z), mix(a.w, b.w)};
  return length_squared(q) > 0 ? normalized(q) : b;
}

}  // namespace juxta::sector
