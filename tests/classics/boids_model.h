// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "classics/agents/boids.h"
#include "scenes/draws.h"

namespace juxta::classics {

/// A form of the flock, to be made for a world.
struct Stage {
  std::string name;
  std::function<std::unique_ptr<BoidsClassic>(float half_size, const FlockRules&)> make;
};

template <class Boids, class... Options>
Stage stage(const std::string& name, const Options&... options) {
  return {name, [=](float half_size, const FlockRules& rules) {
            return std::make_unique<Boids>(half_size, rules, options...);
          }};
}

inline std::vector<Boid> scattered(scenes::Draws& draws, std::size_t count, float extent) {
  std::vector<Boid> boids(count);
  for (Boid& boid : boids) {
    boid.x = draws.uniform(-extent, extent);
    boid.y = draws.uniform(-extent, extent);
    boid.vx = draws.uniform(-1, 1);
    boid.vy = draws.uniform(-1, 1);
  }
  return boids;
}

struct DoubleBoid {
  double x, y, vx, vy;
};

// One boid's step, as the header of juxta::FlockRules tells it.
inline DoubleBoid stepped(const std::vector<Boid>& boids, std::size_t i, float half_size,
                          const FlockRules& rules) {
  const Boid& boid = boids[i];
  double n = 0, sum_vx = 0, sum_vy = 0, sum_x = 0, sum_y = 0, away_x = 0, away_y = 0;
  for (std::size_t j = 0; j < boids.size(); ++j) {
    const float dx = boids[j].x - boid.x, dy = boids[j].y - boid.y;
    const float distance2 = dx * dx + dy * dy;
    if (j == i || !(distance2 < rules.see_radius2)) {
      continue;
    }
    n += 1;
    sum_vx += double{boids[j].vx};
    sum_vy += double{boids[j].vy};
    sum_x += double{boids[j].x} - double{boid.x};
    sum_y += double{boids[j].y} - double{boid.y};
    away_x -= distance2 < rules.avoid_radius2 ? double{dx} : 0;
    away_y -= distance2 < rules.avoid_radius2 ? double{dy} : 0;
  }
  double vx = double{boid.vx} + double{rules.avoid} * away_x,
         vy = double{boid.vy} + double{rules.avoid} * away_y;
  if (n > 0) {
    vx += double{rules.cohere} * sum_x / n;
    vy += double{rules.cohere} * sum_y / n;
    vx += double{rules.align} * (sum_vx / n - vx);
    vy += double{rules.align} * (sum_vy / n - vy);
  }
  const double speed = std::hypot(vx, vy);
  if (speed > 0) {
    const double wanted = std::clamp(speed, double{rules.min_speed}, double{rules.max_speed});
    vx *= wanted / speed;
    vy *= wanted / speed;
  }
  const double near_wall = double{half_size} - double{rules.wall_distance}, edge = double{half_size} - 0.01;
  vx += double{boid.x} < -near_wall  ? double{rules.wall}
        : double{boid.x} > near_wall ? -double{rules.wall}
                                     : 0;
  vy += double{boid.y} < -near_wall  ? double{rules.wall}
        : double{boid.y} > near_wall ? -double{rules.wall}
                                     : 0;
  return {std::clamp(double{boid.x} + vx * double{rules.time_step}, -edge, edge),
          std::clamp(double{boid.y} + vy * double{rules.time_step}, -edge, edge), vx, vy};
}

inline double difference(const Boid& got, const DoubleBoid& want) {
  return std::max({std::abs(double{got.x} - want.x), std::abs(double{got.y} - want.y),
                   std::abs(double{got.vx} - want.vx), std::abs(double{got.vy} - want.vy)});
}

// How many boids are not where all pairs send them.
inline std::size_t strays(const std::vector<Boid>& before, const std::vector<Boid>& after, float half_size,
                          const FlockRules& rules, double tolerance = 1e-5) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    count += !(difference(after[i], stepped(before, i, half_size, rules)) < tolerance);
  }
  return count;
}

inline std::vector<Boid> after_step(BoidsClassic& boids, std::size_t count) {
  boids.step();
  std::vector<Boid> after(count);
  boids.get(after);
  return after;
}

}  // namespace juxta::classics
