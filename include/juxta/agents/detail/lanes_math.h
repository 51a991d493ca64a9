// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: exp, log, sin and cos of one register of floats.
//
// Each is a range reduction and a polynomial, in one fixed order of IEEE operations, none of them fused: the
// same bits on every machine. The polynomials are minimax ones (relative error), found by Remez's algorithm
// in 160 bits for the reduced ranges below and rounded to floats. The number behind each is what the rounded
// one would err by if everything else were exact. tests/agents/lanes_math_test.cpp measures the whole error.
#pragma once

#include <cstdint>

#include "juxta/agents/detail/lanes_doubles.h"
#include "juxta/agents/detail/lanes_parts.h"

namespace juxta::agents_detail {
inline namespace JUXTA_LANES_NAMESPACE {

using BitsPart = std::uint32_t __attribute__((vector_size(4 * kPartLanes)));

/// A number whose last bit counts ones: x + kToWhole has round(x) in its low bits, for |x| < 2^22.
inline constexpr float kToWhole = 0x1.8p23F;
inline constexpr float kPartInfinity = __builtin_inff(), kPartNan = __builtin_nanf("");

/// The same number in all lanes, -0 too: 0 + -0 would be 0.
JUXTA_LANES_INLINE FloatPart in_all_lanes(float a) noexcept {
  return a - FloatPart{};
}
/// A product that no sum is fused with.
JUXTA_LANES_INLINE FloatPart times(const FloatPart& a, const FloatPart& b) noexcept {
  FloatPart c = a * b;
  JUXTA_LANES_FENCE(c);
  return c;
}
JUXTA_LANES_INLINE FloatPart times(const FloatPart& a, float b) noexcept {
  return times(a, in_all_lanes(b));
}
/// Horner's rule: first + x * (second + x * (...)).
template <class V, class T>
JUXTA_LANES_INLINE V polynomial(const V& /*x*/, T last) noexcept {
  return last + V{};
}
template <class V, class T, class... More>
JUXTA_LANES_INLINE V polynomial(const V& x, T first, More... more) noexcept {
  return first + times(x, polynomial(x, more...));
}
JUXTA_LANES_INLINE FloatPart magnitude(const FloatPart& a) noexcept {
  return (FloatPart)((BitsPart)a & 0x7fffffffU);
}
/// 2^k for -126 <= k <= 127.
JUXTA_LANES_INLINE FloatPart power_of_two(const MaskPart& k) noexcept {
  return (FloatPart)((BitsPart)(k + 127) << 23);
}

/// e^x = 2^n * e^r, n = round(x / ln 2): |r| <= 0.35. Where x is NaN, n is any number and r NaN.
JUXTA_LANES_INLINE FloatPart exp_part(const FloatPart& any) noexcept {
  FloatPart x = any > 89.0F ? in_all_lanes(89) : any;  // +infinity already
  x = x < -104.0F ? in_all_lanes(-104) : x;            // 0 already
  const FloatPart shifted = times(x, 0x1.715476p+0F) + kToWhole;
  const FloatPart n = shifted - kToWhole;
  // ln 2 in two pieces: the first has 15 bits, so that n times it is exact.
  const FloatPart r = (x - times(n, 0x1.62e4p-1F)) - times(n, 0x1.7f7d1cp-20F);
  // (e^r - 1 - r) / r^2: 2^-28
  const FloatPart p = polynomial(r, 0x1.fffffcp-2F, 0x1.55548ep-3F, 0x1.555904p-5F, 0x1.123ccap-7F,  //
                                 0x1.6a1f62p-10F);
  const FloatPart y = 1.0F + (r + times(times(r, r), p));
  // Two steps, because 2^n may be no float where the product is one. Only the last one can round.
  const MaskPart k = (MaskPart)((BitsPart)shifted - 0x4b400000U);
  const MaskPart half = k >> 1;
  return times(times(y, power_of_two(half)), power_of_two(k - half));
}

/// log x = e * ln 2 + log(1 + f), x = 2^e * (1 + f), sqrt(1/2) <= 1 + f < sqrt(2).
JUXTA_LANES_INLINE FloatPart log_part(const FloatPart& x) noexcept {
  constexpr std::uint32_t kRootOfHalf = 0x3f3504f3;
  const MaskPart denormal = x < 0x1p-126F;
  const BitsPart bits = (BitsPart)(denormal ? times(x, 0x1p23F) : x) - kRootOfHalf;
  FloatPart e = __builtin_convertvector((MaskPart)bits >> 23, FloatPart);
  e = denormal ? e - 23.0F : e;
  const FloatPart f = (FloatPart)((bits & 0x007fffffU) + kRootOfHalf) - 1.0F;
  const FloatPart f2 = times(f, f);
  // (log(1 + f) - f + f^2 / 2) / f^3: 2^-27
  const FloatPart p =
      times(times(f, f2), polynomial(f, 0x1.555554p-2F, -0x1.000226p-2F, 0x1.99a008p-3F, -0x1.547244p-3F,
                                     0x1.22da18p-3F, -0x1.0d8546p-3F, 0x1.055b8ap-3F, -0x1.38b5b6p-4F));
  // ln 2 in two pieces again. Small terms first.
  const FloatPart small = p + times(e, 0x1.7f7d1cp-20F);
  FloatPart y = times(e, 0x1.62e4p-1F) + (f - (times(f2, 0.5F) - small));
  y = x < kPartInfinity ? y : x;  // also of NaN
  y = x == 0.0F ? in_all_lanes(-kPartInfinity) : y;
  return x < 0.0F ? in_all_lanes(kPartNan) : y;
}

/// An angle as a number of quarter turns and a rest, |rest| < 0.797, and what is needed of both.
struct TurnedPart {
  FloatPart sine, cosine;  // of the rest
  BitsPart quarters;       // of which the last two bits count
  MaskPart odd;
};

/// What is left of x, less n quarter turns. In doubles: near a multiple of a quarter turn the rest is as
/// small as 1e-9, and it must be right to the last bit.
JUXTA_LANES_INLINE DoublePart rest_of_turn(const DoublePart& x, const DoublePart& n) noexcept {
  // pi / 2 in two pieces: the first has 31 bits, so that n times it is exact.
  return (x - times(n, 0x1.921fb544p+0 + DoublePart{})) - times(n, 0x1.0b4611a626331p-34 + DoublePart{});
}

/// For 0 <= x <= 100000.
JUXTA_LANES_INLINE TurnedPart turned(const FloatPart& x) noexcept {
  const FloatPart shifted = times(x, 0x1.45f306p-1F) + kToWhole;
  const FloatPart n = shifted - kToWhole;
  const FloatPart r =
      to_floats(rest_of_turn(low_doubles(x), low_doubles(n)), rest_of_turn(high_doubles(x), high_doubles(n)));
  const FloatPart z = times(r, r);
  // (sin r - r) / r^3: 2^-27, and (cos r - 1 + r^2 / 2) / r^4: 2^-32
  const FloatPart s = polynomial(z, -0x1.555544p-3F, 0x1.1106a2p-7F, -0x1.990fe0p-13F);
  const FloatPart c = polynomial(z, 0x1.55554ap-5F, -0x1.6c0b8ep-10F, 0x1.99bc10p-16F);
  // 1 - z / 2 with what its rounding loses.
  const FloatPart half = times(z, 0.5F), rounded = 1.0F - half;
  const FloatPart lost = (1.0F - rounded) - half;
  const BitsPart quarters = (BitsPart)shifted;
  return {r + times(times(r, z), s), rounded + (lost + times(times(z, z), c)), quarters,
          (MaskPart)((quarters & 1U) != 0U)};
}
/// NaN beyond the range, of NaN too.
JUXTA_LANES_INLINE FloatPart in_range_of_turns(const FloatPart& magnitude, const FloatPart& y) noexcept {
  return magnitude <= 100000.0F ? y : in_all_lanes(kPartNan);
}

JUXTA_LANES_INLINE FloatPart sin_part(const FloatPart& x) noexcept {
  const FloatPart ahead = magnitude(x);
  const TurnedPart turn = turned(ahead);
  const BitsPart sign = ((turn.quarters & 2U) << 30) ^ ((BitsPart)x & 0x80000000U);
  const BitsPart y = (BitsPart)(turn.odd ? turn.cosine : turn.sine) ^ sign;
  return in_range_of_turns(ahead, (FloatPart)y);
}

JUXTA_LANES_INLINE FloatPart cos_part(const FloatPart& x) noexcept {
  const FloatPart ahead = magnitude(x);
  const TurnedPart turn = turned(ahead);
  const BitsPart sign = ((turn.quarters + 1U) & 2U) << 30;
  const BitsPart y = (BitsPart)(turn.odd ? turn.sine : turn.cosine) ^ sign;
  return in_range_of_turns(ahead, (FloatPart)y);
}

}  // namespace JUXTA_LANES_NAMESPACE
}  // namespace juxta::agents_detail
