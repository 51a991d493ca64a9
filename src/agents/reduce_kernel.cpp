// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The loop over pairs of pair_loop.h with Highway instead of rules: sixteen seers in lanes, a candidate a
// step (SweepGroup has the picture), the same operations in the same order, so the same bits as an
// interaction that does the same. A register holds 16, 8 or 4 of the seers.
//
// Per step: D loads of positions, about eight operations to know who is near, and one masked operation for
// each total. Limit: arithmetic.

#include "agents/reduce_kernel.h"

#include <bit>
#include <cstdint>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/agents/reduce_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::agents_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, 16>;
using IntTag = hn::RebindToSigned<FloatTag>;
using Floats = hn::Vec<FloatTag>;
using FloatsMask = hn::Mask<FloatTag>;
constexpr std::size_t kWidth = hn::MaxLanes(FloatTag());
constexpr auto kSeersAtOnce = static_cast<std::uint32_t>(kWidth);
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// What a sweep must know of its pairs, as constants for the compiler.
template <int dimensions, bool box, Images images, bool sized>
struct Shape {
  static constexpr int kDimensions = dimensions;
  static constexpr bool kBox = box;
  static constexpr Images kImages = images;
  static constexpr bool kSized = sized;
};

/// A number of a candidate, in all lanes.
HWY_INLINE Floats Column(const SweepTask& task, std::size_t number, std::uint32_t candidate) {
  return hn::Set(FloatTag(), task.candidates[number * kCandidateStride + candidate]);
}

/// A pair, and whether it is near.
template <int dimensions>
struct Meeting {
  Floats d[dimensions], distance2;
  FloatsMask near;
};

// ---- what is made of pairs: totals begin at kNobody, Add() takes one step

struct Sums {
  template <int dimensions>
  static constexpr std::size_t kTotals = 2;
  static constexpr float kNobody = 0;
  template <int dimensions>
  static HWY_INLINE void Add(const void*, const SweepTask& task, std::uint32_t candidate,
                             const Meeting<dimensions>& met, Floats* HWY_RESTRICT totals) {
    const FloatTag d;
    totals[0] = hn::Add(totals[0], hn::IfThenElseZero(met.near, hn::Set(d, 1.0F)));
    totals[1] = hn::Add(totals[1], hn::IfThenElseZero(met.near, Column(task, kSeenColumn, candidate)));
  }
};

template <bool least>
struct Extreme {
  template <int dimensions>
  static constexpr std::size_t kTotals = 1;
  static constexpr float kNobody = least ? kInfinity : -kInfinity;
  template <int dimensions>
  static HWY_INLINE void Add(const void*, const SweepTask& task, std::uint32_t candidate,
                             const Meeting<dimensions>& met, Floats* HWY_RESTRICT totals) {
    const Floats value = Column(task, kSeenColumn, candidate);
    totals[0] = hn::IfThenElse(hn::And(met.near, Better(value, totals[0])), value, totals[0]);
  }

 private:
  static HWY_INLINE FloatsMask Better(Floats a, Floats b) { return least ? hn::Lt(a, b) : hn::Gt(a, b); }
};

struct Boids {
  template <int dimensions>
  static constexpr std::size_t kTotals = 1 + 3 * dimensions;
  static constexpr float kNobody = 0;
  template <int dimensions>
  static HWY_INLINE void Add(const void* boid_sweep, const SweepTask& task, std::uint32_t candidate,
                             const Meeting<dimensions>& met, Floats* HWY_RESTRICT totals) {
    const FloatTag d;
    const Floats avoid = hn::Set(d, static_cast<const BoidSweep*>(boid_sweep)->avoid_radius2);
    const FloatsMask too_near = hn::And(met.near, hn::Le(met.distance2, avoid));
    totals[0] = hn::Add(totals[0], hn::IfThenElseZero(met.near, hn::Set(d, 1.0F)));
    for (int a = 0; a < dimensions; ++a) {
      Floats* const sums = totals + 1 + a;
      const Floats velocity = Column(task, kSeenColumn + static_cast<std::size_t>(a), candidate);
      sums[0] = hn::Add(sums[0], hn::IfThenElseZero(met.near, velocity));
      sums[dimensions] = hn::Add(sums[dimensions], hn::IfThenElseZero(met.near, met.d[a]));
      sums[2 * dimensions] = hn::Add(sums[2 * dimensions], hn::IfThenElseZero(too_near, met.d[a]));
    }
  }
};

// ---- the loop

/// Some of a group's seers, and what they have seen so far.
template <class What, class S>
class SeersInLanes {
 public:
  static constexpr int kD = S::kDimensions;
  static constexpr std::size_t kTotals = What::template kTotals<kD>;

  /// The seers from `begin` on.
  HWY_INLINE SeersInLanes(const SweepTask& task, const SweepGroup& group, std::uint32_t begin)
      : task_(task), group_(group), begin_(begin) {
    const FloatTag d;
    const std::uint32_t row = group.seer + begin;
    for (int a = 0; a < kD; ++a) {
      position_[a] = hn::LoadU(d, task.seer_position[a] + row);
      period_[a] = hn::Set(d, task.period[a]);
      half_[a] = hn::Set(d, group.images == kAnyImage ? task.half_period[a] : kInfinity);
      extents_[a] = S::kSized && task.seer_extents[a] != nullptr ? hn::LoadU(d, task.seer_extents[a] + row)
                                                                 : hn::Zero(d);
    }
    const Floats radius = task.radii != nullptr ? hn::LoadU(d, task.radii + row) : hn::Set(d, task.radius);
    reach_ = S::kBox ? radius : hn::Mul(radius, radius);
    for (std::size_t i = 0; i < kTotals; ++i) {
      totals_[i] = group.resume ? hn::Load(d, Partial(i)) : hn::Set(d, What::kNobody);
    }
  }

  /// Another agent.
  HWY_INLINE void See(const void* rules, std::uint32_t candidate) {
    What::Add(rules, task_, candidate, Meet(candidate), totals_);
  }
  /// The seer `self` of the group, which does not see itself.
  HWY_INLINE void SeeSeer(const void* rules, std::uint32_t candidate, std::uint32_t self) {
    const FloatTag d;
    const IntTag i;
    const auto others = hn::Ne(
        hn::Iota(i, 0), hn::Set(i, static_cast<std::int32_t>(self) - static_cast<std::int32_t>(begin_)));
    Meeting<kD> met = Meet(candidate);
    met.near = hn::And(met.near, hn::RebindMask(d, others));
    What::Add(rules, task_, candidate, met, totals_);
  }

  /// Keeps totals where the group goes on; else writes them.
  HWY_INLINE void Write() {
    const FloatTag d;
    for (std::size_t i = 0; i < kTotals; ++i) {
      if (group_.more) {
        hn::Store(totals_[i], d, Partial(i));
        continue;
      }
      float* const out = task_.found[i] + group_.seer + begin_;
      if (begin_ + kSeersAtOnce <= group_.count) {
        hn::StoreU(totals_[i], d, out);
        continue;
      }
      alignas(64) float some[kWidth];
      hn::Store(totals_[i], d, some);
      for (std::uint32_t s = 0; begin_ + s < group_.count; ++s) {
        out[s] = some[s];
      }
    }
  }

 private:
  [[nodiscard]] HWY_INLINE Meeting<kD> Meet(std::uint32_t candidate) const {
    Meeting<kD> met;
    Floats apart[kD];
    for (int a = 0; a < kD; ++a) {
      const auto axis = static_cast<std::size_t>(a);
      met.d[a] = hn::Sub(Column(task_, axis, candidate), position_[a]);
      if constexpr (S::kImages == kShiftedImage) {
        met.d[a] = hn::Add(met.d[a], Column(task_, kShiftColumn + axis, candidate));
      } else if constexpr (S::kImages == kAnyImage) {
        met.d[a] = Wrapped(met.d[a], period_[a], half_[a]);
      }
      apart[a] = S::kBox ? hn::Abs(met.d[a]) : met.d[a];
      if constexpr (S::kSized) {
        apart[a] = Gap(met.d[a], hn::Add(extents_[a], Column(task_, kExtentColumn + axis, candidate)));
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
  /// How far two boxes are apart.
  static HWY_INLINE Floats Gap(Floats d, Floats extents) {
    const Floats gap = hn::Sub(hn::Abs(d), extents);
    return hn::IfThenElse(hn::Lt(gap, hn::Zero(FloatTag())), hn::Zero(FloatTag()), gap);
  }
  [[nodiscard]] HWY_INLINE float* Partial(std::size_t i) const { return task_.partial + i * 16 + begin_; }

  const SweepTask& task_;
  const SweepGroup& group_;
  std::uint32_t begin_;
  Floats position_[kD], extents_[kD], period_[kD], half_[kD], reach_;
  Floats totals_[kTotals];
};

template <class What, class S>
void SweepGroupOf(const void* rules, const SweepTask& task, const SweepGroup& group) {
  for (std::uint32_t begin = 0; begin < group.count; begin += kSeersAtOnce) {
    SeersInLanes<What, S> seers(task, group, begin);
    std::uint32_t at = group.begin;
    for (; at < group.self; ++at) {
      seers.See(rules, at);
    }
    for (std::uint32_t own = group.own; own != 0 && at < group.end; own &= own - 1, ++at) {
      seers.SeeSeer(rules, at, static_cast<std::uint32_t>(std::countr_zero(own)));
    }
    for (; at < group.end; ++at) {
      seers.See(rules, at);
    }
    seers.Write();
  }
}

template <class What, int dimensions, bool box>
void SweepGroups(const void* rules, const SweepTask& task) {
  const bool sized = task.seer_extents[0] != nullptr || task.seen_extents[0] != nullptr;
  for (std::size_t g = 0; g < task.group_count; ++g) {
    const SweepGroup& group = task.groups[g];
    if (sized || group.images == kAnyImage) {
      SweepGroupOf<What, Shape<dimensions, box, kAnyImage, true>>(rules, task, group);
    } else if (group.images == kShiftedImage) {
      SweepGroupOf<What, Shape<dimensions, box, kShiftedImage, false>>(rules, task, group);
    } else {
      SweepGroupOf<What, Shape<dimensions, box, kOwnImage, false>>(rules, task, group);
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

JUXTA_KERNEL(SweepSums);
JUXTA_KERNEL(SweepLeast);
JUXTA_KERNEL(SweepGreatest);
JUXTA_KERNEL(SweepBoids);

void sweep_sums(const void* rules, const SweepTask& task) {
  JUXTA_CALL_KERNEL(SweepSums)(rules, task);
}
void sweep_least(const void* rules, const SweepTask& task) {
  JUXTA_CALL_KERNEL(SweepLeast)(rules, task);
}
void sweep_greatest(const void* rules, const SweepTask& task) {
  JUXTA_CALL_KERNEL(SweepGreatest)(rules, task);
}
void sweep_boids(const void* boid_sweep, const SweepTask& task) {
  JUXTA_CALL_KERNEL(SweepBoids)(boid_sweep, task);
}

}  // namespace juxta::agents_detail
#endif  // HWY_ONCE
