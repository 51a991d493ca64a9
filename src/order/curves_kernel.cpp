// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Hilbert codes of cells, a register of them at a time.
//
//   x   | x0 x1 x2 ... | u16        The curve has four orientations. Level by level, from the highest bit,
//   y   | y0 y1 y2 ... | u16        the bits (x, y) of a cell choose how the orientation changes. Changes are
//        \  prefix   /             composable, so all 16 levels are combined in log2(16) = 4 rounds on the
//         4 rounds of              whole words: bit k of (a, b, c, d) is the change from the top down to
//         and, xor, shift          level k.
//   i1  | ............ | u16
//   i0  | ............ | u16        code = the bits of i1 and i0 in turn
//
// Work:         about 70 operations on 16-bit lanes and 16 on 32-bit lanes for each register of points.
// Bytes:        4 read, 4 written per point: memory is the limit for what exceeds the caches.
// Determinism:  bit operations only.
// Source:       the prefix form was published by "rawrunprotected" (threadlocalmutex.com, 2015, public
//               domain); the last points of a block, fewer than a register, run through a padded copy.

#include "order/curves_kernel.h"

#include <algorithm>

#include "order/hilbert2_word.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/order/curves_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::order_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The prefix over levels: what one group of levels does to the axes (a, b) and to the flips (c, d) of the
// levels below it.
template <class V>
struct Change {
  V a, b, c, d;
};

// Joins each group of kLevels levels with the group above it.
template <int kLevels, class V>
HWY_INLINE Change<V> Join(const Change<V>& g) {
  const auto above_a = hn::ShiftRight<kLevels>(g.a), above_b = hn::ShiftRight<kLevels>(g.b);
  const auto above_c = hn::ShiftRight<kLevels>(g.c), above_d = hn::ShiftRight<kLevels>(g.d);
  const auto both = hn::Xor(g.a, g.b);
  return {hn::Xor(hn::And(g.a, above_a), hn::And(g.b, above_b)),
          hn::Xor(hn::And(g.a, above_b), hn::And(g.b, hn::Xor(above_a, above_b))),
          hn::Xor(g.c, hn::Xor(hn::And(g.a, above_c), hn::And(g.b, above_d))),
          hn::Xor(g.d, hn::Xor(hn::And(g.b, above_c), hn::And(both, above_d)))};
}

// Puts a zero bit before each of the 16 bits of a 32-bit lane.
template <class V32>
HWY_INLINE V32 SpreadBits(V32 v) {
  const hn::DFromV<V32> d;
  v = hn::And(hn::Or(v, hn::ShiftLeft<8>(v)), hn::Set(d, 0x00FF00FFU));
  v = hn::And(hn::Or(v, hn::ShiftLeft<4>(v)), hn::Set(d, 0x0F0F0F0FU));
  v = hn::And(hn::Or(v, hn::ShiftLeft<2>(v)), hn::Set(d, 0x33333333U));
  return hn::And(hn::Or(v, hn::ShiftLeft<1>(v)), hn::Set(d, 0x55555555U));
}

template <class D32, class V16>
HWY_INLINE void StoreCodes(D32 d32, V16 high, V16 low, std::uint32_t* HWY_RESTRICT codes) {
  const auto odd = SpreadBits(hn::PromoteTo(d32, high));
  const auto even = SpreadBits(hn::PromoteTo(d32, low));
  hn::StoreU(hn::Or(hn::ShiftLeft<1>(odd), even), d32, codes);
}

HWY_INLINE void Step(const std::uint16_t* HWY_RESTRICT x, const std::uint16_t* HWY_RESTRICT y,
                     std::uint32_t* HWY_RESTRICT codes) {
  const hn::ScalableTag<std::uint16_t> d16;
  const hn::Half<decltype(d16)> half;
  const hn::ScalableTag<std::uint32_t> d32;
  const auto vx = hn::LoadU(d16, x), vy = hn::LoadU(d16, y);

  const auto a = hn::Xor(vx, vy), b = hn::Not(a), c = hn::Not(hn::Or(vx, vy)), d = hn::AndNot(vy, vx);
  const auto c1 = hn::ShiftRight<1>(c), d1 = hn::ShiftRight<1>(d);
  const Change<decltype(a)> pairs{hn::Or(a, hn::ShiftRight<1>(b)), hn::Xor(hn::ShiftRight<1>(a), a),
                                  hn::Xor(hn::Xor(c1, hn::And(b, d1)), c),
                                  hn::Xor(hn::Xor(hn::And(a, c1), d1), d)};
  const auto all = Join<8>(Join<4>(Join<2>(pairs)));  // the compiler drops the unused last a and b

  const auto flip_a = hn::Xor(all.c, hn::ShiftRight<1>(all.c));
  const auto flip_b = hn::Xor(all.d, hn::ShiftRight<1>(all.d));
  const auto high = hn::Or(flip_b, hn::Not(hn::Or(a, flip_a)));
  StoreCodes(d32, hn::LowerHalf(half, high), hn::LowerHalf(half, a), codes);
  StoreCodes(d32, hn::UpperHalf(half, high), hn::UpperHalf(half, a), codes + hn::Lanes(d32));
}

void Hilbert2Block(const std::uint16_t* HWY_RESTRICT x, const std::uint16_t* HWY_RESTRICT y,
                   std::uint32_t* HWY_RESTRICT codes, std::size_t n) {
  const hn::ScalableTag<std::uint16_t> d16;
  constexpr std::size_t kMost = hn::MaxLanes(d16);
  const std::size_t lanes = hn::Lanes(d16);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    Step(x + i, y + i, codes + i);
  }
  if (i < n) {
    HWY_ALIGN std::uint16_t rest_x[kMost] = {}, rest_y[kMost] = {};
    HWY_ALIGN std::uint32_t rest[kMost];
    std::copy(x + i, x + n, rest_x);
    std::copy(y + i, y + n, rest_y);
    Step(rest_x, rest_y, rest);
    std::copy_n(rest, n - i, codes + i);
  }
}

}  // namespace juxta::order_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::order_detail {

JUXTA_KERNEL(Hilbert2Block);
void hilbert2_block(const std::uint16_t* x, const std::uint16_t* y, std::uint32_t* codes,
                    std::size_t n) noexcept {
  JUXTA_CALL_KERNEL(Hilbert2Block)(x, y, codes, n);
}

void hilbert2_block_reference(const std::uint16_t* x, const std::uint16_t* y, std::uint32_t* codes,
                              std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    codes[i] = hilbert2_word(x[i], y[i]);
  }
}

}  // namespace juxta::order_detail
#endif  // HWY_ONCE
