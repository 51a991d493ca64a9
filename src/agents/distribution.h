// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a population whose agents are on several ranks.
//
//   order of space   0 1 2 3 4 5 6 7 8 9 ...            the same as on one machine: cells by number, the
//   agents rank 0           [0 1 2 3]                          of a cell in the order that they had before
//   rank 1                   [4 5 6]                    each rank has one run of cells, all their agents
//   rank 2                         [7 8 9 ...]
//
//   rows of a rank   [ in the order of the last sort | born or inserted since, with numbers ]
//
// On one machine newborns stand behind all others until the next sort. Here they stand behind those of their
// rank, and their numbers say who comes before whom on all ranks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "agents/halo.h"
#include "core/rank_gather.h"
#include "juxta/agents/population.h"
#include "juxta/core/array.h"
#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/ranks.h"

namespace juxta::agents_detail {

/// How many agents stand in a cell.
struct CellCount {
  std::uint32_t cell, agents;
};

/// Rows sorted by cell, all in a run of cells. Empty where cells have keys and no numbers, where few rows are
/// in many cells, and where there are no rows.
struct CellRun {
  std::uint64_t first = 0;      // cell
  Array<std::uint32_t> begins;  // of each cell, and the number of rows

  [[nodiscard]] bool empty() const noexcept { return begins.size() == 0; }
  /// The cells of rows, which ascend.
  void find(std::span<const std::uint32_t> rows, std::uint64_t* cells) const noexcept;
};

struct Distribution {
  explicit Distribution(Ranks& carried_by) noexcept : ranks(carried_by) {}

  Ranks& ranks;
  std::size_t ordered = 0;             // rows before this one stand in the order of space
  std::vector<std::uint64_t> numbers;  // of those behind, ascending
  std::uint64_t next_number = 0;       // the same on all ranks
  CellRun run;                         // of the rows as the last sort left them
  Array<std::uint64_t> keys;           // where that is empty: of the rows' cells; else of no meaning
  std::vector<std::uint64_t> cuts;     // the first key of each rank, of the last sort's directory
  std::vector<CellCount> counts;       // of the last sort; kept for their memory, as are rows
  Array<std::uint32_t> rows;
  std::uint64_t sorts = 0;  // how often the order was made
  float skin = 0;           // of the last sort
  double seconds = 0;       // of passes of its agents since then
  double row_ns = 0;        // what a row costs here, by passes of the past
  /// For each population whose agents look at this one.
  std::vector<std::unique_ptr<Halo>> halos;

  /// Rows order[i] become rows i, ascending; the others are gone.
  void close_rows_of(std::span<const std::uint32_t> order);
  [[nodiscard]] std::size_t memory_bytes() const noexcept;
  [[nodiscard]] std::uint32_t rank() const noexcept { return ranks.rank(); }
  [[nodiscard]] std::uint32_t size() const noexcept { return ranks.size(); }
};

using core_detail::all_gather;
using core_detail::all_of_all;

struct PopulationStore;

/// Population::sort() of a distributed population: each agent goes to the rank that has its cell.
[[nodiscard]] Result<SortReport> sort_over_ranks(PopulationStore& store, const SortOptions& options,
                                                 const Executor& executor);

/// PopulationStore::append() of a distributed population: counts[k] agents in part k, each part on all ranks
/// before the next one. Ids and numbers are the same as on one machine.
[[nodiscard]] Result<std::uint32_t> append_over_ranks(PopulationStore& store,
                                                      std::span<const std::uint64_t> counts);

/// For calls that need all agents on one machine: an error if they are not. `what` is the call.
[[nodiscard]] Result<void> check_whole(const PopulationStore& store, std::string_view what);

}  // namespace juxta::agents_detail
