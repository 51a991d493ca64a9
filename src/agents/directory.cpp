// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/directory.h"

#include <limits>

namespace juxta::detail {

Reach::Reach(const Directory& directory, float radius, bool round) noexcept {
  constexpr float kEpsilon = std::numeric_limits<float>::epsilon();
  const Grid& grid = directory.grid;
  float furthest = radius;
  for (std::uint32_t a = 0; a < grid.dimensions; ++a) {
    on_[a] = radius + directory.largest[a] + 2 * directory.moved;
    furthest = std::max(furthest, on_[a]);
    round = round && directory.largest[a] == 0;
  }
  // Distances and cells are computed in float: what they may be off by, many times over.
  const float slack = 16 * kEpsilon * (directory.magnitude + furthest);
  for (float& reach : on_) {
    reach += slack;
  }
  const auto height = [&](std::uint32_t axis, std::uint32_t rows) {
    const GridAxis& a = grid.axis[axis];
    return a.inverse > 0 ? std::max(0.0F, static_cast<float>(rows) / a.inverse * (1 - 16 * kEpsilon) - slack)
                         : 0;
  };
  for (std::uint32_t z = 0; z < kRows; ++z) {
    for (std::uint32_t y = 0; y < kRows; ++y) {
      const float dy = height(1, y), dz = height(2, z);
      const float left = on_[0] * on_[0] - dy * dy - dz * dz;
      width_[z][y] = !round ? on_[0] : left < 0 ? -1.0F : std::min(on_[0], std::sqrt(left) + slack);
    }
  }
}

}  // namespace juxta::detail
