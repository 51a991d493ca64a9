// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: cuts a CSV or TSV text into records and cells, in one pass and without copying.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "juxta/core/error.h"

namespace juxta::files_detail {

/// One cell: the text between the delimiters, or between the quotes.
struct CsvCell {
  std::string_view text;
  bool escaped = false;  ///< Holds doubled quotes; see append_cell().
};

/// Appends the cell with doubled quotes made single.
void append_cell(const CsvCell& cell, std::string& out);

/// The text of a cell, without spaces around it.
std::string cell_text(const CsvCell& cell);

/// The first of tab, comma, semicolon in the first line outside quotes; comma when there is none.
char find_delimiter(std::string_view text) noexcept;

/// The text without a UTF-8 byte order mark.
std::string_view skip_bom(std::string_view text) noexcept;

/// What next_numbers() does with the cells of a column: reads a number, takes the text, or both. Neither: it
/// skips them.
struct CsvTarget {
  double* number = nullptr;
  std::string_view* text = nullptr;
};

/// Walks over the records of a text; empty lines are no records.
///
///   "Saint ""X""",1.5\r\n     cells [Saint ""X"" (escaped)] [1.5],  line() of the record's first byte
///
/// A quote opens a quoted cell only at the cell's first byte; elsewhere it is an ordinary character.
class CsvScanner {
 public:
  CsvScanner(std::string_view text, char delimiter);

  /// Cuts the next record. False at the end of the text. Errors: kParse with the line.
  [[nodiscard]] Result<bool> next(std::vector<CsvCell>& cells);
  /// Cuts the next record if it has `columns.size()` cells without quotes, and those of a number are finite
  /// numbers that fill them: reads these where they stand, in place of cutting first. False, and nothing is
  /// consumed: ask next().
  [[nodiscard]] bool next_numbers(std::span<const CsvTarget> columns) noexcept;
  /// After an error of next(): goes on behind the first line of the record that could not be cut.
  void skip_line() noexcept;
  /// Line of the record that was cut last, from 1.
  [[nodiscard]] std::uint64_t line() const noexcept { return record_line_; }
  /// Bytes consumed.
  [[nodiscard]] std::size_t position() const noexcept { return position_; }

 private:
  [[nodiscard]] Result<CsvCell> quoted_cell();
  [[nodiscard]] CsvCell plain_cell() noexcept;
  [[nodiscard]] const char* end_of_cell(const char* at) const noexcept;
  void end_line() noexcept;

  std::string_view text_;
  std::size_t position_ = 0, record_position_ = 0;
  std::uint64_t line_ = 1, record_line_ = 1;
  char delimiter_;
  bool ends_cell_[256] = {};  // delimiter, CR, LF
};

}  // namespace juxta::files_detail
