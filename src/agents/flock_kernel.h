// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: one time step of boids that are sorted by cells.
#pragma once

#include <array>
#include <cstdint>

#include "agents/directory.h"
#include "juxta/agents/flock.h"

namespace juxta::agents_detail {

/// The sorted boids, and where their next state goes, row by row.
struct FlockSweep {
  const FlockOptions& options;
  const Directory& directory;
  const Reach& reach;
  std::array<const float*, 3> position, velocity;  // sixteen may be read behind the last one
  /// What a boid that is seen adds to the velocity of who sees it, divided by how many there are: align *
  /// velocity, and when it `folds`, + pull_of_position * position.
  std::array<const float*, 3> pull;
  float pull_of_position;  // (1 - align) * cohere
  bool folds;
  std::array<float*, 3> next_position, next_velocity;
};

/// Moves the boids in the rows [first, last). Undefined below SSE4.2 (see active_isa()).
void move_boids(const FlockSweep& flock, std::uint32_t first, std::uint32_t last) noexcept;
/// The same bits, by all pairs and without vectors; the cells of the directory do not matter.
void move_boids_reference(const FlockSweep& flock, std::uint32_t first, std::uint32_t last) noexcept;

}  // namespace juxta::agents_detail
