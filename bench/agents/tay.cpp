// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// tay_*: Tay's own test in a world of one size; clumped: the same with a fifth of all in a ten-thousandth of
// the space.
#include <vector>

#include "bench/agents/rows.h"

namespace juxta::bench {
namespace {

using MakeScene = scenes::AgentScene (*)(std::size_t count, float radius, std::uint64_t seed);

void add(const std::string& workload, MakeScene make, std::size_t nominal, float radius, const Pace& pace) {
  const bool boxes = make == scenes::make_tay_boxes;
  std::vector<Contender> all = tay_contenders(boxes, kSlow);
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

}  // namespace juxta::bench
