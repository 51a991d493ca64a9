// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what hangs under roots that were written. A root's world transform is its local one, so that
// these links wait for nothing: their rows are marked before the first round.
#pragma once

#include <vector>

#include "core/prefetch.h"
#include "transform/links.h"

namespace juxta::transform_detail {

/// A root of this tile has children elsewhere.
[[nodiscard]] inline bool roots_have_links(const Tile& tile) noexcept {
  for (std::uint32_t w = 0; w < kTileWords; ++w) {
    bool found = false;
    for_each_bit(tile.has_links().words[w] & tile.linked.words[w], w * 64,
                 [&](std::uint32_t row) { found = found || tile.parent[row] == 0; });
    if (found) {
      return true;
    }
  }
  return false;
}

class LinksOfRoots {
 public:
  explicit LinksOfRoots(HierarchyStore& store) noexcept : store_(store) {}

  /// Roots are at hand here, and far from where they are asked for: what they give is put into their links.
  void collect(const Tile& tile) {
    for (std::uint32_t w = 0; w < kTileWords; ++w) {
      for_each_bit(tile.pending.words[w] & tile.has_links().words[w] & tile.linked.words[w], w * 64,
                   [&](std::uint32_t row) {
                     if (tile.parent[row] == 0) {
                       collected_.push_back(
                           {tile.first_link[row], {root_world(tile.local_at(row)), tile.cold[row].stretch}});
                       prefetch_link(store_, tile.first_link[row]);
                     }
                   });
    }
  }
  /// In two passes: what the second one touches, the first has asked for.
  void mark() {
    for (std::size_t i = 0; i < collected_.size(); ++i) {
      Link& link = store_.links[collected_[i].link];
      link.frame = collected_[i].frame;
      link.framed = store_.version;
      const Tile& tile = store_.tile_of(link.first);
      const std::uint32_t row = link.first % kTileRows;
      core_detail::prefetch_line(&tile.linked.words[row / 64]);
      core_detail::prefetch_line(&tile.live.words[row / 64]);
      core_detail::prefetch_line(&tile.pending.words[row / 64]);
      core_detail::prefetch_line(&tile.parent[row]);
      if (link.next != 0) {
        collected_.push_back({link.next, link.frame});
        prefetch_link(store_, link.next);
      }
    }
    for (const Collected& one : collected_) {
      mark_rows_of(one.link);
    }
    collected_.clear();
  }

 private:
  void mark_rows_of(std::uint32_t at) {
    const Link& link = store_.links[at];
    Tile& tile = store_.tile_of(link.first);
    const std::uint32_t first = link.first % kTileRows;
    if (link.nodes == link.span) {
      tile.pending.set_range(first, first + link.span);
    } else {
      mark_those_left(tile, first, first + link.span, at);
    }
    if (!tile.dirty) {
      store_.mark_tile(link.first / kTileRows);
    }
  }
  static void mark_those_left(Tile& tile, std::uint32_t first, std::uint32_t last,
                              std::uint32_t at) noexcept {
    RowMask::for_each_word(first, last, [&](std::uint32_t w, std::uint64_t bits) {
      for_each_bit(bits & tile.live.words[w] & tile.linked.words[w], w * 64, [&](std::uint32_t row) {
        tile.pending.words[w] |= std::uint64_t{tile.parent[row] == at} << row % 64;
      });
    });
  }

  HierarchyStore& store_;
  struct Collected {
    std::uint32_t link;
    Frame frame;
  };
  std::vector<Collected> collected_;
};

}  // namespace juxta::transform_detail
