// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// tay_*: Tay's own test in a world of one size; clumped: the same with a fifth of all in a ten-thousandth of
// the space. threads_tay: its threads, by the wall clock.
#include <vector>

#include "bench/agents/rows.h"
#include "juxta/core/executor.h"

namespace juxta::bench {
namespace {

using MakeScene = scenes::AgentScene (*)(std::size_t count, float radius, std::uint64_t seed);

void add(const std::string& workload, MakeScene make, std::size_t nominal, float radius, const Pace& pace) {
  const bool boxes = make == scenes::make_tay_boxes;
  std::vector<Contender> all = tay_contenders(boxes, nominal <= 10'000, kSlow);
  all.insert(all.begin(), passes("juxta", Model::kTay, 1, pace));
  add_rows(workload, share_agents(Model::kTay, [=] { return make(agent_count(nominal), radius, kSeed); }),
           all);
}

}  // namespace

void register_tay() {
  add("tay_points_r50", scenes::make_tay_points, 10'000, 50, {});
  add("tay_points_r100", scenes::make_tay_points, 10'000, 100, {});
  add("tay_points_r200", scenes::make_tay_points, 10'000, 200, {});
  add("tay_points_100k_r50", scenes::make_tay_points, 100'000, 50, {2, 4});
  add("tay_boxes", scenes::make_tay_boxes, 10'000, 50, {});
  add("clumped", scenes::make_clumped, kClumped, kClumpedRadius, {2, 4});
}

void register_tay_threads() {
  if (!TbbExecutor::build(2)) {  // a build without oneTBB
    return;
  }
  std::vector<Contender> all = tay_thread_contenders({1, 2});
  all.push_back(passes("juxta", Model::kTay));
  all.push_back(passes("juxta_2threads", Model::kTay, 2));
  const auto crowd =
      share_agents(Model::kTay, [] { return scenes::make_tay_points(agent_count(10'000), 100, kSeed); });
  add_rows("threads_tay", crowd, all, Clock::kWall);
}

}  // namespace juxta::bench
