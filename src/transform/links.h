// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: nodes whose parent stands elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/prefetch.h"
#include "transform/store.h"

namespace juxta::transform_detail {

/// Hangs a row that belongs to no parent under `parent` (kNoRow: makes it a root). The row before it may have
/// the same parent: then both share one link.
void link(HierarchyStore& store, Row row, Row parent);
/// Takes a linked row off its link; it then belongs to no parent.
void unlink(HierarchyStore& store, Row row);
/// The node of a row that has links moved to another row: so do its links.
void move_links(HierarchyStore& store, Row from, Row to);

/// The link at or above a row, in its tile.
[[nodiscard]] inline std::uint32_t link_above(const Tile& tile, std::uint32_t row) noexcept {
  while (!tile.linked.test(row)) {
    row = tile.parent_row(row);
  }
  return tile.parent[row];
}

/// The round in which a node's world transform is computed: the depth of the nearest link at or above it.
[[nodiscard]] std::uint32_t depth_of(const HierarchyStore& store, Row row) noexcept;
/// `row` was linked, or belongs to its tile's order again: the links below it will get the depths that follow
/// with the next settle_depths(). O(1), whatever is below.
void stale_depths_below(HierarchyStore& store, Row row);
/// Every link has its depth. Each link that this concerns is visited once, however many changes there were.
void settle_depths(HierarchyStore& store);
/// The depths that settle_depths() would give, by link.
[[nodiscard]] std::vector<std::uint32_t> settled_depths(const HierarchyStore& store);

/// The links of one round, in the order of their rows: the first row in the upper half, the link in the lower
/// one. They are in the store's scratch memory, and no longer in the queue.
[[nodiscard]] std::span<const std::uint64_t> take_queue(HierarchyStore& store, std::uint32_t depth);
[[nodiscard]] inline std::uint32_t tile_number(std::uint64_t link) noexcept {
  return static_cast<std::uint32_t>(link >> 32) / kTileRows;
}
/// The parents of all of them have moved in this version.
[[nodiscard]] bool all_moved(const HierarchyStore& store, std::span<const std::uint64_t> links) noexcept;
/// The written rows below some links of a tile, and all rows of those whose parent moved, go from
/// Tile::pending to `marks`.
void mark_from_links(const HierarchyStore& store, std::span<const std::uint64_t> links, Tile& tile,
                     RowMask& marks) noexcept;
/// All of a tile follows from few links, which have the same depth, at least 1.
[[nodiscard]] bool waits_as_a_whole(const HierarchyStore& store, const Tile& tile) noexcept;

/// Asks for a link: it may stand across two lines.
inline void prefetch_link(const HierarchyStore& store, std::uint32_t at) noexcept {
  const auto* bytes = reinterpret_cast<const std::byte*>(&store.links[at]);
  core_detail::prefetch_line(bytes);
  core_detail::prefetch_line(bytes + sizeof(Link) - 1);
}

/// Calls `body(link)` for each link of the children of `row`; the body may free that link.
template <class Body>
void for_each_link(const HierarchyStore& store, Row row, Body&& body) {
  const Tile& tile = store.tile_of(row);
  if (!tile.has_links().test(row % kTileRows)) {
    return;
  }
  for (std::uint32_t at = tile.first_link[row % kTileRows]; at != 0;) {
    const std::uint32_t next = store.links[at].next;
    body(at);
    at = next;
  }
}

/// Calls `body(row)` for each row that belongs to a link; the body may take it off.
template <class Body>
void for_each_row_of(const HierarchyStore& store, std::uint32_t at, Body&& body) {
  const Link link = store.links[at];
  const Tile& tile = store.tile_of(link.first);
  const std::uint32_t first = link.first % kTileRows;
  for (std::uint32_t row = first; row < first + link.span; ++row) {
    if (tile.linked.test(row) && tile.live.test(row) && tile.parent[row] == at) {
      body(link.first - first + row);
    }
  }
}

/// Calls `body(row)` for each child of `row`: those that follow in its tile, then the linked ones. The body
/// may take a child away.
template <class Body>
void for_each_child_row(const HierarchyStore& store, Row row, Body&& body) {
  const Tile& tile = store.tile_of(row);
  const Row base = row / kTileRows * kTileRows;
  tile.for_each_follower(row % kTileRows, [&](std::uint32_t r) { body(base + r); });
  for_each_link(store, row, [&](std::uint32_t at) { for_each_row_of(store, at, body); });
}

}  // namespace juxta::transform_detail
