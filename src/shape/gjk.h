// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: cores of convex shapes against each other. A - B is the set of all differences of a point of a
// and one of b: it holds the origin where they overlap, and its point next to the origin is their distance.
#pragma once

#include <cstdint>

#include "shape/convex.h"
#include "shape/frame.h"
#include "shape/segments.h"

namespace juxta::shape_detail {

/// Cores that are nearer than this part of the two sizes count as touching: the direction between nearest
/// points is noise there.
inline constexpr double kNoGap = 1e-9;

/// Up to four points of A - B.
struct Simplex {
  struct Point {
    V3 a, b, w;  // w = a - b
    std::uint32_t ia = 0, ib = 0;
    double weight = 0;
  };
  Point points[4];
  std::uint32_t count = 0;
};

/// The point of a simplex that is nearest to the origin; what does not hold it is dropped, the rest weighted.
/// False: the origin is inside of a tetrahedron, which stays whole.
[[nodiscard]] bool nearest_of_simplex(Simplex& simplex, V3& nearest) noexcept;

/// Nearest points of two cores in closed form: points and segments, a point and a box; false: it has none.
[[nodiscard]] bool closest_cores(const Convex& a, V3 shift, const Convex& b, PointPair& out) noexcept;

enum class GjkEnd : std::uint8_t {
  kApart,     // near: distance > 0, points and normal of the cores
  kBeyond,    // farther than asked for; near.distance is a lower bound
  kTouching,  // overlapping, or too near for a direction; near has a common point
};
/// Cores of a, moved by `shift`, and b. `simplex` may be empty, or what the last call for the same two left:
/// the search begins there.
[[nodiscard]] GjkEnd gjk(const Convex& a, const Convex& b, V3 shift, double most, Simplex& simplex,
                         Near& near) noexcept;

/// Depth of overlapping or touching cores: the shortest way out of each other. Flat A - B: 0 along its
/// normal. near.on_a is a common point, to near.distance: the answer where they only touch. `simplex`: what
/// gjk() left, or empty.
void epa(const Convex& a, const Convex& b, const Simplex& simplex, Near& near) noexcept;
/// The same where that needs more corners than it keeps: `near` holds a way out, which becomes the shortest
/// if one of the two is a hull with a volume, and the points at its end.
void depth_by_faces(const Convex& a, const Convex& b, Near& near) noexcept;

}  // namespace juxta::shape_detail
