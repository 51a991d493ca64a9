// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Top-k and count under a filter that asks for several categories at once: through the tall tree of all
// points, whose blocks and nodes know who has which bit. One category alone is a set of its own (store.h),
// and does not come here.
//
// Limit:       k / (share that passes) points of the box, 12 bytes each and a word per bit asked for;
//              at worst all points of the box.
// Determinism: comparisons of integers and of the input's own coordinates.

#include "ranked/filter_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/ranked/filter_kernel.cpp"  // this file, from the repository root
#include "hwy/foreach_target.h"                            // IWYU pragma: keep
#include "hwy/highway.h"
#include "ranked/tall_top-inl.h"
#include "ranked/tree_count-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

/// In the two parts of a rectangle across the edge of the map, or in one rectangle and an empty one.
template <class T>
HWY_INLINE QueryResult FilteredTopOf(const RankedView& view, const CategoryQuery& filter,
                                     const std::array<RectD, 2>& parts, std::uint32_t first, std::size_t k,
                                     std::uint32_t* out) {
  static_assert(kMostOfTwoParts < Candidates::kMost);
  BoxQuery<T> queries[2];
  std::size_t count = 0;
  double expected = 0;
  for (const RectD& part : parts) {
    if (MakeQuery(view, part, queries[count])) {
      expected += EstimateCount(view, queries[count]) * filter.share;
      ++count;
    }
  }
  return TallTop<T>(view, std::span<const BoxQuery<T>>(queries, count),
                    CategoryFilter(view.categories, filter), expected, first, k, out);
}

QueryResult FilteredTop(const RankedView& view, const CategoryQuery& filter,
                        const std::array<RectD, 2>& parts, std::uint32_t first, std::size_t k,
                        std::uint32_t* out) {
  return view.is_double ? FilteredTopOf<double>(view, filter, parts, first, k, out)
                        : FilteredTopOf<float>(view, filter, parts, first, k, out);
}

template <class T>
HWY_INLINE QueryResult FilteredCountOf(const RankedView& view, const CategoryQuery& filter,
                                       const RectD& rect) {
  QueryResult result;
  BoxQuery<T> query;
  if (MakeQuery(view, rect, query)) {
    CountTree(view.tall, query, result, CategoryFilter(view.categories, filter));
  }
  return result;
}

QueryResult FilteredCount(const RankedView& view, const CategoryQuery& filter, const RectD& rect) {
  return view.is_double ? FilteredCountOf<double>(view, filter, rect)
                        : FilteredCountOf<float>(view, filter, rect);
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::ranked_detail {

HWY_EXPORT(FilteredTop);
QueryResult top_filtered(const RankedView& view, const CategoryQuery& filter,
                         const std::array<RectD, 2>& parts, std::uint32_t first, std::size_t k,
                         std::uint32_t* out) noexcept {
  return HWY_DYNAMIC_DISPATCH(FilteredTop)(view, filter, parts, first, k, out);
}

HWY_EXPORT(FilteredCount);
QueryResult count_filtered(const RankedView& view, const CategoryQuery& filter, const RectD& rect) noexcept {
  return HWY_DYNAMIC_DISPATCH(FilteredCount)(view, filter, rect);
}

}  // namespace juxta::ranked_detail
#endif  // HWY_ONCE
