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
namespace juxta::layer_detail::HWY_NAMESPACE {

/// Writes a register of pairs; of 16, eight unless there are more, which is rare.
HWY_INLINE void StorePairs(Words first, Words second, std::uint32_t count, Pair* HWY_RESTRICT out) {
#if HWY_TARGET <= HWY_AVX3
  const hn::Half<WordTag> half;
  const hn::ScalableTag<std::uint64_t> d64;
  const auto write = [&](auto a, auto b, Pair* to) HWY_ATTR {
    const auto pairs = hn::Or(hn::PromoteTo(d64, a), hn::ShiftLeft<32>(hn::PromoteTo(d64, b)));
    hn::StoreU(pairs, d64, reinterpret_cast<std::uint64_t*>(to));
  };
  write(hn::LowerHalf(half, first), hn::LowerHalf(half, second), out);
  if (HWY_UNLIKELY(count > kBlockLanes / 2)) {
    write(hn::UpperHalf(half, first), hn::UpperHalf(half, second), out + kBlockLanes / 2);
  }
#else
  (void)count;
  hn::StoreInterleaved2(first, second, WordTag(), &out->a);
#endif
}

/// Appends {own, others[i]} for each bit i, in order of i; in one layer the lower first, of two {others[i],
/// own} where `swapped` is all ones and not 0.
template <bool kOneLayer>
HWY_INLINE Pair* WriteRow(std::uint32_t own, const std::uint32_t* HWY_RESTRICT others, std::uint32_t bits,
                          std::uint32_t swapped, Pair* HWY_RESTRICT out) {
  const WordTag d;
  const auto owns = hn::Set(d, own);
  const auto swap = hn::MaskFromVec(hn::Set(d, swapped));
  for (std::uint32_t part = 0; part < kBlockLanes / kStep; ++part) {
    const std::uint32_t in_part = BitsOfPart(bits, part), count = Count(in_part);
    const auto other = Pack(hn::Load(d, others + part * kStep), in_part);
    if constexpr (kOneLayer) {
      StorePairs(hn::Min(owns, other), hn::Max(owns, other), count, out);
    } else {
      StorePairs(hn::IfThenElse(swap, other, owns), hn::IfThenElse(swap, owns, other), count, out);
    }
    out += count;
  }
  return out;
}

/// Appends {bodies[i], bodies[i + shift]} for each bit i, the lower first.
HWY_INLINE Pair* WriteShifted(const std::uint32_t* HWY_RESTRICT bodies, std::uint32_t shift,
                              std::uint32_t bits, Pair* HWY_RESTRICT out) {
  const WordTag d;
  for (std::uint32_t part = 0; part < kBlockLanes / kStep; ++part) {
    const std::uint32_t in_part = BitsOfPart(bits, part), count = Count(in_part);
    const std::uint32_t* from = bodies + part * kStep;
    const auto one = Pack(hn::Load(d, from), in_part), other = Pack(hn::LoadU(d, from + shift), in_part);
    StorePairs(hn::Min(one, other), hn::Max(one, other), count, out);
    out += count;
  }
  return out;
}

/// Fills 16 entries.
HWY_INLINE void Repeat(std::uint32_t value, std::uint32_t* HWY_RESTRICT out) {
  const WordTag d;
  for (std::uint32_t part = 0; part < kBlockLanes / kStep; ++part) {
    hn::StoreU(hn::Set(d, value), d, out + part * kStep);
  }
}

}  // namespace juxta::layer_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
