// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Birds: a hundred steps from the start, as published. juxta and scalar end in the same bits, grid at the
// same places up to rounding.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "bench/models/rows.h"
#include "juxta/study/columns.h"
#include "models/models.h"
#include "tests/models/scalar/flocking.h"
#include "tests/models/scalar/flocking_grid.h"

namespace juxta::bench {
namespace {

constexpr std::uint64_t kSeed = 42;
constexpr std::uint32_t kSteps = 100;

scalar::FlockingWorld plain_world(const Parameters& p) {
  return scalar::make_flocking(
      {p["size"], p["radius"], p["cohere"], p["separate"], p["separation"], p["match"], p["speed"]},
      p.count("birds"), kSeed);
}

/// Where everyone looking at everyone gets them.
scalar::FlockingWorld plain_end(const Parameters& parameters) {
  auto world = plain_world(parameters);
  while (world.step < kSteps) {
    scalar::step_flocking(world);
  }
  return world;
}

/// The sum of all places: juxta and scalar must agree to the last bit.
double place_sum(const scalar::FlockingWorld& world) {
  double sum = 0;
  for (const scalar::Bird& bird : world.birds) {
    sum += bird.x + bird.y;
  }
  return sum;
}

double place_sum(Simulation& simulation) {
  const Population& birds = **require_population(simulation, "birds");
  const auto columns = *find_columns<double>(birds, {"px", "py"});
  double sum = 0;
  for (std::size_t i = 0; i < birds.size(); ++i) {
    sum += birds.read(columns[0])[i] + birds.read(columns[1])[i];
  }
  return sum;
}

void run_juxta(benchmark::State& state, const char* preset) {
  const ModelInfo info = models::flocking();
  const Parameters parameters = *parameters_of(info, preset);
  double sum = 0;
  for (auto _ : state) {
    state.PauseTiming();
    Simulation simulation = *info.begin(parameters, kSeed);
    Owned<Model> model = *info.open(parameters, simulation);
    state.ResumeTiming();
    for (std::uint32_t step = 0; step < kSteps; ++step) {
      if (!model->step({})) {
        state.SkipWithError("a step failed");
        return;
      }
    }
    state.PauseTiming();
    sum = place_sum(simulation);
    state.ResumeTiming();
  }
  if (sum != place_sum(plain_end(parameters))) {
    state.SkipWithError("the two contenders ended in different states");
  }
  state.counters["agent_steps"] = static_cast<double>(parameters.count("birds") * kSteps);
}

void run_scalar(benchmark::State& state, const char* preset) {
  const Parameters parameters = *parameters_of(models::flocking(), preset);
  const auto start = plain_world(parameters);
  for (auto _ : state) {
    state.PauseTiming();
    auto world = start;
    state.ResumeTiming();
    while (world.step < kSteps) {
      scalar::step_flocking(world);
    }
    benchmark::DoNotOptimize(place_sum(world));
  }
  state.counters["agent_steps"] = static_cast<double>(parameters.count("birds") * kSteps);
}

/// Plain C++ with a grid. Compared before it is timed.
void run_grid(benchmark::State& state, const char* preset) {
  constexpr double kRounding = 1e-9;
  const Parameters parameters = *parameters_of(models::flocking(), preset);
  const scalar::FlockingGrid start(plain_world(parameters));
  const auto fly = [](scalar::FlockingGrid& grid) {
    while (grid.steps() < kSteps) {
      grid.step();
    }
  };
  const auto end = plain_end(parameters);
  auto checked = start;
  fly(checked);
  if (!(scalar::farthest_apart(end.rules, checked.birds(), end.birds) < kRounding)) {
    return state.SkipWithError("the grid's birds end at other places; nothing was timed");
  }
  for (auto _ : state) {
    state.PauseTiming();
    auto grid = start;
    state.ResumeTiming();
    fly(grid);
    benchmark::DoNotOptimize(&grid);
    benchmark::ClobberMemory();
    state.PauseTiming();
    grid = start;  // its lists are given back outside of the time
    state.ResumeTiming();
  }
  state.counters["agent_steps"] = static_cast<double>(parameters.count("birds") * kSteps);
}

}  // namespace

void add_flocking_rows() {
  for (const auto& [workload, preset] :
       {std::pair{"flocking_S", "small"}, std::pair{"flocking_L", "large"}}) {
    const auto add = [&, preset = preset](const char* who, auto run) {
      benchmark::RegisterBenchmark((std::string(workload) + "/" + who).c_str(), [run, preset](
                                                                                    benchmark::State& state) {
        run(state, preset);
      })->Unit(benchmark::kMillisecond);
    };
    add("juxta", run_juxta);
    add("grid", run_grid);
    add("scalar", run_scalar);
  }
}

}  // namespace juxta::bench
