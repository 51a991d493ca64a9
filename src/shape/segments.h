// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: nearest points of points, segments and boxes, in closed form.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "shape/frame.h"

namespace juxta::shape_detail {

/// Where on a segment from p, s in [0, 1] of `way`, `point` is nearest. A segment without length: 0.
[[nodiscard]] inline double nearest_on_segment(V3 p, V3 way, V3 point) noexcept {
  const double along = dot(point - p, way);
  if (!(along > 0)) {
    return 0;
  }
  const double squared = dot(way, way);
  return along < squared ? along / squared : 1;
}

struct PointPair {
  V3 a, b;
};

/// The nearest points of the segments (p, p + d) and (q, q + e). The four ends against the other segment are
/// always tried, so that parallel segments and ones without length need no case of their own.
[[nodiscard]] inline PointPair nearest_of_segments(V3 p, V3 d, V3 q, V3 e) noexcept {
  PointPair best{p, q + e * nearest_on_segment(q, e, p)};
  double least = dot(best.a - best.b, best.a - best.b);
  const auto take = [&](V3 a, V3 b) {
    const double squared = dot(a - b, a - b);
    if (squared < least) {
      least = squared;
      best = {a, b};
    }
  };
  take(p + d, q + e * nearest_on_segment(q, e, p + d));
  take(p + d * nearest_on_segment(p, d, q), q);
  take(p + d * nearest_on_segment(p, d, q + e), q + e);
  // Both inside: where the lines are nearest, then once more onto each segment, which takes away the rounding
  // of nearly parallel ones.
  const V3 r = p - q;
  const double dd = dot(d, d), ee = dot(e, e), de = dot(d, e), rank = dd * ee - de * de;
  if (rank > 0) {
    const double s = (de * dot(e, r) - ee * dot(d, r)) / rank;
    if (s > 0 && s < 1) {
      const V3 b = q + e * nearest_on_segment(q, e, p + d * s);
      take(p + d * nearest_on_segment(p, d, b), b);
    }
  }
  return best;
}

/// Corners of a box as Convex has them: bit k of the number is the side along edge k.
[[nodiscard]] inline V3 nearest_in_box(const std::array<V3, 8>& corners, V3 p) noexcept {
  V3 out = corners[0];
  for (std::uint32_t bit = 1; bit < 8; bit *= 2) {
    const V3 edge = corners[bit] - corners[0];
    out = out + edge * nearest_on_segment(corners[0], edge, p);
  }
  return out;
}

/// How deep a point is in a box, and the outward normal of the side that is nearest; of several the first.
/// False: the box is flat, and its normal is not that of its edges.
[[nodiscard]] inline bool depth_in_box(const std::array<V3, 8>& corners, V3 p, double& depth,
                                       V3& outwards) noexcept {
  depth = std::numeric_limits<double>::infinity();
  for (std::uint32_t bit = 1; bit < 8; bit *= 2) {
    const V3 edge = corners[bit] - corners[0];
    const double l = length(edge);
    if (!(l > 0)) {
      return false;
    }
    const V3 way = edge * (1 / l);
    const double low = dot(p - corners[0], way), high = dot(corners[bit] - p, way);
    if (low < depth) {
      depth = low;
      outwards = -way;
    }
    if (high < depth) {
      depth = high;
      outwards = way;
    }
  }
  return true;
}

}  // namespace juxta::shape_detail
