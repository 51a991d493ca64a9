// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Sweeps: from arguments or from a file.
#include "juxta/study/sweep.h"

#include <pybind11/stl.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "juxta/study/sample.h"
#include "models/models.h"
#include "python/src/call.h"
#include "python/src/choice.h"
#include "study.h"
#include "tables.h"

namespace juxta::python {
namespace {

using Values = std::vector<std::pair<std::string, std::vector<double>>>;
/// Of a sample: its kind, its number of points and its seed.
using Sampled = std::tuple<std::string, std::size_t, std::uint64_t>;

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

/// The points of a sample: each of `vary` is a range, from and to.
Values points_of(const Parameters& parameters, const Values& vary, const Sampled& sampled) {
  constexpr std::array<Choice<SampleKind>, 2> kKinds{
      {{"latin", SampleKind::kLatin}, {"sobol", SampleKind::kSobol}}};
  const auto& [kind, count, seed] = sampled;
  std::vector<SampleRange> ranges;
  for (const auto& [name, ends] : vary) {
    ranges.push_back({name, ends.at(0), ends.at(1)});
  }
  const SampleOptions options{choice_of(py::str(kind), "sample, kind", kKinds), count, seed};
  return unwrap(Call::released([&] { return sample(parameters, ranges, options); }));
}

py::tuple sweep(const std::string& model, const Values& vary, const std::optional<Sampled>& sampled,
                const std::vector<std::uint64_t>& seeds, const std::string& preset, const Settings& set,
                std::optional<std::uint32_t> steps, std::uint32_t every,
                const std::optional<std::string>& until, const std::string& journal,
                const py::object& threads, const py::object& progress) {
  Sweep made;
  made.model = unwrap(find_model(models::published(), model));
  made.parameters = unwrap(parameters_of(*made.model, preset));
  for (const auto& [name, value] : set) {
    unwrap(made.parameters.set(name, value));
  }
  made.steps = steps.value_or(steps_of(*made.model, preset));
  made.every = every;
  made.seeds = seeds;
  if (until) {
    made.until = unwrap(parse_until(*until));
  }
  made.together = sampled.has_value();
  made.vary = sampled ? points_of(made.parameters, vary, *sampled) : vary;
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
  module.def("sweep", &sweep, arg("model"), arg("vary"), arg("sample"), arg("seeds"), arg("preset"),
             arg("set"), arg("steps"), arg("every"), arg("until"), arg("journal"), arg("threads"),
             arg("progress"));
  module.def("sweep_file", &sweep_file, arg("path"), arg("journal"), arg("threads"), arg("progress"));
}

}  // namespace juxta::python
