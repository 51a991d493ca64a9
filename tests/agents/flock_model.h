// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One step of a flock by looking at all pairs, in double. Who is near is decided in floats, as the rules say
// it: two that stand at the very edge of sight must be counted the same way. Shared with fuzz/agents.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "juxta/agents/flock.h"

namespace juxta::test {

/// Boids by their numbers.
struct Boids {
  std::array<std::vector<float>, 3> position, velocity;  // z stays empty in 2D
  [[nodiscard]] std::size_t size() const { return position[0].size(); }
};

inline Boids boids_of(const Flock& flock) {
  Boids boids;
  const auto numbers = flock.numbers();
  for (std::uint32_t axis = 0; axis < flock.options().dimensions; ++axis) {
    boids.position[axis].resize(flock.size());
    boids.velocity[axis].resize(flock.size());
    for (std::size_t row = 0; row < flock.size(); ++row) {
      boids.position[axis][numbers[row]] = flock.position(axis)[row];
      boids.velocity[axis][numbers[row]] = flock.velocity(axis)[row];
    }
  }
  return boids;
}

class FlockModel {
 public:
  explicit FlockModel(const FlockOptions& options) : options_(options) {}

  /// What becomes of one boid.
  struct Moved {
    std::array<double, 3> position{}, velocity{};
    std::uint32_t seen = 0, avoided = 0;
    double scale = 1;  // by the limits of speed; so much do differences grow
    double size = 1;   // of what was summed, signs apart
  };

  [[nodiscard]] Moved step(const Boids& boids, std::size_t i) const {
    const FlockRules& rules = options_.rules;
    std::array<double, 3> sum_v{}, sum_d{}, away{};
    Moved moved;
    double lengths = 0;
    for (std::size_t j = 0; j < boids.size(); ++j) {
      if (j == i) {
        continue;
      }
      const auto [d, distance2] = between(boids, i, j);
      const bool near = distance2 < rules.see_radius2, close = distance2 < rules.avoid_radius2;
      moved.seen += near;
      moved.avoided += close;
      for (std::uint32_t axis = 0; axis < options_.dimensions; ++axis) {
        sum_v[axis] += near ? double{boids.velocity[axis][j]} : 0;
        sum_d[axis] += near ? double{d[axis]} : 0;
        lengths += near ? std::abs(double{d[axis]}) : 0;
        away[axis] -= close ? double{d[axis]} : 0;
        moved.size += close ? std::abs(double{rules.avoid} * double{d[axis]}) : 0;
      }
    }
    moved.size += moved.seen > 0 ? std::abs(double{rules.cohere}) * lengths / moved.seen : 0;
    for (std::uint32_t axis = 0; axis < options_.dimensions; ++axis) {
      double v = boids.velocity[axis][i];
      if (moved.seen > 0) {
        v += double{rules.cohere} * sum_d[axis] / moved.seen;
      }
      v += double{rules.avoid} * away[axis];
      if (moved.seen > 0) {
        v += double{rules.align} * (sum_v[axis] / moved.seen - v);
      }
      moved.velocity[axis] = v;
    }
    move(boids, i, moved);
    return moved;
  }

 private:
  struct Sight {
    Vec3 d;
    float distance2;
  };
  [[nodiscard]] Sight between(const Boids& boids, std::size_t i, std::size_t j) const {
    const float half = options_.half_size, period = half - -half;
    Sight sight{};
    for (std::uint32_t axis = 0; axis < options_.dimensions; ++axis) {
      float d = boids.position[axis][j] - boids.position[axis][i];
      if (options_.periodic) {
        d = d > period / 2 ? d - period : (d < -(period / 2) ? d + period : d);
      }
      sight.d[axis] = d;
      sight.distance2 = axis == 0 ? d * d : sight.distance2 + d * d;
    }
    return sight;
  }
  void move(const Boids& boids, std::size_t i, Moved& moved) const {
    const FlockRules& rules = options_.rules;
    const double half = options_.half_size;
    double speed2 = 0;
    for (const double v : moved.velocity) {
      speed2 += v * v;
    }
    const double speed = std::sqrt(speed2);
    if (speed > double{rules.max_speed}) {
      moved.scale = double{rules.max_speed} / speed;
    } else if (speed < double{rules.min_speed} && speed > 0) {
      moved.scale = double{rules.min_speed} / speed;
    }
    for (std::uint32_t axis = 0; axis < options_.dimensions; ++axis) {
      double& v = moved.velocity[axis];
      v *= moved.scale;
      const float at = boids.position[axis][i];
      if (!options_.periodic && at < rules.wall_distance - options_.half_size) {
        v += double{rules.wall};
      }
      if (!options_.periodic && at > options_.half_size - rules.wall_distance) {
        v -= double{rules.wall};
      }
      double to = double{at} + v * double{rules.time_step};
      if (options_.periodic) {
        to = to < -half ? to + 2 * half : (to >= half ? to - 2 * half : to);
      } else {
        to = std::min(std::max(to, -half + 0.01), half - 0.01);
      }
      moved.position[axis] = to;
    }
  }

  FlockOptions options_;
};

}  // namespace juxta::test
