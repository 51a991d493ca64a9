// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Values and slopes at points, a point a lane.
//
//   along each axis      cells from lo  ->  first cell, weight of the second       (axis.h says how)
//   for each corner      index = x + stride y * y + stride z * z, gathered; zeros where an open edge is
//   between corners      (1 - w) * first + w * second, along x, then y, then z
//
// Per point in 2D: 4 gathered values, 16 for slopes; in space 8 and 48. About 20 operations an axis.
//
// Limit:        gathers: each lane is a load, and beyond the caches a miss.
//
// Determinism:  the operations of the plain twin (reference.cpp) in its order, never fused.
#include "grid/points_kernel.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/grid/points_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::grid_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;
using IntTag = hn::RebindToSigned<Tag>;
using Floats = hn::Vec<Tag>;
using Ints = hn::Vec<IntTag>;
constexpr std::size_t kWidth = hn::MaxLanes(Tag());

/// Cells along an axis, as what they add to an index; `there` is all ones, or zero beyond an open edge.
struct Cells {
  Ints offset, there;
};

/// What a position means along one axis.
template <bool slopes>
struct Place {
  Cells cell[2];
  Cells beside[2][slopes ? 2 : 1];  // of each: the one before, the one behind
  Floats weight;
};

class AxisLanes {
 public:
  explicit AxisLanes(const Axis& axis)
      : edge_(axis.edge),
        lo_(hn::Set(Tag(), axis.lo)),
        hi_(hn::Set(Tag(), axis.hi)),
        period_(hn::Set(Tag(), axis.hi - axis.lo)),
        scale_(hn::Set(Tag(), axis.scale)),
        beyond_(hn::Set(Tag(), static_cast<float>(axis.cells) + 2.0F)),
        half_inverse_(hn::Set(Tag(), axis.half_inverse)),
        count_(hn::Set(IntTag(), axis.cells)),
        stride_(hn::Set(IntTag(), axis.stride)) {}

  [[nodiscard]] HWY_INLINE Floats half_inverse() const { return half_inverse_; }

  /// Finite, and not outside of walls.
  [[nodiscard]] HWY_INLINE hn::Mask<Tag> Allowed(Floats p) const {
    const auto finite = hn::Eq(hn::Sub(p, p), hn::Zero(Tag()));
    return edge_ == Edge::kWall ? hn::And(finite, hn::And(hn::Ge(p, lo_), hn::Le(p, hi_))) : finite;
  }
  template <bool nearest, bool slopes>
  [[nodiscard]] HWY_INLINE Place<slopes> At(Floats p) const {
    const Tag d;
    const IntTag ints;
    Place<slopes> place;
    const Floats cells = InCells(p);
    const Floats from = nearest ? cells : hn::Sub(cells, hn::Set(d, 0.5F));
    const Floats whole = hn::Floor(from);
    place.weight = hn::Sub(from, whole);
    Ints first = hn::ConvertTo(ints, whole);
    if (nearest && edge_ != Edge::kOpen) {
      first = hn::Min(first, hn::Sub(count_, hn::Set(ints, 1)));
    }
    for (int k = 0; k < (nearest ? 1 : 2); ++k) {
      const Ints cell = k == 0 ? first : hn::Add(first, hn::Set(ints, 1));
      const Ints own = Inside(cell);
      place.cell[k] = Offsets(cell, own);
      if constexpr (slopes) {
        for (const int step : {0, 1}) {
          const Ints next = hn::Add(edge_ == Edge::kOpen ? cell : own, hn::Set(ints, 2 * step - 1));
          place.beside[k][step] = Offsets(next, Inside(next));
        }
      }
    }
    return place;
  }

 private:
  [[nodiscard]] HWY_INLINE Floats InCells(Floats p) const {
    const Tag d;
    if (edge_ == Edge::kPeriodic) {
      const auto inside = hn::And(hn::Ge(p, lo_), hn::Lt(p, hi_));
      const Floats periods = hn::Floor(hn::Div(hn::Sub(p, lo_), period_));
      const Floats back = hn::Sub(p, hn::Mul(period_, periods));
      const Floats wrapped = hn::IfThenElse(hn::And(hn::Ge(back, lo_), hn::Lt(back, hi_)), back, lo_);
      p = hn::IfThenElse(inside, p, wrapped);
    }
    return hn::Min(hn::Max(hn::Mul(hn::Sub(p, lo_), scale_), hn::Set(d, -2.0F)), beyond_);
  }
  [[nodiscard]] HWY_INLINE Ints Inside(Ints i) const {
    const IntTag ints;
    const Ints zero = hn::Zero(ints);
    if (edge_ == Edge::kPeriodic) {
      const Ints up = hn::IfThenElse(hn::Lt(i, zero), hn::Add(i, count_), i);
      return hn::IfThenElse(hn::Lt(i, count_), up, hn::Sub(i, count_));
    }
    return hn::Min(hn::Max(i, zero), hn::Sub(count_, hn::Set(ints, 1)));
  }
  [[nodiscard]] HWY_INLINE Cells Offsets(Ints cell, Ints own) const {
    const IntTag ints;
    const Ints there = edge_ == Edge::kOpen ? hn::VecFromMask(ints, hn::Eq(cell, own)) : hn::Set(ints, -1);
    return {hn::Mul(own, stride_), there};
  }

  Edge edge_;
  Floats lo_, hi_, period_, scale_, beyond_, half_inverse_;
  Ints count_, stride_;
};

template <int D, bool nearest, bool slopes>
class Answers {
 public:
  explicit Answers(const PointsTask& task)
      : values_(task.values),
        axes_{AxisLanes((*task.axes)[0]), AxisLanes((*task.axes)[1]), AxisLanes((*task.axes)[2])} {}

  /// Which of kWidth points have an answer.
  HWY_INLINE hn::Mask<Tag> Answer(const float* const* position, float* const* out) const {
    const Tag d;
    Place<slopes> places[D];
    auto good = hn::FirstN(d, kWidth);
    for (int axis = 0; axis < D; ++axis) {
      const Floats p = hn::LoadU(d, position[axis]);
      const auto allowed = axes_[axis].Allowed(p);
      good = hn::And(good, allowed);
      places[axis] = axes_[axis].template At<nearest, slopes>(hn::IfThenElseZero(allowed, p));
    }
    const auto put = [&](int k, Floats answer) HWY_ATTR {
      good = hn::And(good, hn::Eq(hn::Sub(answer, answer), hn::Zero(d)));
      hn::StoreU(answer, d, out[k]);
    };
    const Ints none = hn::Zero(IntTag()), all = hn::Set(IntTag(), -1);
    const Corner start{{none, all}, {none, all}};
    if constexpr (slopes) {
      put(0, Along<D, 0>(places, start));
      put(1, Along<D, 1>(places, start));
      if constexpr (D == 3) {
        put(2, Along<D, 2>(places, start));
      }
    } else {
      put(0, Along<D, kValue>(places, start));
    }
    return good;
  }

 private:
  static constexpr int kValue = 3;

  /// A corner as far as its axes are known; for slopes the cells before and behind it.
  struct Corner {
    Cells low, high;
  };
  [[nodiscard]] static HWY_INLINE Cells Join(const Cells& a, const Cells& b) {
    return {hn::Add(a.offset, b.offset), hn::And(a.there, b.there)};
  }
  [[nodiscard]] HWY_INLINE Floats Value(const Cells& cells) const {
    const Tag d;
    return hn::And(hn::GatherIndex(d, values_, cells.offset), hn::BitCast(d, cells.there));
  }
  template <int kAxesLeft, int kWhat>
  [[nodiscard]] HWY_INLINE Floats Along(const Place<slopes>* places, const Corner& corner) const {
    if constexpr (kAxesLeft == 0 && kWhat == kValue) {
      return Value(corner.low);
    } else if constexpr (kAxesLeft == 0) {
      return hn::Mul(hn::Sub(Value(corner.high), Value(corner.low)), axes_[kWhat].half_inverse());
    } else {
      constexpr int kAxis = kAxesLeft - 1;
      const Place<slopes>& place = places[kAxis];
      const auto go_on = [&](int k) HWY_ATTR {
        if constexpr (kAxis == kWhat) {
          return Along<kAxis, kWhat>(
              places, {Join(corner.low, place.beside[k][0]), Join(corner.high, place.beside[k][1])});
        } else {
          return Along<kAxis, kWhat>(places,
                                     {Join(corner.low, place.cell[k]), Join(corner.high, place.cell[k])});
        }
      };
      if constexpr (nearest) {
        return go_on(0);
      } else {
        const Floats rest = hn::Sub(hn::Set(Tag(), 1.0F), place.weight);
        const Floats first = go_on(0);
        return hn::Add(hn::Mul(rest, first), hn::Mul(place.weight, go_on(1)));
      }
    }
  }

  const float* values_;
  AxisLanes axes_[3];
};

/// The first lane without an answer, or kWidth.
HWY_INLINE std::size_t FirstWithout(hn::Mask<Tag> good) {
  const std::intptr_t lane = hn::FindFirstTrue(Tag(), hn::Not(good));
  return lane < 0 ? kWidth : static_cast<std::size_t>(lane);
}

template <int D, bool nearest, bool slopes>
std::size_t AnswerAll(const PointsTask& task, std::size_t first, std::size_t last) {
  constexpr std::size_t kOut = slopes ? D : 1;
  const Answers<D, nearest, slopes> answers(task);
  std::size_t i = first;
  for (; i + kWidth <= last; i += kWidth) {
    const float* position[D];
    float* out[kOut];
    for (std::size_t k = 0; k < D; ++k) {
      position[k] = task.position[k] + i;
    }
    for (std::size_t k = 0; k < kOut; ++k) {
      out[k] = task.out[k] + i;
    }
    const std::size_t without = FirstWithout(answers.Answer(position, out));
    if (HWY_UNLIKELY(without < kWidth)) {
      return i + without;
    }
  }
  if (i == last) {
    return last;
  }
  // The rest, with its last point in the lanes that are left over.
  HWY_ALIGN float at[D][kWidth], answer[kOut][kWidth];
  const float* position[D];
  float* out[kOut];
  for (std::size_t k = 0; k < D; ++k) {
    position[k] = at[k];
    for (std::size_t lane = 0; lane < kWidth; ++lane) {
      at[k][lane] = task.position[k][std::min(i + lane, last - 1)];
    }
  }
  for (std::size_t k = 0; k < kOut; ++k) {
    out[k] = answer[k];
  }
  const std::size_t without = FirstWithout(answers.Answer(position, out));
  for (std::size_t k = 0; k < kOut; ++k) {
    std::copy(answer[k], answer[k] + (last - i), task.out[k] + i);
  }
  return std::min(i + without, last);
}

template <int D>
std::size_t AnswerIn(const PointsTask& task, std::size_t first, std::size_t last) {
  switch (task.question) {
    case PointQuestion::kNearestValue:
      return AnswerAll<D, true, false>(task, first, last);
    case PointQuestion::kLinearValue:
      return AnswerAll<D, false, false>(task, first, last);
    case PointQuestion::kNearestSlope:
      return AnswerAll<D, true, true>(task, first, last);
    default:
      return AnswerAll<D, false, true>(task, first, last);
  }
}

std::size_t AnswerPoints(const PointsTask& task, std::size_t first, std::size_t last) {
  return task.dimensions == 2 ? AnswerIn<2>(task, first, last) : AnswerIn<3>(task, first, last);
}

}  // namespace juxta::grid_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::grid_detail {

JUXTA_KERNEL(AnswerPoints);

std::size_t answer_points(const PointsTask& task, std::size_t first, std::size_t last) noexcept {
  return JUXTA_CALL_KERNEL(AnswerPoints)(task, first, last);
}

}  // namespace juxta::grid_detail
#endif
