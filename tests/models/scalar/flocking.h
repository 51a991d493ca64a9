// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The flocking model of the field's comparison, written straight down: birds in an array, everyone looks at
// everyone. Draws are those of models/flocking.cpp.
#pragma once

#include <cstdint>
#include <vector>

namespace juxta::scalar {

struct Bird {
  double x, y, vx, vy;
};

struct FlockingRules {
  double size = 100, radius = 5, cohere = 0.03, separate = 0.015, separation = 1, match = 0.05, speed = 1;
};

struct FlockingWorld {
  FlockingRules rules;
  std::uint64_t seed = 0;
  std::uint32_t step = 0;
  std::vector<Bird> birds;
  std::vector<std::uint32_t> order;  // whose turn it is
};

[[nodiscard]] FlockingWorld make_flocking(const FlockingRules& rules, std::size_t birds, std::uint64_t seed);
void step_flocking(FlockingWorld& world);

/// The largest difference along an axis between a place of one flock and that of the same bird in the other.
[[nodiscard]] double farthest_apart(const FlockingRules& rules, const std::vector<Bird>& a,
                                    const std::vector<Bird>& b);

}  // namespace juxta::scalar
