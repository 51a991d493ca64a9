// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Agents into the order of space: a plan, a stable order, every column gathered; or nothing of that, within
// the skin.

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "agents/arrange.h"
#include "agents/check_positions.h"
#include "agents/plan_grid.h"
#include "agents/store.h"
#include "juxta/core/executor.h"
#include "juxta/core/try.h"
#include "order/gather_columns.h"

namespace juxta {
namespace agents_detail {
namespace {

Result<void> check(const SortOptions& options) {
  if (!(options.radius > 0) || !std::isfinite(options.radius)) {
    return fail(ErrorCode::kInvalidArgument, "sort: radius must be a finite number above 0");
  }
  if (!(options.skin >= 0) || !std::isfinite(options.skin)) {
    return fail(ErrorCode::kInvalidArgument, "sort: skin must be a finite number from 0 on");
  }
  return {};
}

/// All columns and names into a new order; results stay where they are.
Result<void> reorder(PopulationStore& store, std::span<const std::uint32_t> order, const Executor& executor) {
  std::vector<GatherColumn> columns;
  columns.reserve(store.columns.size());
  const auto is_carried = [](const ColumnData& column) { return column.kind != ColumnKind::kResult; };
  for (ColumnData& column : store.columns) {
    if (is_carried(column)) {
      column.grow_spare(order.size());
      columns.push_back({column.data.data(), column.spare.data(), order.size(), order.size(), column.bytes});
    }
  }
  order_detail::gather_columns(order, columns, executor);
  for (ColumnData& column : store.columns) {
    if (is_carried(column)) {
      std::swap(column.data, column.spare);
    }
  }
  return store.ids.follow(order, {.executor = &executor});
}

Result<void> put_in_order(PopulationStore& store, const Plan& plan, const Executor& executor) {
  const Workspace::Scope scope(store.scratch);
  const std::span<std::uint32_t> order = store.scratch.take<std::uint32_t>(store.size());
  return arrange(store.directory, plan, places_of(store), Rows::kToSort, order, store.scratch, executor)
      .and_then([&] { return reorder(store, order, executor); })
      .map([&] { fill_boxes(store.directory, places_of(store), executor); });
}

/// After load(): the directory over rows that stand in the order of the skin. False if they do not.
bool restore_directory(PopulationStore& store, const SortOptions& options, const Executor& executor) {
  const Places places = store.skin.places(store);
  const Workspace::Scope scope(store.scratch);
  const std::span<std::uint32_t> order = store.scratch.take<std::uint32_t>(store.size());
  const Result<Extent> extent = check_positions(store, places, executor);
  store.directory.magnitude = extent ? extent->magnitude : 0;
  return extent.and_then([&](const Extent& sound) { return plan(store.world, sound, options); })
             .and_then([&](const Plan& planned) {
               return arrange(store.directory, planned, places, Rows::kSorted, order, store.scratch,
                              executor);
             })
             .map([&] { fill_boxes(store.directory, places, executor); })
             .has_value() &&
         std::adjacent_find(order.begin(), order.end(), std::greater<>()) == order.end();
}

/// Cells of a table, or occupied ones; blocks.
std::size_t cell_count(const Directory& directory) noexcept {
  return directory.arrangement == Arrangement::kTree ? directory.tree.plan.blocks[0]
                                                     : directory.begins.size() - 1;
}

}  // namespace
}  // namespace agents_detail

Result<SortReport> Population::sort(const SortOptions& options, const Context& context) {
  using namespace agents_detail;
  PopulationStore& store = *store_;
  JUXTA_TRY(check(options));
  const Executor& executor = executor_or_serial(context.executor);
  if (store.distribution) {
    return sort_over_ranks(store, options, executor);
  }
  JUXTA_TRY_LET(const Extent extent, check_positions(store, places_of(store), executor));
  JUXTA_TRY_LET(Plan planned, plan(store.world, extent, options));
  wrap_positions(store, executor);
  Directory& directory = store.directory;
  const float moved = store.skin.moved(store, options, executor);
  const bool keeps = moved >= 0 && (store.skin.directory || restore_directory(store, options, executor));
  if (!keeps) {
    JUXTA_TRY(put_in_order(store, planned, executor));
    directory.magnitude = 0;
    store.skin.keep(store, options);
  }
  store.skin.directory = true;
  directory.radius = options.radius;
  directory.largest = extent.largest;
  directory.magnitude = std::max(directory.magnitude, extent.magnitude);
  directory.moved = keeps ? moved : 0;
  store.pad();
  store.sorted_at = store.changed;
  return SortReport{directory.arrangement, cell_count(directory), !keeps};
}

bool Population::sorted() const noexcept {
  return store_->sorted_at == store_->changed;
}

}  // namespace juxta
