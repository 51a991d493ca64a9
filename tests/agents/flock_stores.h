// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Flocks in a plane as the library stores them, and the plain twin of a step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "agents/flock_states.h"
#include "agents/flock_store.h"
#include "juxta/core/executor.h"

namespace juxta::test {

inline void fill(agents_detail::FlockStore& store, const Boids& boids) {
  store.resize(boids.size());
  for (std::uint32_t a = 0; a < 2; ++a) {
    std::copy(boids.position[a].begin(), boids.position[a].end(), store.now.position[a].data());
    std::copy(boids.velocity[a].begin(), boids.velocity[a].end(), store.now.velocity[a].data());
  }
  for (std::uint32_t i = 0; i < boids.size(); ++i) {
    store.now.number[i] = i;
  }
  agents_detail::plan_cells(store, boids.size());
}

/// All boids at once, on one machine. There is at least one.
inline void step_at_once(agents_detail::FlockStore& store) {
  sort_flock(store, serial_executor());
  move_flock(store, 0, store.count, serial_executor());
  std::swap(store.now.number, store.sorted.number);
}

}  // namespace juxta::test
