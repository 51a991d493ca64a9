// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Simulation: the world, its populations, steps and files.
#include "juxta/agents/simulation.h"

#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "agents_docs.h"
#include "agents_object.h"
#include "bind.h"
#include "call.h"
#include "field_object.h"
#include "numbers.h"
#include "results.h"
#include "simulation_docs.h"
#include "world.h"

namespace juxta::python {
namespace {

std::unique_ptr<SimulationObject> build(const py::object& lo, const py::object& hi, std::uint32_t dimensions,
                                        const py::object& edges, std::uint64_t seed) {
  if (dimensions != 2 && dimensions != 3) {
    raise_value("dimensions is " + std::to_string(dimensions) + ". Give 2 or 3");
  }
  return std::make_unique<SimulationObject>(
      unwrap(Simulation::build(world_of(lo, hi, edges, dimensions), seed)));
}

std::unique_ptr<PopulationObject> population_of(const py::object& self, Population* population) {
  return std::make_unique<PopulationObject>(self, population);
}

std::unique_ptr<PopulationObject> add(const py::object& self, const std::string& name) {
  auto& object = py::cast<SimulationObject&>(self);
  const Writing writing(object);
  return population_of(self, unwrap(object.simulation.add_population(name)));
}

std::unique_ptr<PopulationObject> find(const py::object& self, const std::string& name) {
  auto& object = py::cast<SimulationObject&>(self);
  const Reading reading(object);
  Population* const found = object.simulation.find_population(name);
  if (found == nullptr) {
    raise(Error{.code = ErrorCode::kNotFound, .message = "there is no population '" + name + "'"});
  }
  return population_of(self, found);
}

/// A field has one object, which all callers get, because it knows the views of its values.
py::object field_at(const py::object& self, std::size_t index) {
  return py::cast(py::cast<SimulationObject&>(self).fields[index].get(),
                  py::return_value_policy::reference_internal, self);
}

py::object add_field(const py::object& self, const std::string& name, const py::object& cells,
                     const py::object& components) {
  auto& object = py::cast<SimulationObject&>(self);
  const Writing writing(object);
  const World& world = object.simulation.world();
  const Numbers<std::uint32_t> counts(cells, "cells");
  if (counts.ndim() != 1 || counts.size() != world.dimensions) {
    counts.refuse_shape("Give how many there are along each axis of the world");
  }
  const FieldOptions options = field_options(world, counts.span(), components);
  object.fields.reserve(object.fields.size() + 1);
  Field* const made = unwrap(object.simulation.add_field(name, options));
  object.fields.push_back(std::make_unique<FieldObject>(made));
  return field_at(self, object.fields.size() - 1);
}

py::object find_field(const py::object& self, const std::string& name) {
  const auto& object = py::cast<const SimulationObject&>(self);
  const Reading reading(object);
  for (std::size_t i = 0; i < object.fields.size(); ++i) {
    if (object.simulation.field_name(i) == name) {
      return field_at(self, i);
    }
  }
  raise(Error{.code = ErrorCode::kNotFound, .message = "there is no field '" + name + "'"});
}

py::list field_names(const SimulationObject& self) {
  const Reading reading(self);
  py::list all;
  for (std::size_t i = 0; i < self.fields.size(); ++i) {
    all.append(std::string(self.simulation.field_name(i)));
  }
  return all;
}

py::list names(const SimulationObject& self) {
  const Reading reading(self);
  py::list all;
  for (std::size_t i = 0; i < self.simulation.population_count(); ++i) {
    all.append(std::string(self.simulation.population(i).name()));
  }
  return all;
}

py::dict end_step(SimulationObject& self) {
  const Writing writing(self);
  const std::span<const StepReport> reports =
      unwrap(Call::released([&] { return self.simulation.end_step(); }));
  py::dict all;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const StepReport& one = reports[i];
    all[py::str(std::string(self.simulation.population(i).name()))] =
        result(ResultType::kStepReport, one.born, one.died, one.nulled);
  }
  return all;
}

void save(const SimulationObject& self, const py::object& path) {
  const std::string file = path_of(path);
  const Reading reading(self);
  std::deque<Reading> fields;
  for (const auto& field : self.fields) {
    fields.emplace_back(*field);
  }
  unwrap(Call::released([&] { return self.simulation.save(file); }));
}

std::unique_ptr<SimulationObject> load(const py::object& path) {
  const std::string file = path_of(path);
  return std::make_unique<SimulationObject>(unwrap(Call::released([&] { return Simulation::load(file); })));
}

template <class Read>
auto reading(Read&& read) {
  return [read](const SimulationObject& self) {
    const Reading held(self);
    return read(self.simulation);
  };
}

template <Vec3 World::*kCorner>
py::array corner(const Simulation& simulation) {
  return corner_array(simulation.world().*kCorner, simulation.world().dimensions);
}

}  // namespace

void bind_simulation(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  py::class_<PopulationObject> population(module, "Population", docs::kPopulation);
  py::class_<SimulationObject>(module, "Simulation", docs::kSimulation)
      .def(py::init(&build), arg("lo") = none, arg("hi") = none, py::kw_only(), arg("dimensions") = 3,
           arg("edges") = "open", arg("seed") = 0, docs::kSimulationInit)
      .def("add_population", &add, arg("name"), docs::kSimulationAdd)
      .def("__getitem__", &find, arg("name"), docs::kSimulationGet)
      .def("add_field", &add_field, arg("name"), arg("cells"), py::kw_only(), arg("components") = 1,
           docs::kSimulationAddField)
      .def("field", &find_field, arg("name"), docs::kSimulationField)
      .def_property_readonly("field_names", &field_names, docs::kSimulationFieldNames)
      .def("end_step", &end_step, docs::kSimulationEndStep)
      .def("save", &save, arg("path"), docs::kSimulationSave)
      .def_static("load", &load, arg("path"), docs::kSimulationLoad)
      .def_property_readonly("names", &names, docs::kSimulationNames)
      .def_property_readonly("step", reading([](const Simulation& of) { return of.step(); }),
                             docs::kSimulationStep)
      .def_property_readonly("seed", reading([](const Simulation& of) { return of.seed(); }),
                             docs::kSimulationSeed)
      .def_property_readonly("dimensions",
                             reading([](const Simulation& of) { return of.world().dimensions; }),
                             docs::kSimulationDimensions)
      .def_property_readonly("edges", reading([](const Simulation& of) { return edge_words(of.world()); }),
                             docs::kSimulationEdges)
      .def_property_readonly("lo", reading(&corner<&World::lo>), docs::kSimulationLo)
      .def_property_readonly("hi", reading(&corner<&World::hi>), docs::kSimulationHi)
      .def("__len__", reading([](const Simulation& of) { return of.population_count(); }))
      .def("__repr__", reading([](const Simulation& of) {
             return "<juxta.Simulation of " + std::to_string(of.population_count()) + " populations>";
           }));
  bind_population_columns(population);
  bind_population_rows(population);
  bind_population_passes(population);
  bind_population_lists(population);
}

}  // namespace juxta::python
