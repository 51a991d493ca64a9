// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "juxta/math/vec.h"

namespace juxta {

/// The points origin + t * direction for 0 <= t <= max. The direction need not have length 1: t counts in
/// lengths of the direction.
template <int D>
struct Ray {
  Vec<D> origin, direction;
  float max = std::numeric_limits<float>::infinity();
};

using Ray2 = Ray<2>;
using Ray3 = Ray<3>;

/// The segment from one point to another: t = 0 is `from`, t = 1 is `to`.
[[nodiscard]] constexpr Ray2 segment(Vec2 from, Vec2 to) noexcept {
  return {from, to - from, 1};
}
[[nodiscard]] constexpr Ray3 segment(Vec3 from, Vec3 to) noexcept {
  return {from, to - from, 1};
}

}  // namespace juxta
