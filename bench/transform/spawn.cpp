// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// spawn_10k_per_frame: 100 frames from an empty world; each instantiates 125 copies of each of the eight
// prefabs, 10,000 nodes, and propagates. Nothing else moves. The whole is run three times, and of the three
// times of a frame the middle one counts: what the machine did meanwhile does not, what the frame does, does.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "bench/transform/contenders.h"
#include "bench/transform/oracle.h"
#include "bench/transform/rows.h"
#include "bench/transform/whole_runs.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kFrames = 100, kPrefabs = 8, kNodes = 1'000'000, kNodesOfPrefabs = 80;

std::vector<double> run_frames(Contender& world, const Forest& forest, bool all_ids) {
  const std::vector<scenes::PrefabBatch>& batches = forest.prefabs->batches;
  world.expect(forest.trees.roots.size(), forest.trees.nodes.size());
  std::vector<double> seconds;
  for (std::size_t frame = 0; frame < kFrames; ++frame) {
    seconds.push_back(processor_seconds([&] {
      for (std::size_t i = 0; i < kPrefabs; ++i) {
        world.spawn(*forest.prefabs, batches[frame * kPrefabs + i], all_ids);
      }
      world.propagate();
    }));
  }
  return seconds;
}

std::vector<double> middle_of_three(const NamedContender& contender, const Forest& forest) {
  std::array<std::vector<double>, 3> runs;
  for (std::vector<double>& run : runs) {
    run = run_frames(*contender.make(), forest, false);
  }
  std::vector<double> middle;
  for (std::size_t frame = 0; frame < kFrames; ++frame) {
    middle.push_back(quantile({runs[0][frame], runs[1][frame], runs[2][frame]}, 0.5));
  }
  return middle;
}

void add_row(const NamedContender& contender, const SharedForest& forest) {
  const std::string row = row_name({"spawn_10k_per_frame", contender.name});
  auto checked = std::make_shared<bool>(false);
  const auto body = [=](benchmark::State& state) {
    if (!*checked) {
      const std::unique_ptr<Contender> world = contender.make();
      run_frames(*world, **forest, true);
      Oracle((*forest)->trees).check(*world, row);
      *checked = true;
    }
    for (auto _ : state) {
      const std::vector<double> seconds = middle_of_three(contender, **forest);
      state.SetIterationTime(quantile(seconds, 0.5));
      count_frames(state, seconds);
    }
    state.counters["nodes"] = static_cast<double>((*forest)->trees.nodes.size() / kFrames);
  };
  benchmark::RegisterBenchmark(row.c_str(), body)->UseManualTime()->Iterations(1);
}

}  // namespace

void register_spawn() {
  const SharedForest forest = std::make_shared<Once<Forest>>([] {
    const std::size_t per_frame = std::max<std::size_t>(1, node_count(kNodes) / kFrames / kNodesOfPrefabs);
    return std::make_unique<Forest>(
        scenes::make_prefabs({kFrames * kPrefabs * per_frame, per_frame}, seed()));
  });
  std::vector<NamedContender> all = contenders();
  for (const NamedContender& form : classic_forms()) {
    if (form.name != "depth_first_eager") {  // loading is not what differs here
      all.push_back(form);
    }
  }
  for (const NamedContender& contender : all) {
    add_row(contender, forest);
  }
}

}  // namespace juxta::bench
