// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace juxta {

/// What a query found, and what it cost.
struct QueryResult {
  /// Answers that exist, also when `out` is too short. A query that stops early (a visitor said so, or only
  /// the first were asked for) counts those up to there.
  std::size_t found = 0;
  std::size_t written = 0;  ///< Stored in `out`, or handed to the visitor.
  std::size_t tested = 0;   ///< Elements compared with the query: boxes, points, agents.
  std::size_t visited = 0;  ///< Blocks of elements and tree nodes read.
  friend bool operator==(const QueryResult&, const QueryResult&) = default;
};

}  // namespace juxta
