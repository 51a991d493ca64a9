// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The boids of the article: sixteen seers side by side meet their candidates one after the other.
//
//   rows of cells    as high as a boid sees; sixteen seers are a stretch of one row:
//
//     . . x x x x x x . .      row above       what may be near is one run of boids in each of three rows
//     . x x s s s s x x .      their own       (in space nine), cut off where a ball around the seers ends
//     . . x x x x x x . .      row below
//
//   registers        seers' positions | n, sum of pull, of away | one candidate in every lane
//
// Rules that are linear go into one number a boid and axis, its pull (FlockSweep): their sums are then one
// sum.
//
// Far from the middle of a large world those sums would lose digits; there distances are added pair by pair.
//
// Per candidate in 2D: 12 operations for sixteen pairs, four of them with a load: 5 to know who is near, 2
//                  compares, 5 masked sums.
// Limit:           those operations. Where a register is added in two halves (Zen 4) about 6 cycles.
//
// A seer meets itself like everybody else: its totals begin at -1 and at minus its own pull.
//
// Determinism: each lane is a seer; it adds what is near in the order of rows, whatever shares its register.

#include "agents/flock_kernel.h"

#include <algorithm>
#include <array>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/agents/flock_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::agents_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;
using CountTag = hn::RebindToSigned<Tag>;
using Floats = hn::Vec<Tag>;
using Counts = hn::Vec<CountTag>;
inline constexpr std::uint32_t kSeers = static_cast<std::uint32_t>(hn::MaxLanes(Tag()));

/// Sums where the mask holds, and counts.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
// By intrinsics, one masked instruction each: gcc 12 makes two or three of Highway's selected sum.
template <class M>
HWY_INLINE Floats AddWhere(M mask, Floats sum, Floats v) {
  return Floats{_mm512_mask_add_ps(sum.raw, mask.raw, sum.raw, v.raw)};
}
template <class M>
HWY_INLINE Counts CountWhere(M mask, Counts n) {
  return Counts{_mm512_mask_add_epi32(n.raw, mask.raw, n.raw, _mm512_set1_epi32(1))};
}
#else
template <class M>
HWY_INLINE Floats AddWhere(M mask, Floats sum, Floats v) {
  return hn::Add(sum, hn::IfThenElseZero(mask, v));
}
template <class M>
HWY_INLINE Counts CountWhere(M mask, Counts n) {
  return hn::Sub(n, hn::BitCast(CountTag(), hn::VecFromMask(Tag(), mask)));
}
#endif

/// What each lane's seer found.
template <std::uint32_t D>
struct Totals {
  Counts n;
  Floats pull[D], away[D];
};

/// Some seers, and the boids they may meet.
template <std::uint32_t D>
struct Seers {
  HWY_INLINE Seers(const FlockSweep& flock, std::uint32_t row) noexcept
      : see2(hn::Set(Tag(), flock.options.rules.see_radius2)),
        avoid2(hn::Set(Tag(), flock.options.rules.avoid_radius2)) {
    for (std::uint32_t a = 0; a < D; ++a) {
      position[a] = flock.position[a];
      pull[a] = flock.pull[a];
      self[a] = hn::LoadU(Tag(), position[a] + row);
    }
  }
  Floats see2, avoid2, self[D];
  const float* position[D];  // of all boids
  const float* pull[D];
};

/// Before anybody was met: so that it is nothing once a seer has met itself.
template <std::uint32_t D>
HWY_INLINE Totals<D> NobodyMet(const FlockSweep& flock, std::uint32_t row) {
  Totals<D> totals;
  totals.n = hn::Set(CountTag(), -1);
  for (std::uint32_t a = 0; a < D; ++a) {
    totals.pull[a] = hn::Neg(hn::LoadU(Tag(), flock.pull[a] + row));
    totals.away[a] = hn::Zero(Tag());
  }
  return totals;
}

/// The nearest image.
HWY_INLINE Floats Nearest(Floats x, float period) {
  const Tag d;
  const Floats half = hn::Set(d, period / 2), whole = hn::Set(d, period);
  const Floats below = hn::IfThenElse(hn::Lt(x, hn::Neg(half)), hn::Add(x, whole), x);
  return hn::IfThenElse(hn::Gt(x, half), hn::Sub(x, whole), below);
}

/// All seers meet boid i. `wraps`: by its nearest image. `folds`: pulls hold positions.
template <std::uint32_t D, bool wraps, bool folds>
HWY_INLINE void MeetOne(const FlockSweep& flock, const Seers<D>& seers, std::uint32_t i, Totals<D>& totals) {
  const Tag d;
  Floats apart[D], pull[D];  // from the other to the seer
  for (std::uint32_t a = 0; a < D; ++a) {
    apart[a] = hn::Sub(seers.self[a], hn::Set(d, seers.position[a][i]));
    pull[a] = hn::Set(d, seers.pull[a][i]);
    if constexpr (wraps) {
      const Floats nearest = Nearest(apart[a], 2 * flock.options.half_size);
      if constexpr (folds) {
        pull[a] = hn::Add(pull[a], hn::Mul(hn::Set(d, flock.pull_of_position), hn::Sub(apart[a], nearest)));
      }
      apart[a] = nearest;
    }
    if constexpr (!folds) {
      pull[a] = hn::Sub(pull[a], hn::Mul(hn::Set(d, flock.pull_of_position), apart[a]));
    }
  }
  Floats distance2 = hn::Mul(apart[0], apart[0]);
  for (std::uint32_t a = 1; a < D; ++a) {
    distance2 = hn::Add(distance2, hn::Mul(apart[a], apart[a]));
  }
  const auto near = hn::Lt(distance2, seers.see2), close = hn::Lt(distance2, seers.avoid2);
  totals.n = CountWhere(near, totals.n);
  for (std::uint32_t a = 0; a < D; ++a) {
    totals.pull[a] = AddWhere(near, totals.pull[a], pull[a]);
    totals.away[a] = AddWhere(close, totals.away[a], apart[a]);
  }
}

/// Totals go in and out by value, so that they stay in registers.
template <std::uint32_t D, bool wraps, bool folds>
HWY_INLINE Totals<D> Meet(const FlockSweep& flock, const Seers<D>& seers, Run run, Totals<D> totals) {
  for (std::uint32_t i = run.first; i < run.last; ++i) {
    MeetOne<D, wraps, folds>(flock, seers, i, totals);
  }
  return totals;
}

/// Everybody within reach, across edges of the world too.
template <std::uint32_t D, bool folds>
HWY_NOINLINE Totals<D> MeetAcrossEdges(const FlockSweep& flock, const Bounds& box, std::uint32_t row) {
  const Seers<D> seers(flock, row);
  Totals<D> totals = NobodyMet<D>(flock, row);
  for_each_run(flock.directory, box, flock.reach,
               [&](Run run) { totals = Meet<D, true, folds>(flock, seers, run, totals); });
  return totals;
}

/// The rules, once everybody was met; `next` takes position, then velocity.
template <std::uint32_t D, bool folds>
HWY_INLINE void Steer(const FlockSweep& flock, std::uint32_t row, const Totals<D>& totals, Floats* next) {
  using V = Floats;
  const Tag d;
  const FlockRules& rules = flock.options.rules;
  const V zero = hn::Zero(d), one = hn::Set(d, 1.0F);
  const V n = hn::ConvertTo(d, totals.n);
  const auto some = hn::Gt(n, zero);
  const V count = hn::IfThenElse(some, n, one);
  const V share = hn::Div(one, count), rest = hn::Set(d, 1 - rules.align);
  V v[D], speed2 = zero;
  for (std::uint32_t a = 0; a < D; ++a) {
    // align * (mean v - v') after v' = v + cohere * (mean p - p) + avoid * away: one mean for both.
    const V own = hn::LoadU(d, flock.velocity[a] + row);
    v[a] = hn::Add(own, hn::Mul(hn::Set(d, rules.avoid), totals.away[a]));
    V pulled = hn::Mul(totals.pull[a], share);
    if constexpr (folds) {
      const V here = hn::Mul(hn::Set(d, flock.pull_of_position), hn::LoadU(d, flock.position[a] + row));
      pulled = hn::Sub(pulled, here);
    }
    v[a] = hn::IfThenElse(some, hn::Add(hn::Mul(rest, v[a]), pulled), v[a]);
    speed2 = a == 0 ? hn::Mul(v[0], v[0]) : hn::Add(speed2, hn::Mul(v[a], v[a]));
  }
  const V speed = hn::Sqrt(speed2);
  const V kept = hn::Min(hn::Max(speed, hn::Set(d, rules.min_speed)), hn::Set(d, rules.max_speed));
  const auto moves = hn::Gt(speed, zero);
  const V scale = hn::IfThenElse(moves, hn::Div(kept, hn::IfThenElse(moves, speed, one)), one);
  const float size = flock.options.half_size, edge = size - 0.01F, period = 2 * size;
  for (std::uint32_t a = 0; a < D; ++a) {
    const V p = hn::LoadU(d, flock.position[a] + row);
    v[a] = hn::Mul(v[a], scale);
    if (!flock.options.periodic) {
      const V wall = hn::Set(d, rules.wall);
      const V in = hn::IfThenElseZero(hn::Lt(p, hn::Set(d, rules.wall_distance - size)), wall);
      const V out = hn::IfThenElseZero(hn::Gt(p, hn::Set(d, size - rules.wall_distance)), wall);
      v[a] = hn::Add(v[a], hn::Sub(in, out));
    }
    V moved = hn::Add(p, hn::Mul(v[a], hn::Set(d, rules.time_step)));
    if (flock.options.periodic) {
      const V rounds = hn::Floor(hn::Div(hn::Add(moved, hn::Set(d, size)), hn::Set(d, period)));
      moved = hn::Sub(moved, hn::Mul(rounds, hn::Set(d, period)));
      const auto inside = hn::And(hn::Ge(moved, hn::Set(d, -size)), hn::Lt(moved, hn::Set(d, size)));
      moved = hn::IfThenElse(inside, moved, hn::Set(d, -size));
    } else {
      moved = hn::Min(hn::Max(moved, hn::Set(d, -edge)), hn::Set(d, edge));
    }
    next[a] = moved;
    next[D + a] = v[a];
  }
}

/// Whose y (and z) are given: its row of cells.
template <std::uint32_t D>
HWY_INLINE std::array<std::uint32_t, 2> RowOfCells(const FlockSweep& flock, std::uint32_t i) {
  const Grid& grid = flock.directory.grid;
  return {grid.axis[1].cell(flock.position[1][i]), D == 3 ? grid.axis[2].cell(flock.position[D - 1][i]) : 0};
}

/// The boids of the rows of cells around one, between the cells [x0, x1] of each.
template <std::uint32_t D, bool folds>
HWY_INLINE Totals<D> MeetInside(const FlockSweep& flock, const std::array<std::uint32_t, 2>& cell,
                                std::uint32_t x0, std::uint32_t x1, std::uint32_t row) {
  const auto& [x, y, z] = flock.directory.grid.axis;
  const Seers<D> seers(flock, row);
  Totals<D> totals = NobodyMet<D>(flock, row);
  const std::uint32_t y0 = cell[0] - (cell[0] > 0), y1 = std::min(cell[0] + 1, y.cells - 1);
  const std::uint32_t z0 = D == 3 ? cell[1] - (cell[1] > 0) : 0,
                      z1 = D == 3 ? std::min(cell[1] + 1, z.cells - 1) : 0;
  for (std::uint32_t cz = z0; cz <= z1; ++cz) {
    for (std::uint32_t cy = y0; cy <= y1; ++cy) {
      const std::uint32_t* const begins = flock.directory.row(cy, cz);
      totals = Meet<D, false, folds>(flock, seers, {begins[x0], begins[x1 + 1]}, totals);
    }
  }
  return totals;
}

/// Boids from `row` on that stand in one row of cells, at most `count` and kSeers: what becomes of them. How
/// many.
template <std::uint32_t D, bool folds>
HWY_INLINE std::uint32_t Move(const FlockSweep& flock, std::uint32_t row, std::uint32_t count) {
  const Tag d;
  const std::array<std::uint32_t, 2> cell = RowOfCells<D>(flock, row);
  count = std::min(count, kSeers);
  while (RowOfCells<D>(flock, row + count - 1) != cell) {  // at the end of a row of cells, once
    --count;
  }
  Bounds box;
  const auto in = hn::FirstN(d, count);
  for (std::uint32_t a = 0; a < D; ++a) {
    const Floats some = hn::Set(d, flock.position[a][row]);
    const Floats x = hn::IfThenElse(in, hn::LoadU(d, flock.position[a] + row), some);
    if (a == 0 || flock.options.periodic) {
      box.lo[a] = hn::GetLane(hn::MinOfLanes(d, x));
      box.hi[a] = hn::GetLane(hn::MaxOfLanes(d, x));
    }
  }
  const GridAxis& x = flock.directory.grid.axis[0];
  const bool edge = flock.options.periodic && wraps(flock.directory, box, flock.reach);
  const Totals<D> totals = edge ? MeetAcrossEdges<D, folds>(flock, box, row)
                                : MeetInside<D, folds>(flock, cell, x.cell(box.lo[0] - flock.reach.on[0]),
                                                       x.cell(box.hi[0] + flock.reach.on[0]), row);
  Floats next[2 * D];
  Steer<D, folds>(flock, row, totals, next);
  for (std::uint32_t a = 0; a < D; ++a) {
    if (count == kSeers) {
      hn::StoreU(next[a], d, flock.next_position[a] + row);
      hn::StoreU(next[D + a], d, flock.next_velocity[a] + row);
      continue;
    }
    alignas(64) std::array<float, 16> position{}, velocity{};
    hn::Store(next[a], d, position.data());
    hn::Store(next[D + a], d, velocity.data());
    std::copy_n(position.data(), count, flock.next_position[a] + row);
    std::copy_n(velocity.data(), count, flock.next_velocity[a] + row);
  }
  return count;
}

template <std::uint32_t D, bool folds>
void MoveRows(const FlockSweep& flock, std::uint32_t first, std::uint32_t last) {
  while (first < last) {
    first += Move<D, folds>(flock, first, last - first);
  }
}

template <std::uint32_t D>
void MoveIn(const FlockSweep& flock, std::uint32_t first, std::uint32_t last) {
  if (flock.folds) {
    MoveRows<D, true>(flock, first, last);
  } else {
    MoveRows<D, false>(flock, first, last);
  }
}

void MoveBoids(const FlockSweep& flock, std::uint32_t first, std::uint32_t last) {
  if (flock.options.dimensions == 2) {
    MoveIn<2>(flock, first, last);
  } else {
    MoveIn<3>(flock, first, last);
  }
}

}  // namespace juxta::agents_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::agents_detail {

JUXTA_KERNEL(MoveBoids);

void move_boids(const FlockSweep& flock, std::uint32_t first, std::uint32_t last) noexcept {
  JUXTA_CALL_KERNEL(MoveBoids)(flock, first, last);
}

}  // namespace juxta::agents_detail
#endif
