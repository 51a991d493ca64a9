// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// threads_*: the library on one thread and on two (scripts/bench takes the wall clock for rows with threads),
// and at a thousand nodes, where two threads cannot pay, what scheduling costs.
#include <string>
#include <string_view>

#include "bench/transform/frames.h"
#include "bench/transform/rows.h"
#include "juxta/core/executor.h"

namespace juxta::bench {
namespace {

void add_rows(const std::string& workload, const SharedForest& forest, bool one_percent) {
  for (const unsigned threads : {1U, 2U}) {
    const std::string_view who = threads == 1 ? "juxta" : "juxta_2threads";
    const SharedRunning running = share_running(
        [threads] {
          return make_juxta({threads, false});
        },
        forest, row_name({workload, who}));
    add_frames(row_name({workload, "all", who}), running, Movers::kAll);
    if (one_percent) {
      add_frames(row_name({workload, "one_percent", who}), running, Movers::kSome);
    }
  }
}

}  // namespace

void register_threads() {
  if (!make_tbb_executor(2)) {  // a build without oneTBB
    return;
  }
  add_rows("threads_prefabs_1M", share_prefabs(1'000'000), false);
  add_rows("threads_random_1M", share_trees(scenes::TreeShape::kRandom, 1'000'000), false);
  add_rows("threads_prefabs_1k", share_prefabs(1000), true);
}

}  // namespace juxta::bench
