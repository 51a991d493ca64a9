// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <vector>

#include "bench/support/miss.h"
#include "benchmark/benchmark.h"

namespace juxta::bench {

/// Nanoseconds of single queries. The clock's own cost (some 20-40 ns) is inside, for every contender alike.
struct Latency {
  double p50 = 0, p99 = 0, max = 0;
};

/// Times every query alone, three passes over all, and takes the middle of its three times: an interrupt
/// does not count, a slow query does. `answer(i)` answers query i and returns how many it wrote.
template <class Answer>
std::vector<double> single_times(std::size_t queries, const Answer& answer) {
  std::vector<std::array<double, 3>> times(queries);
  for (std::size_t pass = 0; pass < 3; ++pass) {
    for (std::size_t i = 0; i < queries; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      benchmark::DoNotOptimize(answer(i));
      const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
      times[i][pass] = took.count();
    }
  }
  std::vector<double> middle(queries);
  std::transform(times.begin(), times.end(), middle.begin(), [](std::array<double, 3> t) {
    std::sort(t.begin(), t.end());
    return t[1];
  });
  return middle;
}

inline Latency latency_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const std::size_t n = times.size();
  return n == 0 ? Latency{} : Latency{times[n / 2], times[std::min(n - 1, n * 99 / 100)], times[n - 1]};
}

/// The timed loop of a row whose iterations are queries, always whole passes over all of them, so that every
/// repetition does the same work. One per row; run() may be called many times.
class QueryRow {
 public:
  template <class Answer>
  void run(benchmark::State& state, std::size_t queries, const Answer& answer) {
    if (!measured_) {
      latency_ = latency_of(single_times(queries, answer));
      measured_ = true;
    }
    std::size_t written = 0;
    // Processor time, so that other programs on the machine do not count.
    const std::clock_t begin = std::clock();
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(queries))) {
      for (std::size_t i = 0; i < queries; ++i) {
        written += answer(i);
      }
    }
    const double took = static_cast<double>(std::clock() - begin) * 1e9 / CLOCKS_PER_SEC;
    benchmark::DoNotOptimize(written);
    state.counters["queries"] = static_cast<double>(queries);
    state.counters["p50_ns"] = latency_.p50;
    state.counters["p99_ns"] = latency_.p99;
    state.counters["max_ns"] = latency_.max;
    state.counters["misses"] = took / static_cast<double>(state.iterations()) / miss_ns();
    state.counters["p99_misses"] = latency_.p99 / miss_ns();
  }

 private:
  bool measured_ = false;
  Latency latency_;
};

}  // namespace juxta::bench
