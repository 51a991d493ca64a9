// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// growth_*: what a boid costs at one density, from crowds that fit into a cache to ones that do not.
#include <unistd.h>

#include <vector>

#include "bench/agents/rows.h"

namespace juxta::bench {
namespace {

void add(const std::string& workload, std::size_t nominal) {
  const Pace pace{2, nominal > 1'000'000 ? std::size_t{2} : std::size_t{10}};
  const std::vector<Contender> all{flock("juxta", 1, pace), passes("juxta_generic", Model::kFlock, 1, pace)};
  add_rows(workload, share_flock(nominal), all);
}

// Two worlds of 10M boids and their start: some 5 GiB.
bool memory_for_10M() {
  constexpr double kNeeded = 8.0 * (std::size_t{1} << 30);
  const double bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return agent_count(10'000'000) < 10'000'000 || bytes >= kNeeded;
}

}  // namespace

void register_growth() {
  add("growth_10k", 10'000);
  add("growth_100k", 100'000);
  add("growth_1M", 1'000'000);
  if (memory_for_10M()) {
    add("growth_10M", 10'000'000);
  }
}

}  // namespace juxta::bench
