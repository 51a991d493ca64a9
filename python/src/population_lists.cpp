// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Population.neighbors: the neighbours of all agents, as lists in compressed rows.
#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents_docs.h"
#include "agents_object.h"
#include "call.h"
#include "choice.h"
#include "columns.h"
#include "juxta/agents/neighbour_lists.h"
#include "outputs.h"
#include "point_lists.h"
#include "results.h"

namespace juxta::python {
namespace {

py::array rows_of_lists(std::span<const std::uint64_t> offsets, std::size_t size, IndexType type,
                        Call& call) {
  const auto filled = [&](auto rows) -> py::array {
    Call::released([&, into = rows.mutable_data()] { fill_rows(offsets, into, call.executor()); });
    return rows;
  };
  return type == IndexType::kUint32 ? filled(new_array<std::uint32_t>(size))
                                    : filled(new_array<std::int64_t>(size));
}

// What is found goes into arrays of exactly that size: the first of two calls counts.
py::object lists_of(const Population& seers, const Population& seen, float radius, const Quantities& wanted,
                    const NeighbourListOptions& options, IndexType type, Call& call) {
  const std::uint32_t dimensions = seers.world().dimensions;
  std::vector<std::uint64_t> offsets(seers.size() + 1);
  const auto find = [&](const NeighbourOutputs& outputs) {
    return call.run([&](const Context& context) {
      return neighbour_lists(seers, seen, radius, offsets, outputs, options, context);
    });
  };
  const std::size_t found = find({}).found;
  Buffer<std::uint32_t> rows;
  rows.resize(wanted.columns ? found : 0);
  auto distance = new_array<float>(wanted.distances ? found : 0);
  auto displacement = new_array<float>(wanted.displacements ? found : 0, dimensions);
  if (wanted.columns || wanted.distances || wanted.displacements) {
    find({.rows = rows.span(), .distance = span_of(distance), .displacement = span_of(displacement)});
  }
  auto starts = new_array<std::int64_t>(offsets.size());
  std::copy(offsets.begin(), offsets.end(), starts.mutable_data());
  py::object i = py::none(), j = py::none(), d = py::none(), vectors = py::none();
  if (wanted.rows) {
    i = rows_of_lists(offsets, found, type, call);
  }
  if (wanted.columns) {
    j = index_row(std::move(rows), type, call.executor());
  }
  if (wanted.distances) {
    d = std::move(distance);
  }
  if (wanted.displacements) {
    vectors = std::move(displacement);
  }
  return result(ResultType::kNeighbors, std::move(starts), i, j, d, vectors);
}

py::object neighbors(const PopulationObject& self, float radius, const py::object& quantities,
                     const PopulationObject* seen, bool half, const py::object& metric,
                     const std::optional<std::string>& radii, bool nearest_image, const py::object& dtype,
                     const py::object& threads, const py::object& progress) {
  const Quantities wanted = quantities_of(quantities);
  const IndexType type = index_type_of(dtype);
  NeighbourListOptions options{.metric = choice_of(metric, "metric", kMetrics),
                               .radii = {},
                               .half = half,
                               .nearest_images = nearest_image};
  const PopulationObject& others = seen != nullptr ? *seen : self;
  Call call(threads, progress);
  const Using<Reading> held(self), seen_held(others);
  if (radii) {
    options.radii = {column_of(*self.of, *radii)};
  }
  return lists_of(*self.of, *others.of, radius, wanted, options, type, call);
}

}  // namespace

void bind_population_lists(py::class_<PopulationObject>& population) {
  using py::arg;
  const auto none = py::none();
  population.def("neighbors", &neighbors, arg("radius"), arg("quantities") = "ij", py::kw_only(),
                 arg("seen") = none, arg("half") = false, arg("metric") = "ball", arg("radii") = none,
                 arg("nearest_image") = false, arg("dtype") = none, arg("threads") = none,
                 arg("progress") = none, docs::kPopulationNeighbors);
}

}  // namespace juxta::python
