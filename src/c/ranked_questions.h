// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: filters, cursors and regions of C as those of C++.
#pragma once

#include <cstddef>
#include <cstdint>

#include "c/call.h"
#include "juxta/c/ranked.h"
#include "juxta/core/try.h"
#include "juxta/ranked/cursor.h"
#include "juxta/ranked/ranked_points.h"
#include "juxta/ranked/region.h"

namespace juxta::c_detail {

[[nodiscard]] inline RankedRange cpp_range(const juxta_ranked_range& range) noexcept {
  switch (range.kind) {
    case JUXTA_RANGE_OPEN:
      return {};
    case JUXTA_RANGE_INTEGERS:
      return {range.integer_least, range.integer_most};
    case JUXTA_RANGE_REALS:
      return {range.least, range.most};
    default:
      return {1, 0};
  }
}

[[nodiscard]] inline RankedFilter cpp_filter(const juxta_ranked_filter& filter) noexcept {
  return {.any = filter.any,
          .all = filter.all,
          .none = filter.none,
          .ranges = {cpp_range(filter.ranges[0]), cpp_range(filter.ranges[1])}};
}

[[nodiscard]] inline RankedFilter filter_or_all(const juxta_ranked_filter* filter) noexcept {
  return filter == nullptr ? RankedFilter{} : cpp_filter(*filter);
}

[[nodiscard]] inline RankedCursor cpp_cursor(const juxta_ranked_cursor& cursor) noexcept {
  return cursor.type == JUXTA_INT64 ? RankedCursor(cursor.integer, cursor.index)
                                    : RankedCursor(cursor.real, cursor.index);
}

/// Null: all points.
[[nodiscard]] inline RankedNearestOptions cpp_nearest(const juxta_ranked_nearest_options* options) noexcept {
  return options == nullptr ? RankedNearestOptions{}
                            : RankedNearestOptions{.most_important = options->most_important,
                                                   .filter = cpp_filter(options->filter),
                                                   .max_distance = options->max_distance};
}

inline constexpr std::uint32_t kAcross = 1, kRing = 2, kPolygon = 3, kRect = 4;

[[nodiscard]] inline RankedRegion cpp_region(const juxta_ranked_region& region) noexcept {
  const double* const n = region.numbers;
  switch (region.kind) {
    case kRect:
      return RankedRegion::rect({n[0], n[1], n[2], n[3]});
    case kAcross:
      return RankedRegion::across({n[0], n[1], n[2], n[3]});
    case kRing:
      return RankedRegion::ring(n[0], n[1], n[2], n[3]);
    case kPolygon:
      return RankedRegion::polygon({region.xs, region.corners}, {region.ys, region.corners},
                                   {region.ring_ends, region.rings});
    default:
      return RankedRegion::rect({1, 1, 0, 0});
  }
}

/// count_cells() of RankedPoints and of RankedSnapshot, with all that C brings.
template <class Points>
Result<void> count_cells(const Points& points, const juxta_rect& rect, std::size_t columns, std::size_t rows,
                         std::uint32_t* counts, const juxta_context* context, juxta_query_result* result) {
  const CallContext call(context);
  JUXTA_TRY(call.check());
  if (rows != 0 && columns > SIZE_MAX / rows) {
    return fail(ErrorCode::kTooLarge, "columns times rows is beyond the address space");
  }
  JUXTA_TRY_LET(const auto to, answers<std::uint32_t>(counts, columns * rows));
  JUXTA_TRY_LET(const QueryResult found, points.count_cells(cpp_rect(rect), columns, rows, to, *call));
  store(found, result);
  return {};
}

}  // namespace juxta::c_detail
