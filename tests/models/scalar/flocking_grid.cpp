// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tests/models/scalar/flocking_grid.h"

#include <algorithm>
#include <cmath>

#include "juxta/core/random.h"

namespace juxta::scalar {
namespace {

constexpr std::uint32_t kOrder = 2;  // as in models/flocking.cpp

struct Sums {
  double cohere_x = 0, cohere_y = 0, match_x = 0, match_y = 0, separate_x = 0, separate_y = 0, n = 0;
};

double wrap(double x, double size) {
  x -= size * std::floor(x / size);
  return x < size ? x : 0;
}

/// The bird after its turn.
Bird flown(const FlockingRules& rules, Bird bird, const Sums& sums) {
  const double n = sums.n > 1 ? sums.n : 1;
  const double vx =
      bird.vx +
      (sums.cohere_x * rules.cohere + sums.separate_x * rules.separate + sums.match_x * rules.match) / n;
  const double vy =
      bird.vy +
      (sums.cohere_y * rules.cohere + sums.separate_y * rules.separate + sums.match_y * rules.match) / n;
  if (const double norm = std::sqrt(vx * vx + vy * vy); norm > 0) {
    bird.vx = vx / norm;
    bird.vy = vy / norm;
  }
  bird.x = wrap(bird.x + bird.vx * rules.speed, rules.size);
  bird.y = wrap(bird.y + bird.vy * rules.speed, rules.size);
  return bird;
}

}  // namespace

FlockingGrid::FlockingGrid(const FlockingWorld& start)
    : rules_(start.rules),
      seed_(start.seed),
      step_(start.step),
      side_(static_cast<std::int32_t>(rules_.size / rules_.radius)),
      cells_per_length_(side_ / rules_.size),
      cells_(static_cast<std::size_t>(side_ * side_)),
      homes_(start.birds.size()),
      order_(start.birds.size()) {
  for (std::uint32_t number = 0; number < start.birds.size(); ++number) {
    put(cell_of(start.birds[number]), {start.birds[number], number});
  }
}

std::int32_t FlockingGrid::cell_of(const Bird& bird) const noexcept {
  const auto x = static_cast<std::int32_t>(bird.x * cells_per_length_);
  const auto y = static_cast<std::int32_t>(bird.y * cells_per_length_);
  return std::min(y, side_ - 1) * side_ + std::min(x, side_ - 1);
}

void FlockingGrid::put(std::int32_t cell, const Resident& resident) {
  auto& residents = cells_[static_cast<std::size_t>(cell)];
  homes_[resident.number] = {cell, static_cast<std::int32_t>(residents.size())};
  residents.push_back(resident);
}

void FlockingGrid::fly(std::uint32_t self) {
  const Home home = homes_[self];
  auto& residents = cells_[static_cast<std::size_t>(home.cell)];
  const Bird bird = residents[static_cast<std::size_t>(home.slot)].bird;
  const double radius2 = rules_.radius * rules_.radius, separation2 = rules_.separation * rules_.separation;
  Sums sums;
  for (std::int32_t v = -1; v <= 1; ++v) {
    std::int32_t y = home.cell / side_ + v;
    const double py = bird.y - (y < 0 ? -rules_.size : y >= side_ ? rules_.size : 0);  // seen from that cell
    y = y < 0 ? y + side_ : y >= side_ ? y - side_ : y;
    for (std::int32_t u = -1; u <= 1; ++u) {
      std::int32_t x = home.cell % side_ + u;
      const double px = bird.x - (x < 0 ? -rules_.size : x >= side_ ? rules_.size : 0);
      x = x < 0 ? x + side_ : x >= side_ ? x - side_ : x;
      for (const Resident& other : cells_[static_cast<std::size_t>(y * side_ + x)]) {
        const double dx = other.bird.x - px, dy = other.bird.y - py, distance2 = dx * dx + dy * dy;
        if (distance2 > radius2 || other.number == self) {
          continue;
        }
        sums.n += 1;
        sums.cohere_x += dx;
        sums.cohere_y += dy;
        sums.match_x += other.bird.vx;
        sums.match_y += other.bird.vy;
        if (distance2 < separation2) {
          sums.separate_x -= dx;
          sums.separate_y -= dy;
        }
      }
    }
  }
  const Resident moved{flown(rules_, bird, sums), self};
  if (const std::int32_t cell = cell_of(moved.bird); cell == home.cell) {
    residents[static_cast<std::size_t>(home.slot)] = moved;
  } else {
    residents[static_cast<std::size_t>(home.slot)] = residents.back();  // who fills the gap
    homes_[residents.back().number].slot = home.slot;
    residents.pop_back();
    put(cell, moved);
  }
}

void FlockingGrid::step() {
  random_order({seed_, step_, kOrder}, order_);
  for (const std::uint32_t bird : order_) {
    fly(bird);
  }
  ++step_;
}

std::vector<Bird> FlockingGrid::birds() const {
  std::vector<Bird> all(homes_.size());
  for (const auto& residents : cells_) {
    for (const Resident& resident : residents) {
      all[resident.number] = resident.bird;
    }
  }
  return all;
}

}  // namespace juxta::scalar
