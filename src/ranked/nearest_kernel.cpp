// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The k nearest of the points below a position.
//
//        +-----------+      The box of quanta around the circle of the k-th best so far leaves out points
//        |  .-----.  |      and children of nodes, 16 or 32 at a time. Of the points inside it the
//        | (   x   ) |      coordinates are looked at, many at a time, so that their misses overlap. When
//        |  '-----'  |      the circle has shrunk, so does the box.
//        +-----------+
//
//   the points below        are found through
//   few of all              the levels (ranked_view.h): they stay in cache
//   up to 1/32 of all       the nodes of a tree, and their top blocks, the 32 lowest of 512 points
//   more                    the nodes and leaves of a tree
//
// Limit:       the index and the coordinates of each point in the box, two misses one after the other; what
//              is in the box follows from the first points met, 1.5 to 3 times k.
// Determinism: squared distances in double, the same operations on every instruction set; all else only
//              leaves out what cannot be an answer. Of a node's bounds the nearest place is computed with the
//              operations of a point, each of which keeps the order of sizes, so rounding leaves out nothing.

#include "ranked/nearest_kernel.h"

#include <cmath>

#include "ranked/nearest_best.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/ranked/nearest_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "ranked/nearest_search-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

template <class T>
HWY_INLINE QueryResult NearestOf(const RankedView& view, const NearestQuery& query, std::size_t k,
                                 std::uint32_t* out, double* distances) {
  NearestBest best(out, distances, k, query.most_square);
  NearestSearch<T> search(view, query, best);
  search.Run();
  const std::size_t found = best.sort();
  for (std::size_t i = 0; i < found; ++i) {
    out[i] = view.index(out[i]);
    distances[i] = std::sqrt(distances[i]);
  }
  return {.found = found, .written = found, .tested = search.tested(), .visited = search.visited()};
}

QueryResult Nearest(const RankedView& view, const NearestQuery& query, std::size_t k, std::uint32_t* out,
                    double* distances) {
  return JUXTA_CALL_FOR_TYPE(view, NearestOf, view, query, k, out, distances);
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::ranked_detail {

JUXTA_KERNEL(Nearest);
QueryResult nearest_points(const RankedView& view, const NearestQuery& query, std::size_t k,
                           std::uint32_t* out, double* distances) noexcept {
  return JUXTA_CALL_KERNEL(Nearest)(view, query, k, out, distances);
}

}  // namespace juxta::ranked_detail
#endif  // HWY_ONCE
