// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/layer/oracle.h"
#include "bench/support/settings.h"
#include "benchmark/benchmark.h"
#include "juxta/layer/find_pairs.h"
#include "scenes/boxes.h"

namespace juxta::bench {

/// `nominal` boxes, or JUXTA_BENCH_POINTS where that is less.
[[nodiscard]] inline std::size_t box_count(std::size_t nominal) {
  return std::min(nominal, number_setting("JUXTA_BENCH_POINTS", nominal));
}

/// Processor time of this process, so that other programs on the machine do not count; for work on one
/// thread. A microsecond fine.
struct ProcessorClock {
  static double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
};
/// For work on several threads.
struct WallClock {
  static double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
};

/// The timed loop of a row whose iterations are frames: `advance` moves things and is not timed, `frame` is.
template <class Clock = ProcessorClock, class Advance, class Frame>
void time_frames(benchmark::State& state, const Advance& advance, const Frame& frame) {
  for (auto _ : state) {
    advance();
    const double begin = Clock::seconds();
    frame();
    benchmark::ClobberMemory();
    // Google Benchmark divides by this.
    state.SetIterationTime(std::max(Clock::seconds() - begin, 1e-9));
  }
}

/// A world whose boxes all move each frame; of two sets for a bipartite workload.
struct Movers {
  scenes::BoxWorld first;
  std::optional<scenes::BoxWorld> second;

  void advance() {
    scenes::advance(first);
    if (second) {
      scenes::advance(*second);
    }
  }
  [[nodiscard]] std::size_t boxes() const { return first.boxes.size() + (second ? second->boxes.size() : 0); }
};

/// What the rows of one workload share: where everything starts, room for pairs, and what is right.
struct FrameWork {
  explicit FrameWork(Movers from) : start(std::move(from)) {}

  /// Room for `found` pairs and for what later frames may have more; true when it was too short.
  bool grow(std::size_t found) {
    if (out.size() >= found) {
      return false;
    }
    out.resize(found + found / 4 + 1024);
    return true;
  }

  Movers start;
  std::vector<Pair> out;
  Expected expected;
};

/// Frames whose pairs are compared before anything is timed: a first build, and moves after it.
inline constexpr std::size_t kCheckedFrames = 3;
/// Worlds up to this size are held against brute force.
inline constexpr std::size_t kBruteBoxes = 30'000;

inline benchmark::internal::Benchmark* add_frames(const std::string& name,
                                                  const std::function<void(benchmark::State&)>& body) {
  return benchmark::RegisterBenchmark(name.c_str(), body)->UseManualTime()->Unit(benchmark::kMillisecond);
}

}  // namespace juxta::bench
