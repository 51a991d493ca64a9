// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "files/point_layout.h"

#include "files/point_columns.h"
#include "juxta/core/try.h"

namespace juxta::files_detail {
namespace {

std::string listed(const std::vector<CsvCell>& cells) {
  std::string text;
  for (std::size_t i = 0; i < cells.size() && i < 20; ++i) {
    text += (i == 0 ? "" : ", ") + files_detail::quoted(cell_text(cells[i]));
  }
  return text + (cells.size() > 20 ? ", ..." : "");
}

/// The column of a title: exactly, in any case, or a column number from 1.
std::size_t find_given(const std::vector<CsvCell>& first, const std::string& given) {
  std::size_t found = kNoColumn, best = kNoColumn;
  for (std::size_t i = first.size(); i-- > 0;) {
    const std::string title = cell_text(first[i]);
    const std::size_t quality = title == given ? 0 : same_title(title, given) ? 1 : kNoColumn;
    if (quality <= best && quality != kNoColumn) {
      best = quality;
      found = i;
    }
  }
  if (found == kNoColumn) {
    const auto number = parse_number(given);
    if (number && *number >= 1 && *number <= static_cast<double>(first.size())) {
      found = static_cast<std::size_t>(*number) - 1;
    }
  }
  return found;
}

/// A given column, or that of the best usual title.
std::size_t find_column(const std::vector<CsvCell>& first, Role role, const std::string& given) {
  if (!given.empty()) {
    return find_given(first, given);
  }
  std::size_t found = kNoColumn, best = kNoColumn;
  for (std::size_t i = first.size(); i-- > 0;) {
    const auto place = usual_title(role, cell_text(first[i]));
    if (place && *place <= best) {
      best = *place;
      found = i;
    }
  }
  return found;
}

bool is_number(const std::vector<CsvCell>& cells, std::size_t i) {
  return i < cells.size() && parse_number(cells[i].text).has_value();
}

tl::unexpected<Error> missing(const char* role, const std::string& given, const std::vector<CsvCell>& first,
                              std::uint64_t line) {
  const std::string what = given.empty() ? "no column looks like " + std::string(role)
                                         : "no column " + files_detail::quoted(given) + " for " + role;
  return fail_at_line(ErrorCode::kNotFound, line, what + ": choose one of " + listed(first));
}

/// The columns that points may be filtered by: only those that were asked for.
Result<void> find_filters(PointLayout& layout, const std::vector<CsvCell>& first, const PointColumns& columns,
                          std::uint64_t line) {
  if (columns.values.size() > kMostValues) {
    return fail_at_line(ErrorCode::kInvalidArgument, line,
                        "more than two columns of numbers to filter by: choose two");
  }
  for (const std::string& title : columns.values) {
    layout.values.push_back(find_given(first, title));
    if (layout.values.back() == kNoColumn) {
      return missing("numbers to filter by", title, first, line);
    }
  }
  if (!columns.categories.empty()) {
    layout.categories = find_given(first, columns.categories);
    if (layout.categories == kNoColumn) {
      return missing("categories", columns.categories, first, line);
    }
  }
  return {};
}

}  // namespace

Result<PointLayout> find_layout(const std::vector<CsvCell>& first, const PointColumns& columns,
                                std::uint64_t line) {
  PointLayout layout;
  JUXTA_TRY(find_filters(layout, first, columns, line));
  layout.x = find_column(first, Role::kX, columns.x);
  layout.y = find_column(first, Role::kY, columns.y);
  layout.rank = find_column(first, Role::kRank, columns.rank);
  layout.name = find_column(first, Role::kName, columns.name);
  const bool nothing_given =
      columns.x.empty() && columns.y.empty() && columns.rank.empty() && columns.name.empty();
  if (nothing_given && layout.x == kNoColumn && layout.y == kNoColumn && is_number(first, 0) &&
      is_number(first, 1)) {
    const bool has_rank = is_number(first, 2) || (columns.rank_required && first.size() > 2);
    if (columns.rank_required && !has_rank) {
      return missing("rank (population)", columns.rank, first, line);
    }
    layout.x = 0;
    layout.y = 1;
    layout.rank = has_rank ? 2 : kNoColumn;
    layout.name = first.size() > 3 ? 3 : kNoColumn;
    layout.header = false;
    return layout;
  }
  if (layout.x == kNoColumn) {
    return missing("x (lon)", columns.x, first, line);
  }
  if (layout.y == kNoColumn) {
    return missing("y (lat)", columns.y, first, line);
  }
  if (layout.rank == kNoColumn && (columns.rank_required || !columns.rank.empty())) {
    return missing("rank (population)", columns.rank, first, line);
  }
  if (layout.name == kNoColumn && !columns.name.empty()) {
    return missing("name", columns.name, first, line);
  }
  layout.header = !(is_number(first, layout.x) && is_number(first, layout.y));
  return layout;
}

}  // namespace juxta::files_detail
