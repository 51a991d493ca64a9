// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "juxta/agents/population.h"
#include "juxta/core/error.h"
#include "juxta/core/executor.h"

namespace juxta {

/// When a neighbour is near. With extents, d is the gap between the boxes on each axis (0 where they overlap).
enum class Metric : std::uint8_t {
  kBall,  ///< dx*dx + dy*dy (+ dz*dz), from left to right, <= radius * radius.
  kBox,   ///< |dx| <= radius and |dy| <= radius (and |dz| <= radius).
};

/// How to see.
struct SeeOptions {
  Metric metric = Metric::kBall;  ///< Changes the result.
  /// Of the seers: each agent's own radius, instead of the one for all; finite, >= 0 (0: it sees what it
  /// touches), and none above `radius`. Changes the result.
  Column<float> radii{Column<float>::kNone};
  const Executor* executor = nullptr;  ///< Null: the calling thread. Never changes the result.
};

/// What a pass cost.
struct SeeResult {
  std::size_t tested = 0;  ///< Pairs that were looked at, near or not.
};

}  // namespace juxta
