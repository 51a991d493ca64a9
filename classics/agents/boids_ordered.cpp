// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Not printed in the article: its last layout without its SIMD. grid -> this is what the order of memory
// brings, this -> sse is what four lanes bring.
#include <cstddef>
#include <cstdint>
#include <span>

#include "classics/agents/boids.h"
#include "classics/agents/boids_rules-inl.h"

namespace juxta::classics {

OrderedBoids::OrderedBoids(float half_size, const FlockRules& rules, const BoidsGridOptions& options)
    : half_size_(half_size), rules_(rules), cells_(BoidsGrid(half_size, rules, options)) {}

void OrderedBoids::set(std::span<const Boid> boids) {
  cells_.set(boids);
}

Found OrderedBoids::found_by(std::uint32_t row) const noexcept {
  const Boid boid = cells_.sorted.at(row);
  const float *const xs = cells_.sorted.x.data(), *const ys = cells_.sorted.y.data();
  const float *const vxs = cells_.sorted.vx.data(), *const vys = cells_.sorted.vy.data();
  const CellRange range = cells_.grid.around(boid);
  Found found;
  for (std::uint32_t y = range.low_y; y <= range.high_y; ++y) {
    const std::uint32_t* starts = cells_.starts.data() + std::size_t{y} * cells_.grid.cells;
    for (std::uint32_t x = range.low_x; x <= range.high_x; ++x) {
      for (std::uint32_t other = starts[x]; other < starts[x + 1]; ++other) {
        if (other != row) {
          meet(boid, {xs[other], ys[other], vxs[other], vys[other]}, rules_, found);
        }
      }
    }
  }
  return found;
}

void OrderedBoids::step() {
  cells_.sort();
  for (std::uint32_t row = 0; row < cells_.now.size(); ++row) {
    cells_.now.put(row, steered(cells_.sorted.at(row), found_by(row), rules_, half_size_));
  }
  cells_.take();
}

void OrderedBoids::get(std::span<Boid> boids) const {
  cells_.now.copy_to(boids);
}

}  // namespace juxta::classics
