// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Sweeps: from arguments or from a file.
#include "juxta/study/sweep.h"

#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "juxta/core/try.h"
#include "models/models.h"
#include "python/src/call.h"
#include "study.h"
#include "tables.h"

namespace juxta::python {
namespace {

using Values = std::vector<std::pair<std::string, std::vector<double>>>;

/// (table, replicas from the journal, [(replica, why it diverged)], model, steps).
py::tuple run(const Sweep& sweep, const std::string& journal, const py::object& threads,
              const py::object& progress) {
  Call call(threads, progress);
  const SweepResult result =
      call.run([&](const Context& context) { return run_sweep(sweep, {.journal = journal}, context); });
  py::list diverged;
  for (const Error& error : result.diverged) {
    diverged.append(py::make_tuple(error.index, error.message));
  }
  return py::make_tuple(table_array(result.table), result.resumed, diverged, sweep.model->name, sweep.steps);
}

py::tuple sweep(const std::string& model, const Values& vary, const std::vector<std::uint64_t>& seeds,
                const std::string& preset, const Settings& set, std::optional<std::uint32_t> steps,
                std::uint32_t every, const std::string& journal, const py::object& threads,
                const py::object& progress) {
  Sweep made;
  made.model = unwrap(find_model(models::published(), model));
  made.parameters = unwrap(parameters_of(*made.model, preset));
  for (const auto& [name, value] : set) {
    unwrap(made.parameters.set(name, value));
  }
  made.steps = steps.value_or(steps_of(*made.model, preset));
  made.every = every;
  made.seeds = seeds;
  made.vary = vary;
  return run(made, journal, threads, progress);
}

py::tuple sweep_file(const std::string& path, const std::string& journal, const py::object& threads,
                     const py::object& progress) {
  const Sweep read = unwrap(Call::released([&] { return read_sweep(path, models::published()); }));
  return run(read, journal, threads, progress);
}

}  // namespace

void bind_sweep(py::module_& module) {
  using py::arg;
  module.def("sweep", &sweep, arg("model"), arg("vary"), arg("seeds"), arg("preset"), arg("set"),
             arg("steps"), arg("every"), arg("journal"), arg("threads"), arg("progress"));
  module.def("sweep_file", &sweep_file, arg("path"), arg("journal"), arg("threads"), arg("progress"));
}

}  // namespace juxta::python
