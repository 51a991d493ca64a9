// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Where boxes lie along Hilbert's curve, a register of boxes at a time.
//
//   lo.x lo.y lo.z hi.x hi.y hi.z | lo.x ...     boxes as users have them (2D: four floats)
//      \  LoadInterleaved3   /                   axis by axis: lo hi lo hi ...
//    lo of 16 boxes    hi of 16 boxes            ConcatEven, ConcatOdd
//            \          /
//     centre -> cell (10 bits an axis) -> turns of the curve, level by level -> code, size class on top
//
// Work:         about 25 operations a level and register of boxes (8 levels at 100k), 60 more for the rest.
// Bytes:        24 read, 4 written per box. The limit is operations, about 2 ns a box.
// Determinism:  one multiplication after one subtraction per coordinate, never fused; then integers.
// Source:       Skilling, "Programming the Hilbert curve" (AIP Conf. Proc. 707, 2004), masks for branches.

#include "order/box_codes_kernel.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/order/box_codes_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::order_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, 16>;
using IndexTag = hn::RebindToUnsigned<FloatTag>;
using Floats = hn::Vec<FloatTag>;
using Words = hn::Vec<IndexTag>;

template <int D>
struct BoxLanes {
  Floats lo[D], hi[D];
};

/// As many boxes as a register has lanes.
HWY_INLINE BoxLanes<3> LoadBoxes(const Aabb3* boxes) {
  const FloatTag d;
  const float* from = &boxes->lo.x;
  Floats a[3], b[3];
  hn::LoadInterleaved3(d, from, a[0], a[1], a[2]);
  hn::LoadInterleaved3(d, from + 3 * hn::Lanes(d), b[0], b[1], b[2]);
  BoxLanes<3> lanes;
  for (int axis = 0; axis < 3; ++axis) {
    lanes.lo[axis] = hn::ConcatEven(d, b[axis], a[axis]);
    lanes.hi[axis] = hn::ConcatOdd(d, b[axis], a[axis]);
  }
  return lanes;
}
HWY_INLINE BoxLanes<2> LoadBoxes(const Aabb2* boxes) {
  const FloatTag d;
  BoxLanes<2> lanes;
  hn::LoadInterleaved4(d, &boxes->lo.x, lanes.lo[0], lanes.lo[1], lanes.hi[0], lanes.hi[1]);
  return lanes;
}

HWY_INLINE Floats Centre(Floats lo, Floats hi) {
  const auto quarter = hn::Set(FloatTag(), 0.25F);
  return hn::Add(hn::Mul(lo, quarter), hn::Mul(hi, quarter));
}

/// Calls `step(boxes, at)` for whole registers; the last boxes run through a copy padded with the last one.
template <int D, class Step>
HWY_INLINE void ForEachRegister(const Aabb<D>* HWY_RESTRICT boxes, std::size_t n, Step&& step) {
  const std::size_t lanes = hn::Lanes(FloatTag());
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    step(boxes + i, i, lanes);
  }
  if (i < n) {
    Aabb<D> rest[hn::MaxLanes(FloatTag())];
    for (std::size_t k = 0; k < lanes; ++k) {
      rest[k] = boxes[HWY_MIN(i + k, n - 1)];
    }
    step(rest, i, n - i);
  }
}

template <int D>
HWY_INLINE CentreRange<D> RangeOf(const Aabb<D>* HWY_RESTRICT boxes, std::size_t n) {
  const FloatTag d;
  const auto largest = hn::Set(d, std::numeric_limits<float>::max());
  Floats low[D], high[D];
  for (int axis = 0; axis < D; ++axis) {
    low[axis] = hn::Set(d, std::numeric_limits<float>::infinity());
    high[axis] = hn::Neg(low[axis]);
  }
  auto sound = hn::Eq(largest, largest);
  ForEachRegister<D>(boxes, n, [&](const Aabb<D>* at, std::size_t, std::size_t) HWY_ATTR {
    const BoxLanes<D> box = LoadBoxes(at);
    for (int axis = 0; axis < D; ++axis) {
      const auto centre = Centre(box.lo[axis], box.hi[axis]);
      low[axis] = hn::Min(low[axis], centre);
      high[axis] = hn::Max(high[axis], centre);
      const auto finite = hn::And(hn::Le(hn::Neg(largest), box.lo[axis]), hn::Le(box.hi[axis], largest));
      sound = hn::And(sound, hn::And(finite, hn::Le(box.lo[axis], box.hi[axis])));
    }
  });
  CentreRange<D> range;
  range.sound = hn::AllTrue(d, sound);
  for (int axis = 0; axis < D; ++axis) {
    range.lo[axis] = hn::GetLane(hn::MinOfLanes(d, low[axis])) + 0.0F;  // zeros without a sign
    range.hi[axis] = hn::GetLane(hn::MaxOfLanes(d, high[axis])) + 0.0F;
  }
  return range;
}
CentreRange<2> Range2(const Aabb2* boxes, std::size_t n) {
  return RangeOf<2>(boxes, n);
}
CentreRange<3> Range3(const Aabb3* boxes, std::size_t n) {
  return RangeOf<3>(boxes, n);
}

/// Where `axis` has the bit, the first axis is inverted below it; elsewhere the two are exchanged below it.
HWY_INLINE void Turn(Words& first, Words& axis, Words bit, Words below) {
  const auto set = hn::TestBit(axis, bit);
  const auto exchanged = hn::IfThenZeroElse(set, hn::And(hn::Xor(first, axis), below));
  first = hn::Xor(first, hn::IfThenElse(set, below, exchanged));
  axis = hn::Xor(axis, exchanged);
}

/// Puts D - 1 zero bits before each bit of a coordinate of 10 (3D) or 16 (2D) bits.
HWY_INLINE Words Spread3(Words v) {
  const IndexTag d;
  v = hn::And(hn::Or(v, hn::ShiftLeft<16>(v)), hn::Set(d, 0x030000FFU));
  v = hn::And(hn::Or(v, hn::ShiftLeft<8>(v)), hn::Set(d, 0x0300F00FU));
  v = hn::And(hn::Or(v, hn::ShiftLeft<4>(v)), hn::Set(d, 0x030C30C3U));
  return hn::And(hn::Or(v, hn::ShiftLeft<2>(v)), hn::Set(d, 0x09249249U));
}
HWY_INLINE Words Spread2(Words v) {
  const IndexTag d;
  v = hn::And(hn::Or(v, hn::ShiftLeft<8>(v)), hn::Set(d, 0x00FF00FFU));
  v = hn::And(hn::Or(v, hn::ShiftLeft<4>(v)), hn::Set(d, 0x0F0F0F0FU));
  v = hn::And(hn::Or(v, hn::ShiftLeft<2>(v)), hn::Set(d, 0x33333333U));
  return hn::And(hn::Or(v, hn::ShiftLeft<1>(v)), hn::Set(d, 0x55555555U));
}

template <int D>
HWY_INLINE Words CurveCode(Words (&cell)[D], unsigned bits) {
  const IndexTag d;
  for (std::uint32_t q = 1U << (bits - 1); q > 1; q >>= 1) {
    const auto bit = hn::Set(d, q), below = hn::Set(d, q - 1);
    const auto set = hn::TestBit(cell[0], bit);
    cell[0] = hn::Xor(cell[0], hn::IfThenElseZero(set, below));
    for (int axis = 1; axis < D; ++axis) {
      Turn(cell[0], cell[axis], bit, below);
    }
  }
  for (int axis = 1; axis < D; ++axis) {
    cell[axis] = hn::Xor(cell[axis], cell[axis - 1]);
  }
  auto flips = hn::Zero(d);
  for (std::uint32_t q = 1U << (bits - 1); q > 1; q >>= 1) {
    const auto set = hn::TestBit(cell[D - 1], hn::Set(d, q));
    flips = hn::Xor(flips, hn::IfThenElseZero(set, hn::Set(d, q - 1)));
  }
  auto code = hn::Zero(d);
  for (int axis = 0; axis < D; ++axis) {
    const auto word = hn::Xor(cell[axis], flips);
    if constexpr (D == 3) {
      code = hn::Or(hn::ShiftLeft<1>(code), Spread3(word));
    } else {
      code = hn::Or(hn::ShiftLeft<1>(code), Spread2(word));
    }
  }
  return code;
}

template <int D>
HWY_INLINE void CodesOf(const Aabb<D>* HWY_RESTRICT boxes, std::size_t n, const CodeGrid<D>& grid,
                        std::uint32_t* HWY_RESTRICT codes) {
  const FloatTag d;
  const IndexTag du;
  const hn::RebindToSigned<FloatTag> di;
  const auto scale = hn::Set(d, grid.scale);
  const auto last = hn::Set(di, static_cast<std::int32_t>((1U << grid.bits) - 1));
  ForEachRegister<D>(boxes, n, [&](const Aabb<D>* at, std::size_t i, std::size_t count) HWY_ATTR {
    const BoxLanes<D> box = LoadBoxes(at);
    Words cell[D];
    auto edge = hn::Zero(d);
    for (int axis = 0; axis < D; ++axis) {
      const auto centre = Centre(box.lo[axis], box.hi[axis]);
      const auto place = hn::Mul(hn::Sub(centre, hn::Set(d, grid.origin[axis])), scale);
      cell[axis] = hn::BitCast(du, hn::Min(hn::ConvertTo(di, place), last));
      edge = hn::Max(edge, hn::Sub(box.hi[axis], box.lo[axis]));
    }
    auto size_class = hn::Zero(du);
    for (const float limit : grid.class_edge) {
      const auto larger = hn::RebindMask(du, hn::Gt(edge, hn::Set(d, limit)));
      size_class = hn::Add(size_class, hn::IfThenElseZero(larger, hn::Set(du, 1U << 30)));
    }
    const auto code = hn::Or(CurveCode<D>(cell, grid.bits), size_class);
    if (count == hn::Lanes(d)) {
      hn::StoreU(code, du, codes + i);
    } else {
      std::uint32_t rest[hn::MaxLanes(FloatTag())];
      hn::StoreU(code, du, rest);
      std::copy_n(rest, count, codes + i);
    }
  });
}
void Codes2(const Aabb2* boxes, std::size_t n, const CodeGrid<2>& grid, std::uint32_t* codes) {
  CodesOf<2>(boxes, n, grid, codes);
}
void Codes3(const Aabb3* boxes, std::size_t n, const CodeGrid<3>& grid, std::uint32_t* codes) {
  CodesOf<3>(boxes, n, grid, codes);
}

}  // namespace juxta::order_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::order_detail {

JUXTA_KERNEL(Range2);
JUXTA_KERNEL(Range3);
JUXTA_KERNEL(Codes2);
JUXTA_KERNEL(Codes3);

template <>
CentreRange<2> centre_range(const Aabb2* boxes, std::size_t n) noexcept {
  return JUXTA_CALL_KERNEL(Range2)(boxes, n);
}
template <>
CentreRange<3> centre_range(const Aabb3* boxes, std::size_t n) noexcept {
  return JUXTA_CALL_KERNEL(Range3)(boxes, n);
}
template <>
void box_codes(const Aabb2* boxes, std::size_t n, const CodeGrid<2>& grid, std::uint32_t* codes) noexcept {
  JUXTA_CALL_KERNEL(Codes2)(boxes, n, grid, codes);
}
template <>
void box_codes(const Aabb3* boxes, std::size_t n, const CodeGrid<3>& grid, std::uint32_t* codes) noexcept {
  JUXTA_CALL_KERNEL(Codes3)(boxes, n, grid, codes);
}

template <int D>
CentreRange<D> centre_range_reference(const Aabb<D>* boxes, std::size_t n) noexcept {
  CentreRange<D> range;
  for (std::size_t i = 0; i < n; ++i) {
    for (int axis = 0; axis < D; ++axis) {
      const float lo = boxes[i].lo[axis], hi = boxes[i].hi[axis];
      const float centre = lo * 0.25F + hi * 0.25F + 0.0F;
      range.lo[axis] = std::min(range.lo[axis], centre);
      range.hi[axis] = std::max(range.hi[axis], centre);
      const float largest = std::numeric_limits<float>::max();
      range.sound = range.sound && -largest <= lo && lo <= hi && hi <= largest;
    }
  }
  return range;
}
template CentreRange<2> centre_range_reference(const Aabb2*, std::size_t) noexcept;
template CentreRange<3> centre_range_reference(const Aabb3*, std::size_t) noexcept;

namespace {

// Skilling's turns on one cell; bit by bit, so that it shares nothing with the kernel.
template <int D>
std::uint32_t curve_code(std::uint32_t (&cell)[D], unsigned bits) noexcept {
  for (std::uint32_t q = 1U << (bits - 1); q > 1; q >>= 1) {
    for (int axis = 0; axis < D; ++axis) {
      if ((cell[axis] & q) != 0) {
        cell[0] ^= q - 1;
      } else {
        const std::uint32_t exchanged = (cell[0] ^ cell[axis]) & (q - 1);
        cell[0] ^= exchanged;
        cell[axis] ^= exchanged;
      }
    }
  }
  for (int axis = 1; axis < D; ++axis) {
    cell[axis] ^= cell[axis - 1];
  }
  std::uint32_t flips = 0;
  for (std::uint32_t q = 1U << (bits - 1); q > 1; q >>= 1) {
    flips ^= (cell[D - 1] & q) != 0 ? q - 1 : 0;
  }
  std::uint32_t code = 0;
  for (unsigned bit = bits; bit-- > 0;) {
    for (int axis = 0; axis < D; ++axis) {
      code = code << 1 | ((cell[axis] ^ flips) >> bit & 1);
    }
  }
  return code;
}

}  // namespace

template <int D>
void box_codes_reference(const Aabb<D>* boxes, std::size_t n, const CodeGrid<D>& grid,
                         std::uint32_t* codes) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t cell[D];
    float edge = 0;
    for (int axis = 0; axis < D; ++axis) {
      const float lo = boxes[i].lo[axis], hi = boxes[i].hi[axis];
      const float place = (lo * 0.25F + hi * 0.25F - grid.origin[axis]) * grid.scale;
      cell[axis] = std::min(static_cast<std::uint32_t>(place), (1U << grid.bits) - 1);
      edge = std::max(edge, hi - lo);
    }
    std::uint32_t size_class = 0;
    for (const float limit : grid.class_edge) {
      size_class += edge > limit ? 1U << 30 : 0;
    }
    codes[i] = curve_code(cell, grid.bits) | size_class;
  }
}
template void box_codes_reference(const Aabb2*, std::size_t, const CodeGrid<2>&, std::uint32_t*) noexcept;
template void box_codes_reference(const Aabb3*, std::size_t, const CodeGrid<3>&, std::uint32_t*) noexcept;

}  // namespace juxta::order_detail
#endif  // HWY_ONCE
