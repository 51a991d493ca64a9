// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Top-k and count in a region that is not a rectangle. Top-k takes the list of the cell around the region if
// it is likely to hold the answer, and else the tall tree; count takes the tree.
//
//      +-------------+     A node outside the region is left out: its bounds, in real coordinates, decide.
//      |  /-----\    |     count() adds nodes that lie inside as a whole.
//      | |  ####  \  |     Points of the other nodes are confirmed by their own coordinates, many at a time.
//      |  \-----/    |
//      +-------------+
//
// Limit:       a look at the coordinates for each candidate, and at the region for each child of a node.
// Determinism: the region's own arithmetic, in double, the same on every instruction set.

#include "ranked/region_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/ranked/region_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "ranked/filtered_top-inl.h"
#include "ranked/list_scan-inl.h"
#include "ranked/region_query-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

template <class T>
HWY_INLINE QueryResult RegionTopOf(const RankedView& view, const FilterQuery& filter,
                                   const RankedRegion& region, std::uint32_t first, std::size_t k,
                                   std::uint32_t* out) {
  QueryResult result;
  RegionQuery<T> query;
  if (!MakeRegionQuery(view, region, query)) {
    return result;
  }
  if (filter.passes_all() && first == 0) {
    ListChoice list = ChooseList(view, query);
    list.share *= static_cast<float>(region.fill());
    if (MayHold(list, k)) {
      result = ScanList(list, query, k, out);
      if (IsAnswer(list, k, result)) {
        return result;
      }
    }
  }
  const double inside = EstimateCount(view, query) * region.fill();
  return TopFiltered<T>(view, std::span<const RegionQuery<T>>(&query, 1), filter,
                        RegionFilter<T>(query, filter), inside, first, k, out);
}

template <class T>
HWY_INLINE QueryResult RegionCountOf(const RankedView& view, const FilterQuery& filter,
                                     const RankedRegion& region) {
  QueryResult result;
  RegionQuery<T> query;
  if (!MakeRegionQuery(view, region, query)) {
    return result;
  }
  if (filter.passes_all()) {
    CountTree(view.tall, query, result);
  } else {
    CountTreeOrRun(view, query, filter, EstimateCount(view, query) * region.fill(), result);
  }
  return result;
}

template <class T>
HWY_INLINE bool RegionBehindOf(const RankedView& view, const RankedRegion& region, std::uint32_t own,
                               std::size_t k, std::uint32_t* out, QueryResult& result) {
  RegionQuery<T> query;
  if (!MakeRegionQuery(view, region, query)) {
    return true;
  }
  ListChoice list = ChooseList(view, query);
  list.share *= static_cast<float>(region.fill());
  return PageOfList(list, query, own, k, out, result);
}

bool RegionBehind(const RankedView& view, const RankedRegion& region, std::uint32_t own, std::size_t k,
                  std::uint32_t* out, QueryResult& result) {
  return JUXTA_CALL_FOR_TYPE(view, RegionBehindOf, view, region, own, k, out, result);
}

QueryResult RegionTop(const RankedView& view, const FilterQuery& filter, const RankedRegion& region,
                      std::uint32_t first, std::size_t k, std::uint32_t* out) {
  return JUXTA_CALL_FOR_TYPE(view, RegionTopOf, view, filter, region, first, k, out);
}

QueryResult RegionCount(const RankedView& view, const FilterQuery& filter, const RankedRegion& region) {
  return JUXTA_CALL_FOR_TYPE(view, RegionCountOf, view, filter, region);
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::ranked_detail {

JUXTA_KERNEL(RegionBehind);
bool top_in_region_behind(const RankedView& view, const RankedRegion& region, std::uint32_t own,
                          std::size_t k, std::uint32_t* out, QueryResult& result) noexcept {
  return JUXTA_CALL_KERNEL(RegionBehind)(view, region, own, k, out, result);
}

JUXTA_KERNEL(RegionTop);
QueryResult top_in_region(const RankedView& view, const FilterQuery& filter, const RankedRegion& region,
                          std::uint32_t first, std::size_t k, std::uint32_t* out) noexcept {
  return JUXTA_CALL_KERNEL(RegionTop)(view, filter, region, first, k, out);
}

JUXTA_KERNEL(RegionCount);
QueryResult count_in_region(const RankedView& view, const FilterQuery& filter,
                            const RankedRegion& region) noexcept {
  return JUXTA_CALL_KERNEL(RegionCount)(view, filter, region);
}

}  // namespace juxta::ranked_detail
#endif  // HWY_ONCE
