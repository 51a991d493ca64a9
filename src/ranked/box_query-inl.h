// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: a rectangle becomes two boxes of quanta. Include inside a kernel file only.
//
//            quantum  | 17 | 18 | 19 | 20 | 21 |        outer: may hold points inside (18 .. 21)
//   lx inside 18 ------+->|                   |         inner: all its points are inside (19 .. 20)
//   hx inside 21 --------------------------->-|         between them: look at the coordinates
//
// A left edge on a quantum's lowest value is exact, and so is an edge above all points of its quantum: in a
// gap of the data, or on a repeated value.

#if defined(JUXTA_RANKED_BOX_QUERY_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_BOX_QUERY_INL_H
#undef JUXTA_RANKED_BOX_QUERY_INL_H
#else
#define JUXTA_RANKED_BOX_QUERY_INL_H
#endif

#include "hwy/cache_control.h"
#include "juxta/math/rect.h"
#include "ranked/axis-inl.h"
#include "ranked/block-inl.h"
#include "ranked/narrow.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
struct BoxQuery {
  Rect<typename HeldAs<T>::Type> rect;
  QuantumBox outer{}, inner{};
  bool exact = true;                    // inner is outer
  bool inner_empty = false;             // then `inner` means nothing
  std::uint32_t width = 0, height = 0;  // in quanta, a repeated value counted with all that it fills
  const RankedView* view = nullptr;

  /// Whether the point with this input index is in the rectangle.
  HWY_INLINE bool Contains(std::size_t index) const {
    return rect.contains(XOf<T>(*view, index), YOf<T>(*view, index));
  }
  HWY_INLINE void PrefetchCoordinates(std::size_t index) const {
#if HWY_TARGET == HWY_WASM
    // It has no such instruction. Loads without branches between them miss side by side too.
    (void)*static_cast<const volatile std::byte*>(view->xs + index * view->x_stride);
    (void)*static_cast<const volatile std::byte*>(view->ys + index * view->y_stride);
#else
    hwy::Prefetch(view->xs + index * view->x_stride);
    hwy::Prefetch(view->ys + index * view->y_stride);
#endif
  }

  /// Of the children of a node that touch the outer box: which may have a point inside, and which are inside
  /// as a whole.
  HWY_INLINE std::uint32_t TouchedChildren(const Node&, std::uint32_t children) const {
    return children;
  }
  HWY_INLINE std::uint32_t WholeChildren(const Node& node, std::uint32_t children) const {
    return inner_empty ? 0 : children & ContainedBits(node, inner);
  }

  /// Which of the points `hits`, all in the outer box, are in the rectangle. `index_of` maps a bit to an
  /// index.
  template <class IndexOf>
  HWY_INLINE std::uint32_t Confirm(const Block& block, std::uint32_t hits, IndexOf index_of) const {
    if (HWY_LIKELY(exact)) {
      return hits;
    }
    std::uint32_t doubtful = inner_empty ? hits : hits & ~InsideBits(block, inner);
    while (doubtful != 0) {
      const auto bit = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(doubtful));
      hits ^= static_cast<std::uint32_t>(!Contains(index_of(bit))) << bit;
      doubtful &= doubtful - 1;
    }
    return hits;
  }
};

/// One axis of a query: `lo` and `hi` are within the data's bounds and not inverted.
struct AxisRange {
  std::int32_t lo, hi, inner_lo, inner_hi;  // in unshifted quanta; inner_hi may be -1
  std::int32_t end;                         // hi, or the last quantum that hi's repeated value fills
};

/// Whether quanta lo and hi, the same or neighbours, can hold a value in [from, to].
template <class T>
HWY_NOINLINE bool IsOccupied(const AxisView& axis, std::size_t lo, T from, std::size_t hi, T to) {
  const T* knots = axis.level<T>(axis.levels - 1);
  const auto at_least = [&] {
    return from > knots[lo] ? ~std::uint64_t{0} << axis.slot_of(knots + lo, from) : ~std::uint64_t{0};
  };
  const std::uint64_t at_most = ~std::uint64_t{0} >> (63 - axis.slot_of(knots + hi, to));
  return lo == hi ? (axis.occupied[lo] & at_least() & at_most) != 0
                  : ((axis.occupied[lo] & at_least()) | (axis.occupied[hi] & at_most)) != 0;
}

/// The range of [lo, hi], by KnotsAround() of both.
template <class T>
HWY_INLINE AxisRange RangeOf(const AxisView& axis, T lo, std::size_t around_lo, T hi, std::size_t around_hi) {
  AxisRange r;
  r.lo = static_cast<std::int32_t>(QuantumOf(axis, around_lo, lo));
  r.hi = static_cast<std::int32_t>(QuantumOf(axis, around_hi, hi));
  const auto lo_quantum = static_cast<std::size_t>(r.lo), hi_quantum = static_cast<std::size_t>(r.hi);
  r.inner_lo = r.lo + (lo > axis.level<T>(axis.levels - 1)[lo_quantum]);
  r.lo += lo > axis.highest_in<T>(lo_quantum);
  r.inner_hi = r.hi - !(hi >= axis.highest_in<T>(hi_quantum));
  r.end = axis.filled[hi_quantum] == 0 ? axis.run_end[hi_quantum] : r.hi;
  if (r.inner_lo > r.inner_hi && r.lo <= r.hi &&
      !IsOccupied(axis, static_cast<std::size_t>(r.lo), lo, hi_quantum, hi)) {
    r.lo = r.hi + 1;
  }
  return r;
}

/// A rectangle cut to the data, and where on the axes its edges are: half of the way to a BoxQuery. What the
/// other half reads may be far away.
template <class T>
struct Aim {
  Rect<typename HeldAs<T>::Type> rect;
  std::size_t lx, ly, hx, hy;  // KnotsAround() its edges
};

/// False: nothing can be inside.
template <class T>
HWY_INLINE bool TakeAim(const RankedView& view, const RectD& rect, Aim<T>& aim) {
  const double lx = HWY_MAX(rect.lx, view.bounds[0]), hx = HWY_MIN(rect.hx, view.bounds[2]);
  const double ly = HWY_MAX(rect.ly, view.bounds[1]), hy = HWY_MIN(rect.hy, view.bounds[3]);
  if (!(rect.lx <= rect.hx && rect.ly <= rect.hy && lx <= hx && ly <= hy)) {
    return false;
  }
  aim.rect = {narrow_up<T>(lx), narrow_up<T>(ly), narrow_down<T>(hx), narrow_down<T>(hy)};
  if (aim.rect.empty()) {
    return false;
  }
  aim.lx = KnotsAround(view.x_axis, aim.rect.lx);
  aim.ly = KnotsAround(view.y_axis, aim.rect.ly);
  aim.hx = KnotsAround(view.x_axis, aim.rect.hx);
  aim.hy = KnotsAround(view.y_axis, aim.rect.hy);
  return true;
}

template <class T>
HWY_INLINE void PrefetchAim(const RankedView& view, const Aim<T>& aim) {
  PrefetchKnots<T>(view.x_axis, aim.lx);
  PrefetchKnots<T>(view.x_axis, aim.hx);
  PrefetchKnots<T>(view.y_axis, aim.ly);
  PrefetchKnots<T>(view.y_axis, aim.hy);
}

/// False: nothing can be inside.
template <class T>
HWY_INLINE bool MakeQuery(const RankedView& view, const Aim<T>& aim, BoxQuery<T>& query) {
  query.view = &view;
  query.rect = aim.rect;
  const AxisRange x = RangeOf(view.x_axis, aim.rect.lx, aim.lx, aim.rect.hx, aim.hx);
  const AxisRange y = RangeOf(view.y_axis, aim.rect.ly, aim.ly, aim.rect.hy, aim.hy);
  if (x.lo > x.hi || y.lo > y.hi) {
    return false;
  }
  const auto sx = view.x_axis.shift(), sy = view.y_axis.shift();
  const auto quanta = [](std::int32_t q, std::uint32_t shift) {
    return static_cast<std::uint16_t>(q << shift);
  };
  query.outer = {quanta(x.lo, sx), quanta(y.lo, sy), quanta(x.hi, sx), quanta(y.hi, sy)};
  query.inner_empty = x.inner_lo > x.inner_hi || y.inner_lo > y.inner_hi;
  query.exact = x.inner_lo <= x.lo && x.inner_hi == x.hi && y.inner_lo <= y.lo && y.inner_hi == y.hi;
  if (!query.inner_empty) {
    query.inner = {quanta(x.inner_lo, sx), quanta(y.inner_lo, sy), quanta(x.inner_hi, sx),
                   quanta(y.inner_hi, sy)};
  }
  query.width = static_cast<std::uint32_t>(x.end - x.lo + 1) << sx;
  query.height = static_cast<std::uint32_t>(y.end - y.lo + 1) << sy;
  return true;
}

// The same for either type, whose rectangles hold what they held as floats.

HWY_INLINE bool TakeAim(const RankedView& view, const RectD& rect, Aim<Either>& aim) {
  return WithType<Either>(view, [&](auto t) {
    Aim<decltype(t)> typed;
    if (!TakeAim(view, rect, typed)) {
      return false;
    }
    aim = {
        {typed.rect.lx, typed.rect.ly, typed.rect.hx, typed.rect.hy}, typed.lx, typed.ly, typed.hx, typed.hy};
    return true;
  });
}

HWY_INLINE void PrefetchAim(const RankedView& view, const Aim<Either>& aim) {
  WithType<Either>(view, [&](auto t) {
    PrefetchAim(view, Aim<decltype(t)>{{}, aim.lx, aim.ly, aim.hx, aim.hy});
    return true;
  });
}

HWY_INLINE bool MakeQuery(const RankedView& view, const Aim<Either>& aim, BoxQuery<Either>& query) {
  query.rect = aim.rect;
  return WithType<Either>(view, [&](auto t) {
    using T = decltype(t);
    const Aim<T> typed{{static_cast<T>(aim.rect.lx), static_cast<T>(aim.rect.ly), static_cast<T>(aim.rect.hx),
                        static_cast<T>(aim.rect.hy)},
                       aim.lx,
                       aim.ly,
                       aim.hx,
                       aim.hy};
    BoxQuery<T> made;
    const bool some = MakeQuery(view, typed, made);
    query.outer = made.outer;
    query.inner = made.inner;
    query.exact = made.exact;
    query.inner_empty = made.inner_empty;
    query.width = made.width;
    query.height = made.height;
    query.view = made.view;
    return some;
  });
}

template <class T>
HWY_INLINE bool MakeQuery(const RankedView& view, const RectD& rect, BoxQuery<T>& query) {
  Aim<T> aim;
  return TakeAim(view, rect, aim) && MakeQuery(view, aim, query);
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
