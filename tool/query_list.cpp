// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "juxta/core/try.h"
#include "juxta/files/read_boxes.h"
#include "juxta/files/read_points.h"
#include "tool/arguments.h"
#include "tool/query.h"

namespace juxta::tool {
namespace {

/// What stands behind an option, for an error message.
const char* form_of(QueryKind kind, int dimensions) noexcept {
  const bool flat = dimensions == 2;
  switch (kind) {
    case QueryKind::kBox:
      return flat ? "lx,ly,hx,hy" : "lx,ly,lz,hx,hy,hz";
    case QueryKind::kRay:
      return flat ? "ox,oy,dx,dy (and the largest t)" : "ox,oy,oz,dx,dy,dz (and the largest t)";
    case QueryKind::kSegment:
      return flat ? "ax,ay,bx,by" : "ax,ay,az,bx,by,bz";
    case QueryKind::kPoint:
      return flat ? "x,y" : "x,y,z";
  }
  return "";
}

}  // namespace

const char* kind_name(QueryKind kind) noexcept {
  switch (kind) {
    case QueryKind::kBox:
      return "box";
    case QueryKind::kRay:
      return "ray";
    case QueryKind::kSegment:
      return "segment";
    case QueryKind::kPoint:
      return "nearest";
  }
  return "";
}

Result<Query> parse_query(QueryKind kind, const std::string& text, int dimensions) {
  QueryTable one;
  one.kind = kind;
  one.dimensions = dimensions;
  auto numbers = parse_floats(text);
  const std::size_t wanted = one.stride();
  if (numbers && kind == QueryKind::kRay && numbers->size() + 1 == wanted) {
    numbers->push_back(std::numeric_limits<float>::infinity());
  }
  const std::size_t finite = kind == QueryKind::kBox ? 0 : kind == QueryKind::kRay ? wanted - 1 : wanted;
  if (!numbers || numbers->size() != wanted ||
      !std::all_of(numbers->begin(), numbers->begin() + static_cast<std::ptrdiff_t>(finite),
                   [](float number) { return std::isfinite(number); })) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("--{} '{}' does not do for a file in {}D: give {}, numbers joined by commas",
                            kind_name(kind), text, dimensions, form_of(kind, dimensions)));
  }
  Query query{kind, {}};
  std::copy(numbers->begin(), numbers->end(), query.numbers.begin());
  return query;
}

Result<std::vector<Query>> load_queries(const std::string& file, int dimensions) {
  JUXTA_TRY_LET(const auto bytes, read_bytes(file));
  JUXTA_TRY_LET(const auto table, parse_queries_csv(bytes));
  if (table.dimensions != dimensions) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the queries are in {}D and the boxes in {}D: give both the same axes",
                            table.dimensions, dimensions));
  }
  std::vector<Query> queries(table.size());
  const std::size_t stride = table.stride();
  for (std::size_t i = 0; i < queries.size(); ++i) {
    queries[i].kind = table.kind;
    std::copy_n(table.numbers.begin() + static_cast<std::ptrdiff_t>(i * stride), stride,
                queries[i].numbers.begin());
  }
  return queries;
}

}  // namespace juxta::tool
