// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a flock whose boids are on several ranks.
//
// Each rank has a run of whole rows of cells, and all boids in them:
//
//   rows of cells      0  1  2  3  4  5  6  7  8  9
//   rank 0            [0  1  2]
//   rank 1                     [3  4  5  6]
//   rank 2                                 [7  8  9]
//
// The columns of rank 1 also hold the boids of the rows beside its own, which its boids see. All stand in the
// order of one machine; FlockStore::first is the first boid of row 3:
//
//   free | row 2 | rows 3 to 6 | row 7 | free
//
// A step:  1. boids that left the rows of their rank go to others (flock_migration.cpp)
//          2. each rank sorts its own
//          3. boids of rows that others see go there; meanwhile those that see none of them move
//          4. the rest moves (flock_halo.cpp)
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "agents/flock_store.h"
#include "juxta/core/array.h"
#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/ranks.h"

namespace juxta::agents_detail {

/// Rows of cells [first, last).
struct RowRange {
  std::uint32_t first = 0, last = 0;
};

/// Another rank that has rows next to ours.
struct FlockNeighbour {
  std::uint32_t rank = 0;
  std::vector<RowRange> wanted, ours;        // its rows that our boids see; our rows that its boids see
  std::vector<std::uint32_t> coming, going;  // boids in each of them
  std::vector<float> received, sent;
};

struct FlockRanks {
  FlockRanks(Ranks& carried_by, std::pmr::memory_resource* memory) : ranks(carried_by), cells(memory) {}

  Ranks& ranks;
  std::vector<std::uint32_t> cuts;         // the first row of each rank, and the number of rows
  std::vector<FlockNeighbour> neighbours;  // by rank
  RowRange inner;                          // of our rows: a run of those whose boids see none of another rank
  Array<std::uint32_t> cells;              // by row of `now`
  bool has_stepped = false;                // the directory is that of our rows

  [[nodiscard]] RowRange own() const noexcept { return {cuts[ranks.rank()], cuts[ranks.rank() + 1]}; }
  [[nodiscard]] std::uint32_t owner(std::uint32_t row) const noexcept;
};

/// The row of cells where a boid of `now` or `sorted` stands.
[[nodiscard]] std::uint32_t row_of_boid(const FlockStore& store, const FlockColumns& columns,
                                        std::size_t boid) noexcept;
[[nodiscard]] std::uint32_t rows_of_cells(const FlockStore& store) noexcept;
/// Where the boids of one of our rows begin; the row behind the last one too.
[[nodiscard]] std::size_t begin_of_row(const FlockStore& store, std::uint32_t row) noexcept;
/// Makes sure that so many boids fit in before our own. Moves all columns if they do not, and raises
/// FlockStore::first.
void make_room(FlockStore& store, std::size_t before);

/// Rows of `now`.
struct FlockSequence {
  std::size_t begin, count;
};
/// Sends boids to the ranks of their rows. The sequence has all that are ours now, in the order of one
/// machine, and others, whose cell is none of the window; FlockRanks::cells has their cells. Collective.
[[nodiscard]] Result<FlockSequence> migrate_boids(FlockStore& store, CellWindow window,
                                                  const Executor& executor);
/// Starts to carry boids that others see. Collective.
[[nodiscard]] Result<void> start_halo(FlockStore& store);
/// Those that we see are in `sorted`, and their cells in the directory. Collective.
[[nodiscard]] Result<void> finish_halo(FlockStore& store);
/// New cuts if some rank has much more to do than others. Collective.
[[nodiscard]] Result<void> balance_flock(FlockStore& store);

/// Flock::step() but for the count of steps. Collective.
[[nodiscard]] Result<void> step_over_ranks(FlockStore& store, const Executor& executor);

}  // namespace juxta::agents_detail
