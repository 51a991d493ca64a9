// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "juxta/core/try.h"
#include "juxta/files/read_points.h"
#include "juxta/study/table.h"
#include "study/table_text.h"

namespace juxta {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30;

tl::unexpected<Error> csv_error(std::uint64_t line, std::string message) {
  Error error;
  error.code = ErrorCode::kParse;
  error.message = std::move(message);
  error.line = line;
  return tl::unexpected<Error>(std::move(error));
}

struct CsvCell {
  std::string text;
  bool quoted = false;
};

struct CsvRow {
  std::vector<CsvCell> cells;
  std::uint64_t line = 1;  // that it begins in
};

/// Takes the next row from the beginning of a text, as RFC 4180 has it, and counts lines. Nothing: a quote
/// that nothing ends.
std::optional<CsvRow> take_row(std::string_view& text, std::uint64_t& line) {
  CsvRow row{std::vector<CsvCell>(1), line};
  bool quoted = false;
  std::size_t i = 0;
  for (; i < text.size() && (quoted || text[i] != '\n'); ++i) {
    CsvCell& cell = row.cells.back();
    line += text[i] == '\n' ? 1 : 0;
    if (quoted && text.substr(i, 2) == "\"\"") {
      cell.text += text[i++];
    } else if (text[i] == '"') {
      quoted = !quoted;
      cell.quoted = true;
    } else if (text[i] == ',' && !quoted) {
      row.cells.emplace_back();
    } else if (quoted || text[i] != '\r' || (i + 1 < text.size() && text[i + 1] != '\n')) {
      cell.text += text[i];
    }
  }
  text.remove_prefix(std::min(i + 1, text.size()));
  ++line;
  return quoted ? std::nullopt : std::optional<CsvRow>(std::move(row));
}

struct Csv {
  std::vector<std::string> names;
  std::vector<CsvRow> rows;
};

Result<Csv> read_rows(std::string_view path) {
  JUXTA_TRY_LET(const std::string bytes, read_bytes(path, kMostBytes));
  std::string_view text = bytes;
  std::uint64_t line = 1;
  Csv csv;
  const auto names = take_row(text, line);
  for (std::size_t c = 0; names && c < names->cells.size(); ++c) {
    csv.names.push_back(names->cells[c].text);
  }
  if (csv.names.empty() || csv.names.front().empty()) {
    return csv_error(1, "a table begins with the names of its columns");
  }
  while (!text.empty()) {
    const std::uint64_t begin = line;
    auto row = take_row(text, line);
    if (!row) {
      return csv_error(begin, "a quote begins in this line and nothing ends it");
    }
    if (row->cells.size() != csv.names.size()) {
      return csv_error(begin, "this line has more or fewer cells than there are names: " +
                                  std::to_string(csv.names.size()));
    }
    csv.rows.push_back(std::move(*row));
  }
  return csv;
}

/// Told by the cells; the kind of a column without rows is that of numbers.
CellKind kind_of(const Csv& csv, std::size_t column) {
  bool whole = !csv.rows.empty();
  for (const CsvRow& row : csv.rows) {
    const CsvCell& cell = row.cells[column];
    if (cell.quoted || !study_detail::read_cell(CellKind::kNumber, cell.text)) {
      return CellKind::kText;
    }
    // Whole numbers have no -0.
    whole = whole && cell.text != "-0" && study_detail::read_cell(CellKind::kWhole, cell.text);
  }
  return whole ? CellKind::kWhole : CellKind::kNumber;
}

const char* what_is(CellKind kind) {
  return kind == CellKind::kNumber ? "no number" : kind == CellKind::kWhole ? "no whole number" : "no Id";
}

Result<Table> table_of(const Csv& csv, std::vector<TableColumn> columns) {
  Table table = Table::of(columns);
  std::vector<Cell> values(columns.size());
  for (const CsvRow& row : csv.rows) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      auto value = study_detail::read_cell(columns[c].kind, row.cells[c].text);
      if (!value) {
        return csv_error(row.line, columns[c].name + ": '" + row.cells[c].text.substr(0, 40) + "' is " +
                                       what_is(columns[c].kind));
      }
      values[c] = std::move(*value);
    }
    table.append(values);
  }
  return table;
}

}  // namespace

Result<Table> Table::read_csv(std::string_view path) {
  JUXTA_TRY_LET(const Csv csv, read_rows(path));
  std::vector<TableColumn> columns;
  for (std::size_t c = 0; c < csv.names.size(); ++c) {
    columns.push_back({csv.names[c], kind_of(csv, c)});
  }
  return table_of(csv, std::move(columns));
}

Result<Table> Table::read_csv(std::string_view path, std::span<const TableColumn> columns) {
  JUXTA_TRY_LET(const Csv csv, read_rows(path));
  if (!std::ranges::equal(csv.names, columns, {}, {}, &TableColumn::name)) {
    return csv_error(1, "the columns of this table have other names than those asked for");
  }
  return table_of(csv, std::vector<TableColumn>(columns.begin(), columns.end()));
}

}  // namespace juxta
