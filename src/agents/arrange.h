// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: from a plan to an order of rows and the directory over it.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "agents/plan_grid.h"
#include "juxta/core/workspace.h"

namespace juxta::agents_detail {

/// Where agents stand, column by column; extents are null for points, and so is z in 2D.
struct Places {
  std::array<const float*, 3> position{}, extents{};
  std::size_t count = 0;
};

enum class Rows : std::uint8_t {
  kToSort,  ///< `order` gets the rows in the order of space, stable.
  kSorted,  ///< They stand in it, by all that is known: `order` gets 0, 1, 2, ... if that is true.
};

/// Makes the directory of rows in their new order. Errors: those of the sorts; none for sound input.
[[nodiscard]] Result<void> arrange(Directory& directory, const Plan& plan, const Places& places, Rows rows,
                                   std::span<std::uint32_t> order, Workspace& scratch,
                                   const Executor& executor);

// Its steps, for those who take them one by one:

/// The directory of a plan, but for who is where.
void begin_directory(Directory& directory, const Plan& plan);
/// Numbers of cells of a table, by kRows or along a curve.
void table_cells(const Directory& directory, const Places& places, std::span<std::uint32_t> cells,
                 const Executor& executor);
/// Keys of hashed rows: they ascend as the order does.
void hashed_keys(const HashedRows& hashed, const Places& places, std::span<std::uint64_t> keys,
                 const Executor& executor);
/// Rows become lower, cells narrower, when so many agents share a cell. Two do where agents are anywhere by
/// chance.
inline constexpr double kUneven = 4;
/// Cells of kRows for agents of whom so many share a cell.
void make_finer(Directory& directory, const Plan& plan, double company) noexcept;
/// Even so hashed rows are better.
[[nodiscard]] bool is_hopeless(const Directory& directory, const Plan& plan, double company) noexcept;
void make_hashed(Directory& directory, const Plan& plan) noexcept;

}  // namespace juxta::agents_detail
