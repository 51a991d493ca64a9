// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the first look at positions, before anything is changed.
#pragma once

#include "agents/arrange.h"
#include "agents/plan_grid.h"
#include "agents/store.h"

namespace juxta::agents_detail {

[[nodiscard]] Places places_of(const PopulationStore& store) noexcept;

/// Where agents are: for an axis that wraps, the world's own ends. `places` are those of the store, or others
/// that are known to be sound. Errors as Population::sort() says.
[[nodiscard]] Result<Extent> check_positions(PopulationStore& store, const Places& places,
                                             const Executor& executor);

/// Brings positions of periodic axes back into [lo, hi).
void wrap_positions(PopulationStore& store, const Executor& executor) noexcept;

}  // namespace juxta::agents_detail
