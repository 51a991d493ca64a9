// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// build_10M, build_100k: building against one std::sort of the contest's records by rank.
// memory/juxta: what a contest context holds, records included.
#include <algorithm>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/ranked/official_data.h"
#include "bench/ranked/rows.h"
#include "bench/support/settings.h"
#include "benchmark/benchmark.h"
#include "juxta/core/executor.h"

namespace juxta::bench {
namespace {

using classics::Record;

void add_juxta(Official& official, const std::string& name, std::size_t most, unsigned threads) {
  const auto body = [&official, most, threads](benchmark::State& state) {
    const scenes::ContestWorld& w = *official.world;
    const std::size_t n = std::min(most, w.x.size());
    std::unique_ptr<Executor> executor;
    if (threads > 1) {
      auto made = TbbExecutor::build(threads);
      if (!made) {
        state.SkipWithError(made.error().message.c_str());
        return;
      }
      executor = std::make_unique<TbbExecutor>(std::move(*made));
    }
    Context options;
    options.executor = executor.get();
    const auto x = std::span(w.x).first(n), y = std::span(w.y).first(n);
    const auto rank = std::span(w.rank).first(n);
    std::size_t bytes = 0;
    for (auto _ : state) {
      const auto built = RankedPoints::build(x, y, rank, {}, options);
      if (!built || built->size() != n) {
        give_up(built ? "A build lost points." : built.error().message);
      }
      bytes = built->memory_bytes();
    }
    state.counters["points"] = static_cast<double>(n);
    state.counters["bytes"] = static_cast<double>(bytes);
  };
  benchmark::RegisterBenchmark(name.c_str(), body)->Unit(benchmark::kMillisecond);
}

void add_sort(Official& official, const std::string& name, std::size_t most) {
  const auto body = [&official, most](benchmark::State& state) {
    const scenes::ContestWorld& w = *official.world;
    const std::size_t n = std::min(most, w.x.size());
    std::vector<Record> records(n), sorted(n);
    for (std::size_t i = 0; i < n; ++i) {
      records[i] = {w.id[i], w.rank[i], w.x[i], w.y[i]};
    }
    for (auto _ : state) {
      state.PauseTiming();
      sorted = records;
      state.ResumeTiming();
      std::sort(sorted.begin(), sorted.end(),
                [](const Record& a, const Record& b) { return a.rank < b.rank; });
      benchmark::DoNotOptimize(sorted.data());
    }
    state.counters["points"] = static_cast<double>(n);
  };
  benchmark::RegisterBenchmark(name.c_str(), body)->Unit(benchmark::kMillisecond);
}

// Resident bytes of this process; 0 where the system does not tell.
double resident_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "VmRSS:") {
      double kib = 0;
      status >> kib;
      return kib * 1024;
    }
  }
  return 0;
}

void add_memory(Official& official) {
  const auto body = [&official](benchmark::State& state) {
    const classics::RankedColumns columns = official.columns();
    double bytes = 0;
    for (auto _ : state) {
      const double before = resident_bytes();
      const ContestPeer peer(columns);
      bytes = std::max(bytes, resident_bytes() - before);
    }
    state.counters["bytes"] = bytes;
    state.counters["points"] = static_cast<double>(columns.x.size());
  };
  benchmark::RegisterBenchmark("memory/juxta", body)

      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

void register_build(Official& official) {
  for (const auto& [workload, points] :
       {std::pair<const char*, std::size_t>{"build_10M", 10'000'000}, {"build_100k", 100'000}}) {
    const std::string name = workload;
    add_juxta(official, name + "/juxta", points, 1);
    add_sort(official, name + "/sort", points);
    add_juxta(official, name + "/juxta_2threads", points, 2);
  }
  add_memory(official);
}

}  // namespace juxta::bench
