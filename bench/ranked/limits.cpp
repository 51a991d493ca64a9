// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// miss: the unit of worst cases. scan_bandwidth: that the scan is no straw man (scripts/bench wants 6 GB/s).
#include <limits>

#include "bench/ranked/official_data.h"
#include "bench/ranked/rows.h"
#include "bench/support/miss.h"
#include "benchmark/benchmark.h"

namespace juxta::bench {

void register_limits(Official& official) {
  benchmark::RegisterBenchmark("miss", [](benchmark::State& state) {
    static const MissChain chain;
    std::uint32_t at = 0;
    constexpr benchmark::IterationCount kSteps = 100'000;
    while (state.KeepRunningBatch(kSteps)) {
      at = chain.follow(at, static_cast<std::size_t>(kSteps));
    }
    benchmark::DoNotOptimize(at);
  });

  // A rectangle that no point is in: all are read, none is kept.
  benchmark::RegisterBenchmark("scan_bandwidth", [&official](benchmark::State& state) {
    constexpr float kFar = std::numeric_limits<float>::max();
    const classics::Scan& scan = *official.scan;
    std::uint32_t id = 0;
    for (auto _ : state) {
      benchmark::DoNotOptimize(scan.top_ids({kFar, kFar, kFar, kFar}, 1, &id));
    }
    state.counters["points"] = static_cast<double>(scan.bytes_scanned() / 8);
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                            static_cast<std::int64_t>(scan.bytes_scanned()));
  });
}

}  // namespace juxta::bench
