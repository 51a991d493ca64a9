// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a flock whose boids are on several ranks.
//
// Each rank has some whole rows of cells (flock_cuts.h), and all boids in them:
//
//   sorted      | own boids, row after row | boids of rows that ours see, neighbour after neighbour |
//   directory   | cells of own rows, +1 each | cells of those rows, +1 each |
//
// The cell more ends a row: the next row in memory may be any. FlockRanks::places says where a row is.
//
// A step:  1. boids that left the rows of their rank go to others (flock_migration.cpp)
//          2. each rank sorts its own
//          3. boids of rows that others see go there; meanwhile those that see none of them move
//          4. the rest moves (flock_halo.cpp)
//
// Large flocks in a plane have shorter steps (flock_rows_ranks.cpp). They go this way in their first step and
// after new cuts, when rows are not known, before a look at the balance, which needs the directory, and when
// a boid moves too far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "agents/flock_cuts.h"
#include "agents/flock_row_step.h"
#include "agents/flock_store.h"
#include "juxta/core/array.h"
#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/ranks.h"

namespace juxta::agents_detail {

inline constexpr std::size_t kBoidValueBytes = 4;  // of a value of any column

/// Steps by rows want so many of each rank: four rows of others come in each step, and with fewer than eight
/// of its own, a rank that receives 1 GB/s is as fast without. The code needs four, two for either neighbour.
inline constexpr std::size_t kFewestRows = 8;

/// Another rank that has rows next to ours.
struct FlockNeighbour {
  std::uint32_t rank = 0;
  std::vector<RowRange> wanted, ours;        // its rows that our boids see; our rows that its boids see
  std::vector<std::uint32_t> coming, going;  // boids in each of them
  std::vector<float> received, sent;
};

/// How boids came to stand where they stand: those of key i are [begins[i], begins[i + 1]). Keys are the
/// rows of cells of the last step, or before the first step the rank that brought them. Each key is on one
/// rank only, and all boids by their keys, then as they stand there, are in the order of one machine.
struct FlockOrigins {
  std::vector<std::uint32_t> keys, begins;

  /// Of a boid, which is one of those.
  [[nodiscard]] std::uint32_t key_of(std::size_t boid) const noexcept;
};

struct FlockRanks {
  FlockRanks(Ranks& carried_by, std::pmr::memory_resource* memory) : ranks(carried_by), cells(memory) {}

  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  Ranks& ranks;
  FlockCuts cuts;
  std::vector<RowRange> spans;             // of each rank, in a plane: its rows
  bool is_large = false;                   // enough boids for steps by rows
  bool goes_by_rows = false;               // and the cuts allow them
  bool knows_rows = false;                 // FlockStore::rows says where ours begin, on all ranks
  std::vector<std::uint32_t> rows;         // ours, ascending: the first places
  std::vector<std::uint32_t> places;       // of all rows; kNowhere for those that are not here
  std::uint32_t rows_here = 0;             // ours and those that we see
  std::vector<FlockNeighbour> neighbours;  // by rank
  std::vector<RowRange> inner, border;  // places of our rows whose boids see none, or some, of another rank
  FlockOrigins origins;                 // of `now`
  Array<std::uint32_t> cells;           // of `now`, by boid
  std::vector<std::uint32_t> arrived;   // keys of those who arrived, who stand behind the others
  bool has_stepped = false;             // the directory is that of our rows

  /// Of a row in the directory.
  [[nodiscard]] std::size_t pitch(const FlockStore& store) const noexcept {
    return std::size_t{store.directory.grid.axis[0].cells} + 1;
  }
  [[nodiscard]] std::size_t own_cells(const FlockStore& store) const noexcept {
    return rows.size() * pitch(store);
  }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;
};

/// The row of cells where a boid of `now` stands.
[[nodiscard]] std::uint32_t row_of_boid(const FlockStore& store, std::size_t boid) noexcept;
[[nodiscard]] std::uint32_t rows_of_cells(const FlockStore& store) noexcept;
/// Where the boids of one of our rows begin, by its place; the place behind the last one too.
[[nodiscard]] std::size_t begin_of_place(const FlockStore& store, std::uint32_t place) noexcept;

/// Sends boids to the ranks of their rows; those who come stand behind those who were here, and
/// FlockRanks::cells has the cells of all. Those who left are there too; their cell is own_cells(). How many
/// there are. Collective.
[[nodiscard]] Result<std::size_t> migrate_boids(FlockStore& store, const Executor& executor);
/// `order` is that of `now` by cells, with those who arrived in a cell behind the others: makes it the order
/// of one machine.
void place_arrivals(const FlockStore& store, std::span<std::uint32_t> order);
/// Starts to carry boids that others see. Collective.
[[nodiscard]] Result<void> start_halo(FlockStore& store);
/// Those that we see are in `sorted`, and their cells in the directory. Collective.
[[nodiscard]] Result<void> finish_halo(FlockStore& store);
/// Cuts that give every rank as much to do; `work` by row.
void cut_flock(FlockStore& store, std::span<const double> work);
/// New cuts if some rank has much more to do than others. Collective.
[[nodiscard]] Result<void> balance_flock(FlockStore& store);

/// A step by rows. False if that is not possible; nothing has changed then. Collective.
[[nodiscard]] Result<bool> step_by_rows_over_ranks(FlockStore& store, const Executor& executor);
/// Flock::distribute() of flocks that are alike; `many`: of a mean rank, for steps by rows. Collective.
[[nodiscard]] Result<void> distribute_flock(FlockStore& store, Ranks& ranks, std::size_t many = kManyBoids);
/// Flock::step() but for the count of steps. Collective.
[[nodiscard]] Result<void> step_over_ranks(FlockStore& store, const Executor& executor);

}  // namespace juxta::agents_detail
