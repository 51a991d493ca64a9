// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// bench_order: sorting, grouping, gathering, curve codes and block orders against the standard library and
// plain loops. JUXTA_BENCH_POINTS: elements of the large rows.
#include "bench/order/rows.h"
#include "bench/support/settings.h"

namespace juxta::bench {

std::size_t bench_elements() {
  static const std::size_t elements = number_setting("JUXTA_BENCH_POINTS", 10'000'000);
  return elements;
}

}  // namespace juxta::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 1;
  }
  juxta::bench::register_sorting();
  juxta::bench::register_curves();
  juxta::bench::register_block_order();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
