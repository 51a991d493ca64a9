// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Flock.
#include "juxta/agents/flock.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "agents_docs.h"
#include "bind.h"
#include "boxes.h"
#include "call.h"
#include "guard.h"
#include "outputs.h"

namespace juxta::python {
namespace {

struct FlockObject : Guarded {
  explicit FlockObject(Flock made) : flock(std::move(made)) {}
  Flock flock;
};

/// The published number where the caller gives none.
float rule(const py::object& value, float published) {
  return value.is_none() ? published : py::cast<float>(value);
}

std::unique_ptr<FlockObject> build(float half_size, std::uint32_t dimensions, bool periodic,
                                   const py::object& time_step, const py::object& see_radius2,
                                   const py::object& avoid_radius2, const py::object& min_speed,
                                   const py::object& max_speed, const py::object& wall_distance,
                                   const py::object& wall, const py::object& avoid, const py::object& align,
                                   const py::object& cohere) {
  const FlockRules published;
  return std::make_unique<FlockObject>(
      unwrap(Flock::build({.dimensions = dimensions,
                           .half_size = half_size,
                           .periodic = periodic,
                           .rules = {.time_step = rule(time_step, published.time_step),
                                     .see_radius2 = rule(see_radius2, published.see_radius2),
                                     .avoid_radius2 = rule(avoid_radius2, published.avoid_radius2),
                                     .min_speed = rule(min_speed, published.min_speed),
                                     .max_speed = rule(max_speed, published.max_speed),
                                     .wall_distance = rule(wall_distance, published.wall_distance),
                                     .wall = rule(wall, published.wall),
                                     .avoid = rule(avoid, published.avoid),
                                     .align = rule(align, published.align),
                                     .cohere = rule(cohere, published.cohere)}})));
}

void scatter(FlockObject& self, const py::object& count, std::uint64_t seed) {
  const std::size_t boids = size_of(count, "count");
  const Writing writing(self);
  unwrap(Call::released([&] { return self.flock.scatter(boids, seed); }));
}

/// (n, D) numbers as vectors; z is 0 in 2D.
std::vector<Vec3> vectors_of(py::handle value, const char* name, std::uint32_t dimensions) {
  const Numbers<float> numbers(value, name);
  if (numbers.ndim() != 2 || numbers.shape(1) != dimensions) {
    numbers.refuse_shape("Give (n, " + std::to_string(dimensions) + ")");
  }
  std::vector<Vec3> vectors(numbers.shape(0));
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
      vectors[i][axis] = numbers.data()[i * dimensions + axis];
    }
  }
  return vectors;
}

void rebuild(FlockObject& self, const py::object& positions, const py::object& velocities) {
  const std::uint32_t dimensions = [&] {
    const Reading reading(self);
    return self.flock.options().dimensions;
  }();
  const std::vector<Vec3> at = vectors_of(positions, "positions", dimensions);
  const std::vector<Vec3> by = vectors_of(velocities, "velocities", dimensions);
  const Writing writing(self);
  unwrap(Call::released([&] { return self.flock.rebuild(at, by); }));
}

void step(FlockObject& self, const py::object& steps, const py::object& threads, const py::object& progress) {
  const std::size_t count = size_of(steps, "steps");
  Call call(threads, progress);
  const Writing writing(self);
  call.run_steps(count, "steps", [&](const Context& context) { return self.flock.step(context); });
}

/// (n, D), a copy: every step moves boids to other rows.
template <class Axis>
py::array by_boid(const Flock& flock, Axis&& values) {
  const std::uint32_t dimensions = flock.options().dimensions;
  auto out = new_array<float>(flock.size(), dimensions);
  for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
    float* to = out.mutable_data() + axis;
    for (const float value : values(axis)) {
      *to = value;
      to += dimensions;
    }
  }
  return out;
}

template <class Read>
auto reading(Read&& read) {
  return [read](const FlockObject& self) {
    const Reading held(self);
    return read(self.flock);
  };
}

}  // namespace

void bind_flock(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  py::class_<FlockObject>(module, "Flock", docs::kFlock)
      .def(py::init(&build), py::kw_only(), arg("half_size") = 10.5F, arg("dimensions") = 2,
           arg("periodic") = false, arg("time_step") = none, arg("see_radius2") = none,
           arg("avoid_radius2") = none, arg("min_speed") = none, arg("max_speed") = none,
           arg("wall_distance") = none, arg("wall") = none, arg("avoid") = none, arg("align") = none,
           arg("cohere") = none, docs::kFlockInit)
      .def("scatter", &scatter, arg("count"), py::kw_only(), arg("seed") = 0, docs::kFlockScatter)
      .def("rebuild", &rebuild, arg("positions"), arg("velocities"), docs::kFlockRebuild)
      .def("step", &step, arg("steps") = 1, py::kw_only(), arg("threads") = none, arg("progress") = none,
           docs::kFlockStep)
      .def_property_readonly("positions", reading([](const Flock& flock) {
                               return by_boid(flock,
                                              [&](std::uint32_t axis) { return flock.position(axis); });
                             }),
                             docs::kFlockPositions)
      .def_property_readonly("velocities", reading([](const Flock& flock) {
                               return by_boid(flock,
                                              [&](std::uint32_t axis) { return flock.velocity(axis); });
                             }),
                             docs::kFlockVelocities)
      .def_property_readonly("numbers", reading([](const Flock& flock) { return array_of(flock.numbers()); }),
                             docs::kFlockNumbers)
      .def_property_readonly("steps", reading([](const Flock& flock) { return flock.steps(); }),
                             docs::kFlockSteps)
      .def_property_readonly("memory_bytes", reading([](const Flock& flock) { return flock.memory_bytes(); }),
                             docs::kFlockMemoryBytes)
      .def("__len__", reading([](const Flock& flock) { return flock.size(); }))
      .def("__repr__", reading([](const Flock& flock) {
             return "<juxta.Flock of " + std::to_string(flock.size()) + " boids>";
           }));
}

}  // namespace juxta::python
