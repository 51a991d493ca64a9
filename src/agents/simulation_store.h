// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a simulation owns.
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <vector>

#include "juxta/agents/population.h"
#include "juxta/agents/ranks.h"
#include "juxta/agents/world.h"

namespace juxta::agents_detail {

struct SimulationStore {
  World world;
  std::uint64_t seed = 0;
  std::pmr::memory_resource* resource;
  std::uint32_t step = 0;
  std::vector<std::unique_ptr<Population>> populations = {};
  std::vector<StepReport> reports = {};  // of the last end_step()
  Ranks* ranks = nullptr;                // null: all agents are here
};

}  // namespace juxta::agents_detail
