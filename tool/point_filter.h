// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Which points a question is about, as options: --any, --all, --none and --range.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/ranked/ranked_points.h"
#include "tool/arguments.h"
#include "tool/points_input.h"

namespace juxta::tool {

/// 'text', shortened and without control characters, for an error message.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// As the user wrote them; empty: not given. RankedFilter has the same names.
struct FilterOptions {
  std::string any, all, none;
  std::vector<std::string> ranges;

  [[nodiscard]] bool given() const { return by_category() || !ranges.empty(); }
  [[nodiscard]] bool by_category() const { return !any.empty() || !all.empty() || !none.empty(); }
};

/// --any, --all and --none; `what` says how categories are named.
void add_category_options(CLI::App& command, FilterOptions& options, const std::string& what);
/// Those and --range.
void add_filter_options(CLI::App& command, FilterOptions& options);
/// --categories, and --values: the columns of a text that points may be filtered by.
void add_categories_option(CLI::App& command, InputOptions& options, const std::string& what);
void add_filter_columns(CLI::App& command, InputOptions& options);

/// Names the columns that the ranges are of, for load_points(): a text without --values has these. Errors:
/// kInvalidArgument (a range that is none).
[[nodiscard]] Result<void> ask_for_ranges(InputOptions& input, const FilterOptions& options);

/// The filter of a question to `points`, which `input` says how to read. Errors: kInvalidArgument (a category
/// or column that the points do not have, more than one range of a column).
[[nodiscard]] Result<RankedFilter> filter_of(const FilterOptions& options, const InputOptions& input,
                                             const Points& points);

/// The categories of a filter for points that keep no names: numbers from 0 to 63. Errors: kInvalidArgument.
[[nodiscard]] Result<RankedFilter> numbered_filter_of(const FilterOptions& options);

}  // namespace juxta::tool
