// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: the box of some rows.

#if defined(JUXTA_AGENTS_BOUNDS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_AGENTS_BOUNDS_INL_H
#undef JUXTA_AGENTS_BOUNDS_INL_H
#else
#define JUXTA_AGENTS_BOUNDS_INL_H
#endif

#include <cstdint>

#include "agents/directory.h"
#include "agents/sieve-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::agents_detail::HWY_NAMESPACE {

/// x from i on; the first one instead of those from `count` on.
HWY_INLINE Floats Some(const float* x, std::uint32_t i, std::uint32_t count) {
  const Tag d;
  const Floats some = hn::LoadU(d, x + i);
  return i + kAtOnce <= count ? some : hn::IfThenElse(hn::FirstN(d, count - i), some, hn::Set(d, x[0]));
}
HWY_INLINE float Least(const float* x, std::uint32_t count) {
  const Tag d;
  Floats least = hn::Set(d, x[0]);
  for (std::uint32_t i = 0; i < count; i += kAtOnce) {
    least = hn::Min(least, Some(x, i, count));
  }
  return hn::GetLane(hn::MinOfLanes(d, least));
}
HWY_INLINE float Most(const float* x, std::uint32_t count) {
  const Tag d;
  Floats most = hn::Set(d, x[0]);
  for (std::uint32_t i = 0; i < count; i += kAtOnce) {
    most = hn::Max(most, Some(x, i, count));
  }
  return hn::GetLane(hn::MaxOfLanes(d, most));
}

/// In D columns.
template <std::uint32_t D>
HWY_INLINE Bounds BoundsOf(const float* const* columns, std::uint32_t row, std::uint32_t count) {
  Bounds box;
  if (count == 1) {
    for (std::uint32_t a = 0; a < D; ++a) {
      box.lo[a] = box.hi[a] = columns[a][row];
    }
    return box;
  }
  for (std::uint32_t a = 0; a < D; ++a) {
    box.lo[a] = Least(columns[a] + row, count);
    box.hi[a] = Most(columns[a] + row, count);
  }
  return box;
}

/// Space in which the candidates of a box of seers stand.
template <std::uint32_t D>
HWY_INLINE float RoomAround(const Bounds& box, const Reach& reach) {
  float room = 1;
  for (std::uint32_t a = 0; a < D; ++a) {
    room *= box.hi[a] - box.lo[a] + 2 * reach.on[a];
  }
  return room;
}

/// Whether seers in the box stand too far apart for one group: further than rows are high, or where many
/// share a cell, so far that two halves have fewer candidates in sum. (Some stand in a clump, and some beside
/// it.) There rows are higher than some clumps are wide, which seers that are not in the same order may fill:
/// for them the reach counts.
template <std::uint32_t D>
HWY_INLINE bool IsWide(const Directory& directory, const float* const* position, std::uint32_t seer,
                       std::uint32_t count, const Bounds& box, const Reach& reach, bool same_order) {
  const bool by_rows = directory.winding && (same_order || directory.boxes.empty());
  bool wide = false, compact = true;
  for (std::uint32_t a = 0; a < D; ++a) {
    const float natural = by_rows ? directory.height : reach.on[a];
    const float width = box.hi[a] - box.lo[a];
    wide = wide || width > 2 * (natural + reach.on[a]);
    compact = compact && !(width > reach.on[a]);
  }
  if (wide || compact || directory.boxes.empty()) {
    return wide;
  }
  const std::uint32_t half = count / 2;
  return RoomAround<D>(BoundsOf<D>(position, seer, half), reach) +
             RoomAround<D>(BoundsOf<D>(position, seer + half, count - half), reach) <
         0.5F * RoomAround<D>(box, reach);
}

}  // namespace juxta::agents_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
