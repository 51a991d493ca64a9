// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/query_result.h"
#include "juxta/points/neighbours.h"
#include "juxta/points/point_tree.h"

namespace juxta {

/// Where the k nearest go: k for each point. Behind those that there are: kNoPoint, infinity and NaN.
///
///   index     | point 0: a b c - | point 1: a b c d | ...
template <class Real>
struct NearestLists {
  std::span<std::uint32_t> index = {};
  std::span<Real> distance2 = {};  ///< Squared. Empty: not wanted.
  /// D numbers each, as NeighbourLists::displacement. Empty: not wanted.
  std::span<Real> displacement = {};
};

/// The largest k.
inline constexpr std::size_t kMostNearest = std::size_t{1} << 20;

/// The k nearest of each point of the tree, itself left out, at a distance of at most `max_distance`, which
/// may be infinite.
///
/// Result:  `found` is the number of neighbours written, `tested` the points that were looked at.
/// Order:   by (distance2, number).
/// Cost:    about 0.3 us a point for k = 8 in 3D, 0.1 us for k = 1; 1.1 us for k = 8 where many are equally
///          far, as on a lattice.
/// Memory:  some 130 bytes for each of k, for each thread at work.
/// Errors:  kInvalidArgument (max_distance negative or NaN; a list that is not k times as long as the points;
///          k above kMostNearest), kCancelled.
template <int D, class Real>
[[nodiscard]] Result<QueryResult> nearest(const BasicPointTree<D, Real>& tree, std::size_t k,
                                          SameReal<Real> max_distance,
                                          const NearestLists<SameReal<Real>>& lists,
                                          const Context& context = {});

/// The same for other points, interleaved as the tree's. A point of the tree in the same place is a
/// neighbour. Errors: also those of BasicPointTree::build(), with the index.
template <int D, class Real>
[[nodiscard]] Result<QueryResult> nearest(const BasicPointTree<D, Real>& tree,
                                          std::span<const SameReal<Real>> points, std::size_t k,
                                          SameReal<Real> max_distance,
                                          const NearestLists<SameReal<Real>>& lists,
                                          const Context& context = {});

}  // namespace juxta
