// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The extension module juxta._core. What stands here is re-exported by python/juxta/__init__.py.
#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>

#include "bind.h"
#include "errors.h"
#include "juxta/core/isa.h"
#include "juxta/layer/pair.h"
#include "juxta/version.h"
#include "results.h"
#include "threads.h"
#include "transforms_in.h"

namespace juxta::python {

std::size_t size_of(py::handle value, const char* name) {
  if (PyIndex_Check(value.ptr()) == 0) {
    raise_type(std::string(name) + " is " + std::string(py::repr(value)) + ". Give a whole number");
  }
  const Py_ssize_t number = PyNumber_AsSsize_t(value.ptr(), PyExc_OverflowError);
  if (number == -1 && PyErr_Occurred() != nullptr) {
    throw py::error_already_set();
  }
  if (number < 0) {
    raise_value(std::string(name) + " is " + std::to_string(number) + ". Give 0 or more");
  }
  return static_cast<std::size_t>(number);
}

std::string path_of(py::handle path) {
  const py::object plain = py::reinterpret_steal<py::object>(PyOS_FSPath(path.ptr()));
  if (!plain) {
    throw py::error_already_set();
  }
  PyObject* encoded = nullptr;  // PyUnicode_FSConverter also refuses a zero byte inside
  if (PyUnicode_FSConverter(plain.ptr(), &encoded) == 0) {
    throw py::error_already_set();
  }
  return py::reinterpret_steal<py::bytes>(encoded);
}

Bytes::Bytes(py::handle value, const char* name) {
  if (PyObject_GetBuffer(value.ptr(), &view_, PyBUF_SIMPLE) != 0) {
    PyErr_Clear();
    raise_type(std::string(name) + " is not a contiguous bytes-like object");
  }
}

namespace {

void bind_processor(py::module_& module) {
  module.def(
      "active_isa", [] { return std::string(isa_name(unwrap(active_isa()))); },
      R"(The instruction set in use: "avx3" (AVX-512), "avx2", "sse4" or "neon".

The best one of this machine, or the one that the environment variable ``JUXTA_ISA`` named when the library was first
used. Results never depend on it.

Returns
-------
str

Raises
------
juxta.errors.UnsupportedCpu
    This machine lacks SSE4.2, or the set that ``JUXTA_ISA`` names.
)");
}

}  // namespace
}  // namespace juxta::python

PYBIND11_MODULE(_core, module) {
  using namespace juxta::python;
  module.doc() = "The compiled part of juxta. Import juxta instead.";
  load_errors();
  load_results();
  load_transforms();
  module.attr("__version__") = JUXTA_VERSION_STRING;
  module.attr("NO_BODY") = juxta::kNoBody;
  bind_threads(module);
  bind_processor(module);
  bind_layer(module);
  bind_point_tree(module);
  bind_ranked(module);
  bind_ranked_labels(module);
  bind_shape(module);
  bind_bodies(module);
  bind_hierarchy(module);
  bind_transform_calls(module);
  bind_flock(module);
  bind_field(module);
  bind_grid_space(module);
  bind_simulation(module);
  bind_rules(module);  // its signatures name Population
}
