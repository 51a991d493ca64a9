// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/points/neighbours.h"

#include <algorithm>
#include <new>
#include <numeric>
#include <string>
#include <utility>

#include "core/call_workspace.h"
#include "juxta/core/try.h"
#include "points/neighbours_kernel.h"
#include "points/prepare.h"
#include "points/run.h"
#include "points/table_store.h"

namespace juxta {
namespace points_detail {
namespace {

Result<void> check_counts(std::size_t points, std::size_t counts) {
  if (counts == points) {
    return {};
  }
  return fail(ErrorCode::kInvalidArgument, "room for " + std::to_string(counts) + " counts, but there are " +
                                               std::to_string(points) + " points: give one for each");
}

template <int D>
Result<QueryResult> count(const Search<D>& search, bool half, std::span<std::uint32_t> counts,
                          const Context& context) {
  if (search.tree.count == 0) {
    std::fill(counts.begin(), counts.end(), 0);
  }
  JUXTA_TRY_LET(QueryResult result, run(search, "count neighbours", context,
                                        [&](std::uint32_t first, std::uint32_t last, SearchWork& work) {
                                          count_blocks(search, half, first, last, counts.data(), work);
                                        }));
  result.found = result.written = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  return result;
}

/// The lists of a search that the store refers to.
template <int D, class Real>
Result<void> find_all(TableStore<D, Real>& store, bool half, const NeighbourOptions& options,
                      const Context& context) {
  const std::size_t seers = store.search.seers.count;
  store.options = options;
  store.offsets.resize_discard(seers + 1);
  store.list_of.resize_discard(seers);
  store.memory.reset(seers * 32);
  std::fill(store.offsets.begin(), store.offsets.end(), 0);
  const FindTask task{
      half, options.sorted, options.measured, store.offsets.data() + 1, store.list_of.data(), &store.memory};
  const auto result = run(store.search, "find neighbours", context,
                          [&](std::uint32_t first, std::uint32_t last, SearchWork& work) {
                            if (!store.memory.failed()) {
                              find_blocks(store.search, task, first, last, work);
                            }
                          });
  if (store.memory.failed()) {
    store.clear();
    throw std::bad_alloc();
  }
  if (!result) {
    store.clear();
    JUXTA_TRY(result);
  }
  std::partial_sum(store.offsets.begin(), store.offsets.end(), store.offsets.begin());
  return {};
}

template <int D, class Real>
Result<void> check_lists(const TableStore<D, Real>& store, const NeighbourLists<D, Real>& lists) {
  const std::size_t all = store.offsets[store.offsets.size() - 1];
  const std::pair<std::size_t, const char*> rooms[] = {
      {lists.index.size(), "neighbours"},       {lists.index64.size(), "neighbours"},
      {lists.pairs.size(), "numbers of pairs"}, {lists.pairs64.size(), "numbers of pairs"},
      {lists.distance.size(), "distances"},     {lists.displacement.size(), "numbers of displacements"}};
  const std::size_t needed[] = {all, all, 2 * all, 2 * all, all, all * D};
  for (std::size_t i = 0; i < std::size(needed); ++i) {
    if (rooms[i].first != 0 && rooms[i].first < needed[i]) {
      return fail(ErrorCode::kInvalidArgument, "room for " + std::to_string(rooms[i].first) + " " +
                                                   rooms[i].second + ", but there are " +
                                                   std::to_string(needed[i]));
    }
  }
  if (!store.options.measured && (!lists.distance.empty() || !lists.displacement.empty())) {
    return fail(ErrorCode::kInvalidArgument,
                "build the table with NeighbourOptions::measured to write distances or displacements");
  }
  return {};
}

template <class T>
T* data_or_null(std::span<T> span) noexcept {
  return span.empty() ? nullptr : span.data();
}

}  // namespace
}  // namespace points_detail

using points_detail::Access;
using points_detail::TableStore;

template <int D, class Real>
Result<QueryResult> count_neighbours(const BasicPointTree<D, Real>& tree, SameReal<Real> radius,
                                     std::span<std::uint32_t> counts, const NeighbourOptions& options,
                                     const Context& context) {
  JUXTA_TRY(points_detail::check_counts(tree.size(), counts.size()));
  JUXTA_TRY(points_detail::check_radius(radius));
  points_detail::Limit limit;
  const auto search = points_detail::search_own(Access::store(tree), radius, limit);
  return points_detail::count(search, options.half, counts, context);
}

template <int D, class Real>
Result<QueryResult> count_neighbours(const BasicPointTree<D, Real>& tree,
                                     std::span<const SameReal<Real>> points,
                                     std::span<const SameReal<Real>> radii, std::span<std::uint32_t> counts,
                                     const NeighbourOptions&, const Context& context) {
  JUXTA_TRY(points_detail::check_counts(points.size() / D, counts.size()));
  const CallWorkspace call(context);
  points_detail::OtherSeers<D> others(huge_page_resource());
  JUXTA_TRY_LET(const auto search, points_detail::search_others(Access::store(tree), points, radii, others,
                                                                *call, executor_or_serial(context.executor)));
  return points_detail::count(search, false, counts, context);
}

template <int D, class Real>
BasicNeighbourTable<D, Real>::BasicNeighbourTable(std::pmr::memory_resource* resource)
    : store_(make_owned<TableStore<D, Real>>(resource)) {}

template <int D, class Real>
Result<BasicNeighbourTable<D, Real>> BasicNeighbourTable<D, Real>::build(
    const Tree& tree, Real radius, const NeighbourOptions& options, const Context& context,
    std::pmr::memory_resource* resource) {
  BasicNeighbourTable table(resource);
  JUXTA_TRY(table.rebuild(tree, radius, options, context));
  return table;
}

template <int D, class Real>
Result<BasicNeighbourTable<D, Real>> BasicNeighbourTable<D, Real>::build(
    const Tree& tree, std::span<const Real> points, std::span<const Real> radii,
    const NeighbourOptions& options, const Context& context, std::pmr::memory_resource* resource) {
  BasicNeighbourTable table(resource);
  JUXTA_TRY(table.rebuild(tree, points, radii, options, context));
  return table;
}

template <int D, class Real>
Result<void> BasicNeighbourTable<D, Real>::rebuild(const Tree& tree, Real radius,
                                                   const NeighbourOptions& options, const Context& context) {
  store_->clear();
  JUXTA_TRY(points_detail::check_radius(radius));
  store_->search = points_detail::search_own(Access::store(tree), radius, store_->limit);
  return points_detail::find_all(*store_, options.half, options, context);
}

template <int D, class Real>
Result<void> BasicNeighbourTable<D, Real>::rebuild(const Tree& tree, std::span<const Real> points,
                                                   std::span<const Real> radii,
                                                   const NeighbourOptions& options, const Context& context) {
  store_->clear();
  const CallWorkspace call(context);
  JUXTA_TRY_LET(store_->search,
                points_detail::search_others(Access::store(tree), points, radii, store_->others, *call,
                                             executor_or_serial(context.executor)));
  return points_detail::find_all(*store_, false, options, context);
}

template <int D, class Real>
std::size_t BasicNeighbourTable<D, Real>::size() const noexcept {
  return store_->offsets.size() - 1;
}
template <int D, class Real>
std::size_t BasicNeighbourTable<D, Real>::found() const noexcept {
  return store_->offsets[store_->offsets.size() - 1];
}
template <int D, class Real>
std::span<const std::uint64_t> BasicNeighbourTable<D, Real>::offsets() const noexcept {
  return store_->offsets.span();
}
template <int D, class Real>
std::size_t BasicNeighbourTable<D, Real>::memory_bytes() const noexcept {
  const points_detail::OtherSeers<D>& others = store_->others;
  return store_->offsets.memory_bytes() + store_->list_of.memory_bytes() + store_->memory.memory_bytes() +
         others.blocks.memory_bytes() + others.number.memory_bytes() + others.nodes.memory_bytes() +
         others.exact.memory_bytes() + others.limits.memory_bytes();
}

template <int D, class Real>
Result<QueryResult> BasicNeighbourTable<D, Real>::write(const NeighbourLists<D, Real>& lists,
                                                        const Context& context) const {
  const TableStore<D, Real>& store = *store_;
  JUXTA_TRY(points_detail::check_lists(store, lists));
  points_detail::WriteTask<Real> task{store.options.sorted, store.options.measured, store.offsets.data(),
                                      store.list_of.data()};
  task.index = points_detail::data_or_null(lists.index);
  task.index64 = points_detail::data_or_null(lists.index64);
  task.pairs = points_detail::data_or_null(lists.pairs);
  task.pairs64 = points_detail::data_or_null(lists.pairs64);
  task.distance = points_detail::data_or_null(lists.distance);
  task.displacement = points_detail::data_or_null(lists.displacement);
  JUXTA_TRY(points_detail::run(store.search, "write neighbours", context,
                               [&](std::uint32_t first, std::uint32_t last, points_detail::SearchWork&) {
                                 points_detail::write_blocks<D>(store.search, task, first, last);
                               }));
  return QueryResult{.found = found(), .written = found()};
}

template class BasicNeighbourTable<2, float>;
template class BasicNeighbourTable<3, float>;
template class BasicNeighbourTable<2, double>;
template class BasicNeighbourTable<3, double>;

#define JUXTA_POINTS_COUNT(D, Real)                                                                          \
  template JUXTA_API Result<QueryResult> count_neighbours(const BasicPointTree<D, Real>&, SameReal<Real>,    \
                                                          std::span<std::uint32_t>, const NeighbourOptions&, \
                                                          const Context&);                                   \
  template JUXTA_API Result<QueryResult> count_neighbours(                                                   \
      const BasicPointTree<D, Real>&, std::span<const SameReal<Real>>, std::span<const SameReal<Real>>,      \
      std::span<std::uint32_t>, const NeighbourOptions&, const Context&)

JUXTA_POINTS_COUNT(2, float);
JUXTA_POINTS_COUNT(3, float);
JUXTA_POINTS_COUNT(2, double);
JUXTA_POINTS_COUNT(3, double);
#undef JUXTA_POINTS_COUNT

}  // namespace juxta
