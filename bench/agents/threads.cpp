// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// threads_*: the library on one thread and on two, by the wall clock: a flock; crowds that stand unevenly;
// and visits whose interaction weighs ten times as much, where a serial part would show.
#include <vector>

#include "bench/agents/rows.h"
#include "juxta/core/executor.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kVisits = 200'000;

void add_passes(const std::string& workload, const SharedCrowd& crowd, Model model) {
  const std::vector<Contender> all{passes("juxta", model, 1, {2, 4}),
                                   passes("juxta_2threads", model, 2, {2, 4})};
  add_rows(workload, crowd, all, Clock::kWall);
}

SharedCrowd share_visits(Model model) {
  return share_agents(model, [] { return scenes::make_visits(agent_count(kVisits), 3, kSeed); });
}

}  // namespace

void register_threads() {
  if (!TbbExecutor::build(2)) {  // a build without oneTBB
    return;
  }
  const std::vector<Contender> flocks{flock("juxta"), flock("juxta_2threads", 2),
                                      passes("juxta_generic", Model::kFlock),
                                      passes("juxta_generic_2threads", Model::kFlock, 2)};
  add_rows("threads_flock_1M", share_flock(1'000'000), flocks, Clock::kWall);
  add_passes("threads_clumped",
             share_agents(Model::kTay,
                          [] { return scenes::make_clumped(agent_count(kClumped), kClumpedRadius, kSeed); }),
             Model::kTay);
  add_passes("threads_visits", share_visits(Model::kVisits), Model::kVisits);
  add_passes("threads_heavy", share_visits(Model::kHeavyVisits), Model::kHeavyVisits);
}

}  // namespace juxta::bench
