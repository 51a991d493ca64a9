// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: from a plan to an order of rows and the directory over it.
#pragma once

#include <algorithm>
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
  kToSort,  ///< `order` gets the rows in the order of space; those of a cell as they stand, or
            ///< where cells are ordered inside those of one place.
  kSorted,  ///< They stand in it, by all that is known: `order` gets 0, 1, 2, ... if that is true.
};

/// Makes the directory of rows in their new order. Errors: those of the sorts; none for sound input.
[[nodiscard]] Result<void> arrange(Directory& directory, const Plan& plan, const Places& places, Rows rows,
                                   std::span<std::uint32_t> order, Workspace& scratch,
                                   const Executor& executor);

/// Boxes, if the directory is of a crowd, once rows stand in their order at these places.
void fill_boxes(Directory& directory, const Places& places, const Executor& executor);

// Its steps, for those who take them one by one:

/// The directory of a plan, but for who is where.
void begin_directory(Directory& directory, const Plan& plan);
/// Numbers of cells of a table, by kRows or along a curve.
void table_cells(const Directory& directory, const Places& places, std::span<std::uint32_t> cells,
                 const Executor& executor);
/// Keys of hashed rows: they ascend as the order does.
void hashed_keys(const HashedRows& hashed, const Places& places, std::span<std::uint64_t> keys,
                 const Executor& executor);
/// So many share a cell with an agent on average where agents stand unevenly. Two do where they are anywhere
/// by chance.
inline constexpr double kUneven = 4;

/// How unevenly agents stand in cells. Sums of whole numbers, so that it is the same however they are added.
struct Crowding {
  /// Cells of more agents than this are crowded.
  static constexpr std::uint64_t kMany = 16;

  std::uint64_t agents = 0, squares = 0;                  // of the numbers of agents in all cells
  std::uint64_t crowded_agents = 0, crowded_squares = 0;  // in the crowded ones

  void add(std::uint64_t cell) noexcept {
    agents += cell;
    squares += cell * cell;
    crowded_agents += cell > kMany ? cell : 0;
    crowded_squares += cell > kMany ? cell * cell : 0;
  }
  void add(const Crowding& other) noexcept {
    agents += other.agents;
    squares += other.squares;
    crowded_agents += other.crowded_agents;
    crowded_squares += other.crowded_squares;
  }
  /// How many share a cell with an agent on average, itself included; and with one of a crowd.
  [[nodiscard]] double company() const noexcept { return mean(squares, agents); }
  [[nodiscard]] double crowd() const noexcept { return mean(crowded_squares, crowded_agents); }

 private:
  static double mean(std::uint64_t sum, std::uint64_t of) noexcept {
    return static_cast<double>(sum) / std::max(1.0, static_cast<double>(of));
  }
};

/// Other cells for agents who stand unevenly: lower rows and narrower cells; or where those would be too
/// many, wider ones that are ordered inside (Directory::crowded); or hashed rows.
void fit_crowd(Directory& directory, const Plan& plan, const Crowding& crowding) noexcept;

}  // namespace juxta::agents_detail
