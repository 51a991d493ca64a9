// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// build_*: a world is made, its first propagation included, and what it holds then in bytes. juxta_history
// keeps where nodes stood before, and has begun a step.
#include <memory>
#include <string>

#include "bench/transform/contenders.h"
#include "bench/transform/rows.h"
#include "bench/transform/whole_runs.h"

namespace juxta::bench {
namespace {

void add_row(const std::string& row, const MakeContender& make, const SharedForest& forest) {
  const auto body = [=](benchmark::State& state) {
    Forest& nodes = **forest;
    for (auto _ : state) {
      const std::unique_ptr<Contender> world = make();
      state.SetIterationTime(processor_seconds([&] { world->build(nodes); }));
      state.counters["nodes"] = static_cast<double>(world->nodes());
      state.counters["bytes"] = static_cast<double>(world->bytes());
    }
  };
  benchmark::RegisterBenchmark(row.c_str(), body)->UseManualTime();
}

void add_rows(const std::string& workload, const SharedForest& forest) {
  add_row(
      workload + "/juxta", [] { return make_juxta(); }, forest);
  add_row(
      workload + "/juxta_history",
      [] {
        return make_juxta({1, true});
      },
      forest);
  add_row(
      workload + "/depth_first", [] { return make_classic(Classic::kDepthFirst); }, forest);
  add_row(workload + "/linked_list", make_linked_list, forest);
  add_row(
      workload + "/static_array", [] { return make_static_array(); }, forest);
}

}  // namespace

void register_builds() {
  add_rows("build_prefabs_1M", share_prefabs(1'000'000));
  add_rows("build_random_1M", share_trees(scenes::TreeShape::kRandom, 1'000'000));
}

}  // namespace juxta::bench
