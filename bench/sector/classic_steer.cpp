// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// The neighbour pass as the article's last stage of boids would have it (classics/agents/boids_sse.cpp), in
// 3D and with the totals of the battle: every tick writes all ships anew in the order of cells, row by row,
// each column in an array of its own, and meets four neighbours at a time with SSE.
//
//   cells of a row stand next to each other:  | x0 x1 x2 | ...     9 runs (25 with half as large cells) a
//   ship
#include <emmintrin.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "bench/sector/ways.h"

namespace juxta::bench {
namespace {

/// Four neighbours' share of each total, in the order of SteerTotals.
struct FourTotals {
  __m128 own = _mm_setzero_ps();
  __m128 own_vx = own, own_vy = own, own_vz = own, own_x = own, own_y = own, own_z = own;
  __m128 away_x = own, away_y = own, away_z = own;
  __m128 own_threat = own, foe_threat = own, foe_x = own, foe_y = own, foe_z = own;
};

/// The ship that looks, and the rules, in all lanes.
struct FourSeers {
  __m128 x, y, z, faction, sight2, room, near_room2;
};

struct SumLessSelf {
  __m128 sum;
  float self;
};

struct SeenColumns {
  const float *x, *y, *z, *vx, *vy, *vz, *faction, *threat;
};

// kLanes + 4 - n: the first n lanes of a vector count.
alignas(16) constexpr std::int32_t kLanes[8] = {-1, -1, -1, -1, 0, 0, 0, 0};

__m128 plus_where(__m128 total, __m128 where, __m128 value) {
  return _mm_add_ps(total, _mm_and_ps(where, value));
}

// 8 loads, 3 differences, 3 products, 2 sums, 3 compares, and for what is near 6 products, 15 masks, 15 sums,
// a root and a quotient.
template <bool kAll, bool kSkip>
[[gnu::always_inline]] inline void meet_four(const FourSeers& seer, const SeenColumns& seen, std::uint32_t at,
                                             __m128 lanes, FourTotals& t) {
  const __m128 dx = _mm_sub_ps(_mm_loadu_ps(seen.x + at), seer.x);
  const __m128 dy = _mm_sub_ps(_mm_loadu_ps(seen.y + at), seer.y);
  const __m128 dz = _mm_sub_ps(_mm_loadu_ps(seen.z + at), seer.z);
  const __m128 distance2 = _mm_add_ps(_mm_add_ps(_mm_mul_ps(dx, dx), _mm_mul_ps(dy, dy)), _mm_mul_ps(dz, dz));
  __m128 near = _mm_cmple_ps(distance2, seer.sight2);
  if constexpr (!kAll) {
    near = _mm_and_ps(near, lanes);
  }
  if (kSkip && _mm_movemask_ps(near) == 0) {
    return;
  }
  const __m128 same = _mm_cmpeq_ps(_mm_loadu_ps(seen.faction + at), seer.faction);
  const __m128 own = _mm_and_ps(near, same), foe = _mm_andnot_ps(same, near);
  const __m128 threat = _mm_loadu_ps(seen.threat + at);
  t.own = plus_where(t.own, own, _mm_set1_ps(1));
  t.own_vx = plus_where(t.own_vx, own, _mm_loadu_ps(seen.vx + at));
  t.own_vy = plus_where(t.own_vy, own, _mm_loadu_ps(seen.vy + at));
  t.own_vz = plus_where(t.own_vz, own, _mm_loadu_ps(seen.vz + at));
  t.own_x = plus_where(t.own_x, own, dx);
  t.own_y = plus_where(t.own_y, own, dy);
  t.own_z = plus_where(t.own_z, own, dz);
  t.own_threat = plus_where(t.own_threat, own, threat);
  t.foe_threat = plus_where(t.foe_threat, foe, threat);
  t.foe_x = plus_where(t.foe_x, foe, _mm_mul_ps(dx, threat));
  t.foe_y = plus_where(t.foe_y, foe, _mm_mul_ps(dy, threat));
  t.foe_z = plus_where(t.foe_z, foe, _mm_mul_ps(dz, threat));
  if (kSkip && _mm_movemask_ps(_mm_and_ps(near, _mm_cmple_ps(distance2, seer.near_room2))) == 0) {
    return;
  }
  const __m128 distance = _mm_max_ps(_mm_sqrt_ps(distance2), _mm_set1_ps(1e-6F));
  const __m128 close = _mm_and_ps(near, _mm_cmplt_ps(distance, seer.room));
  const __m128 push = _mm_div_ps(_mm_sub_ps(seer.room, distance), distance);
  t.away_x = _mm_sub_ps(t.away_x, _mm_and_ps(close, _mm_mul_ps(dx, push)));
  t.away_y = _mm_sub_ps(t.away_y, _mm_and_ps(close, _mm_mul_ps(dy, push)));
  t.away_z = _mm_sub_ps(t.away_z, _mm_and_ps(close, _mm_mul_ps(dz, push)));
}

// The ships of rows [at, end).
template <bool kSkip>
[[gnu::always_inline]] inline void meet_run(const FourSeers& seer, const SeenColumns& seen, std::uint32_t at,
                                            std::uint32_t end, FourTotals& t) {
  for (; at + 4 <= end; at += 4) {
    meet_four<true, kSkip>(seer, seen, at, seer.x, t);
  }
  if (at < end) {
    const auto* lanes = reinterpret_cast<const __m128i*>(kLanes + 4 - (end - at));
    meet_four<false, kSkip>(seer, seen, at, _mm_castsi128_ps(_mm_loadu_si128(lanes)), t);
  }
}

float sum_of_lanes(__m128 v) {
  const __m128 pairs = _mm_add_ps(v, _mm_movehl_ps(v, v));
  return _mm_cvtss_f32(_mm_add_ss(pairs, _mm_shuffle_ps(pairs, pairs, 1)));
}

/// Cells along one axis; what lies beyond the world belongs to those at its edge.
struct Axis {
  float lo = 0, cells_per_unit = 0, last = 0;

  Axis() = default;
  Axis(float from, float to, float edge) : lo(from) {
    const float cells = std::max(1.0F, std::floor((to - from) / edge));
    cells_per_unit = cells / (to - from);
    last = cells - 1;
  }
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(last) + 1; }
  [[nodiscard]] std::uint32_t cell_of(float at) const {
    return static_cast<std::uint32_t>(std::min(std::max((at - lo) * cells_per_unit, 0.0F), last));
  }
};

class ClassicSteer final : public SteerWay {
 public:
  ClassicSteer(const StageScene& scene, const Cells& cells)
      : skip_(cells.skip), sight_(scene.sight), room_(scene.room) {
    float reach = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      axes_[axis] = Axis(scene.world.lo[axis], scene.world.hi[axis], cells.edge * scene.sight);
      reach = std::max({reach, std::abs(scene.world.lo[axis]), std::abs(scene.world.hi[axis])});
    }
    // A rounded sum may fall short of the cell of a neighbour that is as far as can be.
    search_ = sight_ + (reach + sight_) * 0x1p-20F;
  }

  void load(const SteerInput& input) override {
    size_ = input.faction.size();
    const std::array<const std::vector<float>*, kColumns> from = {
        &input.position[0], &input.position[1], &input.position[2], &input.velocity[0],
        &input.velocity[1], &input.velocity[2], &input.faction,     &input.threat};
    for (std::size_t column = 0; column < kColumns; ++column) {
      now_[column] = *from[column];
      sorted_[column].resize(size_ + 4);  // A vector may reach beyond the last ship.
    }
    number_.resize(size_);
    cell_of_ship_.resize(size_);
    for (std::vector<float>& total : totals_) {
      total.resize(size_);
    }
  }

  void frame() override {
    sort();
    for (std::uint32_t row = 0; row < size_; ++row) {
      if (skip_) {
        look<true>(row);
      } else {
        look<false>(row);
      }
    }
  }

  void read(SteerTotals& totals) const override {
    for (std::size_t i = 0; i < totals.size(); ++i) {
      totals[i].resize(size_);
      for (std::uint32_t row = 0; row < size_; ++row) {
        totals[i][number_[row]] = totals_[i][row];
      }
    }
  }

 private:
  static constexpr std::size_t kColumns = 8;
  using Columns = std::array<std::vector<float>, kColumns>;

  // now_ -> sorted_, a counting sort by cell.
  void sort() {
    const std::uint32_t nx = axes_[0].count(), ny = axes_[1].count();
    starts_.assign(std::size_t{nx} * ny * axes_[2].count() + 1, 0);
    for (std::size_t i = 0; i < size_; ++i) {
      const std::uint32_t line = axes_[2].cell_of(now_[2][i]) * ny + axes_[1].cell_of(now_[1][i]);
      cell_of_ship_[i] = line * nx + axes_[0].cell_of(now_[0][i]);
      ++starts_[cell_of_ship_[i]];
    }
    for (std::size_t cell = 1; cell < starts_.size(); ++cell) {
      starts_[cell] += starts_[cell - 1];
    }
    // starts_[cell] is where the cell ends; filled from the back, it becomes where it starts.
    for (std::size_t i = size_; i-- > 0;) {
      const std::uint32_t row = --starts_[cell_of_ship_[i]];
      for (std::size_t column = 0; column < kColumns; ++column) {
        sorted_[column][row] = now_[column][i];
      }
      number_[row] = static_cast<std::uint32_t>(i);
    }
  }

  template <bool kSkip>
  void look(std::uint32_t row) {
    const Columns& s = sorted_;
    const float x = s[0][row], y = s[1][row], z = s[2][row], faction = s[6][row];
    const float near_room = room_ * 1.000001F;
    const FourSeers seer{_mm_set1_ps(x),
                         _mm_set1_ps(y),
                         _mm_set1_ps(z),
                         _mm_set1_ps(faction),
                         _mm_set1_ps(sight_ * sight_),
                         _mm_set1_ps(room_),
                         _mm_set1_ps(near_room * near_room)};
    const SeenColumns seen{s[0].data(), s[1].data(), s[2].data(), s[3].data(),
                           s[4].data(), s[5].data(), s[6].data(), s[7].data()};
    const std::uint32_t nx = axes_[0].count(), ny = axes_[1].count();
    const std::uint32_t low_x = axes_[0].cell_of(x - search_), high_x = axes_[0].cell_of(x + search_);
    const std::uint32_t low_y = axes_[1].cell_of(y - search_), high_y = axes_[1].cell_of(y + search_);
    const std::uint32_t high_z = axes_[2].cell_of(z + search_);
    FourTotals four;
    for (std::uint32_t cz = axes_[2].cell_of(z - search_); cz <= high_z; ++cz) {
      for (std::uint32_t cy = low_y; cy <= high_y; ++cy) {
        const std::uint32_t* starts = starts_.data() + (std::size_t{cz} * ny + cy) * nx;
        meet_run<kSkip>(seer, seen, starts[low_x], starts[high_x + 1], four);
      }
    }
    // The ship has met itself: at distance 0 that is one of its own, its velocity and its threat.
    const SumLessSelf sums[15] = {{four.own, 1},
                                  {four.own_vx, s[3][row]},
                                  {four.own_vy, s[4][row]},
                                  {four.own_vz, s[5][row]},
                                  {four.own_x, 0},
                                  {four.own_y, 0},
                                  {four.own_z, 0},
                                  {four.away_x, 0},
                                  {four.away_y, 0},
                                  {four.away_z, 0},
                                  {four.own_threat, s[7][row]},
                                  {four.foe_threat, 0},
                                  {four.foe_x, 0},
                                  {four.foe_y, 0},
                                  {four.foe_z, 0}};
    for (std::size_t i = 0; i < totals_.size(); ++i) {
      totals_[i][row] = sum_of_lanes(sums[i].sum) - sums[i].self;
    }
  }

  bool skip_;
  float sight_, room_, search_ = 0;
  std::array<Axis, 3> axes_;
  std::size_t size_ = 0;
  Columns now_, sorted_;
  std::vector<std::uint32_t> number_, starts_, cell_of_ship_;
  SteerTotals totals_;  // by row of sorted_
};

}  // namespace

std::unique_ptr<SteerWay> classic_steer(const StageScene& scene, const Cells& cells) {
  return std::make_unique<ClassicSteer>(scene, cells);
}

}  // namespace juxta::bench
