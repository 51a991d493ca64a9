// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: half a register of floats as a register of doubles, for steps that need more digits.
#pragma once

#include <cstdint>

#include "juxta/agents/detail/lanes_parts.h"

namespace juxta::agents_detail {
inline namespace JUXTA_LANES_NAMESPACE {

using HalfPart = float __attribute__((vector_size(2 * kPartLanes)));
using DoublePart = double __attribute__((vector_size(4 * kPartLanes)));
using Bits64Part = std::uint64_t __attribute__((vector_size(4 * kPartLanes)));

/// A product that no sum is fused with.
JUXTA_LANES_INLINE DoublePart times(const DoublePart& a, const DoublePart& b) noexcept {
  DoublePart c = a * b;
  JUXTA_LANES_FENCE(c);
  return c;
}

#if JUXTA_LANES_PART == 4
#define JUXTA_LANES_LOW 0, 1
#define JUXTA_LANES_HIGH 2, 3
#elif JUXTA_LANES_PART == 8
#define JUXTA_LANES_LOW 0, 1, 2, 3
#define JUXTA_LANES_HIGH 4, 5, 6, 7
#else
#define JUXTA_LANES_LOW 0, 1, 2, 3, 4, 5, 6, 7
#define JUXTA_LANES_HIGH 8, 9, 10, 11, 12, 13, 14, 15
#endif
/// The first and the second half of a register.
JUXTA_LANES_INLINE DoublePart low_doubles(const FloatPart& a) noexcept {
  return __builtin_convertvector(__builtin_shufflevector(a, a, JUXTA_LANES_LOW), DoublePart);
}
JUXTA_LANES_INLINE DoublePart high_doubles(const FloatPart& a) noexcept {
  return __builtin_convertvector(__builtin_shufflevector(a, a, JUXTA_LANES_HIGH), DoublePart);
}
/// Both halves, rounded to floats.
JUXTA_LANES_INLINE FloatPart to_floats(const DoublePart& low, const DoublePart& high) noexcept {
  return __builtin_shufflevector(__builtin_convertvector(low, HalfPart),
                                 __builtin_convertvector(high, HalfPart), JUXTA_LANES_LOW, JUXTA_LANES_HIGH);
}
#undef JUXTA_LANES_LOW
#undef JUXTA_LANES_HIGH

}  // namespace JUXTA_LANES_NAMESPACE
}  // namespace juxta::agents_detail
