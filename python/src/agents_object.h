// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Simulation and juxta.Population.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "choice.h"
#include "field_object.h"
#include "guard.h"
#include "juxta/agents/metric.h"
#include "juxta/agents/simulation.h"

namespace juxta::python {

namespace py = pybind11;

struct SimulationObject : Guarded {
  explicit SimulationObject(Simulation made) : simulation(std::move(made)) {
    for (std::size_t i = 0; i < simulation.field_count(); ++i) {
      fields.push_back(std::make_unique<FieldObject>(&simulation.field(i)));
    }
  }
  Simulation simulation;
  std::vector<std::unique_ptr<FieldObject>> fields;  // of the simulation, in its order
};

/// A population belongs to its simulation, which this keeps alive. end_step() changes all populations, so the
/// lock is the simulation's too.
struct PopulationObject : Guarded {
  PopulationObject(py::object simulation, Population* population)
      : owner(std::move(simulation)), of(population) {}
  py::object owner;  // a SimulationObject
  Population* of;
};

/// Held while a call uses a population: Lock is Reading or Writing.
template <class Lock>
class Using {
 public:
  explicit Using(const PopulationObject& population)
      : alive_(population), lock_(py::cast<const SimulationObject&>(population.owner)) {}

 private:
  Reading alive_;
  Lock lock_;
};

/// Held while a call uses two populations, which may be one, and changes the first.
class UsingTwo {
 public:
  UsingTwo(const PopulationObject& changed, const PopulationObject& read) : lock_(changed), alive_(read) {
    if (!read.owner.is(changed.owner)) {
      other_.emplace(read);
    }
  }

 private:
  Using<Writing> lock_;
  Reading alive_;
  std::optional<Using<Reading>> other_;
};

/// metric= of a call.
inline constexpr std::array<Choice<Metric>, 2> kMetrics{{{"ball", Metric::kBall}, {"box", Metric::kBox}}};

/// The number of a column. Raises NotFound.
std::uint32_t column_of(const Population& population, const std::string& name);

/// Numbers for a column, of any type that NumPy has: one for all rows, or one for each.
struct ColumnValues {
  ColumnValues(std::string column, py::handle value);
  std::string name;
  py::array values;
};
/// Writes to `count` rows from `first` on, or raises ValueError or TypeError and writes nothing: `check` is
/// called for all columns before the first is written.
class ColumnWriter {
 public:
  ColumnWriter(const Population& population, const ColumnValues& values, std::size_t count);
  void write(Population& population, std::size_t first) const;

 private:
  std::uint32_t column_;
  ColumnKind kind_;
  std::size_t count_;
  py::array packed_;  // of the column's type, () or (count,)
};

void bind_population_columns(py::class_<PopulationObject>& population);
void bind_population_lists(py::class_<PopulationObject>& population);
void bind_population_passes(py::class_<PopulationObject>& population);
void bind_population_rows(py::class_<PopulationObject>& population);

}  // namespace juxta::python
