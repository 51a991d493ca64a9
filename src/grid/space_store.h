// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a space holds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grid/space_kernel.h"
#include "grid/turns.h"
#include "juxta/core/array.h"
#include "juxta/grid/grid_space.h"

namespace juxta::grid_detail {

/// For each kind the number of its agents near each cell, in tables one behind the other.
///
///   r r r r r r r     r: a border as wide as the radius where an edge is not periodic, so that nothing is
///   r . . . . . r     cut off at it.
///   r . . . . . r
///   r r r r r r r     Sixteen bytes are changed at once; behind the last table is room for that.
///
/// Element 0 is the count of rows in no cell: 1, as if they were alone.
class NearCounts {
 public:
  NearCounts() = default;
  /// Errors: kTooLarge.
  [[nodiscard]] Result<void> build(const GridSpaceOptions& options, std::pmr::memory_resource* resource);

  void clear() noexcept;
  /// Where the count of a kind at a cell is.
  [[nodiscard]] std::uint32_t at(std::uint32_t cell, std::uint32_t kind) const noexcept;
  /// An agent whose cell and kind are `at` comes (1) or goes (-1).
  void change(std::uint32_t at, std::uint32_t cell, std::int32_t by) noexcept;
  [[nodiscard]] std::uint32_t read(std::uint32_t at) const noexcept {
    return bytes_.size() > 0 ? bytes_[at] : words_[at];
  }
  [[nodiscard]] std::size_t table() const noexcept { return table_; }
  /// Elements of a table like those of the counts, with as many more before and behind it.
  [[nodiscard]] std::size_t size_of_one() const noexcept;
  [[nodiscard]] const std::uint8_t* bytes() const noexcept {
    return bytes_.size() > 0 ? bytes_.data() : nullptr;
  }
  [[nodiscard]] const std::uint32_t* words() const noexcept {
    return words_.size() > 0 ? words_.data() : nullptr;
  }
  /// Counts are bytes, and those around any cell are `runs()` from its own.
  [[nodiscard]] bool plain() const noexcept { return bytes_.size() > 0 && widest_ <= 16 && !periodic_; }
  [[nodiscard]] std::span<const CountRun> runs() const noexcept { return {runs_.data(), runs_.size()}; }
  [[nodiscard]] std::uint32_t widest() const noexcept { return widest_; }
  [[nodiscard]] std::uint8_t* bytes_to_write() noexcept { return bytes_.data(); }
  [[nodiscard]] std::uint32_t border() const noexcept { return border_[0]; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return bytes_.memory_bytes() + words_.memory_bytes();
  }

 private:
  struct Reach {  // along an axis, in cells
    std::int32_t lo, hi;
  };
  void plan_runs();
  void plan_masks();
  void add(std::int64_t at, std::uint32_t width, std::int32_t by) noexcept;
  void change_across(std::uint32_t cell, std::int64_t table, std::int32_t by) noexcept;

  CellGrid grid_;
  Neighbourhood near_;
  std::array<Reach, 3> reach_{};
  std::array<std::uint32_t, 3> border_{};
  std::array<std::size_t, 3> stride_{};
  std::size_t table_ = 0;
  bool periodic_ = false;       // along some axis
  std::uint32_t widest_ = 0;    // of the runs
  std::vector<CountRun> runs_;  // around a cell, where none goes across an edge
  std::vector<std::int32_t> cell_of_bit_;
  Array<std::uint8_t> bytes_;
  Array<std::uint32_t> words_;
};

struct SpaceStore {
  SpaceStore(const GridSpaceOptions& wanted, std::pmr::memory_resource* resource);

  /// Rows from 0 to rows - 1 can be in cells.
  void make_room(std::uint32_t rows);
  /// No agent is in a cell.
  void clear() noexcept;
  void enter(std::uint32_t row, std::uint32_t cell) noexcept;
  void leave(std::uint32_t row) noexcept;
  /// Errors: kInvalidArgument. `what`: "insert".
  [[nodiscard]] Result<void> check_cell(const char* what, std::uint32_t row, std::uint32_t cell) const;
  [[nodiscard]] Result<void> check_row(const char* what, std::uint32_t row) const;
  /// Every agent that has too few of its kind near it now: the twin of add_turns() in space_kernel.h.
  void add_all_turns() noexcept;
  /// Those near a cell that has just lost an agent of a kind, if it was one of just enough.
  void add_turns_near(std::uint32_t cell, std::uint8_t lost) noexcept;
  /// Of the arrays as they are now; also sets `task`.
  [[nodiscard]] SpaceView view() noexcept;
  [[nodiscard]] MoveTask move_task() noexcept;

  GridSpaceOptions options;
  bool many;
  std::uint32_t cells, rows = 0;
  std::size_t agents = 0, free;
  Array<std::uint32_t> first;       // of each cell
  Array<std::uint64_t> taken;       // one a cell: bit i of word j is cell 64 j + i
  Array<std::uint32_t> cell, next;  // of each row; next: many a cell
  Array<std::uint32_t> at;          // of each row, and one more: its place in counts
  Array<std::uint8_t> kind;         // of each row
  NearCounts counts;
  std::array<std::uint32_t, GridSpace::kMostKinds> corner{};  // for each kind: where the count at cell 0 is
  MoveTask task;                                              // but for the number of free cells
  bool quick = false;       // move_to_free() of space_kernel.h is for this space
  Array<std::uint8_t> who;  // if quick: MoveTask says what it holds
  Turns turns;
};

/// "cell 12 of 100"
[[nodiscard]] std::string name_of_cell_in(const SpaceStore& store, std::uint32_t cell);

}  // namespace juxta::grid_detail
