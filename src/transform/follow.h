// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: where a node with inheritance flags stands, and what becomes of its local transform.
#pragma once

#include "juxta/math/qvvs.h"
#include "juxta/transform/inherit.h"

namespace juxta::transform_detail {

struct Followed {
  Qvvs world;
  LocalTransform local;
  bool overflowed = false;  // where it should be is not finite
};

/// A world transform whose product left the range of floats: the node stands where its parent stands.
/// `parent` is finite, so that all are.
[[nodiscard]] inline bool is_finite_world(Vec3 position, float scale) noexcept {
  const float sum = (position.x - position.x) + (position.y - position.y) + (position.z - position.z);
  return sum + (scale - scale) == 0;  // infinities and NaN give NaN
}
/// mul() of qvvs.h, or the parent's place where that is not finite.
[[nodiscard]] inline Qvvs place_below(const Qvvs& parent, const LocalTransform& local, Vec3 stretch,
                                      std::int32_t context, bool& overflowed) noexcept {
  const Qvvs world = mul(parent, local, stretch, context);
  overflowed = !is_finite_world(world.position, world.scale);
  return overflowed ? Qvvs{parent.rotation, parent.position, context, stretch, parent.scale} : world;
}

/// `before` is the node's world transform until now (stretch and context are its own). `written`: the local
/// transform decides this once.
[[nodiscard]] Followed follow(const Qvvs& parent, const LocalTransform& local, const Qvvs& before,
                              Inherit flags, bool written) noexcept;

}  // namespace juxta::transform_detail
