// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: agents of other ranks, as far as those of this one may see them.
//
//   rows of a halo   [ of lower ranks | this rank's own | of higher ranks ]      all in the order of space
//
// A directory over these rows finds the same neighbours in the same order as on one machine: who is missing
// is out of reach. The owner of an agent decides who gets it: each rank tells boxes around its seers, and
// blocks of agents within reach of one go there. Values of columns follow in every pass that reads them.
//
// Values are carried while seers work that see none of them. Until they are here, ghosts are nowhere: their
// positions are no numbers, and no search finds them.
//
// Per pass and ghost:  4 bytes a column, packed, carried and copied. Per own agent: 4 bytes a column copied.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "agents/directory.h"
#include "juxta/agents/detail/sweep.h"
#include "juxta/agents/see_options.h"
#include "juxta/core/array.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/ranks.h"
#include "juxta/core/workspace.h"

namespace juxta::agents_detail {

struct PopulationStore;

/// Seers that follow each other: either all of them see own agents only, or they wait for ghosts together.
inline constexpr std::size_t kSeersOfBlock = 256;

class Halo {
 public:
  Halo(const PopulationStore& seers, const PopulationStore& seen);

  [[nodiscard]] const PopulationStore& seers() const noexcept { return seers_; }
  /// It holds for a pass that reaches as far as this.
  [[nodiscard]] bool is_good_for(float reach) const noexcept;
  /// Finds out who is needed where. Collective.
  [[nodiscard]] Result<void> build(float reach, const Executor& executor);
  /// The task reads own agents and ghosts instead of own agents alone, whose values set out now. `marks`:
  /// another column that is needed, or null. Collective.
  [[nodiscard]] Result<void> start(SweepTask& task, const std::uint8_t* marks, const Executor& executor);
  /// Waits for the values of ghosts, if it must. Collective.
  [[nodiscard]] Result<void> finish();
  /// Values may still be on their way; poke them now and then (Ranks::poke()).
  [[nodiscard]] bool is_under_way() const noexcept { return !under_way_.empty(); }
  [[nodiscard]] Ranks& ranks() const noexcept;

  [[nodiscard]] const Directory& directory() const noexcept { return directory_; }
  /// The row of this rank's first own agent.
  [[nodiscard]] std::uint32_t first_own() const noexcept { return before_; }
  [[nodiscard]] std::size_t size() const noexcept { return before_ + own_ + after_; }
  /// Numbers of blocks of seers, ascending: those that see no ghosts, and all others.
  [[nodiscard]] std::span<const std::uint32_t> inner() const noexcept { return inner_; }
  [[nodiscard]] std::span<const std::uint32_t> border() const noexcept { return border_; }
  /// Of start(), if it was given any.
  [[nodiscard]] std::span<const std::uint8_t> marks() const noexcept { return {marks_, size()}; }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  /// Rows for another rank, and how many come from there. Of most ranks there are none.
  struct Neighbour {
    std::vector<std::uint32_t> rows;
    std::vector<std::uint64_t> keys;  // of their cells
    std::vector<std::uint32_t> near;  // blocks of own seers that are near agents of that rank
    std::size_t ghosts = 0;
    std::vector<std::byte> sent, received;
  };
  /// A column with the values of all rows.
  struct Copy {
    explicit Copy(std::pmr::memory_resource* memory) : data(memory) {}
    const void* of = nullptr;
    std::size_t bytes = 0;
    Array<std::byte> data;
  };

  [[nodiscard]] Result<void> find_neighbours(float reach);
  [[nodiscard]] Result<void> carry_keys(const Executor& executor);
  void find_border();
  void fill_begins(const Executor& executor);
  [[nodiscard]] Result<void> start_carrying(std::span<Copy* const> copies);
  [[nodiscard]] Result<void> finish_carrying(std::span<Copy* const> copies);
  void need(const void* column, std::size_t bytes);
  [[nodiscard]] const void* copy_of(const void* column) const noexcept;
  void hide_ghosts(const SweepTask& task);

  const PopulationStore& seers_;
  const PopulationStore& seen_;
  float reach_ = -1;
  std::uint64_t sorts_ = 0, seers_changed_ = 0, seers_sorts_ = 0;
  std::uint32_t before_ = 0, after_ = 0;
  std::size_t own_ = 0;
  // All are kept from step to step: memory that is new to the process costs more than what is done with it.
  std::vector<Neighbour> neighbours_;  // by rank, this one too
  Array<std::uint64_t> keys_;  // of cells, by row; own rows have none where Distribution::run has them
  Copy slots_;                 // of Ids
  std::vector<Copy> copies_;
  std::vector<Copy*> needed_, under_way_;
  std::vector<std::uint32_t> inner_, border_;
  const std::uint8_t* marks_ = nullptr;
  Directory directory_;
  Workspace scratch_;
};

/// The halo for a pass, built where there is none yet; the task then reads it. run_pass() waits for values
/// that are still on their way. Null if all agents are here. Collective.
[[nodiscard]] Result<Halo*> halo_for(const PopulationStore& seers, const PopulationStore& seen,
                                     SweepTask& task, const SeeOptions& options, const Context& context);

}  // namespace juxta::agents_detail
