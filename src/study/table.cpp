// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "juxta/core/random.h"
#include "juxta/files/output_file.h"
#include "juxta/study/parameters.h"
#include "study/table_text.h"

namespace juxta {
namespace study_detail {
namespace {

template <class T>
std::optional<T> read_as(std::string_view text) {
  T value{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional<T>(value)
                                                                         : std::nullopt;
}

}  // namespace

std::string cell_text(const Cell& cell) {
  struct {
    std::string operator()(double value) const {
      return std::isnan(value) ? std::string() : number_text(value);
    }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(const std::string& value) const { return value; }
    std::string operator()(Id value) const { return std::to_string(random_id(value)); }
  } write;
  return std::visit(write, cell);
}

std::optional<Cell> read_cell(CellKind kind, std::string_view text) {
  switch (kind) {
    case CellKind::kNumber:
      if (text.empty()) {
        return std::numeric_limits<double>::quiet_NaN();
      }
      return read_as<double>(text);
    case CellKind::kWhole:
      return read_as<std::int64_t>(text);
    case CellKind::kText:
      return std::string(text);
    case CellKind::kId:
      break;
  }
  const auto number = read_as<std::uint64_t>(text);
  return number ? std::optional<Cell>(
                      Id{static_cast<std::uint32_t>(*number), static_cast<std::uint32_t>(*number >> 32)})
                : std::nullopt;
}

}  // namespace study_detail

namespace {

/// As RFC 4180 has it.
std::string in_quotes(std::string_view text) {
  std::string cell = "\"";
  for (const char c : text) {
    cell += c;
    if (c == '"') {
      cell += c;
    }
  }
  return cell + '"';
}

bool needs_quotes(std::string_view text) {
  return text.find_first_of(",\"\r\n") != std::string_view::npos;
}

/// So that it is read as text.
std::string csv_text(const std::string& text) {
  const bool plain =
      !needs_quotes(text) && !text.empty() && !study_detail::read_cell(CellKind::kNumber, text);
  return plain ? text : in_quotes(text);
}

constexpr double kBeyondWhole = 0x1p63;

std::int64_t whole_of(double value) noexcept {
  return value >= -kBeyondWhole && value < kBeyondWhole ? static_cast<std::int64_t>(value) : 0;
}

}  // namespace

Table::Table(std::vector<std::string> names) : names_(std::move(names)), columns_(names_.size()) {}

Table Table::of(std::vector<TableColumn> columns) {
  Table table;
  for (TableColumn& column : columns) {
    table.names_.push_back(std::move(column.name));
    table.columns_.emplace_back().kind = column.kind;
  }
  return table;
}

std::vector<TableColumn> Table::columns() const {
  std::vector<TableColumn> columns;
  for (std::size_t c = 0; c < names_.size(); ++c) {
    columns.push_back({names_[c], columns_[c].kind});
  }
  return columns;
}

std::span<const double> Table::column(std::string_view name) const noexcept {
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? std::span<const double>()
                               : columns_[static_cast<std::size_t>(found - names_.begin())].numbers;
}

std::span<const double> Table::column(std::size_t index) const noexcept {
  return columns_[index].numbers;
}
std::span<const std::int64_t> Table::whole_column(std::size_t index) const noexcept {
  return columns_[index].wholes;
}
std::span<const std::string> Table::text_column(std::size_t index) const noexcept {
  return columns_[index].texts;
}
std::span<const Id> Table::id_column(std::size_t index) const noexcept {
  return columns_[index].ids;
}

Cell Table::cell(std::size_t row, std::size_t index) const {
  const Column& column = columns_[index];
  switch (column.kind) {
    case CellKind::kWhole:
      return column.wholes[row];
    case CellKind::kText:
      return column.texts[row];
    case CellKind::kId:
      return column.ids[row];
    case CellKind::kNumber:
      break;
  }
  return column.numbers[row];
}

void Table::Column::put(const Cell& cell) {
  const auto* const number = std::get_if<double>(&cell);
  const auto* const whole = std::get_if<std::int64_t>(&cell);
  switch (kind) {
    case CellKind::kNumber:
      numbers.push_back(number != nullptr ? *number : whole != nullptr ? static_cast<double>(*whole) : 0);
      return;
    case CellKind::kWhole:
      wholes.push_back(whole != nullptr ? *whole : number != nullptr ? whole_of(*number) : 0);
      numbers.push_back(static_cast<double>(wholes.back()));
      return;
    case CellKind::kText: {
      const auto* const text = std::get_if<std::string>(&cell);
      texts.push_back(text != nullptr ? *text : std::string());
      return;
    }
    case CellKind::kId: {
      const auto* const id = std::get_if<Id>(&cell);
      ids.push_back(id != nullptr ? *id : Id{});
      numbers.push_back(static_cast<double>(random_id(ids.back())));
    }
  }
}

void Table::append(std::span<const double> row) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    columns_[c].put(row[c]);
  }
  ++rows_;
}

void Table::append(std::span<const Cell> row) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    columns_[c].put(row[c]);
  }
  ++rows_;
}

void Table::clear() noexcept {
  for (Column& column : columns_) {
    column.numbers.clear();
    column.wholes.clear();
    column.texts.clear();
    column.ids.clear();
  }
  rows_ = 0;
}

std::string Table::csv() const {
  std::string text;
  for (std::size_t c = 0; c < names_.size(); ++c) {
    text += c == 0 ? "" : ",";
    text += needs_quotes(names_[c]) ? in_quotes(names_[c]) : names_[c];
  }
  text += '\n';
  for (std::size_t r = 0; r < rows(); ++r) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      text += c == 0 ? "" : ",";
      text += columns_[c].kind == CellKind::kText ? csv_text(columns_[c].texts[r])
                                                  : study_detail::cell_text(cell(r, c));
    }
    text += '\n';
  }
  return text;
}

Result<void> Table::write_csv(std::string_view path) const {
  return write_file(path, csv());
}

}  // namespace juxta
