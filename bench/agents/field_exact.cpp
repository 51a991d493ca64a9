// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/agents/field_exact.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bench/support/settings.h"
#include "scenes/flocks.h"

namespace juxta::bench {
namespace {

using classics::Boid;
using Sums = FieldBoids::Sums;

template <class T>
void check(const Result<T>& done) {
  if (!done) {
    give_up(done.error().message);
  }
}

}  // namespace

ExactBoids::ExactBoids(float half_size) {
  FlockOptions options;
  options.half_size = half_size;
  auto made = Flock::build(options);
  check(made);
  flock_.emplace(std::move(*made));
}

void ExactBoids::set(std::span<const Boid> boids) {
  std::vector<Vec3> positions, velocities;
  for (const Boid& boid : boids) {
    positions.push_back({boid.x, boid.y, 0});
    velocities.push_back({boid.vx, boid.vy, 0});
  }
  check(flock_->rebuild(positions, velocities));
}

void ExactBoids::step() {
  check(flock_->step());
}

void ExactBoids::get(std::span<Boid> boids) const {
  for (std::size_t row = 0; row < flock_->size(); ++row) {
    boids[flock_->numbers()[row]] = {flock_->position(0)[row], flock_->position(1)[row],
                                     flock_->velocity(0)[row], flock_->velocity(1)[row]};
  }
}

Boids field_start(std::size_t count, std::uint64_t seed) {
  const scenes::FlockScene scene = scenes::make_flock(count, scenes::flock_half_size(count), seed);
  Boids boids(count);
  for (std::size_t i = 0; i < count; ++i) {
    boids[i] = {scene.position[0][i], scene.position[1][i], scene.velocity[0][i], scene.velocity[1][i]};
  }
  return boids;
}

void advance(classics::BoidsClassic& flock, std::size_t steps) {
  for (std::size_t step = 0; step < steps; ++step) {
    flock.step();
  }
}

Boids field_flocked(std::size_t count) {
  Boids boids = field_start(count);
  ExactBoids flock(scenes::flock_half_size(count));
  flock.set(boids);
  advance(flock, 300);
  flock.get(boids);
  return boids;
}

void build(classics::CellList<2>& list, const Boids& boids) {
  std::vector<float> x, y;
  for (const Boid& boid : boids) {
    x.push_back(boid.x);
    y.push_back(boid.y);
  }
  list.build({x, y}, std::sqrt(FlockRules{}.see_radius2) * 1.0001F);
}

Exact look_around(const Boids& boids) {
  const FlockRules rules;
  classics::CellList<2> list;
  build(list, boids);
  Exact exact{std::vector<Sums>(boids.size()), std::vector<double>(boids.size())};
  std::size_t spots = 0;
  for (std::uint32_t row = 0; row < list.size(); ++row) {
    Sums sums;
    double ux = 0, uy = 0;
    const auto add_unit = [&](const Boid& boid) {
      const double speed = std::hypot(double{boid.vx}, double{boid.vy});
      ux += boid.vx / speed;
      uy += boid.vy / speed;
    };
    add_unit(boids[list.number(row)]);
    list.for_each_neighbour(row, [&](std::uint32_t other, const std::array<float, 2>& d, float distance2) {
      const Boid& seen = boids[list.number(other)];
      if (distance2 < rules.see_radius2) {
        sums.count += 1;
        sums.sum_vx += seen.vx;
        sums.sum_vy += seen.vy;
        sums.sum_dx += d[0];
        sums.sum_dy += d[1];
        add_unit(seen);
      }
      if (distance2 < rules.avoid_radius2) {
        sums.away_x -= d[0];
        sums.away_y -= d[1];
      }
      spots += distance2 < rules.avoid_radius2 / 100 ? 1 : 0;
    });
    exact.sums[list.number(row)] = sums;
    exact.together[list.number(row)] = std::hypot(ux, uy) / (double{sums.count} + 1);
  }
  exact.on_the_spot = static_cast<double>(spots) / static_cast<double>(boids.size());
  return exact;
}

}  // namespace juxta::bench
