// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/point_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "juxta/core/try.h"

namespace juxta::tool {
namespace {

using Names = std::span<const std::string_view>;
constexpr std::uint64_t kCategories = 64;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

/// Equal in any case of ASCII letters.
bool same_title(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

/// A whole number below 64.
std::optional<std::size_t> small_number(std::string_view text) {
  std::uint64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  const bool good = error == std::errc{} && end == last && number < kCategories;
  return good ? std::optional(static_cast<std::size_t>(number)) : std::nullopt;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t end = text.find(',');
    words.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) {
      return words;
    }
    text.remove_prefix(end + 1);
  }
}

/// The place of a name: exactly, else in any case of letters.
std::optional<std::size_t> place_of(std::string_view name, Names names) {
  auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    found = std::ranges::find_if(names, [&](std::string_view n) { return same_title(n, name); });
  }
  return found == names.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - names.begin()));
}

/// "'cafe', 'bar'": the first twenty that are not empty.
std::string listed(Names names) {
  constexpr std::size_t kShown = 20;
  std::string text;
  std::size_t shown = 0;
  for (const std::string_view name : names) {
    if (!name.empty() && shown++ < kShown) {
      text += (text.empty() ? "" : ", ") + in_quotes(name);
    }
  }
  return text + (shown > kShown ? ", ..." : "");
}

/// The bits of "cafe,bar". Without names they are numbers.
Result<std::uint64_t> bits_of(const char* option, const std::string& text, Names names) {
  std::uint64_t bits = 0;
  if (text.empty()) {
    return bits;
  }
  for (const std::string_view word : words_of(text)) {
    std::optional<std::size_t> bit;
    if (names.empty()) {
      bit = small_number(word);
    } else if (!word.empty()) {
      bit = place_of(word, names);
    }
    if (!bit) {
      const std::string what = fmt::format("{}: there is no category {}", option, in_quotes(word));
      return fail(ErrorCode::kInvalidArgument,
                  names.empty() ? what + ": these points keep no names, give numbers from 0 to 63"
                                : what + ": choose of " + listed(names));
    }
    bits |= std::uint64_t{1} << *bit;
  }
  return bits;
}

Result<void> add_categories(RankedFilter& filter, const FilterOptions& options, Names names) {
  JUXTA_TRY_LET(filter.any, bits_of("--any", options.any, names));
  JUXTA_TRY_LET(filter.all, bits_of("--all", options.all, names));
  JUXTA_TRY_LET(filter.none, bits_of("--none", options.none, names));
  return {};
}

/// An integer stays one: it is then compared exactly.
std::optional<RankValue> parse_end(std::string_view text) {
  const char* const last = text.data() + text.size();
  std::int64_t integer = 0;
  if (const auto [end, error] = std::from_chars(text.data(), last, integer);
      error == std::errc{} && end == last) {
    return RankValue(integer);
  }
  double real = 0;
  const auto [end, error] = std::from_chars(text.data(), last, real);
  const bool good = error == std::errc{} && end == last && !std::isnan(real);
  return good ? std::optional(RankValue(real)) : std::nullopt;
}

bool inverted(const RankedRange& range) {
  return range.least.is_integer() && range.most.is_integer() ? range.least.integer() > range.most.integer()
                                                             : range.least.real() > range.most.real();
}

/// "price:10..20"
struct NamedRange {
  std::string title;
  RankedRange range;
};
Result<NamedRange> parse_range(const std::string& text) {
  const std::size_t colon = text.rfind(':'), dots = text.find("..", colon == std::string::npos ? 0 : colon);
  const auto broken = [&](const char* what) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("--range {} {}", in_quotes(text), what));
  };
  if (colon == std::string::npos || colon == 0 || dots == std::string::npos) {
    return broken(
        "is not COLUMN:LEAST..MOST: give a column and two numbers, like price:10..20, price:10.. or "
        "price:..20");
  }
  NamedRange named{text.substr(0, colon), {}};
  const std::string_view ends[] = {trimmed(std::string_view(text).substr(colon + 1, dots - colon - 1)),
                                   trimmed(std::string_view(text).substr(dots + 2))};
  RankValue* const to[] = {&named.range.least, &named.range.most};
  for (std::size_t i = 0; i < 2; ++i) {
    const auto end = ends[i].empty() ? *to[i] : parse_end(ends[i]);
    if (!end) {
      return broken("has an end that is no number: leave it out or give one, like 10 or -2.5");
    }
    *to[i] = *end;
  }
  if (inverted(named.range)) {
    return broken("is inverted: exchange its ends");
  }
  return named;
}

/// Which of the columns a title means: by its name, or as a number from 1.
Result<std::size_t> column_of(const NamedRange& range, Names titles, std::size_t count) {
  if (const auto place = place_of(range.title, titles)) {
    return *place;
  }
  const auto number = small_number(range.title);
  if (number && *number >= 1 && *number <= count) {
    return *number - 1;
  }
  const std::string what = fmt::format("--range: there is no column of numbers {}", in_quotes(range.title));
  return fail(ErrorCode::kInvalidArgument,
              count == 0       ? what + ": name it with --values when the index is built"
              : titles.empty() ? what + ": these points keep no titles, give 1 or 2"
                               : what + ": choose of " + listed(titles));
}

Result<void> add_ranges(RankedFilter& filter, const FilterOptions& options, Names titles, std::size_t count) {
  bool used[2] = {};
  for (const std::string& text : options.ranges) {
    JUXTA_TRY_LET(const NamedRange range, parse_range(text));
    JUXTA_TRY_LET(const std::size_t column, column_of(range, titles, count));
    if (used[column]) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("--range: column {} has two ranges: give one", in_quotes(range.title)));
    }
    used[column] = true;
    filter.ranges[column] = range.range;
  }
  return {};
}

}  // namespace

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string quote = "'";
  for (const char c : text.substr(0, kShown)) {
    const auto code = static_cast<unsigned char>(c);
    quote += code < 0x20 || code == 0x7F ? '?' : c;
  }
  return quote + (text.size() > kShown ? "...'" : "'");
}

void add_category_options(CLI::App& command, FilterOptions& options, const std::string& what) {
  const auto add = [&](const char* name, std::string& text, const char* which) {
    command.add_option(name, text, fmt::format("Only points that have {}{}", which, what))
        ->option_text("CATEGORIES");
  };
  add("--any", options.any, "at least one of these categories");
  add("--all", options.all, "all of them");
  add("--none", options.none, "none of them");
}

void add_filter_options(CLI::App& command, FilterOptions& options) {
  add_category_options(command, options, ", joined by commas: words of the column --categories");
  command
      .add_option("--range", options.ranges,
                  "Only points whose number in a column is within these ends, both included: price:10..20, "
                  "price:10.. or price:..20; once for each of two columns")
      ->allow_extra_args(false)
      ->option_text("COLUMN:LEAST..MOST");
}

void add_categories_option(CLI::App& command, InputOptions& options, const std::string& what) {
  command
      .add_option("--categories", options.columns.categories,
                  "Column of categories to filter by, by title or number from 1" + what)
      ->option_text("COLUMN");
}

void add_filter_columns(CLI::App& command, InputOptions& options) {
  add_categories_option(command, options,
                        ": words between commas, semicolons or bars, up to 64 different ones");
  command
      .add_option_function<std::string>(
          "--values",
          [&options](const std::string& text) {
            const auto titles = words_of(text);
            options.columns.values.assign(titles.begin(), titles.end());
          },
          "Columns of numbers to filter by with --range, one or two joined by a comma; an empty cell is no "
          "number")
      ->option_text("COLUMNS");
}

Result<void> ask_for_ranges(InputOptions& input, const FilterOptions& options) {
  for (const std::string& text : options.ranges) {
    JUXTA_TRY_LET(NamedRange range, parse_range(text));
    if (std::ranges::find(input.ranged, range.title) == input.ranged.end()) {
      input.ranged.push_back(std::move(range.title));
    }
  }
  return {};
}

Result<RankedFilter> filter_of(const FilterOptions& options, const InputOptions& input,
                               const Points& points) {
  RankedFilter filter;
  const Names categories = points.table.category_names;
  if (options.by_category() && points.has_table && categories.empty()) {
    return fail(
        ErrorCode::kInvalidArgument,
        "--any, --all and --none: the points have no categories: name their column with --categories" +
            std::string(points.read == nullptr ? " when the index is built" : ""));
  }
  JUXTA_TRY(add_categories(filter, options, categories));
  if (points.read != nullptr && input.columns.values.empty()) {
    const std::vector<std::string_view> asked(input.ranged.begin(), input.ranged.end());
    JUXTA_TRY(add_ranges(filter, options, asked, asked.size()));
  } else {
    const Names titles = points.table.value_titles;
    JUXTA_TRY(add_ranges(filter, options, titles, points.has_table ? titles.size() : 2));
  }
  return filter;
}

Result<RankedFilter> numbered_filter_of(const FilterOptions& options) {
  RankedFilter filter;
  JUXTA_TRY(add_categories(filter, options, {}));
  return filter;
}

}  // namespace juxta::tool
