// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: how crowded agents are whose cells may be on several ranks.
#pragma once

#include "agents/arrange.h"
#include "agents/store.h"
#include "juxta/core/error.h"
#include "juxta/core/executor.h"

namespace juxta::agents_detail {

/// How the agents of all ranks, who stand at their places, share the cells of the store's directory.
/// Collective.
[[nodiscard]] Result<Crowding> crowding_of_all(PopulationStore& store, const Places& places,
                                               const Executor& executor);

}  // namespace juxta::agents_detail
