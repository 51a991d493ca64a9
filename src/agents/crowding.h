// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: how crowded agents are whose cells may be on several ranks.
#pragma once

#include "agents/arrange.h"
#include "agents/store.h"
#include "juxta/core/error.h"
#include "juxta/core/executor.h"

namespace juxta::agents_detail {

/// The mean number of agents of all ranks, who stand at their places, that share a cell of the store's
/// directory with one, itself included. Whole numbers are added, so that it is the same for any number of
/// ranks. Collective.
[[nodiscard]] Result<double> crowding_of_all(PopulationStore& store, const Places& places,
                                             const Executor& executor);

}  // namespace juxta::agents_detail
