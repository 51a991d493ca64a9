// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Worlds of simulations and fields: lo=, hi=, edges=, and the same as answers.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>

#include "juxta/math/world.h"

namespace juxta::python {

namespace py = pybind11;

/// `edges` is one word for all axes, or one for each; `lo` and `hi` are one number for all axes, one for
/// each, or None: 0. `dimensions` is 2 or 3. Raises ValueError or TypeError.
World world_of(py::handle lo, py::handle hi, py::handle edges, std::uint32_t dimensions);

/// "open", "wall" or "periodic" for each axis.
py::tuple edge_words(const World& world);
/// (D,) float32.
py::array corner_array(const Vec3& corner, std::uint32_t dimensions);

}  // namespace juxta::python
