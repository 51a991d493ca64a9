// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "juxta/view/viewed_world.h"

namespace juxta::view_detail {

using Point = std::array<double, 3>;

/// Where a place is on the page: x and y from -1 to 1, and its depth; nothing of what is behind it.
struct Projection {
  std::array<double, 16> m{};

  [[nodiscard]] std::optional<Point> operator()(const Point& p) const {
    const auto row = [&](std::size_t r) {
      return m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r];
    };
    const double w = row(3);
    if (!(w > 0)) {
      return {};
    }
    return Point{row(0) / w, row(1) / w, row(2) / w};
  }
};

[[nodiscard]] inline Point place_of(const ViewThings& things, std::size_t row) {
  return {things.x[row], things.y[row], things.z.empty() ? 0.0 : things.z[row]};
}

[[nodiscard]] inline std::size_t size_of(const ViewThings& things) {
  return std::min(things.x.size(), things.y.size());
}

}  // namespace juxta::view_detail
