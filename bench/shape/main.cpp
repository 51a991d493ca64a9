// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// bench_shape: rays, casts and distances, beside Embree and Bullet.
#include <benchmark/benchmark.h>

#include "bench/shape/rows.h"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 1;
  }
  juxta::bench::add_rays_rows();
  juxta::bench::add_mesh_rays_rows();
  juxta::bench::add_mesh_near_rows();
  juxta::bench::add_mesh_builds_rows();
  juxta::bench::add_cast_pair_rows();
  juxta::bench::add_contacts_rows();
  juxta::bench::add_layer_rays_rows();
  juxta::bench::add_layer_casts_rows();
  juxta::bench::add_layer_closest_rows();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
