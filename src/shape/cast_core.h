// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what casts know of two convex shapes: cores (convex.h) in axes in which the way is z.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "juxta/shape/query.h"
#include "shape/convex.h"
#include "shape/frame.h"

namespace juxta::shape_detail {

/// What users are told of a touch with one part.
[[nodiscard]] inline CastHit hit_of(const Touch& touch, V3 origin, const PartId& part) noexcept {
  return {.hit = true,
          .t = static_cast<float>(touch.t),
          .point = (origin + touch.point).rounded(),
          .normal = touch.normal.rounded(),
          .part = part,
          .distance = narrowed(touch.distance)};
}

/// Axes in which a way runs along z.
struct Ahead {
  V3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  // of length 1
  double length = 0;                               // of the way; 0: there is none

  explicit Ahead(V3 way) noexcept;
  [[nodiscard]] V3 seen(V3 v) const noexcept { return {dot(axis[0], v), dot(axis[1], v), dot(axis[2], v)}; }
  [[nodiscard]] V3 back(V3 v) const noexcept { return axis[0] * v.x + axis[1] * v.y + axis[2] * v.z; }
};

/// A core in those axes: its points are origin + edge[0] * x + edge[1] * y + edge[2] * z.
///
///   point    x = y = z = 0             box    x, y, z in {-1, 1}
///   segment  x in {-1, 1}              hull   one of its vertices
///   triangle (1, 0, 0), (0, 1, 0), (0, 0, 1); origin = 0
struct Core {
  enum class Kind : std::uint8_t { kNone, kPoint, kSegment, kBox, kTriangle, kHull };

  V3 origin, edge[3];
  V3 middle;         // of a ball around the whole shape
  double bound = 0;  // its radius
  double size = 0, radius = 0;
  const double* columns = nullptr;  // of a hull, as HullStore has them
  std::uint32_t count = 0;
  Kind kind = Kind::kNone;  // kNone: hulls without columns, what is not convex
};
[[nodiscard]] Core core_of(const Shape& shape, const Frame& frame, const Ahead& ahead) noexcept;
/// A triangle that stands in the common frame already.
[[nodiscard]] Core core_of(const std::array<V3, 3>& corners, const Ahead& ahead) noexcept;
/// Any; hulls without a shape too.
[[nodiscard]] Core core_of(const Convex& convex, const Ahead& ahead) noexcept;

inline constexpr double kCastGap = 1e-11;    // of the size: this near is touching
inline constexpr double kCastNoise = 1e-15;  // of the coordinates

/// Nearer than this two shapes touch; `places`: the parts of all coordinates, summed.
[[nodiscard]] inline double near_enough(double size, double places) noexcept {
  return std::max(kCastGap * size, kCastNoise * (places + size));
}
[[nodiscard]] inline double sum_of_parts(V3 v) noexcept {
  return std::abs(v.x) + std::abs(v.y) + std::abs(v.z);
}

enum class Verdict : std::uint8_t { kHit, kMiss, kUnsure };

/// Whether a, moved along z by up to `most` of its way, touches b, and where, if it can be told beyond doubt:
/// `touch` holds a plane that keeps them apart until then and a point in which they touch then, to 1e-8 of
/// their sizes. Unsure: they touch or overlap at the start, or graze, or are too flat. The same bits on every
/// instruction set.
[[nodiscard]] Verdict cast_by_ray(const Core& a, const Core& b, const Ahead& ahead, double most,
                                  Touch& touch) noexcept;
/// Convex::support() of a hull by its columns: the kernel's, for tests.
[[nodiscard]] std::uint32_t farthest_of_columns(const double* columns, std::size_t count,
                                                V3 direction) noexcept;

/// The same question for any two, by their distance at several times: slower, and never unsure.
[[nodiscard]] bool cast_by_distance(const Convex& a, V3 way, const Convex& b, double most,
                                    Touch& touch) noexcept;

}  // namespace juxta::shape_detail
