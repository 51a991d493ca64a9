// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: Philox4x32-10 in registers, a block a 64-bit lane. random_kernel.cpp says how it goes.

#if defined(JUXTA_CORE_PHILOX_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_CORE_PHILOX_INL_H
#undef JUXTA_CORE_PHILOX_INL_H
#else
#define JUXTA_CORE_PHILOX_INL_H
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "juxta/core/random.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::core_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What a key adds in each round, and the words of the counter that it sets: made once for many blocks.
template <class Tag>
struct PhiloxKeys {
  explicit PhiloxKeys(const RandomKey& key)
      : step(hn::Set(Tag(), key.step)), purpose(hn::Set(Tag(), key.purpose)) {
    auto low = static_cast<std::uint32_t>(key.seed), high = static_cast<std::uint32_t>(key.seed >> 32);
    for (int round = 0; round < 10; ++round) {
      k0[round] = hn::Set(Tag(), low);
      k1[round] = hn::Set(Tag(), high);
      low += 0x9E37'79B9;
      high += 0xBB67'AE85;
    }
  }
  hn::Vec<Tag> step, purpose, k0[10], k1[10];
};

/// `registers` times as many blocks as `Tag` has lanes. Before: c0 and c1 are the halves of the counters.
/// After: word k of each block is the low half of ck.
template <std::size_t registers, class Tag, class Vec = hn::Vec<Tag>>
HWY_INLINE void PhiloxRounds(Tag d, const PhiloxKeys<Tag>& keys, Vec* c0, Vec* c1, Vec* c2, Vec* c3) {
  const hn::Repartition<std::uint32_t, Tag> halves;
  const auto m0 = hn::BitCast(halves, hn::Set(d, 0xD251'1F53)),
             m1 = hn::BitCast(halves, hn::Set(d, 0xCD9E'8D57));
  for (std::size_t r = 0; r < registers; ++r) {
    c2[r] = keys.step;
    c3[r] = keys.purpose;
  }
  for (int round = 0; round < 10; ++round) {
    for (std::size_t r = 0; r < registers; ++r) {
      const auto p0 = hn::MulEven(m0, hn::BitCast(halves, c0[r])),
                 p1 = hn::MulEven(m1, hn::BitCast(halves, c2[r]));
      c0[r] = hn::Xor3(hn::ShiftRight<32>(p1), c1[r], keys.k0[round]);
      c1[r] = p1;
      c2[r] = hn::Xor3(hn::ShiftRight<32>(p0), c3[r], keys.k1[round]);
      c3[r] = p0;
    }
  }
}

}  // namespace juxta::core_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
