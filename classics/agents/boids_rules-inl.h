// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>

#include "classics/agents/boids.h"
#include "juxta/agents/flock.h"

namespace juxta::classics {

/// What a boid found around it.
struct Found {
  float count = 0, sum_vx = 0, sum_vy = 0;
  float sum_dx = 0, sum_dy = 0;  ///< Where they are, seen from the boid.
  float away_x = 0, away_y = 0;  ///< Away from those that are too near.
};

/// A boid meets `other`, which is not itself. Always inlined: the scalar stages are nothing but this.
[[gnu::always_inline]] inline void meet(const Boid& boid, const Boid& other, const FlockRules& rules,
                                        Found& found) {
  const float dx = other.x - boid.x, dy = other.y - boid.y;
  const float distance2 = dx * dx + dy * dy;
  if (distance2 < rules.see_radius2) {
    found.count += 1;
    found.sum_vx += other.vx;
    found.sum_vy += other.vy;
    found.sum_dx += dx;
    found.sum_dy += dy;
    if (distance2 < rules.avoid_radius2) {
      found.away_x -= dx;
      found.away_y -= dy;
    }
  }
}

/// -1, 0 or 1: towards the inside, when a wall is near.
inline float push(float position, float half_size, float wall_distance) {
  return static_cast<float>(position < wall_distance - half_size) -
         static_cast<float>(position > half_size - wall_distance);
}

/// The boid after one time step.
inline Boid steered(const Boid& boid, const Found& found, const FlockRules& rules, float half_size) {
  float vx = boid.vx, vy = boid.vy;
  if (found.count > 0) {
    vx += rules.cohere * (found.sum_dx / found.count);
    vy += rules.cohere * (found.sum_dy / found.count);
  }
  vx += rules.avoid * found.away_x;
  vy += rules.avoid * found.away_y;
  if (found.count > 0) {
    vx += rules.align * (found.sum_vx / found.count - vx);
    vy += rules.align * (found.sum_vy / found.count - vy);
  }
  const float speed = std::sqrt(vx * vx + vy * vy);
  if (speed > 0) {
    const float scale = std::min(std::max(speed, rules.min_speed), rules.max_speed) / speed;
    vx *= scale;
    vy *= scale;
  }
  vx += rules.wall * push(boid.x, half_size, rules.wall_distance);
  vy += rules.wall * push(boid.y, half_size, rules.wall_distance);
  const float edge = half_size - 0.01F;
  const auto moved = [&](float position, float velocity) {
    return std::min(std::max(position + velocity * rules.time_step, -edge), edge);
  };
  return {moved(boid.x, vx), moved(boid.y, vy), vx, vy};
}

}  // namespace juxta::classics
