// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the loop over pairs, with an interaction inlined into it.
//
// Sixteen pairs a step: four seers, four of the seen (SweepGroup has the picture). Per step one broadcast
// load per column of the seen, about eight operations to know who is near, and those of the interaction,
// masked. Four seers share what they load and what they may see; the four partial totals of each are joined
// at the end, (0 + 2) + (1 + 3). Positions behind the last row are NaN, so that they are near nothing.
//
// Same bits everywhere: sixteen lanes in any register width, nothing fused, one order.
#pragma once

#include "juxta/agents/detail/check_rules.h"
#include "juxta/agents/detail/fields.h"
#include "juxta/agents/detail/sweep.h"
#include "juxta/agents/interaction_types.h"

namespace juxta::agents_detail {
inline namespace JUXTA_LANES_NAMESPACE {

/// As many pairs as one register holds: 4 of the seen, and 4, 2 or 1 of the four seers at a time. Which seers
/// are together changes no bit, since each lane is computed by itself.
using Floats = Lanes<float, kPartLanes>;
using FloatsMask = LaneMaskOf<kPartLanes>;
inline constexpr int kSeersAtOnce = kPartLanes / 4;
using FourPart = float __attribute__((vector_size(16)));
struct __attribute__((packed, aligned(4))) UnalignedFour {
  FourPart four;
};

/// Lanes of a register by number.
#if JUXTA_LANES_PART == 4
#define JUXTA_LANES_SHUFFLE(v, a, b, c, d) __builtin_shufflevector(v, v, a, b, c, d)
#elif JUXTA_LANES_PART == 8
#define JUXTA_LANES_SHUFFLE(v, a, b, c, d) \
  __builtin_shufflevector(v, v, a, b, c, d, 4 + (a), 4 + (b), 4 + (c), 4 + (d))
#else
#define JUXTA_LANES_SHUFFLE(v, a, b, c, d)                                                                 \
  __builtin_shufflevector(v, v, a, b, c, d, 4 + (a), 4 + (b), 4 + (c), 4 + (d), 8 + (a), 8 + (b), 8 + (c), \
                          8 + (d), 12 + (a), 12 + (b), 12 + (c), 12 + (d))
#endif

/// The same four numbers for each of the seers:  0 1 2 3  0 1 2 3  0 1 2 3  0 1 2 3
JUXTA_LANES_INLINE Floats repeat4(const float* at) noexcept {
  Floats lanes;
#if JUXTA_LANES_PART == 8 && !defined(__clang__)
  lanes.parts[0] = __builtin_ia32_vbroadcastf128_ps256(reinterpret_cast<const FourPart*>(at));
#else
  const FourPart four = reinterpret_cast<const UnalignedFour*>(at)->four;
#if JUXTA_LANES_PART == 4
  lanes.parts[0] = four;
#elif JUXTA_LANES_PART == 8
  lanes.parts[0] = __builtin_shufflevector(four, four, 0, 1, 2, 3, 0, 1, 2, 3);
#elif defined(__clang__)
  lanes.parts[0] = __builtin_shufflevector(four, four, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
#else
  lanes.parts[0] = __builtin_ia32_broadcastf32x4_512(four, FloatPart{}, static_cast<unsigned short>(-1));
#endif
#endif
  return lanes;
}

/// Each seer's number four times:  0 0 0 0  1 1 1 1  2 2 2 2  3 3 3 3
JUXTA_LANES_INLINE Floats spread4(const float* at) noexcept {
#if JUXTA_LANES_PART == 4
  return Floats(*at);
#else
  Floats lanes = repeat4(at);
#if JUXTA_LANES_PART == 8
  lanes.parts[0] = __builtin_shufflevector(lanes.parts[0], lanes.parts[0], 0, 0, 0, 0, 1, 1, 1, 1);
#else
  lanes.parts[0] =
      __builtin_shufflevector(lanes.parts[0], lanes.parts[0], 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
#endif
  return lanes;
#endif
}

/// Joins the four partial totals of each seer, and writes those of the seers [first, last).
template <class Field>
JUXTA_LANES_INLINE void write_totals(const Field& field, float* out, int first, int last) noexcept {
  Floats other, joined;
  other.parts[0] = JUXTA_LANES_SHUFFLE(field.total.parts[0], 2, 3, 0, 1);
  joined = Field::join(field.total, other);
  other.parts[0] = JUXTA_LANES_SHUFFLE(joined.parts[0], 1, 0, 3, 2);
  joined = Field::join(joined, other);
#if JUXTA_LANES_PART == 16
  if (first == 0 && last == 4) {
    reinterpret_cast<UnalignedFour*>(out)->four =
        __builtin_shufflevector(joined.parts[0], joined.parts[0], 0, 4, 8, 12);
    return;
  }
#endif
  _Pragma("GCC unroll 4") for (int s = 0; s < kSeersAtOnce; ++s) {
    if (s >= first && s < last) {
      out[s] = joined.parts[0][4 * s];
    }
  }
}

/// Loads one number of four agents into each field of a struct.
template <class Struct, class Load, class Columns>
JUXTA_LANES_INLINE void load_fields(Struct& s, const Columns& columns, std::uint32_t row,
                                    Load&& load) noexcept {
  for_each_field(
      s, [&](std::size_t i, Floats & field)
             __attribute__((always_inline)) { field = load(columns[i] + row); });
}

/// The nearest image.
JUXTA_LANES_INLINE Floats wrapped(const Floats& d, const Floats& period, const Floats& half) noexcept {
  return select(d > half, d - period, select(d < -half, d + period, d));
}
/// How far two boxes are apart on one axis; NaN, behind the last row, stays NaN: of two, max() gives the
/// second.
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

/// What a sweep must know of its pairs, as constants for the compiler.
template <int dimensions, bool box, bool wraps, bool sized>
struct Shape {
  static constexpr int kDimensions = dimensions;
  static constexpr bool kBox = box;      // the metric
  static constexpr bool kWraps = wraps;  // by nearest image
  static constexpr bool kSized = sized;  // agents with size; then kWraps too, so that there are fewer shapes
};

/// Four seers, and what they have seen so far.
template <class Rules, class S>
class FourSeers {
 public:
  /// The seers `begin` and those behind it, of the group's four.
  JUXTA_LANES_INLINE FourSeers(const Rules& rules, const SweepTask& task, const SweepGroup& group,
                               std::uint32_t begin) noexcept
      : rules_(rules), task_(task), group_(group), begin_(begin) {
    const std::uint32_t row = group.seer + begin;
    for (std::size_t axis = 0; axis < S::kDimensions; ++axis) {
      position_[axis] = spread4(task.seer_position[axis] + row);
      if constexpr (S::kWraps) {
        period_[axis] = Floats(task.period[axis]);
        half_[axis] = Floats(group.wrapped ? task.half_period[axis] : __builtin_inff());
      }
      if constexpr (S::kSized) {
        extents_[axis] =
            task.seer_extents[axis] != nullptr ? spread4(task.seer_extents[axis] + row) : Floats(0);
      }
    }
    const Floats radius = task.radii != nullptr ? spread4(task.radii + row) : Floats(task.radius);
    reach_ = S::kBox ? radius : radius * radius;
    load_fields(
        seer_, task.seer_columns, row,
        [](const float* at) __attribute__((always_inline)) { return spread4(at); });
    for_each_field(
        found_, [&](std::size_t i, auto& field) __attribute__((always_inline)) {
          field.total =
              group.resume ? load_partial(i) : Floats(std::remove_reference_t<decltype(field)>::kNobody);
        });
  }

  /// Whether any of the four seers is near any of the four seen.
  [[nodiscard]] JUXTA_LANES_INLINE bool any_near(std::uint32_t row) const noexcept {
    return any_of(meet(row).near);
  }

  /// Four of the seen. `others`: which pairs are of two agents.
  template <bool all_others>
  JUXTA_LANES_INLINE void see(std::uint32_t row, const FloatsMask& others) noexcept {
    Meeting met = meet(row);
    if constexpr (!all_others) {
      met.near = met.near & others;
    }
    load_fields(
        seen_, task_.seen_columns, row,
        [](const float* at) __attribute__((always_inline)) { return repeat4(at); });
    for_each_field(
        found_, [&](std::size_t, auto& field) __attribute__((always_inline)) { field.near = met.near; });
    rules_(met.pair, seer_, seen_, found_);
  }

  JUXTA_LANES_INLINE void write() noexcept {
    for_each_field(
        found_, [&](std::size_t i, auto& field) __attribute__((always_inline)) {
          if (group_.more) {
            __builtin_memcpy(partial(i), &field.total, sizeof(Floats));
          } else {
            const int begin = static_cast<int>(begin_);
            write_totals(field, task_.found[i] + group_.seer + begin_, group_.first - begin,
                         group_.last - begin);
          }
        });
  }

 private:
  struct Meeting {
    Neighbour<Floats> pair;
    FloatsMask near;
  };
  /// How far the four seers are from the four seen.
  [[nodiscard]] JUXTA_LANES_INLINE Meeting meet(std::uint32_t row) const noexcept {
    Floats d[3] = {Floats(0), Floats(0), Floats(0)}, apart[3];
    for (std::size_t axis = 0; axis < S::kDimensions; ++axis) {
      d[axis] = repeat4(task_.seen_position[axis] + row) - position_[axis];
      if constexpr (S::kWraps) {
        d[axis] = wrapped(d[axis], period_[axis], half_[axis]);
      }
      apart[axis] = S::kBox ? abs(d[axis]) : d[axis];
      if constexpr (S::kSized) {
        if (task_.seen_extents[axis] != nullptr || task_.seer_extents[axis] != nullptr) {
          apart[axis] = gap(d[axis], extents_of(row, axis));
        }
      }
    }
    Meeting met{{d[0], d[1], d[2], apart[0] * apart[0]}, S::kBox ? apart[0] <= reach_ : FloatsMask()};
    for (std::size_t axis = 1; axis < S::kDimensions; ++axis) {
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
  [[nodiscard]] JUXTA_LANES_INLINE float* partial(std::size_t i) const noexcept {
    return task_.partial + i * kLanes + 4 * begin_;
  }
  JUXTA_LANES_INLINE Floats load_partial(std::size_t i) const noexcept {
    Floats total;
    __builtin_memcpy(&total, partial(i), sizeof(Floats));
    return total;
  }
  JUXTA_LANES_INLINE Floats extents_of(std::uint32_t row, std::size_t axis) const noexcept {
    const Floats seen =
        task_.seen_extents[axis] != nullptr ? repeat4(task_.seen_extents[axis] + row) : Floats(0);
    return task_.seer_extents[axis] != nullptr ? extents_[axis] + seen : seen;
  }

  const Rules& rules_;
  const SweepTask& task_;
  const SweepGroup& group_;
  std::uint32_t begin_;
  Floats position_[S::kDimensions], extents_[S::kDimensions], reach_;
  Floats period_[S::kDimensions], half_[S::kDimensions];
  typename Rules::template Seer<Floats> seer_;
  typename Rules::template Seen<Floats> seen_;
  typename Rules::template Found<Floats> found_;
};

/// The pairs of two agents, of the seers from row `seer` on and the four from `row` on.
JUXTA_LANES_INLINE FloatsMask pairs_of_two(std::uint32_t seer, std::uint32_t row) noexcept {
  MaskPart seers, seen;
  _Pragma("GCC unroll 16") for (int k = 0; k < kPartLanes; ++k) {
    seers[k] = k / 4;
    seen[k] = k % 4;
  }
  FloatsMask mask;
  mask.parts[0] = seers + static_cast<std::int32_t>(seer) != seen + static_cast<std::int32_t>(row);
  return mask;
}

/// From so many totals on it pays to ask first whether anybody is near: it costs as much as three of them,
/// and some 40 % of the steps are spared where a sixth of the pairs are near (a battle's ships: 9 % of the
/// pass). A branch in the loop over all costs more than it spares: it is mispredicted.
inline constexpr std::size_t kWide = 8;

/// Sees those of the list that have a neighbour: the same bits as seeing all, since the others change
/// nothing.
template <class Seers>
JUXTA_LANES_INLINE void see_near(Seers& seers, const std::uint32_t* list, std::size_t count) noexcept {
  constexpr std::size_t kAtOnce = 64;
  std::uint32_t near[kAtOnce];
  while (count > 0) {
    const std::size_t some = count < kAtOnce ? count : kAtOnce;
    std::size_t found = 0;
    for (std::size_t i = 0; i < some; ++i) {
      near[found] = list[i];
      found += seers.any_near(list[i]) ? 1 : 0;
    }
    for (std::size_t i = 0; i < found; ++i) {
      seers.template see<true>(near[i], FloatsMask());
    }
    list += some;
    count -= some;
  }
}

/// One group. Flattened: the rules are inlined, whatever they call.
template <class Rules, class S>
[[gnu::flatten]] void sweep_group(const Rules& rules, const SweepTask& task,
                                  const SweepGroup& group) noexcept {
  for (std::uint32_t begin = 0; begin < 4; begin += kSeersAtOnce) {
    FourSeers<Rules, S> seers(rules, task, group, begin);
    std::uint32_t at = group.begin;
    for (; at < group.begin + group.self; ++at) {
      seers.template see<false>(task.list[at], pairs_of_two(group.seer + begin, task.list[at]));
    }
    if constexpr (std::size(Rules::template Found<float>::kNames) >= kWide) {
      see_near(seers, task.list + at, group.end - at);
    } else {
      for (; at < group.end; ++at) {
        seers.template see<true>(task.list[at], FloatsMask());
      }
    }
    seers.write();
  }
}

template <class Rules, int dimensions, bool box>
void sweep_groups(const Rules& rules, const SweepTask& task) noexcept {
  const bool sized = task.seer_extents[0] != nullptr || task.seen_extents[0] != nullptr;
  for (std::size_t g = 0; g < task.group_count; ++g) {
    const SweepGroup& group = task.groups[g];
    if (sized) {
      sweep_group<Rules, Shape<dimensions, box, true, true>>(rules, task, group);
    } else if (group.wrapped) {
      sweep_group<Rules, Shape<dimensions, box, true, false>>(rules, task, group);
    } else {
      sweep_group<Rules, Shape<dimensions, box, false, false>>(rules, task, group);
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

#undef JUXTA_LANES_SHUFFLE
