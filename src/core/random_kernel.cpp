// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Philox4x32-10, a block for each of a run of ids (Salmon and others, SC11).
//
//   a 64-bit lane is a block; of each register c0 .. c3 the low halves count, the high ones are left over:
//       p0 = M0 * low(c0)     c0 = high(p1) ^ c1 ^ k0     c1 = p1
//       p1 = M1 * low(c2)     c2 = high(p0) ^ c3 ^ k1     c3 = p0          ten times, other keys each time
//   A multiplication of low halves to 64 bits is one instruction, so that nothing is shuffled on the way.
//
// Per block and round: 2 multiplications, 2 shifts, 4 exclusive ors, for 8 blocks of a register of 512 bits;
// 16 bytes are written at the end. Limit: the ports that multiply. One round waits 7 cycles for the one
// before, so that several registers go side by side. Integers: the same bits everywhere.

#include "core/random_kernel.h"

#include <cstring>

#include "core/philox.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/core/random_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "core/simd/philox-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::core_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<std::uint64_t, 8>;
using Vec = hn::Vec<Tag>;
constexpr std::size_t kLanes = hn::MaxLanes(Tag());

/// `registers` * kLanes blocks, from id `first` on.
template <std::size_t registers>
HWY_INLINE void Blocks(const PhiloxKeys<Tag>& keys, std::uint64_t first, std::uint64_t* out) {
  const Tag d;
  Vec c0[registers], c1[registers], c2[registers], c3[registers];
  for (std::size_t r = 0; r < registers; ++r) {
    c0[r] = hn::Iota(d, first + r * kLanes);
    c1[r] = hn::ShiftRight<32>(c0[r]);
  }
  PhiloxRounds<registers>(d, keys, c0, c1, c2, c3);
  const auto low = hn::Set(d, 0xFFFF'FFFF);
  for (std::size_t r = 0; r < registers; ++r) {
    const auto a = hn::Or(hn::And(c0[r], low), hn::ShiftLeft<32>(c1[r]));
    const auto b = hn::Or(hn::And(c2[r], low), hn::ShiftLeft<32>(c3[r]));
    hn::StoreInterleaved2(a, b, d, out + r * 2 * kLanes);
  }
}

void PhiloxBlocks(const RandomKey& key, std::uint64_t first_id, std::array<std::uint32_t, 4>* out,
                  std::size_t count) {
  constexpr std::size_t kWide = 4 * kLanes;
  const PhiloxKeys<Tag> keys(key);
  std::size_t done = 0;
  for (; done + kWide <= count; done += kWide) {
    Blocks<4>(keys, first_id + done, reinterpret_cast<std::uint64_t*>(out + done));
  }
  for (; done < count; done += kLanes) {
    std::uint64_t words[2 * kLanes];
    Blocks<1>(keys, first_id + done, words);
    std::memcpy(out + done, words, (count - done < kLanes ? count - done : kLanes) * sizeof *out);
  }
}

/// The top 24 bits of the low halves, as parts of 1.
HWY_INLINE void StoreFractions(Vec words, float* out) {
  const Tag d;
  const hn::Rebind<std::uint32_t, Tag> narrow;
  const hn::Rebind<std::int32_t, Tag> whole;
  const hn::Rebind<float, Tag> real;
  const auto low = hn::ShiftRight<8>(hn::And(words, hn::Set(d, 0xFFFF'FFFF)));
  const auto numbers = hn::ConvertTo(real, hn::BitCast(whole, hn::TruncateTo(narrow, low)));
  hn::StoreU(hn::Mul(numbers, hn::Set(real, 0x1p-24F)), real, out);
}

/// `registers` * kLanes ids; words 0 to `columns` - 1 of each.
template <std::size_t registers>
HWY_INLINE void Fractions(const PhiloxKeys<Tag>& keys, const std::uint64_t* ids, float* const* out,
                          std::size_t at, std::size_t columns) {
  const Tag d;
  Vec c0[registers], c1[registers], c2[registers], c3[registers];
  for (std::size_t r = 0; r < registers; ++r) {
    c0[r] = hn::LoadU(d, ids + r * kLanes);
    c1[r] = hn::ShiftRight<32>(c0[r]);
  }
  PhiloxRounds<registers>(d, keys, c0, c1, c2, c3);
  const Vec* const words[] = {c0, c1, c2, c3};
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t r = 0; r < registers; ++r) {
      StoreFractions(words[c][r], out[c] + at + r * kLanes);
    }
  }
}

void PhiloxFractions(const RandomKey& key, const std::uint64_t* ids, std::size_t count, float* const* out,
                     std::size_t columns) {
  constexpr std::size_t kWide = 4 * kLanes;
  const PhiloxKeys<Tag> keys(key);
  std::size_t done = 0;
  for (; done + kWide <= count; done += kWide) {
    Fractions<4>(keys, ids + done, out, done, columns);
  }
  for (; done < count; done += kLanes) {
    const std::size_t left = count - done < kLanes ? count - done : kLanes;
    std::uint64_t last[kLanes] = {};
    float numbers[4][kLanes];
    float* const to[] = {numbers[0], numbers[1], numbers[2], numbers[3]};
    std::memcpy(last, ids + done, left * sizeof *ids);
    Fractions<1>(keys, last, to, 0, columns);
    for (std::size_t c = 0; c < columns; ++c) {
      std::memcpy(out[c] + done, numbers[c], left * sizeof(float));
    }
  }
}

}  // namespace juxta::core_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::core_detail {

JUXTA_KERNEL(PhiloxBlocks);

void philox_blocks(const RandomKey& key, std::uint64_t first_id,
                   std::span<std::array<std::uint32_t, 4>> out) noexcept {
  JUXTA_CALL_KERNEL(PhiloxBlocks)(key, first_id, out.data(), out.size());
}

JUXTA_KERNEL(PhiloxFractions);

void philox_fractions(const RandomKey& key, std::span<const std::uint64_t> ids,
                      std::span<float* const> out) noexcept {
  JUXTA_CALL_KERNEL(PhiloxFractions)(key, ids.data(), ids.size(), out.data(), out.size());
}

void philox_blocks_plain(const RandomKey& key, std::uint64_t first_id,
                         std::span<std::array<std::uint32_t, 4>> out) noexcept {
  const r123::Philox4x32::key_type words{
      {static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32)}};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t id = first_id + i;
    const auto block = r123::Philox4x32()(
        {{static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(id >> 32), key.step, key.purpose}},
        words);
    out[i] = {block[0], block[1], block[2], block[3]};
  }
}

}  // namespace juxta::core_detail
#endif  // HWY_ONCE
