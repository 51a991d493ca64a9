// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace juxta {

/// How much work goes into an order.
enum class OrderQuality : std::uint8_t {
  kFast,   ///< Along the curve. For boxes that move every frame.
  kTight,  ///< Along the curve, then split at medians again and again, like a k-d tree. Takes about eight
           ///< times as long, and a ray reads a quarter fewer blocks. For boxes that do not move.
};

}  // namespace juxta
