// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the loop over pairs, with an interaction inlined into it.
//
// Sixteen seers stand in the lanes of registers; one candidate a step is in all lanes (SweepGroup has the
// picture). Per step one broadcast load per column of the candidate, about eight operations to know who is
// near, and those of the interaction, masked. A lane is a seer: nothing has to be joined at the end.
//
// Same bits everywhere: each lane adds in the order of candidates, nothing is fused, and lanes are
// independent, so it does not matter how many of them a register has.
#pragma once

#include "juxta/agents/detail/check_rules.h"
#include "juxta/agents/detail/fields.h"
#include "juxta/agents/detail/sweep.h"
#include "juxta/agents/interaction_types.h"

namespace juxta::agents_detail {
inline namespace JUXTA_LANES_NAMESPACE {

/// As many seers as one register holds: 16, 8 or 4 of a group at a time. Sixteen lanes of seven totals would
/// not fit into the registers of smaller instruction sets.
using Floats = Lanes<float, kPartLanes>;
using FloatsMask = LaneMaskOf<kPartLanes>;
inline constexpr std::uint32_t kSeersAtOnce = kPartLanes;
/// That of Id{}.
inline constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};

/// One number in all lanes, -0 too: Floats(x) adds it to 0.
JUXTA_LANES_INLINE Floats broadcast(const float* at) noexcept {
  const float x = *at;
  Floats lanes;
#if JUXTA_LANES_PART == 4
  lanes.parts[0] = FloatPart{x, x, x, x};
#elif JUXTA_LANES_PART == 8
  lanes.parts[0] = FloatPart{x, x, x, x, x, x, x, x};
#else
  lanes.parts[0] = FloatPart{x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
#endif
  return lanes;
}

/// Numbers side by side.
JUXTA_LANES_INLINE Floats load(const float* at) noexcept {
  Floats lanes;
  __builtin_memcpy(&lanes.parts[0], at, sizeof(FloatPart));
  return lanes;
}

/// Writes the first `count` lanes.
JUXTA_LANES_INLINE void store(const Floats& lanes, float* out, std::uint32_t count) noexcept {
  if (count >= kSeersAtOnce) {
    __builtin_memcpy(out, &lanes.parts[0], sizeof(FloatPart));
    return;
  }
  float all[kSeersAtOnce];
  __builtin_memcpy(all, &lanes.parts[0], sizeof(FloatPart));
  for (std::uint32_t i = 0; i < count; ++i) {
    out[i] = all[i];
  }
}

/// Writes the Ids in the first `count` lanes, which hold their slots.
JUXTA_LANES_INLINE void store_ids(const Floats& slots, const std::uint32_t* generations, Id* out,
                                  std::uint32_t count) noexcept {
  std::uint32_t all[kSeersAtOnce];
  __builtin_memcpy(all, &slots.parts[0], sizeof(FloatPart));
  for (std::uint32_t i = 0; i < count && i < kSeersAtOnce; ++i) {
    const bool nobody = all[i] == kNoSlot;
    out[i].slot = all[i];
    out[i].generation = nobody ? 0 : generations[all[i]];
  }
}

/// The lanes that are not the one with this number.
JUXTA_LANES_INLINE FloatsMask all_but(std::int32_t lane) noexcept {
  MaskPart numbers;
  _Pragma("GCC unroll 16") for (int k = 0; k < kPartLanes; ++k) {
    numbers[k] = k;
  }
  FloatsMask mask;
  mask.parts[0] = numbers != lane;
  return mask;
}

/// Reads each field of a struct from its column: load(i) for the i-th.
template <class Struct, class Load>
JUXTA_LANES_INLINE void load_fields(Struct& s, Load&& load) noexcept {
  for_each_field(
      s, [&](std::size_t i, Floats & field) __attribute__((always_inline)) { field = load(i); });
}

/// The nearest image.
JUXTA_LANES_INLINE Floats wrapped(const Floats& d, const Floats& period, const Floats& half) noexcept {
  return select(d > half, d - period, select(d < -half, d + period, d));
}
/// How far two boxes are apart on one axis.
JUXTA_LANES_INLINE Floats gap(const Floats& d, const Floats& extents) noexcept {
  return max(Floats(0), abs(d) - extents);
}

/// Whether any lane holds.
JUXTA_LANES_INLINE bool any_of(const FloatsMask& mask) noexcept {
#if JUXTA_LANES_PART == 4 && defined(__SSE__)
  return __builtin_ia32_movmskps((FloatPart)mask.parts[0]) != 0;
#elif JUXTA_LANES_PART == 8
  return __builtin_ia32_movmskps256((FloatPart)mask.parts[0]) != 0;
#elif JUXTA_LANES_PART == 16
  return __builtin_ia32_cvtd2mask512(mask.parts[0]) != 0;
#else
  return (mask.parts[0][0] | mask.parts[0][1] | mask.parts[0][2] | mask.parts[0][3]) != 0;
#endif
}

/// Unrolled at -O2 too: arrays that a loop walks through would stay in memory.
#define JUXTA_EACH_AXIS(first) \
  _Pragma("GCC unroll 3") for (std::size_t axis = (first); axis < S::kDimensions; ++axis)

/// What a sweep must know of its pairs, as constants for the compiler.
template <int dimensions, bool box, Images images, bool sized>
struct Shape {
  static constexpr std::size_t kDimensions = dimensions;
  static constexpr bool kBox = box;  // the metric
  static constexpr Images kImages = images;
  static constexpr bool kSized = sized;  // agents with size
};

/// Seers of a group, and what they have seen so far.
template <class Rules, class S>
class SeersInLanes {
 public:
  /// The seers of the group from `begin` on.
  JUXTA_LANES_INLINE SeersInLanes(const Rules& rules, const SweepTask& task, const SweepGroup& group,
                                  std::uint32_t begin) noexcept
      : rules_(rules), task_(task), group_(group), begin_(begin), across_(group.images == kAnyImage) {
    const std::uint32_t row = group.seer + begin;
    JUXTA_EACH_AXIS(0) {
      position_[axis] = load(task.seer_position[axis] + row);
      if constexpr (S::kImages == kAnyImage) {
        period_[axis] = broadcast(&task.period[axis]);
        half_[axis] = broadcast(&task.half_period[axis]);
      }
      if constexpr (S::kSized) {
        extents_[axis] = task.seer_extents[axis] != nullptr ? load(task.seer_extents[axis] + row) : Floats(0);
      }
    }
    const Floats radius = task.radii != nullptr ? load(task.radii + row) : Floats(task.radius);
    reach_ = S::kBox ? radius : radius * radius;
    load_fields(
        seer_, [&](std::size_t i)
                   __attribute__((always_inline)) { return load(task.seer_columns[i] + row); });
    for_each_field(
        found_, [&](std::size_t i, auto& field) __attribute__((always_inline)) {
          field.total =
              group.resume ? load(partial(i)) : Floats(std::remove_reference_t<decltype(field)>::kNobody);
          if constexpr (IdTotal<std::remove_reference_t<decltype(field)>>) {
            if (group.resume) {
              field.who = load(partial(kMostColumns + i));
            } else {
              __builtin_memset(&field.who, 0xff, sizeof(field.who));  // kNoSlot
            }
          }
        });
  }

  /// Whether a candidate is near any of the seers.
  [[nodiscard]] JUXTA_LANES_INLINE bool any_near(std::uint32_t candidate) const noexcept {
    return any_of(meet(candidate).near);
  }

  /// Another agent.
  JUXTA_LANES_INLINE void see(std::uint32_t candidate) noexcept { add(meet(candidate), candidate); }
  /// The seer `self` of the group, which does not see itself.
  JUXTA_LANES_INLINE void see_seer(std::uint32_t candidate, std::uint32_t self) noexcept {
    Meeting met = meet(candidate);
    met.near = met.near & all_but(static_cast<std::int32_t>(self - begin_));
    add(met, candidate);
  }

  JUXTA_LANES_INLINE void write() noexcept {
    for_each_field(
        found_, [&](std::size_t i, auto& field) __attribute__((always_inline)) {
          if constexpr (IdTotal<std::remove_reference_t<decltype(field)>>) {
            if (group_.more) {
              __builtin_memcpy(partial(i), &field.total, sizeof(Floats));
              __builtin_memcpy(partial(kMostColumns + i), &field.who, sizeof(Floats));
            } else {
              store_ids(field.who, task_.seen_generations, task_.found_ids[i] + group_.seer + begin_,
                        group_.count - begin_);
            }
          } else if (group_.more) {
            __builtin_memcpy(partial(i), &field.total, sizeof(Floats));
          } else {
            store(field.total, task_.found[i] + group_.seer + begin_, group_.count - begin_);
          }
        });
  }

 private:
  struct Meeting {
    Neighbour<Floats> pair;
    FloatsMask near;
  };
  [[nodiscard]] JUXTA_LANES_INLINE const float* column(std::size_t number,
                                                       std::uint32_t candidate) const noexcept {
    return task_.candidates + number * kCandidateStride + candidate;
  }
  /// How far the seers are from a candidate.
  [[nodiscard]] JUXTA_LANES_INLINE Meeting meet(std::uint32_t candidate) const noexcept {
    Floats d[3] = {Floats(0), Floats(0), Floats(0)}, apart[3];
    JUXTA_EACH_AXIS(0) {
      d[axis] = broadcast(column(axis, candidate)) - position_[axis];
      if constexpr (S::kImages == kShiftedImage) {
        d[axis] = d[axis] + broadcast(column(kShiftColumn + axis, candidate));
      } else if constexpr (S::kImages == kAnyImage) {
        if (across_) {
          d[axis] = wrapped(d[axis], period_[axis], half_[axis]);
        }
      }
      apart[axis] = S::kBox ? abs(d[axis]) : d[axis];
      if constexpr (S::kSized) {
        apart[axis] = gap(d[axis], extents_[axis] + broadcast(column(kExtentColumn + axis, candidate)));
      }
    }
    Meeting met{{d[0], d[1], d[2], apart[0] * apart[0]}, S::kBox ? apart[0] <= reach_ : FloatsMask()};
    JUXTA_EACH_AXIS(1) {
      met.pair.distance2 += apart[axis] * apart[axis];
      if constexpr (S::kBox) {
        met.near = met.near & (apart[axis] <= reach_);
      }
    }
    if constexpr (!S::kBox) {
      met.near = met.pair.distance2 <= reach_;
    }
    return met;
  }
  JUXTA_LANES_INLINE void add(const Meeting& met, std::uint32_t candidate) noexcept {
    load_fields(
        seen_, [&](std::size_t i)
                   __attribute__((always_inline)) { return broadcast(column(kSeenColumn + i, candidate)); });
    for_each_field(
        found_, [&](std::size_t, auto& field) __attribute__((always_inline)) {
          field.near = met.near;
          if constexpr (IdTotal<std::remove_reference_t<decltype(field)>>) {
            field.candidate = broadcast(column(kSlotColumn, candidate));
          }
        });
    rules_(met.pair, seer_, seen_, found_);
  }
  [[nodiscard]] JUXTA_LANES_INLINE float* partial(std::size_t i) const noexcept {
    return task_.partial + i * kLanes + begin_;
  }

  const Rules& rules_;
  const SweepTask& task_;
  const SweepGroup& group_;
  std::uint32_t begin_;
  bool across_;  // pairs are judged by their nearest images
  Floats position_[S::kDimensions], extents_[S::kDimensions], reach_;
  Floats period_[S::kDimensions], half_[S::kDimensions];
  typename Rules::template Seer<Floats> seer_;
  typename Rules::template Seen<Floats> seen_;
  typename Rules::template Found<Floats> found_;
};

#undef JUXTA_EACH_AXIS

/// From so many totals on it pays to ask first whether anybody is near: it costs as much as three of them. A
/// branch in the loop over all costs more than it spares: it is mispredicted.
inline constexpr std::size_t kWide = 8;

/// Sees the candidates [first, last), of those only who has a seer near: the same bits as seeing all, since
/// the others change nothing.
template <class Seers>
JUXTA_LANES_INLINE void see_near(Seers& seers, std::uint32_t first, std::uint32_t last) noexcept {
  constexpr std::uint32_t kAtOnce = 64;
  std::uint32_t near[kAtOnce];
  while (first < last) {
    const std::uint32_t end = last - first < kAtOnce ? last : first + kAtOnce;
    std::uint32_t found = 0;
    for (; first < end; ++first) {
      near[found] = first;
      found += seers.any_near(first) ? 1 : 0;
    }
    for (std::uint32_t i = 0; i < found; ++i) {
      seers.see(near[i]);
    }
  }
}

template <class Rules, class Seers>
JUXTA_LANES_INLINE void see_all(Seers& seers, std::uint32_t first, std::uint32_t last) noexcept {
  if constexpr (std::size(Rules::template Found<float>::kNames) >= kWide) {
    see_near(seers, first, last);
  } else {
    for (; first < last; ++first) {
      seers.see(first);
    }
  }
}

/// One group. Flattened: the rules are inlined, whatever they call.
template <class Rules, class S>
[[gnu::flatten]] void sweep_group(const Rules& rules, const SweepTask& task,
                                  const SweepGroup& group) noexcept {
  for (std::uint32_t begin = 0; begin < group.count; begin += kSeersAtOnce) {
    SeersInLanes<Rules, S> seers(rules, task, group, begin);
    see_all<Rules>(seers, group.begin, group.self);
    std::uint32_t at = group.self;
    for (std::uint32_t own = group.own; own != 0 && at < group.end; own &= own - 1, ++at) {
      seers.see_seer(at, static_cast<std::uint32_t>(__builtin_ctz(own)));
    }
    see_all<Rules>(seers, at, group.end);
    seers.write();
  }
}

template <class Rules, int dimensions, bool box>
void sweep_groups(const Rules& rules, const SweepTask& task) noexcept {
  const bool sized = task.seer_extents[0] != nullptr || task.seen_extents[0] != nullptr;
  for (std::size_t g = 0; g < task.group_count; ++g) {
    const SweepGroup& group = task.groups[g];
    if (sized || group.images == kAnyImage) {
      sweep_group<Rules, Shape<dimensions, box, kAnyImage, true>>(rules, task, group);
    } else if (group.images == kShiftedImage) {
      sweep_group<Rules, Shape<dimensions, box, kShiftedImage, false>>(rules, task, group);
    } else {
      sweep_group<Rules, Shape<dimensions, box, kOwnImage, false>>(rules, task, group);
    }
  }
}

template <class Rules, int dimensions>
void sweep_dimensions(const Rules& rules, const SweepTask& task) noexcept {
  task.box ? sweep_groups<Rules, dimensions, true>(rules, task)
           : sweep_groups<Rules, dimensions, false>(rules, task);
}

template <class Rules>
void sweep_with(const void* interaction, const SweepTask& task) {
  if constexpr (check_interaction<Rules>()) {
    const Rules& rules = *static_cast<const Rules*>(interaction);
    task.dimensions == 2 ? sweep_dimensions<Rules, 2>(rules, task) : sweep_dimensions<Rules, 3>(rules, task);
  }
}

}  // namespace JUXTA_LANES_NAMESPACE
}  // namespace juxta::agents_detail
