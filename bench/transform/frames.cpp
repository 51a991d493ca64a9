// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Frames in which roots move and everything is brought up to date: marking, moving and propagating are timed.
#include "bench/transform/frames.h"

#include <unistd.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/transform/rows.h"

namespace juxta::bench {
namespace {

struct Kind {
  std::string_view name;
  Movers movers;
};
constexpr Kind kAll{"all", Movers::kAll}, kOnePercent{"one_percent", Movers::kSome},
    kNone{"none", Movers::kNone}, kChainOnly{"chain_only", Movers::kFirst};

void add_workload(const std::string& workload, const SharedForest& forest, const std::vector<Kind>& kinds) {
  for (const NamedContender& contender : frame_contenders()) {
    const SharedRunning running = share_running(contender.make, forest, row_name({workload, contender.name}));
    for (const Kind& kind : kinds) {
      add_frames(row_name({workload, kind.name, contender.name}), running, kind.movers);
    }
  }
}

void add_copy(const std::string& workload, const SharedForest& forest) {
  const auto copy = std::make_shared<Once<Copy>>(
      [forest] { return std::make_unique<Copy>((*forest)->trees.nodes.size()); });
  benchmark::RegisterBenchmark(row_name({workload, "all", "copy"}).c_str(), [=](benchmark::State& state) {
    Copy& arrays = **copy;
    for (auto _ : state) {
      arrays.run();
    }
    state.counters["nodes"] = static_cast<double>((*forest)->trees.nodes.size());
  });
}

void add_prefabs(const std::string& workload, std::size_t nodes, const std::vector<Kind>& kinds) {
  const SharedForest forest = share_prefabs(nodes);
  add_workload(workload, forest, kinds);
  add_copy(workload, forest);
}

void add_trees(const std::string& workload, scenes::TreeShape shape, std::size_t nodes,
               const std::vector<Kind>& kinds) {
  const SharedForest forest = share_trees(shape, nodes);
  add_workload(workload, forest, kinds);
  add_copy(workload, forest);
}

void add_ropes(const std::string& workload, std::size_t nodes) {
  const SharedForest forest = share_ropes(nodes);
  add_workload(workload, forest, {kAll, kOnePercent});
  add_copy(workload, forest);
}

// Five worlds of 10M nodes and their description: some 10 GiB.
bool memory_for_10M() {
  constexpr double kNeeded = 14.0 * (std::size_t{1} << 30);
  const double bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return node_count(10'000'000) < 10'000'000 || bytes >= kNeeded;
}

}  // namespace

void register_frames() {
  add_prefabs("prefabs_1M", 1'000'000, {kAll, kOnePercent, kNone});
  add_prefabs("prefabs_100k", 100'000, {kAll, kOnePercent});
  add_prefabs("prefabs_1k", 1000, {kAll, kOnePercent});
  add_trees("random_1M", scenes::TreeShape::kRandom, 1'000'000, {kAll, kOnePercent});
  add_trees("deep_wide", scenes::TreeShape::kDeepWide, 1'000'000, {kAll, kChainOnly});
  add_trees("chain_100k", scenes::TreeShape::kChain, 100'000, {kAll});
  add_ropes("ropes_100k", 100'000);
  add_ropes("ropes_1M", 1'000'000);
  add_trees("star_1M", scenes::TreeShape::kStar, 1'000'000, {kAll});
  add_trees("roots_1M", scenes::TreeShape::kRoots, 1'000'000, {kAll, kOnePercent});
  if (memory_for_10M()) {
    add_prefabs("prefabs_10M", 10'000'000, {kAll, kOnePercent});
  }
}

}  // namespace juxta::bench
