// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "bench/sector/inputs.h"
#include "juxta/core/executor.h"
#include "sector/scenario.h"

namespace juxta::bench {

/// What the stages of one tick got.
struct TickInputs {
  SpawnInput spawn;
  SteerInput steer;
  MoveInput move;
  HitInput hit;
};

/// Some ticks of a battle. The forest begins with the ships and spawn points that there are when the
/// recording begins; wrecks are left out.
struct Recording {
  StageScene scene;
  MoveInput start;  ///< Brings the forest to where it was then.
  std::vector<TickInputs> ticks;
};

/// Plays a battle: `warm_up` ticks, and then those that are recorded. Some 25 MB a tick of `mission5`.
[[nodiscard]] std::unique_ptr<Recording> record(const sector::Scenario& scenario, std::size_t warm_up,
                                                std::size_t ticks, const Executor* executor);

}  // namespace juxta::bench
