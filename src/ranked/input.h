// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the columns that RankedPoints and RankedLabels are built from.
#pragma once

#include <cstdint>

#include "juxta/core/array.h"
#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/ranked/column.h"
#include "ranked/store.h"

namespace juxta::ranked_detail {

/// Calls f with a value of the column's type.
template <class F>
auto with_type(ScalarType type, F f) {
  switch (type) {
    case ScalarType::kInt32:
      return f(std::int32_t{});
    case ScalarType::kInt64:
      return f(std::int64_t{});
    case ScalarType::kFloat:
      return f(float{});
    case ScalarType::kDouble:
      break;
  }
  return f(double{});
}

/// Errors: kInvalidArgument (lengths or types differ), kTooLarge, kUnsupportedCpu, kNotFinite (a coordinate,
/// or a rank that is NaN; with the index).
[[nodiscard]] Result<void> check_columns(CoordinateColumn xs, CoordinateColumn ys, RankColumn ranks,
                                         const Executor& executor);

/// Stable order of the points by rank: index_of[place] is an input index. Empty when that is the input order
/// already. At least one point.
void order_by_rank(RankColumn ranks, Array<std::uint32_t>& index_of, const BuildContext& context);

}  // namespace juxta::ranked_detail
