// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "columns.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

#include "errors.h"
#include "numbers.h"

namespace juxta::python {
namespace {

py::array one_axis(py::handle value, const char* name) {
  py::array array = array_of_numbers(value, name);
  if (array.ndim() != 1) {
    raise_value(std::string(name) + " has shape " + shape_text(array) + ". A column is (n,)");
  }
  return array;
}

// As T; without a copy when it is T already and runs forwards.
template <class T>
py::array column_of(const py::array& array) {
  if (array.dtype().is(py::dtype::of<T>()) && (array.strides(0) >= 0 || array.shape(0) < 2)) {
    return array;
  }
  return py::array_t<T, py::array::c_style | py::array::forcecast>(array);
}

bool holds_floats(const py::array& array) {
  return array.dtype().kind() == 'f' && array.itemsize() <= 4;
}

template <class Column, class T>
Column borrow(const py::array& array) {
  return Column(StridedColumn<T>{static_cast<const std::byte*>(array.data()),
                                 static_cast<std::size_t>(array.strides(0))},
                static_cast<std::size_t>(array.shape(0)));
}

}  // namespace

std::pair<py::array, py::array> coordinate_columns(py::handle x, const char* x_name, py::handle y,
                                                   const char* y_name) {
  const py::array xs = one_axis(x, x_name), ys = one_axis(y, y_name);
  if (holds_floats(xs) && holds_floats(ys)) {
    return {column_of<float>(xs), column_of<float>(ys)};
  }
  return {column_of<double>(xs), column_of<double>(ys)};
}

py::array rank_column(py::handle rank, const char* name) {
  const py::array array = one_axis(rank, name);
  const char kind = array.dtype().kind();
  if (kind == 'f') {
    return array.itemsize() <= 4 ? column_of<float>(array) : column_of<double>(array);
  }
  if (kind == 'u' && array.itemsize() == 8 && array.size() != 0) {
    const auto most = array.attr("max")().cast<std::uint64_t>();
    if (most > static_cast<std::uint64_t>(INT64_MAX)) {
      raise_value(std::string(name) + " holds " + std::to_string(most) +
                  ". Whole ranks are below 2**63; give floats, or shift them");
    }
  }
  const bool small = array.itemsize() < 4 || (kind == 'i' && array.itemsize() == 4);
  return small ? column_of<std::int32_t>(array) : column_of<std::int64_t>(array);
}

CoordinateColumn as_coordinates(const py::array& column) {
  return column.itemsize() == 4 ? borrow<CoordinateColumn, float>(column)
                                : borrow<CoordinateColumn, double>(column);
}

RankColumn as_ranks(const py::array& column) {
  if (column.dtype().kind() == 'f') {
    return column.itemsize() == 4 ? borrow<RankColumn, float>(column) : borrow<RankColumn, double>(column);
  }
  return column.itemsize() == 4 ? borrow<RankColumn, std::int32_t>(column)
                                : borrow<RankColumn, std::int64_t>(column);
}

std::vector<py::array> value_columns(const py::object& values) {
  std::vector<py::array> columns;
  if (!values.is_none()) {
    if (!py::isinstance<py::sequence>(values)) {
      throw py::type_error("values is not a list of columns: give [price] or [price, time]");
    }
    for (const py::handle column : values) {
      columns.push_back(rank_column(column, "a column of values"));
    }
  }
  return columns;
}

std::vector<ValueColumn> as_values(const std::vector<py::array>& columns) {
  std::vector<ValueColumn> borrowed;
  std::ranges::transform(columns, std::back_inserter(borrowed), as_ranks);
  return borrowed;
}

}  // namespace juxta::python
