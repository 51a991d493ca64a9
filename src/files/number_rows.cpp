// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "files/number_rows.h"

#include <algorithm>
#include <string>

#include "files/float_text.h"
#include "files/point_columns.h"
#include "juxta/core/try.h"
#include "juxta/files/read_points.h"

namespace juxta::files_detail {
namespace {

constexpr std::size_t kNone = ~std::size_t{0};

/// Whether a title of the file is `pattern` for this axis (0 to 2).
bool matches(std::string_view title, std::string_view pattern, int axis) {
  const char letter = "xyz"[axis];
  if (pattern.size() > 1 && pattern[1] == ':') {
    return pattern[0] == letter && same_title(title, pattern.substr(2));
  }
  std::string wanted(pattern);
  std::replace(wanted.begin(), wanted.end(), '?', letter);
  return same_title(title, wanted);
}

std::size_t find_column(const std::vector<std::string>& titles, VectorTitles patterns, int axis) {
  for (const std::string_view pattern : patterns) {
    for (std::size_t i = 0; i < titles.size(); ++i) {
      if (matches(titles[i], pattern, axis)) {
        return i;
      }
    }
  }
  return kNone;
}

/// The columns of a form, x and y found; kNone stands for a missing z.
bool find_form(const std::vector<std::string>& titles, const NumberForm& form, NumberLayout& layout) {
  layout.form = form;
  layout.columns.clear();
  for (const VectorTitles vector : {form.first, form.second}) {
    for (int axis = 0; axis < 3 && !vector.empty(); ++axis) {
      layout.columns.push_back(find_column(titles, vector, axis));
      if (axis < 2 && layout.columns.back() == kNone) {
        return false;
      }
    }
  }
  const std::size_t extra = find_column(titles, form.extra, 0);
  layout.has_extra = extra != kNone;
  if (layout.has_extra) {
    layout.columns.push_back(extra);
  }
  return layout.has_extra || !form.extra_required;
}

std::string listed(const std::vector<std::string>& titles) {
  std::string text;
  for (std::size_t i = 0; i < titles.size() && i < 20; ++i) {
    text += (i == 0 ? "" : ", ") + files_detail::quoted(titles[i]);
  }
  return text + (titles.size() > 20 ? ", ..." : "");
}

std::size_t find_name(const std::vector<std::string>& titles) {
  std::size_t found = kNone, best = kNone;
  for (std::size_t i = 0; i < titles.size(); ++i) {
    if (const auto place = usual_title(Role::kName, titles[i]); place && *place < best) {
      best = *place;
      found = i;
    }
  }
  return found;
}

Result<NumberLayout> layout_of_titles(const std::vector<std::string>& titles,
                                      std::span<const NumberForm> forms, std::string_view wanted,
                                      std::uint64_t line) {
  NumberLayout layout;
  const auto found = std::find_if(forms.begin(), forms.end(),
                                  [&](const NumberForm& form) { return find_form(titles, form, layout); });
  if (found == forms.end()) {
    return fail_at_line(ErrorCode::kNotFound, line,
                        "the columns " + listed(titles) + " do not do: give " + std::string(wanted));
  }
  const std::size_t vectors = found->second.empty() ? 1 : 2;
  const auto missing =
      static_cast<std::size_t>(std::count(layout.columns.begin(), layout.columns.end(), kNone));
  if (missing != 0 && missing != vectors) {
    return fail_at_line(ErrorCode::kNotFound, line,
                        "one z column is missing among " + listed(titles) + ": give both or none");
  }
  layout.dimensions = missing == 0 ? 3 : 2;
  layout.columns.erase(std::remove(layout.columns.begin(), layout.columns.end(), kNone),
                       layout.columns.end());
  layout.name = find_name(titles);
  return layout;
}

/// Rows of nothing but 4 or 6 numbers, and perhaps a name.
Result<NumberLayout> layout_without_header(std::size_t width, const NumberForm& form, std::string_view wanted,
                                           std::uint64_t line) {
  if (width < 4 || width > 7) {
    return fail_at_line(ErrorCode::kNotFound, line,
                        "the first row is numbers, and " + std::to_string(width) +
                            " of them say not what they are: add a header with " + std::string(wanted));
  }
  NumberLayout layout;
  layout.form = form;
  layout.dimensions = width < 6 ? 2 : 3;
  layout.header = false;
  const std::size_t numbers = width < 6 ? 4 : 6;
  for (std::size_t i = 0; i < numbers; ++i) {
    layout.columns.push_back(i);
  }
  layout.name = width > numbers ? numbers : kNone;
  return layout;
}

}  // namespace

NumberRows::NumberRows(std::string_view text) : scanner_(text, find_delimiter(text)) {}

Result<NumberRows> NumberRows::open(std::string_view text, std::span<const NumberForm> forms,
                                    std::string_view wanted) {
  if (auto checked = check_text(text); !checked) {
    return fail_at_line(checked.error().code, 1, std::move(checked.error().message));
  }
  NumberRows rows(skip_bom(text));
  JUXTA_TRY_LET(const auto more, rows.scanner_.next(rows.cells_));
  if (!more) {
    return fail_at_line(ErrorCode::kParse, 1, "the file is empty: it needs a header and rows");
  }
  rows.width_ = rows.cells_.size();
  std::vector<std::string> titles;
  std::size_t numbers = 0;
  for (const CsvCell& cell : rows.cells_) {
    titles.push_back(cell_text(cell));
    numbers += parse_any_float(cell.text).has_value() ? 1 : 0;
  }
  rows.first_row_waits_ = numbers >= std::min<std::size_t>(4, rows.width_);
  JUXTA_TRY_LET(auto layout, rows.first_row_waits_
                                 ? layout_without_header(rows.width_, forms[0], wanted, rows.line())
                                 : layout_of_titles(titles, forms, wanted, rows.line()));
  rows.layout_ = std::move(layout);
  rows.titles_ = rows.cells_;
  rows.numbers_.resize(rows.layout_.columns.size());
  return rows;
}

Result<bool> NumberRows::next(bool infinite, SkippedRows* skipped) {
  for (;;) {
    auto more = first_row_waits_ ? Result<bool>(true) : scanner_.next(cells_);
    first_row_waits_ = false;
    if (more && !*more) {
      return more;
    }
    auto taken = more ? take_numbers(infinite) : tl::unexpected<Error>(more.error());
    if (taken) {
      return true;
    }
    if (skipped == nullptr) {
      return tl::unexpected<Error>(std::move(taken.error()));
    }
    if (!more) {
      taken.error().line = line();  // of the line that is left out, wherever its quote led
      scanner_.skip_line();
    }
    skipped->add(std::move(taken.error()));
  }
}

/// Of the row that was cut.
Result<void> NumberRows::take_numbers(bool infinite) {
  if (cells_.size() != width_) {
    return fail_at_line(ErrorCode::kParse, line(),
                        "the row has " + std::to_string(cells_.size()) + " cells where the first row has " +
                            std::to_string(width_) + ": quote cells that hold the delimiter");
  }
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const std::size_t column = layout_.columns[i];
    const auto value = parse_any_float(cells_[column].text);
    if (!value || std::isnan(*value) || (!infinite && std::isinf(*value))) {
      const std::string title = layout_.header ? " (" + cell_text(titles_[column]) + ")" : "";
      return fail_at_line(ErrorCode::kParse, line(),
                          files_detail::quoted(cells_[column].text) + " in column " +
                              std::to_string(column + 1) + title + " is not a " +
                              (infinite ? "" : "finite ") +
                              "number that a float holds: correct or remove the row");
    }
    numbers_[i] = *value;
  }
  return {};
}

}  // namespace juxta::files_detail
