// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// LAMMPS's benchmark in.lj: 32,000 atoms, a hundred steps from the crystal, on one core; energies at the end.
// Row `lammps` is that program itself with its optimised pair style (-sf opt), where it is
// installed, by its own clock and the share of a core that it says it had.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "bench/models/rows.h"
#include "models/lennard_jones_atoms.h"
#include "models/models.h"
#include "tests/models/scalar/lennard_jones.h"

namespace juxta::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSeed = 87287;
constexpr std::uint32_t kSteps = 100;
constexpr double kAtoms = 32000;

Parameters melt() {
  Parameters parameters = *parameters_of(models::lennard_jones(), "melt");
  for (const char* assignment :
       {"measure=100",  // as in.lj does: before the first step, and after the last
        "skin=0.2"}) {  // nothing but the order hangs on it, which is soon made; lists ask for 0.3
    (void)parameters.set(assignment);
  }
  return parameters;
}

Simulation start() {
  return *models::lennard_jones().begin(melt(), kSeed);
}

std::vector<scalar::Vector> vectors(const Population& all, const std::array<Column<double>, 3>& columns) {
  std::vector<scalar::Vector> vectors(all.size());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto values = all.read(columns[axis]);
    for (std::size_t i = 0; i < values.size(); ++i) {
      vectors[i][axis] = values[i];
    }
  }
  return vectors;
}

scalar::LennardJonesWorld scalar_start() {
  Simulation simulation = start();
  const models::Atoms atoms = *models::find_atoms(simulation);
  const scalar::LennardJonesRules rules{.half = static_cast<double>(simulation.world().hi[0])};
  return scalar::make_lennard_jones(rules, vectors(*atoms.population, atoms.place),
                                    vectors(*atoms.population, atoms.velocity));
}

/// Potential energy, temperature.
using Energies = std::pair<double, double>;

/// Found by whoever runs first. Paths that part by rounding have the same energies for much longer than this.
void expect_same(benchmark::State& state, const Energies& energies) {
  static std::optional<Energies> expected;
  expected = expected.value_or(energies);
  if (!(std::abs(energies.first - expected->first) < 1e-4) ||
      !(std::abs(energies.second - expected->second) < 1e-4)) {
    state.SkipWithError("contenders ended with different energies");
  }
}

void count(benchmark::State& state) {
  state.counters["atom_steps"] =
      benchmark::Counter(kAtoms * kSteps, benchmark::Counter::kIsIterationInvariantRate);
}

void run_juxta(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    Simulation simulation = start();
    Owned<Model> model = *models::lennard_jones().open(melt(), simulation);
    state.ResumeTiming();
    for (std::uint32_t step = 0; step < kSteps; ++step) {
      if (!model->step({})) {
        return state.SkipWithError("a step failed");
      }
    }
    state.PauseTiming();
    const models::Atoms atoms = *models::find_atoms(simulation);
    expect_same(state, {total(atoms, atoms.potential) / kAtoms, temperature(atoms)});
    state.ResumeTiming();
  }
  count(state);
}

void run_scalar(benchmark::State& state) {
  const auto begin = scalar_start();
  for (auto _ : state) {
    state.PauseTiming();
    auto world = begin;
    state.ResumeTiming();
    for (std::uint32_t step = 1; step <= kSteps; ++step) {
      step_lennard_jones(world, step == kSteps);
    }
    expect_same(state, {world.potential / kAtoms, 2 * kinetic_energy(world) / (3 * kAtoms - 3)});
  }
  count(state);
}

/// Seconds of the processor that LAMMPS took for its loop over the steps; 0: it failed, or did not use the
/// pair style that was asked for.
double seconds_of_lammps(const fs::path& folder) {
  std::ofstream(folder / "in.lj") << "units lj\natom_style atomic\nlattice fcc 0.8442\n"
                                     "region box block 0 20 0 20 0 20\ncreate_box 1 box\ncreate_atoms 1 box\n"
                                     "mass 1 1.0\nvelocity all create 1.44 87287 loop geom\n"
                                     "pair_style lj/cut 2.5\npair_coeff 1 1 1.0 1.0 2.5\n"
                                     "neighbor 0.3 bin\nneigh_modify delay 0 every 20 check no\n"
                                     "fix 1 all nve\nrun 100\n";
  const std::string command =
      "cd '" + folder.string() +
      "' && OMP_NUM_THREADS=1 lmp -sf opt -in in.lj -log log.lj -screen none > out 2>&1";
  if (std::system(command.c_str()) != 0) {
    return 0;
  }
  std::ifstream log(folder / "log.lj");
  double seconds = 0, percent = 0;
  bool optimised = false;
  for (std::string line; std::getline(log, line);) {
    if (line.starts_with("Loop time of ")) {
      std::istringstream(line.substr(13)) >> seconds;
    } else if (line.find("% CPU use with") != std::string::npos) {
      std::istringstream(line) >> percent;
    }
    optimised = optimised || line.find("lj/cut/opt") != std::string::npos;
  }
  return optimised ? seconds * percent / 100 : 0;
}

void run_lammps(benchmark::State& state) {
  const fs::path folder = fs::temp_directory_path() / ("juxta_bench_lammps_" + std::to_string(getpid()));
  fs::create_directories(folder);
  for (auto _ : state) {
    const double seconds = seconds_of_lammps(folder);
    state.SetIterationTime(seconds);
    if (!(seconds > 0)) {
      state.SkipWithError("lmp -sf opt failed, or ran without lj/cut/opt");
      break;
    }
  }
  fs::remove_all(folder);
  count(state);
}

}  // namespace

void add_lennard_jones_rows() {
  benchmark::RegisterBenchmark("lj_32k/juxta", run_juxta)->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark("lj_32k/scalar", run_scalar)->Unit(benchmark::kMillisecond);
  // Debian: lammps, which has the package OPT.
  const bool installed = std::system("command -v lmp > /dev/null 2>&1 && lmp -h 2>&1 | grep -qw OPT") == 0;
  if (installed) {
    benchmark::RegisterBenchmark("lj_32k/lammps", run_lammps)->Unit(benchmark::kMillisecond)->UseManualTime();
  }
}

}  // namespace juxta::bench
