// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "transform/layout.h"

#include <algorithm>
#include <span>

namespace juxta::transform_detail {
namespace {

/// Where a tree's next level stands in Forest::sources.
struct Level {
  std::uint32_t first, last;
};

/// Places groups of trees, each of which fits, as one block: level by level, in each level tree by tree.
class Block {
 public:
  Block(HierarchyStore& store, const Forest& forest, const Placing& placing)
      : store_(store), forest_(forest), placing_(placing) {}

  void place(std::span<const Forest::Tree> trees, std::uint32_t count) {
    const Row begin = begin_block(store_, count);
    Tile& tile = store_.tile_of(begin);
    const std::uint32_t base = begin % kTileRows;
    levels_.clear();
    sources_.clear();
    for (const Forest::Tree& tree : trees) {
      levels_.push_back({tree.first, tree.first + 1});
    }
    std::uint32_t child = base + static_cast<std::uint32_t>(trees.size());
    while (sources_.size() < count) {
      for (Level& level : levels_) {
        const std::uint32_t below = child;
        for (std::uint32_t i = level.first; i < level.last; ++i) {
          child = put(tile, base, i, child);
        }
        level = {level.last, level.last + (child - below)};
      }
      std::erase_if(levels_, [](const Level& level) { return level.first == level.last; });
    }
    end_block(tile, base, count);
    placing_.nodes(sources_, tile, begin);
    tell_children_of_stretched(tile, base);
    link_roots(tile, begin, trees);
  }

  /// Eight trees of one shape.
  void place_lanes(std::span<const Forest::Tree> trees) {
    const std::uint32_t groups = trees[0].count;
    const Row begin = begin_lane_block(store_, groups);
    Tile& tile = store_.tile_of(begin);
    const std::uint32_t base = begin % kTileRows / kGroupRows;
    sources_.clear();
    for (std::uint32_t node = 0, child = base + 1; node < groups; ++node) {
      const std::uint32_t end = child + forest_.children[trees[0].first + node];
      tile.put_groups(base + node, child, end);
      for (std::uint32_t lane = 0; lane < kGroupRows; ++lane) {
        sources_.push_back(forest_.sources[trees[lane].first + node]);
      }
      child = end;
    }
    tile.lane_tree.put_block(base, base + groups);
    end_lane_block(store_, begin, groups);
    placing_.nodes(sources_, tile, begin);
    link_roots(tile, begin, trees);
  }

  /// So many of these trees, from the first on, have its shape; up to eight that are to stand side by side.
  [[nodiscard]] std::size_t alike(std::span<const Forest::Tree> trees) const noexcept {
    const auto shape_of = [&](const Forest::Tree& tree) {
      return std::span(forest_.children).subspan(tree.first, tree.count);
    };
    std::size_t count = 1;
    while (count < trees.size() && !trees[count].first_of_eight &&
           std::ranges::equal(shape_of(trees[count]), shape_of(trees[0]))) {
      ++count;
    }
    return count;
  }

 private:
  /// The next row is node i's; its children begin at `child`. Where those of the next one begin.
  std::uint32_t put(Tile& tile, std::uint32_t base, std::uint32_t i, std::uint32_t child) {
    const std::uint32_t row = base + static_cast<std::uint32_t>(sources_.size());
    sources_.push_back(forest_.sources[i]);
    tile.first_child[row] = static_cast<std::uint16_t>(child);
    for (const std::uint32_t end = child + forest_.children[i]; child < end; ++child) {
      tile.parent[child] = row;
    }
    return child;
  }
  static void tell_children_of_stretched(Tile& tile, std::uint32_t base) noexcept {
    for (std::uint32_t row = tile.stretched().next(base); row < kTileRows;
         row = tile.stretched().next(row + 1)) {
      tile.for_each_follower(row, [&](std::uint32_t child) { tile.parent[child] |= kParentStretched; });
    }
  }
  void link_roots(Tile& tile, Row begin, std::span<const Forest::Tree> trees) {
    // Any of them may hang under a node of this very block: until linked, all are roots.
    const auto count = static_cast<std::uint32_t>(trees.size());
    tile.linked.set_range(begin % kTileRows, begin % kTileRows + count);
    std::fill_n(&tile.parent[begin % kTileRows], count, 0U);
    for (std::uint32_t i = 0; i < trees.size(); ++i) {
      placing_.root(trees[i], begin + i);
    }
  }

  static_assert(kTileRows == kTileGroups * kGroupRows);
  HierarchyStore& store_;
  const Forest& forest_;
  const Placing& placing_;
  std::vector<Level> levels_;
  std::vector<std::uint32_t> sources_;  // of the rows of the block
};

}  // namespace

std::uint32_t room_left(const HierarchyStore& store) noexcept {
  if (store.filled == kNoRow) {
    return 0;
  }
  const std::uint32_t used = store.tiles[store.filled]->used;
  return used == 0 ? kTileRows : kTileRows - std::min(used + 1, kTileRows);
}

Row begin_block(HierarchyStore& store, std::uint32_t count) {
  if (room_left(store) < count) {
    store.filled = store.new_tile();
  }
  const std::uint32_t used = store.tiles[store.filled]->used;
  return store.filled * kTileRows + (used == 0 ? 0 : used + 1);
}

void end_block(Tile& tile, std::uint32_t begin, std::uint32_t count) noexcept {
  tile.used = begin + count;
  tile.nodes += count;
  tile.live.set_range(begin, begin + count);
  tile.first_child[tile.used] = static_cast<std::uint16_t>(tile.used);
}

Row begin_lane_block(HierarchyStore& store, std::uint32_t groups) {
  if (const auto room = store.lane_room.lower_bound({groups, 0}); room != store.lane_room.end()) {
    const std::uint32_t number = room->second;
    store.lane_room.erase(room);
    return number * kTileRows + store.tiles[number]->used;
  }
  const std::uint32_t number = store.new_tile();
  store.tiles[number]->become_lanes();
  return number * kTileRows;
}

void end_lane_block(HierarchyStore& store, Row begin, std::uint32_t groups) {
  Tile& tile = store.tile_of(begin);
  const std::uint32_t first = begin % kTileRows, last = first + groups * kGroupRows;
  tile.used = last;
  tile.nodes += last - first;
  tile.live.set_range(first, last);
  store.open_lanes(begin / kTileRows);
}

void place(HierarchyStore& store, const Forest& forest, const Placing& placing) {
  Block block(store, forest, placing);
  const std::span<const Forest::Tree> trees = forest.trees;
  std::size_t first = 0;
  std::uint32_t count = 0;
  std::size_t looked = 0;  // trees before it have no eight alike that begin with them
  for (std::size_t t = 0; t < trees.size(); ++t) {
    if (store.side_by_side && t >= looked && fits_lanes(trees[t].count)) {
      const std::size_t alike = block.alike(trees.subspan(t));
      looked = t + alike;
      if (alike >= kGroupRows) {
        if (count != 0) {
          block.place(trees.subspan(first, t - first), count);
        }
        for (const std::size_t end = t + alike / kGroupRows * kGroupRows; t < end; t += kGroupRows) {
          block.place_lanes(trees.subspan(t, kGroupRows));
        }
        first = t--;
        count = 0;
        continue;
      }
    }
    const std::uint32_t room = room_left(store);
    if (count != 0 && count + trees[t].count > (room < count ? kTileRows : room)) {
      block.place(trees.subspan(first, t - first), count);
      first = t;
      count = 0;
    }
    count += trees[t].count;
  }
  if (count != 0) {
    block.place(trees.subspan(first), count);
  }
}

}  // namespace juxta::transform_detail
