// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: nearest points of points and segments, in closed form.
#pragma once

#include "shape/frame.h"

namespace juxta::detail {

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

}  // namespace juxta::detail
