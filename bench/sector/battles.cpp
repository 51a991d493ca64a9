// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// battle, mission5: an iteration is a tick. Every repetition plays the same battle from its beginning, so
// that the same tick is timed as often as there are repetitions: percentiles are those of each tick's middle
// time, in which an interrupt does not count, and a slow tick does.
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "bench/sector/rows.h"
#include "bench/support/must.h"
#include "benchmark/benchmark.h"
#include "juxta/core/executor.h"
#include "sector/tick.h"
#include "sector/world.h"

namespace juxta::bench {
namespace {

/// The most memory that this process has held since reset(). Where the system takes no reset, since it began.
struct PeakMemory {
  static void reset() {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;
  }
  static double bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
      if (word == "VmHWM:") {
        double kib = 0;
        status >> kib;
        return kib * 1024;
      }
    }
    return 0;
  }
};

/// Times of every tick, repetition by repetition.
class TickTimes {
 public:
  void add(std::size_t tick, double ns) {
    times_.resize(std::max(times_.size(), tick + 1));
    times_[tick].push_back(ns);
  }
  /// Ascending: the middle time of each tick.
  [[nodiscard]] std::vector<double> middles() const {
    std::vector<double> middles;
    for (std::vector<double> times : times_) {
      std::sort(times.begin(), times.end());
      middles.push_back(times[(times.size() - 1) / 2]);
    }
    std::sort(middles.begin(), middles.end());
    return middles;
  }

 private:
  std::vector<std::vector<double>> times_;
};

void play(benchmark::State& state, const Play& what, unsigned threads, TickTimes& times) {
  PeakMemory::reset();
  const auto two = TbbExecutor::build(2);  // the way there is not timed
  const auto world = must(sector::begin_world(what.scenario, two ? &*two : nullptr));
  for (std::size_t i = 0; i < what.warm_up; ++i) {
    must(sector::tick(*world));
  }
  world->executor = threads > 1 ? &*two : nullptr;
  std::size_t tick = 0;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    must(sector::tick(*world));
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    state.SetIterationTime(took.count() * 1e-9);
    times.add(tick++, took.count());
  }
  const std::vector<double> middles = times.middles();
  const std::size_t last = middles.size() - 1;
  state.counters["p50_ns"] = middles[last / 2];
  state.counters["p99_ns"] = middles[last * 99 / 100];
  state.counters["max_ns"] = middles[last];
  state.counters["nodes"] = static_cast<double>(sector::census_of(*world).nodes);
  state.counters["bytes"] = PeakMemory::bytes();
}

void add_row(const std::string& name, const Play& what, unsigned threads) {
  const auto times = std::make_shared<TickTimes>();
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& state) { play(state, what, threads, *times); })
      ->UseManualTime()
      ->Iterations(static_cast<benchmark::IterationCount>(what.ticks))
      ->Unit(benchmark::kMillisecond);
}

void add_rows(const std::string& preset, const Play& what) {
  add_row(preset + "/juxta", what, 1);
  if (TbbExecutor::build(2)) {  // not in a build without oneTBB
    add_row(preset + "/juxta_2threads", what, 2);
  }
}

}  // namespace

Play play_of(const char* preset, std::size_t nodes, std::size_t warm_up, std::size_t ticks) {
  if (number_setting("JUXTA_BENCH_POINTS", nodes) < nodes) {
    return {must(sector::preset("skirmish")), 20, 20};
  }
  return {must(sector::preset(preset)), warm_up, ticks};
}

void add_battle_rows() {
  add_rows("battle", play_of("battle", 100'000, 300, 480));
  add_rows("mission5", play_of("mission5", 1'000'000, 100, 60));
}

}  // namespace juxta::bench
