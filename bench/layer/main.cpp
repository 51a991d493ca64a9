// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// bench_layer: overlapping boxes, against the published structure and the peers installed.
// JUXTA_BENCH_POINTS: the most boxes in a world (rows keep their names).
#include "bench/layer/rows.h"
#include "benchmark/benchmark.h"

int main(int argc, char** argv) {
  using namespace juxta::bench;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 1;
  }
  register_threads();
  register_pairs();
  register_spawn();
  register_stages();
  register_objects();
  register_queries();
  register_rays();
  register_reach();
  register_builds();
  register_moves();
  register_events();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
