// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// bench_sector: the battle as it runs, and its stages by the modules and by the classics.
#include <benchmark/benchmark.h>

#include "bench/sector/rows.h"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 1;
  }
  juxta::bench::add_battle_rows();
  juxta::bench::add_stage_rows();
  juxta::bench::add_radar_rows();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
