// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/memory.h"
#include "juxta/core/owned.h"
#include "juxta/core/random.h"
#include "juxta/core/try.h"
#include "juxta/grid/cell_grid.h"

namespace juxta {
namespace grid_detail {
struct SpaceStore;

/// What inline members of GridSpace read: arrays of its store.
struct SpaceView {
  const std::uint32_t* cell = nullptr;   // of each row
  const std::uint32_t* next = nullptr;   // behind each row, in its cell; null: one agent a cell
  const std::uint32_t* at = nullptr;     // of each row: where the count of its own kind near it is
  const std::uint32_t* first = nullptr;  // of each cell
  const std::uint8_t* bytes = nullptr;   // counts, if they fit a byte
  const std::uint32_t* words = nullptr;  // else
  std::uint32_t rows = 0, cells = 0;
  std::uint32_t counted = 0;  // rows, if there are kinds
};
}  // namespace grid_detail

/// How many agents a cell holds.
enum class CellHolds : std::uint8_t { kOne, kMany };

struct GridSpaceOptions {
  CellGrid grid = {};
  CellHolds holds = CellHolds::kOne;
  /// Agents are of kinds 0, 1, ... For each kind and cell the space keeps the number of agents near it. 0:
  /// there are no kinds, and nothing is counted.
  std::uint32_t kinds = 0;
  Neighbourhood near = {};  ///< What is near, for these counts.

  friend bool operator==(const GridSpaceOptions&, const GridSpaceOptions&) = default;
};

/// Agents in the cells of a grid: where each one is, which ones are near, which cells are free.
///
///   cells      . a . .      An agent is a row of yours, such as a row of a Population; the space keeps the
///              b . . c      cell of each. It is not state: rebuild() makes it from the columns of positions
///              . . a .      whenever rows changed places, as after a step with births or deaths.
///
///   near them  1 1 1 0      For each kind, the number of agents near each cell. An agent that moves changes
///   (of a)     1 2 2 1      the counts around two cells, and a query reads one number.
///              0 1 1 1
///
/// Rows and cells that are not there have no agents, no cell and counts of 0.
///
/// Memory:  4 bytes a cell and a row; kOne: a bit a cell; kMany: 4 more a row. Kinds: 5 a row; 1 a cell and
///          kind (4 with kMany, or if more than 255 agents may be near), with a border as wide as the radius
///          at edges that are not periodic; 56 for each line of cells near one; 1 a cell in planes of one
///          agent a cell without periodic edges.
/// Threads: const members from any number of threads at once; the others from one.
/// Results: a function of the calls made, the same for any instruction set.
class JUXTA_API GridSpace {
 public:
  static constexpr std::uint32_t kNoCell = ~std::uint32_t{0};  ///< Of a row that is in no cell.
  static constexpr std::uint32_t kNoRow = ~std::uint32_t{0};   ///< Of a cell that is free.
  static constexpr std::uint32_t kMostCells = 0x7FFF'FFFF;
  static constexpr std::uint32_t kMostKinds = 64;

  /// May only be assigned to or destroyed, like a moved-from space.
  GridSpace() noexcept = default;
  /// Without agents. Errors: kInvalidArgument (no cells along an axis, with the axis; kinds), kTooLarge (more
  /// than kMostCells, counts of all kinds with their borders, or 2^20 lines of cells near one),
  /// kUnsupportedCpu.
  [[nodiscard]] static Result<GridSpace> build(const GridSpaceOptions& options,
                                               std::pmr::memory_resource* resource = huge_page_resource());

  [[nodiscard]] const GridSpaceOptions& options() const noexcept;
  [[nodiscard]] const CellGrid& grid() const noexcept { return grid_; }
  /// Agents in it.
  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  /// Row i is in the cell that holds (x[i], y[i], z[i]), cells being 1 wide, and of kind kinds[i]; nobody
  /// else is anywhere. z is empty in 2D, kinds without kinds. Cost: docs/grid.md.
  /// Errors: kInvalidArgument (lengths; a position outside of the grid or not a number; a kind that is not
  /// there; a cell that is taken already): with the lowest row of the first of these that is found, kTooLarge
  /// (more rows than 2^32 - 2). The space is empty then.
  [[nodiscard]] Result<void> rebuild(std::span<const float> x, std::span<const float> y,
                                     std::span<const float> z = {}, std::span<const std::uint8_t> kinds = {});

  /// Errors of these: kInvalidArgument (a row that is in a cell already, or in none; a cell that is not
  /// there or taken; a kind that is not there), with the row: nothing is changed. In a cell for many, who
  /// comes last is the first. Cost: O(1), and O(cells near) if there are kinds; who leaves a cell for many
  /// is looked for among those in it. Rows beyond all others allocate.
  [[nodiscard]] Result<void> insert(std::uint32_t row, std::uint32_t cell, std::uint8_t kind = 0);
  [[nodiscard]] Result<void> remove(std::uint32_t row);
  /// To the cell where it is already: nothing changes, but that it is the first of many there.
  [[nodiscard]] Result<void> move(std::uint32_t row, std::uint32_t cell);
  /// To free_cell(key, row), which is the result. Errors: as move(), and kNotFound (no cell is free).
  [[nodiscard]] Result<std::uint32_t> move_to_free(std::uint32_t row, const RandomKey& key);

  /// Where an agent is; kNoCell: nowhere.
  [[nodiscard]] std::uint32_t cell_of(std::uint32_t row) const noexcept {
    return row < view_.rows ? view_.cell[row] : kNoCell;
  }
  [[nodiscard]] std::uint8_t kind_of(std::uint32_t row) const noexcept;
  [[nodiscard]] bool is_free(std::uint32_t cell) const noexcept { return agent_in(cell) == kNoRow; }
  /// The first agent in a cell, or the one after so many others; kNoRow: there is none.
  [[nodiscard]] std::uint32_t agent_in(std::uint32_t cell, std::uint32_t after = 0) const noexcept {
    std::uint32_t row = cell < view_.cells ? view_.first[cell] : kNoRow;
    for (; row != kNoRow && after > 0; --after) {
      row = view_.next != nullptr ? view_.next[row] : kNoRow;
    }
    return row;
  }
  /// Agents in a cell, by counting them.
  [[nodiscard]] std::uint32_t count_in(std::uint32_t cell) const noexcept {
    std::uint32_t count = 0;
    visit_in(cell, [&](std::uint32_t) { ++count; });
    return count;
  }
  /// Any of the agents in a cell, by a random word, as likely as another; kNoRow: there is none.
  [[nodiscard]] std::uint32_t random_agent_in(std::uint32_t cell, std::uint32_t word) const noexcept {
    return agent_in(cell, random_below(word, count_in(cell)));
  }
  /// Calls body(row) for each agent in a cell, who came last first; rebuild() puts them in the order of
  /// rows. The body may remove or move that agent.
  template <class Body>
  void visit_in(std::uint32_t cell, Body&& body) const {
    for (std::uint32_t row = agent_in(cell); row != kNoRow;) {
      const std::uint32_t next = view_.next != nullptr ? view_.next[row] : kNoRow;
      body(row);
      row = next;
    }
  }
  /// The same for each agent near a cell, but not for those in it, cell by cell as CellGrid::visit_near()
  /// has them. An agent that the body moves to a cell near it may come twice.
  template <class Body>
  void visit_near(std::uint32_t cell, const Neighbourhood& near, Body&& body) const {
    if (cell < view_.cells) {
      grid().visit_near(cell, near, [&](std::uint32_t other) { visit_in(other, body); });
    }
  }

  /// Cells without agents.
  [[nodiscard]] std::size_t free_count() const noexcept;
  /// A free cell, any as likely as any other (but for 2^-32 of the number of cells). Cells are drawn until
  /// one is free: word j of the block of (key, i * 2^32 + id) draws cell random_below(word, cells), j = 0 ..
  /// 3 and i = 0 .. 255. After 1,024 that were taken, the first word for i = 256 draws among all free ones.
  /// Cost: docs/grid.md; with one agent a cell, 16 draws at once where most are taken. Errors: kNotFound (no
  /// cell is free).
  [[nodiscard]] Result<std::uint32_t> free_cell(const RandomKey& key, std::uint32_t id) const;
  /// The free cell that is the fewest cells away, as a square around `cell` grows ring by ring; of several,
  /// the one that visit_near() visits first. `cell` itself, if it is free. Cost: O(cells looked at).
  /// Errors: kNotFound (no cell is free), kInvalidArgument (no such cell).
  [[nodiscard]] Result<std::uint32_t> nearest_free(std::uint32_t cell) const;

  /// Agents of a kind in a cell and near it. Cost: O(1), like the next two.
  [[nodiscard]] std::uint32_t count_near(std::uint32_t cell, std::uint8_t kind) const noexcept;
  /// Agents of its own kind near an agent, in its cell too, but not itself.
  [[nodiscard]] std::uint32_t alike(std::uint32_t row) const noexcept {
    if (row >= view_.counted) {
      return 0;
    }
    const std::uint32_t at = view_.at[row];
    return (view_.bytes != nullptr ? view_.bytes[at] : view_.words[at]) - 1;
  }
  /// Agents of all other kinds near an agent, in its cell too.
  [[nodiscard]] std::uint32_t unlike(std::uint32_t row) const noexcept;

  /// Calls body(row) for each agent that has fewer than `enough` of its own kind near it when its turn comes:
  /// alike(row) < enough. Each agent has one turn, in a random order. The result is that of a loop over all
  /// agents, but those that have enough are not looked at one by one.
  ///
  ///   const auto moved = space.act_below(3, order, [&](std::uint32_t row) -> Result<void> {
  ///     return space.move_to_free(row, draws).map([](std::uint32_t) {});
  ///   });
  ///
  /// The body returns a Result<void>; after an error the others have no turn. It may call any other member:
  /// agents that it inserts, removes or moves are asked at their turn, if that has not passed.
  /// Order:  ascending words of rows, that of a row being output number `row` (from 0) of SplitMix64 whose
  ///         state is random_u64(order, 0) at first. All are different.
  /// Cost:   a pass over the rows. In a plane of one agent a cell, without periodic edges, with counts that
  ///         are bytes and lines of up to 16 cells: a pass over the counts, which is faster. Besides about 20
  ///         ns a call of the body, and O(cells near) for each agent that leaves a cell meanwhile.
  /// Memory: 17 to 26 bytes a row more, allocated by the first call.
  /// Errors: those of the body, and kInvalidArgument (no kinds; called by a body).
  template <class Body>
  [[nodiscard]] Result<void> act_below(std::uint32_t enough, const RandomKey& order, Body&& body) {
    JUXTA_TRY(begin_turns(enough, order));
    const TurnsGuard guard{this};
    for (std::uint32_t row = next_turn(); row != kNoRow; row = next_turn()) {
      JUXTA_TRY(body(row));
    }
    return {};
  }

  /// act_below() with that body: agents that have too few of their kind near them move to free cells, those
  /// that move_to_free(row, draws) finds. Faster, because draws are made before their turn comes. Returns the
  /// rows that moved, in the order of their turns; cell_of() says where they are. Valid until a call of
  /// act_below() or this. Errors: as act_below(), and kNotFound (one would move, and no cell is free).
  [[nodiscard]] Result<std::span<const std::uint32_t>> move_below(std::uint32_t enough,
                                                                  const RandomKey& order,
                                                                  const RandomKey& draws);

 private:
  struct TurnsGuard {  // ends them, also after an error
    GridSpace* space;
    ~TurnsGuard() { space->end_turns(); }
  };
  [[nodiscard]] Result<void> begin_turns(std::uint32_t enough, const RandomKey& order);
  [[nodiscard]] std::uint32_t next_turn() noexcept;
  void end_turns() noexcept;
  explicit GridSpace(Owned<grid_detail::SpaceStore> store) noexcept;
  Owned<grid_detail::SpaceStore> store_;
  grid_detail::SpaceView view_;
  CellGrid grid_;
};

}  // namespace juxta
