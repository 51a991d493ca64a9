// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: rays against one convex shape, in doubles.
#pragma once

#include <limits>

#include "juxta/shape/shape.h"
#include "shape/frame.h"

namespace juxta::shape_detail {

/// The points origin + way * t, 0 <= t <= most, in the common frame.
struct Line {
  V3 origin, way;
  double most = std::numeric_limits<double>::infinity();
};
struct Entry {
  double t = std::numeric_limits<double>::infinity();
  V3 normal;  // against the ray, of length 1; 0 when the ray starts inside
};
/// `shape` is convex. A way of 0 meets solids that hold the origin.
[[nodiscard]] bool ray_convex(const Shape& shape, const Frame& frame, const Line& line,
                              Entry& entry) noexcept;

}  // namespace juxta::shape_detail
