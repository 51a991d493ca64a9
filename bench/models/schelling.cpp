// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Schelling's model: the published run of 20 steps.
#include "tests/models/scalar/schelling.h"
#include "bench/models/rows.h"
#include "bench/models/steps_row.h"
#include "models/models.h"
#include "tests/models/scalar/schelling_counts.h"

namespace juxta::bench {
namespace {

constexpr std::uint64_t kSeed = 1;

std::uint64_t run_juxta(const ModelInfo& info, const Parameters& parameters, benchmark::State* state) {
  Simulation simulation = *info.begin(parameters, kSeed);
  auto model = *info.open(parameters, simulation);
  timed_steps(state, info.steps, [&] { static_cast<void>(model->step({})); });
  Checksum checksum;
  const Population& agents = *simulation.find_population("agents");
  const auto x = agents.read(agents.position(0)), y = agents.read(agents.position(1));
  for (std::size_t row = 0; row < x.size(); ++row) {
    checksum.add_cell(x[row], y[row]);
  }
  return checksum.sum();
}

std::uint64_t run_scalar(const ModelInfo& info, const Parameters& parameters, benchmark::State* state) {
  const Simulation start = *info.begin(parameters, kSeed);
  const auto whole = [&](const char* name) { return static_cast<std::int32_t>(parameters.count(name)); };
  scalar::Schelling model(start, whole("size"), whole("radius"), whole("happy"));
  timed_steps(state, info.steps, [&] { model.step(); });
  Checksum checksum;
  for (const scalar::Schelling::Agent& agent : model.agents()) {
    checksum.add_cell(static_cast<float>(agent.x), static_cast<float>(agent.y));
  }
  return checksum.sum();
}

/// Plain C++ with count tables.
std::uint64_t run_counts(const ModelInfo& info, const Parameters& parameters, benchmark::State* state) {
  const Simulation start = *info.begin(parameters, kSeed);
  const auto whole = [&](const char* name) { return static_cast<std::uint32_t>(parameters.count(name)); };
  scalar::SchellingCounts model(start, whole("size"), whole("radius"), whole("happy"));
  timed_steps(state, info.steps, [&] { model.step(); });
  Checksum checksum;
  for (const auto& [x, y] : model.cells()) {
    checksum.add_cell(static_cast<float>(x), static_cast<float>(y));
  }
  return checksum.sum();
}

}  // namespace

void add_schelling_rows() {
  add_sizes("schelling", models::schelling,
            {{"juxta", run_juxta}, {"counts", run_counts}, {"scalar", run_scalar}});
}

}  // namespace juxta::bench
