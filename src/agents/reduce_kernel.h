// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: sweeps of the passes that the library brings along (reduce.h), where pair_loop.h has those of
// rules that users write.
#pragma once

#include "juxta/agents/detail/sweep.h"

namespace juxta::agents_detail {

/// found: the count, the sum of the first seen column.
void sweep_sums(const void* rules, const SweepTask& task);
/// found: the least of the first seen column.
void sweep_least(const void* rules, const SweepTask& task);
/// found: the greatest of the first seen column.
void sweep_greatest(const void* rules, const SweepTask& task);

/// What the boids' sweep must know.
struct BoidSweep {
  float avoid_radius2;
};
/// found: the count, then sums of D numbers each: velocities (the first D seen columns), d, and d of those
/// that are too near.
void sweep_boids(const void* boid_sweep, const SweepTask& task);

}  // namespace juxta::agents_detail
