// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "juxta/core/error.h"

namespace juxta {

/// Numbers in named columns, row after row: what a run collects.
class Table {
 public:
  Table() = default;
  explicit Table(std::vector<std::string> names);

  [[nodiscard]] std::span<const std::string> names() const noexcept { return {names_.data(), names_.size()}; }
  [[nodiscard]] std::size_t rows() const noexcept;
  /// One value per row. A name that is not there: empty.
  [[nodiscard]] std::span<const double> column(std::string_view name) const noexcept;
  [[nodiscard]] std::span<const double> column(std::size_t index) const noexcept;

  /// As many values as there are columns.
  void append(std::span<const double> row);
  void clear() noexcept;

  /// A line of names, a line per row; numbers as number_text() writes them, NaN as nothing.
  [[nodiscard]] std::string csv() const;
  /// Whole or not at all. Errors: kIo.
  [[nodiscard]] Result<void> write_csv(std::string_view path) const;

  /// Reads what write_csv() wrote, or another table of numbers with a line of names; an empty cell is NaN.
  /// Errors: kIo; kParse (with the line: a cell that is no number, a line with more or fewer cells, no
  /// names).
  [[nodiscard]] static Result<Table> read_csv(std::string_view path);

  friend bool operator==(const Table&, const Table&) = default;

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<double>> columns_;
};

}  // namespace juxta
