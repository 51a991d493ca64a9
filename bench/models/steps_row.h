// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Rows of models whose contenders end in the same state, bit by bit: one iteration is the published run.
// Making the start is not timed.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "juxta/study/model.h"

namespace juxta::bench {

/// Where all agents are, and whatever else they have, as one number.
class Checksum {
 public:
  void add(std::uint64_t word) { sum_ = (sum_ ^ word) * 0x9E37'79B9'7F4A'7C15U; }
  void add_cell(float x, float y) {
    add(static_cast<std::uint64_t>(x) << 32 | static_cast<std::uint64_t>(y));
  }
  [[nodiscard]] std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 1;
};

/// Calls step() so often; only that is timed. A null state: nothing is.
template <class Step>
void timed_steps(benchmark::State* state, std::uint32_t steps, Step&& step) {
  if (state != nullptr) {
    state->ResumeTiming();
  }
  for (std::uint32_t i = 0; i < steps; ++i) {
    step();
  }
  if (state != nullptr) {
    state->PauseTiming();
  }
}

/// Begins, takes its timed_steps(), and returns the checksum of where it ended.
using Contender = std::uint64_t (*)(const ModelInfo&, const Parameters&, benchmark::State*);

struct NamedContender {
  const char* name;
  Contender run;
};

/// Of the rows of Schelling and of wolves and sheep: JUXTA_BENCH_SEED, or 1.
inline std::uint64_t bench_seed() {
  const char* const given = std::getenv("JUXTA_BENCH_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
}

/// A row for each contender, of a preset; each ends where the last contender does.
inline void add_preset(const std::string& workload, const std::string& preset, ModelInfo (*model)(),
                       const std::vector<NamedContender>& contenders) {
  for (const NamedContender& contender : contenders) {
    const auto run = [=, yardstick = contenders.back().run](benchmark::State& state) {
      const ModelInfo info = model();
      const Parameters parameters = *parameters_of(info, preset);
      const std::uint64_t expected = yardstick(info, parameters, nullptr);
      if (contender.run(info, parameters, nullptr) != expected) {
        return state.SkipWithError("the contenders do not end in the same state; nothing was timed");
      }
      for (auto _ : state) {
        state.PauseTiming();
        static_cast<void>(contender.run(info, parameters, &state));
        state.ResumeTiming();
      }
    };
    benchmark::RegisterBenchmark((workload + contender.name).c_str(), run)->Unit(benchmark::kMicrosecond);
  }
}

/// workload_S and workload_L, of the presets small and large.
inline void add_sizes(const std::string& workload, ModelInfo (*model)(),
                      const std::vector<NamedContender>& contenders) {
  add_preset(workload + "_S/", "small", model, contenders);
  add_preset(workload + "_L/", "large", model, contenders);
}

}  // namespace juxta::bench
