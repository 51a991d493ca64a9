// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The plain twin of flock_kernel.cpp: each boid meets all boids, one by one, without cells or vectors.
//
// The kernel's bits follow from four rules, which stand here alone:
//   - a boid meets all others, and itself, in ascending order of rows; its totals begin at minus itself;
//   - who is not near adds nothing, so it does not matter who else was met;
//   - sums are in float, nothing is fused, and neither sum can end as -0;
//   - by its nearest image everybody is met. The kernel does so only where some image may differ: elsewhere
//     the correction of a pull is a zero, which changes no sum that has met its boid.

#include <algorithm>
#include <array>
#include <cmath>

#include "agents/flock_kernel.h"
#include "agents/wrap.h"

namespace juxta::agents_detail {
namespace {

struct Found {
  std::int32_t n = -1;
  Vec3 pull{}, away{};
};

void meet(const FlockSweep& flock, std::uint32_t boid, std::uint32_t other, Found& found) noexcept {
  const FlockOptions& options = flock.options;
  Vec3 apart{}, pull{};  // from the other to the boid
  float distance2 = 0;
  for (std::uint32_t a = 0; a < options.dimensions; ++a) {
    const float straight = flock.position[a][boid] - flock.position[a][other];
    apart[a] = options.periodic ? nearest_image(straight, 2 * options.half_size) : straight;
    pull[a] = flock.folds ? flock.pull[a][other] + flock.pull_of_position * (straight - apart[a])
                          : flock.pull[a][other] - flock.pull_of_position * apart[a];
    distance2 += apart[a] * apart[a];
  }
  if (distance2 < options.rules.see_radius2) {
    ++found.n;
    for (std::uint32_t a = 0; a < options.dimensions; ++a) {
      found.pull[a] += pull[a];
    }
  }
  if (distance2 < options.rules.avoid_radius2) {
    for (std::uint32_t a = 0; a < options.dimensions; ++a) {
      found.away[a] += apart[a];
    }
  }
}

Found meet_all(const FlockSweep& flock, std::uint32_t boid) noexcept {
  Found found;
  for (std::uint32_t a = 0; a < flock.options.dimensions; ++a) {
    found.pull[a] = -flock.pull[a][boid];
  }
  const Array<std::uint32_t>& begins = flock.directory.begins;
  const std::uint32_t boids = begins[begins.size() - 1];
  for (std::uint32_t other = 0; other < boids; ++other) {
    meet(flock, boid, other, found);
  }
  return found;
}

/// The velocity before walls push.
Vec3 steer(const FlockSweep& flock, std::uint32_t boid, const Found& found) noexcept {
  const FlockRules& rules = flock.options.rules;
  Vec3 v{};
  float speed2 = 0;
  for (std::uint32_t a = 0; a < flock.options.dimensions; ++a) {
    v[a] = flock.velocity[a][boid] + rules.avoid * found.away[a];
    if (found.n > 0) {
      const float mean = found.pull[a] * (1 / static_cast<float>(found.n));
      const float here = flock.folds ? flock.pull_of_position * flock.position[a][boid] : 0;
      v[a] = (1 - rules.align) * v[a] + (mean - here);
    }
    speed2 += v[a] * v[a];
  }
  const float speed = std::sqrt(speed2);
  if (speed > 0) {
    const float scale = std::clamp(speed, rules.min_speed, rules.max_speed) / speed;
    for (float& x : v) {
      x *= scale;
    }
  }
  return v;
}

/// What the walls beside `position` add to a velocity.
float push_of_walls(const FlockOptions& options, float position) noexcept {
  const float wall = options.rules.wall, inside = options.half_size - options.rules.wall_distance;
  return (position < -inside ? wall : 0) - (position > inside ? wall : 0);
}

/// Back into the world. Whoever is so close to the far edge that the sum is the whole period goes round too.
float go_round(float position, float size) noexcept {
  const float period = 2 * size;
  position -= std::floor((position + size) / period) * period;
  return position >= -size && position < size ? position : -size;
}

}  // namespace

void move_boids_reference(const FlockSweep& flock, std::uint32_t first, std::uint32_t last) noexcept {
  const FlockOptions& options = flock.options;
  const float size = options.half_size, edge = size - 0.01F;
  for (std::uint32_t boid = first; boid < last; ++boid) {
    Vec3 v = steer(flock, boid, meet_all(flock, boid));
    for (std::uint32_t a = 0; a < options.dimensions; ++a) {
      const float p = flock.position[a][boid];
      if (!options.periodic) {
        v[a] += push_of_walls(options, p);
      }
      const float moved = p + v[a] * options.rules.time_step;
      flock.next_position[a][boid] =
          options.periodic ? go_round(moved, size) : std::clamp(moved, -edge, edge);
      flock.next_velocity[a][boid] = v[a];
    }
  }
}

}  // namespace juxta::agents_detail
