// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Contacts of bodies and of two shapes, as columns.
#pragma once

#include <pybind11/pybind11.h>

#include <span>

#include "juxta/shape/bodies.h"
#include "outputs.h"

namespace juxta::python {

namespace py = pybind11;

/// The fields of juxta._results.Manifolds: normals, counts, points, distances, features, parts.
[[nodiscard]] py::tuple manifold_columns(std::span<const Manifold> found, IndexType type);
/// As juxta._results.Contacts.
[[nodiscard]] py::object contacts_of(std::span<const Bodies::Contact> found, IndexType type);

void bind_contacts(py::module_& module);

}  // namespace juxta::python
