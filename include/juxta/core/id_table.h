// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/export.h"
#include "juxta/core/id.h"
#include "juxta/core/memory.h"

namespace juxta {

/// Which row each Id stands in, for an owner that keeps its things in dense rows [0, size()) and moves them.
///
///   Id {slot, generation} --> links[slot] = row --> slots[row] = slot
///
/// A generation is odd while its slot lives and even while it is free, so a default Id is never alive and a
/// stale one is recognised. A slot whose generations are used up is never used again.
/// Memory: 12 bytes per row at most. Threads: const members from any number of threads; others from one.
class JUXTA_API IdTable {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// What an owner must do after destroy(): move the last row into the freed one (when they differ).
  struct Removed {
    std::uint32_t row;   ///< The row that became free.
    std::uint32_t last;  ///< The row whose thing now stands there; the owner has this many rows left.
  };

  /// The whole table, to be written to a file: borrowed from the table until its next change.
  struct State {
    std::span<const std::uint32_t> generations;  ///< Per slot.
    std::span<const std::uint32_t> links;        ///< Per slot: its row, or the next free slot (kNone: none).
    std::uint32_t first_free = kNone;            ///< The slot that create() takes next.
  };

  explicit IdTable(std::pmr::memory_resource* resource = huge_page_resource());
  IdTable(IdTable&&) noexcept = default;
  IdTable& operator=(IdTable&&) = default;
  IdTable(const IdTable&) = delete;
  IdTable& operator=(const IdTable&) = delete;
  ~IdTable() = default;

  /// The table that state() described: the same Ids live, in the same rows, and the next create() gives the
  /// same Id. Errors: kCorruptFile when the numbers contradict each other, with the slot; safe on any
  /// numbers.
  [[nodiscard]] static Result<IdTable> restore(const State& state,
                                               std::pmr::memory_resource* resource = huge_page_resource());
  [[nodiscard]] State state() const noexcept { return {generations_, links_, first_free_}; }

  /// Ids in use; they stand in the rows [0, size()).
  [[nodiscard]] std::size_t size() const noexcept { return slots_.size(); }

  /// A new Id, in the row size() - 1 after the call. The slot freed last is used first. O(1), amortised.
  /// Errors: kTooLarge (2^32 - 2 slots).
  [[nodiscard]] Result<Id> create();
  /// Ends an Id; its row is filled with the last one. O(1). Errors: kNotFound (dead Id).
  [[nodiscard]] Result<Removed> destroy(Id id);

  /// O(1).
  [[nodiscard]] bool alive(Id id) const noexcept {
    return id.slot < generations_.size() && generations_[id.slot] == id.generation &&
           (id.generation & 1) != 0;
  }
  /// The row of an Id. O(1). Errors: kNotFound (dead Id).
  [[nodiscard]] Result<std::uint32_t> row_of(Id id) const;
  /// The Id in a row below size(). O(1).
  [[nodiscard]] Id id_of(std::uint32_t row) const noexcept {
    return {slots_[row], generations_[slots_[row]]};
  }

  /// After the owner reordered its rows: row i now holds what stood in row order[i]. O(n), allocates nothing
  /// once it has grown. Errors: kInvalidArgument (wrong length, not a permutation; with the index), and the
  /// table is as it was.
  [[nodiscard]] Result<void> reorder(std::span<const std::uint32_t> order,
                                     const Executor* executor = nullptr);

 private:
  std::pmr::vector<std::uint32_t> generations_;  // per slot
  std::pmr::vector<std::uint32_t> links_;        // per slot: its row, or the next free slot
  std::pmr::vector<std::uint32_t> slots_;        // per row
  std::pmr::vector<std::uint32_t> scratch_;      // per row: the next slots_, while reorder() runs
  std::uint32_t first_free_ = kNone;
};

}  // namespace juxta
