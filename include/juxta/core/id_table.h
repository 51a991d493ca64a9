// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/core/array.h"
#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/id.h"
#include "juxta/core/memory.h"

namespace juxta {

/// The row of each Id, for an owner that keeps its things in dense rows [0, size()) and moves them.
///
///   Id {slot, generation} --> links[slot] = row --> slots[row] = slot
///
/// A generation is odd while its slot is in use and even while it is free, so a default Id is never alive and
/// a stale one is recognised. A slot whose generations are used up is never used again. Memory:  8 bytes a
/// slot and 4 a row; reorder() keeps 4 more a row. Arrays grow by half. Threads: const members from any
/// number of threads; others from one.
class JUXTA_API IdTable {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// What an owner must do after remove(): move the last row into the freed one (when they differ).
  struct Removed {
    std::uint32_t row;   ///< The row that became free.
    std::uint32_t last;  ///< The row whose thing moves there; the owner has this many rows left.
  };

  /// The whole table, to write to a file. It is borrowed from the table until the table changes.
  struct State {
    std::span<const std::uint32_t> generations;  ///< Per slot.
    std::span<const std::uint32_t> links;        ///< Per slot: its row, or the next free slot (kNone: none).
    std::uint32_t first_free = kNone;            ///< The slot that insert() takes next.
  };

  explicit IdTable(std::pmr::memory_resource* resource = huge_page_resource());
  IdTable(IdTable&&) noexcept = default;
  IdTable& operator=(IdTable&&) noexcept = default;
  IdTable(const IdTable&) = delete;
  IdTable& operator=(const IdTable&) = delete;
  ~IdTable() = default;

  /// The table that state() described: the same Ids are alive, in the same rows, and the next insert() gives
  /// the same Id. Errors: kCorruptFile when the numbers contradict each other, with the slot. Safe on any
  /// numbers.
  [[nodiscard]] static Result<IdTable> restore(const State& state,
                                               std::pmr::memory_resource* resource = huge_page_resource());
  [[nodiscard]] State state() const noexcept { return {generations_.span(), links_.span(), first_free_}; }

  /// Per row: the slot of its Id. Borrowed from the table until the table changes.
  [[nodiscard]] std::span<const std::uint32_t> slots() const noexcept { return slots_.span(); }

  /// Ids in use. Their rows are [0, size()).
  [[nodiscard]] std::size_t size() const noexcept { return slots_.size(); }

  /// A new Id, in the row size() - 1 after the call. The slot freed last is used first. O(1), amortised.
  /// Errors: kTooLarge (2^32 - 2 slots).
  [[nodiscard]] Result<Id> insert();
  /// Ends an Id; its row is filled with the last one. O(1). Errors: kNotFound (dead Id).
  [[nodiscard]] Result<Removed> remove(Id id);

  // For owners on several machines, whose tables give the same Ids in the same order: a living Id has a row
  // in one of the tables, and is elsewhere for all others.

  /// insert() for a thing that is elsewhere: the same Id, without a row. Errors: those of insert().
  [[nodiscard]] Result<Id> insert_elsewhere();
  /// The rows hold the living Ids of these slots from now on, in this order; all others are elsewhere.
  /// remove() of such a one gives kNone as its row, and has nothing to be moved. O(rows before and after).
  void settle(std::span<const std::uint32_t> slots);

  /// O(1).
  [[nodiscard]] bool alive(Id id) const noexcept {
    return id.slot < generations_.size() && generations_[id.slot] == id.generation &&
           (id.generation & 1) != 0;
  }
  /// The row of an Id. O(1). Errors: kNotFound (dead Id, or one that is elsewhere).
  [[nodiscard]] Result<std::uint32_t> row_of(Id id) const;
  /// The Id in a row below size(). O(1).
  [[nodiscard]] Id id_of(std::uint32_t row) const noexcept {
    return {slots_[row], generations_[slots_[row]]};
  }

  /// Follows the owner, which reordered its rows: row i now holds what was in row order[i]. O(n). Allocates
  /// nothing for as many rows as before. The executor may be used; the result is the same for any.
  /// Errors: kInvalidArgument (wrong length, or not a permutation; with the index). Then nothing changed.
  [[nodiscard]] Result<void> reorder(std::span<const std::uint32_t> order, const Context& context = {});
  /// reorder() by what is known to be a permutation of the rows, without a check: a third of its cost.
  /// Errors: none.
  [[nodiscard]] Result<void> follow(std::span<const std::uint32_t> order, const Context& context = {});

 private:
  /// Takes a slot, which is linked to `row`. Errors: kTooLarge.
  [[nodiscard]] Result<Id> take_slot(std::uint32_t row);

  Array<std::uint32_t> generations_;  // per slot
  Array<std::uint32_t> links_;        // per slot: its row (kNone: elsewhere), or the next free slot
  Array<std::uint32_t> slots_;        // per row
  Array<std::uint32_t> scratch_;      // per row: the next slots_, while reorder() runs
  std::uint32_t first_free_ = kNone;
};

}  // namespace juxta
