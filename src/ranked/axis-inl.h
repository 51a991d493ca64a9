// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: finding the quantum of a value. Include inside a kernel file only (see top_kernel.cpp).
//
//   level 0      16 knots   | one register of floats: count how many are <= value; that names
//   level 1     256 knots   | the 16 knots to look at in the next level
//   level 2   4,096 knots   |
//   level 3  65,536 knots   | 4 dependent loads and compares, 280 KiB in all: 16 + 16^2 + 16^3 fit L1

#if defined(JUXTA_RANKED_AXIS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_AXIS_INL_H
#undef JUXTA_RANKED_AXIS_INL_H
#else
#define JUXTA_RANKED_AXIS_INL_H
#endif

#include <type_traits>

#include "core/simd/doubles-inl.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "ranked/ranked_view.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Coordinates of the type that the points have: float or double, which is asked where one is read. Where
/// size counts (JUXTA_SMALL_CODE), searches are compiled once for it, and not for each type.
struct Either {};
template <class T>
struct HeldAs {
  using Type = T;
};
template <>
struct HeldAs<Either> {
  using Type = double;  // it holds every float
};

/// Calls a function template for the type of the coordinates of `view`.
#ifdef JUXTA_SMALL_CODE
#define JUXTA_CALL_FOR_TYPE(view, function, ...) function<Either>(__VA_ARGS__)
#else
#define JUXTA_CALL_FOR_TYPE(view, function, ...) \
  ((view).is_double ? function<double>(__VA_ARGS__) : function<float>(__VA_ARGS__))
#endif

/// use(T{}), with the type of the coordinates in place of Either.
template <class T, class Use>
HWY_INLINE auto WithType(const RankedView& view, Use&& use) {
  if constexpr (std::is_same_v<T, Either>) {
    return view.is_double ? use(double{}) : use(float{});
  } else {
    return use(T{});
  }
}

/// The coordinates of a point, by its input index.
template <class T>
HWY_INLINE typename HeldAs<T>::Type XOf(const RankedView& view, std::size_t index) {
  return WithType<T>(view, [&](auto t) {
    return static_cast<typename HeldAs<T>::Type>(StridedColumn<decltype(t)>{view.xs, view.x_stride}[index]);
  });
}
template <class T>
HWY_INLINE typename HeldAs<T>::Type YOf(const RankedView& view, std::size_t index) {
  return WithType<T>(view, [&](auto t) {
    return static_cast<typename HeldAs<T>::Type>(StridedColumn<decltype(t)>{view.ys, view.y_stride}[index]);
  });
}
/// The lowest value of a quantum, and what none of its values is above (infinite: unknown).
template <class T>
HWY_INLINE double LowestIn(const RankedView& view, const AxisView& axis, std::size_t quantum) {
  return WithType<T>(
      view, [&](auto t) { return static_cast<double>(axis.level<decltype(t)>(axis.levels - 1)[quantum]); });
}
template <class T>
HWY_INLINE double HighestIn(const RankedView& view, const AxisView& axis, std::size_t quantum) {
  return WithType<T>(view,
                     [&](auto t) { return static_cast<double>(axis.highest_in<decltype(t)>(quantum)); });
}

/// Of the kFanout knots from `block * kFanout` on of level l, the last that is <= value.
template <class T>
HWY_INLINE std::size_t KnotAtMost(const AxisView& axis, std::size_t l, std::size_t block, T value) {
  const hn::CappedTag<T, kFanout> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto v = hn::Set(d, value);
  const T* knots = axis.level<T>(l) + block * kFanout;
  std::size_t below = 0;
#if HWY_TARGET == HWY_WASM
  // A lane of a mask is -1: adding registers up takes half of the instructions.
  const hn::RebindToSigned<decltype(d)> di;
  auto minus = hn::Zero(di);
  for (std::size_t s = 0; s < kFanout; s += lanes) {
    minus = hn::Add(minus, hn::VecFromMask(di, hn::RebindMask(di, hn::Le(hn::LoadU(d, knots + s), v))));
  }
  below = 0 - static_cast<std::size_t>(hn::GetLane(hn::SumOfLanes(di, minus)));
#else
  for (std::size_t s = 0; s < kFanout; s += lanes) {
    below += hn::CountTrue(d, hn::Le(hn::LoadU(d, knots + s), v));
  }
#endif
  return block * kFanout + below - 1;
}

/// Which kFanout knots of the last level are around `value`, which must not be below knot[0]: all levels but
/// the last, which are small enough to be in cache.
template <class T>
HWY_INLINE std::size_t KnotsAround(const AxisView& axis, T value) {
  std::size_t block = 0;
  for (std::size_t l = 0; l + 1 < axis.levels; ++l) {
    block = KnotAtMost(axis, l, block, value);
  }
  return block;
}

/// The last q with knot[q] <= value, by KnotsAround() of it.
template <class T>
HWY_INLINE std::uint32_t QuantumOf(const AxisView& axis, std::size_t knots_around, T value) {
  return static_cast<std::uint32_t>(KnotAtMost(axis, axis.levels - 1, knots_around, value));
}
template <class T>
HWY_INLINE std::uint32_t QuantumOf(const AxisView& axis, T value) {
  return QuantumOf(axis, KnotsAround(axis, value), value);
}

/// Asks for what QuantumOf() and its caller read behind KnotsAround().
template <class T>
HWY_INLINE void PrefetchKnots(const AxisView& axis, std::size_t knots_around) {
  const T* knots = axis.level<T>(axis.levels - 1) + knots_around * kFanout;
  hwy::Prefetch(knots);
  hwy::Prefetch(knots + kFanout - 1);
  hwy::Prefetch(axis.filled + knots_around * kFanout);
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
