// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: a threshold with about k positions below it, by a few sweeps that count. For kernel files only.

#if defined(JUXTA_RANKED_THRESHOLD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_THRESHOLD_INL_H
#undef JUXTA_RANKED_THRESHOLD_INL_H
#else
#define JUXTA_RANKED_THRESHOLD_INL_H
#endif

#include <algorithm>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// How many of `size` positions are below `limit`.
HWY_INLINE std::size_t CountBelow(const std::uint32_t* positions, std::size_t size, std::uint32_t limit) {
  const hn::CappedTag<std::uint32_t, 16> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto vlimit = hn::Set(d, limit);
  std::size_t below = 0, i = 0;
  for (; i + lanes <= size; i += lanes) {
    below += hn::CountTrue(d, hn::Lt(hn::LoadU(d, positions + i), vlimit));
  }
  if (i < size && size >= lanes) {  // the last register again: of its lanes, the first are counted already
    const auto lower = hn::Lt(hn::LoadU(d, positions + size - lanes), vlimit);
    return below + hn::CountTrue(d, hn::AndNot(hn::FirstN(d, lanes - (size - i)), lower));
  }
  for (; i < size; ++i) {
    below += positions[i] < limit;
  }
  return below;
}

/// A value with `wanted` to `wanted` + `slack` positions below it, of `size` in [begin, end); at least
/// `wanted` of them exist. `count_below(value)` counts. Interpolates, since positions are spread evenly more
/// often than not; every third probe halves the range, so that it ends on any data.
template <class Count>
HWY_INLINE std::uint32_t FindThreshold(std::uint32_t begin, std::uint32_t end, std::size_t size,
                                       std::size_t wanted, std::size_t slack, const Count& count_below) {
  std::uint64_t low = begin, high = end;
  std::size_t below_low = 0, below_high = size;
  for (unsigned probe = 1; below_high > wanted + slack && high - low > 1; ++probe) {
    const std::uint64_t share = (high - low) * (wanted + slack / 2 - below_low) / (below_high - below_low);
    const std::uint64_t at = probe % 3 == 0 ? (low + high) / 2 : std::clamp(low + share, low + 1, high - 1);
    const std::size_t below = count_below(static_cast<std::uint32_t>(at));
    if (below >= wanted) {
      high = at;
      below_high = below;
    } else {
      low = at;
      below_low = below;
    }
  }
  return static_cast<std::uint32_t>(high);
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
