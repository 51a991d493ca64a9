// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the pairs of blocks of points.
#pragma once

#include <cstddef>
#include <cstdint>

#include "juxta/core/function_ref.h"
#include "juxta/points/point_pairs.h"
#include "points/search.h"

namespace juxta::points_detail {

/// Where pairs go: [at, end), of which up to 32 behind `at` may be overwritten. `more` makes room for at
/// least kLeastRoom; false: stop.
struct PairSink {
  static constexpr std::ptrdiff_t kLeastRoom = std::ptrdiff_t{2} * kLanes;

  PointPair* at = nullptr;
  PointPair* end = nullptr;
  FunctionRef<bool(PairSink&)> more;
};

/// Of each point in blocks [first, last) with those behind it in the tree; false when the sink said stop. The
/// search is among a tree's own points.
template <int D>
bool pair_blocks(const Search<D>& search, PairSink& sink, std::uint32_t first, std::uint32_t last,
                 SearchWork& work) noexcept;
/// Its plain twin: all pairs.
template <int D>
bool pair_blocks_plain(const Search<D>& search, PairSink& sink, std::uint32_t first,
                       std::uint32_t last) noexcept;

}  // namespace juxta::points_detail
