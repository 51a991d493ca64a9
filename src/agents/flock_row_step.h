// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a step of a flock in a plane, some rows of cells at a time, on one machine or of one rank.
//
//   global rows    . . | r-2 r-1 | r . . . . . . . . q-1 | q q+1 | . .      [r, q) are moved here
//   now            | own boids, row after row | those of r-2, r-1, q and q+1 |
//
// A row takes its boids from three rows and sees three, so two rows to either side are all that a rank needs
// of others. On one machine there are none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "agents/flock_kernel.h"
#include "agents/flock_rows.h"
#include "agents/flock_store.h"
#include "core/meanwhile.h"

namespace juxta::agents_detail {

inline constexpr std::uint32_t kRowsAtOnce = 16, kNoRow = ~std::uint32_t{0};

/// Rows of cells, or boids, [first, last).
struct RowRange {
  std::uint32_t first = 0, last = 0;

  [[nodiscard]] std::uint32_t size() const noexcept { return last - first; }
};

/// How many boids of a row of cells move to which row.
struct RowMoves {
  std::uint32_t before = 0, same = 0, behind = 0;
};

/// The rows of cells of a flock in a plane, and their neighbours.
struct RowsOfFlock {
  explicit RowsOfFlock(const FlockStore& store) noexcept
      : count(store.directory.grid.axis[1].cells), periodic(store.options.periodic) {}

  [[nodiscard]] std::uint32_t before(std::uint32_t row) const noexcept {
    return row > 0 ? row - 1 : periodic ? count - 1 : kNoRow;
  }
  [[nodiscard]] std::uint32_t behind(std::uint32_t row) const noexcept {
    return row + 1 < count ? row + 1 : periodic ? 0 : kNoRow;
  }
  /// A row and its neighbours, ascending; how many.
  [[nodiscard]] std::uint32_t around(std::uint32_t row, std::array<std::uint32_t, 3>& rows) const noexcept;

  std::uint32_t count;
  bool periodic;
};

class StepByRows {
 public:
  /// The rows `own` of `now`, as FlockStore::rows knows them.
  StepByRows(FlockStore& store, RowRange own);

  [[nodiscard]] const RowsOfFlock& rows() const noexcept { return rows_; }
  [[nodiscard]] RowRange own() const noexcept { return own_; }
  /// Of own rows and of those that were added.
  [[nodiscard]] RowMoves& moves_of(std::uint32_t row) noexcept { return moves_[row]; }
  /// The boids [first, last) of `now` are those of a row of another rank.
  void add_row(std::uint32_t row, RowRange boids) noexcept { sources_[row] = boids; }

  /// Where the cells of boids of `now` go; sixteen more may be read.
  void put_cells(std::uint32_t* cells) noexcept { cells_ = cells; }
  /// Of all own boids. False if one moves further than to the next row.
  [[nodiscard]] bool find_cells(const Executor& executor);
  /// Of one row.
  bool find_cells_of(std::uint32_t row) noexcept;

  /// How many boids own rows will have, by the moves of the rows around them.
  void find_begins() noexcept;
  /// Where own rows begin after the step, and how many boids they have.
  [[nodiscard]] std::span<const std::uint32_t> begins() const noexcept { return begins_; }

  /// Own rows, block by block: `now` to `sorted`, which is the next state.
  void move_rows(RowRange rows, const core_detail::Meanwhile& meanwhile, const Executor& executor);

 private:
  /// The part of the scratch buffers that is filled.
  struct Block {
    FlockScratch& scratch;
    std::uint32_t count = 0, rows = 0;
  };

  [[nodiscard]] std::uint32_t x_cells() const noexcept { return store_.directory.grid.axis[0].cells; }
  /// Of a row after the step; the rows around it are here.
  [[nodiscard]] std::uint32_t size_of(std::uint32_t row) const noexcept;
  [[nodiscard]] std::uint32_t begin_of(std::uint32_t row) const noexcept { return begins_[row - own_.first]; }
  /// Buffers for so many tasks, whichever own rows they have. On the caller's thread, because the flock's
  /// memory resource need not be thread-safe.
  void make_scratch(std::size_t tasks);
  void move_blocks(RowRange rows, FlockScratch& scratch,
                   const core_detail::Meanwhile& meanwhile) const noexcept;
  void move_block(RowRange rows, FlockScratch& scratch) const noexcept;
  [[nodiscard]] FlockSweep sweep_of(const FlockScratch& scratch, std::ptrdiff_t to) const noexcept;
  void sort_row(std::uint32_t row, Block& block) const noexcept;
  void copy_boids(std::span<const std::uint32_t> order, const Block& block, std::uint32_t row) const noexcept;

  FlockStore& store_;
  const RowsOfFlock rows_;
  const RowRange own_;
  Workspace::Scope scope_;
  const Reach reach_;
  std::uint32_t* cells_ = nullptr;
  std::span<RowMoves> moves_;        // by row
  std::span<RowRange> sources_;      // by row: its boids in `now`
  std::span<std::uint32_t> begins_;  // by own row
};

}  // namespace juxta::agents_detail
