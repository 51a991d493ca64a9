// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The parts of 'juxta query': the questions, their answers, and how those are told.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/files/box_table.h"
#include "juxta/layer/layer.h"

namespace juxta::tool {

/// One question: the numbers that QueryTable has for its kind.
struct Query {
  QueryKind kind = QueryKind::kBox;
  std::array<float, 7> numbers{};
};

/// How much of an answer is wanted.
enum class Amount { kAll, kAny, kCount, kFirst };

/// What to ask.
struct QueryPlan {
  std::vector<Query> queries;
  Amount amount = Amount::kAll;
  std::size_t first = 0;                                  ///< Of kFirst: how many.
  float within = std::numeric_limits<float>::infinity();  ///< How far the nearest box may be.
};

/// "box", "ray", "segment", "nearest".
[[nodiscard]] const char* kind_name(QueryKind kind) noexcept;

/// A query from the command line, for a file of this many dimensions. Errors: kInvalidArgument.
[[nodiscard]] Result<Query> parse_query(QueryKind kind, const std::string& text, int dimensions);
/// All queries of a CSV file. Errors: as parse_queries_csv(), and kInvalidArgument (other dimensions).
[[nodiscard]] Result<std::vector<Query>> load_queries(const std::string& file, int dimensions);

/// A body that a query found.
struct Hit {
  std::uint32_t body;
  float at;  ///< Ray, segment: t. Nearest: the distance. Box: 0.
};
struct Answer {
  std::vector<Hit> hits;  ///< Box: ascending by body (kFirst: in the layer's order); ray: by (t, body).
  std::size_t count = 0;  ///< How many there are, where the plan asks for that; else hits.size().
};

/// One answer per query. Single-threaded; Errors: none.
template <int D>
[[nodiscard]] std::vector<Answer> ask(const BasicLayer<D>& layer, const QueryPlan& plan);

/// CSV: query, kind, body (or count), then name, t and distance where they mean something.
[[nodiscard]] std::string format_answers(const QueryPlan& plan, const std::vector<Answer>& answers,
                                         const BoxTable& table);
/// A list of one object per query.
[[nodiscard]] std::string json_answers(const QueryPlan& plan, const std::vector<Answer>& answers,
                                       const BoxTable& table);

}  // namespace juxta::tool
