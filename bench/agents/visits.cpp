// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// visit_*: the sum of (1 - d / r)^2 over some 30 neighbours of each point; all move each step.
#include <vector>

#include "bench/agents/rows.h"

namespace juxta::bench {
namespace {

void add(const std::string& workload, std::size_t nominal, std::uint32_t dimensions) {
  const Pace pace{1, nominal > 100'000 ? std::size_t{2} : std::size_t{5}};
  std::vector<Contender> all{passes("juxta", Model::kVisits, 1, pace), {"cells", make_cell_visits, pace}};
#ifdef JUXTA_BENCH_NANOFLANN
  all.push_back({"nanoflann", make_nanoflann_visits, kSlowest});
  all.push_back({"nanoflann_tuned", make_tuned_nanoflann_visits, kSlowest});
#endif
  add_rows(workload,
           share_agents(Model::kVisits,
                        [=] { return scenes::make_visits(agent_count(nominal), dimensions, kSeed); }),
           all);
}

}  // namespace

void register_visits() {
  add("visit_2d_100k", 100'000, 2);
  add("visit_2d_1M", 1'000'000, 2);
  add("visit_3d_100k", 100'000, 3);
  add("visit_3d_1M", 1'000'000, 3);
}

}  // namespace juxta::bench
