// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "classics/agents/boids.h"
#include "classics/agents/boids_grid.h"
#include "classics/agents/boids_rules-inl.h"

namespace juxta::classics {

GridBoids::GridBoids(float half_size, const FlockRules& rules, const BoidsGridOptions& options)
    : half_size_(half_size), rules_(rules), grid_(half_size, rules, options) {}

void GridBoids::set(std::span<const Boid> boids) {
  boids_.assign(boids.begin(), boids.end());
  next_.resize(boids.size());
}

void GridBoids::meet_cell(std::size_t cell, std::size_t number, Found& found) const {
  const Boid boid = boids_[number];
  for (std::uint32_t at = cells_.first(cell); at != cells_.kNone; at = cells_[at].next) {
    const auto& block = cells_[at];
    for (std::uint32_t slot = 0; slot < block.size; ++slot) {
      if (block.boids[slot] != number) {
        meet(boid, boids_[block.boids[slot]], rules_, found);
      }
    }
  }
}

void GridBoids::step() {
  cells_.fill(grid_, boids_.size(), [this](std::size_t i) -> const Boid& { return boids_[i]; });
  for (std::size_t i = 0; i < boids_.size(); ++i) {
    const CellRange range = grid_.around(boids_[i]);
    Found found;
    for (std::uint32_t y = range.low_y; y <= range.high_y; ++y) {
      for (std::uint32_t x = range.low_x; x <= range.high_x; ++x) {
        meet_cell(std::size_t{y} * grid_.cells + x, i, found);
      }
    }
    next_[i] = steered(boids_[i], found, rules_, half_size_);
  }
  boids_.swap(next_);
}

void GridBoids::get(std::span<Boid> boids) const {
  std::copy(boids_.begin(), boids_.end(), boids.begin());
}

}  // namespace juxta::classics
