// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Field: the object, and the arrays of NumPy that look into it.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "guard.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/grid/field.h"

namespace juxta::python {

namespace py = pybind11;

struct FieldObject : Guarded {
  explicit FieldObject(Field made) : own(std::move(made)), field(*own) {}
  /// One of a simulation, which outlives it.
  explicit FieldObject(Field* of_simulation) : field(*of_simulation) {}

  /// Arrays of a component that Python holds, and the values that they look at.
  struct Views {
    std::atomic<std::size_t> count{0};
    const float* at = nullptr;
  };

  std::optional<Field> own;
  Field& field;
  std::array<Views, Field::kMostComponents> views;
};

/// component= of a call. Raises TypeError or ValueError.
std::uint32_t component_of(py::handle component);

/// cells= of a field: two numbers in the plane, three in space. Raises TypeError or ValueError.
FieldOptions field_options(const World& world, std::span<const std::uint32_t> cells,
                           const py::object& components);

/// The values of a component as an array (ny, nx) or (nz, ny, nx), which keeps `self`, a FieldObject, alive.
py::array field_view(const py::object& self, std::uint32_t component);

/// diffuse(), after which all views look at the values of the field again. It writes to the other one of the
/// two arrays that a field has of each component, so a step in which nothing flows brings them back.
Result<void> diffuse_with_views(FieldObject& self, const Diffusion& diffusion, const Context& context);

void bind_field_points(py::class_<FieldObject>& field);

}  // namespace juxta::python
