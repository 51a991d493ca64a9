// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: what the kernels of bulk calls share. For kernel files only.

#if defined(JUXTA_TRANSFORM_BULK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_TRANSFORM_BULK_INL_H
#undef JUXTA_TRANSFORM_BULK_INL_H
#else
#define JUXTA_TRANSFORM_BULK_INL_H
#endif

#include <cstddef>
#include <cstdint>

#include "core/prefetch.h"
#include "hwy/highway.h"
#include "transform/tile.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::transform_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr std::size_t kLocalFloats = sizeof(LocalTransform) / sizeof(float);

/// Processors ask for what follows in memory themselves, but stop at each page of 4 KiB.
inline constexpr std::size_t kStreamAhead = 2048;
HWY_INLINE void AskForLines(const void* at, std::size_t ahead, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(at) + ahead;  // where nothing need be
  for (std::size_t n = 0; n < bytes; n += 64) {
    core_detail::prefetch_line(
        reinterpret_cast<const void*>(begin + n));  // NOLINT(performance-no-int-to-ptr)
  }
}

/// Eight rows that follow each other from the beginning of a group on.
HWY_INLINE bool IsGroup(const Row* rows) {
  const hn::CappedTag<std::uint32_t, kGroupRows> d;
  if (rows[0] % kGroupRows != 0) {
    return false;
  }
  auto others = hn::Zero(d);
  for (std::size_t i = 0; i < kGroupRows; i += hn::Lanes(d)) {
    const auto expected = hn::Add(hn::Iota(d, 0), hn::Set(d, rows[0] + static_cast<std::uint32_t>(i)));
    others = hn::Or(others, hn::Xor(hn::LoadU(d, rows + i), expected));
  }
  return hn::AllTrue(d, hn::Eq(others, hn::Zero(d)));
}

}  // namespace juxta::transform_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
