// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what lies below some rows of a tile.
#pragma once

#include <algorithm>
#include <cstdint>

#include "transform/tile.h"

namespace juxta::detail {

/// Marks every row that flows in its tile from a marked one. The mask is its own worklist: children stand in
/// higher rows than their parents, so one pass upwards meets everything.
///
///   rows     0 1 2 3 | 4 5 6 7 8 9 | 10 ...
///   marks    . X X .   . . . . . .            the run [1, 3): its children are the run [6, 8), marked when
///   it is
///                      . . X X . .            met; theirs are another run; and so on
///
/// A run is cut where its own children begin, so that no range is missed when it reaches into the next level.
///
/// Returns how many rows are marked.
inline std::uint32_t flow(const Tile& tile, RowMask& marks) noexcept {
  std::uint32_t count = 0;
  for (std::uint32_t first = marks.next(0); first < kTileRows;) {
    const std::uint32_t last = std::min<std::uint32_t>(marks.next_clear(first), tile.first_child[first]);
    RowMask::for_each_word(
        tile.first_child[first], tile.first_child[last],
        [&](std::uint32_t w, std::uint64_t bits) { marks.words[w] |= bits & tile.followers(w); });
    count += last - first;
    first = marks.next(last);
  }
  return count;
}

}  // namespace juxta::detail
