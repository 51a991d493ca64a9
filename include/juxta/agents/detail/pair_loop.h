// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the loop over pairs, with an interaction inlined into it.
//
// Sixteen pairs a step: four seers, four of the seen (SweepGroup has the picture). Per step one broadcast
// load per column of the seen, about eight operations to know who is near, and those of the interaction,
// masked. Four seers share what they load and what they may see; the four partial totals of each are joined
// at the end, (0 + 2) + (1 + 3). Positions behind the last row are NaN, so that they are near nobody.
//
// Same bits everywhere: sixteen lanes in any register width, nothing fused, one order.
#pragma once

#include "juxta/agents/detail/fields.h"
#include "juxta/agents/detail/sweep.h"
#include "juxta/agents/interaction_types.h"

namespace juxta::detail {
inline namespace JUXTA_LANES_NAMESPACE {

using Floats = Lanes<float>;
using FourPart = float __attribute__((vector_size(16)));
struct __attribute__((packed, aligned(4))) UnalignedFour {
  FourPart four;
};

/// The same four numbers for each of four seers:  0 1 2 3  0 1 2 3  0 1 2 3  0 1 2 3
JUXTA_LANES_INLINE Floats repeat4(const float* at) noexcept {
  Floats lanes;
  for (FloatPart& part : lanes.parts) {
#if JUXTA_LANES_PART == 4
    part = reinterpret_cast<const UnalignedFour*>(at)->four;
#elif JUXTA_LANES_PART == 8 && !defined(__clang__)
    part = __builtin_ia32_vbroadcastf128_ps256(reinterpret_cast<const FourPart*>(at));
#elif JUXTA_LANES_PART == 16 && !defined(__clang__)
    const FourPart four = reinterpret_cast<const UnalignedFour*>(at)->four;
    part = __builtin_ia32_broadcastf32x4_512(four, FloatPart{}, static_cast<unsigned short>(-1));
#elif JUXTA_LANES_PART == 8
    const FourPart four = reinterpret_cast<const UnalignedFour*>(at)->four;
    part = __builtin_shufflevector(four, four, 0, 1, 2, 3, 0, 1, 2, 3);
#else
    const FourPart four = reinterpret_cast<const UnalignedFour*>(at)->four;
    part = __builtin_shufflevector(four, four, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
#endif
  }
  return lanes;
}

/// Each of four numbers four times:  0 0 0 0  1 1 1 1  2 2 2 2  3 3 3 3
JUXTA_LANES_INLINE Floats spread4(const float* at) noexcept {
  Floats lanes;
  for (int i = 0; i < kParts; ++i) {
    for (int k = 0; k < kPartLanes; ++k) {
      lanes.parts[i][k] = at[(i * kPartLanes + k) / 4];
    }
  }
  return lanes;
}

/// Joins the four partial totals of each seer, and writes those of the seers [first, last).
template <class Field>
JUXTA_LANES_INLINE void write_totals(const Field& field, float* out, int first, int last) noexcept {
  Floats swapped, joined;
  for (int i = 0; i < kParts; ++i) {
#if JUXTA_LANES_PART == 4
    swapped.parts[i] = __builtin_shufflevector(field.total.parts[i], field.total.parts[i], 2, 3, 0, 1);
#elif JUXTA_LANES_PART == 8
    swapped.parts[i] =
        __builtin_shufflevector(field.total.parts[i], field.total.parts[i], 2, 3, 0, 1, 6, 7, 4, 5);
#else
    swapped.parts[i] = __builtin_shufflevector(field.total.parts[i], field.total.parts[i], 2, 3, 0, 1, 6, 7,
                                               4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
#endif
  }
  joined = Field::join(field.total, swapped);
  for (int i = 0; i < kParts; ++i) {
#if JUXTA_LANES_PART == 4
    swapped.parts[i] = __builtin_shufflevector(joined.parts[i], joined.parts[i], 1, 0, 3, 2);
#elif JUXTA_LANES_PART == 8
    swapped.parts[i] = __builtin_shufflevector(joined.parts[i], joined.parts[i], 1, 0, 3, 2, 5, 4, 7, 6);
#else
    swapped.parts[i] = __builtin_shufflevector(joined.parts[i], joined.parts[i], 1, 0, 3, 2, 5, 4, 7, 6, 9, 8,
                                               11, 10, 13, 12, 15, 14);
#endif
  }
  joined = Field::join(joined, swapped);
  for (int s = first; s < last; ++s) {
    out[s] = joined.parts[s * 4 / kPartLanes][s * 4 % kPartLanes];
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
JUXTA_LANES_INLINE Floats wrapped(const Floats& d, float period, float half) noexcept {
  return select(d > Floats(half), d - Floats(period), select(d < Floats(-half), d + Floats(period), d));
}
/// How far two boxes are apart on one axis.
JUXTA_LANES_INLINE Floats gap(const Floats& d, const Floats& extents) noexcept {
  return max(abs(d) - extents, Floats(0));
}

/// What a sweep must know of its pairs, as constants for the compiler.
template <int dimensions, bool box, bool general>
struct Shape {
  static constexpr int kDimensions = dimensions;
  static constexpr bool kBox = box;          // the metric
  static constexpr bool kGeneral = general;  // worlds that wrap, agents with size
};

/// Four seers, and what they have seen so far.
template <class Rules, class S>
class FourSeers {
 public:
  JUXTA_LANES_INLINE FourSeers(const Rules& rules, const SweepTask& task, const SweepGroup& group) noexcept
      : rules_(rules), task_(task), group_(group) {
    for (int axis = 0; axis < S::kDimensions; ++axis) {
      position_[axis] = spread4(task.seer_position[axis] + group.seer);
      if constexpr (S::kGeneral) {
        if (task.seer_extents[axis] != nullptr) {
          extents_[axis] = spread4(task.seer_extents[axis] + group.seer);
        }
      }
    }
    const Floats radius = task.radii != nullptr ? spread4(task.radii + group.seer) : Floats(task.radius);
    reach_ = S::kBox ? radius : radius * radius;
    load_fields(
        seer_, task.seer_columns, group.seer,
        [](const float* at) __attribute__((always_inline)) { return spread4(at); });
    for_each_field(
        found_, [&](std::size_t i, auto& field) __attribute__((always_inline)) {
          field.total =
              group.resume ? load_partial(i) : Floats(std::remove_reference_t<decltype(field)>::kNobody);
        });
  }

  /// Four of the seen. `others`: which pairs are of two agents.
  template <bool all_others>
  JUXTA_LANES_INLINE void see(std::uint32_t row, const LaneMask& others) noexcept {
    Floats d[3] = {Floats(0), Floats(0), Floats(0)}, apart[3];
    for (int axis = 0; axis < S::kDimensions; ++axis) {
      d[axis] = repeat4(task_.seen_position[axis] + row) - position_[axis];
      if constexpr (S::kGeneral) {
        if (group_.wrapped) {
          d[axis] = wrapped(d[axis], task_.period[axis], task_.half_period[axis]);
        }
      }
      apart[axis] = S::kBox ? abs(d[axis]) : d[axis];
      if constexpr (S::kGeneral) {
        if (task_.seen_extents[axis] != nullptr || task_.seer_extents[axis] != nullptr) {
          apart[axis] = gap(d[axis], extents_of(row, axis));
        }
      }
    }
    Pair<Floats> pair{d[0], d[1], d[2], apart[0] * apart[0]};
    LaneMask near = S::kBox ? apart[0] <= reach_ : LaneMask();
    for (int axis = 1; axis < S::kDimensions; ++axis) {
      pair.distance2 += apart[axis] * apart[axis];
      if constexpr (S::kBox) {
        near = near & (apart[axis] <= reach_);
      }
    }
    if constexpr (!S::kBox) {
      near = pair.distance2 <= reach_;
    }
    if constexpr (!all_others) {
      near = near & others;
    }
    load_fields(
        seen_, task_.seen_columns, row,
        [](const float* at) __attribute__((always_inline)) { return repeat4(at); });
    for_each_field(
        found_, [&](std::size_t, auto& field) __attribute__((always_inline)) { field.near = near; });
    rules_(pair, seer_, seen_, found_);
  }

  JUXTA_LANES_INLINE void write() noexcept {
    for_each_field(
        found_, [&](std::size_t i, auto& field) __attribute__((always_inline)) {
          if (group_.more) {
            __builtin_memcpy(task_.partial + i * kLanes, &field.total, sizeof(Floats));
          } else {
            write_totals(field, task_.found[i] + group_.seer, group_.first, group_.last);
          }
        });
  }

 private:
  JUXTA_LANES_INLINE Floats load_partial(std::size_t i) const noexcept {
    Floats total;
    __builtin_memcpy(&total, task_.partial + i * kLanes, sizeof(Floats));
    return total;
  }
  JUXTA_LANES_INLINE Floats extents_of(std::uint32_t row, int axis) const noexcept {
    const Floats seen =
        task_.seen_extents[axis] != nullptr ? repeat4(task_.seen_extents[axis] + row) : Floats(0);
    return task_.seer_extents[axis] != nullptr ? extents_[axis] + seen : seen;
  }

  const Rules& rules_;
  const SweepTask& task_;
  const SweepGroup& group_;
  Floats position_[S::kDimensions], extents_[S::kDimensions], reach_;
  typename Rules::template Seer<Floats> seer_;
  typename Rules::template Seen<Floats> seen_;
  typename Rules::template Found<Floats> found_;
};

/// All pairs but those of an agent with itself.
JUXTA_LANES_INLINE LaneMask others_of_four() noexcept {
  LaneMask mask;
  for (int i = 0; i < kLanes; ++i) {
    mask.parts[i / kPartLanes][i % kPartLanes] = i / 4 == i % 4 ? 0 : -1;
  }
  return mask;
}

/// Flattened: the rules are inlined, whatever they call.
template <class Rules, class S>
[[gnu::flatten]] void sweep_shape(const Rules& rules, const SweepTask& task) noexcept {
  for (std::size_t g = 0; g < task.group_count; ++g) {
    const SweepGroup& group = task.groups[g];
    FourSeers<Rules, S> seers(rules, task, group);
    std::uint32_t at = group.begin;
    if (group.self) {
      seers.template see<false>(task.list[at++], others_of_four());
    }
    for (; at < group.end; ++at) {
      seers.template see<true>(task.list[at], LaneMask());
    }
    seers.write();
  }
}

template <class Rules, int dimensions>
void sweep_dimensions(const Rules& rules, const SweepTask& task) noexcept {
  bool general = false;
  for (int axis = 0; axis < dimensions; ++axis) {
    general = general || task.period[axis] > 0 || task.seer_extents[axis] != nullptr ||
              task.seen_extents[axis] != nullptr;
  }
  if (task.box) {
    general ? sweep_shape<Rules, Shape<dimensions, true, true>>(rules, task)
            : sweep_shape<Rules, Shape<dimensions, true, false>>(rules, task);
  } else {
    general ? sweep_shape<Rules, Shape<dimensions, false, true>>(rules, task)
            : sweep_shape<Rules, Shape<dimensions, false, false>>(rules, task);
  }
}

template <class Rules>
void sweep_with(const void* interaction, const SweepTask& task) {
  const Rules& rules = *static_cast<const Rules*>(interaction);
  task.dimensions == 2 ? sweep_dimensions<Rules, 2>(rules, task) : sweep_dimensions<Rules, 3>(rules, task);
}

}  // namespace JUXTA_LANES_NAMESPACE
}  // namespace juxta::detail
