// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: pairs out of masks, without a branch on how many there are. For pair_kernel.cpp only.

#if defined(JUXTA_LAYER_PAIR_WRITE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_LAYER_PAIR_WRITE_INL_H
#undef JUXTA_LAYER_PAIR_WRITE_INL_H
#else
#define JUXTA_LAYER_PAIR_WRITE_INL_H
#endif

#include "hwy/highway.h"
#include "juxta/layer/find_pairs.h"
#include "layer/descend-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::detail::HWY_NAMESPACE {

#if HWY_TARGET <= HWY_AVX3
/// Writes up to 16 pairs: eight in a register, and more only where there are more, which is rare.
template <bool kOneLayer>
HWY_INLINE void StorePairs(Words own, Words other, std::uint32_t count, bool swapped,
                           Pair* HWY_RESTRICT out) {
  const hn::Half<WordTag> half;
  const hn::ScalableTag<std::uint64_t> d64;
  const auto first = kOneLayer ? hn::Min(own, other) : swapped ? other : own;
  const auto second = kOneLayer ? hn::Max(own, other) : swapped ? own : other;
  const auto write = [&](auto a, auto b, Pair* to) HWY_ATTR {
    const auto pairs = hn::Or(hn::PromoteTo(d64, a), hn::ShiftLeft<32>(hn::PromoteTo(d64, b)));
    hn::StoreU(pairs, d64, reinterpret_cast<std::uint64_t*>(to));
  };
  write(hn::LowerHalf(half, first), hn::LowerHalf(half, second), out);
  if (HWY_UNLIKELY(count > kBlockLanes / 2)) {
    write(hn::UpperHalf(half, first), hn::UpperHalf(half, second), out + kBlockLanes / 2);
  }
}
#endif

/// Appends {own, others[i]} for each bit i, in order of i.
template <bool kOneLayer>
HWY_INLINE Pair* WriteRow(std::uint32_t own, const std::uint32_t* HWY_RESTRICT others, std::uint32_t bits,
                          bool swapped, Pair* HWY_RESTRICT out) {
#if HWY_TARGET <= HWY_AVX3
  const WordTag d;
  const std::uint32_t count = Count(bits);
  const auto other = hn::Compress(hn::Load(d, others), MaskOf(bits));
  StorePairs<kOneLayer>(hn::Set(d, own), other, count, swapped, out);
  return out + count;
#else
  for (; bits != 0; bits &= bits - 1) {
    const std::uint32_t other = others[LowestBit(bits)];
    if (kOneLayer) {
      *out++ = {HWY_MIN(own, other), HWY_MAX(own, other)};
    } else {
      *out++ = swapped ? Pair{other, own} : Pair{own, other};
    }
  }
  return out;
#endif
}

/// Appends {bodies[i], bodies[i + shift]} for each bit i, the lower first.
HWY_INLINE Pair* WriteShifted(const std::uint32_t* HWY_RESTRICT bodies, std::uint32_t shift,
                              std::uint32_t bits, Pair* HWY_RESTRICT out) {
#if HWY_TARGET <= HWY_AVX3
  const WordTag d;
  const std::uint32_t count = Count(bits);
  const auto mask = MaskOf(bits);
  StorePairs<true>(hn::Compress(hn::Load(d, bodies), mask), hn::Compress(hn::LoadU(d, bodies + shift), mask),
                   count, false, out);
  return out + count;
#else
  for (; bits != 0; bits &= bits - 1) {
    const std::uint32_t i = LowestBit(bits);
    const std::uint32_t a = bodies[i], b = bodies[i + shift];
    *out++ = {HWY_MIN(a, b), HWY_MAX(a, b)};
  }
  return out;
#endif
}

/// Fills 16 entries, of which the caller keeps `count`.
HWY_INLINE void Repeat(std::uint32_t value, std::uint32_t count, std::uint32_t* HWY_RESTRICT out) {
#if HWY_TARGET <= HWY_AVX3
  (void)count;
  hn::StoreU(hn::Set(WordTag(), value), WordTag(), out);
#else
  for (std::uint32_t i = 0; i < count; ++i) {
    out[i] = value;
  }
#endif
}

}  // namespace juxta::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
