// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/ranked/labels.h"

#include <algorithm>
#include <string>

#include "juxta/core/try.h"
#include "ranked/input.h"
#include "ranked/labels_store.h"
#include "ranked/sort_positions.h"

namespace juxta {
namespace {

using ranked_detail::BuildContext;
using ranked_detail::kPointsOfTask;
using ranked_detail::kZooms;
using ranked_detail::Label;
using ranked_detail::LabelRow;
using ranked_detail::LabelsStore;

bool is_size(float pixels) noexcept {
  return pixels >= 1.0F / 64 && pixels <= 4096;
}

/// The sizes of all labels along one axis: one for each, or one for all.
Result<void> check_sizes(std::span<const float> sizes, float one, std::size_t points, const char* name) {
  const std::string allowed = ": sizes are from 1/64 to 4096 pixels";
  if (sizes.empty()) {
    return is_size(one)
               ? Result<void>{}
               : fail(ErrorCode::kInvalidArgument,
                      "the " + std::string(name) + " of all labels is " + std::to_string(one) + allowed);
  }
  if (sizes.size() != points) {
    return fail(ErrorCode::kInvalidArgument, std::to_string(sizes.size()) + " values of " + name + " for " +
                                                 std::to_string(points) + " points: give one for each");
  }
  const auto bad = std::ranges::find_if_not(sizes, is_size);
  if (bad != sizes.end()) {
    const auto index = static_cast<std::uint64_t>(bad - sizes.begin());
    return fail(ErrorCode::kInvalidArgument,
                "the " + std::string(name) + " of label " + std::to_string(index) + " is " +
                    std::to_string(*bad) + allowed,
                index);
  }
  return {};
}

Result<void> check_options(const RankedLabelsOptions& options, std::size_t points) {
  if (!(options.units_per_pixel >= 1e-150 && options.units_per_pixel <= 1e150)) {
    return fail(ErrorCode::kInvalidArgument, "units_per_pixel is " + std::to_string(options.units_per_pixel) +
                                                 ": give a number from 1e-150 to 1e150");
  }
  if (options.first_zoom > options.last_zoom || options.last_zoom >= kZooms) {
    return fail(ErrorCode::kInvalidArgument, "the zooms are " + std::to_string(options.first_zoom) + " to " +
                                                 std::to_string(options.last_zoom) +
                                                 ": give two from 0 to 30, the lower one first");
  }
  return check_sizes(options.widths, options.width, points, "width").and_then([&] {
    return check_sizes(options.heights, options.height, points, "height");
  });
}

/// Brings the points into rank order.
template <class T>
void gather(StridedColumn<T> xs, StridedColumn<T> ys, const RankedLabelsOptions& options,
            std::span<const std::uint32_t> index_of, std::span<Label> labels, const Executor& executor) {
  executor.parallel_for(labels.size(), kPointsOfTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t place = first; place < last; ++place) {
      const std::size_t i = index_of.empty() ? place : index_of[place];
      labels[place] = {.x = static_cast<double>(xs[i]),
                       .y = static_cast<double>(ys[i]),
                       .width = options.widths.empty() ? options.width : options.widths[i],
                       .height = options.heights.empty() ? options.height : options.heights[i]};
    }
  });
}

/// The lowest of all numbers that are added, in a span that may be too short for them.
class LowestNumbers {
 public:
  explicit LowestNumbers(std::span<std::uint32_t> out) noexcept : out_(out) {}

  void add(std::uint32_t number) noexcept {
    if (found_ < out_.size()) {
      out_[found_] = number;
      if (++found_ == out_.size()) {
        std::ranges::make_heap(out_);  // from here on the highest is in front
      }
      return;
    }
    ++found_;
    if (!out_.empty() && number < out_.front()) {
      std::ranges::pop_heap(out_);
      out_.back() = number;
      std::ranges::push_heap(out_);
    }
  }
  [[nodiscard]] std::size_t found() const noexcept { return found_; }
  [[nodiscard]] std::span<std::uint32_t> written() const noexcept {
    return out_.first(std::min(found_, out_.size()));
  }

 private:
  std::span<std::uint32_t> out_;
  std::size_t found_ = 0;
};

/// Adds the labels of rows [first, last) that are in the view.
void search_rows(const LabelsStore& store, const RectD& view, const LabelRow* first, const LabelRow* last,
                 LowestNumbers& best, QueryResult& result) noexcept {
  for (const LabelRow* row = first; row != last; ++row) {
    const double* const xs = store.xs.data();
    const double* const end = xs + (row + 1)->first;
    const double* const begin = std::lower_bound(xs + row->first, end, view.lx);
    std::size_t i = static_cast<std::size_t>(begin - xs);
    const std::size_t from = i;
    for (; xs + i != end && xs[i] <= view.hx; ++i) {
      if (view.ly <= store.ys[i] && store.ys[i] <= view.hy) {
        best.add(store.numbers[i]);
      }
    }
    result.tested += i - from;
    ++result.visited;
  }
}

}  // namespace

RankedLabels::RankedLabels(std::pmr::memory_resource* resource) : store_(make_owned<LabelsStore>(resource)) {}
RankedLabels::RankedLabels(RankedLabels&&) noexcept = default;
RankedLabels& RankedLabels::operator=(RankedLabels&&) noexcept = default;
RankedLabels::~RankedLabels() = default;

Result<RankedLabels> RankedLabels::build(CoordinateColumn xs, CoordinateColumn ys, RankColumn ranks,
                                         const RankedLabelsOptions& options, const Context& context,
                                         std::pmr::memory_resource* resource) {
  const Executor& executor = executor_or_serial(context.executor);
  JUXTA_TRY(ranked_detail::check_columns(xs, ys, ranks, executor));
  JUXTA_TRY(check_options(options, xs.size()));
  RankedLabels made(resource);
  LabelsStore& store = *made.store_;
  store.zooms = {options.first_zoom, options.last_zoom, options.units_per_pixel};
  const std::size_t size = xs.size();
  if (size == 0) {
    return made;
  }
  const auto cancelled = [] { return fail(ErrorCode::kCancelled, "the build of the labels was cancelled"); };
  if (!report(context.monitor, "order by rank", 0, 1)) {
    return cancelled();
  }
  Workspace own(resource);
  const BuildContext build{executor, context.workspace != nullptr ? *context.workspace : own};
  const Workspace::Scope scope(build.workspace);
  Array<std::uint32_t> index_of(resource);
  ranked_detail::order_by_rank(ranks, index_of, build);
  const auto labels = build.workspace.take<Label>(size);
  if (xs.type() == ScalarType::kDouble) {
    gather(xs.as<double>(), ys.as<double>(), options, index_of.span(), labels, executor);
  } else {
    gather(xs.as<float>(), ys.as<float>(), options, index_of.span(), labels, executor);
  }
  const auto due = build.workspace.take<std::uint8_t>(size);
  if (!ranked_detail::place_labels(labels, store.zooms, due, build.workspace, context.monitor)) {
    return cancelled();
  }
  ranked_detail::store_labels(store, labels, due, index_of.span(), build);
  return made;
}

QueryResult RankedLabels::top(const RectD& view, double zoom, std::span<std::uint32_t> out) const noexcept {
  const LabelsStore& store = *store_;
  QueryResult result;
  if (view.empty() || store.rows.empty() || !(zoom >= store.zooms.first)) {
    return result;
  }
  const unsigned shown_at = zoom < store.zooms.last ? static_cast<unsigned>(zoom) : store.zooms.last;
  LowestNumbers best(out);
  for (unsigned z = store.zooms.first; z <= shown_at; ++z) {
    const double rows_per_unit = store.zooms.rows_per_unit(z);
    const LabelRow* const begin = store.rows.data() + store.row_begin[z];
    const LabelRow* const end = store.rows.data() + store.row_begin[z + 1];
    const auto cell_of_row = [](const LabelRow& row) { return row.cell; };
    const auto* const first =
        std::ranges::lower_bound(begin, end, ranked_detail::cell_of(view.ly, rows_per_unit), {}, cell_of_row);
    const auto* const last =
        std::ranges::upper_bound(first, end, ranked_detail::cell_of(view.hy, rows_per_unit), {}, cell_of_row);
    search_rows(store, view, first, last, best, result);
  }
  const std::span<std::uint32_t> lowest = best.written();
  ranked_detail::PositionSort([](std::uint32_t) noexcept {})(lowest);
  for (std::uint32_t& number : lowest) {
    number = store.index_of[number];
  }
  result.found = best.found();
  result.written = lowest.size();
  return result;
}

std::uint8_t RankedLabels::appears_at_zoom(std::size_t index) const noexcept {
  return index < store_->appears.size() ? store_->appears[index] : kNever;
}

std::span<const std::uint8_t> RankedLabels::appears_at_zoom() const noexcept {
  return store_->appears.span();
}

std::size_t RankedLabels::size() const noexcept {
  return store_->appears.size();
}

std::size_t RankedLabels::shown() const noexcept {
  return store_->numbers.size();
}

unsigned RankedLabels::first_zoom() const noexcept {
  return store_->zooms.first;
}

unsigned RankedLabels::last_zoom() const noexcept {
  return store_->zooms.last;
}

std::size_t RankedLabels::memory_bytes() const noexcept {
  const LabelsStore& s = *store_;
  return sizeof(LabelsStore) + s.appears.memory_bytes() + s.xs.memory_bytes() + s.ys.memory_bytes() +
         s.numbers.memory_bytes() + s.index_of.memory_bytes() + s.rows.memory_bytes();
}

}  // namespace juxta
