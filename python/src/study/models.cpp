// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The published models and one run of one of them.
#include "models/models.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "juxta/core/monitor.h"
#include "juxta/core/try.h"
#include "juxta/study/collector.h"
#include "juxta/study/model.h"
#include "juxta/study/run.h"
#include "python/src/call.h"
#include "python/src/guard.h"
#include "study.h"
#include "tables.h"

namespace juxta::python {
namespace {

struct RunObject : Guarded {
  explicit RunObject(Run&& begun) : run(std::move(begun)) {}
  Run run;
  bool failed = false;  // a step ended with an error: there is no next one
};

/// Everything that there is to know about the models, for juxta/models.py.
py::list infos() {
  py::list all;
  for (const ModelInfo& info : models::published()) {
    py::list parameters, presets;
    for (const Parameter& p : info.parameters) {
      parameters.append(py::make_tuple(p.name, p.value, p.lo, p.hi, p.whole, p.what));
    }
    for (const Preset& preset : info.presets) {
      presets.append(py::make_tuple(preset.name, preset.values, steps_of(info, preset.name)));
    }
    all.append(py::make_tuple(info.name, info.what, info.steps, parameters, presets));
  }
  return all;
}

std::unique_ptr<RunObject> begin(const std::string& name, const std::string& preset, const Settings& set,
                                 std::uint64_t seed, std::uint32_t steps) {
  const ModelInfo* const info = unwrap(find_model(models::published(), name));
  Parameters parameters = unwrap(parameters_of(*info, preset));
  for (const auto& [parameter, value] : set) {
    unwrap(parameters.set(parameter, value));
  }
  return std::make_unique<RunObject>(
      unwrap(Call::released([&] { return Run::begin(*info, parameters, seed, {.steps = steps}); })));
}

std::unique_ptr<RunObject> resume(const std::string& path) {
  return std::make_unique<RunObject>(
      unwrap(Call::released([&] { return Run::resume(path, models::published()); })));
}

/// The steps of advance(). What a step did stays done, whatever ends the loop.
Result<void> go(RunObject& self, std::uint32_t steps, const Context& context) {
  const std::string& name = self.run.info().name;
  for (std::uint32_t i = 0; i < steps; ++i) {
    if (auto done = self.run.step({.executor = context.executor}); !done) {
      self.failed = true;
      return done;
    }
    if (!report(context.monitor, name, i + 1, steps) && i + 1 < steps) {
      return fail(ErrorCode::kCancelled, "the run was cancelled; it stands between two steps");
    }
  }
  return {};
}

void advance(RunObject& self, std::uint32_t steps, const py::object& threads, const py::object& progress) {
  Call call(threads, progress);
  const Writing writing(self);
  if (self.failed) {
    raise_value("an earlier step of this run ended with an error, so it cannot go on; begin another run");
  }
  call.run([&](const Context& context) { return go(self, steps, context); });
}

/// Of the form of what the model shows, which a first small drawing tells.
py::array draw(const RunObject& self, std::uint32_t size) {
  const Reading reading(self);
  const Raster image = Call::released([&] {
    Raster sketch(8, 8);
    self.run.model().draw(sketch);
    const double aspect = std::clamp(sketch.aspect(), 0.1, 10.0);
    const auto side = [size](double part) { return static_cast<std::uint32_t>(size * std::min(part, 1.0)); };
    Raster drawn(side(aspect), side(1 / aspect));
    self.run.model().draw(drawn);
    return drawn;
  });
  return image_array(image);
}

void save(const RunObject& self, const std::string& path) {
  const Reading reading(self);
  unwrap(Call::released([&] { return self.run.save(path); }));
}

py::dict agents(const RunObject& self) {
  const Reading reading(self);
  py::dict all;
  const Simulation& simulation = self.run.simulation();
  for (std::size_t i = 0; i < simulation.population_count(); ++i) {
    const Population& population = simulation.population(i);
    all[py::str(std::string(population.name()))] = agents_array(population);
  }
  return all;
}

py::dict parameters_of_run(const RunObject& self) {
  const Reading reading(self);
  py::dict all;
  for (const Parameter& p : self.run.parameters().declared()) {
    all[py::str(p.name)] = p.value;
  }
  return all;
}

template <class Read>
auto reading(Read&& read) {
  return [read](const RunObject& self) {
    const Reading held(self);
    return read(self.run);
  };
}

}  // namespace

void bind_models(py::module_& module) {
  using py::arg;
  module.def("infos", &infos);
  py::class_<RunObject>(module, "Run")
      .def(py::init(&begin), arg("model"), arg("preset"), arg("set"), arg("seed"), arg("steps"))
      .def_static("resume", &resume, arg("path"))
      .def("advance", &advance, arg("steps"), arg("threads"), arg("progress"))
      .def("draw", &draw, arg("size"))
      .def("save", &save, arg("path"))
      .def("agents", &agents)
      .def("parameters", &parameters_of_run)
      .def("table", reading([](const Run& run) { return table_array(run.collected().steps()); }))
      .def("model", reading([](const Run& run) { return run.info().name; }))
      .def("seed", reading([](const Run& run) { return run.simulation().seed(); }))
      .def("step", reading([](const Run& run) { return run.simulation().step(); }))
      .def("planned_steps", reading([](const Run& run) { return run.planned_steps(); }))
      .def("state_hash", reading([](const Run& run) { return run.state_hash(); }));
}

}  // namespace juxta::python
