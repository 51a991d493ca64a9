// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: where a CSV text of points has its columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "files/csv_scanner.h"
#include "juxta/core/error.h"
#include "juxta/files/point_table.h"

namespace juxta::files_detail {

inline constexpr std::size_t kNoColumn = ~std::size_t{0};
inline constexpr std::size_t kMostValues = 2;  // of RankedPointsOptions::values

/// Where the columns of a file are, from 0.
struct PointLayout {
  std::size_t x = kNoColumn, y = kNoColumn, rank = kNoColumn, name = kNoColumn, categories = kNoColumn;
  std::vector<std::size_t> values = {};
  bool header = true;
};

/// Finds the columns in the first record of a text, which is at `line`. Errors: kNotFound, kInvalidArgument.
Result<PointLayout> find_layout(const std::vector<CsvCell>& first, const PointColumns& columns,
                                std::uint64_t line);

}  // namespace juxta::files_detail
