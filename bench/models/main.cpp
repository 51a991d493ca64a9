// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// bench_models: the published models beside straightforward scalar versions of the same rules.
#include <benchmark/benchmark.h>

#include "bench/models/rows.h"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 1;
  }
  juxta::bench::add_flocking_rows();
  juxta::bench::add_schelling_rows();
  juxta::bench::add_wolf_sheep_rows();
  juxta::bench::add_lennard_jones_rows();
  juxta::bench::add_dam_break_rows();
  juxta::bench::add_epidemic_rows();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
