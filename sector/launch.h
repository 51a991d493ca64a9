// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "juxta/core/error.h"
#include "sector/world.h"

namespace juxta::sector {

/// A ship to be.
struct Launch {
  Kind kind;
  std::uint32_t faction;
  Vec3 at, velocity;
};

/// All of them, in this order behind the ships that there are: one batch of instances for each kind. The
/// hierarchy is not propagated. Errors: of the modules.
[[nodiscard]] Result<void> launch(World& world, std::span<const Launch> launches);

/// A kind by its share, for a number in [0, 1).
[[nodiscard]] Kind kind_at(const Scenario& scenario, float share) noexcept;

}  // namespace juxta::sector
