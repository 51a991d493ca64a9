// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Bodies.
#pragma once

#include <pybind11/pybind11.h>

#include "guard.h"
#include "juxta/shape/bodies.h"
#include "shape_object.h"
#include "transforms_in.h"

namespace juxta::python {

namespace py = pybind11;

struct BodiesObject : Guarded {
  Bodies bodies;
  py::object shapes;  // what the bodies borrow
};

void bind_bodies_rays(py::class_<BodiesObject>& bodies);
void bind_bodies_shapes(py::class_<BodiesObject>& bodies);

}  // namespace juxta::python
