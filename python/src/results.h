// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Answers with several parts are named tuples of juxta/_results.py.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>

namespace juxta::python {

namespace py = pybind11;

/// Named tuples of juxta/_results.py, in the order of `kResultNames` in results.cpp.
enum class ResultType : std::size_t {
  kRayHit,
  kRayHits,
  kNearestHit,
  kLayerStats,
  kPairEvents,
  kSurfaceHit,
  kSurfaceHits,
  kClosestPoints,
  kBodyDistance,
  kCastHit,
  kCastHits,
  kContacts,
  kManifold,
  kManifolds,
  kMassProperties,
  kPropagated,
  kHierarchyStats,
  kChanged,
  kSortReport,
  kStepReport,
  kNearestAgents,
  kNeighbors,
  kNearestPoints,
  kCount,
};

/// Looks the classes up, once, when the module is imported.
void load_results();

/// One named tuple; as many parts as it has fields.
py::object make_result(ResultType type, py::tuple parts);

template <class... Parts>
py::object result(ResultType type, Parts&&... parts) {
  return make_result(type, py::make_tuple(std::forward<Parts>(parts)...));
}

}  // namespace juxta::python
