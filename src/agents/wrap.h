// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: positions and differences in a world whose edges may meet.
#pragma once

#include <cmath>

namespace juxta::agents_detail {

/// x, brought back into [lo, hi).
[[nodiscard]] inline float wrapped(float x, float lo, float hi) noexcept {
  if (x >= lo && x < hi) {
    return x;
  }
  const float period = hi - lo;
  x = x - period * std::floor((x - lo) / period);
  return x >= lo && x < hi ? x : lo;
}

/// The nearest image's difference, as World says.
[[nodiscard]] inline float nearest_image(float d, float period) noexcept {
  const float half = 0.5F * period;
  return d > half ? d - period : d < -half ? d + period : d;
}

}  // namespace juxta::agents_detail
