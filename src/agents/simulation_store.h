// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a simulation owns.
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <vector>

#include "agents/simulation_fields.h"
#include "juxta/agents/population.h"
#include "juxta/agents/world.h"
#include "juxta/core/ranks.h"

namespace juxta::agents_detail {

struct SimulationStore {
  World world;
  std::uint64_t seed = 0;
  std::pmr::memory_resource* resource;
  std::uint32_t step = 0;
  std::vector<std::unique_ptr<Population>> populations = {};
  std::vector<std::unique_ptr<NamedField>> fields = {};
  std::vector<StepReport> reports = {};  // of the last end_step()
  Ranks* ranks = nullptr;                // null: everything is here
};

}  // namespace juxta::agents_detail
