// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// threads_*: the library and both published systems on one thread and on two (scripts/bench takes the wall
// clock for rows with threads), and at a thousand nodes, where two threads cannot pay, what scheduling costs.
#include <string>
#include <vector>

#include "bench/transform/frames.h"
#include "bench/transform/rows.h"
#include "juxta/core/executor.h"

namespace juxta::bench {
namespace {

void add_rows(const std::string& workload, const SharedForest& forest, bool one_percent) {
  for (const unsigned threads : {1U, 2U}) {
    const std::vector<NamedContender> all = {
        {"juxta",
         [threads] {
           return make_juxta({threads, false});
         }},
        {"depth_first", [threads] { return make_classic(Classic::kDepthFirst, {}, threads); }},
        {"depth_levels", [threads] { return make_classic(Classic::kDepthLevels, {}, threads); }}};
    for (const NamedContender& contender : all) {
      const std::string who = std::string(contender.name) + (threads == 1 ? "" : "_2threads");
      const SharedRunning running = share_running(contender.make, forest, row_name({workload, who}));
      add_frames(row_name({workload, "all", who}), running, Movers::kAll);
      if (one_percent) {
        add_frames(row_name({workload, "one_percent", who}), running, Movers::kSome);
      }
    }
  }
}

}  // namespace

void register_threads() {
  if (!TbbExecutor::build(2)) {  // a build without oneTBB
    return;
  }
  add_rows("threads_prefabs_1M", share_prefabs(1'000'000), false);
  add_rows("threads_random_1M", share_trees(scenes::TreeShape::kRandom, 1'000'000), false);
  add_rows("threads_prefabs_1k", share_prefabs(1000), true);
}

}  // namespace juxta::bench
