// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/id.h"

namespace juxta {

/// What the cells of a column are.
enum class CellKind : std::uint8_t {
  kNumber,  ///< double; NaN: no number
  kWhole,   ///< std::int64_t
  kText,    ///< std::string
  kId,      ///< Id; written as random_id() of it, a whole number
};

/// A value of any kind; index() is its CellKind.
using Cell = std::variant<double, std::int64_t, std::string, Id>;

struct TableColumn {
  std::string name;
  CellKind kind = CellKind::kNumber;
  friend bool operator==(const TableColumn&, const TableColumn&) = default;
};

/// Named columns, each of one kind, row after row: what a run collects.
class Table {
 public:
  Table() = default;
  /// Of numbers alone.
  explicit Table(std::vector<std::string> names);
  [[nodiscard]] static Table of(std::vector<TableColumn> columns);

  [[nodiscard]] std::span<const std::string> names() const noexcept { return {names_.data(), names_.size()}; }
  /// Names and kinds, in order.
  [[nodiscard]] std::vector<TableColumn> columns() const;
  [[nodiscard]] CellKind kind(std::size_t index) const noexcept { return columns_[index].kind; }
  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }

  /// One double per row: numbers, whole numbers and Ids, those above 2^53 rounded. A name that is not there,
  /// or a column of text: empty.
  [[nodiscard]] std::span<const double> column(std::string_view name) const noexcept;
  [[nodiscard]] std::span<const double> column(std::size_t index) const noexcept;
  /// The exact values of a column of that kind; of another kind: empty.
  [[nodiscard]] std::span<const std::int64_t> whole_column(std::size_t index) const noexcept;
  [[nodiscard]] std::span<const std::string> text_column(std::size_t index) const noexcept;
  [[nodiscard]] std::span<const Id> id_column(std::size_t index) const noexcept;
  /// One value, of the column's kind.
  [[nodiscard]] Cell cell(std::size_t row, std::size_t index) const;

  /// As many values as there are columns. Doubles become whole numbers where the column has those (NaN, and
  /// what does not fit: 0). Of a cell of another kind than its column's, numbers are converted, else the
  /// column's zero: 0, "" or Id{}.
  void append(std::span<const double> row);
  void append(std::span<const Cell> row);
  void clear() noexcept;

  /// A line of names, a line per row, as RFC 4180 has it; numbers as number_text() writes them, NaN as
  /// nothing. Text that could be read as a number, or that is empty, is in quotes.
  [[nodiscard]] std::string csv() const;
  /// Whole or not at all. Errors: kIo.
  [[nodiscard]] Result<void> write_csv(std::string_view path) const;

  /// Reads what write_csv() wrote, or another table with a line of names. Kinds are told by the cells: of a
  /// column of whole numbers that fit all are whole; where each cell is a number or empty (NaN) they are
  /// numbers; else, and where a cell is in quotes, text. Errors: kIo; kParse (with the line: a line with more
  /// or fewer cells, a quote that nothing ends, no names).
  [[nodiscard]] static Result<Table> read_csv(std::string_view path);
  /// The same for these columns, which gives the table that was written. Errors: also kParse for other names,
  /// and a cell that is not of the column's kind.
  [[nodiscard]] static Result<Table> read_csv(std::string_view path, std::span<const TableColumn> columns);

  friend bool operator==(const Table&, const Table&) = default;

 private:
  struct Column {
    CellKind kind = CellKind::kNumber;
    std::vector<double> numbers;  // of all kinds but text
    std::vector<std::int64_t> wholes;
    std::vector<std::string> texts;
    std::vector<Id> ids;
    void put(const Cell& cell);
    friend bool operator==(const Column&, const Column&) = default;
  };
  std::vector<std::string> names_;
  std::vector<Column> columns_;
  std::size_t rows_ = 0;
};

}  // namespace juxta
