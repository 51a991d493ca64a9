// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "core/os.h"
#include "files/csv_scanner.h"
#include "files/point_columns.h"
#include "juxta/core/monitor.h"
#include "juxta/files/read_points.h"

namespace juxta {
namespace {

using files_detail::CsvCell;
using files_detail::Role;

constexpr std::size_t kNone = ~std::size_t{0};
constexpr std::size_t kProgressRows = 1 << 16;

/// Where the columns of a file are, from 0.
struct Layout {
  std::size_t x = kNone, y = kNone, rank = kNone, name = kNone;
  bool header = true;
};

std::string cell_text(const CsvCell& cell) {
  std::string text;
  files_detail::append_cell(cell, text);
  return std::string(files_detail::trimmed(text));
}

std::string listed(const std::vector<CsvCell>& cells) {
  std::string text;
  for (std::size_t i = 0; i < cells.size() && i < 20; ++i) {
    text += (i == 0 ? "" : ", ") + files_detail::quoted(cell_text(cells[i]));
  }
  return text + (cells.size() > 20 ? ", ..." : "");
}

/// A given title: exactly, in any case, or a column number from 1. An empty one: the best usual title.
std::size_t find_column(const std::vector<CsvCell>& first, Role role, const std::string& given) {
  std::size_t found = kNone, best = kNone;
  for (std::size_t i = first.size(); i-- > 0;) {
    const std::string title = cell_text(first[i]);
    if (!given.empty()) {
      const std::size_t quality = title == given ? 0 : files_detail::same_title(title, given) ? 1 : kNone;
      if (quality <= best && quality != kNone) {
        best = quality;
        found = i;
      }
    } else if (const auto place = files_detail::usual_title(role, title); place && *place <= best) {
      best = *place;
      found = i;
    }
  }
  if (found == kNone && !given.empty()) {
    const auto number = files_detail::parse_number(given);
    if (number && *number >= 1 && *number <= static_cast<double>(first.size())) {
      found = static_cast<std::size_t>(*number) - 1;
    }
  }
  return found;
}

bool is_number(const std::vector<CsvCell>& cells, std::size_t i) {
  return i < cells.size() && files_detail::parse_number(cells[i].text).has_value();
}

tl::unexpected<Error> missing(const char* role, const std::string& given, const std::vector<CsvCell>& first,
                              std::uint64_t line) {
  const std::string what = given.empty() ? "no column looks like " + std::string(role)
                                         : "no column " + files_detail::quoted(given) + " for " + role;
  return files_detail::fail_at_line(ErrorCode::kNotFound, line, what + ": choose one of " + listed(first));
}

Result<Layout> find_layout(const std::vector<CsvCell>& first, const PointColumns& columns,
                           std::uint64_t line) {
  Layout layout;
  layout.x = find_column(first, Role::kX, columns.x);
  layout.y = find_column(first, Role::kY, columns.y);
  layout.rank = find_column(first, Role::kRank, columns.rank);
  layout.name = find_column(first, Role::kName, columns.name);
  const bool nothing_given =
      columns.x.empty() && columns.y.empty() && columns.rank.empty() && columns.name.empty();
  if (nothing_given && layout.x == kNone && layout.y == kNone && is_number(first, 0) && is_number(first, 1)) {
    const bool has_rank = is_number(first, 2) || (columns.rank_required && first.size() > 2);
    if (columns.rank_required && !has_rank) {
      return missing("rank (population)", columns.rank, first, line);
    }
    return Layout{0, 1, has_rank ? std::size_t{2} : kNone, first.size() > 3 ? std::size_t{3} : kNone, false};
  }
  if (layout.x == kNone) {
    return missing("x (lon)", columns.x, first, line);
  }
  if (layout.y == kNone) {
    return missing("y (lat)", columns.y, first, line);
  }
  if (layout.rank == kNone && (columns.rank_required || !columns.rank.empty())) {
    return missing("rank (population)", columns.rank, first, line);
  }
  if (layout.name == kNone && !columns.name.empty()) {
    return missing("name", columns.name, first, line);
  }
  layout.header = !(is_number(first, layout.x) && is_number(first, layout.y));
  return layout;
}

void set_titles(PointTable& table, const Layout& layout, const std::vector<CsvCell>& first,
                RankDirection direction) {
  if (layout.header) {
    table.x_title = cell_text(first[layout.x]);
    table.y_title = cell_text(first[layout.y]);
    table.rank_title = layout.rank == kNone ? table.rank_title : cell_text(first[layout.rank]);
    table.name_title = layout.name == kNone ? table.name_title : cell_text(first[layout.name]);
  }
  table.descending = files_detail::larger_is_better(table.rank_title, direction);
}

/// Guesses the number of rows from the first 64 KiB, and reserves memory for them. Without that, each column
/// would be copied whenever it is full. A wrong guess costs time or address space, nothing else.
void reserve_rows(PointTable& table, const Layout& layout, std::string_view text) {
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
  if (layout.rank != kNone) {
    reserve(table.rank);
  }
  if (layout.name != kNone) {
    reserve(table.name_end);
  }
}

/// Appends one record to the table.
class RowReader {
 public:
  /// `most_bytes`: of all names.
  RowReader(PointTable& table, const Layout& layout, std::size_t width, std::size_t most_bytes)
      : table_(table), layout_(layout), width_(width), most_bytes_(most_bytes), places_(width) {
    const auto place = [&](std::size_t column, double* number) {
      if (column != kNone) {
        twice_ |= places_[column] != nullptr;
        places_[column] = number;
      }
    };
    place(layout.x, &x_);
    place(layout.y, &y_);
    place(layout.rank, &rank_);
  }
  RowReader(const RowReader&) = delete;  // places_ points at its members

  /// Takes the next record of most files: numbers that fill their cells, and no quotes. False: nothing is
  /// consumed.
  bool take_plain(files_detail::CsvScanner& scanner) {
    std::string_view name;
    if (twice_ || table_.size() == files_detail::kMaxPoints ||
        !scanner.next_numbers(places_, layout_.name, name)) {
      return false;
    }
    append();
    if (layout_.name != kNone) {
      table_.name_bytes.append(name);
      end_name();
    }
    return true;
  }

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
        (layout_.rank != kNone && !number(cells, layout_.rank, table_.rank_title, rank_))) {
      return files_detail::fail_at_line(ErrorCode::kParse, line, std::move(complaint_));
    }
    append();
    if (layout_.name != kNone) {
      files_detail::append_cell(cells[layout_.name], table_.name_bytes);
      end_name();
    }
    return {};
  }

 private:
  void append() {
    table_.x.push_back(x_);
    table_.y.push_back(y_);
    if (layout_.rank != kNone) {
      table_.rank.push_back(rank_);
    }
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
  Layout layout_;
  std::size_t width_, most_bytes_;
  double x_ = 0, y_ = 0, rank_ = 0;
  std::vector<double*> places_;  // per column; null: not a number that is wanted
  bool twice_ = false;           // a column is two of them
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
  const auto layout = find_layout(cells, columns, scanner.line());
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
    if (!wanted) {
      return fail(ErrorCode::kCancelled, "reading was cancelled");
    }
  }
  if (table.size() == 0 && table.skipped.count != 0) {
    return tl::unexpected<Error>(table.skipped.first.front());
  }
  return table;
}

}  // namespace juxta
