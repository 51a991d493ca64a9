// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <vector>

#include "benchmark/benchmark.h"

namespace juxta::bench {

/// Processor time of one piece of work in seconds, so that other programs on the machine do not count. A
/// microsecond fine.
template <class Work>
double processor_seconds(const Work& work) {
  const std::clock_t begin = std::clock();
  work();
  return std::max(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 1e-9);
}

/// The smallest time that at least `share` of all do not exceed.
inline double quantile(std::vector<double> times, double share) {
  std::sort(times.begin(), times.end());
  const auto rank = static_cast<std::size_t>(share * static_cast<double>(times.size()) + 0.999999);
  return times[std::clamp<std::size_t>(rank, 1, times.size()) - 1];
}

inline double median_of(const std::vector<double>& times, std::size_t first, std::size_t count) {
  const auto begin = times.begin() + static_cast<std::ptrdiff_t>(first);
  return quantile({begin, begin + static_cast<std::ptrdiff_t>(count)}, 0.5);
}

/// What a row tells about the frames of one run, in the units that scripts/bench knows.
inline void count_frames(benchmark::State& state, const std::vector<double>& seconds) {
  state.counters["p50_ns"] = quantile(seconds, 0.5) * 1e9;
  state.counters["p99_ns"] = quantile(seconds, 0.99) * 1e9;
  state.counters["max_ns"] = quantile(seconds, 1) * 1e9;
}

}  // namespace juxta::bench
