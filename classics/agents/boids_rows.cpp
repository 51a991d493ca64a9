// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classics/agents/boids.h"
#include "classics/agents/boids_rules-inl.h"
#include "classics/agents/lanes-inl.h"

namespace juxta::classics {

RowBoids::RowBoids(float half_size, const FlockRules& rules, const RowsOptions& options)
    : half_size_(half_size), rules_(rules) {
  // A rounded sum may fall short of the cell of a neighbour that is as far as can be.
  radius_ = std::sqrt(rules.see_radius2) + half_size * 0x1p-20F;
  const auto cells = [&](float edge) {
    return std::max(1.0F, std::min(std::floor(2 * half_size / (edge * radius_)), 8192.0F));
  };
  const float across = cells(options.cell_width), up = cells(options.cell_height);
  across_ = static_cast<std::int32_t>(across);
  up_ = static_cast<std::int32_t>(up);
  across_per_unit_ = across / (2 * half_size);
  up_per_unit_ = up / (2 * half_size);
}

void RowBoids::set(std::span<const Boid> boids) {
  static_assert(BoidColumns::kRoom >= Lanes::kCount);  // A vector may reach beyond the last boid.
  size_ = boids.size();
  now_.assign(boids);
  sorted_.resize(size_);
  cell_of_boid_.resize(size_);
}

std::int32_t RowBoids::column_of(float x) const noexcept {
  const float cell = (x + half_size_) * across_per_unit_;
  return static_cast<std::int32_t>(std::min(std::max(cell, 0.0F), static_cast<float>(across_ - 1)));
}

std::int32_t RowBoids::row_of(float y) const noexcept {
  const float cell = (y + half_size_) * up_per_unit_;
  return static_cast<std::int32_t>(std::min(std::max(cell, 0.0F), static_cast<float>(up_ - 1)));
}

// now_ -> sorted_, a counting sort by cell.
void RowBoids::sort() {
  for (std::size_t i = 0; i < size_; ++i) {
    cell_of_boid_[i] = static_cast<std::uint32_t>(row_of(now_.y[i]) * across_ + column_of(now_.x[i]));
  }
  sort_by_cell(now_, cell_of_boid_, static_cast<std::size_t>(across_ * up_), sorted_, starts_);
}

/// What boids [first, first + count) of sorted_ do, in three loops: where each looks, what it finds, and how
/// it steers. The compiler makes the first and the last one wide.
struct RowBoids::Block {
  static constexpr std::uint32_t kSize = 64;
  std::uint32_t first, count;
  std::int32_t low_x[kSize], high_x[kSize], low_y[kSize], high_y[kSize];
  alignas(64) float found[kSize][8];  ///< Velocities, differences, differences of those too near; number.
};

void RowBoids::reach(Block& block) const noexcept {
  const float* const x = sorted_.x.data() + block.first;
  const float* const y = sorted_.y.data() + block.first;
  for (std::uint32_t i = 0; i < block.count; ++i) {
    block.low_x[i] = column_of(x[i] - radius_);
    block.high_x[i] = column_of(x[i] + radius_) + 1;
    block.low_y[i] = row_of(y[i] - radius_);
    block.high_y[i] = row_of(y[i] + radius_);
  }
}

// One boid a call, and not inlined: gcc 12 makes one induction variable of a loop over boids that no longer
// points into `block`, takes the function for one that writes nothing, and drops it.
[[gnu::noinline]] void RowBoids::find(Block& block, std::uint32_t i) const noexcept {
  const float *const xs = sorted_.x.data(), *const ys = sorted_.y.data();
  const float *const vxs = sorted_.vx.data(), *const vys = sorted_.vy.data();
  const Lanes x = Lanes::all(xs[block.first + i]), y = Lanes::all(ys[block.first + i]);
  const Lanes see2 = Lanes::all(rules_.see_radius2), avoid2 = Lanes::all(rules_.avoid_radius2);
  const std::uint32_t* const low = starts_.data() + block.low_x[i];
  const std::uint32_t* const high = starts_.data() + block.high_x[i];
  Lanes vx, vy, sum_x, sum_y, near_x, near_y;
  std::uint32_t near_count = 0;
  for (std::int32_t row = block.low_y[i]; row <= block.high_y[i]; ++row) {
    const std::uint32_t end = high[row * across_];
    for (std::uint32_t at = low[row * across_]; at < end; at += Lanes::kCount) {
      const Lanes dx = Lanes::load(xs + at) - x, dy = Lanes::load(ys + at) - y;
      const Lanes distance2 = dx * dx + dy * dy;
      const Near near = less(first_lanes(end - at), distance2, see2);
      const Near too_near = less(near, distance2, avoid2);
      near_count += count(near);
      add(near, vx, Lanes::load(vxs + at));
      add(near, vy, Lanes::load(vys + at));
      add(near, sum_x, dx);
      add(near, sum_y, dy);
      add(too_near, near_x, dx);
      add(too_near, near_y, dy);
    }
  }
  sums_of_lanes({vx, vy, sum_x, sum_y, near_x, near_y}, block.found[i]);
  block.found[i][7] = static_cast<float>(near_count);
}

void RowBoids::steer(const Block& block) noexcept {
  const FlockRules rules = rules_;
  const float half_size = half_size_;
  const auto begin = [&](std::vector<float>& column) { return column.data() + block.first; };
  const float *const x = begin(sorted_.x), *const y = begin(sorted_.y);
  const float *const vx = begin(sorted_.vx), *const vy = begin(sorted_.vy);
  float *const to_x = begin(now_.x), *const to_y = begin(now_.y);
  float *const to_vx = begin(now_.vx), *const to_vy = begin(now_.vy);
  for (std::uint32_t i = 0; i < block.count; ++i) {
    const auto& sums = block.found[i];
    // The boid has met itself: at distance 0 that is one more, and its velocity.
    const Found found{sums[7] - 1, sums[0] - vx[i], sums[1] - vy[i], sums[2], sums[3], -sums[4], -sums[5]};
    const Boid next = steered({x[i], y[i], vx[i], vy[i]}, found, rules, half_size);
    to_x[i] = next.x;
    to_y[i] = next.y;
    to_vx[i] = next.vx;
    to_vy[i] = next.vy;
  }
}

void RowBoids::step() {
  sort();
  Block block;
  for (std::size_t first = 0; first < size_; first += Block::kSize) {
    block.first = static_cast<std::uint32_t>(first);
    block.count = static_cast<std::uint32_t>(std::min<std::size_t>(Block::kSize, size_ - first));
    reach(block);
    for (std::uint32_t i = 0; i < block.count; ++i) {
      find(block, i);
    }
    steer(block);
  }
  now_.number.swap(sorted_.number);
}

void RowBoids::get(std::span<Boid> boids) const {
  now_.copy_to(boids);
}

}  // namespace juxta::classics
