// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Tables and populations as structured arrays: one row an entry, one field a column.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "juxta/agents/population.h"
#include "juxta/study/table.h"

namespace juxta::python {

namespace py = pybind11;

/// Float64, but for "step", "replica", "seed" and "tick", which are int64. `whole`: all fields are int64.
py::array table_array(const Table& table, bool whole = false);

/// "id" (uint64), then the columns of numbers in types of their own; references are ids as well. Columns of
/// other things are left out. One row an agent, in the order of memory.
py::array agents_array(const Population& population);

}  // namespace juxta::python
