// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "juxta/core/try.h"
#include "juxta/files/read_points.h"
#include "juxta/study/table.h"

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

/// The next line, without its end.
std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  return line;
}

/// Takes the names from the beginning of a text; as RFC 4180 has it. Counts the lines that they take. No
/// names: a quote that nothing ends.
std::vector<std::string> names_in(std::string_view& text, std::uint64_t& lines) {
  std::vector<std::string> names(1);
  bool quoted = false;
  std::size_t i = 0;
  for (; i < text.size() && (quoted || text[i] != '\n'); ++i) {
    lines += text[i] == '\n' ? 1 : 0;
    if (quoted && text.substr(i, 2) == "\"\"") {
      names.back() += text[i++];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (text[i] == ',' && !quoted) {
      names.emplace_back();
    } else if (text[i] != '\r' || quoted) {
      names.back() += text[i];
    }
  }
  text.remove_prefix(std::min(i + 1, text.size()));
  return quoted ? std::vector<std::string>(1) : names;
}

/// False: it is no number.
bool read_cell(std::string_view cell, double& number) {
  if (cell.empty()) {
    number = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  const char* const end = cell.data() + cell.size();
  const auto read = std::from_chars(cell.data(), end, number);
  return read.ec == std::errc() && read.ptr == end;
}

}  // namespace

Result<Table> Table::read_csv(std::string_view path) {
  JUXTA_TRY_LET(const std::string bytes, read_bytes(path, kMostBytes));
  std::string_view text = bytes;
  std::uint64_t line = 2;
  Table table(names_in(text, line));
  if (table.names_.front().empty()) {
    return csv_error(1, "a table begins with the names of its columns");
  }
  std::vector<double> row(table.names_.size());
  for (; !text.empty(); ++line) {
    std::string_view cells = next_line(text);
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::size_t end = cells.find(',');
      if ((end == std::string_view::npos) != (c + 1 == row.size())) {
        return csv_error(
            line, "this line has more or fewer cells than there are names: " + std::to_string(row.size()));
      }
      if (!read_cell(cells.substr(0, end), row[c])) {
        return csv_error(line, table.names_[c] + ": '" +
                                   std::string(cells.substr(0, std::min<std::size_t>(end, 40))) +
                                   "' is no number");
      }
      cells.remove_prefix(std::min(end, cells.size()));
      cells.remove_prefix(cells.empty() ? 0 : 1);
    }
    table.append(row);
  }
  return table;
}

}  // namespace juxta
