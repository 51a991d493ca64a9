// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Wolves, sheep and grass: one iteration is the published run of 100 steps. Making the start is not timed.
#include <benchmark/benchmark.h>

#include <bit>
#include <cstdint>
#include <string>

#include "bench/models/rows.h"
#include "models/models.h"
#include "tests/models/scalar/wolf_sheep.h"

namespace juxta::bench {
namespace {

constexpr std::uint64_t kSeed = 1;

/// Where all animals are, and their energies, as one number.
class Checksum {
 public:
  void add(std::uint32_t x, std::uint32_t y, double energy) {
    sum_ = (sum_ ^ (x << 16 | y)) * 0x9E37'79B9'7F4A'7C15U;
    sum_ = (sum_ ^ std::bit_cast<std::uint64_t>(energy)) * 0x9E37'79B9'7F4A'7C15U;
  }
  [[nodiscard]] std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 1;
};

std::uint64_t run_juxta(const ModelInfo& info, const Parameters& parameters, benchmark::State* state) {
  Simulation simulation = *info.begin(parameters, kSeed);
  const auto model = *info.open(parameters, simulation);
  if (state != nullptr) {
    state->ResumeTiming();
  }
  for (std::uint32_t step = 0; step < info.steps; ++step) {
    static_cast<void>(model->step(nullptr));
  }
  if (state != nullptr) {
    state->PauseTiming();
  }
  Checksum checksum;
  for (const char* name : {"sheep", "wolves"}) {
    const Population& animals = *simulation.find_population(name);
    const auto x = animals.read(animals.position(0)), y = animals.read(animals.position(1));
    const auto energy = animals.read(*animals.find_column<double>("energy"));
    for (std::size_t row = 0; row < x.size(); ++row) {
      checksum.add(static_cast<std::uint32_t>(x[row]), static_cast<std::uint32_t>(y[row]), energy[row]);
    }
  }
  return checksum.sum();
}

std::uint64_t run_scalar(const ModelInfo& info, const Parameters& parameters, benchmark::State* state) {
  const Simulation start = *info.begin(parameters, kSeed);
  scalar::WolfSheep model(start, {.size = static_cast<std::int32_t>(parameters.count("size")),
                                  .regrowth = static_cast<std::int32_t>(parameters.count("regrowth")),
                                  .sheep_gain = parameters["sheep_gain"],
                                  .wolf_gain = parameters["wolf_gain"],
                                  .sheep_reproduction = parameters["sheep_reproduction"],
                                  .wolf_reproduction = parameters["wolf_reproduction"]});
  if (state != nullptr) {
    state->ResumeTiming();
  }
  for (std::uint32_t step = 0; step < info.steps; ++step) {
    model.step();
  }
  if (state != nullptr) {
    state->PauseTiming();
  }
  Checksum checksum;
  for (const auto* animals : {&model.sheep(), &model.wolves()}) {
    for (const scalar::WolfSheep::Animal& animal : *animals) {
      checksum.add(static_cast<std::uint32_t>(animal.x), static_cast<std::uint32_t>(animal.y), animal.energy);
    }
  }
  return checksum.sum();
}

using Contender = std::uint64_t (*)(const ModelInfo&, const Parameters&, benchmark::State*);

void add_row(const char* size, const char* preset, const char* name, Contender contender) {
  benchmark::RegisterBenchmark(("wolf_sheep_" + std::string(size) + "/" + name).c_str(),
                               [preset, contender](benchmark::State& state) {
                                 const ModelInfo info = models::wolf_sheep();
                                 const Parameters parameters = *parameters_of(info, preset);
                                 const std::uint64_t expected = run_scalar(info, parameters, nullptr);
                                 bool same = true;
                                 for (auto _ : state) {
                                   state.PauseTiming();
                                   same = contender(info, parameters, &state) == expected && same;
                                   state.ResumeTiming();
                                 }
                                 if (!same) {
                                   state.SkipWithError("the contenders do not end in the same state");
                                 }
                               })
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace

void add_wolf_sheep_rows() {
  for (const auto& [size, preset] : {std::pair{"S", "small"}, std::pair{"L", "large"}}) {
    add_row(size, preset, "juxta", run_juxta);
    add_row(size, preset, "scalar", run_scalar);
  }
}

}  // namespace juxta::bench
