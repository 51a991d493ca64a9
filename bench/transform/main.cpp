// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// bench_transform: hierarchies of transforms, against the published store and its two systems, plain
// programs, and a plain copy. JUXTA_BENCH_POINTS: the most nodes in a world (rows keep their names).
// JUXTA_BENCH_SEED: what worlds are drawn from (1).
#include "bench/transform/rows.h"
#include "benchmark/benchmark.h"

int main(int argc, char** argv) {
  using namespace juxta::bench;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 1;
  }
  register_threads();
  register_frames();
  register_forms();
  register_writes();
  register_whole_frames();
  register_reparent();
  register_churn();
  register_spawn();
  register_builds();
  register_cliffs();
  register_boxes();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
