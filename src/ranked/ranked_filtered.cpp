// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// RankedPoints::top and count with a filter, in a region and in batches, and pages of all of these: chooses
// the set of points and the kernel that answer.

#include <algorithm>
#include <atomic>
#include <numeric>
#include <string>

#include "juxta/core/error.h"
#include "juxta/core/try.h"
#include "juxta/ranked/ranked_points.h"
#include "ranked/cursor.h"
#include "ranked/filter_kernel.h"
#include "ranked/filter_plan.h"
#include "ranked/region_kernel.h"
#include "ranked/store.h"
#include "ranked/top_kernel.h"

namespace juxta {
namespace {

using ranked_detail::plan_of;
using ranked_detail::RankedView;
using Plan = ranked_detail::FilterPlan;

constexpr RectD kNowhere = {1, 1, 0, 0};

QueryResult top_of(const Plan& plan, const RectD& rect, std::size_t k, std::uint32_t* out) noexcept {
  QueryResult result = plan.filtered()
                           ? ranked_detail::top_filtered(*plan.set, plan.query, {rect, kNowhere}, 0, k, out)
                           : ranked_detail::top_points(*plan.set, rect, k, out);
  result.found = result.written;
  return result;
}

/// Of positions from `first` on. Not of a rectangle.
QueryResult top_of(const Plan& plan, const RankedRegion& region, std::uint32_t first, std::size_t k,
                   std::uint32_t* out) noexcept {
  const bool two_parts = region.kind() == RankedRegion::Kind::kAcross && k <= ranked_detail::kMostOfTwoParts;
  QueryResult result = two_parts
                           ? ranked_detail::top_filtered(*plan.set, plan.query, region.parts(), first, k, out)
                           : ranked_detail::top_in_region(*plan.set, plan.query, region, first, k, out);
  result.found = result.written;
  return result;
}

/// The same, also of a rectangle.
QueryResult page_of(const Plan& plan, const RankedRegion& region, std::uint32_t first, std::size_t k,
                    std::uint32_t* out) noexcept {
  if (region.kind() != RankedRegion::Kind::kRect) {
    return top_of(plan, region, first, k, out);
  }
  const RectD rect = region.bounds();
  QueryResult result =
      plan.filtered() ? ranked_detail::top_filtered(*plan.set, plan.query, {rect, kNowhere}, first, k, out)
                      : ranked_detail::top_points_from(*plan.set, rect, first, k, out);
  result.found = result.written;
  return result;
}

/// Points behind the point `own`, if a list has them.
bool page_of_list(const RankedView& set, const RankedRegion& region, std::uint32_t own, std::size_t k,
                  std::uint32_t* out, QueryResult& result) noexcept {
  return region.kind() == RankedRegion::Kind::kRect
             ? ranked_detail::top_points_behind(set, region.bounds(), own, k, out, result)
             : ranked_detail::top_in_region_behind(set, region, own, k, out, result);
}

QueryResult count_of(const Plan& plan, const RectD& rect) noexcept {
  return plan.filtered() ? ranked_detail::count_filtered(*plan.set, plan.query, rect)
                         : ranked_detail::count_points(*plan.set, rect);
}

/// Answers rectangles [first, first + counts.size()): up to k indices each, and how many.
void top_of_all(const Plan& plan, std::span<const RectD> rects, std::size_t k, std::uint32_t* out,
                std::span<std::uint32_t> counts) noexcept {
  if (!plan.filtered()) {
    ranked_detail::top_points_batch(*plan.set, rects, k, out, counts.data());
    return;
  }
  for (std::size_t i = 0; i < rects.size(); ++i) {
    counts[i] = static_cast<std::uint32_t>(top_of(plan, rects[i], k, out + i * k).written);
  }
}

/// Calls f(first, last) for parts of the rectangles and adds up their counts. Large parts hide more misses;
/// with many threads, small parts end sooner.
template <class F>
std::size_t for_each_part(std::size_t size, std::span<std::uint32_t> counts, const Context& context, F f) {
  std::atomic<std::size_t> sum{0};
  const Executor& executor = executor_or_serial(context.executor);
  const std::size_t part = &executor == &serial_executor() ? size : 64;
  executor.parallel_for(size, part, [&](std::size_t first, std::size_t last) {
    f(first, last);
    const auto own = counts.subspan(first, last - first);
    sum.fetch_add(std::accumulate(own.begin(), own.end(), std::size_t{0}), std::memory_order_relaxed);
  });
  return sum;
}

}  // namespace

QueryResult RankedPoints::top(const RectD& rect, std::size_t k, std::span<std::uint32_t> out,
                              const RankedFilter& filter) const noexcept {
  const Plan plan = plan_of(store_->view, filter);
  const std::size_t wanted = plan.set == nullptr ? 0 : std::min({k, out.size(), plan.set->size});
  return wanted == 0 ? QueryResult{} : top_of(plan, rect, wanted, out.data());
}

QueryResult RankedPoints::count(const RectD& rect, const RankedFilter& filter) const noexcept {
  const Plan plan = plan_of(store_->view, filter);
  return plan.set == nullptr ? QueryResult{} : count_of(plan, rect);
}

Result<QueryResult> RankedPoints::top(std::span<const RectD> rects, std::size_t k,
                                      std::span<std::uint32_t> out, std::span<std::uint32_t> counts,
                                      const RankedFilter& filter, const Context& context) const {
  if (counts.size() < rects.size() || (k != 0 && out.size() / k < rects.size())) {
    return fail(ErrorCode::kInvalidArgument, std::to_string(rects.size()) +
                                                 " rectangles need as many counts and " + std::to_string(k) +
                                                 " indices each: enlarge the outputs");
  }
  const Plan plan = plan_of(store_->view, filter);
  if (k == 0 || plan.set == nullptr) {
    std::fill_n(counts.begin(), rects.size(), 0);
    return QueryResult{};
  }
  const std::size_t found =
      for_each_part(rects.size(), counts, context, [&](std::size_t first, std::size_t last) {
        top_of_all(plan, rects.subspan(first, last - first), k, out.data() + first * k,
                   counts.subspan(first, last - first));
      });
  return QueryResult{.found = found, .written = found};
}

Result<QueryResult> RankedPoints::count(std::span<const RectD> rects, std::span<std::uint32_t> counts,
                                        const RankedFilter& filter, const Context& context) const {
  if (counts.size() < rects.size()) {
    return fail(ErrorCode::kInvalidArgument,
                std::to_string(rects.size()) + " rectangles need as many counts: enlarge the output");
  }
  const Plan plan = plan_of(store_->view, filter);
  const std::size_t found =
      for_each_part(rects.size(), counts, context, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
          counts[i] = plan.set == nullptr ? 0 : static_cast<std::uint32_t>(count_of(plan, rects[i]).found);
        }
      });
  return QueryResult{.found = found};
}

QueryResult RankedPoints::top(const RankedRegion& region, std::size_t k, std::span<std::uint32_t> out,
                              const RankedFilter& filter) const noexcept {
  if (region.kind() == RankedRegion::Kind::kRect) {
    return top(region.bounds(), k, out, filter);
  }
  const Plan plan = plan_of(store_->view, filter);
  const std::size_t wanted = plan.set == nullptr ? 0 : std::min({k, out.size(), plan.set->size});
  return wanted == 0 ? QueryResult{} : top_of(plan, region, 0, wanted, out.data());
}

QueryResult RankedPoints::count(const RankedRegion& region, const RankedFilter& filter) const noexcept {
  if (region.kind() == RankedRegion::Kind::kRect) {
    return count(region.bounds(), filter);
  }
  if (region.kind() == RankedRegion::Kind::kAcross) {
    const auto parts = region.parts();
    const QueryResult west = count(parts[0], filter), east = count(parts[1], filter);
    return {.found = west.found + east.found,
            .tested = west.tested + east.tested,
            .visited = west.visited + east.visited};
  }
  const Plan plan = plan_of(store_->view, filter);
  return plan.set == nullptr ? QueryResult{} : ranked_detail::count_in_region(*plan.set, plan.query, region);
}

Result<QueryResult> RankedPoints::top_after(const RankedCursor& after, const RectD& rect, std::size_t k,
                                            std::span<std::uint32_t> out, const RankedFilter& filter) const {
  return top_after(after, RankedRegion::rect(rect), k, out, filter);
}

Result<QueryResult> RankedPoints::top_after(const RankedCursor& after, const RankedRegion& region,
                                            std::size_t k, std::span<std::uint32_t> out,
                                            const RankedFilter& filter) const {
  const RankedView& view = store_->view;
  const Plan plan = plan_of(view, filter);
  const std::size_t wanted = plan.set == nullptr ? 0 : std::min({k, out.size(), plan.set->size});
  if (view.size == 0) {
    return QueryResult{};
  }
  JUXTA_TRY_LET(const std::uint32_t own, ranked_detail::own_point(view, after));
  QueryResult result;
  if (wanted == 0 || (own != ranked_detail::kNoPoint && !plan.filtered() &&
                      page_of_list(*plan.set, region, own, wanted, out.data(), result))) {
    result.found = result.written;
    return result;
  }
  const std::size_t first = ranked_detail::position_after(view, after);
  const std::size_t most = std::min(wanted, view.size - first);
  return most == 0 ? QueryResult{}
                   : page_of(plan, region, static_cast<std::uint32_t>(first), most, out.data());
}

std::uint64_t RankedPoints::categories() const noexcept {
  return store_->view.categories.used;
}

}  // namespace juxta
