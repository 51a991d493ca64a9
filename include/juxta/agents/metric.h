// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace juxta {

/// When a neighbour is near. With extents, d is the gap between the boxes on each axis (0 where they
/// overlap).
enum class Metric : std::uint8_t {
  kBall,  ///< dx*dx + dy*dy (+ dz*dz), from left to right, <= radius * radius.
  kBox,   ///< |dx| <= radius and |dy| <= radius (and |dz| <= radius).
};

}  // namespace juxta
