// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the points where two convex shapes touch, before four of them are chosen.
#pragma once

#include <array>
#include <cstdint>

#include "juxta/shape/query.h"
#include "shape/convex.h"
#include "shape/patch.h"

namespace juxta::shape_detail {

struct Touching {
  V3 point;
  double distance = 0;
  std::uint32_t feature = 0;  // as Manifold::Point has it
};

struct Touchings {
  static constexpr std::uint32_t kMost = Patch::kMost + 1;
  std::array<Touching, kMost> at;
  std::uint32_t count = 0;

  /// The deepest first; of equal ones the first first.
  void add(const Touching& one) noexcept {
    std::uint32_t i = count++;
    for (; i > 0 && one.distance < at[i - 1].distance; --i) {
      at[i] = at[i - 1];
    }
    at[i] = one;
  }
};

/// Those of two convex shapes within a margin; `near` is what closest_convex() says.
void find_touchings(const Convex& a, const Convex& b, const Near& near, double margin,
                    Touchings& out) noexcept;
/// What of `solid` stands over a triangle, measured along `normal`, the triangle's own, of length 1, towards
/// the solid. Points and features are those of (triangle, solid), or with `solid_first` of (solid, triangle).
void find_over_triangle(const Convex& triangle, const Convex& solid, V3 normal, bool solid_first,
                        double margin, Touchings& out) noexcept;
/// Of more than four: the deepest, the farthest from it, the one that spans most with the two, and the one
/// that adds most to the three.
void keep_four(Touchings& all, V3 normal) noexcept;

}  // namespace juxta::shape_detail
