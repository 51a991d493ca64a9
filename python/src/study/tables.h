// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Tables and populations as structured arrays: one row an entry, one field a column.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "juxta/agents/population.h"
#include "juxta/study/table.h"

namespace juxta::python {

namespace py = pybind11;

/// Numbers are float64, whole numbers int64, Ids uint64, and text is str. Of numbers, "step", "replica",
/// "seed" and "tick" are int64 too. `whole`: all of numbers are.
py::array table_array(const Table& table, bool whole = false);

/// "id" (uint64), then the columns of numbers in types of their own; references are ids as well. Columns of
/// other things are left out. One row an agent, in the order of memory.
py::array agents_array(const Population& population);

}  // namespace juxta::python
