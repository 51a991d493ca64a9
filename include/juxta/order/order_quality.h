// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace juxta {

/// How much work an order is worth.
enum class OrderQuality : std::uint8_t {
  kFast,   ///< Along the curve: for boxes that move every frame.
  kTight,  ///< Along the curve, then split at medians again and again, as a k-d tree is: takes some eight
           ///< times as long and lets a ray read a quarter fewer blocks. For boxes that stay.
};

}  // namespace juxta
