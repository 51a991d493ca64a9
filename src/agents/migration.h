// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: agents that go to other ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "juxta/core/error.h"

namespace juxta::agents_detail {

struct PopulationStore;

/// Who is here after a migration.
struct Arrivals {
  /// In the order that they had before, on all ranks: own rows, and from size() on those that arrived.
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> slots;  // of the Ids of those that arrived
};

/// Sends each agent to the rank whose cuts its key is between. The columns of those that arrive stand behind
/// the own rows, which are all still there; Distribution::keys are those of Arrivals::rows. Collective.
/// `results`: columns that sort() leaves where they are come along too.
[[nodiscard]] Result<Arrivals> migrate(PopulationStore& store, std::span<const std::uint64_t> keys,
                                       bool results = false);

}  // namespace juxta::agents_detail
