// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Points of every kind, and all pairs of them by the definition.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "juxta/points/neighbours.h"
#include "juxta/points/point_tree.h"
#include "scenes/draws.h"

namespace juxta::test {

enum class Cloud { kUniform, kClumps, kLattice, kLine, kOnePoint, kPlane, kScales, kEdges };
inline constexpr Cloud kClouds[] = {Cloud::kUniform,  Cloud::kClumps, Cloud::kLattice, Cloud::kLine,
                                    Cloud::kOnePoint, Cloud::kPlane,  Cloud::kScales,  Cloud::kEdges};

/// In [0, 1] on every axis. kEdges: many on the faces of the cube.
template <int D, class Real>
std::vector<Real> draw_cloud(Cloud cloud, std::size_t points, scenes::Draws& draws) {
  std::vector<Real> at;
  Real centre[D] = {};
  const auto unit = [&] { return static_cast<Real>(static_cast<double>(draws.next() >> 11) * 0x1p-53); };
  for (std::size_t i = 0; i < points; ++i) {
    Real line = unit();
    for (int axis = 0; axis < D; ++axis) {
      Real x = unit();
      switch (cloud) {
        case Cloud::kUniform:
          break;
        case Cloud::kClumps:
          centre[axis] = i % 50 == 0 ? x : centre[axis];
          x = centre[axis] * Real(0.99) + x * Real(0.01);
          break;
        case Cloud::kLattice:
          x = static_cast<Real>(draws.below(9)) / 8;
          break;
        case Cloud::kLine:
          x = line;
          break;
        case Cloud::kOnePoint:
          x = Real(0.3);
          break;
        case Cloud::kPlane:
          x = axis == D - 1 ? Real(0.5) : x;
          break;
        case Cloud::kScales:
          x = std::ldexp(x, -static_cast<int>(draws.below(40)));
          break;
        case Cloud::kEdges:
          x = draws.below(3) == 0 ? static_cast<Real>(draws.below(2)) : x;
          break;
      }
      at.push_back(x);
    }
  }
  return at;
}

/// One neighbour by the definition.
template <int D, class Real>
struct Sight {
  std::uint32_t index;
  Real d2;
  Real d[D];
};

/// What point_tree.h says, with coordinates as they were given.
template <int D, class Real>
Sight<D, Real> look(const std::vector<Real>& points, std::size_t from, const std::vector<Real>& others,
                    std::uint32_t to, const PointSpace<D, Real>& space) {
  Sight<D, Real> sight{to, 0, {}};
  for (std::size_t axis = 0; axis < D; ++axis) {
    Real s = points[from * D + axis], c = others[to * D + axis];
    if (space.periodic[axis]) {
      const Real lo = space.lo[axis], hi = space.hi[axis], period = hi - lo;
      for (Real* const x : {&s, &c}) {
        if (*x < lo || *x >= hi) {
          *x = *x - period * std::floor((*x - lo) / period);
          *x = *x >= lo && *x < hi ? *x : lo;
        }
      }
      const Real d = c - s;
      sight.d[axis] = d > period / 2 ? d - period : d < -period / 2 ? d + period : d;
    } else {
      sight.d[axis] = c - s;
    }
    const Real square = sight.d[axis] * sight.d[axis];
    sight.d2 = axis == 0 ? square : sight.d2 + square;
  }
  return sight;
}

/// The lists of all points, ascending.
template <int D, class Real>
std::vector<std::vector<Sight<D, Real>>> by_hand(const std::vector<Real>& points,
                                                 const std::vector<Real>& others, bool own, bool half,
                                                 const std::vector<Real>& radii,
                                                 const PointSpace<D, Real>& space) {
  std::vector<std::vector<Sight<D, Real>>> lists(points.size() / D);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const Real radius = radii[radii.size() == 1 ? 0 : i];
    for (std::uint32_t j = half ? static_cast<std::uint32_t>(i + 1) : 0; j < others.size() / D; ++j) {
      const auto sight = look<D, Real>(points, i, others, j, space);
      if (!(own && i == j) && sight.d2 <= radius * radius) {
        lists[i].push_back(sight);
      }
    }
  }
  return lists;
}

template <int D, class Real>
PointSpace<D, Real> periodic_space(unsigned axes, Real lo, Real hi) {
  PointSpace<D, Real> space;
  for (int axis = 0; axis < D; ++axis) {
    space.periodic[axis] = (axes >> axis & 1) != 0;
    space.lo[axis] = lo;
    space.hi[axis] = hi;
  }
  return space;
}

}  // namespace juxta::test
