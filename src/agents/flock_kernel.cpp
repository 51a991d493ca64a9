// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The boids of the article: four seers and four of the seen a step, as in detail/pair_loop.h.
//
//   seers          s0 s0 s0 s0  s1 s1 s1 s1  s2 s2 s2 s2  s3 s3 s3 s3     in registers
//   the seen       j0 j1 j2 j3  j0 j1 j2 j3  j0 j1 j2 j3  j0 j1 j2 j3     one broadcast load a column
//   totals         n  sum v  sum d  away: per lane, joined (0 + 2) + (1 + 3) at the end of the list
//   rules          sixteen seers at once, from the joined totals
//
// Per step in 2D:  4 loads, 19 operations for 16 pairs: 5 to know who is near, 2 compares, 7 masked sums;
// sums go
//                  to the adders and (times one, which is exact) to the multipliers, so that neither waits.
// Limit:           those operations: about 7 cycles a step where a register is added in two halves (Zen 4).
//
// A seer meets itself, first of all, in a lane that begins at -1 and at minus its own velocity: that cancels
// exactly, and spares the loop a test.
//
// Determinism: every lane is computed by itself; products by 1 round nothing.

#include "agents/flock_kernel.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/agents/flock_kernel.cpp"  // this file, from the repository root
#include "hwy/foreach_target.h"                           // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using PairTag = hn::CappedTag<float, 16>;
using CountTag = hn::RebindToSigned<PairTag>;
using Floats = hn::Vec<PairTag>;
inline constexpr std::uint32_t kPairs = static_cast<std::uint32_t>(hn::MaxLanes(PairTag()));
inline constexpr std::uint32_t kSeers = kPairs / 4;
/// Totals of a seer, by fours of fields: in 2D n vx vy dx | dy ax ay -, in 3D n vx vy vz | dx dy dz ax | ay
/// az - -.
template <int D>
inline constexpr int kFieldFours = D == 2 ? 2 : 3;
inline constexpr std::uint32_t kMostGroups = 64;

/// acc + v where the mask holds: on the adders, or on the multipliers.
template <bool multiplier, class M>
HWY_INLINE Floats SumWhere(M mask, Floats acc, Floats v) {
  const PairTag d;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  if constexpr (multiplier) {
    return hn::IfThenElse(mask, hn::MulAdd(v, hn::Set(d, 1.0F), acc), acc);
  } else {
    return hn::IfThenElse(mask, hn::Add(acc, v), acc);
  }
#else
  (void)d;
  return hn::Add(acc, hn::IfThenElseZero(mask, v));
#endif
}
template <class M>
HWY_INLINE Floats LessWhere(M mask, Floats acc, Floats v) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return hn::IfThenElse(mask, hn::Sub(acc, v), acc);
#else
  return hn::Sub(acc, hn::IfThenElseZero(mask, v));
#endif
}

/// Each seer's number four times.
HWY_INLINE Floats Spread(const float* at) {
  const PairTag d;
  alignas(64) float lanes[16];
  for (std::uint32_t k = 0; k < kPairs; ++k) {
    lanes[k] = at[k / 4];
  }
  return hn::Load(d, lanes);
}

/// The nearest image.
HWY_INLINE Floats Wrapped(Floats x, float period) {
  const PairTag d;
  const Floats half = hn::Set(d, period / 2), whole = hn::Set(d, period);
  const Floats above = hn::Sub(x, whole), below = hn::Add(x, whole);
  return hn::IfThenElse(hn::Gt(x, half), above, hn::IfThenElse(hn::Lt(x, hn::Neg(half)), below, x));
}

/// What some seers of a four found.
template <int D>
struct Totals {
  hn::Vec<CountTag> n;
  Floats v[D], d[D], away[D];
};

/// Totals before anybody was met: see above.
template <int D>
HWY_INLINE Totals<D> NothingMet(const FlockSweep& flock, std::uint32_t row, std::uint32_t begin) {
  const PairTag d;
  Totals<D> totals;
  alignas(64) std::int32_t count[16] = {};
  for (std::uint32_t s = 0; s < kSeers; ++s) {
    count[4 * s + begin + s] = -1;
  }
  totals.n = hn::Load(CountTag(), count);
  for (int a = 0; a < D; ++a) {
    alignas(64) float own[16] = {};
    for (std::uint32_t s = 0; s < kSeers; ++s) {
      own[4 * s + begin + s] = -flock.velocity[a][row + s];
    }
    totals.v[a] = hn::Load(d, own);
    totals.d[a] = totals.away[a] = hn::Zero(d);
  }
  return totals;
}

/// Meets all of a list.
template <int D, bool wraps>
HWY_INLINE void Meet(const FlockSweep& flock, const SweepTask& task, const SweepGroup& group,
                     std::uint32_t begin, Totals<D>& totals) {
  const PairTag d;
  const CountTag counts;
  const Floats see2 = hn::Set(d, flock.options.rules.see_radius2);
  const Floats avoid2 = hn::Set(d, flock.options.rules.avoid_radius2);
  Floats self[D];
  for (int a = 0; a < D; ++a) {
    self[a] = Spread(task.seer_position[a] + group.seer + begin);
  }
  for (std::uint32_t at = group.begin; at < group.end; ++at) {
    const std::uint32_t row = task.list[at];
    Floats apart[D];
    for (int a = 0; a < D; ++a) {
      apart[a] = hn::Sub(hn::LoadDup128(d, task.seen_position[a] + row), self[a]);
      apart[a] = wraps ? Wrapped(apart[a], task.period[a]) : apart[a];
    }
    Floats distance2 = hn::Mul(apart[0], apart[0]);
    for (int a = 1; a < D; ++a) {
      distance2 = hn::Add(distance2, hn::Mul(apart[a], apart[a]));
    }
    const auto near = hn::Lt(distance2, see2), close = hn::Lt(distance2, avoid2);
    const auto near_count = hn::RebindMask(counts, near);
    totals.n = hn::IfThenElse(near_count, hn::Add(totals.n, hn::Set(counts, 1)), totals.n);
    for (int a = 0; a < D; ++a) {
      totals.v[a] = SumWhere<true>(near, totals.v[a], hn::LoadDup128(d, flock.velocity[a] + row));
      totals.d[a] = SumWhere<false>(near, totals.d[a], apart[a]);
      totals.away[a] = LessWhere(close, totals.away[a], apart[a]);
    }
  }
}

/// Four fields of some seers, joined: a seer's four side by side.
HWY_INLINE Floats Join(Floats a, Floats b, Floats c, Floats e) {
  const PairTag d;
  const hn::Repartition<std::uint64_t, PairTag> wide;
  const auto ab = hn::BitCast(wide, hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b)));
  const auto ce = hn::BitCast(wide, hn::Add(hn::InterleaveLower(d, c, e), hn::InterleaveUpper(d, c, e)));
  return hn::Add(hn::BitCast(d, hn::InterleaveLower(wide, ab, ce)),
                 hn::BitCast(d, hn::InterleaveUpper(wide, ab, ce)));
}

/// Joined totals of the groups of a task: [four of fields][group][seer][field].
struct Joined {
  alignas(64) float four[3][kMostGroups][16];
};

template <int D>
HWY_INLINE void StoreJoined(const Totals<D>& t, std::size_t group, std::uint32_t begin, Joined& joined) {
  const PairTag d;
  const Floats n = hn::ConvertTo(d, t.n), none = hn::Zero(d);
  const auto store = [&](int four, Floats v) { hn::Store(v, d, &joined.four[four][group][4 * begin]); };
  if constexpr (D == 2) {
    store(0, Join(n, t.v[0], t.v[1], t.d[0]));
    store(1, Join(t.d[1], t.away[0], t.away[1], none));
  } else {
    store(0, Join(n, t.v[0], t.v[1], t.v[2]));
    store(1, Join(t.d[0], t.d[1], t.d[2], t.away[0]));
    store(2, Join(t.away[1], t.away[2], none, none));
  }
}

/// A list that goes on: lane by lane.
template <int D>
void Keep(const Totals<D>& t, float* partial) {
  const PairTag d;
  hn::StoreU(hn::BitCast(d, t.n), d, partial);
  for (int a = 0; a < D; ++a) {
    hn::StoreU(t.v[a], d, partial + 16 * (1 + a));
    hn::StoreU(t.d[a], d, partial + 16 * (4 + a));
    hn::StoreU(t.away[a], d, partial + 16 * (7 + a));
  }
}
template <int D>
Totals<D> Resume(const float* partial) {
  const PairTag d;
  Totals<D> t;
  t.n = hn::BitCast(CountTag(), hn::LoadU(d, partial));
  for (int a = 0; a < D; ++a) {
    t.v[a] = hn::LoadU(d, partial + 16 * (1 + a));
    t.d[a] = hn::LoadU(d, partial + 16 * (4 + a));
    t.away[a] = hn::LoadU(d, partial + 16 * (7 + a));
  }
  return t;
}

template <int D>
void MeetGroup(const FlockSweep& flock, const SweepTask& task, std::size_t g, Joined& joined) {
  const SweepGroup& group = task.groups[g];
  for (std::uint32_t begin = 0; begin < 4; begin += kSeers) {
    float* const partial = task.partial + 4 * begin;
    Totals<D> totals = group.resume ? Resume<D>(partial) : NothingMet<D>(flock, group.seer + begin, begin);
    if (group.wrapped) {
      Meet<D, true>(flock, task, group, begin, totals);
    } else {
      Meet<D, false>(flock, task, group, begin, totals);
    }
    if (group.more) {
      Keep<D>(totals, partial);
    } else {
      StoreJoined<D>(totals, g, begin, joined);
    }
  }
}

/// The rules, for as many seers as `d` has lanes; `next` takes position, then velocity.
template <int D, class Tag, class V = hn::Vec<Tag>>
HWY_INLINE void Steer(Tag d, const FlockSweep& flock, const SweepTask& task, std::uint32_t row, V n,
                      const V* sum_v, const V* sum_d, const V* away, V* next) {
  const FlockRules& rules = flock.options.rules;
  const V zero = hn::Zero(d), one = hn::Set(d, 1.0F);
  const auto some = hn::Gt(n, zero);
  const V count = hn::IfThenElse(some, n, one);
  V v[D], speed2 = zero;
  for (int a = 0; a < D; ++a) {
    v[a] = hn::LoadU(d, flock.velocity[a] + row);
    const V there = hn::Mul(hn::Set(d, rules.cohere), hn::Div(sum_d[a], count));
    v[a] = hn::IfThenElse(some, hn::Add(v[a], there), v[a]);
    v[a] = hn::Add(v[a], hn::Mul(hn::Set(d, rules.avoid), away[a]));
    const V along = hn::Mul(hn::Set(d, rules.align), hn::Sub(hn::Div(sum_v[a], count), v[a]));
    v[a] = hn::IfThenElse(some, hn::Add(v[a], along), v[a]);
    speed2 = a == 0 ? hn::Mul(v[0], v[0]) : hn::Add(speed2, hn::Mul(v[a], v[a]));
  }
  const V speed = hn::Sqrt(speed2);
  const V kept = hn::Min(hn::Max(speed, hn::Set(d, rules.min_speed)), hn::Set(d, rules.max_speed));
  const auto moves = hn::Gt(speed, zero);
  const V scale = hn::IfThenElse(moves, hn::Div(kept, hn::IfThenElse(moves, speed, one)), one);
  const float size = flock.options.half_size, edge = size - 0.01F, period = 2 * size;
  for (int a = 0; a < D; ++a) {
    const V p = hn::LoadU(d, task.seer_position[a] + row);
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

/// The rules for the groups g and on that `d` has lanes for; they stand side by side.
template <int D, class Tag>
HWY_INLINE void SteerGroups(Tag d, const FlockSweep& flock, const SweepTask& task, std::size_t g,
                            const Joined& joined) {
  using V = hn::Vec<Tag>;
  V field[3][4], next[2 * D];
  for (int four = 0; four < kFieldFours<D>; ++four) {
    hn::LoadInterleaved4(d, joined.four[four][g], field[four][0], field[four][1], field[four][2],
                         field[four][3]);
  }
  const SweepGroup& group = task.groups[g];
  if constexpr (D == 2) {
    const V sum_v[2] = {field[0][1], field[0][2]}, sum_d[2] = {field[0][3], field[1][0]},
            away[2] = {field[1][1], field[1][2]};
    Steer<D>(d, flock, task, group.seer, field[0][0], sum_v, sum_d, away, next);
  } else {
    const V away[3] = {field[1][3], field[2][0], field[2][1]};
    Steer<D>(d, flock, task, group.seer, field[0][0], &field[0][1], &field[1][0], away, next);
  }
  for (int a = 0; a < D; ++a) {
    if (group.first == 0 && group.last == 4) {
      hn::StoreU(next[a], d, flock.next_position[a] + group.seer);
      hn::StoreU(next[D + a], d, flock.next_velocity[a] + group.seer);
      continue;
    }
    alignas(64) float position[16] = {}, velocity[16] = {};
    hn::Store(next[a], d, position);
    hn::Store(next[D + a], d, velocity);
    for (std::uint32_t s = group.first; s < group.last; ++s) {
      flock.next_position[a][group.seer + s] = position[s];
      flock.next_velocity[a][group.seer + s] = velocity[s];
    }
  }
}

/// Whole fours in rows without a gap.
HWY_INLINE bool SideBySide(const SweepTask& task, std::size_t g, std::size_t count) {
  bool together = g + count <= task.group_count;
  for (std::size_t i = 0; together && i < count; ++i) {
    const SweepGroup& group = task.groups[g + i];
    together =
        group.seer == task.groups[g].seer + 4 * i && group.first == 0 && group.last == 4 && !group.more;
  }
  return together;
}

template <int D>
void Sweep(const FlockSweep& flock, const SweepTask& task) {
  Joined joined;
  for (std::size_t first = 0; first < task.group_count; first += kMostGroups) {
    SweepTask part = task;
    part.groups += first;
    part.group_count = std::min<std::size_t>(task.group_count - first, kMostGroups);
    for (std::size_t g = 0; g < part.group_count; ++g) {
      MeetGroup<D>(flock, part, g, joined);
    }
    for (std::size_t g = 0; g < part.group_count;) {
      if (SideBySide(part, g, kSeers)) {
        SteerGroups<D>(PairTag(), flock, part, g, joined);
        g += kSeers;
        continue;
      }
      if (!part.groups[g].more) {
        SteerGroups<D>(hn::CappedTag<float, 4>(), flock, part, g, joined);
      }
      ++g;
    }
  }
}

void SweepBoids(const void* flock_sweep, const SweepTask& task) {
  const FlockSweep& flock = *static_cast<const FlockSweep*>(flock_sweep);
  if (flock.options.dimensions == 2) {
    Sweep<2>(flock, task);
  } else {
    Sweep<3>(flock, task);
  }
}

}  // namespace juxta::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::detail {

HWY_EXPORT(SweepBoids);

void sweep_boids(const void* flock_sweep, const SweepTask& task) {
  HWY_DYNAMIC_DISPATCH(SweepBoids)(flock_sweep, task);
}

}  // namespace juxta::detail
#endif
