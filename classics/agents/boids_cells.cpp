// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "classics/agents/boids.h"
#include "classics/agents/boids_rules-inl.h"

namespace juxta::classics {

CellBoids::CellBoids(float half_size, const FlockRules& rules) : half_size_(half_size), rules_(rules) {}

void CellBoids::set(std::span<const Boid> boids) {
  for (auto* column : {&x_, &y_, &vx_, &vy_, &sorted_vx_, &sorted_vy_}) {
    column->resize(boids.size());
  }
  for (std::size_t i = 0; i < boids.size(); ++i) {
    x_[i] = boids[i].x;
    y_[i] = boids[i].y;
    vx_[i] = boids[i].vx;
    vy_[i] = boids[i].vy;
  }
}

void CellBoids::step() {
  // The list knows <= of a rounded radius, the rules < of its square: a little wider, and the rules decide.
  list_.build({x_, y_}, std::sqrt(rules_.see_radius2) * 1.0001F);
  for (std::uint32_t row = 0; row < list_.size(); ++row) {
    sorted_vx_[row] = vx_[list_.number(row)];
    sorted_vy_[row] = vy_[list_.number(row)];
  }
  for (std::uint32_t row = 0; row < list_.size(); ++row) {
    Found found;
    list_.for_each_neighbour(row, [&](std::uint32_t other, const std::array<float, 2>& d, float distance2) {
      if (distance2 < rules_.see_radius2) {
        found.count += 1;
        found.sum_vx += sorted_vx_[other];
        found.sum_vy += sorted_vy_[other];
        found.sum_dx += d[0];
        found.sum_dy += d[1];
        if (distance2 < rules_.avoid_radius2) {
          found.away_x -= d[0];
          found.away_y -= d[1];
        }
      }
    });
    const auto& [x, y] = list_.point(row);
    const Boid next = steered({x, y, sorted_vx_[row], sorted_vy_[row]}, found, rules_, half_size_);
    const std::uint32_t number = list_.number(row);
    x_[number] = next.x;
    y_[number] = next.y;
    vx_[number] = next.vx;
    vy_[number] = next.vy;
  }
}

void CellBoids::get(std::span<Boid> boids) const {
  for (std::size_t i = 0; i < boids.size(); ++i) {
    boids[i] = {x_[i], y_[i], vx_[i], vy_[i]};
  }
}

}  // namespace juxta::classics
