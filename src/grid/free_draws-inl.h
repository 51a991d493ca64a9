// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: which drawn cell is free. For kernel files only.
//
// The first three blocks draw four cells each, one by one. Where most cells are taken that is seldom enough:
// then a block a lane, sixteen draws in little more than the time of one block, and eight of them tested
// without a branch.

#if defined(JUXTA_GRID_FREE_DRAWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_GRID_FREE_DRAWS_INL_H
#undef JUXTA_GRID_FREE_DRAWS_INL_H
#else
#define JUXTA_GRID_FREE_DRAWS_INL_H
#endif

#include <cstddef>
#include <cstdint>

#include "core/simd/philox-inl.h"
#include "grid/space_kernel.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::grid_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DrawTag = hn::CappedTag<std::uint64_t, 4>;
inline constexpr std::uint64_t kRoundsFirst = 3;
using DrawKeys = core_detail::HWY_NAMESPACE::PhiloxKeys<DrawTag>;

/// As draw_free() says, for those whose first blocks drew no free cell: sixteen draws at once.
HWY_NOINLINE std::uint32_t DrawMore(const RandomKey& key, std::uint32_t id, std::uint32_t cells,
                                    const std::uint64_t* taken) {
  constexpr std::size_t kLanes = hn::MaxLanes(DrawTag());
  const DrawTag d;
  const hn::Repartition<std::uint32_t, DrawTag> halves;
  const auto count = hn::BitCast(halves, hn::Set(d, cells));
  const auto first = hn::Iota(d, 0);
  const DrawKeys keys(key);
  for (std::uint64_t round = 0; round < kDrawRounds; round += kLanes) {
    hn::Vec<DrawTag> words[4] = {hn::Set(d, id), hn::Add(first, hn::Set(d, round))};
    core_detail::HWY_NAMESPACE::PhiloxRounds<1>(d, keys, &words[0], &words[1], &words[2], &words[3]);
    HWY_ALIGN std::uint64_t cell_of[4][kLanes];
    for (std::size_t k = 0; k < 4; ++k) {
      hn::Store(hn::ShiftRight<32>(hn::MulEven(hn::BitCast(halves, words[k]), count)), d, cell_of[k]);
    }
    // In halves of two blocks, as a number of eight bits: what is branched on is nearly always the same.
    for (std::size_t half = 0; half < kLanes; half += 2) {
      std::uint32_t free = 0;
      for (std::size_t i = 0; i < 8; ++i) {
        const std::uint64_t cell = cell_of[i % 4][half + i / 4];
        free |= static_cast<std::uint32_t>(~taken[cell / 64] >> cell % 64 & 1) << i;
      }
      if (HWY_LIKELY(free != 0)) {
        const std::size_t i = hwy::Num0BitsBelowLS1Bit_Nonzero32(free);
        return static_cast<std::uint32_t>(cell_of[i % 4][half + i / 4]);
      }
    }
  }
  return kAllTaken;
}

/// As draw_free() says.
HWY_INLINE std::uint32_t DrawFreeCell(const RandomKey& key, std::uint32_t id, std::uint32_t cells,
                                      const std::uint64_t* taken) {
  for (std::uint64_t round = 0; round < kRoundsFirst; ++round) {
    for (const std::uint32_t word : random_block(key, round << 32 | id)) {
      const std::uint32_t cell = random_below(word, cells);
      if ((taken[cell / 64] >> cell % 64 & 1) == 0) {
        return cell;
      }
    }
  }
  return DrawMore(key, id, cells, taken);
}

}  // namespace juxta::grid_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
