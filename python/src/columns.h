// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Columns for RankedPoints: one axis, any positive stride, no copy of the types that the library reads.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <utility>
#include <vector>

#include "juxta/ranked/column.h"

namespace juxta::python {

namespace py = pybind11;

/// Two arrays of one type, float32 if both are (or float16), else float64. Raises ValueError for other shapes
/// than (n,), TypeError for what are no real numbers.
std::pair<py::array, py::array> coordinate_columns(py::handle x, const char* x_name, py::handle y,
                                                   const char* y_name);
/// An array of int32, int64, float32 or float64. Smaller types are widened; uint64 must fit into int64.
py::array rank_column(py::handle rank, const char* name);

/// What the two functions above returned, as the library takes it. Borrowed from the array.
CoordinateColumn as_coordinates(const py::array& column);
RankColumn as_ranks(const py::array& column);

/// A list of up to two columns of numbers; none for None. How many there are, the library checks.
std::vector<py::array> value_columns(const py::object& values);
std::vector<ValueColumn> as_values(const std::vector<py::array>& columns);

}  // namespace juxta::python
