// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// bench_ranked: the k most important points inside a rectangle, against the classics and the peers installed.
// JUXTA_BENCH_POINTS, JUXTA_BENCH_QUERIES: sizes; JUXTA_BENCH_CITIES: a file of real cities for hard/cities;
// JUXTA_BENCH_REJECTED=1: also what does not pay.
#include <cstring>
#include <string>

#include "bench/ranked/official_data.h"
#include "bench/ranked/rows.h"
#include "benchmark/benchmark.h"

int main(int argc, char** argv) {
  using namespace juxta::bench;
  static Official official;
  if (argc == 3 && std::strcmp(argv[1], "--scatter") == 0) {
    write_scatter(official, argv[2]);
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 1;
  }
  benchmark::AddCustomContext("points", std::to_string(bench_points()));
  register_official(official);
  register_seeds();
#ifdef JUXTA_BENCH_SQLITE
  register_sqlite(official);
#endif
  register_hard();
  register_regions();
  register_pages(official);
  register_live(official);
  register_opening(official);
  register_labels();
  register_build(official);
  register_rejected(official);
  register_limits(official);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
