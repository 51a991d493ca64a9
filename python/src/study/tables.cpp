// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tables.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "juxta/agents/column.h"
#include "juxta/core/id.h"
#include "python/src/ids.h"

namespace juxta::python {
namespace {

/// An array of rows that is filled column by column.
class Rows {
 public:
  Rows(const py::list& fields, std::size_t count)
      : array_(py::dtype::from_args(fields), std::vector<py::ssize_t>{static_cast<py::ssize_t>(count)}),
        to_(static_cast<std::byte*>(array_.mutable_data())),
        stride_(static_cast<std::size_t>(array_.itemsize())),
        count_(count) {}

  /// The next field: of(row), which has the field's type.
  template <class Of>
  void fill(Of&& of) {
    std::byte* to = to_ + offset_;
    for (std::size_t row = 0; row < count_; ++row, to += stride_) {
      const auto value = of(row);
      std::memcpy(to, &value, sizeof value);
    }
    offset_ += sizeof(of(0));
  }
  /// The next field, of text: NumPy knows how.
  void fill_texts(const std::string& name, std::span<const std::string> texts) {
    py::list values;
    for (const std::string& text : texts) {
      values.append(py::str(text));
    }
    array_[py::str(name)] = values;
    const auto field = array_.dtype().attr("fields").attr("__getitem__")(name).cast<py::tuple>();
    offset_ += field[0].attr("itemsize").cast<std::size_t>();
  }
  [[nodiscard]] py::array take() && { return std::move(array_); }

 private:
  py::array array_;
  std::byte* to_;
  std::size_t stride_, count_, offset_ = 0;
};

/// The format of a field; null: not a number.
const char* format_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kFloat:
    case ColumnKind::kResult:
      return "f4";
    case ColumnKind::kDouble:
      return "f8";
    case ColumnKind::kInt:
      return "i4";
    case ColumnKind::kUnsigned:
      return "u4";
    case ColumnKind::kByte:
      return "u1";
    case ColumnKind::kReference:
      return "u8";
    case ColumnKind::kOther:
      break;
  }
  return nullptr;
}

template <class T>
void fill_with(Rows& rows, const Population& population, std::uint32_t column) {
  const std::span<const T> values = population.read(Column<T>{column});
  rows.fill([&](std::size_t row) { return values[row]; });
}

void fill_column(Rows& rows, const Population& population, std::uint32_t column) {
  switch (population.kind_of(column)) {
    case ColumnKind::kFloat:
    case ColumnKind::kResult:
      return fill_with<float>(rows, population, column);
    case ColumnKind::kDouble:
      return fill_with<double>(rows, population, column);
    case ColumnKind::kInt:
      return fill_with<std::int32_t>(rows, population, column);
    case ColumnKind::kUnsigned:
      return fill_with<std::uint32_t>(rows, population, column);
    case ColumnKind::kByte:
      return fill_with<std::uint8_t>(rows, population, column);
    case ColumnKind::kReference: {
      const std::span<const Id> ids = population.read(Column<Id>{column});
      return rows.fill([&](std::size_t row) { return number_of(ids[row]); });
    }
    case ColumnKind::kOther:
      return;
  }
}

bool is_whole(std::string_view name) {
  return name == "step" || name == "replica" || name == "seed" || name == "tick";
}

/// The format of a column's field. Text is as wide as its longest value.
std::string format_of(const Table& table, std::size_t column, bool whole) {
  switch (table.kind(column)) {
    case CellKind::kId:
      return "u8";
    case CellKind::kWhole:
      return "i8";
    case CellKind::kText: {
      std::size_t width = 1;
      for (const std::string& text : table.text_column(column)) {
        width = std::max(width, py::len(py::str(text)));
      }
      return "U" + std::to_string(width);
    }
    case CellKind::kNumber:
      break;
  }
  return whole || is_whole(table.names()[column]) ? "i8" : "f8";
}

}  // namespace

py::array table_array(const Table& table, bool whole) {
  py::list fields;
  for (std::size_t c = 0; c < table.names().size(); ++c) {
    fields.append(py::make_tuple(table.names()[c], format_of(table, c, whole)));
  }
  Rows rows(fields, table.rows());
  for (std::size_t c = 0; c < table.names().size(); ++c) {
    const std::span<const double> values = table.column(c);
    if (table.kind(c) == CellKind::kId) {
      rows.fill([&](std::size_t row) { return number_of(table.id_column(c)[row]); });
    } else if (table.kind(c) == CellKind::kWhole) {
      rows.fill([&](std::size_t row) { return table.whole_column(c)[row]; });
    } else if (table.kind(c) == CellKind::kText) {
      rows.fill_texts(table.names()[c], table.text_column(c));
    } else if (whole || is_whole(table.names()[c])) {
      rows.fill([&](std::size_t row) { return static_cast<std::int64_t>(values[row]); });
    } else {
      rows.fill([&](std::size_t row) { return values[row]; });
    }
  }
  return std::move(rows).take();
}

py::array agents_array(const Population& population) {
  py::list fields;
  fields.append(py::make_tuple("id", "u8"));
  for (std::uint32_t c = 0; c < population.column_count(); ++c) {
    if (const char* format = format_of(population.kind_of(c))) {
      fields.append(py::make_tuple(std::string(population.column_name(c)), format));
    }
  }
  Rows rows(fields, population.size());
  rows.fill([&](std::size_t row) { return number_of(population.id_of(static_cast<std::uint32_t>(row))); });
  for (std::uint32_t c = 0; c < population.column_count(); ++c) {
    fill_column(rows, population, c);
  }
  return std::move(rows).take();
}

}  // namespace juxta::python
