// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// bench_agents: flocks, visits and Tay's test, against their published forms and a peer.
// JUXTA_BENCH_POINTS: the most agents in a world (rows keep their names). JUXTA_BENCH_CONSUMER: another build
// of bench/agents/consumer.
#include "bench/agents/rows.h"
#include "benchmark/benchmark.h"

int main(int argc, char** argv) {
  using namespace juxta::bench;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 1;
  }
  register_threads();
  register_tay_threads();
  register_flocks();
  register_visits();
  register_tay();
  register_tay_widths();
  register_density();
  register_crowded();
  register_growth();
  register_lists();
  register_frames();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
