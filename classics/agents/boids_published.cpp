// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// The printed kernel with its slips mended; what is as printed and what is not stands in the header.
//
//   a neighbour: 5 broadcasts, 2 differences, 2 products, 1 sum, 2 compares, 1 test of self, 8 masks, 7 sums:
//   28 operations for 4 pairs, of which those of fours that reach different cells are often in vain
#include "classics/agents/boids_published.h"

#include <emmintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "juxta/order/curves.h"

namespace juxta::classics {
namespace {

struct FourBoids {
  __m128 x, y, vx, vy;
};

/// What each of four boids found around it.
struct FourFound {
  __m128i count = _mm_setzero_si128();
  __m128 sum_vx = _mm_setzero_ps(), sum_vy = _mm_setzero_ps();
  __m128 sum_dx = _mm_setzero_ps(), sum_dy = _mm_setzero_ps();
  __m128 away_x = _mm_setzero_ps(), away_y = _mm_setzero_ps();
};

struct FourRadii {
  __m128 see2, avoid2;
};

[[gnu::always_inline]] inline void meet_one(const FourBoids& seers, __m128i indices, const FourRadii& radii,
                                            const BoidColumns& all, std::uint32_t other, FourFound& found) {
  const __m128 dx = _mm_sub_ps(_mm_set1_ps(all.x[other]), seers.x);
  const __m128 dy = _mm_sub_ps(_mm_set1_ps(all.y[other]), seers.y);
  const __m128 distance2 = _mm_add_ps(_mm_mul_ps(dx, dx), _mm_mul_ps(dy, dy));
  const __m128i self = _mm_cmpeq_epi32(indices, _mm_set1_epi32(static_cast<int>(other)));
  const __m128 near = _mm_andnot_ps(_mm_castsi128_ps(self), _mm_cmplt_ps(distance2, radii.see2));
  const __m128 too_near = _mm_and_ps(near, _mm_cmplt_ps(distance2, radii.avoid2));
  found.count = _mm_sub_epi32(found.count, _mm_castps_si128(near));
  found.sum_vx = _mm_add_ps(found.sum_vx, _mm_and_ps(near, _mm_set1_ps(all.vx[other])));
  found.sum_vy = _mm_add_ps(found.sum_vy, _mm_and_ps(near, _mm_set1_ps(all.vy[other])));
  found.sum_dx = _mm_add_ps(found.sum_dx, _mm_and_ps(near, dx));
  found.sum_dy = _mm_add_ps(found.sum_dy, _mm_and_ps(near, dy));
  found.away_x = _mm_sub_ps(found.away_x, _mm_and_ps(too_near, dx));
  found.away_y = _mm_sub_ps(found.away_y, _mm_and_ps(too_near, dy));
}

// The least or the most of four lanes: all four of them.
template <class Take>
float of_all_lanes(__m128 v, Take take) {
  const __m128 pairs = take(v, _mm_shuffle_ps(v, v, 0b10110001));
  return _mm_cvtss_f32(take(pairs, _mm_shuffle_ps(pairs, pairs, 0b01001110)));
}
float least(__m128 v) {
  return of_all_lanes(v, [](__m128 a, __m128 b) { return _mm_min_ps(a, b); });
}
float most(__m128 v) {
  return of_all_lanes(v, [](__m128 a, __m128 b) { return _mm_max_ps(a, b); });
}

// The cells that any of the four reaches.
CellRange around_four(const BoidsGrid& grid, const FourBoids& seers) {
  return {grid.cell_of(least(seers.x) - grid.search_radius), grid.cell_of(most(seers.x) + grid.search_radius),
          grid.cell_of(least(seers.y) - grid.search_radius),
          grid.cell_of(most(seers.y) + grid.search_radius)};
}

// The rules for one axis but for the speed. Nobody near: neither drawn to anybody nor aligned.
__m128 drawn(__m128 v, __m128 sum_d, __m128 away, __m128 sum_v, __m128 count, const FlockRules& rules) {
  const __m128 some = _mm_cmpgt_ps(count, _mm_setzero_ps());
  const __m128 n = _mm_max_ps(count, _mm_set1_ps(1));
  const __m128 cohesion = _mm_mul_ps(_mm_set1_ps(rules.cohere), _mm_div_ps(sum_d, n));
  v = _mm_add_ps(v, _mm_and_ps(some, cohesion));
  v = _mm_add_ps(v, _mm_mul_ps(_mm_set1_ps(rules.avoid), away));
  const __m128 alignment = _mm_mul_ps(_mm_set1_ps(rules.align), _mm_sub_ps(_mm_div_ps(sum_v, n), v));
  return _mm_add_ps(v, _mm_and_ps(some, alignment));
}

__m128 pushed(__m128 v, __m128 position, const FlockRules& rules, float half_size) {
  const __m128 near = _mm_set1_ps(rules.wall_distance - half_size);
  const __m128 wall = _mm_set1_ps(rules.wall);
  const __m128 low = _mm_and_ps(_mm_cmplt_ps(position, near), wall);
  const __m128 high = _mm_and_ps(_mm_cmpgt_ps(position, _mm_set1_ps(half_size - rules.wall_distance)), wall);
  return _mm_add_ps(v, _mm_sub_ps(low, high));
}

__m128 moved(__m128 position, __m128 v, const FlockRules& rules, float half_size) {
  const __m128 edge = _mm_set1_ps(half_size - 0.01F);
  const __m128 to = _mm_add_ps(position, _mm_mul_ps(v, _mm_set1_ps(rules.time_step)));
  return _mm_min_ps(_mm_max_ps(to, _mm_sub_ps(_mm_setzero_ps(), edge)), edge);
}

// steered() of boids_rules-inl.h in four lanes.
FourBoids steered_four(const FourBoids& seers, const FourFound& found, const FlockRules& rules,
                       float half_size) {
  const __m128 count = _mm_cvtepi32_ps(found.count);
  __m128 vx = drawn(seers.vx, found.sum_dx, found.away_x, found.sum_vx, count, rules);
  __m128 vy = drawn(seers.vy, found.sum_dy, found.away_y, found.sum_vy, count, rules);
  const __m128 speed = _mm_sqrt_ps(_mm_add_ps(_mm_mul_ps(vx, vx), _mm_mul_ps(vy, vy)));
  const __m128 wanted =
      _mm_min_ps(_mm_max_ps(speed, _mm_set1_ps(rules.min_speed)), _mm_set1_ps(rules.max_speed));
  // Who stands still has no direction: 0 / 0 is masked.
  const __m128 scale = _mm_and_ps(_mm_cmpgt_ps(speed, _mm_setzero_ps()), _mm_div_ps(wanted, speed));
  vx = pushed(_mm_mul_ps(vx, scale), seers.x, rules, half_size);
  vy = pushed(_mm_mul_ps(vy, scale), seers.y, rules, half_size);
  return {moved(seers.x, vx, rules, half_size), moved(seers.y, vy, rules, half_size), vx, vy};
}

std::vector<std::uint32_t> walk_over(std::uint32_t cells, CellWalk walk) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  // Place on the walk, cell.
  order.reserve(std::size_t{cells} * cells);
  for (std::uint32_t y = 0; y < cells; ++y) {
    for (std::uint32_t x = 0; x < cells; ++x) {
      const auto x16 = static_cast<std::uint16_t>(x), y16 = static_cast<std::uint16_t>(y);
      const std::uint32_t cell = y * cells + x;
      order.emplace_back(walk == CellWalk::kRows     ? cell
                         : walk == CellWalk::kMorton ? morton2(x16, y16)
                                                     : hilbert2(x16, y16),
                         cell);
    }
  }
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t> all(order.size());
  std::transform(order.begin(), order.end(), all.begin(), [](const auto& step) { return step.second; });
  return all;
}

}  // namespace

/// Four boids of a block, from what they were to what they become.
struct SseBlockBoids::Kernel {
  SseBlockBoids& self;
  FourRadii radii{_mm_set1_ps(self.rules_.see_radius2), _mm_set1_ps(self.rules_.avoid_radius2)};

  [[nodiscard]] FourBoids load(std::uint32_t first) const {
    const BoidColumns& all = self.now_;
    return {_mm_loadu_ps(all.x.data() + first), _mm_loadu_ps(all.y.data() + first),
            _mm_loadu_ps(all.vx.data() + first), _mm_loadu_ps(all.vy.data() + first)};
  }
  [[nodiscard]] FourBoids gather(const std::uint32_t (&at)[4]) const {
    const auto column = [&at](const std::vector<float>& from) {
      return _mm_set_ps(from[at[3]], from[at[2]], from[at[1]], from[at[0]]);
    };
    return {column(self.now_.x), column(self.now_.y), column(self.now_.vx), column(self.now_.vy)};
  }

  [[nodiscard]] FourBoids seers(const std::uint32_t (&at)[4], __m128i indices, std::uint32_t count) const {
    const __m128i following =
        _mm_add_epi32(_mm_set1_epi32(static_cast<int>(at[0])), _mm_setr_epi32(0, 1, 2, 3));
    const int follow = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(indices, following)));
    if (follow == 15 && self.loads_ == SeerLoads::kWhereTheyFollow) {
      ++self.groups_.loaded;
      return load(at[0]);
    }
    ++(count == 4 ? self.groups_.gathered : self.groups_.fewer);
    return gather(at);
  }

  [[nodiscard]] FourFound found_by(const FourBoids& seers, __m128i indices) const {
    const CellRange range = around_four(self.grid_, seers);
    FourFound found;
    for (std::uint32_t y = range.low_y; y <= range.high_y; ++y) {
      for (std::uint32_t x = range.low_x; x <= range.high_x; ++x) {
        const std::size_t cell = std::size_t{y} * self.grid_.cells + x;
        for (std::uint32_t at = self.cells_.first(cell); at != Cells::kNone; at = self.cells_[at].next) {
          const Cells::Block& block = self.cells_[at];
          for (std::uint32_t slot = 0; slot < block.size; ++slot) {
            meet_one(seers, indices, radii, self.now_, block.boids[slot], found);
          }
        }
      }
    }
    return found;
  }

  // Boids [0, count) of `boids` become rows [written, written + count) of next_; up to three rows behind them
  // are written in vain, and anew by the group that follows.
  void step(const std::uint32_t* boids, std::uint32_t count, std::uint32_t written) const {
    std::uint32_t at[4];
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      at[lane] = boids[lane < count ? lane : 0];
    }
    const __m128i indices = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const FourBoids before = seers(at, indices, count);
    const FourBoids after = steered_four(before, found_by(before, indices), self.rules_, self.half_size_);
    BoidColumns& next = self.next_;
    _mm_storeu_ps(next.x.data() + written, after.x);
    _mm_storeu_ps(next.y.data() + written, after.y);
    _mm_storeu_ps(next.vx.data() + written, after.vx);
    _mm_storeu_ps(next.vy.data() + written, after.vy);
    for (std::uint32_t lane = 0; lane < count; ++lane) {
      next.number[written + lane] = self.now_.number[at[lane]];
    }
  }
};

SseBlockBoids::SseBlockBoids(float half_size, const FlockRules& rules, const BoidsGridOptions& options,
                             const SseBlockOptions& block_options)
    : half_size_(half_size),
      rules_(rules),
      loads_(block_options.loads),
      grid_(half_size, rules, options),
      walk_(walk_over(grid_.cells, block_options.walk)) {}

void SseBlockBoids::set(std::span<const Boid> boids) {
  now_.assign(boids);
  next_.resize(boids.size());
  groups_ = {};
}

void SseBlockBoids::step() {
  cells_.fill(grid_, now_.size(), [this](std::size_t i) { return now_.at(i); });
  const Kernel kernel{*this};
  std::uint32_t written = 0;
  for (const std::uint32_t cell : walk_) {
    for (std::uint32_t at = cells_.first(cell); at != Cells::kNone; at = cells_[at].next) {
      const Cells::Block& block = cells_[at];
      for (std::uint32_t first = 0; first < block.size; first += 4) {
        const std::uint32_t count = std::min(block.size - first, 4U);
        kernel.step(block.boids + first, count, written);
        written += count;
      }
    }
  }
  std::swap(now_, next_);
}

void SseBlockBoids::get(std::span<Boid> boids) const {
  now_.copy_to(boids);
}

}  // namespace juxta::classics
