// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Population: the order of space, and passes over neighbours.
#include <pybind11/stl.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agents_docs.h"
#include "agents_object.h"
#include "bind.h"
#include "call.h"
#include "choice.h"
#include "ids.h"
#include "juxta/agents/find_near.h"
#include "juxta/agents/nearest.h"
#include "juxta/agents/reduce.h"
#include "numbers.h"
#include "outputs.h"
#include "results.h"

namespace juxta::python {
namespace {

constexpr std::array<Choice<Arrangement>, 6> kArrangements{{{"auto", Arrangement::kAuto},
                                                            {"rows", Arrangement::kRows},
                                                            {"morton", Arrangement::kMorton},
                                                            {"hilbert", Arrangement::kHilbert},
                                                            {"hashed", Arrangement::kHashed},
                                                            {"tree", Arrangement::kTree}}};
constexpr std::array<Choice<Reduction>, 5> kReductions{{{"count", Reduction::kCount},
                                                        {"sum", Reduction::kSum},
                                                        {"mean", Reduction::kMean},
                                                        {"min", Reduction::kLeast},
                                                        {"max", Reduction::kGreatest}}};

py::object sort(PopulationObject& self, float radius, float skin, const py::object& arrangement,
                const py::object& threads, const py::object& progress) {
  const SortOptions options{
      .radius = radius, .skin = skin, .arrangement = choice_of(arrangement, "arrangement", kArrangements)};
  Call call(threads, progress);
  const Using<Writing> held(self);
  const SortReport done = call.run([&](const Context& context) { return self.of->sort(options, context); });
  return result(ResultType::kSortReport, word_of(done.arrangement, kArrangements), done.cells, done.sorted);
}

// In both: `seen` is the population that is seen; null: the seers themselves.

void reduce(PopulationObject& self, const py::object& reduction, const std::optional<std::string>& of,
            const std::string& into, float radius, const PopulationObject* seen, const py::object& metric,
            const std::optional<std::string>& radii, const std::optional<std::string>& among,
            const py::object& threads, const py::object& progress) {
  const Reduction what = choice_of(reduction, "reduction", kReductions);
  SeeOptions options{.metric = choice_of(metric, "metric", kMetrics), .radii = {}, .among = {}};
  const PopulationObject& others = seen != nullptr ? *seen : self;
  Call call(threads, progress);
  const UsingTwo held(self, others);
  if (radii) {
    options.radii = {column_of(*self.of, *radii)};
  }
  if (among) {
    options.among = {column_of(*others.of, *among)};
  }
  call.run([&](const Context& context) {
    return juxta::reduce(*self.of, *others.of, radius, what, of.value_or(std::string()), into, options,
                         context);
  });
}

void steer_boids(PopulationObject& self, float see_radius, float avoid_radius, float cohere, float avoid,
                 float align, const std::vector<std::string>& velocity, const py::object& threads,
                 const py::object& progress) {
  if (velocity.size() != 2 && velocity.size() != 3) {
    raise_value("velocity names " + std::to_string(velocity.size()) + " columns. Give one for each axis");
  }
  Call call(threads, progress);
  const Using<Writing> held(self);
  if (velocity.size() < self.of->world().dimensions) {
    raise_value("velocity names two columns, and the world has three axes");
  }
  const BoidRules rules{.see_radius = see_radius,
                        .avoid_radius = avoid_radius,
                        .cohere = cohere,
                        .avoid = avoid,
                        .align = align,
                        .velocity = {velocity[0], velocity[1], velocity.back()}};
  call.run([&](const Context& context) { return juxta::steer_boids(*self.of, rules, context); });
}

py::object nearest(const PopulationObject& self, const py::object& k, float radius,
                   const PopulationObject* seen, const py::object& dtype, const py::object& threads,
                   const py::object& progress) {
  const std::size_t wanted = size_of(k, "k");
  const IndexType type = index_type_of(dtype);
  const PopulationObject& others = seen != nullptr ? *seen : self;
  Call call(threads, progress);
  const Using<Reading> held(self), seen_held(others);
  const std::size_t agents = self.of->size();
  if (wanted > std::numeric_limits<std::uint32_t>::max() ||
      (wanted != 0 && agents > std::numeric_limits<std::uint32_t>::max() * std::size_t{16} / wanted)) {
    raise(Error{.code = ErrorCode::kTooLarge, .message = "k is too large for so many agents"});
  }
  Buffer<std::uint32_t> rows;
  rows.resize(agents * wanted);
  auto distance = new_array<float>(agents, wanted);
  auto counts = new_array<std::uint32_t>(agents);
  const std::span<float> distances = span_of(distance);
  call.run([&, count_span = span_of(counts)](const Context& context) {
    return juxta::nearest(*self.of, *others.of, static_cast<std::uint32_t>(wanted), radius, rows.span(),
                          distances, count_span, context);
  });
  Call::released([&] {
    for (float& one : distances) {
      one = std::sqrt(one);
    }
  });
  return result(ResultType::kNearestAgents, index_array(std::move(rows), agents, type, call.executor()),
                std::move(distance),
                index_array(std::span<const std::uint32_t>(counts.data(), agents), type));
}

py::array find_near(const PopulationObject& self, const py::object& point, float radius,
                    const py::object& dtype) {
  const Numbers<float> numbers(point, "point");
  const IndexType type = index_type_of(dtype);
  const Using<Reading> held(self);
  const std::uint32_t dimensions = self.of->world().dimensions;
  if (numbers.ndim() != 1 || numbers.shape(0) != dimensions) {
    numbers.refuse_shape("Give (" + std::to_string(dimensions) + ",)");
  }
  Vec3 at;
  for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
    at[axis] = numbers.data()[axis];
  }
  std::vector<std::uint32_t> rows(64);
  const auto find = [&] {
    return Call::released([&] { return juxta::find_near(*self.of, at, radius, rows); });
  };
  std::size_t found = find().found;
  if (found > rows.size()) {
    rows.resize(found);
    found = find().found;
  }
  rows.resize(found);
  return index_array(rows, type);
}

}  // namespace

void bind_population_passes(py::class_<PopulationObject>& population) {
  using py::arg;
  const auto none = py::none();
  const BoidRules rules;
  population
      .def("sort", &sort, arg("radius"), py::kw_only(), arg("skin") = 0.0F, arg("arrangement") = "auto",
           arg("threads") = none, arg("progress") = none, docs::kPopulationSort)
      .def("reduce", &reduce, arg("reduction"), arg("of"), arg("into"), py::kw_only(), arg("radius"),
           arg("seen") = none, arg("metric") = "ball", arg("radii") = none, arg("among") = none,
           arg("threads") = none, arg("progress") = none, docs::kPopulationReduce)
      .def("steer_boids", &steer_boids, py::kw_only(), arg("see_radius"), arg("avoid_radius"), arg("cohere"),
           arg("avoid"), arg("align"), arg("velocity") = std::vector<std::string>{"vx", "vy", "vz"},
           arg("threads") = none, arg("progress") = none, docs::kPopulationSteerBoids)
      .def("nearest", &nearest, arg("k"), arg("radius") = std::numeric_limits<float>::infinity(),
           py::kw_only(), arg("seen") = none, arg("dtype") = none, arg("threads") = none,
           arg("progress") = none, docs::kPopulationNearest)
      .def("find_near", &find_near, arg("point"), arg("radius"), py::kw_only(), arg("dtype") = none,
           docs::kPopulationFindNear)
      .def_property_readonly(
          "sorted",
          [](const PopulationObject& self) {
            const Using<Reading> held(self);
            return self.of->sorted();
          },
          docs::kPopulationSorted);
}

}  // namespace juxta::python
