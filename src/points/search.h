// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a search for neighbours is given, and what near means.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "points/store.h"

namespace juxta::points_detail {

/// How near is near, for one seer. In the floats of kernels, squared: up to `sure` a point is near, above
/// `maybe` it is not; between the two the doubles decide, by `exact`. For points of floats sure == maybe.
struct Limit {
  float sure = 0, maybe = 0;
  double exact = 0;
};

/// The periods of the axes; where there is none, 0 and an infinite half.
template <int D, class Real>
struct Periods {
  Real whole[D], half[D];
};

/// Seers, and the points of a tree among which they look.
template <int D>
struct Search {
  PointsView<D> tree;
  PointsView<D> seers;
  bool own = false;               // the seers are the tree's points: each leaves itself out
  const Limit* limits = nullptr;  // of the seer in lane s: limits[s * limit_step]
  std::size_t limit_step = 0;     // 0: one for all
  bool wraps = false;             // some axis is periodic
  float lo[D], hi[D];             // of the periodic axes
  Periods<D, float> periods;
  Periods<D, double> exact_periods;  // of the doubles, where there are any
};

/// How far distances in the floats of kernels may be from the truth, for seers in a box. With doubles, floats
/// differ from them by half an ulp of their magnitude M (at most 1 in the tree), and so do differences,
/// images and periods: on each axis that is 8 M 2^-24 at most, and with the rounding of d2 less than 32 M
/// 2^-24 in the distance. 1e-20: squares of less than that are not floats any more. With floats d2 is the
/// truth; but sides of triangles in a periodic space are rounded.
template <int D>
[[nodiscard]] inline float error_of(const Search<D>& search, const Aabb<D>& box) noexcept {
  float magnitude = 0;
  for (int axis = 0; axis < D; ++axis) {
    magnitude = std::max({magnitude, std::abs(box.lo[axis]), std::abs(box.hi[axis])});
    if (search.periods.whole[axis] > 0) {
      magnitude = std::max({magnitude, std::abs(search.lo[axis]), std::abs(search.hi[axis])});
    }
  }
  return search.tree.exact != nullptr ? 0x1p-19F * std::max(1.0F, magnitude) + 1e-20F
         : search.wraps               ? 0x1p-19F * magnitude
                                      : 0;
}

/// By the nearest image.
template <class Real>
[[nodiscard]] inline Real nearest_image(Real d, Real period, Real half) noexcept {
  return d > half ? d - period : d < -half ? d + period : d;
}

/// c - s on each axis, and d2.
template <int D, class Real>
struct Apart {
  Real d[D];
  Real d2;

  Apart(const Real* c, std::size_t c_step, const Real* s, std::size_t s_step,
        const Periods<D, Real>& periods) noexcept {
    for (std::size_t axis = 0; axis < D; ++axis) {
      d[axis] = nearest_image(c[axis * c_step] - s[axis * s_step], periods.whole[axis], periods.half[axis]);
      d2 = axis == 0 ? d[0] * d[0] : d2 + d[axis] * d[axis];
    }
  }
};

/// Of the points in two lanes, as floats or as doubles.
template <int D>
[[nodiscard]] inline Apart<D, float> apart(const Search<D>& search, std::uint32_t seer, std::uint32_t lane,
                                           float) noexcept {
  return {&search.tree.blocks[lane / kLanes].at[0][lane % kLanes], kLanes,
          &search.seers.blocks[seer / kLanes].at[0][seer % kLanes], kLanes, search.periods};
}
template <int D>
[[nodiscard]] inline Apart<D, double> apart(const Search<D>& search, std::uint32_t seer, std::uint32_t lane,
                                            double) noexcept {
  return {search.tree.exact + std::size_t{lane} * D, 1, search.seers.exact + std::size_t{seer} * D, 1,
          search.exact_periods};
}

/// What the kernels decide, for points in two lanes: the definition.
template <int D>
[[nodiscard]] inline bool is_near(const Search<D>& search, bool half, std::uint32_t seer,
                                  std::uint32_t lane) noexcept {
  if (half ? search.tree.number[lane] <= search.seers.number[seer] : search.own && lane == seer) {
    return false;
  }
  const Limit& limit = search.limits[seer * search.limit_step];
  return search.tree.exact != nullptr ? apart(search, seer, lane, 0.0).d2 <= limit.exact
                                      : apart(search, seer, lane, 0.0F).d2 <= limit.maybe;
}

/// What a part of a search did.
struct SearchWork {
  std::size_t tested = 0;   // points
  std::size_t visited = 0;  // nodes
};

}  // namespace juxta::points_detail
