// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Operations for four neighbours, 17 with 16 bits and 18 with 8 (SseBoids has 25):
//   distance    1 load (8 bits: and 1 widening), 1 difference, 1 product of pairs, 2 compares, 1 mask, 1
//   count velocities  2 loads, 2 masks, 2 sums places      2 masks, 2 sums, of x and y at once
// Sums of differences are taken in 16 bits, and widened before they can overflow: 8 more operations every 14
// registers with 16 bits, every 112 with 8.
#include "classics/agents/boids_compact.h"

#include <emmintrin.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "classics/agents/boids_rules-inl.h"

namespace juxta::classics {
namespace {

// kLanes + 4 - n: the first n lanes of a vector count.
alignas(16) constexpr std::int32_t kLanes[8] = {-1, -1, -1, -1, 0, 0, 0, 0};

// x and y of four places, 16 bits each.
template <class Stored>
[[gnu::always_inline]] inline __m128i four_places(const Stored* from) {
  if constexpr (sizeof(Stored) == 1) {
    return _mm_unpacklo_epi8(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)), _mm_setzero_si128());
  } else {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  }
}

/// Sums of differences, x and y, four lanes each.
struct PlaceSums {
  __m128i x = _mm_setzero_si128(), y = _mm_setzero_si128();
  void add(__m128i pairs) {
    x = _mm_add_epi32(x, _mm_madd_epi16(pairs, _mm_set1_epi32(1)));
    y = _mm_add_epi32(y, _mm_madd_epi16(pairs, _mm_set1_epi32(1 << 16)));
  }
};

struct CompactFound {
  __m128i count = _mm_setzero_si128();
  __m128 sum_vx = _mm_setzero_ps(), sum_vy = _mm_setzero_ps();
  // Sums of pairs in 16 bits, and what is no longer in them.
  __m128i near16 = _mm_setzero_si128(), too_near16 = _mm_setzero_si128();
  PlaceSums near, too_near;

  void widen() {
    near.add(near16);
    too_near.add(too_near16);
    near16 = too_near16 = _mm_setzero_si128();
  }
};

struct CompactSeer {
  __m128i place, see, avoid;
  std::uint32_t registers;
};

template <class Stored>
struct CompactSeen {
  const Stored* places;
  const float *vx, *vy;
};

template <bool kAll, class Stored>
[[gnu::always_inline]] inline void meet_four(const CompactSeer& seer, const CompactSeen<Stored>& seen,
                                             std::uint32_t at, __m128i lanes, CompactFound& found) {
  const __m128i d = _mm_sub_epi16(four_places(seen.places + std::size_t{at} * 2), seer.place);
  const __m128i distance2 = _mm_madd_epi16(d, d);
  __m128i near = _mm_cmplt_epi32(distance2, seer.see);
  if constexpr (!kAll) {
    near = _mm_and_si128(near, lanes);
  }
  const __m128i too_near = _mm_and_si128(near, _mm_cmplt_epi32(distance2, seer.avoid));
  const __m128 mask = _mm_castsi128_ps(near);
  found.count = _mm_sub_epi32(found.count, near);
  found.sum_vx = _mm_add_ps(found.sum_vx, _mm_and_ps(mask, _mm_loadu_ps(seen.vx + at)));
  found.sum_vy = _mm_add_ps(found.sum_vy, _mm_and_ps(mask, _mm_loadu_ps(seen.vy + at)));
  found.near16 = _mm_add_epi16(found.near16, _mm_and_si128(near, d));
  found.too_near16 = _mm_add_epi16(found.too_near16, _mm_and_si128(too_near, d));
}

// The boids of rows [at, end). `left`: registers until sums in 16 bits must be widened.
template <class Stored>
[[gnu::always_inline]] inline void meet_run(const CompactSeer& seer, const CompactSeen<Stored>& seen,
                                            std::uint32_t at, std::uint32_t end, std::uint32_t& left,
                                            CompactFound& found) {
  for (; at < end; at += 4) {
    if (at + 4 <= end) {
      meet_four<true>(seer, seen, at, seer.place, found);
    } else {
      const auto* lanes = reinterpret_cast<const __m128i*>(kLanes + 4 - (end - at));
      meet_four<false>(seer, seen, at, _mm_loadu_si128(lanes), found);
    }
    if (--left == 0) {
      found.widen();
      left = seer.registers;
    }
  }
}

float sum_of_lanes(__m128 v) {
  const __m128 pairs = _mm_add_ps(v, _mm_movehl_ps(v, v));
  return _mm_cvtss_f32(_mm_add_ss(pairs, _mm_shuffle_ps(pairs, pairs, 1)));
}
float sum_of_lanes(__m128i v) {
  const __m128i pairs = _mm_add_epi32(v, _mm_shuffle_epi32(v, 0b01001110));
  return static_cast<float>(_mm_cvtsi128_si32(_mm_add_epi32(pairs, _mm_shuffle_epi32(pairs, 1))));
}

// x in the low, y in the high half of every lane: the last 16 bits of each.
__m128i pairs_of(std::int32_t x, std::int32_t y) {
  const auto low = static_cast<std::uint32_t>(x) & 0xFFFFU, high = static_cast<std::uint32_t>(y) << 16;
  return _mm_set1_epi32(static_cast<std::int32_t>(high | low));
}

}  // namespace

template <class Stored>
CompactBoids<Stored>::CompactBoids(float half_size, const FlockRules& rules, SseRuns runs)
    : half_size_(half_size),
      rules_(rules),
      runs_(sizeof(Stored) == 1 ? SseRuns::kCell : runs),
      cells_(BoidsGrid(half_size, rules, {})) {
  step_ = 1 / (cells_.grid.cells_per_unit * static_cast<float>(kSteps));
  const auto first_beyond = [this](float radius2) {
    return static_cast<std::int32_t>(std::ceil(double{radius2} / (double{step_} * double{step_})));
  };
  see_ = first_beyond(rules.see_radius2);
  avoid_ = first_beyond(rules.avoid_radius2);
  const auto farthest = static_cast<std::uint32_t>(std::sqrt(rules.see_radius2) / step_) + 1;
  registers_ = std::max(1U, 32767U / farthest);
}

template <class Stored>
void CompactBoids<Stored>::set(std::span<const Boid> boids) {
  cells_.set(boids);
  places_.resize((boids.size() + BoidColumns::kRoom) * 2);
}

// From the low edge of the world; whole cells and what is behind them apart, as cell_of() sees them.
template <class Stored>
std::int32_t CompactBoids<Stored>::steps_of(float coordinate) const noexcept {
  const BoidsGrid& grid = cells_.grid;
  const float along = (coordinate + grid.half_size) * grid.cells_per_unit;
  const auto cell =
      static_cast<std::int32_t>(std::min(std::max(along, 0.0F), static_cast<float>(grid.cells - 1)));
  const float into = (along - static_cast<float>(cell)) * static_cast<float>(kSteps);
  return cell * kSteps +
         static_cast<std::int32_t>(std::min(std::max(into, 0.0F), static_cast<float>(kSteps - 1)));
}

template <class Stored>
void CompactBoids<Stored>::round_places() {
  const float *const xs = cells_.sorted.x.data(), *const ys = cells_.sorted.y.data();
  Stored* const places = places_.data();
  for (std::size_t row = 0; row < cells_.sorted.size(); ++row) {
    places[2 * row] = static_cast<Stored>(steps_of(xs[row]));
    places[2 * row + 1] = static_cast<Stored>(steps_of(ys[row]));
  }
}

template <class Stored>
Found CompactBoids<Stored>::found_by(std::uint32_t row) const noexcept {
  const Boid boid = cells_.sorted.at(row);
  const CellRange range = cells_.grid.around(boid);
  const std::int32_t at_x = steps_of(boid.x), at_y = steps_of(boid.y);
  const CompactSeen<Stored> seen{places_.data(), cells_.sorted.vx.data(), cells_.sorted.vy.data()};
  CompactSeer seer{pairs_of(at_x, at_y), _mm_set1_epi32(see_), _mm_set1_epi32(avoid_), registers_};
  CompactFound sums;
  std::uint32_t left = registers_;
  for (std::uint32_t y = range.low_y; y <= range.high_y; ++y) {
    const std::uint32_t* starts = cells_.starts.data() + std::size_t{y} * cells_.grid.cells;
    if (sizeof(Stored) > 1 && runs_ == SseRuns::kRow) {
      meet_run(seer, seen, starts[range.low_x], starts[range.high_x + 1], left, sums);
      continue;
    }
    for (std::uint32_t x = range.low_x; x <= range.high_x; ++x) {
      if (sizeof(Stored) == 1) {
        seer.place = pairs_of(at_x - static_cast<std::int32_t>(x) * kSteps,
                              at_y - static_cast<std::int32_t>(y) * kSteps);
      }
      meet_run(seer, seen, starts[x], starts[x + 1], left, sums);
    }
  }
  sums.widen();
  // The boid has met itself: at distance 0 that is one more, and its velocity.
  Found found;
  found.count = sum_of_lanes(sums.count) - 1;
  found.sum_vx = sum_of_lanes(sums.sum_vx) - boid.vx;
  found.sum_vy = sum_of_lanes(sums.sum_vy) - boid.vy;
  found.sum_dx = sum_of_lanes(sums.near.x) * step_;
  found.sum_dy = sum_of_lanes(sums.near.y) * step_;
  found.away_x = -sum_of_lanes(sums.too_near.x) * step_;
  found.away_y = -sum_of_lanes(sums.too_near.y) * step_;
  return found;
}

template <class Stored>
void CompactBoids<Stored>::step() {
  cells_.sort();
  round_places();
  for (std::uint32_t row = 0; row < cells_.now.size(); ++row) {
    cells_.now.put(row, steered(cells_.sorted.at(row), found_by(row), rules_, half_size_));
  }
  cells_.take();
}

template <class Stored>
void CompactBoids<Stored>::get(std::span<Boid> boids) const {
  cells_.now.copy_to(boids);
}

template class CompactBoids<std::uint8_t>;
template class CompactBoids<std::uint16_t>;

}  // namespace juxta::classics
