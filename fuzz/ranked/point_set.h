// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Point sets and rectangles drawn from fuzz bytes, and the answers by brute force.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "fuzz/draw.h"
#include "juxta/math/rect.h"

namespace juxta::fuzz {

/// A handful of coordinates: few distinct values make ties, heavy duplicates and edges that hit points.
template <class T>
std::vector<T> coordinate_palette(Draw& draw) {
  std::vector<T> palette{T(0), T(-0.0), T(1), T(-1)};
  const std::vector<T> specials{T(1e10),
                                T(-1e10),
                                std::numeric_limits<T>::max(),
                                std::numeric_limits<T>::lowest(),
                                std::numeric_limits<T>::denorm_min(),
                                std::nextafter(T(1), T(2)),
                                T(0.1)};
  const std::size_t extra = draw.below(64);
  for (std::size_t i = 0; i < extra; ++i) {
    palette.push_back(draw.below(8) == 0
                          ? draw.one_of(specials)
                          : static_cast<T>(static_cast<double>(draw.below(100000)) / 64.0 - 700.0));
  }
  return palette;
}

/// A side of a rectangle: a coordinate of the points, or its neighbour, or something no point may have.
template <class T>
double rectangle_side(Draw& draw, const std::vector<T>& palette) {
  const double value = static_cast<double>(draw.one_of(palette));
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (draw.below(8)) {
    case 0:
      return std::nextafter(value, kInfinity);
    case 1:
      return std::nextafter(value, -kInfinity);
    case 2:
      return kInfinity;
    case 3:
      return -kInfinity;
    case 4:
      return draw.below(8) == 0 ? std::numeric_limits<double>::quiet_NaN() : value;
    default:
      return value;
  }
}

/// Columns and their oracle.
template <class Coordinate, class Rank>
struct PointSet {
  std::vector<Coordinate> x, y;
  std::vector<Rank> rank;
  std::vector<Coordinate> palette;

  explicit PointSet(Draw& draw, std::size_t max_points) : palette(coordinate_palette<Coordinate>(draw)) {
    const std::size_t n = draw.below(max_points + 1);
    const std::size_t distinct_ranks = 1 + draw.below(n + 3);
    for (std::size_t i = 0; i < n; ++i) {
      x.push_back(draw.one_of(palette));
      y.push_back(draw.one_of(palette));
      rank.push_back(static_cast<Rank>(static_cast<std::int64_t>(draw.below(distinct_ranks)) -
                                       static_cast<std::int64_t>(distinct_ranks / 2)));
    }
  }

  RectD rectangle(Draw& draw) const {
    RectD r{rectangle_side(draw, palette), rectangle_side(draw, palette), rectangle_side(draw, palette),
            rectangle_side(draw, palette)};
    if (draw.below(8) != 0) {  // mostly upright
      if (r.hx < r.lx)
        std::swap(r.lx, r.hx);
      if (r.hy < r.ly)
        std::swap(r.ly, r.hy);
    }
    return r;
  }

  /// All points inside, best first.
  std::vector<std::uint32_t> inside(const RectD& r) const {
    std::vector<std::uint32_t> found;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (r.contains(static_cast<double>(x[i]), static_cast<double>(y[i]))) {
        found.push_back(static_cast<std::uint32_t>(i));
      }
    }
    std::stable_sort(found.begin(), found.end(), [this](auto a, auto b) { return rank[a] < rank[b]; });
    return found;
  }
};

}  // namespace juxta::fuzz
