// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// prefabs_1M/reparent_*: 120 frames from a new world; in each a hundredth of all nodes gets a root for a
// parent and keeps its local transform, and what earlier frames did stays. reparent_all: all roots move too.
// The time of a row is the mean of its frames, so that a frame in which everything is put in order counts.
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "bench/transform/contenders.h"
#include "bench/transform/oracle.h"
#include "bench/transform/rows.h"
#include "bench/transform/whole_runs.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kFrames = 120, kEnd = 10;

std::vector<double> run_frames(Contender& world, const Forest& forest, bool all_move) {
  scenes::Reparenting reparenting(forest.trees, 11);
  std::vector<double> seconds;
  for (std::size_t frame = 0; frame < kFrames; ++frame) {
    const std::span<const scenes::NewParent> changes = reparenting.next();
    seconds.push_back(processor_seconds([&] {
      if (all_move) {
        world.move_all();
      }
      world.reparent(changes);
      world.propagate();
    }));
  }
  return seconds;
}

void check(const Contender& world, const Forest& forest, bool all_moved, const std::string& row) {
  Oracle oracle(forest.trees);
  scenes::Reparenting reparenting(forest.trees, 11);
  for (std::size_t frame = 0; frame < kFrames; ++frame) {
    oracle.reparent(reparenting.next());
    if (all_moved) {
      oracle.move_all();
    }
  }
  oracle.check(world, row);
}

void add_row(const std::string& row, const NamedContender& contender, const SharedForest& forest,
             bool all_move) {
  auto checked = std::make_shared<bool>(false);
  const auto body = [=](benchmark::State& state) {
    for (auto _ : state) {
      const std::unique_ptr<Contender> world = contender.make();
      world->build(**forest);
      const std::vector<double> seconds = run_frames(*world, **forest, all_move);
      state.SetIterationTime(std::accumulate(seconds.begin(), seconds.end(), 0.0) / kFrames);
      count_frames(state, seconds);
      state.counters["first_ns"] = median_of(seconds, 0, kEnd) * 1e9;
      state.counters["last_ns"] = median_of(seconds, kFrames - kEnd, kEnd) * 1e9;
      state.counters["nodes"] = static_cast<double>(world->nodes());
      if (!*checked) {
        check(*world, **forest, all_move, row);
        *checked = true;
      }
    }
  };
  benchmark::RegisterBenchmark(row.c_str(), body)->UseManualTime()->Iterations(1);
}

}  // namespace

void register_reparent() {
  const SharedForest forest = share_prefabs(1'000'000);
  std::vector<NamedContender> all = contenders();
  for (const NamedContender& form : classic_forms()) {
    if (form.name == "depth_first_world_only" || form.name == "depth_levels_pruned") {
      all.push_back(form);
    }
  }
  for (const NamedContender& contender : all) {
    add_row(row_name({"prefabs_1M", "reparent_all", contender.name}), contender, forest, true);
    add_row(row_name({"prefabs_1M", "reparent_none", contender.name}), contender, forest, false);
  }
}

}  // namespace juxta::bench
