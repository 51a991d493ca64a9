// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <span>

#include "classics/agents/boids.h"
#include "classics/agents/boids_rules-inl.h"

namespace juxta::classics {

NaiveBoids::NaiveBoids(float half_size, const FlockRules& rules) : half_size_(half_size), rules_(rules) {}

void NaiveBoids::set(std::span<const Boid> boids) {
  boids_.assign(boids.begin(), boids.end());
  next_.resize(boids.size());
}

void NaiveBoids::step() {
  const std::size_t size = boids_.size();
  const FlockRules rules = rules_;
  for (std::size_t i = 0; i < size; ++i) {
    const Boid boid = boids_[i];
    Found found;
    for (std::size_t j = 0; j < size; ++j) {
      if (j != i) {
        meet(boid, boids_[j], rules, found);
      }
    }
    next_[i] = steered(boid, found, rules, half_size_);
  }
  boids_.swap(next_);
}

void NaiveBoids::get(std::span<Boid> boids) const {
  std::copy(boids_.begin(), boids_.end(), boids.begin());
}

}  // namespace juxta::classics
