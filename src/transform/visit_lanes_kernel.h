// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: systems and readers for the rows of a tile, sixteen at a time. Undefined below SSE4.2 (see
// active_isa()).
#pragma once

#include <cstdint>

#include "core/prefetch.h"
#include "juxta/core/function_ref.h"
#include "juxta/transform/lanes.h"
#include "transform/tile.h"

namespace juxta::transform_detail {

class SystemRun;
struct HierarchyStore;

using Reader = FunctionRef<void(const WorldLanes&)>;

/// What a frame does besides propagation: a system writes each tile before, a reader sees it after.
struct FrameWork {
  SystemRun* system = nullptr;
  Reader reader = {};
};
/// The words [0, words) of a tile are written, propagated and read.
struct FrameOfTile {
  std::uint32_t words = 0;
  bool begun = false;         // the system has run on word `words`
  std::uint64_t written = 0;  // its rows that were written
};

/// Calls the system of a run for the nodes of a word of a tile, whose first row is `base` in the hierarchy.
/// Locals of the tile are asked for ahead, then those of `next` (null: there is none). The rows that were
/// written, which are not marked yet.
std::uint64_t write_word(SystemRun& run, Tile& tile, const Tile* next, std::uint32_t word, Row base) noexcept;

/// Calls a reader for the marked rows of a tile. `column`: where their world transforms stand, turned; null:
/// in the tile.
void read_lanes(const HierarchyStore& store, const Tile& tile, const TransformColumn* column,
                const RowMask& marks, Reader reader) noexcept;

/// A frame of a tile that needs no care (lane_sweep_kernel.h) and waits for no parents, word by word, as long
/// as the system writes all nodes: some numbers wait for memory while others are computed. `base`: the tile's
/// first row in the hierarchy; `streams` as in sweep_whole_lanes().
[[nodiscard]] FrameOfTile frame_words(const FrameWork& frame, Tile& tile, const Tile* next, Row base,
                                      bool streams) noexcept;

/// Rows of a word that have a stretch other than 1 or a context other than 0: only there is cold memory read.
[[nodiscard]] inline std::uint64_t cold_rows(const Tile& tile, std::uint32_t word) noexcept {
  return tile.stretched().words[word] | tile.contexts().words[word];
}
/// Asks for the stretches and contexts of 64 rows.
inline void ask_for_cold(const Tile& tile, std::uint32_t row) noexcept {
  for (std::size_t r = row; r < row + 64; r += 64 / sizeof(Cold)) {
    core_detail::prefetch_line(&tile.cold[r]);
  }
}

}  // namespace juxta::transform_detail
