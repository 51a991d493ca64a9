// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The loop over pairs of pair_loop.h with Highway instead of rules: sixteen pairs a step, four seers and four
// of the seen (SweepGroup has the picture), the same operations in the same order, so the same bits as an
// interaction that does the same. A register holds four, two or one of the four seers.
//
// Per step: D loads of positions, about eight operations to know who is near, and one masked operation for
// each total. Limit: arithmetic.

#include "agents/reduce_kernel.h"

#include <cstdint>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/agents/reduce_kernel.cpp"  // this file, from the repository root
#include "hwy/foreach_target.h"                            // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::agents_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, 16>;
using IntTag = hn::RebindToSigned<FloatTag>;
using Floats = hn::Vec<FloatTag>;
using FloatsMask = hn::Mask<FloatTag>;
constexpr std::size_t kWidth = hn::MaxLanes(FloatTag());
constexpr std::uint32_t kSeersAtOnce = kWidth / 4;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// What a sweep must know of its pairs, as constants for the compiler.
template <int dimensions, bool box, bool wraps, bool sized>
struct Shape {
  static constexpr int kDimensions = dimensions;
  static constexpr bool kBox = box;
  static constexpr bool kWraps = wraps;
  static constexpr bool kSized = sized;
};

/// Each seer's number four times:  0 0 0 0  1 1 1 1  2 2 2 2  3 3 3 3
HWY_INLINE Floats Spread4(const float* at) {
  alignas(64) float lanes[kWidth];
  for (std::size_t i = 0; i < kWidth; ++i) {
    lanes[i] = at[i / 4];
  }
  return hn::Load(FloatTag(), lanes);
}
/// The same four numbers for each of the seers:  0 1 2 3  0 1 2 3  0 1 2 3  0 1 2 3
HWY_INLINE Floats Repeat4(const float* at) {
  return hn::LoadDup128(FloatTag(), at);
}

/// A pair, and whether it is near.
template <int dimensions>
struct Meeting {
  Floats d[dimensions], distance2;
  FloatsMask near;
};

// ---- what is made of pairs: totals begin at kNobody, Add() takes one step, Join() two partial totals

struct Sums {
  template <int dimensions>
  static constexpr std::size_t kTotals = 2;
  static constexpr float kNobody = 0;
  static HWY_INLINE Floats Join(Floats a, Floats b) { return hn::Add(a, b); }
  template <int dimensions>
  static HWY_INLINE void Add(const void*, const SweepTask& task, std::uint32_t row,
                             const Meeting<dimensions>& met, Floats* HWY_RESTRICT totals) {
    const FloatTag d;
    totals[0] = hn::Add(totals[0], hn::IfThenElseZero(met.near, hn::Set(d, 1.0F)));
    totals[1] = hn::Add(totals[1], hn::IfThenElseZero(met.near, Repeat4(task.seen_columns[0] + row)));
  }
};

template <bool least>
struct Extreme {
  template <int dimensions>
  static constexpr std::size_t kTotals = 1;
  static constexpr float kNobody = least ? kInfinity : -kInfinity;
  static HWY_INLINE Floats Join(Floats a, Floats b) { return hn::IfThenElse(Better(b, a), b, a); }
  template <int dimensions>
  static HWY_INLINE void Add(const void*, const SweepTask& task, std::uint32_t row,
                             const Meeting<dimensions>& met, Floats* HWY_RESTRICT totals) {
    const Floats value = Repeat4(task.seen_columns[0] + row);
    totals[0] = hn::IfThenElse(hn::And(met.near, Better(value, totals[0])), value, totals[0]);
  }

 private:
  static HWY_INLINE FloatsMask Better(Floats a, Floats b) { return least ? hn::Lt(a, b) : hn::Gt(a, b); }
};

struct Boids {
  template <int dimensions>
  static constexpr std::size_t kTotals = 1 + 3 * dimensions;
  static constexpr float kNobody = 0;
  static HWY_INLINE Floats Join(Floats a, Floats b) { return hn::Add(a, b); }
  template <int dimensions>
  static HWY_INLINE void Add(const void* boid_sweep, const SweepTask& task, std::uint32_t row,
                             const Meeting<dimensions>& met, Floats* HWY_RESTRICT totals) {
    const FloatTag d;
    const Floats avoid = hn::Set(d, static_cast<const BoidSweep*>(boid_sweep)->avoid_radius2);
    const FloatsMask too_near = hn::And(met.near, hn::Le(met.distance2, avoid));
    totals[0] = hn::Add(totals[0], hn::IfThenElseZero(met.near, hn::Set(d, 1.0F)));
    for (int a = 0; a < dimensions; ++a) {
      Floats* const sums = totals + 1 + a;
      const Floats velocity = Repeat4(task.seen_columns[a] + row);
      sums[0] = hn::Add(sums[0], hn::IfThenElseZero(met.near, velocity));
      sums[dimensions] = hn::Add(sums[dimensions], hn::IfThenElseZero(met.near, met.d[a]));
      sums[2 * dimensions] = hn::Add(sums[2 * dimensions], hn::IfThenElseZero(too_near, met.d[a]));
    }
  }
};

// ---- the loop

/// Some of a group's four seers, and what they have seen so far.
template <class What, class S>
class SomeSeers {
 public:
  static constexpr int kD = S::kDimensions;
  static constexpr std::size_t kTotals = What::template kTotals<kD>;

  /// The seers from `begin` on.
  HWY_INLINE SomeSeers(const SweepTask& task, const SweepGroup& group, std::uint32_t begin)
      : task_(task), group_(group), begin_(begin) {
    const FloatTag d;
    const std::uint32_t row = group.seer + begin;
    for (int a = 0; a < kD; ++a) {
      position_[a] = Spread4(task.seer_position[a] + row);
      period_[a] = hn::Set(d, task.period[a]);
      half_[a] = hn::Set(d, group.wrapped ? task.half_period[a] : kInfinity);
      extents_[a] =
          S::kSized && task.seer_extents[a] != nullptr ? Spread4(task.seer_extents[a] + row) : hn::Zero(d);
    }
    const Floats radius = task.radii != nullptr ? Spread4(task.radii + row) : hn::Set(d, task.radius);
    reach_ = S::kBox ? radius : hn::Mul(radius, radius);
    for (std::size_t i = 0; i < kTotals; ++i) {
      totals_[i] = group.resume ? hn::Load(d, Partial(i)) : hn::Set(d, What::kNobody);
    }
  }

  /// Four of the seen.
  HWY_INLINE void See(const void* rules, std::uint32_t row) {
    What::Add(rules, task_, row, Meet(row), totals_);
  }
  /// Four of the seen, of which some may be the seers themselves.
  HWY_INLINE void SeeOthers(const void* rules, std::uint32_t row) {
    const FloatTag d;
    const IntTag i;
    alignas(64) std::int32_t seers[kWidth], seen[kWidth];
    for (std::size_t lane = 0; lane < kWidth; ++lane) {
      seers[lane] = static_cast<std::int32_t>(group_.seer + begin_ + lane / 4);
      seen[lane] = static_cast<std::int32_t>(row + lane % 4);
    }
    Meeting<kD> met = Meet(row);
    met.near = hn::And(met.near, hn::RebindMask(d, hn::Ne(hn::Load(i, seers), hn::Load(i, seen))));
    What::Add(rules, task_, row, met, totals_);
  }

  /// Keeps partial totals where the list goes on; else joins the four of each seer: (0 + 2) + (1 + 3).
  HWY_INLINE void Write() {
    const FloatTag d;
    for (std::size_t i = 0; i < kTotals; ++i) {
      if (group_.more) {
        hn::Store(totals_[i], d, Partial(i));
        continue;
      }
      const Floats pairs = What::Join(totals_[i], hn::Shuffle1032(totals_[i]));
      alignas(64) float joined[kWidth];
      hn::Store(What::Join(pairs, hn::Shuffle2301(pairs)), d, joined);
      for (std::uint32_t s = 0; s < kSeersAtOnce; ++s) {
        if (begin_ + s >= group_.first && begin_ + s < group_.last) {
          task_.found[i][group_.seer + begin_ + s] = joined[4 * s];
        }
      }
    }
  }

 private:
  [[nodiscard]] HWY_INLINE Meeting<kD> Meet(std::uint32_t row) const {
    const FloatTag tag;
    Meeting<kD> met;
    Floats apart[kD];
    for (int a = 0; a < kD; ++a) {
      met.d[a] = hn::Sub(Repeat4(task_.seen_position[a] + row), position_[a]);
      if constexpr (S::kWraps) {
        met.d[a] = Wrapped(met.d[a], period_[a], half_[a]);
      }
      apart[a] = S::kBox ? hn::Abs(met.d[a]) : met.d[a];
      if (S::kSized && (task_.seen_extents[a] != nullptr || task_.seer_extents[a] != nullptr)) {
        const Floats seen =
            task_.seen_extents[a] != nullptr ? Repeat4(task_.seen_extents[a] + row) : hn::Zero(tag);
        apart[a] = Gap(met.d[a], task_.seer_extents[a] != nullptr ? hn::Add(extents_[a], seen) : seen);
      }
    }
    met.distance2 = hn::Mul(apart[0], apart[0]);
    met.near = hn::Le(apart[0], reach_);
    for (int a = 1; a < kD; ++a) {
      met.distance2 = hn::Add(met.distance2, hn::Mul(apart[a], apart[a]));
      met.near = hn::And(met.near, hn::Le(apart[a], reach_));
    }
    if constexpr (!S::kBox) {
      met.near = hn::Le(met.distance2, reach_);
    }
    return met;
  }
  /// The nearest image.
  static HWY_INLINE Floats Wrapped(Floats d, Floats period, Floats half) {
    const Floats other = hn::IfThenElse(hn::Lt(d, hn::Neg(half)), hn::Add(d, period), d);
    return hn::IfThenElse(hn::Gt(d, half), hn::Sub(d, period), other);
  }
  /// How far two boxes are apart; NaN, behind the last row, stays NaN.
  static HWY_INLINE Floats Gap(Floats d, Floats extents) {
    const Floats gap = hn::Sub(hn::Abs(d), extents);
    return hn::IfThenElse(hn::Lt(gap, hn::Zero(FloatTag())), hn::Zero(FloatTag()), gap);
  }
  [[nodiscard]] HWY_INLINE float* Partial(std::size_t i) const { return task_.partial + i * 16 + 4 * begin_; }

  const SweepTask& task_;
  const SweepGroup& group_;
  std::uint32_t begin_;
  Floats position_[kD], extents_[kD], period_[kD], half_[kD], reach_;
  Floats totals_[kTotals];
};

template <class What, class S>
void SweepGroupOf(const void* rules, const SweepTask& task, const SweepGroup& group) {
  for (std::uint32_t begin = 0; begin < 4; begin += kSeersAtOnce) {
    SomeSeers<What, S> seers(task, group, begin);
    std::uint32_t at = group.begin;
    for (; at < group.begin + group.self; ++at) {
      seers.SeeOthers(rules, task.list[at]);
    }
    for (; at < group.end; ++at) {
      seers.See(rules, task.list[at]);
    }
    seers.Write();
  }
}

template <class What, int dimensions, bool box>
void SweepGroups(const void* rules, const SweepTask& task) {
  const bool sized = task.seer_extents[0] != nullptr || task.seen_extents[0] != nullptr;
  for (std::size_t g = 0; g < task.group_count; ++g) {
    const SweepGroup& group = task.groups[g];
    if (sized) {
      SweepGroupOf<What, Shape<dimensions, box, true, true>>(rules, task, group);
    } else if (group.wrapped) {
      SweepGroupOf<What, Shape<dimensions, box, true, false>>(rules, task, group);
    } else {
      SweepGroupOf<What, Shape<dimensions, box, false, false>>(rules, task, group);
    }
  }
}

template <class What>
void SweepAll(const void* rules, const SweepTask& task) {
  if (task.dimensions == 2) {
    task.box ? SweepGroups<What, 2, true>(rules, task) : SweepGroups<What, 2, false>(rules, task);
  } else {
    task.box ? SweepGroups<What, 3, true>(rules, task) : SweepGroups<What, 3, false>(rules, task);
  }
}

void SweepSums(const void* rules, const SweepTask& task) {
  SweepAll<Sums>(rules, task);
}
void SweepLeast(const void* rules, const SweepTask& task) {
  SweepAll<Extreme<true>>(rules, task);
}
void SweepGreatest(const void* rules, const SweepTask& task) {
  SweepAll<Extreme<false>>(rules, task);
}
void SweepBoids(const void* rules, const SweepTask& task) {  // always balls
  task.dimensions == 2 ? SweepGroups<Boids, 2, false>(rules, task)
                       : SweepGroups<Boids, 3, false>(rules, task);
}

}  // namespace juxta::agents_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::agents_detail {

HWY_EXPORT(SweepSums);
HWY_EXPORT(SweepLeast);
HWY_EXPORT(SweepGreatest);
HWY_EXPORT(SweepBoids);

void sweep_sums(const void* rules, const SweepTask& task) {
  HWY_DYNAMIC_DISPATCH(SweepSums)(rules, task);
}
void sweep_least(const void* rules, const SweepTask& task) {
  HWY_DYNAMIC_DISPATCH(SweepLeast)(rules, task);
}
void sweep_greatest(const void* rules, const SweepTask& task) {
  HWY_DYNAMIC_DISPATCH(SweepGreatest)(rules, task);
}
void sweep_boids(const void* boid_sweep, const SweepTask& task) {
  HWY_DYNAMIC_DISPATCH(SweepBoids)(boid_sweep, task);
}

}  // namespace juxta::agents_detail
#endif  // HWY_ONCE
