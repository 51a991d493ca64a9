// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what all writers of local transforms do.
#pragma once

#include <cstddef>
#include <span>

#include "core/prefetch.h"
#include "transform/ask_rows.h"
#include "transform/store.h"

namespace juxta::transform_detail {

inline constexpr std::size_t kAhead = 48;  // elements between asking for a row and writing it

/// Its user writes the world transform of this row.
[[nodiscard]] inline bool user_writes(const Tile& tile, std::uint32_t row) noexcept {
  return tile.special().test(row) && !tile.is_root(row) &&
         keeps(static_cast<Inherit>(tile.flags[row]), Inherit::kUserWorld);
}

/// The node's local transform was written; whether its tile is among those that have changed is another
/// matter.
inline void mark_row(Tile& tile, std::uint32_t row) {
  if (tile.special().test(row) && !user_writes(tile, row)) {
    tile.written.set(row);
  }
  tile.pending.set(row);
}

/// The same for the rows of `bits` in a word of the masks.
inline void mark_rows(Tile& tile, std::uint32_t word, std::uint64_t bits) {
  tile.pending.words[word] |= bits;
  for_each_bit(tile.special().words[word] & bits, word * 64, [&](std::uint32_t row) { mark_row(tile, row); });
}

/// The node's local transform was written.
inline void mark_written(HierarchyStore& store, Row row) {
  store.known.forget();
  mark_row(store.tile_of(row), row % kTileRows);
  store.mark_tile(row / kTileRows);
}

/// Asks for the slot that tells where ids[i] stands.
inline void prefetch_slot(const HierarchyStore& store, std::span<const Id> ids, std::size_t i) noexcept {
  if (i < ids.size() && ids[i].slot < store.slots.size()) {
    core_detail::prefetch_line(&store.slots[ids[i].slot]);
  }
}
/// Asks for a row and its marks.
inline void prefetch_row(const Tile& tile, std::uint32_t row) noexcept {
  ask_for_local(tile, row);
  core_detail::prefetch_line(&tile.pending.words[row / 64]);
}

}  // namespace juxta::transform_detail
