// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the kernel behind nearest, chosen for the running CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/query_result.h"
#include "ranked/filter_query.h"

namespace juxta::ranked_detail {

/// What is asked: x and y are finite.
struct NearestQuery {
  double x = 0, y = 0;
  double most_square = 0;  // the largest squared distance
  std::uint32_t end = 0;   // positions are below it; at least 1, at most view.positions()
  FilterQuery filter;
};

/// Writes the input indices of the points nearest to the query and their distances, ascending, by (squared
/// distance, position). `out` and `distances` have k places, at least one.
QueryResult nearest_points(const RankedView& view, const NearestQuery& query, std::size_t k,
                           std::uint32_t* out, double* distances) noexcept;

}  // namespace juxta::ranked_detail
