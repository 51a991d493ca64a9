// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Flocks in states that are hard on the search. Shared with fuzz/agents: `Draw` has below(bound).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "agents/crowds.h"
#include "agents/flock_model.h"

namespace juxta::test {

inline Result<void> set(Flock& flock, const Boids& boids) {
  const auto rows = [&](const auto& columns) {
    std::size_t count = columns[0].size();
    for (std::uint32_t axis = 1; axis < flock.options().dimensions; ++axis) {
      count = std::min(count, columns[axis].size());
    }
    std::vector<Vec3> all(count);
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      for (std::size_t i = 0; i < count; ++i) {  // in 2D nobody looks at z
        all[i][axis] =
            axis < flock.options().dimensions ? columns[axis][i] : std::numeric_limits<float>::quiet_NaN();
      }
    }
    return all;
  };
  return flock.rebuild(rows(boids.position), rows(boids.velocity));
}

/// The world of a flock.
inline World world_of(const FlockOptions& options) {
  World world;
  world.dimensions = options.dimensions;
  for (std::uint32_t axis = 0; axis < options.dimensions; ++axis) {
    world.edges[axis] = options.periodic ? Edge::kPeriodic : Edge::kWall;
    world.lo[axis] = -options.half_size;
    world.hi[axis] = options.half_size;
  }
  return world;
}

/// Places as in crowds.h, inside; speeds up to 1 along each axis.
template <class Draw>
Boids draw_boids(Draw& draw, const FlockOptions& options, Crowding crowding, std::size_t count) {
  Boids boids;
  const float half = options.half_size, radius = std::sqrt(options.rules.see_radius2);
  for (std::uint32_t axis = 0; axis < options.dimensions; ++axis) {
    for (std::size_t i = 0; i < count; ++i) {
      float at = draw_place(draw, crowding, axis, -half, half, false, radius);
      at = crowding == Crowding::kPairs && i % 2 == 1 ? boids.position[axis][i - 1] : at;
      at = std::min(std::max(at, -half), half);
      boids.position[axis].push_back(options.periodic && at == half ? -half : at);
      boids.velocity[axis].push_back(draw_unit(draw) * 2 - 1);
    }
  }
  return boids;
}

/// What one step of the flock should have made of `before`; "" when it did.
inline std::string compare_step(const Flock& flock, const Boids& before) {
  const FlockModel model(flock.options());
  const Boids now = boids_of(flock);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const FlockModel::Moved right = model.step(before, i);
    const double period = 2 * double{flock.options().half_size};
    for (std::uint32_t axis = 0; axis < flock.options().dimensions; ++axis) {
      const double v = now.velocity[axis][i], p = now.position[axis][i];
      const double size = std::max(right.size, std::abs(right.velocity[axis]));
      const double off = std::abs(v - right.velocity[axis]);
      double away = std::abs(p - right.position[axis]);
      away = flock.options().periodic ? std::min(away, std::abs(away - period))
                                      : away;  // either side of the edge
      if (!(off <= 1e-5 * size * std::max(1.0, right.scale)) ||
          !(away <= 1e-5 * (right.size + period) * std::max(1.0, right.scale))) {
        return "boid " + std::to_string(i) + " of " + std::to_string(before.size()) + ", which sees " +
               std::to_string(right.seen) + " in a world of " + std::to_string(flock.options().half_size) +
               ", avoids " + std::to_string(right.avoided) + ", by scale " + std::to_string(right.scale) +
               " of size " + std::to_string(right.size) + ": velocity " +
               std::to_string(right.velocity[axis]) + " off by " + std::to_string(off) + ", position by " +
               std::to_string(away);
      }
      if (!(std::abs(now.position[axis][i]) <= flock.options().half_size)) {
        return "boid " + std::to_string(i) + " left the world";
      }
    }
  }
  return {};
}

}  // namespace juxta::test
