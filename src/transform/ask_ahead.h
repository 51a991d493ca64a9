// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what propagation asks the memory for before it touches it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/prefetch.h"
#include "transform/ask_rows.h"
#include "transform/links.h"
#include "transform/store.h"

namespace juxta::transform_detail {

/// Asks for what every frame looks at: a line that says what else is in use, and three masks.
inline void prefetch_head(const Tile& tile) noexcept {
  const auto* bytes = reinterpret_cast<const std::byte*>(&tile);
  for (std::size_t at = 0; at < offsetof(Tile, written); at += 64) {
    core_detail::prefetch_line(bytes + at);
  }
}

/// Asks for what is known of the written rows of a tile, whose head is there. Of many, the rest comes by
/// itself. The words in which they are.
inline MaskWords prefetch_written(const Tile& tile) noexcept {
  constexpr std::uint32_t kMost = 8;  // words
  MaskWords words{kTileWords, 0};
  for (std::uint32_t w = 0, asked = 0; w < kTileWords; ++w) {
    if (tile.pending.words[w] == 0) {
      continue;
    }
    words = {std::min(words.first, w), w + 1};
    if (asked++ < kMost) {
      core_detail::prefetch_line(&tile.written.words[w]);
      core_detail::prefetch_line(&tile.changes[w]);
      for_each_bit(tile.in_use, 0,
                   [&](std::uint32_t rare) { core_detail::prefetch_line(&tile.rare[rare].words[w]); });
      if (tile.lanes) {
        prefetch_children(tile, w * 64);
      }
    }
  }
  return words;
}

/// Asks for what a frame needs first of a tile of lanes: which group each group follows from, and some slots.
inline void prefetch_groups(const Tile& tile) noexcept {
  for (std::size_t g = 0; g < kTileGroups; g += 64 / sizeof(tile.lane_tree.above[0])) {
    core_detail::prefetch_line(&tile.lane_tree.above[g]);
  }
  for (std::size_t row = 0; row < 128; row += 64 / sizeof(tile.slot[0])) {
    core_detail::prefetch_line(&tile.slot[row]);
  }
}

/// Asks for the rows that a sweep will touch; those of a tile of lanes were asked for on the way (Flow).
inline void prefetch(const Tile& tile, const RowMask& marks) noexcept {
  for (std::uint32_t w = 0; w < kTileWords && !tile.lanes; ++w) {
    for_each_bit(marks.words[w], w * 64, [&](std::uint32_t row) {
      ask_for_local(tile, row);
      ask_for_world(tile, row);
      core_detail::prefetch_line(&tile.parent[row]);
    });
  }
}
/// Asks for the versions of rows that changed last, and do not now: record() will note them.
inline void prefetch_versions(const Tile& tile, const RowMask& marks, MaskWords words) noexcept {
  for (std::uint32_t w = words.first; w < words.last; ++w) {
    if (marks.words[w] != 0) {
      for_each_bit(tile.changes[w].mask & ~marks.words[w], w * 64, [&](std::uint32_t row) {
        core_detail::prefetch_line(&tile.row_versions[tile.place_of_version(row)]);
      });
    }
  }
}

/// The links of a group of tiles, as many as are worth asking for: first for them, then for their parents.
class SomeLinks {
 public:
  void add(const Tile& tile, const RowMask& marks) noexcept {
    for (std::uint32_t w = 0; w < kTileWords && tile.hung != 0; ++w) {
      const std::uint64_t rows = marks.words[w] & tile.linked.words[w];
      if (rows == ~std::uint64_t{0} && all_are_last(&tile.parent[std::size_t{w} * 64])) {
        continue;
      }
      for_each_bit(rows, w * 64, [&](std::uint32_t row) { add(tile.parent[row]); });
    }
  }
  void prefetch(const HierarchyStore& store) const noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
      prefetch_link(store, links_[i]);
    }
    for (std::size_t i = 0; i < count_; ++i) {
      const Link& link = store.links[links_[i]];
      if (link.framed == store.version) {
        continue;
      }
      const Tile& tile = store.tile_of(link.parent_row);
      const std::uint32_t row = link.parent_row % kTileRows;
      if (link.depth == 0) {
        ask_for_local(tile, row);
      } else {
        ask_for_world(tile, row);
      }
      core_detail::prefetch_line(&tile.cold[row]);
    }
  }

 private:
  void add(std::uint32_t at) noexcept {
    if (at != 0 && at != last_ && count_ < links_.size()) {
      links_[count_++] = last_ = at;
    }
  }
  /// 64 rows have the link that was added last, as below a node with very many children.
  [[nodiscard]] bool all_are_last(const std::uint32_t* links) const noexcept {
    std::uint32_t other = 0;
    for (std::size_t i = 0; i < 64; ++i) {
      other |= links[i] ^ last_;
    }
    return other == 0;
  }

  std::array<std::uint32_t, 1024> links_;
  std::size_t count_ = 0;
  std::uint32_t last_ = 0;
};

/// Those of a whole tile.
inline void prefetch_links(const HierarchyStore& store, const Tile& tile) noexcept {
  if (tile.hung != 0) {
    SomeLinks links;
    links.add(tile, tile.live);
    links.prefetch(store);
  }
}

}  // namespace juxta::transform_detail
