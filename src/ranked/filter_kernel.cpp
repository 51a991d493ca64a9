// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Top-k and count under a filter that asks for several categories at once, or for ranges of numbers: through
// the tall tree of all points, whose blocks and nodes know who has which bit and which quantum; a narrow
// range through its own run. One category alone is a set of its own (store.h), and does not come here.
//
// Limit:       k / (share that passes) points of the box, 12 bytes each and a word per bit asked for;
//              at worst all points of the box, or of the range.
// Determinism: comparisons of integers and of the input's own coordinates.

#include "ranked/filter_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/ranked/filter_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "ranked/region_query-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

#ifdef JUXTA_SMALL_CODE
template <class T>
using FilteredBox = RegionQuery<T>;  // whose searches region_kernel.cpp has too
template <class T>
RegionFilter<T> FilterOf(const RegionQuery<T>& box, const FilterQuery& query) {
  return RegionFilter<T>(box, query);
}
#else
template <class T>
using FilteredBox = BoxQuery<T>;
template <class T>
HWY_INLINE PointFilter FilterOf(const BoxQuery<T>& box, const FilterQuery& query) {
  return PointFilter(*box.view, query);
}
#endif

/// In the two parts of a rectangle across the edge of the map, or in one rectangle and an empty one.
template <class T>
HWY_INLINE QueryResult FilteredTopOf(const RankedView& view, const FilterQuery& query,
                                     const std::array<RectD, 2>& parts, std::uint32_t first, std::size_t k,
                                     std::uint32_t* out) {
  static_assert(kMostOfTwoParts < Candidates::kMost);
  FilteredBox<T> boxes[2];
  std::size_t count = 0;
  double inside = 0;
  for (const RectD& part : parts) {
    if (MakeQuery(view, part, boxes[count])) {
      inside += EstimateCount(view, boxes[count]);
      ++count;
    }
  }
  return count == 0 ? QueryResult{}
                    : TopFiltered<T>(view, std::span<const FilteredBox<T>>(boxes, count), query,
                                     FilterOf(boxes[0], query), inside, first, k, out);
}

QueryResult FilteredTop(const RankedView& view, const FilterQuery& query, const std::array<RectD, 2>& parts,
                        std::uint32_t first, std::size_t k, std::uint32_t* out) {
  return JUXTA_CALL_FOR_TYPE(view, FilteredTopOf, view, query, parts, first, k, out);
}

template <class T>
HWY_INLINE QueryResult FilteredCountOf(const RankedView& view, const FilterQuery& query, const RectD& rect) {
  QueryResult result;
  FilteredBox<T> box;
  if (MakeQuery(view, rect, box)) {
    CountTreeOrRun(view, box, query, EstimateCount(view, box), result);
  }
  return result;
}

QueryResult FilteredCount(const RankedView& view, const FilterQuery& query, const RectD& rect) {
  return JUXTA_CALL_FOR_TYPE(view, FilteredCountOf, view, query, rect);
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::ranked_detail {

JUXTA_KERNEL(FilteredTop);
QueryResult top_filtered(const RankedView& view, const FilterQuery& filter, const std::array<RectD, 2>& parts,
                         std::uint32_t first, std::size_t k, std::uint32_t* out) noexcept {
  return JUXTA_CALL_KERNEL(FilteredTop)(view, filter, parts, first, k, out);
}

JUXTA_KERNEL(FilteredCount);
QueryResult count_filtered(const RankedView& view, const FilterQuery& filter, const RectD& rect) noexcept {
  return JUXTA_CALL_KERNEL(FilteredCount)(view, filter, rect);
}

}  // namespace juxta::ranked_detail
#endif  // HWY_ONCE
