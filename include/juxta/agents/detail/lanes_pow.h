// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: pow of one register of floats, as 2^(y * log2 x) in doubles: an error of the logarithm is
// multiplied by up to 128, so floats would not do.
//
// Both polynomials are minimax ones (relative error), found by Remez's algorithm in 160 bits. They err by
// less than 2^-34 together, and a float by 2^-24. So nearly all results are the float nearest to the exact
// one, and powers that are floats come out exact.
#pragma once

#include <cstdint>

#include "juxta/agents/detail/lanes_doubles.h"
#include "juxta/agents/detail/lanes_math.h"
#include "juxta/agents/detail/lanes_parts.h"

namespace juxta::agents_detail {
inline namespace JUXTA_LANES_NAMESPACE {

/// The binary logarithm of x >= 0. Floats that are denormal are not so as doubles.
JUXTA_LANES_INLINE DoublePart log2_of(const DoublePart& x) noexcept {
  constexpr std::uint64_t kRootOfHalf = 0x3fe6a09e667f3bcd, kOne = 0x3ff0000000000000;
  // x = 2^e * m, sqrt(1/2) <= m < sqrt(2)
  const Bits64Part bits = (Bits64Part)x + (kOne - kRootOfHalf);
  const DoublePart e = (DoublePart)((bits >> 52) | 0x4330000000000000U) - (0x1p52 + 1023);
  const DoublePart m = (DoublePart)((bits & 0x000fffffffffffffU) + kRootOfHalf);
  const DoublePart s = (m - 1.0) / (m + 1.0);
  // log2((1 + s) / (1 - s)) / s in s^2: 2^-45
  const DoublePart p =
      polynomial(times(s, s), 0x1.71547652b8251p+1, 0x1.ec709dc53c677p-1, 0x1.2776c2933e4a3p-1,
                 0x1.a61a2ec9ea42fp-2, 0x1.47955631a3c02p-2, 0x1.21b0ea9a86b65p-2);
  DoublePart y = e + times(s, p);
  y = x < static_cast<double>(kPartInfinity) ? y : x;  // also of NaN
  return x == 0.0 ? DoublePart{} - static_cast<double>(kPartInfinity) : y;
}

/// 2^x, of which a float keeps what it can.
JUXTA_LANES_INLINE DoublePart exp2_of(const DoublePart& any) noexcept {
  DoublePart x = any > 200.0 ? 200.0 + DoublePart{} : any;  // +infinity as a float
  x = x < -200.0 ? -200.0 + DoublePart{} : x;               // 0 as a float
  const DoublePart shifted = x + 0x1.8p52;
  const DoublePart r = x - (shifted - 0x1.8p52);
  // 2^r, |r| <= 0.5: 2^-34
  const DoublePart y =
      polynomial(r, 0x1.ffffffffab9adp-1, 0x1.62e42ff116c04p-1, 0x1.ebfbe0a4f30d5p-3, 0x1.c6b08aae55e97p-5,
                 0x1.3b29dc145539cp-7, 0x1.5d8a71094f257p-10, 0x1.446a43d6e6de2p-13, 0x1.fe17560858d7ep-17);
  const DoublePart scaled = (DoublePart)((Bits64Part)y + ((Bits64Part)shifted << 52));
  return x == x ? scaled : x;
}

/// The lanes of whole numbers, infinities among them.
JUXTA_LANES_INLINE MaskPart is_whole(const FloatPart& x) noexcept {
  const FloatPart a = magnitude(x);
  return (a >= 0x1p23F) | ((a + 0x1p23F) - 0x1p23F == a);
}

JUXTA_LANES_INLINE FloatPart pow_part(const FloatPart& x, const FloatPart& y) noexcept {
  const FloatPart a = magnitude(x);
  FloatPart power = to_floats(exp2_of(times(low_doubles(y), log2_of(low_doubles(a)))),
                              exp2_of(times(high_doubles(y), log2_of(high_doubles(a)))));
  power = ((a == 1.0F) | (y == 0.0F)) ? in_all_lanes(1) : power;  // even if the other one is NaN
  // Of a negative number there are whole powers only, and odd ones are negative.
  const MaskPart whole = is_whole(y), odd = whole & ~is_whole(times(y, 0.5F));
  power = (FloatPart)((BitsPart)power ^ ((BitsPart)x & (BitsPart)odd & 0x80000000U));
  const MaskPart none = (x < 0.0F) & (x > -kPartInfinity) & ~whole;
  return none ? in_all_lanes(kPartNan) : power;
}

}  // namespace JUXTA_LANES_NAMESPACE
}  // namespace juxta::agents_detail
