// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: top-k through the tall tree alone, for questions that lists cannot answer. Include inside a
// kernel file only.
//
// Limit: as TreeSearch below Candidates::kMost results, as TreeGather above.

#if defined(JUXTA_RANKED_TALL_TOP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_TALL_TOP_INL_H
#undef JUXTA_RANKED_TALL_TOP_INL_H
#else
#define JUXTA_RANKED_TALL_TOP_INL_H
#endif

#include <span>

#include "ranked/estimate-inl.h"
#include "ranked/tree_gather-inl.h"
#include "ranked/tree_search-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

/// Writes the input indices of the k lowest positions from `first` on that pass `filter` in any of `queries`,
/// which have no point in common. Each search goes on from what the one before has found. With more than one
/// query, k is below Candidates::kMost. `expected`: about how many points are inside and pass. False: after
/// `budget` nodes and blocks it has not come to an end, and what is in `out` means nothing.
template <class T, class Query, class Filter>
HWY_INLINE bool TallTop(const RankedView& view, std::span<const Query> queries, const Filter& filter,
                        double expected, std::uint32_t first, std::size_t k, std::uint32_t* out,
                        std::size_t budget, QueryResult& result) {
  if (k < Candidates::kMost) {
    Candidates best(k, static_cast<std::uint32_t>(view.positions()), first);
    for (const Query& query : queries) {
      TreeSearch<T, Filter, Query> search(view, view.tall, query, best, filter);
      const bool ended = search.Run(ReachOf(view, expected, k), budget);
      result.tested += search.tested();
      result.visited += search.visited();
      if (!ended) {
        return false;
      }
      best.tighten();
    }
    result.written = best.finish(out);
  } else if (!queries.empty()) {
    TreeGather<T, Filter, Query> search(view, view.tall, queries[0], expected, k, out, filter);
    const bool ended = search.RunWithin(budget, first);
    result.tested += search.tested();
    result.visited += search.visited();
    if (!ended) {
      return false;
    }
    result.written = search.size();
  }
  for (std::size_t i = 0; i < result.written && view.index_of != nullptr; ++i) {
    out[i] = view.index_of[out[i]];
  }
  return true;
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
