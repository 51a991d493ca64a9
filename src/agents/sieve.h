// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: who is within reach of the box that some seers stand in. The plain twin of sieve-inl.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "juxta/math/vec.h"

namespace juxta::agents_detail {

struct Sieve {
  Vec3 lo{}, hi{};                  // the box; no bounds on an axis where nearest images are not known
  Vec3 middle{}, period{}, half{};  // of a group that sees across an edge: half is infinite on other axes
  Vec3 on{};                        // per axis
  float reach2 = 0;                 // of a ball
  bool round = true;

  /// Whether a row passes, and what brings it to the image that is nearest to the middle of the box.
  [[nodiscard]] bool passes(std::uint32_t dimensions, const float* const* position, std::uint32_t row,
                            Vec3& shift) const noexcept {
    float square = 0;
    bool inside = true;
    for (std::uint32_t a = 0; a < dimensions; ++a) {
      const float off = position[a][row] - middle[a];
      shift[a] = off > half[a] ? -period[a] : off < -half[a] ? period[a] : -0.0F;
      const float x = position[a][row] + shift[a];
      const float gap = x - std::min(std::max(x, lo[a]), hi[a]);
      square += gap * gap;
      inside = inside && std::abs(gap) <= on[a];
    }
    return round ? square <= reach2 : inside;
  }
};

}  // namespace juxta::agents_detail
