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

/// Agents that stand unevenly.
struct Unevenness {
  double denser = 1;  ///< So many times as densely as on average over their extent, where most stand.
  double lowest = 0;  ///< No row is to be lower.
  double share = 1;   ///< So many agents are to share a cell.
};
/// Rows of cells as high as the square (cube) that sixteen agents fill, with about one agent a cell.
struct RowPlan {
  Grid grid;
  float height = 0;
};
[[nodiscard]] RowPlan plan_rows(const World& world, const Extent& extent,
                                const Unevenness& uneven = {}) noexcept;

/// The edge of the square (cube) in which sixteen agents stand. An axis on which all stand within such an
/// edge counts for nothing: that of a line of agents is the way of sixteen.
[[nodiscard]] double room_of_sixteen(const Extent& extent, std::uint32_t dimensions, double agents) noexcept;

/// What an order is made from.
struct Plan {
  Arrangement arrangement = Arrangement::kRows;
  /// kRows, but kHashed if too many share a cell.
  bool unsure = false;
  Grid grid;                     // of a table; else `whole`
  float height = 0;              // kRows: of a row
  float reach = 0;               // of passes, with the largest extents
  double lowest = 0;             // kRows: height where agents stand unevenly
  Grid whole;                    // one cell, the world
  std::uint32_t brick_bits = 0;  // kMorton, kHilbert
  World world;                   // and who is where: for rows that turn out to be crowded
  Extent extent;
  std::array<WideAxis, 3> wide;  // kHashed
  std::uint32_t key_bits = 0;    // kHashed: of a coordinate
};

/// Errors: kInvalidArgument (a table that would be absurdly large), kUnsupportedCpu (a tree).
[[nodiscard]] Result<Plan> plan(const World& world, const Extent& extent, const SortOptions& options);

}  // namespace juxta::agents_detail
