// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "juxta/math/vec.h"

namespace juxta {

/// The points p with normal . p + offset = 0. The side to which the normal points is the positive one. The
/// normal need not have length 1.
template <int D>
struct Plane {
  Vec<D> normal;
  float offset = 0;
  friend bool operator==(const Plane&, const Plane&) = default;
};

using Plane2 = Plane<2>;
using Plane3 = Plane<3>;

/// normal . point + offset, from left to right: above 0 on the side of the normal. The distance, when the
/// normal has length 1.
template <int D>
[[nodiscard]] constexpr float signed_distance(const Plane<D>& plane, const Vec<D>& point) noexcept {
  return dot(plane.normal, point) + plane.offset;
}

}  // namespace juxta
