// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// bench_transform: hierarchies of transforms, against the published store and its two systems, two
// plain programs, and a plain copy. JUXTA_BENCH_POINTS: the most nodes in a world (rows keep their names).
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
  register_reparent();
  register_spawn();
  register_builds();
  register_cliffs();
  register_boxes();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
