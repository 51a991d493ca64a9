// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The extension module juxta._study: models, sweeps and the space battle. It is apart from juxta._core
// because it needs HDF5, PNG and text libraries, and a build without them still has the rest.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>
#include <utility>
#include <vector>

#include "juxta/files/raster.h"

namespace juxta::python {

namespace py = pybind11;

void bind_battle(py::module_& module);
void bind_models(py::module_& module);
void bind_sweep(py::module_& module);

/// `set=` of a call: names and numbers, in the caller's order.
using Settings = std::vector<std::pair<std::string, double>>;

/// (height, width, 3) of uint8, from the top.
py::array image_array(const Raster& image);

}  // namespace juxta::python
