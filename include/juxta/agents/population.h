// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "juxta/agents/changes.h"
#include "juxta/agents/column.h"
#include "juxta/agents/world.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/function_ref.h"
#include "juxta/core/id.h"
#include "juxta/core/owned.h"

namespace juxta {
namespace agents_detail {
struct PopulationStore;
}  // namespace agents_detail
class Simulation;

/// How agents stand in memory, and how neighbours are looked up. Never changes a neighbour set; it does
/// change the order of rows, and with it the order in which sums are taken.
enum class Arrangement : std::uint8_t {
  kAuto,     ///< kRows; kHashed where more than 2^18 agents share a cell on average; kTree for unlike sizes
             ///< (the largest above four times the mean, and not small beside the radius).
  kRows,     ///< Cells row by row, there and back again, of about one agent each: rows as high as the square
             ///< (cube) that sixteen agents fill, lower where agents are crowded. Where they are clumped,
             ///< cells are wider, and those that many share are ordered inside, too.
  kMorton,   ///< Squares (cubes) along Morton's curve, in a table of cells as fine as the radius asks for.
             ///< Refused when it would be too large even with 32 times as wide cells.
  kHilbert,  ///< Squares (cubes) along Hilbert's curve, in such a table.
  kHashed,   ///< Cells row by row; only rows that hold agents are kept. For wide and empty worlds.
  kTree,     ///< Blocks of 16 agents along Hilbert's curve, and their bounds. For agents of unlike sizes.
};

/// How to put agents into the order of space.
struct SortOptions {
  float radius = 0;  ///< That the coming passes ask for: finite, > 0. Others are answered too, less quickly.
  float skin = 0;    ///< >= 0. The order is kept until an agent has moved by more than half of it. Never
                     ///< changes a neighbour set.
  Arrangement arrangement = Arrangement::kAuto;
};

/// What sort() did.
struct SortReport {
  Arrangement arrangement = Arrangement::kAuto;  ///< The one that was taken.
  std::size_t cells = 0;                         ///< In its table; blocks of a tree.
  bool sorted = false;                           ///< False: within the skin, everything stays where it was.
};

/// What end_step() did.
struct StepReport {
  std::size_t born = 0;
  std::size_t died = 0;
  std::size_t nulled = 0;  ///< References to agents that died, in the columns of this population.
};

/// Agents of one kind: named columns, one value per agent in each, in the order of space.
///
///   row        0    1    2    3  ...         sort() reorders all rows; then near in space is near in memory
///   x        .31  .35  .37  .52              the columns "x", "y" (and "z" in 3D) are always there
///   vx       ...                             a user's columns: any trivially copyable type
///   Id --slot table--> row                   an Id names its agent for life, wherever it stands
///
/// Spans of rows are valid until the next call of sort(), insert(), end_step() or add_column() of this
/// population.
/// Threads: const members from any number of threads at once; the others from one.
/// Results: a function of the calls made, the same for any executor and instruction set.
class JUXTA_API Population {
 public:
  ~Population() = default;
  Population(const Population&) = delete;
  Population& operator=(const Population&) = delete;

  [[nodiscard]] std::string_view name() const noexcept;
  [[nodiscard]] const World& world() const noexcept;
  /// Agents alive, in the rows [0, size()).
  [[nodiscard]] std::size_t size() const noexcept;

  /// A new column; every agent has `initial`, and so have those added later.
  /// Errors: kInvalidArgument (an empty name, or one that is taken).
  template <class T>
  [[nodiscard]] Result<Column<T>> add_column(std::string_view name, const T& initial = {}) {
    return as_column<T>(add_raw_column(name, column_kind<T>(), sizeof(T), &initial));
  }
  /// Several columns of floats, 0 at first. All or none.
  [[nodiscard]] Result<void> add_columns(std::initializer_list<std::string_view> names);
  /// The same for what passes fill anew each step: sort() leaves these columns where they are, so that
  /// afterwards they belong to whoever stood in the row before. Spares it half its work where rules find
  /// much.
  [[nodiscard]] Result<void> add_results(std::initializer_list<std::string_view> names);
  /// Gives agents a size: the columns "ex", "ey" (and "ez"), half the edges of each agent's box, >= 0, at
  /// first 0. Passes then go by the gap between two boxes, not by the distance of their centres.
  /// Errors: kInvalidArgument (one of the names is taken).
  [[nodiscard]] Result<void> add_extents();
  [[nodiscard]] bool has_extents() const noexcept;
  /// A column of Ids of agents of `target` (which may be this population). A reference to an agent that dies
  /// becomes Id{} at the end of the step. Errors: as add_column(); `target` of another simulation.
  [[nodiscard]] Result<Column<Id>> add_references(std::string_view name, const Population& target);
  /// An existing column. Errors: kNotFound (no such name), kInvalidArgument (of another type).
  template <class T>
  [[nodiscard]] Result<Column<T>> find_column(std::string_view name) const {
    return as_column<T>(find_raw_column(name, column_kind<T>(), sizeof(T)));
  }
  [[nodiscard]] std::size_t column_count() const noexcept;
  [[nodiscard]] std::string_view column_name(std::size_t index) const noexcept;
  [[nodiscard]] ColumnKind kind_of(std::size_t index) const noexcept;
  /// Positions: x, y and, in 3D, z.
  [[nodiscard]] Column<float> position(std::uint32_t axis) const noexcept { return {axis}; }

  /// The values of a column, row by row. A handle of another population: an empty span.
  template <class T>
  [[nodiscard]] std::span<const T> read(Column<T> column) const noexcept {
    return {static_cast<const T*>(raw_column(column.index, sizeof(T))),
            raw_column(column.index, sizeof(T)) != nullptr ? size() : 0};
  }
  /// The same, to be written. Writing positions makes the order stale: sort() before the next pass.
  template <class T>
  [[nodiscard]] std::span<T> write(Column<T> column) noexcept {
    void* const data = raw_column_to_write(column.index, sizeof(T));
    return {static_cast<T*>(data), data != nullptr ? size() : 0};
  }

  [[nodiscard]] bool alive(Id id) const noexcept;
  [[nodiscard]] Id id_of(std::uint32_t row) const noexcept;
  /// Errors: kNotFound (dead Id).
  [[nodiscard]] Result<std::uint32_t> row_of(Id id) const;
  /// The rows of many agents at once; kNoRow for the dead and for Id{}. rows as long as ids.
  void rows_of(std::span<const Id> ids, std::span<std::uint32_t> rows) const noexcept;
  static constexpr std::uint32_t kNoRow = ~std::uint32_t{0};

  /// Agents that live from now on, in the last rows, with each column's initial value; the first new row.
  /// For filling a world; during a step use changes(). Errors: kTooLarge.
  [[nodiscard]] Result<std::uint32_t> insert(std::size_t count);

  /// Births and deaths that take effect at the end of the step. One object per thread of the user's own;
  /// for_each() hands out its own.
  [[nodiscard]] Changes& changes() noexcept;

  /// Calls body(row, changes) once for each row: any values may be read, those of `row` written. Rows come in
  /// ranges of 1024, each with Changes of its own; births are in the order of rows. Same result for any
  /// executor if bodies write to their own row alone.
  Result<void> for_each(FunctionRef<void(std::uint32_t row, Changes& changes)> body,
                        const Context& context = {});

  /// Puts all agents into the order of space and prepares the search for neighbours; checks all positions;
  /// brings those in periodic worlds back into [lo, hi). Agents of a cell keep their order, unless cells are
  /// ordered inside (Arrangement::kRows).
  /// Cost: O(n) and the columns moved; 7 ns an agent of 20,000 boids on one thread (docs/decisions/0015).
  ///       Allocates columns when the population grew.
  /// Errors, and nothing was changed: kInvalidArgument (radius or skin; an agent outside a wall; a table that
  /// would be absurdly large), kNotFinite (a position); the agent's row is in Error::index, its Id in the
  /// message.
  [[nodiscard]] Result<SortReport> sort(const SortOptions& options, const Context& context = {});
  /// No position was written, and no agent came or went, since sort().
  [[nodiscard]] bool sorted() const noexcept;

  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  friend class Simulation;
  friend struct agents_detail::PopulationStore;
  explicit Population(Owned<agents_detail::PopulationStore> store) noexcept;

  template <class T>
  static Result<Column<T>> as_column(Result<std::uint32_t> index) {
    return index.map([](std::uint32_t at) { return Column<T>{at}; });
  }
  [[nodiscard]] Result<std::uint32_t> add_raw_column(std::string_view name, ColumnKind kind,
                                                     std::size_t bytes, const void* initial);
  [[nodiscard]] Result<std::uint32_t> find_raw_column(std::string_view name, ColumnKind kind,
                                                      std::size_t bytes) const;
  [[nodiscard]] const void* raw_column(std::uint32_t index, std::size_t bytes) const noexcept;
  [[nodiscard]] void* raw_column_to_write(std::uint32_t index, std::size_t bytes) noexcept;

  Owned<agents_detail::PopulationStore> store_;
};

}  // namespace juxta
