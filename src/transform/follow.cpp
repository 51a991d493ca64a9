// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "transform/follow.h"

#include <cmath>

namespace juxta::transform_detail {
namespace {

/// The rotation whose columns are these three axes, at right angles and of length 1 (Shepperd 1978).
Quat from_axes(Vec3 x, Vec3 y, Vec3 z) noexcept {
  const float trace = x.x + y.y + z.z;
  if (trace > 0) {
    return normalized({y.z - z.y, z.x - x.z, x.y - y.x, trace + 1});
  }
  if (x.x >= y.y && x.x >= z.z) {
    return normalized({1 + x.x - y.y - z.z, x.y + y.x, z.x + x.z, y.z - z.y});
  }
  if (y.y >= z.z) {
    return normalized({x.y + y.x, 1 + y.y - x.x - z.z, y.z + z.y, z.x - x.z});
  }
  return normalized({z.x + x.z, y.z + z.y, 1 + z.z - x.x - y.y, x.y - y.x});
}

/// One axis from `kept`, the other from `followed`; the one that has precedence stays exact.
Quat mixed_rotation(Quat kept, Quat followed, Inherit flags) noexcept {
  const Quat& forward_from = keeps(flags, Inherit::kWorldForward) ? kept : followed;
  const Quat& up_from = keeps(flags, Inherit::kWorldUp) ? kept : followed;
  const Vec3 forward = rotate(forward_from, {0, 0, 1});
  const Vec3 up = rotate(up_from, {0, 1, 0});
  const bool strict_up = keeps(flags, Inherit::kStrictUp);
  const Vec3 side = cross(up, forward);
  const float length = std::sqrt(side.x * side.x + side.y * side.y + side.z * side.z);
  if (!(length > 1e-6F)) {  // the two axes agree: there is nothing to mix
    return strict_up ? up_from : forward_from;
  }
  const Vec3 right = side * (1 / length);
  return strict_up ? from_axes(right, up, cross(right, up))
                   : from_axes(right, cross(forward, right), forward);
}

}  // namespace

Followed follow(const Qvvs& parent, const LocalTransform& local, const Qvvs& before, Inherit flags,
                bool written) noexcept {
  if (keeps(flags, Inherit::kUserWorld) && !written) {
    return {before, local};
  }
  if (keeps(flags, Inherit::kCopyParent)) {
    return {parent, local};
  }
  const auto followed = [&] {
    Followed all{{}, local};
    all.world = place_below(parent, local, before.stretch, before.context, all.overflowed);
    return all;
  };
  if (written) {
    return followed();
  }
  Qvvs world = mul(parent, local, before.stretch, before.context);
  if (keeps(flags, Inherit::kWorldRotation)) {
    world.rotation = before.rotation;
  } else if ((flags & (Inherit::kWorldRotation | Inherit::kStrictUp)) != Inherit::kNormal) {
    world.rotation = mixed_rotation(before.rotation, world.rotation, flags);
  }
  world.position.x = keeps(flags, Inherit::kWorldX) ? before.position.x : world.position.x;
  world.position.y = keeps(flags, Inherit::kWorldY) ? before.position.y : world.position.y;
  world.position.z = keeps(flags, Inherit::kWorldZ) ? before.position.z : world.position.z;
  world.scale = keeps(flags, Inherit::kWorldScale) ? before.scale : world.scale;
  const LocalTransform kept = inverse_mul(parent, world);
  // Where nothing finite leads there from a parent this small, following is all that is left.
  return is_finite_world(world.position, world.scale) && is_finite(kept) ? Followed{world, kept} : followed();
}

}  // namespace juxta::transform_detail
