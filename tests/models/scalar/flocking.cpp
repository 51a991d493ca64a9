// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tests/models/scalar/flocking.h"

#include <algorithm>
#include <cmath>

#include "juxta/core/random.h"

namespace juxta::scalar {
namespace {

enum Purpose : std::uint32_t { kPlace, kDirection, kOrder };

double nearest(double d, double size) {
  return d > size / 2 ? d - size : d < -size / 2 ? d + size : d;
}

double wrap(double x, double size) {
  x -= size * std::floor(x / size);
  return x < size ? x : 0;
}

void fly(FlockingWorld& world, std::uint32_t self) {
  const FlockingRules rules = world.rules;
  Bird& bird = world.birds[self];
  double cohere_x = 0, cohere_y = 0, match_x = 0, match_y = 0, separate_x = 0, separate_y = 0;
  std::size_t n = 0;
  for (std::uint32_t i = 0; i < world.birds.size(); ++i) {
    const Bird& other = world.birds[i];
    const double dx = nearest(other.x - bird.x, rules.size), dy = nearest(other.y - bird.y, rules.size);
    const double distance2 = dx * dx + dy * dy;
    if (i == self || distance2 > rules.radius * rules.radius) {
      continue;
    }
    ++n;
    cohere_x += dx;
    cohere_y += dy;
    match_x += other.vx;
    match_y += other.vy;
    if (distance2 < rules.separation * rules.separation) {
      separate_x -= dx;
      separate_y -= dy;
    }
  }
  const auto share = static_cast<double>(n > 0 ? n : 1);
  const double vx =
      bird.vx + (cohere_x * rules.cohere + separate_x * rules.separate + match_x * rules.match) / share;
  const double vy =
      bird.vy + (cohere_y * rules.cohere + separate_y * rules.separate + match_y * rules.match) / share;
  const double norm = std::sqrt(vx * vx + vy * vy);
  if (norm > 0) {
    bird.vx = vx / norm;
    bird.vy = vy / norm;
  }
  bird.x = wrap(bird.x + bird.vx * rules.speed, rules.size);
  bird.y = wrap(bird.y + bird.vy * rules.speed, rules.size);
}

}  // namespace

FlockingWorld make_flocking(const FlockingRules& rules, std::size_t birds, std::uint64_t seed) {
  FlockingWorld world{rules, seed, 0, {}, std::vector<std::uint32_t>(birds)};
  for (std::uint64_t i = 0; i < birds; ++i) {
    const double x = random_double({seed, 0, kPlace}, 2 * i), y = random_double({seed, 0, kPlace}, 2 * i + 1);
    const double vx = random_double({seed, 0, kDirection}, 2 * i);
    const double vy = random_double({seed, 0, kDirection}, 2 * i + 1);
    world.birds.push_back({x * rules.size, y * rules.size, 2 * vx - 1, 2 * vy - 1});
  }
  return world;
}

void step_flocking(FlockingWorld& world) {
  random_order({world.seed, world.step, kOrder}, world.order);
  for (const std::uint32_t bird : world.order) {
    fly(world, bird);
  }
  ++world.step;
}

double farthest_apart(const FlockingRules& rules, const std::vector<Bird>& a, const std::vector<Bird>& b) {
  double apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    apart = std::max({apart, std::abs(nearest(b[i].x - a[i].x, rules.size)),
                      std::abs(nearest(b[i].y - a[i].y, rules.size))});
  }
  return apart;
}

}  // namespace juxta::scalar
