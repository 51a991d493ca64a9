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
  Contender ends_as = nullptr;  ///< Who ends in the same state; null: the last of the contenders.
};

inline std::uint64_t number_from_outside(const char* name) {
  const char* const given = std::getenv(name);
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
}
/// Iterations of a row that have begun.
inline std::uint64_t& bench_iteration() {
  static std::uint64_t iteration = 0;
  return iteration;
}
/// Of the rows of Schelling and of wolves and sheep: JUXTA_BENCH_SEED, or 1. With JUXTA_BENCH_SEEDS=n
/// iterations take the n seeds from there on by turns. Else they all are the same run, and a short one is
/// learnt by heart by the processor's branch prediction.
inline std::uint64_t bench_seed() {
  static const std::uint64_t first = number_from_outside("JUXTA_BENCH_SEED");
  static const std::uint64_t seeds = number_from_outside("JUXTA_BENCH_SEEDS");
  return first + bench_iteration() % (seeds > 0 ? seeds : 1);
}

/// A row for each contender, of a preset; each ends where its yardstick does.
inline void add_preset(const std::string& workload, const std::string& preset, ModelInfo (*model)(),
                       const std::vector<NamedContender>& contenders) {
  for (const NamedContender& contender : contenders) {
    const auto run = [=, yardstick = contender.ends_as != nullptr
                                         ? contender.ends_as
                                         : contenders.back().run](benchmark::State& state) {
      const ModelInfo info = model();
      const Parameters parameters = *parameters_of(info, preset);
      bench_iteration() = 0;
      const std::uint64_t expected = yardstick(info, parameters, nullptr);
      if (contender.run(info, parameters, nullptr) != expected) {
        return state.SkipWithError("the contenders do not end in the same state; nothing was timed");
      }
      for (auto _ : state) {
        state.PauseTiming();
        ++bench_iteration();
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
