// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "results.h"

#include <array>

#include "errors.h"

namespace juxta::python {
namespace {

constexpr auto kCount = static_cast<std::size_t>(ResultType::kCount);
constexpr std::array<const char*, kCount> kResultNames = {
    "RayHit",      "RayHits",       "NearestHit",     "LayerStats", "PairEvents",     "SurfaceHit",
    "SurfaceHits", "ClosestPoints", "BodyDistance",   "CastHit",    "CastHits",       "Contacts",
    "Manifold",    "Manifolds",     "MassProperties", "Propagated", "HierarchyStats", "Changed",
    "SortReport",  "StepReport",    "NearestAgents",  "Neighbors",  "NearestPoints"};
std::array<PyTypeObject*, kCount> types{};

}  // namespace

void load_results() {
  const py::module_ results = py::module_::import("juxta._results");
  for (std::size_t i = 0; i < kCount; ++i) {
    types[i] = reinterpret_cast<PyTypeObject*>(py::object(results.attr(kResultNames[i])).release().ptr());
  }
}

py::object make_result(ResultType type, py::tuple parts) {
  // What the class's own _make() does, without running Python.
  const py::tuple arguments = py::make_tuple(std::move(parts));
  PyObject* made = PyTuple_Type.tp_new(types[static_cast<std::size_t>(type)], arguments.ptr(), nullptr);
  if (made == nullptr) {
    throw py::error_already_set();
  }
  return py::reinterpret_steal<py::object>(made);
}

}  // namespace juxta::python
