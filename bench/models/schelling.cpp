// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Schelling's model: one iteration is the published run of 20 steps. Making the start is not timed.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "bench/models/rows.h"
#include "models/models.h"
#include "tests/models/scalar/schelling.h"

namespace juxta::bench {
namespace {

constexpr std::uint64_t kSeed = 1;

/// Where everyone is, as one number.
class Checksum {
 public:
  void add(std::uint32_t x, std::uint32_t y) { sum_ = (sum_ ^ (x << 16 | y)) * 0x9E37'79B9'7F4A'7C15U; }
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
  const Population& agents = *simulation.find_population("agents");
  const auto x = agents.read(agents.position(0)), y = agents.read(agents.position(1));
  for (std::size_t row = 0; row < x.size(); ++row) {
    checksum.add(static_cast<std::uint32_t>(x[row]), static_cast<std::uint32_t>(y[row]));
  }
  return checksum.sum();
}

std::uint64_t run_scalar(const ModelInfo& info, const Parameters& parameters, benchmark::State* state) {
  const Simulation start = *info.begin(parameters, kSeed);
  const auto whole = [&](const char* name) { return static_cast<std::int32_t>(parameters.count(name)); };
  scalar::Schelling model(start, whole("size"), whole("radius"), whole("happy"));
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
  for (const scalar::Schelling::Agent& agent : model.agents()) {
    checksum.add(static_cast<std::uint32_t>(agent.x), static_cast<std::uint32_t>(agent.y));
  }
  return checksum.sum();
}

using Contender = std::uint64_t (*)(const ModelInfo&, const Parameters&, benchmark::State*);

void add_row(const char* size, const char* preset, const char* name, Contender contender) {
  benchmark::RegisterBenchmark(("schelling_" + std::string(size) + "/" + name).c_str(),
                               [preset, contender](benchmark::State& state) {
                                 const ModelInfo info = models::schelling();
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

void add_schelling_rows() {
  for (const auto& [size, preset] : {std::pair{"S", "small"}, std::pair{"L", "large"}}) {
    add_row(size, preset, "juxta", run_juxta);
    add_row(size, preset, "scalar", run_scalar);
  }
}

}  // namespace juxta::bench
