// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Who is near whom, by looking at everybody. Near is decided in float, as the rules say it; what follows from
// it is computed in double.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "bench/agents/consumer/world.h"

namespace juxta::bench {

/// One agent's sums over its neighbours.
struct Looked {
  std::uint32_t seen = 0;
  std::array<double, 3> sums{}, magnitudes{};
};

/// f(number, differences, squared distance) for everybody else within reach2 of agent `i` in the ball metric.
template <class F>
void for_each_in_ball(const Start& all, std::size_t i, float reach2, const F& f) {
  for (std::size_t j = 0; j < all.size; ++j) {
    std::array<float, 3> d{};
    float distance2 = 0;
    for (std::uint32_t axis = 0; axis < all.dimensions; ++axis) {
      d[axis] = all.position[axis][j] - all.position[axis][i];
      distance2 += d[axis] * d[axis];
    }
    if (distance2 <= reach2 && j != i) {
      f(j, d, distance2);
    }
  }
}

/// What agent `i` sees of visits with so many terms.
inline Looked look_around(const Start& all, std::size_t i, int terms) {
  Looked looked;
  for_each_in_ball(all, i, all.radius * all.radius, [&](std::size_t, const auto&, float distance2) {
    ++looked.seen;
    for (int k = 1; k <= terms; ++k) {
      const double left = 1 - std::sqrt(double{distance2} * k / terms) / double{all.radius};
      looked.sums[0] += left * left;
    }
  });
  looked.magnitudes = looked.sums;
  return looked;
}

/// What agent `i` sees in Tay's test.
inline Looked look_in_box(const Start& all, std::size_t i) {
  Looked looked;
  const float reach = all.radius + 2 * all.half_edge;
  for (std::size_t j = 0; j < all.size; ++j) {
    std::array<float, 3> d{};
    bool near = j != i;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      d[axis] = all.position[axis][j] - all.position[axis][i];
      near = near && std::abs(d[axis]) <= reach;
    }
    for (std::size_t axis = 0; near && axis < 3; ++axis) {
      looked.sums[axis] += double{d[axis]};
      looked.magnitudes[axis] += std::abs(double{d[axis]});
    }
    looked.seen += near ? 1 : 0;
  }
  return looked;
}

/// A boid.
struct Boid2 {
  std::array<double, 2> position, velocity;
};

/// Boid `i` a step later, by the rules of juxta::FlockRules with their own numbers written out.
[[nodiscard]] Boid2 step_boid(const Start& all, std::size_t i);

}  // namespace juxta::bench
