// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: how large the cells are.
#pragma once

#include <cstddef>

#include "agents/directory.h"
#include "juxta/core/error.h"

namespace juxta::detail {

/// Where agents are, and how many.
struct Extent {
  Bounds bounds;
  std::array<float, 3> largest{};  // extents
  float magnitude = 0;             // of any coordinate
  std::size_t agents = 0;
};

/// Cells for a search by `radius` along rows, as fine as a table of a few cells an agent allows.
[[nodiscard]] Grid plan_rows(const World& world, const Extent& extent, float radius) noexcept;

}  // namespace juxta::detail
