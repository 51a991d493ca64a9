// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>

#include "benchmark/benchmark.h"

namespace juxta::bench {

/// Elements of the large rows: JUXTA_BENCH_POINTS, 10 million unless set.
[[nodiscard]] std::size_t bench_elements();

void register_sorting();
void register_curves();
void register_block_order();

/// Runs `prepare` untimed and `work` timed, for each iteration; reports nanoseconds per element.
template <class Prepare, class Work>
void measure(benchmark::State& state, std::size_t elements, Prepare&& prepare, Work&& work) {
  for (auto _ : state) {
    prepare();
    const auto begin = std::chrono::steady_clock::now();
    work();
    benchmark::ClobberMemory();
    state.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  const auto total = static_cast<double>(elements) * static_cast<double>(state.iterations());
  state.counters["s_per_element"] =
      benchmark::Counter(total, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace juxta::bench
