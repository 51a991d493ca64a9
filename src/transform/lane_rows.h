// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the rows of one lane of a block, where a whole tree of a tile of lanes stands.
//
//   groups        4            5            6
//   rows      | 32 .. 39 | 40 .. 47 | 48 .. 55 |       lane 2 of the block [4, 7): the rows 34, 42, 50
//   bits        ..1.....   ..1.....   ..1.....         eight nodes a word of a mask
#pragma once

#include <bit>
#include <cstdint>

#include "transform/tile.h"

namespace juxta::transform_detail {

struct LaneRows {
  std::uint32_t first, last;  // groups of the block
  std::uint32_t lane;

  /// The lane of a row whose group begins a block.
  [[nodiscard]] static LaneRows below(const Tile& tile, std::uint32_t root) noexcept {
    const std::uint32_t group = root / kGroupRows;
    return {group, tile.lane_tree.block_end(group), root % kGroupRows};
  }
  [[nodiscard]] std::uint32_t count() const noexcept { return last - first; }
  [[nodiscard]] std::uint32_t row(std::uint32_t node) const noexcept {
    return (first + node) * kGroupRows + lane;
  }
  /// Calls `body(word, bits)` for its words.
  template <class Body>
  void for_each_word(Body&& body) const noexcept {
    constexpr std::uint64_t kFirstLane = 0x0101010101010101;
    RowMask::for_each_word(first * kGroupRows, last * kGroupRows,
                           [&](std::uint32_t w, std::uint64_t bits) { body(w, bits & kFirstLane << lane); });
  }
  /// Those of its rows that are in a mask.
  [[nodiscard]] bool has_any(const RowMask& mask) const noexcept {
    std::uint64_t any = 0;
    for_each_word([&](std::uint32_t w, std::uint64_t bits) { any |= mask.words[w] & bits; });
    return any != 0;
  }
  [[nodiscard]] std::uint32_t count_of(const RowMask& mask) const noexcept {
    int count = 0;
    for_each_word([&](std::uint32_t w, std::uint64_t bits) { count += std::popcount(mask.words[w] & bits); });
    return static_cast<std::uint32_t>(count);
  }
};

/// A tree stands there as it was placed: all of its nodes are alive, and none but the root is linked.
[[nodiscard]] inline bool is_whole(const Tile& tile, const LaneRows& rows) noexcept {
  std::uint64_t missing = 0;
  rows.for_each_word([&](std::uint32_t w, std::uint64_t bits) { missing |= bits & ~tile.live.words[w]; });
  const LaneRows below_root{rows.first + 1, rows.last, rows.lane};
  return missing == 0 && tile.linked.test(rows.row(0)) && !below_root.has_any(tile.linked);
}

}  // namespace juxta::transform_detail
