// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "ranked/filter_plan.h"

#include <algorithm>
#include <bit>

#include "ranked/ranked_file.h"
#include "ranked/value_range.h"

namespace juxta::ranked_detail {
namespace {

/// How many of the points pass, if their categories and numbers were independent.
double share_of(const RankedView& view, const FilterQuery& query) noexcept {
  const CategoriesView& categories = view.categories;
  const auto points = static_cast<double>(view.size);
  double pass = 1, miss_all = 1;
  for (std::size_t b = 0; b < categories.count(); ++b) {
    const double share = categories.subsets[b].grid_share;
    pass *= (query.all >> b & 1) != 0 ? share : 1;
    pass *= (query.none >> b & 1) != 0 ? 1 - share : 1;
    miss_all *= (query.any >> b & 1) != 0 ? 1 - share : 1;
  }
  for (const ValueRange& range : query.ranges) {
    pass *= range.asked ? static_cast<double>(range.run_end - range.run_begin) / points : 1;
  }
  return std::max(query.any != 0 ? pass * (1 - miss_all) : pass, 1 / points);
}

/// False: no point has numbers in all ranges.
bool find_ranges(const ValuesView& values, const RankedFilter& filter, FilterQuery& query) noexcept {
  for (std::size_t i = 0; i < kMostValues; ++i) {
    if (!is_open(filter.ranges[i])) {
      query.asks_ranges = true;
      if (!find_range(values, i, filter.ranges[i], query.ranges[i])) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

FilterPlan plan_of(const RankedView& view, const RankedFilter& filter) noexcept {
  const CategoriesView& categories = view.categories;
  FilterQuery query;
  query.all = compact_bits(filter.all, categories.used);
  query.none = compact_bits(filter.none, categories.used);
  query.any = compact_bits(filter.any, categories.used) & ~query.none;
  if (view.size == 0 || (filter.all & ~categories.used) != 0 || (query.all & query.none) != 0 ||
      (filter.any != 0 && query.any == 0) || !find_ranges(view.values, filter, query)) {
    return {};
  }
  if ((query.any & query.all) != 0) {
    query.any = 0;
  } else if (std::has_single_bit(query.any)) {
    query.all |= query.any;
    query.any = 0;
  }
  const bool alone = query.any == 0 && query.none == 0 && !query.asks_ranges;
  if (alone && query.all == 0) {
    return {.set = &view, .query = {}};
  }
  if (alone && std::has_single_bit(query.all)) {
    return {.set = categories.subsets + std::countr_zero(query.all), .query = {}};
  }
  query.share = share_of(view, query);
  return {.set = &view, .query = query};
}

}  // namespace juxta::ranked_detail
