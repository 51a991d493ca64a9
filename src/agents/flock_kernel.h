// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the rules of the boids, for seers whose neighbours are listed.
#pragma once

#include <array>
#include <cstdint>

#include "juxta/agents/detail/sweep.h"
#include "juxta/agents/flock.h"

namespace juxta::detail {

/// What a sweep of boids knows besides its task.
struct FlockSweep {
  FlockOptions options;
  std::array<const float*, 3> velocity;                // of the sorted boids
  std::array<float*, 3> next_position, next_velocity;  // row by row
};

/// A Sweep: reads SweepTask's groups, list and positions; writes the next state of the groups' seers.
/// Undefined below SSE4.2 (see active_isa()).
void sweep_boids(const void* flock_sweep, const SweepTask& task);

}  // namespace juxta::detail
