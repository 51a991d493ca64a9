// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the rows whose turn may come in GridSpace::act_below(), in the order of their turns.
//
//   slots     . . 1 . 1 1 .     the top bits of a row's word are its slot, and a bit says that rows are in
//   it. first         7   2 9       They are a list, nearly always of one row, since there are more slots
//   than next          .   5 .       rows. The next turn is that of the lowest word in the next such slot.
//
// A row is added when it may have to act, not when it must: the code that takes it asks again. Adding is
// O(1), also of rows that are there. Rows whose turn has passed are left out when they are met. Words are not
// kept: they are two multiplications away.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "grid/space_kernel.h"
#include "juxta/core/array.h"
#include "juxta/core/random.h"

namespace juxta::grid_detail {

/// A value, so that a loop over all turns can have it in registers.
struct TurnList {
  static constexpr std::uint64_t kNoSlot = ~std::uint64_t{0};

  bool on = false;
  std::uint32_t enough = 0;        // agents of its kind near an agent, itself counted: with no more it acts
  std::uint32_t shift = 0;         // of a word, to its slot
  std::uint32_t now = kNone;       // whose turn it is
  std::uint64_t seed = 0, at = 0;  // at: the slot whose turn it is
  std::uint64_t* bits = nullptr;   // of slots
  std::size_t words = 0;           // of bits
  std::uint32_t* first = nullptr;  // of each slot whose bit is set
  std::uint32_t* next = nullptr;   // of each row that is in a list
  std::uint8_t* queued = nullptr;  // of each row: it is in a list

  /// What rows are ordered by: output number `row` of SplitMix64 (Steele, Lea and Flood, "Fast splittable
  /// pseudorandom number generators", OOPSLA 2014), whose outputs are all different.
  [[nodiscard]] std::uint64_t word_of(std::uint32_t row) const noexcept {
    std::uint64_t z = seed + (std::uint64_t{row} + 1) * 0x9E37'79B9'7F4A'7C15U;
    z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9U;
    z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EBU;
    return z ^ z >> 31;
  }

  void add(std::uint32_t row) noexcept {
    if (queued[row] == 0) {
      add_new(row);
    }
  }
  void add_new(std::uint32_t row) noexcept {
    const std::uint64_t slot = word_of(row) >> shift, bit = std::uint64_t{1} << slot % 64;
    const std::uint64_t some = bits[slot / 64];
    const std::uint32_t before = first[slot];
    next[row] = (some & bit) != 0 ? before : kNone;
    queued[row] = 1;
    first[slot] = row;
    bits[slot / 64] = some | bit;
  }

  /// The row whose turn is next; kNone: there is none.
  [[nodiscard]] std::uint32_t take() noexcept {
    for (std::uint64_t slot = next_slot(at); slot != kNoSlot; slot = next_slot(slot)) {
      std::uint32_t row = first[slot];
      if (slot != at && next[row] == kNone) {  // nearly always
        forget(slot);
        queued[row] = 0;
      } else {
        row = take_from(slot);
      }
      if (row != kNone) {
        at = slot;
        now = row;
        return row;
      }
    }
    return kNone;
  }
  /// Rows whose turns are soon, as it seems now; they are not taken. kNone: no more of them.
  void peek(std::uint32_t* rows, std::size_t count) const noexcept {
    std::uint64_t slot = at;
    for (std::size_t i = 0; i < count; ++i) {
      slot = slot != kNoSlot ? next_slot(slot) : kNoSlot;
      rows[i] = slot != kNoSlot ? first[slot++] : kNone;
    }
  }

 private:
  /// The first slot with rows, from one on.
  [[nodiscard]] std::uint64_t next_slot(std::uint64_t slot) const noexcept {
    std::size_t w = slot / 64;
    if (w == words) {
      return kNoSlot;
    }
    std::uint64_t some = bits[w] & ~std::uint64_t{0} << slot % 64;
    while (some == 0) {
      if (++w == words) {
        return kNoSlot;
      }
      some = bits[w];
    }
    return 64 * w + static_cast<std::uint64_t>(std::countr_zero(some));
  }
  void forget(std::uint64_t slot) noexcept { bits[slot / 64] &= ~(std::uint64_t{1} << slot % 64); }

  /// Of a slot with rows: the one whose turn is next. Those whose turn has passed are taken out.
  [[nodiscard]] std::uint32_t take_from(std::uint64_t slot) noexcept {
    const bool some_passed = slot == at && now != kNone;
    const std::uint64_t last = some_passed ? word_of(now) : 0;
    std::uint64_t best = 0;
    std::uint32_t *link = first + slot, *best_link = nullptr;
    for (std::uint32_t row = *link; row != kNone; row = *link) {
      const std::uint64_t word = word_of(row);
      if (some_passed && word <= last) {
        *link = next[row];
        queued[row] = 0;
        continue;
      }
      if (best_link == nullptr || word < best) {
        best = word;
        best_link = link;
      }
      link = next + row;
    }
    std::uint32_t row = kNone;
    if (best_link != nullptr) {
      row = *best_link;
      *best_link = next[row];
      queued[row] = 0;
    }
    if (first[slot] == kNone) {
      forget(slot);
    }
    return row;
  }
};

/// A list and its memory.
class Turns {
 public:
  explicit Turns(std::pmr::memory_resource* resource)
      : bits_(resource), first_(resource), next_(resource), queued_(resource), moved_(resource) {}

  /// Of rows below `rows`, none of which is in it yet; `enough` counts the agent itself.
  void begin(std::uint32_t rows, std::uint32_t enough, const RandomKey& order);
  void end() noexcept { list.on = false; }
  /// Also with rows that came since begin().
  void make_room(std::uint32_t rows);
  /// Room for as many rows as there were at begin().
  [[nodiscard]] std::uint32_t* moved() noexcept { return moved_.data(); }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  TurnList list;

 private:
  Array<std::uint64_t> bits_;
  Array<std::uint32_t> first_, next_;
  Array<std::uint8_t> queued_;
  Array<std::uint32_t> moved_;
};

}  // namespace juxta::grid_detail
