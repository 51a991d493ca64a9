// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "transform/links.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "juxta/order/radix_sort.h"
#include "transform/flow.h"

namespace juxta::transform_detail {
namespace {

std::uint32_t new_link(HierarchyStore& store) {
  ++store.link_count;
  if (store.first_free_link != 0) {
    const std::uint32_t at = store.first_free_link;
    store.first_free_link = store.links[at].next;
    return at;
  }
  store.links.grow(1);
  return store.links.size() - 1;
}

/// Rounds of propagation have a queue each.
void need_queue(HierarchyStore& store, std::uint32_t depth) {
  if (depth >= store.queues.size()) {
    store.queues.resize(depth + 1, 0);
  }
}

/// The depth that a link from `parent` must have: roots need no waiting for.
std::uint32_t depth_below(const HierarchyStore& store, Row parent) noexcept {
  const Tile& tile = store.tile_of(parent);
  const std::uint32_t row = parent % kTileRows;
  return tile.is_root(row) ? 0 : depth_of(store, parent) + 1;
}

/// The link of the row before, when that is a sibling's and this one may join.
std::uint32_t link_before(const HierarchyStore& store, Row row, Row parent) noexcept {
  const Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  if (r == 0 || !tile.live.test(r - 1) || !tile.linked.test(r - 1) || tile.parent[r - 1] == 0) {
    return 0;
  }
  const Link& before = store.links[tile.parent[r - 1]];
  return before.parent_row == parent && before.first + before.span == row ? tile.parent[r - 1] : 0;
}

void put_first(HierarchyStore& store, std::uint32_t at, Row parent) noexcept {
  Tile& tile = store.tile_of(parent);
  const std::uint32_t row = parent % kTileRows;
  const std::uint32_t next = tile.has_links().test(row) ? tile.first_link[row] : 0;
  store.links[at].next = next;
  store.links[at].previous = 0;
  if (next != 0) {
    store.links[next].previous = at;
  }
  tile.first_link[row] = at;
  tile.set(Rare::kHasLinks, row);
}

void take_out(HierarchyStore& store, std::uint32_t at) noexcept {
  const Link& link = store.links[at];
  if (link.next != 0) {
    store.links[link.next].previous = link.previous;
  }
  if (link.previous != 0) {
    store.links[link.previous].next = link.next;
    return;
  }
  Tile& tile = store.tile_of(link.parent_row);
  tile.first_link[link.parent_row % kTileRows] = link.next;
  tile.put(Rare::kHasLinks, link.parent_row % kTileRows, link.next != 0);
}

}  // namespace

void link(HierarchyStore& store, Row row, Row parent) {
  Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  std::uint32_t at = 0;
  if (parent == kNoRow) {
    ++store.roots;
  } else {
    at = link_before(store, row, parent);
    if (at == 0) {
      store.need_first_links(store.tile_of(parent));
      at = new_link(store);
      const std::uint32_t depth = depth_below(store, parent);
      need_queue(store, depth);
      store.links[at] = {.parent_row = parent, .first = row, .span = 1, .depth = depth};
      put_first(store, at, parent);
    } else {
      ++store.links[at].span;
    }
    ++store.links[at].nodes;
    ++store.linked_nodes;
    ++tile.hung;
  }
  tile.parent[r] = at;
  tile.linked.set(r);
  tile.put(Rare::kDeferred, r, store.links[at].depth != 0);
}

void unlink(HierarchyStore& store, Row row) {
  Tile& tile = store.tile_of(row);
  const std::uint32_t r = row % kTileRows;
  const std::uint32_t at = tile.parent[r];
  tile.linked.clear(r);
  tile.clear(Rare::kDeferred, r);
  if (at == 0) {
    --store.roots;
    return;
  }
  --store.linked_nodes;
  --tile.hung;
  if (--store.links[at].nodes == 0) {
    take_out(store, at);
    --store.link_count;
    store.links[at].next = store.first_free_link;
    store.first_free_link = at;
  }
}

void move_links(HierarchyStore& store, Row from, Row to) {
  const std::uint32_t first = store.tile_of(from).first_link[from % kTileRows];
  store.need_first_links(store.tile_of(to));
  store.tile_of(to).first_link[to % kTileRows] = first;
  store.tile_of(to).set(Rare::kHasLinks, to % kTileRows);
  for (std::uint32_t at = first; at != 0; at = store.links[at].next) {
    store.links[at].parent_row = to;
  }
}

std::uint32_t depth_of(const HierarchyStore& store, Row row) noexcept {
  return store.links[link_above(store.tile_of(row), row % kTileRows)].depth;
}

namespace {

/// The depth of a link as it follows from the one above it.
std::uint32_t depth_from_above(const HierarchyStore& store, std::uint32_t at) noexcept {
  return depth_below(store, store.links[at].parent_row);
}

class Depths {
 public:
  explicit Depths(HierarchyStore& store) : store_(store) { ++store_.depth_turn; }

  void settle() {
    std::vector<bool> seen(store_.stale_depths.size() > 64 ? store_.slots.size() : 0, false);
    for (std::size_t i = 0; i < store_.stale_depths.size(); ++i) {
      ask_ahead(i);
      const std::uint32_t slot = store_.stale_depths[i];
      if ((store_.slots[slot].generation & 1) == 0 || (!seen.empty() && seen[slot])) {
        continue;
      }
      if (!seen.empty()) {
        seen[slot] = true;
      }
      const Row row = store_.slots[slot].row;
      const Tile& tile = store_.tile_of(row);
      if (tile.linked.test(row % kTileRows)) {  // or a tree took it in, whose root is among the slots
        find(tile.parent[row % kTileRows]);
        todo_.push_back(row);
      }
    }
    store_.stale_depths.clear();
    while (!todo_.empty()) {
      const Row row = todo_.back();
      todo_.pop_back();
      put_below(row);
    }
  }

 private:
  /// Asks for the slot of a node, later for its row, later for its link: each is a miss that leads to the
  /// next.
  void ask_ahead(std::size_t i) const noexcept {
    constexpr std::size_t kSteps = 8;
    const std::span<const std::uint32_t> stale = store_.stale_depths;
    if (i + 3 * kSteps < stale.size()) {
      core_detail::prefetch_line(&store_.slots[stale[i + 3 * kSteps]]);
    }
    for (const std::size_t later : {2 * kSteps, kSteps}) {
      if (i + later >= stale.size() || (store_.slots[stale[i + later]].generation & 1) == 0) {
        continue;
      }
      const Row row = store_.slots[stale[i + later]].row;
      const Tile& tile = store_.tile_of(row);
      if (later == 2 * kSteps) {
        core_detail::prefetch_line(&tile.linked.words[row % kTileRows / 64]);
        core_detail::prefetch_line(&tile.parent[row % kTileRows]);
      } else if (tile.linked.test(row % kTileRows)) {
        prefetch_link(store_, tile.parent[row % kTileRows]);
      }
    }
  }

  /// A link and all above it get their depths, the uppermost first. Each once.
  void find(std::uint32_t at) {
    path_.clear();
    while (at != 0 && store_.links[at].checked != store_.depth_turn) {
      store_.links[at].checked = store_.depth_turn;
      path_.push_back(at);
      const Row parent = store_.links[at].parent_row;
      at = link_above(store_.tile_of(parent), parent % kTileRows);
    }
    for (std::size_t i = path_.size(); i-- > 0;) {
      put(path_[i], depth_from_above(store_, path_[i]));
    }
  }
  /// Those whose depth is new tell all below.
  void put(std::uint32_t at, std::uint32_t depth) {
    if (store_.links[at].depth == depth) {
      return;
    }
    need_queue(store_, depth);
    store_.links[at].depth = depth;
    for_each_row_of(store_, at, [&](Row row) {
      store_.tile_of(row).put(Rare::kDeferred, row % kTileRows, depth != 0);
      todo_.push_back(row);
    });
  }
  void put_below(Row row) {
    const Tile& tile = store_.tile_of(row);
    const bool root = tile.is_root(row % kTileRows);
    const std::uint32_t depth = depth_of(store_, row) + 1;
    RowMask below;
    below.set(row % kTileRows);
    flow(tile, below);
    for (std::uint32_t w = row % kTileRows / 64; w < kTileWords; ++w) {
      for_each_bit(below.words[w] & tile.has_links().words[w], row / kTileRows * kTileRows + w * 64,
                   [&](Row parent) {
                     for_each_link(store_, parent,
                                   [&](std::uint32_t at) { put(at, root && parent == row ? 0 : depth); });
                   });
    }
  }

  HierarchyStore& store_;
  std::vector<std::uint32_t> path_;
  std::vector<Row> todo_;
};

}  // namespace

void stale_depths_below(HierarchyStore& store, Row row) {
  const Tile& tile = store.tile_of(row);
  std::uint32_t top = row % kTileRows;
  while (!tile.linked.test(top)) {
    top = tile.parent_row(top);
  }
  store.stale_depths.push_back(tile.slot[top]);
}

void settle_depths(HierarchyStore& store) {
  if (store.link_count == 0) {
    store.stale_depths.clear();
  } else if (!store.stale_depths.empty()) {
    Depths(store).settle();
  }
}

std::vector<std::uint32_t> settled_depths(const HierarchyStore& store) {
  std::vector<std::uint32_t> depths(store.links.size(), 0);
  std::vector<bool> found(store.links.size(), store.stale_depths.empty());
  found[0] = true;
  std::vector<std::uint32_t> path;
  for (std::uint32_t link = 1; link < store.links.size(); ++link) {
    if (store.stale_depths.empty() || store.links[link].nodes == 0) {
      depths[link] = store.links[link].depth;
      continue;
    }
    const auto above = [&](std::uint32_t at) {
      const Row parent = store.links[at].parent_row;
      return link_above(store.tile_of(parent), parent % kTileRows);
    };
    path.clear();
    for (std::uint32_t at = link; !found[at]; at = above(at)) {
      found[at] = true;
      path.push_back(at);
    }
    for (std::size_t i = path.size(); i-- > 0;) {
      const Row parent = store.links[path[i]].parent_row;
      depths[path[i]] = store.tile_of(parent).is_root(parent % kTileRows) ? 0 : depths[above(path[i])] + 1;
    }
  }
  return depths;
}

std::span<const std::uint64_t> take_queue(HierarchyStore& store, std::uint32_t depth) {
  std::size_t count = 0;
  for (std::uint32_t at = store.queues[depth]; at != 0; at = store.links[at].queue_next) {
    ++count;
  }
  const std::span<std::uint64_t> links = store.scratch.take<std::uint64_t>(count);
  std::size_t i = 0;
  for (std::uint32_t at = store.queues[depth]; at != 0; at = store.links[at].queue_next) {
    links[i++] = std::uint64_t{store.links[at].first} << 32 | at;
    store.links[at].queued = 0;  // the version may be taken back, and come again
  }
  store.queues[depth] = 0;
  if (count < 512) {
    std::sort(links.begin(), links.end());
  } else {
    static_cast<void>(
        sort_keys(links, {.workspace = &store.scratch}));  // fails for more links than there can be
  }
  return links;
}

bool all_moved(const HierarchyStore& store, std::span<const std::uint64_t> links) noexcept {
  return std::ranges::all_of(links, [&](std::uint64_t entry) {
    return store.links[static_cast<std::uint32_t>(entry)].moved == store.version;
  });
}

void mark_from_links(const HierarchyStore& store, std::span<const std::uint64_t> links, Tile& tile,
                     RowMask& marks) noexcept {
  RowMask moved, others;  // others: of links whose parent did not change
  for (const std::uint64_t entry : links) {
    const auto at = static_cast<std::uint32_t>(entry);
    const Link& link = store.links[at];
    const bool moves = link.moved == store.version;
    if (const std::uint32_t row = link.first % kTileRows;
        link.span == 1 && tile.child_rows(row) == 0) {  // as most new nodes are
      if (moves || tile.pending.test(row)) {
        marks.set(row);
      }
      tile.pending.clear(row);
      continue;
    }
    for_each_row_of(store, at, [&](Row row) { (moves ? moved : others).set(row % kTileRows); });
  }
  flow(tile, moved);
  flow(tile, others);
  for (std::uint32_t w = 0; w < kTileWords; ++w) {
    marks.words[w] |= moved.words[w] | (others.words[w] & tile.pending.words[w]);
    tile.pending.words[w] &= ~(moved.words[w] | others.words[w]);
  }
}

bool waits_as_a_whole(const HierarchyStore& store, const Tile& tile) noexcept {
  constexpr std::uint32_t kFewLinks = 64;
  std::uint32_t count = 0, depth = 0;
  for (std::uint32_t w = 0; w < kTileWords; ++w) {
    std::uint64_t linked = tile.linked.words[w] & tile.live.words[w];
    if (linked != (tile.deferred().words[w] & tile.live.words[w])) {
      return false;
    }
    for (; linked != 0; linked &= linked - 1) {
      const std::uint32_t row = w * 64 + static_cast<std::uint32_t>(std::countr_zero(linked));
      const std::uint32_t found = store.links[tile.parent[row]].depth;
      if (++count > kFewLinks || (depth != 0 && found != depth)) {
        return false;
      }
      depth = found;
    }
  }
  return depth != 0;
}

}  // namespace juxta::transform_detail
