// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/points/nearest_points.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <new>
#include <string>

#include "core/call_workspace.h"
#include "juxta/core/try.h"
#include "points/nearest_kernel.h"
#include "points/prepare.h"
#include "points/run.h"

namespace juxta {
namespace points_detail {
namespace {

template <int D, class Real>
Result<void> check_nearest(std::size_t points, std::size_t k, Real max_distance,
                           const NearestLists<Real>& lists) {
  if (!(max_distance >= 0)) {
    return fail(ErrorCode::kInvalidArgument, "max_distance must be a number from 0 on, or infinite");
  }
  if (k > kMostNearest) {
    return fail(ErrorCode::kInvalidArgument,
                "k is " + std::to_string(k) + ": at most " + std::to_string(kMostNearest) + " are found");
  }
  if (lists.index.size() != points * k ||
      (!lists.distance2.empty() && lists.distance2.size() != points * k)) {
    return fail(ErrorCode::kInvalidArgument, "room for " + std::to_string(lists.index.size()) +
                                                 " neighbours, but " + std::to_string(points) +
                                                 " points have " + std::to_string(k) + " each");
  }
  if (!lists.displacement.empty() && lists.displacement.size() != points * k * D) {
    return fail(ErrorCode::kInvalidArgument, "room for " + std::to_string(lists.displacement.size()) +
                                                 " numbers of displacements, but there are " +
                                                 std::to_string(points * k * D));
  }
  return {};
}

template <int D, class Real>
Result<QueryResult> find(const Search<D>& search, std::size_t k, const NearestLists<Real>& lists,
                         const Context& context) {
  if (k == 0) {
    return QueryResult{};
  }
  if (search.tree.count == 0) {
    std::fill(lists.index.begin(), lists.index.end(), kNoPoint);
    std::fill(lists.distance2.begin(), lists.distance2.end(), std::numeric_limits<Real>::infinity());
    std::fill(lists.displacement.begin(), lists.displacement.end(), std::numeric_limits<Real>::quiet_NaN());
  }
  ListMemory memory(huge_page_resource());
  memory.reset(0);
  const NearestTask<Real> task{static_cast<std::uint32_t>(k), lists.index.data(),
                               lists.distance2.empty() ? nullptr : lists.distance2.data(),
                               lists.displacement.empty() ? nullptr : lists.displacement.data(), &memory};
  std::atomic<std::size_t> found{0};
  auto result = run(
      search, "find the nearest", context, [&](std::uint32_t first, std::uint32_t last, SearchWork& work) {
        if (!memory.failed()) {
          found.fetch_add(nearest_blocks(search, task, first, last, work), std::memory_order_relaxed);
        }
      });
  if (memory.failed()) {
    throw std::bad_alloc();
  }
  if (result) {
    result->found = result->written = found;
  }
  return result;
}

}  // namespace
}  // namespace points_detail

using points_detail::Access;

template <int D, class Real>
Result<QueryResult> nearest(const BasicPointTree<D, Real>& tree, std::size_t k, SameReal<Real> max_distance,
                            const NearestLists<SameReal<Real>>& lists, const Context& context) {
  JUXTA_TRY(points_detail::check_nearest<D, Real>(tree.size(), k, max_distance, lists));
  points_detail::Limit limit;
  const auto search = points_detail::search_own(Access::store(tree), max_distance, limit);
  return points_detail::find<D, Real>(search, k, lists, context);
}

template <int D, class Real>
Result<QueryResult> nearest(const BasicPointTree<D, Real>& tree, std::span<const SameReal<Real>> points,
                            std::size_t k, SameReal<Real> max_distance,
                            const NearestLists<SameReal<Real>>& lists, const Context& context) {
  JUXTA_TRY(points_detail::check_nearest<D, Real>(points.size() / D, k, max_distance, lists));
  const CallWorkspace call(context);
  points_detail::OtherSeers<D> others(huge_page_resource());
  const Real radius = max_distance;
  JUXTA_TRY_LET(const auto search,
                points_detail::search_others(Access::store(tree), points, std::span<const Real>(&radius, 1),
                                             others, *call, executor_or_serial(context.executor)));
  return points_detail::find<D, Real>(search, k, lists, context);
}

#define JUXTA_POINTS_NEAREST(D, Real)                                                                 \
  template JUXTA_API Result<QueryResult> nearest(const BasicPointTree<D, Real>&, std::size_t,         \
                                                 SameReal<Real>, const NearestLists<SameReal<Real>>&, \
                                                 const Context&);                                     \
  template JUXTA_API Result<QueryResult> nearest(                                                     \
      const BasicPointTree<D, Real>&, std::span<const SameReal<Real>>, std::size_t, SameReal<Real>,   \
      const NearestLists<SameReal<Real>>&, const Context&)

JUXTA_POINTS_NEAREST(2, float);
JUXTA_POINTS_NEAREST(3, float);
JUXTA_POINTS_NEAREST(2, double);
JUXTA_POINTS_NEAREST(3, double);
#undef JUXTA_POINTS_NEAREST

}  // namespace juxta
