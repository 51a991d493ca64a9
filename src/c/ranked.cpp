// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/c/ranked.h"

#include <utility>
#include <vector>

#include "c/call.h"
#include "c/ranked_columns.h"
#include "c/ranked_questions.h"
#include "juxta/core/try.h"
#include "juxta/ranked/ranked_points.h"

struct juxta_ranked_points {
  juxta::RankedPoints of;
};

namespace juxta::c_detail {
namespace {

Result<void> rebuild(RankedPoints& points, const juxta_column& x, const juxta_column& y,
                     const juxta_column& rank, std::size_t count, const juxta_ranked_options* options,
                     const juxta_context* context) {
  const CallContext call(context);
  JUXTA_TRY(call.check());
  JUXTA_TRY(check_cookie(options, Cookie::kRankedOptions, "juxta_ranked_options"));
  JUXTA_TRY_LET(const CoordinateColumn xs, coordinates(x, count, "x"));
  JUXTA_TRY_LET(const CoordinateColumn ys, coordinates(y, count, "y"));
  JUXTA_TRY_LET(const RankColumn by, ranks(rank, count));
  RankedPointsOptions how;
  std::vector<ValueColumn> values;
  if (options != nullptr) {
    how.borrow_coordinates = options->borrow_coordinates;
    how.categories = {options->categories, options->categories == nullptr ? 0 : count};
    how.keep_ranks = options->keep_ranks;
    JUXTA_TRY_LET(values, value_columns(*options, count));
    how.values = values;
  }
  return points.rebuild(xs, ys, by, how, *call);
}

/// A page, with all that C brings.
template <class Where>
Result<void> top_after(const RankedPoints& points, const juxta_ranked_cursor& after, const Where& where,
                       std::size_t k, std::uint32_t* out, const juxta_ranked_filter* filter,
                       juxta_query_result* result) {
  JUXTA_TRY_LET(const auto to, answers<std::uint32_t>(out, k));
  JUXTA_TRY_LET(const QueryResult found,
                points.top_after(cpp_cursor(after), where, k, to, filter_or_all(filter)));
  store(found, result);
  return {};
}

/// The places of the answers of `count` rectangles.
struct Answers {
  std::span<std::uint32_t> out, counts;
};
Result<Answers> places_of(std::uint32_t* out, std::uint32_t* counts, std::size_t count, std::size_t k) {
  if (k != 0 && count > SIZE_MAX / k) {
    return fail(ErrorCode::kTooLarge, "count times k is beyond the address space");
  }
  Answers places;
  JUXTA_TRY_LET(places.out, answers<std::uint32_t>(out, count * k));
  JUXTA_TRY_LET(places.counts, answers<std::uint32_t>(counts, count));
  return places;
}

Result<QueryResult> top_of_all(const RankedPoints& points, const juxta_rect* rects, std::size_t stride,
                               std::size_t count, std::size_t k, std::uint32_t* out, std::uint32_t* counts,
                               const RankedFilter& filter, const CallContext& call) {
  JUXTA_TRY(call.check());
  JUXTA_TRY_LET(const Answers to, places_of(out, counts, count, k));
  JUXTA_TRY_LET(const auto given, packed<RectD>(rects, stride, count, call.workspace()));
  return points.top(given, k, to.out, to.counts, filter, *call);
}

Result<void> load(const char* path, FileCheck check, juxta_ranked_points** out) {
  JUXTA_TRY_LET(RankedPoints loaded, RankedPoints::load(path, check));
  *out = new juxta_ranked_points{std::move(loaded)};
  return {};
}

}  // namespace
}  // namespace juxta::c_detail

using namespace juxta::c_detail;
using juxta::Result;

juxta_ranked_options juxta_default_ranked_options(void) {
  return {static_cast<std::uint32_t>(Cookie::kRankedOptions), false, nullptr, false, nullptr, 0};
}

juxta_status juxta_ranked_points_build(juxta_column x, juxta_column y, juxta_column rank, size_t count,
                                       const juxta_ranked_options* options, const juxta_context* context,
                                       juxta_ranked_points** out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    juxta::RankedPoints made;
    JUXTA_TRY(rebuild(made, x, y, rank, count, options, context));
    *out = new juxta_ranked_points{std::move(made)};
    return {};
  });
}
juxta_status juxta_ranked_points_rebuild(juxta_ranked_points* points, juxta_column x, juxta_column y,
                                         juxta_column rank, size_t count, const juxta_ranked_options* options,
                                         const juxta_context* context, juxta_error* error) {
  return guarded(error, [&] { return rebuild(points->of, x, y, rank, count, options, context); });
}
void juxta_ranked_points_free(juxta_ranked_points* points) {
  delete points;
}

juxta_query_result juxta_ranked_points_top(const juxta_ranked_points* points, const juxta_rect* rect,
                                           size_t k, uint32_t* out) {
  return result_in_place(
      [&] { return points->of.top(cpp_rect(*rect), k, answers_or_none<std::uint32_t>(out, k)); });
}
juxta_status juxta_ranked_points_top_batch(const juxta_ranked_points* points, const juxta_rect* rects,
                                           size_t stride, size_t count, size_t k, uint32_t* out,
                                           uint32_t* counts, const juxta_context* context,
                                           juxta_query_result* result, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY_LET(const juxta::QueryResult found,
                  top_of_all(points->of, rects, stride, count, k, out, counts, {}, call));
    store(found, result);
    return {};
  });
}
size_t juxta_ranked_points_count(const juxta_ranked_points* points, const juxta_rect* rect) {
  return points->of.count(cpp_rect(*rect)).found;
}
juxta_query_result juxta_ranked_points_top_filtered(const juxta_ranked_points* points, const juxta_rect* rect,
                                                    size_t k, uint32_t* out,
                                                    const juxta_ranked_filter* filter) {
  return result_in_place([&] {
    return points->of.top(cpp_rect(*rect), k, answers_or_none<std::uint32_t>(out, k), cpp_filter(*filter));
  });
}
juxta_status juxta_ranked_points_top_filtered_batch(const juxta_ranked_points* points,
                                                    const juxta_rect* rects, size_t stride, size_t count,
                                                    size_t k, uint32_t* out, uint32_t* counts,
                                                    const juxta_ranked_filter* filter,
                                                    const juxta_context* context, juxta_query_result* result,
                                                    juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY_LET(const juxta::QueryResult found,
                  top_of_all(points->of, rects, stride, count, k, out, counts, cpp_filter(*filter), call));
    store(found, result);
    return {};
  });
}
size_t juxta_ranked_points_count_filtered(const juxta_ranked_points* points, const juxta_rect* rect,
                                          const juxta_ranked_filter* filter) {
  return points->of.count(cpp_rect(*rect), cpp_filter(*filter)).found;
}
juxta_status juxta_ranked_points_count_filtered_batch(const juxta_ranked_points* points,
                                                      const juxta_rect* rects, size_t stride, size_t count,
                                                      uint32_t* counts, const juxta_ranked_filter* filter,
                                                      const juxta_context* context,
                                                      juxta_query_result* result, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY_LET(const auto given, packed<juxta::RectD>(rects, stride, count, call.workspace()));
    JUXTA_TRY_LET(const auto to, answers<std::uint32_t>(counts, count));
    JUXTA_TRY_LET(const juxta::QueryResult found, points->of.count(given, to, cpp_filter(*filter), *call));
    store(found, result);
    return {};
  });
}
juxta_ranked_region juxta_ranked_region_rect(juxta_rect rect) {
  return {kRect, {rect.lx, rect.ly, rect.hx, rect.hy}, nullptr, nullptr, nullptr, 0, 0};
}
juxta_ranked_region juxta_ranked_region_across(juxta_rect rect) {
  return {kAcross, {rect.lx, rect.ly, rect.hx, rect.hy}, nullptr, nullptr, nullptr, 0, 0};
}
juxta_ranked_region juxta_ranked_region_ring(double x, double y, double inner, double outer) {
  return {kRing, {x, y, inner, outer}, nullptr, nullptr, nullptr, 0, 0};
}
juxta_ranked_region juxta_ranked_region_polygon(const double* xs, const double* ys, size_t corners,
                                                const uint32_t* ring_ends, size_t rings) {
  return {kPolygon, {}, xs, ys, ring_ends, corners, rings};
}
juxta_query_result juxta_ranked_points_top_in_region(const juxta_ranked_points* points,
                                                     const juxta_ranked_region* region, size_t k,
                                                     uint32_t* out, const juxta_ranked_filter* filter) {
  return result_in_place([&] {
    return points->of.top(cpp_region(*region), k, answers_or_none<std::uint32_t>(out, k),
                          filter_or_all(filter));
  });
}
size_t juxta_ranked_points_count_in_region(const juxta_ranked_points* points,
                                           const juxta_ranked_region* region,
                                           const juxta_ranked_filter* filter) {
  return points->of.count(cpp_region(*region), filter_or_all(filter)).found;
}
juxta_ranked_cursor juxta_ranked_cursor_after_integer(int64_t rank, uint32_t index) {
  return {rank, 0, JUXTA_INT64, index};
}
juxta_ranked_cursor juxta_ranked_cursor_after_real(double rank, uint32_t index) {
  return {0, rank, JUXTA_DOUBLE, index};
}
juxta_status juxta_ranked_points_top_after(const juxta_ranked_points* points,
                                           const juxta_ranked_cursor* after, const juxta_rect* rect, size_t k,
                                           uint32_t* out, const juxta_ranked_filter* filter,
                                           juxta_query_result* result, juxta_error* error) {
  return guarded(error,
                 [&] { return top_after(points->of, *after, cpp_rect(*rect), k, out, filter, result); });
}
juxta_status juxta_ranked_points_top_after_in_region(const juxta_ranked_points* points,
                                                     const juxta_ranked_cursor* after,
                                                     const juxta_ranked_region* region, size_t k,
                                                     uint32_t* out, const juxta_ranked_filter* filter,
                                                     juxta_query_result* result, juxta_error* error) {
  return guarded(error,
                 [&] { return top_after(points->of, *after, cpp_region(*region), k, out, filter, result); });
}
juxta_ranked_nearest_options juxta_default_ranked_nearest_options(void) {
  const juxta::RankedNearestOptions none;
  return {
      static_cast<std::uint32_t>(Cookie::kRankedNearestOptions), none.most_important, {}, none.max_distance};
}
juxta_query_result juxta_ranked_points_nearest(const juxta_ranked_points* points, double x, double y,
                                               size_t k, uint32_t* out, double* distances,
                                               const juxta_ranked_nearest_options* options) {
  return result_in_place([&]() -> juxta::QueryResult {
    if (options != nullptr && options->cookie != static_cast<std::uint32_t>(Cookie::kRankedNearestOptions)) {
      return {};
    }
    return points->of.nearest(x, y, k, answers_or_none<std::uint32_t>(out, k),
                              answers_or_none<double>(distances, k), cpp_nearest(options));
  });
}
uint64_t juxta_ranked_points_categories(const juxta_ranked_points* points) {
  return points->of.categories();
}
juxta_status juxta_ranked_points_count_cells(const juxta_ranked_points* points, const juxta_rect* rect,
                                             size_t columns, size_t rows, uint32_t* counts,
                                             const juxta_context* context, juxta_query_result* result,
                                             juxta_error* error) {
  return guarded(error,
                 [&] { return count_cells(points->of, *rect, columns, rows, counts, context, result); });
}

size_t juxta_ranked_points_size(const juxta_ranked_points* points) {
  return points->of.size();
}
size_t juxta_ranked_points_memory_bytes(const juxta_ranked_points* points) {
  return points->of.memory_bytes();
}
juxta_rect juxta_ranked_points_bounds(const juxta_ranked_points* points) {
  const juxta::RectD bounds = points->of.bounds();
  return {bounds.lx, bounds.ly, bounds.hx, bounds.hy};
}

juxta_status juxta_ranked_points_save(const juxta_ranked_points* points, const char* path,
                                      const void* attachment, size_t attachment_size, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    if (attachment == nullptr && attachment_size != 0) {
      return juxta::fail(juxta::ErrorCode::kInvalidArgument, "the attachment is NULL and has a size");
    }
    return points->of.save(path, {static_cast<const std::byte*>(attachment), attachment_size});
  });
}
juxta_status juxta_ranked_points_load(const char* path, juxta_ranked_points** out, juxta_error* error) {
  return guarded(error, [&] { return load(path, juxta::FileCheck::kWhole, out); });
}
juxta_status juxta_ranked_points_open(const char* path, juxta_ranked_points** out, juxta_error* error) {
  return guarded(error, [&] { return load(path, juxta::FileCheck::kAsRead, out); });
}
juxta_status juxta_ranked_points_check_read(const juxta_ranked_points* points, juxta_error* error) {
  return guarded(error, [&] { return points->of.check_read(); });
}
juxta_status juxta_ranked_points_copy_attachment(const juxta_ranked_points* points, size_t at, void* out,
                                                 size_t size, juxta_error* error) {
  return guarded(error, [&]() -> juxta::Result<void> {
    if (out == nullptr && size != 0) {
      return juxta::fail(juxta::ErrorCode::kInvalidArgument, "`out` is NULL, and bytes are asked for");
    }
    return points->of.copy_attachment(at, {static_cast<std::byte*>(out), size});
  });
}

const void* juxta_ranked_points_attachment(const juxta_ranked_points* points, size_t* size) {
  const std::span<const std::byte> bytes = points->of.attachment();
  *size = bytes.size();
  return bytes.empty() ? nullptr : bytes.data();
}
