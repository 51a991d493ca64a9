// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: columns and rectangles of C as those of C++.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "juxta/c/ranked.h"
#include "juxta/core/error.h"
#include "juxta/core/try.h"
#include "juxta/math/rect.h"
#include "juxta/ranked/column.h"

namespace juxta::c_detail {

template <class T>
inline StridedColumn<T> strided(const juxta_column& column) noexcept {
  return {static_cast<const std::byte*>(column.data), column.stride == 0 ? sizeof(T) : column.stride};
}

inline Result<void> check_column(const juxta_column& column, std::size_t count, const char* name) {
  if (count > 0 && column.data == nullptr) {
    return fail(ErrorCode::kInvalidArgument, std::string("the column ") + name + " is NULL");
  }
  return {};
}

inline Result<CoordinateColumn> coordinates(const juxta_column& column, std::size_t count, const char* name) {
  JUXTA_TRY(check_column(column, count, name));
  switch (column.type) {
    case JUXTA_FLOAT:
      return CoordinateColumn(strided<float>(column), count);
    case JUXTA_DOUBLE:
      return CoordinateColumn(strided<double>(column), count);
    default:
      return fail(ErrorCode::kInvalidArgument,
                  std::string("the column ") + name + " is neither JUXTA_FLOAT nor JUXTA_DOUBLE");
  }
}

/// A column of any type.
inline Result<RankColumn> numbers(const juxta_column& column, std::size_t count, const char* name) {
  JUXTA_TRY(check_column(column, count, name));
  switch (column.type) {
    case JUXTA_INT32:
      return RankColumn(strided<std::int32_t>(column), count);
    case JUXTA_INT64:
      return RankColumn(strided<std::int64_t>(column), count);
    case JUXTA_FLOAT:
      return RankColumn(strided<float>(column), count);
    case JUXTA_DOUBLE:
      return RankColumn(strided<double>(column), count);
  }
  return fail(ErrorCode::kInvalidArgument, std::string("the column ") + name + " has no type that is known");
}

inline Result<RankColumn> ranks(const juxta_column& column, std::size_t count) {
  return numbers(column, count, "rank");
}

/// The columns that filters may ask for ranges of.
template <class Given>  // juxta_ranked_options or juxta_ranked_columns
Result<std::vector<ValueColumn>> value_columns(const Given& options, std::size_t count) {
  constexpr std::size_t kMost = 2;
  if (options.value_columns > kMost || (options.value_columns != 0 && options.values == nullptr)) {
    return fail(ErrorCode::kInvalidArgument, options.values == nullptr
                                                 ? "values is NULL and value_columns is not 0"
                                                 : "there are more than 2 columns of values");
  }
  std::vector<ValueColumn> columns;
  for (std::size_t i = 0; i < options.value_columns; ++i) {
    JUXTA_TRY_LET(const ValueColumn column, numbers(options.values[i], count, "values"));
    columns.push_back(column);
  }
  return columns;
}

// The same numbers at the same place: a copy would cost 7 ns a query, as in result_in_place().
inline const RectD& cpp_rect(const juxta_rect& rect) noexcept {
  static_assert(sizeof(juxta_rect) == sizeof(RectD) && alignof(juxta_rect) == alignof(RectD));
  return reinterpret_cast<const RectD&>(rect);
}

}  // namespace juxta::c_detail
