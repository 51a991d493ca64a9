// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: top-k under a filter, by whichever of three is read soonest. Include inside a kernel file only.
//
//   best   |0 1 2 3 4 ... n / 32|      the most important points, in rank order: as far as k are expected
//   run    |     |######|       |      all points of a narrow range of numbers
//   tree                               the tall tree
//
// Numbers may follow ranks, so that best points and tree read more than was expected: both have budgets, and
// then the run takes over.
//
// Limit: as TallTop, TopOfRun, and 12 bytes a point of the best ones, with a word per category asked for.

#if defined(JUXTA_RANKED_FILTERED_TOP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_FILTERED_TOP_INL_H
#undef JUXTA_RANKED_FILTERED_TOP_INL_H
#else
#define JUXTA_RANKED_FILTERED_TOP_INL_H
#endif

#include <algorithm>
#include <span>

#include "ranked/filter_kernel.h"
#include "ranked/tall_top-inl.h"
#include "ranked/value_run-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

/// Up to which position the best points are read, if they are likely to hold the answer and are read sooner
/// than anything else; else `first`. Numbers may follow ranks: then twice as far as expected is enough.
HWY_INLINE std::uint32_t EndOfBest(const RankedView& view, const ValueRun& run, const FilterQuery& query,
                                   double inside, std::uint32_t first, std::size_t k) {
  if (view.best.blocks == nullptr) {
    return first;
  }
  const std::uint64_t reach = ReachOf(view, inside * query.share, k), end = best_points(view.size);
  const double cost = static_cast<double>(reach) * kRunPoint;
  const bool pays = first + reach <= end && cost < SearchCost(query, inside, static_cast<double>(k)) &&
                    (run.column == nullptr || cost < run.points() * kRunPoint);
  return pays ? static_cast<std::uint32_t>(HWY_MIN(first + 2 * reach, end)) : first;
}

/// Writes the input indices of the first k of the positions from `first` to `end` that pass in any of
/// `queries`; how many there are.
template <class Query>
HWY_NOINLINE std::size_t TopOfBest(const RankedView& view, std::span<const Query> queries,
                                   const PointFilter& filter, std::uint32_t first, std::uint32_t end,
                                   std::size_t k, std::uint32_t* out, QueryResult& result) {
  std::size_t found = 0;
  for (std::size_t b = first / kBlockSize; b * kBlockSize < end && found < k; ++b) {
    const Block& block = view.best.blocks[b];
    ++result.visited;
    result.tested += kBlockSize;
    std::uint32_t hits = 0;
    for (const Query& query : queries) {
      std::uint32_t inside = InsideBits(block, query.outer);
      if (inside != 0) {
        inside &= filter.OfRun(view.best, b) & NameBits(block, first, end);
        hits |= query.Confirm(block, inside, [&](std::uint32_t bit) { return view.index(block.name[bit]); });
      }
    }
    for (; hits != 0 && found < k; hits &= hits - 1) {
      out[found++] = view.index(block.name[LowestBit(hits)]);
    }
  }
  return found;
}

/// TopOfRun() of one query, or of two that have no point in common: then k is at most kMostOfTwoParts.
template <class T, class Query>
HWY_INLINE QueryResult TopOfRunParts(const RankedView& view, const ValueRun& run,
                                     std::span<const Query> queries, const PointFilter& filter,
                                     std::uint32_t first, std::size_t k, std::uint32_t* out) {
  QueryResult result;
  if (queries.size() == 1) {
    result = TopOfRun<T>(run, queries[0], filter, first, k, out);
  } else {
    std::uint32_t part[2][kMostOfTwoParts], both[2 * kMostOfTwoParts];
    const QueryResult west = TopOfRun<T>(run, queries[0], filter, first, k, part[0]);
    const QueryResult east = TopOfRun<T>(run, queries[1], filter, first, k, part[1]);
    const auto* end = std::merge(part[0], part[0] + west.written, part[1], part[1] + east.written, both);
    result = {.written = std::min(k, static_cast<std::size_t>(end - both)),
              .tested = west.tested + east.tested,
              .visited = west.visited + east.visited};
    std::copy_n(both, result.written, out);
  }
  for (std::size_t i = 0; i < result.written; ++i) {
    out[i] = view.index(out[i]);
  }
  return result;
}

/// Writes the input indices of the k lowest positions from `first` on that pass in any of `queries`, at least
/// one, which have no point in common. `inside`: about how many points are in them, whether they pass or not.
/// `of_tree`: the same filter for the tree, of whose nodes it may know more.
template <class T, class Query, class Filter>
HWY_INLINE QueryResult TopFiltered(const RankedView& view, std::span<const Query> queries,
                                   const FilterQuery& query, const Filter& of_tree, double inside,
                                   std::uint32_t first, std::size_t k, std::uint32_t* out) {
  QueryResult result;
  const PointFilter filter(view, query);
  const ValueRun run = RunOf(view, query);
  std::size_t found = 0;
  if (const std::uint32_t end = EndOfBest(view, run, query, inside, first, k); end != first) {
    found = TopOfBest(view, queries, filter, first, end, k, out, result);
    first = end;
  }
  if (found < k && first < view.positions()) {
    QueryResult rest;
    if (RunPays(run, query, inside, static_cast<double>(k)) ||
        !TallTop<T>(view, queries, of_tree, inside * query.share, first, k - found, out + found, run.budget(),
                    rest)) {
      result.tested += rest.tested;
      result.visited += rest.visited;
      rest = TopOfRunParts<T>(view, run, queries, filter, first, k - found, out + found);
    }
    found += rest.written;
    result.tested += rest.tested;
    result.visited += rest.visited;
  }
  result.written = found;
  return result;
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
