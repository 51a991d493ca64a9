// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: how many points a box holds, and how far down the ranks the first k of them reach. Estimates:
// they choose between ways to the same answer. Include inside a kernel file only.

#if defined(JUXTA_RANKED_ESTIMATE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_ESTIMATE_INL_H
#undef JUXTA_RANKED_ESTIMATE_INL_H
#else
#define JUXTA_RANKED_ESTIMATE_INL_H
#endif

#include <cmath>

#include "ranked/box_query-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

/// About how many points are inside: those of the grid cells that the box touches, by its share of their
/// area.
template <class T>
HWY_INLINE double EstimateCount(const RankedView& view, const BoxQuery<T>& query) {
  const std::uint32_t shift = 16 - view.grid.bits;
  const std::size_t lx = query.outer.lx >> shift, hx = (query.outer.hx >> shift) + std::size_t{1};
  const std::size_t ly = query.outer.ly >> shift, hy = (query.outer.hy >> shift) + std::size_t{1};
  const double cells = static_cast<double>((hx - lx) << shift) * static_cast<double>((hy - ly) << shift);
  const double share = static_cast<double>(query.width) * static_cast<double>(query.height) / cells;
  return static_cast<double>(view.grid.count(lx, ly, hx, hy)) * HWY_MIN(share, 1.0) * view.grid_share;
}

/// How many positions from the lowest should hold k of `expected` results, if ranks were spread evenly.
HWY_INLINE std::uint64_t ReachOf(const RankedView& view, double expected, std::size_t k) {
  const double wanted = static_cast<double>(k) + std::sqrt(static_cast<double>(k)) + 1;
  const auto positions = static_cast<double>(view.positions());
  return static_cast<std::uint64_t>(HWY_MIN(wanted * positions / HWY_MAX(expected, 1.0) + 1, positions));
}

/// The same for what is inside a box.
template <class T>
HWY_INLINE std::uint64_t ExpectedReach(const RankedView& view, const BoxQuery<T>& query, std::size_t k) {
  // So small that all of it is read anyway: no need to look at the grid.
  if (std::uint64_t{query.width} * query.height <= (std::uint64_t{k} << 32) / view.size) {
    return view.positions();
  }
  return ReachOf(view, EstimateCount(view, query), k);
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
