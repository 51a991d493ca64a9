// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/ranked/ranked_points.h"

#include <algorithm>
#include <string>

#include "juxta/core/monitor.h"
#include "juxta/core/try.h"
#include "juxta/core/workspace.h"
#include "ranked/input.h"
#include "ranked/quantise_kernel.h"
#include "ranked/store.h"
#include "ranked/top_kernel.h"

namespace juxta {
namespace {

using ranked_detail::BuildContext;
using ranked_detail::kPointsOfTask;

/// Copies x and y of a point side by side, so that looking one up is one miss.
template <class T>
void copy_coordinates(StridedColumn<T> xs, StridedColumn<T> ys, std::size_t size, Array<std::byte>& out,
                      const Executor& executor) {
  out.resize_discard(2 * size * sizeof(T));
  T* copy = reinterpret_cast<T*>(out.data());
  executor.parallel_for(size, kPointsOfTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      copy[2 * i] = xs[i];
      copy[2 * i + 1] = ys[i];
    }
  });
}

template <class T>
void copy_ranks(StridedColumn<T> ranks, std::size_t size, Array<std::byte>& out, const Executor& executor) {
  out.resize_discard(size * sizeof(T));
  T* copy = reinterpret_cast<T*>(out.data());
  executor.parallel_for(size, kPointsOfTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      copy[i] = ranks[i];
    }
  });
}

/// What queries look up: coordinates by input index, and ranks if they are asked for.
template <class T>
void keep_columns(ranked_detail::RankedStore& store, ranked_detail::RankedView& view, StridedColumn<T> xs,
                  StridedColumn<T> ys, RankColumn ranks, const RankedPointsOptions& options,
                  const Executor& executor) {
  if (options.borrow_coordinates) {
    store.coordinates.resize_discard(0);
    view.xs = xs.data;
    view.ys = ys.data;
    view.x_stride = xs.stride;
    view.y_stride = ys.stride;
  } else {
    copy_coordinates(xs, ys, view.size, store.coordinates, executor);
    view.set_coordinates(store.coordinates.data(), sizeof(T));
  }
  store.ranks.resize_discard(0);
  if (options.keep_ranks) {
    ranked_detail::with_type(
        ranks.type(), [&]<class R>(R) { copy_ranks(ranks.as<R>(), view.size, store.ranks, executor); });
    view.ranks = store.ranks.data();
    view.rank_type = ranks.type();
  }
}

constexpr std::uint64_t kStages = 8;

/// The last stages, for filters; false when the monitor cancelled.
bool build_filters(ranked_detail::RankedStore& store, ranked_detail::RankedView& view,
                   const RankedPointsOptions& options, std::span<const std::uint16_t> qx,
                   std::span<const std::uint16_t> qy, Monitor* monitor, const BuildContext& context) {
  if (!options.categories.empty()) {
    if (!report(monitor, "categories", 6, kStages)) {
      return false;
    }
    view.categories =
        ranked_detail::build_categories(store.categories, view, options.categories, qx, qy, context);
  }
  if (view.categories.used != 0 || !options.values.empty()) {
    if (!report(monitor, "values", 7, kStages)) {
      return false;
    }
    ranked_detail::build_runs(store.runs, view, options.values, options.categories, qx, qy, context);
  }
  return report(monitor, "done", kStages, kStages);
}

/// Two trees, levels and lists of the points with these quanta; false when the monitor cancelled.
bool build_orders(ranked_detail::RankedStore& store, ranked_detail::RankedView& view,
                  std::span<const std::uint16_t> qx, std::span<const std::uint16_t> qy, Monitor* monitor,
                  const BuildContext& context) {
  if (!report(monitor, "tall tree", 2, kStages)) {
    return false;
  }
  view.gradient = ranked_detail::find_gradient(qx, qy);
  view.tall = ranked_detail::build_tree(store.tall, qx, qy, true, context);
  if (!report(monitor, "flat tree", 3, kStages)) {
    return false;
  }
  view.flat = ranked_detail::build_tree(store.flat, qx, qy, false, context);
  if (!report(monitor, "levels", 4, kStages)) {
    return false;
  }
  view.grid = ranked_detail::build_grid(store.grid, qx, qy, context);
  view.levels = ranked_detail::build_levels(store.levels, view.tall, view.size, context);
  if (!report(monitor, "lists", 5, kStages)) {
    return false;
  }
  view.lists = ranked_detail::build_lists(store.lists, view, qx, qy, context);
  return true;
}

/// All stages of a build; false when the monitor cancelled.
template <class T>
bool build_store(ranked_detail::RankedStore& store, StridedColumn<T> xs, StridedColumn<T> ys,
                 RankColumn ranks, const RankedPointsOptions& options, Monitor* monitor,
                 const BuildContext& context) {
  const std::size_t size = ranks.size();
  store.let_file_go();  // and stays empty when the monitor cancels, or memory ends
  ranked_detail::RankedView view;
  if (!report(monitor, "order by rank", 0, kStages)) {
    return false;
  }
  ranked_detail::order_by_rank(ranks, store.index_of, context);
  view.index_of = store.index_of.empty() ? nullptr : store.index_of.data();
  view.is_double = std::same_as<T, double>;
  view.size = size;

  if (!report(monitor, "equalise", 1, kStages)) {
    return false;
  }
  const ranked_detail::Axis x_axis = ranked_detail::build_axis(store.x_axis, xs, size, context);
  const ranked_detail::Axis y_axis = ranked_detail::build_axis(store.y_axis, ys, size, context);
  view.x_axis = x_axis.view;
  view.y_axis = y_axis.view;
  view.bounds[0] = x_axis.lowest;
  view.bounds[1] = y_axis.lowest;
  view.bounds[2] = x_axis.highest;
  view.bounds[3] = y_axis.highest;

  const Workspace::Scope scope(context.workspace);
  const auto qx = context.workspace.take<std::uint16_t>(size),
             qy = context.workspace.take<std::uint16_t>(size);
  context.executor.parallel_for(size, kPointsOfTask, [&](std::size_t first, std::size_t last) {
    ranked_detail::quantise_column(view.x_axis, xs, view.index_of, first, last, qx.data());
    ranked_detail::quantise_column(view.y_axis, ys, view.index_of, first, last, qy.data());
  });

  if (!build_orders(store, view, qx, qy, monitor, context)) {
    return false;
  }
  keep_columns(store, view, xs, ys, ranks, options, context.executor);
  if (!build_filters(store, view, options, qx, qy, monitor, context)) {
    return false;
  }
  store.view = view;
  return true;
}

Result<void> check_values(std::span<const ValueColumn> values, std::size_t points) {
  if (values.size() > ranked_detail::kMostValues) {
    return fail(ErrorCode::kInvalidArgument,
                std::to_string(values.size()) + " columns of values: give at most two");
  }
  for (const ValueColumn& column : values) {
    if (column.size() != points) {
      return fail(ErrorCode::kInvalidArgument, "a column of values has " + std::to_string(column.size()) +
                                                   " numbers for " + std::to_string(points) +
                                                   " points: give one for each");
    }
  }
  return {};
}

}  // namespace

RankedPoints::RankedPoints(std::pmr::memory_resource* resource)
    : store_(make_owned<ranked_detail::RankedStore>(resource)) {}
RankedPoints::RankedPoints(RankedPoints&&) noexcept = default;
RankedPoints& RankedPoints::operator=(RankedPoints&&) noexcept = default;
RankedPoints::~RankedPoints() = default;

Result<RankedPoints> RankedPoints::build(CoordinateColumn xs, CoordinateColumn ys, RankColumn ranks,
                                         const RankedPointsOptions& options, const Context& context,
                                         std::pmr::memory_resource* resource) {
  RankedPoints points(resource);
  return points.rebuild(xs, ys, ranks, options, context).map([&] { return std::move(points); });
}

Result<void> RankedPoints::rebuild(CoordinateColumn xs, CoordinateColumn ys, RankColumn ranks,
                                   const RankedPointsOptions& options, const Context& context) {
  const Executor& executor = executor_or_serial(context.executor);
  JUXTA_TRY(ranked_detail::check_columns(xs, ys, ranks, executor));
  if (!options.categories.empty() && options.categories.size() != xs.size()) {
    return fail(ErrorCode::kInvalidArgument, std::to_string(options.categories.size()) +
                                                 " masks of categories for " + std::to_string(xs.size()) +
                                                 " points: give one for each");
  }
  JUXTA_TRY(check_values(options.values, xs.size()));
  if (xs.size() == 0) {
    store_->let_file_go();
    return {};
  }
  Workspace own(store_->resource);
  const BuildContext build{executor, context.workspace != nullptr ? *context.workspace : own};
  const Workspace::Scope scope(build.workspace);
  const bool done =
      xs.type() == ScalarType::kDouble
          ? build_store(*store_, xs.as<double>(), ys.as<double>(), ranks, options, context.monitor, build)
          : build_store(*store_, xs.as<float>(), ys.as<float>(), ranks, options, context.monitor, build);
  if (!done) {
    return fail(ErrorCode::kCancelled, "the build was cancelled; the points are empty now");
  }
  return {};
}

QueryResult RankedPoints::top(const RectD& rect, std::size_t k, std::span<std::uint32_t> out) const noexcept {
  const ranked_detail::RankedView& view = store_->view;
  const std::size_t wanted = std::min({k, out.size(), view.size});
  if (wanted == 0) {
    return {};
  }
  QueryResult result = ranked_detail::top_points(view, rect, wanted, out.data());
  result.found = result.written;
  return result;
}

Result<QueryResult> RankedPoints::top(std::span<const RectD> rects, std::size_t k,
                                      std::span<std::uint32_t> out, std::span<std::uint32_t> counts,
                                      const Context& context) const {
  return top(rects, k, out, counts, RankedFilter{}, context);
}

QueryResult RankedPoints::count(const RectD& rect) const noexcept {
  return store_->view.size == 0 ? QueryResult{} : ranked_detail::count_points(store_->view, rect);
}

std::size_t RankedPoints::size() const noexcept {
  return store_->view.size;
}

std::size_t RankedPoints::memory_bytes() const noexcept {
  const ranked_detail::RankedStore& s = *store_;
  const auto axis = [](const ranked_detail::AxisStore& a) {
    return a.knots.memory_bytes() + a.filled.memory_bytes() + a.occupied.memory_bytes() +
           a.run_end.memory_bytes();
  };
  const auto tree = [](const ranked_detail::TreeStore& t) {
    return t.leaves.memory_bytes() + t.tops.memory_bytes() + t.nodes.memory_bytes();
  };
  const auto lists = [](const ranked_detail::ListStore& l) {
    return l.blocks.memory_bytes() + l.lengths.memory_bytes();
  };
  const ranked_detail::CategoryStore& c = s.categories;
  return sizeof(ranked_detail::RankedStore) + axis(s.x_axis) + axis(s.y_axis) + s.index_of.memory_bytes() +
         s.coordinates.memory_bytes() + s.ranks.memory_bytes() + s.grid.memory_bytes() + lists(s.lists) +
         s.levels.blocks.memory_bytes() + s.levels.cells.memory_bytes() + tree(s.tall) + tree(s.flat) +
         tree(c.trees) + lists(c.lists) + c.leaf_bits.memory_bytes() + c.top_bits.memory_bytes() +
         c.node_masks.memory_bytes() + c.subsets.memory_bytes() + s.runs.values[0].memory_bytes() +
         s.runs.values[1].memory_bytes() + s.runs.best.memory_bytes() + s.file.bytes().size();
}

RectD RankedPoints::bounds() const noexcept {
  const auto& b = store_->view.bounds;
  return {b[0], b[1], b[2], b[3]};
}

std::span<const std::byte> RankedPoints::attachment() const noexcept {
  return store_->attachment;
}

}  // namespace juxta
