// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "juxta/agents/simulation.h"
#include "juxta/core/error.h"
#include "sector/world.h"

namespace juxta::sector {

/// Adds the populations of a battle, of nobody, and their columns. Errors: of Simulation.
[[nodiscard]] Result<void> declare_columns(Simulation& simulation);
/// Finds them in world.simulation. Errors: kNotFound, kInvalidArgument (of another type).
[[nodiscard]] Result<void> find_columns(World& world);

}  // namespace juxta::sector
