// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: rows of floats from a CSV text, in columns that the titles tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "files/csv_scanner.h"
#include "juxta/core/error.h"
#include "juxta/files/skipped_rows.h"

namespace juxta::files_detail {

/// Titles of the columns that hold one vector, best first, in any case of letters. '?' stands for x, y and z;
/// "y:height" is a title of the y column alone.
using VectorTitles = std::span<const std::string_view>;

/// A set of columns that means something: one or two vectors, and perhaps one more number.
///   sides of a box     first minx miny minz   second maxx maxy maxz
///   a ball             first x y z            extra radius
struct NumberForm {
  int id = 0;  ///< For the caller.
  VectorTitles first = {}, second = {}, extra = {};
  bool extra_required = false;
};

/// Where the numbers of the chosen form stand in a file.
struct NumberLayout {
  NumberForm form;
  int dimensions = 3;
  bool header = true, has_extra = false;
  std::vector<std::size_t> columns;  ///< Of first (x y z), second, extra.
  std::size_t name = ~std::size_t{0};

  [[nodiscard]] bool has_name() const noexcept { return name != ~std::size_t{0}; }
};

/// Walks over the rows of a text.
class NumberRows {
 public:
  /// Chooses the first of `forms` whose x and y columns the header has; z decides between 2D and 3D. Without
  /// a header the form is forms[0], which must have two vectors, and the order of the columns is its own.
  /// `wanted` says in an error which columns would do. Errors: kParse, kNotFound, with the line.
  [[nodiscard]] static Result<NumberRows> open(std::string_view text, std::span<const NumberForm> forms,
                                               std::string_view wanted);

  [[nodiscard]] const NumberLayout& layout() const noexcept { return layout_; }
  /// Cuts the next row. False at the end. `infinite`: whether an infinite number is allowed. With `skipped`,
  /// rows that cannot be read go there instead. Errors: kParse.
  [[nodiscard]] Result<bool> next(bool infinite, SkippedRows* skipped = nullptr);
  [[nodiscard]] std::span<const float> numbers() const noexcept { return numbers_; }
  [[nodiscard]] const CsvCell& name() const noexcept { return cells_[layout_.name]; }
  [[nodiscard]] std::uint64_t line() const noexcept { return scanner_.line(); }
  /// Bytes consumed.
  [[nodiscard]] std::size_t position() const noexcept { return scanner_.position(); }

 private:
  explicit NumberRows(std::string_view text);
  [[nodiscard]] Result<void> take_numbers(bool infinite);

  CsvScanner scanner_;
  NumberLayout layout_;
  std::vector<CsvCell> cells_, titles_;
  std::vector<float> numbers_;
  bool first_row_waits_ = false;  // a first row that is no header
  std::size_t width_ = 0;
};

}  // namespace juxta::files_detail
