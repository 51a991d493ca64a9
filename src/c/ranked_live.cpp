// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/c/ranked_live.h"

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "c/call.h"
#include "c/ranked_columns.h"
#include "c/ranked_questions.h"
#include "juxta/core/try.h"
#include "juxta/ranked/live_points.h"

struct juxta_live_points {
  std::unique_ptr<juxta::c_detail::CExecutor> executor;  // of the thread that merges: outlives `of`
  juxta::LiveRankedPoints of;
};
struct juxta_ranked_snapshot {
  juxta::RankedSnapshot of;
};

namespace juxta::c_detail {
namespace {

/// `values`: where its columns of numbers are kept.
Result<RankedColumns> cpp_columns(const juxta_ranked_columns& from, std::vector<ValueColumn>& values) {
  JUXTA_TRY_LET(const CoordinateColumn xs, coordinates(from.x, from.count, "x"));
  JUXTA_TRY_LET(const CoordinateColumn ys, coordinates(from.y, from.count, "y"));
  JUXTA_TRY_LET(const RankColumn by, ranks(from.rank, from.count));
  JUXTA_TRY_LET(values, value_columns(from, from.count));
  return RankedColumns{xs, ys, by, {from.categories, from.categories == nullptr ? 0 : from.count}, values};
}

Result<std::span<const Id>> cpp_ids(const juxta_id* ids, std::size_t count) {
  static_assert(sizeof(juxta_id) == sizeof(Id) && alignof(juxta_id) == alignof(Id));
  if (ids == nullptr && count != 0) {
    return fail(ErrorCode::kInvalidArgument, "the array of ids is NULL");
  }
  return std::span<const Id>(reinterpret_cast<const Id*>(ids), count);
}

/// What is made with options and a context: `make(how, context)` gives the points.
template <class Make>
Result<juxta_live_points*> make_live(const juxta_live_points_options* options, const juxta_context* context,
                                     Make make) {
  const CallContext call(context);
  JUXTA_TRY(call.check());
  JUXTA_TRY(check_cookie(options, Cookie::kLivePointsOptions, "juxta_live_points_options"));
  LiveRankedOptions how;
  std::unique_ptr<CExecutor> executor;
  if (options != nullptr) {
    how.merge_in_background = options->merge_in_background;
    how.sync = options->sync_to_disk ? LiveSync::kDisk : LiveSync::kProgram;
    if (options->executor != nullptr) {
      if (options->executor->parallel_for == nullptr) {
        return fail(ErrorCode::kInvalidArgument, "the executor has no parallel_for");
      }
      executor = std::make_unique<CExecutor>(options->executor);
      how.merging.executor = executor.get();
    }
  }
  JUXTA_TRY_LET(LiveRankedPoints made, make(how, *call));
  return new juxta_live_points{std::move(executor), std::move(made)};
}

}  // namespace
}  // namespace juxta::c_detail

using namespace juxta::c_detail;
using juxta::Id;
using juxta::Result;

juxta_live_points_options juxta_default_live_points_options(void) {
  return {static_cast<std::uint32_t>(Cookie::kLivePointsOptions), true, nullptr, false};
}
juxta_status juxta_live_points_build(const juxta_ranked_columns* from,
                                     const juxta_live_points_options* options, const juxta_context* context,
                                     juxta_live_points** out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    std::vector<juxta::ValueColumn> values;
    JUXTA_TRY_LET(const juxta::RankedColumns columns, cpp_columns(*from, values));
    JUXTA_TRY_LET(*out, make_live(options, context, [&](const auto& how, const auto& call) {
      return juxta::LiveRankedPoints::build(columns, how, call);
    }));
    return {};
  });
}
juxta_status juxta_live_points_keep(juxta_live_points* points, const char* path, const juxta_context* context,
                                    juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    return points->of.keep(path, *call);
  });
}
juxta_status juxta_live_points_open(const char* path, const juxta_live_points_options* options,
                                    const juxta_context* context, juxta_live_points** out,
                                    juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(*out, make_live(options, context, [&](const auto& how, const auto&) {
      return juxta::LiveRankedPoints::open(path, how);
    }));
    return {};
  });
}
juxta_status juxta_live_points_sync(juxta_live_points* points, juxta_error* error) {
  return guarded(error, [&] { return points->of.sync(); });
}
void juxta_live_points_free(juxta_live_points* points) {
  delete points;
}
juxta_status juxta_live_points_insert(juxta_live_points* points, const juxta_ranked_columns* from,
                                      juxta_id* ids, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    std::vector<juxta::ValueColumn> values;
    JUXTA_TRY_LET(const juxta::RankedColumns columns, cpp_columns(*from, values));
    JUXTA_TRY_LET(const auto to, answers<Id>(ids, from->count));
    return points->of.insert(columns, to);
  });
}
juxta_status juxta_live_points_remove(juxta_live_points* points, const juxta_id* ids, size_t count,
                                      juxta_error* error) {
  return guarded(error, [&] {
    return cpp_ids(ids, count).and_then([&](auto dying) { return points->of.remove(dying); });
  });
}
juxta_status juxta_live_points_move(juxta_live_points* points, const juxta_id* ids, juxta_column x,
                                    juxta_column y, size_t count, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(const auto moved, cpp_ids(ids, count));
    JUXTA_TRY_LET(const auto xs, coordinates(x, count, "x"));
    JUXTA_TRY_LET(const auto ys, coordinates(y, count, "y"));
    return points->of.move(moved, xs, ys);
  });
}
juxta_status juxta_live_points_set_rank(juxta_live_points* points, const juxta_id* ids, juxta_column rank,
                                        size_t count, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(const auto changed, cpp_ids(ids, count));
    JUXTA_TRY_LET(const auto by, ranks(rank, count));
    return points->of.set_rank(changed, by);
  });
}
juxta_status juxta_live_points_set_categories(juxta_live_points* points, const juxta_id* ids,
                                              const uint64_t* categories, size_t count, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(const auto changed, cpp_ids(ids, count));
    if (categories == nullptr && count != 0) {
      return juxta::fail(juxta::ErrorCode::kInvalidArgument, "the array of categories is NULL");
    }
    return points->of.set_categories(changed, {categories, count});
  });
}
juxta_status juxta_live_points_set_value(juxta_live_points* points, const juxta_id* ids, size_t column,
                                         juxta_column numbers, size_t count, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(const auto changed, cpp_ids(ids, count));
    JUXTA_TRY_LET(const auto to, juxta::c_detail::numbers(numbers, count, "numbers"));
    return points->of.set_value(changed, column, to);
  });
}
juxta_status juxta_live_points_find(const juxta_live_points* points, juxta_id id, juxta_ranked_point* out,
                                    juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(const juxta::RankedPoint found, points->of.find(cpp_id(id)));
    const auto type_of = [](const juxta::RankValue& number) {
      return static_cast<uint32_t>(number.is_integer() ? JUXTA_INT64 : JUXTA_DOUBLE);
    };
    const auto& [first, second] = found.values;
    *out = {found.x,
            found.y,
            found.rank.integer(),
            found.rank.real(),
            found.categories,
            type_of(found.rank),
            {type_of(first), type_of(second)},
            {first.integer(), second.integer()},
            {first.real(), second.real()}};
    return {};
  });
}
juxta_status juxta_live_points_merge(juxta_live_points* points, const juxta_context* context,
                                     juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    return points->of.merge(*call);
  });
}
size_t juxta_live_points_size(const juxta_live_points* points) {
  return points->of.size();
}
size_t juxta_live_points_unmerged(const juxta_live_points* points) {
  return points->of.unmerged();
}
size_t juxta_live_points_memory_bytes(const juxta_live_points* points) {
  return points->of.memory_bytes();
}

juxta_status juxta_live_points_snapshot(const juxta_live_points* points, juxta_ranked_snapshot** out,
                                        juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    *out = new juxta_ranked_snapshot{points->of.snapshot()};
    return {};
  });
}
void juxta_ranked_snapshot_free(juxta_ranked_snapshot* snapshot) {
  delete snapshot;
}
size_t juxta_ranked_snapshot_size(const juxta_ranked_snapshot* snapshot) {
  return snapshot->of.size();
}
juxta_status juxta_ranked_snapshot_top(juxta_ranked_snapshot* snapshot, const juxta_ranked_region* region,
                                       size_t k, juxta_id* out, const juxta_ranked_filter* filter,
                                       juxta_query_result* result, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(const auto to, answers<Id>(out, k));
    store(snapshot->of.top(cpp_region(*region), k, to, filter_or_all(filter)), result);
    return {};
  });
}
juxta_status juxta_ranked_snapshot_top_after(juxta_ranked_snapshot* snapshot,
                                             const juxta_ranked_cursor* after,
                                             const juxta_ranked_region* region, size_t k, juxta_id* out,
                                             const juxta_ranked_filter* filter, juxta_query_result* result,
                                             juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(const auto to, answers<Id>(out, k));
    JUXTA_TRY_LET(
        const juxta::QueryResult found,
        snapshot->of.top_after(cpp_cursor(*after), cpp_region(*region), k, to, filter_or_all(filter)));
    store(found, result);
    return {};
  });
}
juxta_status juxta_ranked_snapshot_count(juxta_ranked_snapshot* snapshot, const juxta_ranked_region* region,
                                         const juxta_ranked_filter* filter, juxta_query_result* result,
                                         juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    store(snapshot->of.count(cpp_region(*region), filter_or_all(filter)), result);
    return {};
  });
}
juxta_status juxta_ranked_snapshot_nearest(juxta_ranked_snapshot* snapshot, double x, double y, size_t k,
                                           juxta_id* out, double* distances,
                                           const juxta_ranked_nearest_options* options,
                                           juxta_query_result* result, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY(check_cookie(options, Cookie::kRankedNearestOptions, "juxta_ranked_nearest_options"));
    JUXTA_TRY_LET(const auto to, answers<Id>(out, k));
    JUXTA_TRY_LET(const auto far, answers<double>(distances, k));
    store(snapshot->of.nearest(x, y, k, to, far, cpp_nearest(options)), result);
    return {};
  });
}
juxta_status juxta_ranked_snapshot_count_cells(juxta_ranked_snapshot* snapshot, const juxta_rect* rect,
                                               size_t columns, size_t rows, uint32_t* counts,
                                               const juxta_context* context, juxta_query_result* result,
                                               juxta_error* error) {
  return guarded(error,
                 [&] { return count_cells(snapshot->of, *rect, columns, rows, counts, context, result); });
}
