// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "juxta/core/error.h"
#include "sector/world.h"

namespace juxta::sector {

/// Asteroids of a few forms, meshes and hulls in turn, anywhere in the world: a function of the scenario
/// alone, so that saved battles need not hold them. Errors: of the modules.
[[nodiscard]] Result<void> add_asteroids(World& world);

}  // namespace juxta::sector
