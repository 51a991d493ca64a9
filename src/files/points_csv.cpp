// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/os.h"
#include "files/category_words.h"
#include "files/csv_scanner.h"
#include "files/point_columns.h"
#include "files/point_layout.h"
#include "juxta/core/monitor.h"
#include "juxta/files/read_points.h"

namespace juxta {
namespace {

using files_detail::CategoryWords;
using files_detail::cell_text;
using files_detail::CsvCell;
using files_detail::CsvTarget;
using files_detail::kNoColumn;
using files_detail::PointLayout;

constexpr std::size_t kProgressRows = 1 << 16;

void set_titles(PointTable& table, const PointLayout& layout, const std::vector<CsvCell>& first,
                RankDirection direction) {
  if (layout.header) {
    table.x_title = cell_text(first[layout.x]);
    table.y_title = cell_text(first[layout.y]);
    table.rank_title = layout.rank == kNoColumn ? table.rank_title : cell_text(first[layout.rank]);
    table.name_title = layout.name == kNoColumn ? table.name_title : cell_text(first[layout.name]);
  }
  for (const std::size_t column : layout.values) {
    table.value_titles.push_back(layout.header ? cell_text(first[column]) : std::to_string(column + 1));
  }
  table.values.resize(layout.values.size());
  table.descending = files_detail::larger_is_better(table.rank_title, direction);
}

/// Guesses the number of rows from the first 64 KiB, and reserves memory for them. Without that, each column
/// would be copied whenever it is full. A wrong guess costs time or address space, nothing else.
void reserve_rows(PointTable& table, const PointLayout& layout, std::string_view text) {
  const std::string_view sample = text.substr(0, std::size_t{1} << 16);
  const auto lines = static_cast<double>(std::ranges::count(sample, '\n'));
  const auto bytes = static_cast<double>(text.size());
  constexpr double kShortest = 4;  // "1,2" and its line end: some lines may be empty
  const double rows = std::min(1.05 * lines * bytes / static_cast<double>(sample.size()), bytes / kShortest);
  constexpr double kFew = 1 << 16;
  if (rows < kFew) {
    return;
  }
  const auto reserve = [&](auto& column) {
    column.reserve(static_cast<std::size_t>(std::min(rows, static_cast<double>(files_detail::kMaxPoints))));
    core_detail::prefer_huge_pages(column.data(), column.capacity() * sizeof(column[0]));
  };
  reserve(table.x);
  reserve(table.y);
  if (layout.rank != kNoColumn) {
    reserve(table.rank);
  }
  if (layout.name != kNoColumn) {
    reserve(table.name_end);
  }
  for (std::vector<double>& numbers : table.values) {
    reserve(numbers);
  }
  if (layout.categories != kNoColumn) {
    reserve(table.categories);
  }
}

/// Appends one record to the table.
class RowReader {
 public:
  /// `most_bytes`: of all names.
  RowReader(PointTable& table, const PointLayout& layout, std::size_t width, std::size_t most_bytes)
      : table_(table), layout_(layout), width_(width), most_bytes_(most_bytes), places_(width) {
    const auto number = [&](std::size_t column, double* to) {
      if (column != kNoColumn) {
        twice_ |= places_[column].number != nullptr;
        places_[column].number = to;
      }
    };
    const auto text = [&](std::size_t column, std::string_view* to) {
      if (column != kNoColumn) {
        twice_ |= places_[column].text != nullptr;
        places_[column].text = to;
      }
    };
    number(layout.x, &x_);
    number(layout.y, &y_);
    number(layout.rank, &rank_);
    for (std::size_t i = 0; i < layout.values.size(); ++i) {
      number(layout.values[i], &values_[i]);
    }
    text(layout.name, &name_);
    text(layout.categories, &categories_);
  }
  RowReader(const RowReader&) = delete;  // places_ points at its members

  /// Takes the next record of most files: numbers that fill their cells, and no quotes. False: nothing is
  /// consumed.
  bool take_plain(files_detail::CsvScanner& scanner) {
    if (twice_ || stopped_ || table_.size() == files_detail::kMaxPoints || !scanner.next_numbers(places_)) {
      return false;
    }
    if (layout_.categories != kNoColumn && !categories(categories_)) {
      stopped_ = too_many_categories(scanner.line());
      return false;
    }
    append();
    if (layout_.name != kNoColumn) {
      table_.name_bytes.append(name_);
      end_name();
    }
    return true;
  }
  /// An error at a row that take_plain() has consumed.
  std::optional<Error>& stopped() { return stopped_; }

  Result<void> add(const std::vector<CsvCell>& cells, std::uint64_t line) {
    if (cells.size() != width_) {
      return files_detail::fail_at_line(ErrorCode::kParse, line,
                                        "the row has " + std::to_string(cells.size()) +
                                            " cells where the first row has " + std::to_string(width_) +
                                            ": quote cells that hold the delimiter");
    }
    if (table_.size() == files_detail::kMaxPoints) {
      return files_detail::fail_at_line(ErrorCode::kTooLarge, line,
                                        "more than 4294967294 points: split the file");
    }
    if (!number(cells, layout_.x, table_.x_title, x_) || !number(cells, layout_.y, table_.y_title, y_) ||
        (layout_.rank != kNoColumn && !number(cells, layout_.rank, table_.rank_title, rank_))) {
      return files_detail::fail_at_line(ErrorCode::kParse, line, std::move(complaint_));
    }
    for (std::size_t i = 0; i < layout_.values.size(); ++i) {
      const std::size_t column = layout_.values[i];
      if (files_detail::trimmed(cells[column].text).empty()) {
        values_[i] = std::numeric_limits<double>::quiet_NaN();
      } else if (!number(cells, column, table_.value_titles[i], values_[i])) {
        return files_detail::fail_at_line(ErrorCode::kParse, line, std::move(complaint_));
      }
    }
    if (layout_.categories != kNoColumn && !categories(cell_text(cells[layout_.categories]))) {
      return tl::unexpected<Error>(too_many_categories(line));
    }
    append();
    if (layout_.name != kNoColumn) {
      files_detail::append_cell(cells[layout_.name], table_.name_bytes);
      end_name();
    }
    return {};
  }

  /// Behind the last row.
  void finish() {
    if (layout_.categories != kNoColumn) {
      table_.category_names = words_.finish(table_.categories);
    }
  }

 private:
  void append() {
    table_.x.push_back(x_);
    table_.y.push_back(y_);
    if (layout_.rank != kNoColumn) {
      table_.rank.push_back(rank_);
    }
    for (std::size_t i = 0; i < layout_.values.size(); ++i) {
      table_.values[i].push_back(values_[i]);
    }
    if (layout_.categories != kNoColumn) {
      table_.categories.push_back(bits_);
    }
  }

  bool categories(std::string_view cell) {
    const auto bits = words_.bits_of(cell);
    bits_ = bits.value_or(0);
    return bits.has_value();
  }

  Error too_many_categories(std::uint64_t line) const {
    return {ErrorCode::kTooLarge,
            files_detail::quoted(words_.too_many()) +
                " is one category too many: there may be 64, choose a column with fewer different words",
            Error::kNowhere, line, Error::kNowhere};
  }

  /// Stores where the name of the current row ends. After 4,096 rows, reserves memory for the names of all
  /// rows; it takes the average length so far for the length of the rest.
  void end_name() {
    constexpr std::size_t kSome = 1 << 12;
    table_.name_end.push_back(table_.name_bytes.size());
    if (table_.name_end.size() == kSome && table_.name_end.capacity() > 16 * kSome) {
      table_.name_bytes.reserve(
          std::min(most_bytes_, (table_.name_bytes.size() / kSome + 1) * table_.name_end.capacity()));
      core_detail::prefer_huge_pages(table_.name_bytes.data(), table_.name_bytes.capacity());
    }
  }

  bool number(const std::vector<CsvCell>& cells, std::size_t column, const std::string& title, double& out) {
    const auto value = files_detail::parse_number(cells[column].text);
    if (!value) {
      complaint_ = files_detail::quoted(cells[column].text) + " in column " + std::to_string(column + 1) +
                   " (" + title + ") is not a finite number: correct or remove the row";
      return false;
    }
    out = *value;
    return true;
  }

  PointTable& table_;
  PointLayout layout_;
  std::size_t width_, most_bytes_;
  double x_ = 0, y_ = 0, rank_ = 0, values_[files_detail::kMostValues] = {};
  std::string_view name_, categories_;
  std::uint64_t bits_ = 0;  // of the categories
  CategoryWords words_;
  std::vector<CsvTarget> places_;  // per column
  bool twice_ = false;             // a column is two of them
  std::optional<Error> stopped_;
  std::string complaint_;
};

}  // namespace

Result<PointTable> parse_points_csv(std::string_view text, const PointColumns& columns,
                                    const Context& context) {
  text = files_detail::skip_bom(text);
  files_detail::CsvScanner scanner(text, files_detail::find_delimiter(text));
  std::vector<CsvCell> cells;
  auto more = scanner.next(cells);
  if (!more) {
    return tl::unexpected<Error>(more.error());
  }
  if (!*more) {
    return files_detail::fail_at_line(ErrorCode::kParse, 1, "the file is empty: it needs a header and rows");
  }
  const auto layout = files_detail::find_layout(cells, columns, scanner.line());
  if (!layout) {
    return tl::unexpected<Error>(layout.error());
  }
  PointTable table;
  set_titles(table, *layout, cells, columns.direction);
  reserve_rows(table, *layout, text);
  RowReader rows(table, *layout, cells.size(), text.size());
  if (layout->header) {
    more = scanner.next(cells);
  }
  // A record that cannot be cut is as bad as one that cannot be read: both are left out, or end the reading.
  std::uint64_t row = 0;
  const auto go_on = [&] {
    return ++row % kProgressRows != 0 ||
           report(context.monitor, "read points", scanner.position(), text.size());
  };
  for (; !more || *more; more = scanner.next(cells)) {
    auto added = more ? rows.add(cells, scanner.line()) : tl::unexpected<Error>(std::move(more.error()));
    if (!added) {
      if (!columns.skip_bad || added.error().code != ErrorCode::kParse) {
        return tl::unexpected<Error>(std::move(added.error()));
      }
      if (!more) {
        added.error().line = scanner.line();  // of the line that is left out, wherever its quote led
        scanner.skip_line();
      }
      table.skipped.add(std::move(added.error()));
    }
    bool wanted = go_on();
    while (wanted && rows.take_plain(scanner)) {
      wanted = go_on();
    }
    if (rows.stopped()) {
      return tl::unexpected<Error>(std::move(*rows.stopped()));
    }
    if (!wanted) {
      return fail(ErrorCode::kCancelled, "reading was cancelled");
    }
  }
  if (table.size() == 0 && table.skipped.count != 0) {
    return tl::unexpected<Error>(table.skipped.first.front());
  }
  rows.finish();
  return table;
}

}  // namespace juxta
