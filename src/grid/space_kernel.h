// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: free cells, sixteen draws at once, and moves to them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "juxta/core/random.h"

namespace juxta::grid_detail {

inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

// Sixteen bytes from kAllOnes + 16 - n on: n of them are 255, the others 0.
inline constexpr std::uint8_t kAllOnes[32] = {255, 255, 255, 255, 255, 255, 255, 255,
                                              255, 255, 255, 255, 255, 255, 255, 255};

struct CountRun {  // counts side by side
  std::int64_t offset;
  std::uint32_t width;
  std::uint32_t mask = 0;      // `width` bits
  std::uint8_t ones[16] = {};  // `width` ones
  // Masks of as many runs as fit into a word go into one, this one's here; 0: into another one.
  std::uint32_t shift = 0;
  // For each bit of that word: its cell, from the one in the middle; of planes without periodic edges.
  const std::int32_t* cells = nullptr;
};
struct TurnList;

inline constexpr std::uint32_t kDrawRounds = 256;  // of four draws each
inline constexpr std::uint32_t kAllTaken = ~std::uint32_t{0};
/// As GridSpace::free_cell() says; kAllTaken after 1,024 draws. taken: bit i of word j is cell 64 j + i.
[[nodiscard]] std::uint32_t draw_free(const RandomKey& key, std::uint32_t id, std::uint32_t cells,
                                      const std::uint64_t* taken) noexcept;

/// The last lot of GridSpace::free_cell(): one of all cells whose first row is none, which are `free`.
[[nodiscard]] std::uint32_t choose_free(const std::uint32_t* first, std::size_t free, const RandomKey& key,
                                        std::uint32_t id) noexcept;

/// Of a space: a plane of cells for one agent each, without periodic edges, and counts in bytes, sixteen of
/// which hold those of a line near a cell.
struct MoveTask {
  std::uint32_t cells = 0, width = 0;  ///< All of them; in a line.
  std::size_t free = 0;
  std::uint32_t *first = nullptr, *cell = nullptr, *at = nullptr;
  const std::uint8_t* kind = nullptr;
  std::uint64_t* taken = nullptr;
  std::uint8_t* counts = nullptr;
  const CountRun* runs = nullptr;
  std::size_t run_count = 0;
  std::uint32_t widest = 0;               ///< Of the runs.
  const std::uint32_t* corner = nullptr;  ///< For each kind: where the count at cell 0 is.
  std::uint32_t border = 0;               ///< Counts between two lines of cells.
  /// In a table like those of the counts, at the same place as the count of kind 0: 1 + the kind of the agent
  /// that is in a cell, 0 in a free one and beyond the edges.
  std::uint8_t* who = nullptr;
  std::uint32_t table = 0;  ///< Counts of a kind.
  TurnList* turns = nullptr;
};
/// Where `row` is now; a cell is free.
[[nodiscard]] std::uint32_t move_to_free(const MoveTask& task, const RandomKey& key,
                                         std::uint32_t row) noexcept;
/// The same, to a cell that is free.
void move_to(const MoveTask& task, std::uint32_t row, std::uint32_t to) noexcept;

/// Adds to its turns every agent of the space that has too few of its kind near it now.
void add_turns(const MoveTask& task, std::uint32_t kinds) noexcept;
/// All turns, in each of which an agent that has too few of its kind near it moves to a free cell, of which
/// there is one. Their rows go to `moved`; the result is how many there are.
[[nodiscard]] std::size_t move_below(const MoveTask& task, const RandomKey& draws,
                                     std::uint32_t* moved) noexcept;

}  // namespace juxta::grid_detail
