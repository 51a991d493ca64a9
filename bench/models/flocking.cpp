// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Birds: a hundred steps from the start, as published, and twenty of larger flocks at the same density. All
// contenders end at the same places up to rounding.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/models/rows.h"
#include "juxta/study/columns.h"
#include "models/models.h"
#include "tests/models/scalar/flocking.h"
#include "tests/models/scalar/flocking_grid.h"

namespace juxta::bench {
namespace {

constexpr std::uint64_t kSeed = 42;
constexpr double kRounding = 1e-9;

struct Workload {
  const char* name;
  const char* preset;
  std::uint32_t birds;  // 0: as in the preset; else at the density of the small one
  std::uint32_t steps;
};
constexpr Workload kWorkloads[] = {{"flocking_S", "small", 0, 100},
                                   {"flocking_L", "large", 0, 100},
                                   {"flocking_300", "small", 300, 100},
                                   {"flocking_20k", "small", 20'000, 20},
                                   {"flocking_100k", "small", 100'000, 20}};

Parameters parameters_for(const Workload& workload) {
  Parameters parameters = *parameters_of(models::flocking(), workload.preset);
  if (workload.birds > 0) {
    const double size = parameters["size"] * std::sqrt(workload.birds / parameters["birds"]);
    static_cast<void>(parameters.set(("birds=" + std::to_string(workload.birds)).c_str()));
    static_cast<void>(parameters.set(("size=" + std::to_string(size)).c_str()));
  }
  return parameters;
}

scalar::FlockingWorld plain_world(const Parameters& p) {
  return scalar::make_flocking(
      {p["size"], p["radius"], p["cohere"], p["separate"], p["separation"], p["match"], p["speed"]},
      p.count("birds"), kSeed);
}

void fly(scalar::FlockingGrid& grid, std::uint32_t steps) {
  while (grid.steps() < steps) {
    grid.step();
  }
}

std::vector<scalar::Bird> birds_of(Simulation& simulation) {
  const Population& birds = **require_population(simulation, "birds");
  const auto columns = *find_columns<double>(birds, {"px", "py"});
  std::vector<scalar::Bird> all(birds.size());
  for (std::size_t i = 0; i < birds.size(); ++i) {
    all[i] = {birds.read(columns[0])[i], birds.read(columns[1])[i], 0, 0};
  }
  return all;
}

/// The others are compared with the grid, whose test compares it with everyone looking at everyone.
bool ends_like_the_grid(const scalar::FlockingWorld& start, std::uint32_t steps,
                        const std::vector<scalar::Bird>& birds) {
  scalar::FlockingGrid grid(start);
  fly(grid, steps);
  return scalar::farthest_apart(start.rules, grid.birds(), birds) < kRounding;
}

void count_steps(benchmark::State& state, const Parameters& parameters, const Workload& workload) {
  state.counters["agent_steps"] = static_cast<double>(parameters.count("birds") * workload.steps);
}

void run_juxta(benchmark::State& state, const Workload& workload) {
  const ModelInfo info = models::flocking();
  const Parameters parameters = parameters_for(workload);
  std::vector<scalar::Bird> birds;
  for (auto _ : state) {
    state.PauseTiming();
    Simulation simulation = *info.begin(parameters, kSeed);
    Owned<Model> model = *info.open(parameters, simulation);
    state.ResumeTiming();
    for (std::uint32_t step = 0; step < workload.steps; ++step) {
      if (!model->step({})) {
        state.SkipWithError("a step failed");
        return;
      }
    }
    state.PauseTiming();
    birds = birds_of(simulation);
    state.ResumeTiming();
  }
  if (!ends_like_the_grid(plain_world(parameters), workload.steps, birds)) {
    state.SkipWithError("the contenders ended at different places");
  }
  count_steps(state, parameters, workload);
}

void run_scalar(benchmark::State& state, const Workload& workload) {
  const Parameters parameters = parameters_for(workload);
  const auto start = plain_world(parameters);
  auto world = start;
  for (auto _ : state) {
    state.PauseTiming();
    world = start;
    state.ResumeTiming();
    while (world.step < workload.steps) {
      scalar::step_flocking(world);
    }
    benchmark::DoNotOptimize(world.birds.data());
    benchmark::ClobberMemory();
  }
  if (!ends_like_the_grid(start, workload.steps, world.birds)) {
    state.SkipWithError("the contenders ended at different places");
  }
  count_steps(state, parameters, workload);
}

/// Plain C++ with a grid.
void run_grid(benchmark::State& state, const Workload& workload) {
  const Parameters parameters = parameters_for(workload);
  const scalar::FlockingGrid start(plain_world(parameters));
  for (auto _ : state) {
    state.PauseTiming();
    auto grid = start;
    state.ResumeTiming();
    fly(grid, workload.steps);
    benchmark::DoNotOptimize(&grid);
    benchmark::ClobberMemory();
    state.PauseTiming();
    grid = start;  // its lists are given back outside of the time
    state.ResumeTiming();
  }
  count_steps(state, parameters, workload);
}

}  // namespace

void add_flocking_rows() {
  for (const Workload& workload : kWorkloads) {
    const auto add = [&](const char* who, auto run) {
      const std::string name = std::string(workload.name) + "/" + who;
      benchmark::RegisterBenchmark(name.c_str(), [run, &workload](benchmark::State& state) {
        run(state, workload);
      })->Unit(benchmark::kMillisecond);
    };
    add("juxta", run_juxta);
    add("grid", run_grid);
    if (workload.birds <= 300) {  // it looks at all pairs
      add("scalar", run_scalar);
    }
  }
}

}  // namespace juxta::bench
