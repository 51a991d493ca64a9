// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: Sieve::passes() for as many rows as a register has lanes, by the same operations.

#if defined(JUXTA_AGENTS_SIEVE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_AGENTS_SIEVE_INL_H
#undef JUXTA_AGENTS_SIEVE_INL_H
#else
#define JUXTA_AGENTS_SIEVE_INL_H
#endif

#include <cstdint>

#include "agents/candidates_kernel.h"
#include "agents/sieve.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::agents_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, kMostSeers>;
using Floats = hn::Vec<Tag>;
constexpr std::uint32_t kAtOnce = static_cast<std::uint32_t>(hn::MaxLanes(Tag()));

/// Which of the rows from `row` on pass, and what brings them to their images.
template <std::uint32_t D, bool across>
HWY_INLINE hn::Mask<Tag> Passes(const Sieve& sieve, const float* const* position, std::uint32_t row,
                                Floats* shift) {
  const Tag d;
  Floats gap[D];
  for (std::uint32_t a = 0; a < D; ++a) {
    Floats x = hn::LoadU(d, position[a] + row);
    if constexpr (across) {
      const Floats off = hn::Sub(x, hn::Set(d, sieve.middle[a]));
      const Floats period = hn::Set(d, sieve.period[a]), half = hn::Set(d, sieve.half[a]);
      shift[a] = hn::IfThenElse(hn::Lt(off, hn::Neg(half)), period, hn::Set(d, -0.0F));
      shift[a] = hn::IfThenElse(hn::Gt(off, half), hn::Neg(period), shift[a]);
      x = hn::Add(x, shift[a]);
    }
    const Floats inside = hn::Min(hn::Max(x, hn::Set(d, sieve.lo[a])), hn::Set(d, sieve.hi[a]));
    gap[a] = hn::Sub(x, inside);
  }
  if (sieve.round) {
    Floats square = hn::Mul(gap[0], gap[0]);
    for (std::uint32_t a = 1; a < D; ++a) {
      square = hn::Add(square, hn::Mul(gap[a], gap[a]));
    }
    return hn::Le(square, hn::Set(d, sieve.reach2));
  }
  auto inside = hn::Le(hn::Abs(gap[0]), hn::Set(d, sieve.on[0]));
  for (std::uint32_t a = 1; a < D; ++a) {
    inside = hn::And(inside, hn::Le(hn::Abs(gap[a]), hn::Set(d, sieve.on[a])));
  }
  return inside;
}

}  // namespace juxta::agents_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
