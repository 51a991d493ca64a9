// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: which arrangement, and how large the cells are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "agents/directory.h"
#include "juxta/core/error.h"

namespace juxta::agents_detail {

/// Where agents are, and how many.
struct Extent {
  Bounds bounds;
  Vec3 largest{};  // extents
  Vec3 mean{};
  float magnitude = 0;  // of any coordinate
  std::size_t agents = 0;
};

/// Cells for a search by `radius` along rows, as fine as a table of a few cells an agent allows.
[[nodiscard]] Grid plan_rows(const World& world, const Extent& extent, float radius) noexcept;

/// What an order is made from.
struct Plan {
  Arrangement arrangement = Arrangement::kRows;
  /// kRows, but kHashed if many turn out to stand in one cell: cells are wider than the radius asks for. In a
  /// world that is empty all over they still hold one agent or none.
  bool unsure = false;
  Grid grid;                     // of a table; else `whole`
  Grid whole;                    // one cell, the world
  std::uint32_t brick_bits = 0;  // kMorton, kHilbert
  std::array<WideAxis, 3> wide;  // kHashed
  std::uint32_t key_bits = 0;    // kHashed: of a coordinate
};

/// Errors: kInvalidArgument (a table that would be absurdly large), kUnsupportedCpu (a tree).
[[nodiscard]] Result<Plan> plan(const World& world, const Extent& extent, const SortOptions& options);

}  // namespace juxta::agents_detail
