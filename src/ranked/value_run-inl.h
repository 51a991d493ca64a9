// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: top-k, count and all points of a narrow range of numbers: one run of the points in the order of
// their numbers. Include inside a kernel file only.
//
//   by price   |1 1 2 2 3|4 4 5 5 5|5 6 6 7 8|     the last hour, one price: as many points as it has,
//                     ^-----------------^           wherever they are
//
// Limit: 12 to 16 bytes a point of the run, in order; a word per category asked for.

#if defined(JUXTA_RANKED_VALUE_RUN_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_VALUE_RUN_INL_H
#undef JUXTA_RANKED_VALUE_RUN_INL_H
#else
#define JUXTA_RANKED_VALUE_RUN_INL_H
#endif

#include <algorithm>
#include <cmath>
#include <span>

#include "ranked/many_hits-inl.h"
#include "ranked/tree_count-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

// What is read, in ns, as measured: a point of a run; all points in a box, and those along its border; a
// point that a search has to meet.
inline constexpr double kRunPoint = 0.2;
HWY_INLINE double BoxCost(double inside) {
  return 1.5 * inside + 150 * std::sqrt(inside);
}
HWY_INLINE double SearchCost(const FilterQuery& query, double inside, double k) {
  return HWY_MIN(BoxCost(inside), 4000 + 40 * k / query.share);
}

/// The blocks that hold the points of a range. Of the inner ones, all points are in it:
///
///   blocks   |..####|######|######|##....|
///            begin  inner  inner  end - 1
struct ValueRun {
  const ValueView* column = nullptr;  // null: no range is asked
  std::size_t begin = 0, end = 0, inner_begin = 0, inner_end = 0;
  FilterQuery inner;  // what is left to ask of the points of inner blocks

  [[nodiscard]] double points() const { return static_cast<double>((end - begin) * kBlockSize); }
  /// Of a search that looked shorter: numbers may follow ranks or places, and then it is not. A node or block
  /// that it visits takes as long as four of a run.
  [[nodiscard]] std::size_t budget() const { return column == nullptr ? SIZE_MAX : (end - begin) / 4; }
};

/// The shortest run of the ranges that are asked.
HWY_INLINE ValueRun RunOf(const RankedView& view, const FilterQuery& query) {
  ValueRun run;
  std::uint32_t least = kNoPoint;
  for (std::size_t i = 0; i < kMostValues; ++i) {
    const ValueRange& range = query.ranges[i];
    if (!range.asked || range.run_end - range.run_begin >= least) {
      continue;
    }
    least = range.run_end - range.run_begin;
    run.column = &view.values.column[i];
    run.begin = range.run_begin / kBlockSize;
    run.end = (range.run_end - 1) / kBlockSize + 1;
    const std::uint32_t* const quantum = run.column->begin + range.first;
    const std::uint32_t pure = quantum[range.first_is_mixed ? 1 : 0];
    const std::uint32_t pure_end = run.column->begin[range.last + (range.last_is_mixed ? 0 : 1)];
    run.inner_begin = (pure + kBlockSize - 1) / kBlockSize;
    run.inner_end = pure_end / kBlockSize;
    run.inner = query;
    run.inner.ranges[i].asked = false;
    run.inner.asks_ranges = query.ranges[1 - i].asked;
  }
  return run;
}

/// Calls take(block, passing) for the blocks with points in the outer bounds of `box`, and those that pass.
template <class Query, class Take>
HWY_INLINE void VisitRun(const ValueRun& run, const Query& box, const PointFilter& filter, const Take& take) {
  const RankedView& view = *box.view;
  const PointFilter inner(view, run.inner);
  const bool all_pass = run.inner.passes_all();
  for (std::size_t b = run.begin; b < run.end; ++b) {
    const Block& block = run.column->run.blocks[b];
    std::uint32_t inside = InsideBits(block, box.outer);
    if (inside == 0) {  // most points of the run are somewhere else
      continue;
    }
    if (b < run.inner_begin || b >= run.inner_end) {
      inside &= filter.OfRun(run.column->run, b) & UsedLanes(view, b);
    } else if (!all_pass) {
      inside &= inner.OfRun(run.column->run, b);
    }
    take(block, inside);
  }
}

/// Whether the run is read sooner than the tall tree is searched, for k of the points that pass, of which
/// there are `inside` in the query, whether they pass or not. For a count, k is all of them.
HWY_INLINE bool RunPays(const ValueRun& run, const FilterQuery& query, double inside, double k) {
  return run.column != nullptr && run.points() * kRunPoint < SearchCost(query, inside, k);
}

/// Writes the k lowest positions from `first` on that pass, ascending. `out` has k places.
template <class T, class Query>
HWY_NOINLINE QueryResult TopOfRun(const ValueRun& run, const Query& query, const PointFilter& filter,
                                  std::uint32_t first, std::size_t k, std::uint32_t* out) {
  const RankedView& view = *query.view;
  ManyHits<T, Query> hits(view, query, k, out);
  hits.Begin(first, static_cast<std::uint32_t>(view.size), true);
  VisitRun(run, query, filter,
           [&](const Block& block, std::uint32_t passing) { hits.Take(block, passing, 0); });
  hits.End();
  return {.written = hits.size(), .tested = hits.tested(), .visited = run.end - run.begin};
}

template <class Query>
HWY_NOINLINE void CountRun(const ValueRun& run, const Query& query, const PointFilter& filter,
                           QueryResult& result) {
  VisitRun(run, query, filter, [&](const Block& block, std::uint32_t passing) {
    result.found += hwy::PopCount(
        query.Confirm(block, passing, [&](std::uint32_t bit) { return query.view->index(block.name[bit]); }));
  });
  result.visited += run.end - run.begin;
  result.tested += (run.end - run.begin) * kBlockSize;
}

/// How many points in `box` pass, by what is read sooner. `inside`: about how many there are.
template <class Query>
HWY_INLINE void CountTreeOrRun(const RankedView& view, const Query& box, const FilterQuery& query,
                               double inside, QueryResult& result) {
  const PointFilter filter(view, query);
  const ValueRun run = RunOf(view, query);
  if (RunPays(run, query, inside, inside)) {
    CountRun(run, box, filter, result);
  } else {
    CountTree(view.tall, box, result, filter);
  }
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
