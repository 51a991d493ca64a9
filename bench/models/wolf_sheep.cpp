// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Wolves, sheep and grass: the published run of 100 steps.
#include <bit>

#include "bench/models/rows.h"
#include "bench/models/steps_row.h"
#include "models/models.h"
#include "tests/models/scalar/wolf_sheep.h"

namespace juxta::bench {
namespace {

std::uint64_t run_juxta(const ModelInfo& info, const Parameters& parameters, benchmark::State* state) {
  Simulation simulation = *info.begin(parameters, bench_seed());
  auto model = *info.open(parameters, simulation);
  timed_steps(state, info.steps, [&] { static_cast<void>(model->step({})); });
  Checksum checksum;
  for (const char* name : {"sheep", "wolves"}) {
    const Population& animals = *simulation.find_population(name);
    const auto x = animals.read(animals.position(0)), y = animals.read(animals.position(1));
    const auto energy = animals.read(*animals.find_column<double>("energy"));
    for (std::size_t row = 0; row < x.size(); ++row) {
      checksum.add_cell(x[row], y[row]);
      checksum.add(std::bit_cast<std::uint64_t>(energy[row]));
    }
  }
  return checksum.sum();
}

std::uint64_t run_scalar(const ModelInfo& info, const Parameters& parameters, benchmark::State* state) {
  const Simulation start = *info.begin(parameters, bench_seed());
  scalar::WolfSheep model(start, {.size = static_cast<std::int32_t>(parameters.count("size")),
                                  .regrowth = static_cast<std::int32_t>(parameters.count("regrowth")),
                                  .sheep_gain = parameters["sheep_gain"],
                                  .wolf_gain = parameters["wolf_gain"],
                                  .sheep_reproduction = parameters["sheep_reproduction"],
                                  .wolf_reproduction = parameters["wolf_reproduction"]});
  timed_steps(state, info.steps, [&] { model.step(); });
  Checksum checksum;
  for (const auto* animals : {&model.sheep(), &model.wolves()}) {
    for (const scalar::WolfSheep::Animal& animal : *animals) {
      checksum.add_cell(static_cast<float>(animal.x), static_cast<float>(animal.y));
      checksum.add(std::bit_cast<std::uint64_t>(animal.energy));
    }
  }
  return checksum.sum();
}

}  // namespace

void add_wolf_sheep_rows() {
  add_sizes("wolf_sheep", models::wolf_sheep, {{"juxta", run_juxta}, {"scalar", run_scalar}});
}

}  // namespace juxta::bench
