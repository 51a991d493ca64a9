// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Tidying: take all trees out of a few tiles, with the linked subtrees that hang under them from anywhere, if
// they are small, and place them anew.
//
//   tile      | a b c d e . . f |        c became linked to a node elsewhere, x (elsewhere) to b
//   anew      | a b x d e f |            x stands beside its parent; c is a tree of its own, still linked,
//   until
//                                        the tile of its parent is tidied

#include "transform/tidy.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "transform/flow.h"
#include "transform/layout.h"
#include "transform/links.h"
#include "transform/propagation.h"

namespace juxta::detail {
namespace {

/// Tiles that are taken apart at once.
constexpr std::uint32_t kTilesAtOnce = 2;

/// Asks for all of a tile: it is about to be taken apart.
void prefetch(const Tile& tile) noexcept {
  const auto* bytes = reinterpret_cast<const std::byte*>(&tile);
  for (std::size_t at = 0; at < sizeof(Tile); at += 64) {
    __builtin_prefetch(bytes + at, 0, 2);
  }
}

/// Moves what the columns hold, and marks. The node is then in both rows; nobody knows the new one.
void copy_row(const Tile& from, std::uint32_t f, Tile& to, std::uint32_t t) {
  to.world[t] = from.world[f];
  to.local[t] = from.local[f];
  to.cold[t] = from.cold[f];
  to.slot[t] = from.slot[f];
  to.flags[t] = from.flags[f];
  const std::uint32_t version = from.version_of(f);
  to.row_version[t] = version;
  to.changes[t / 64].before = std::max(to.changes[t / 64].before, version);
  const std::uint32_t w = f / 64;
  if (((from.stretched.words[w] | from.written.words[w] | from.pending.words[w]) >> f % 64 & 1) != 0) {
    to.stretched.put(t, from.stretched.test(f));
    to.written.put(t, from.written.test(f));
    to.pending.put(t, from.pending.test(f));
  }
  if (from.history != nullptr) {
    to.history->steps[to.step][t] = from.history->steps[from.step][f];
    to.history->steps[to.step ^ 1][t] = from.history->steps[from.step ^ 1][f];
    to.steps_due = std::max(to.steps_due, from.steps_due);
  }
}

class Tidying {
 public:
  explicit Tidying(HierarchyStore& store) : store_(store), turns_(store.tiles.size()) {}

  /// Takes the next tiles apart and places what they held. How many nodes moved.
  std::size_t step() {
    choose();
    for (const bool inner : {false, true}) {  // first the trees that no other one of these tiles can take in
      for (const std::uint32_t number : chosen_) {
        gather(number, inner);
      }
    }
    const auto put = [this](Row from, Tile& tile, Row row) { move(from, tile, row); };
    const auto root = [this](const Forest::Tree& tree, Row row) {
      tops_.push_back({forest_.sources[tree.first], row});
    };
    place(store_, forest_, {put, root});
    for (const Top& top : tops_) {  // only now, when all of them have their rows
      hang(top);
    }
    for (const std::uint32_t number : chosen_) {  // nothing is left in them
      store_.free_tile(number);
    }
    for (const Row from : pulled_) {
      if (const Tile* tile = store_.tiles[from / kTileRows]; tile != nullptr && tile->nodes == 0) {
        store_.free_tile(from / kTileRows);
      }
    }
    const std::size_t moved = forest_.sources.size();
    forest_.sources.clear();
    forest_.children.clear();
    forest_.trees.clear();
    taken_whole_.clear();
    tops_.clear();
    pulled_.clear();
    return moved;
  }
  /// Every tile that there was when this began has had its turn.
  [[nodiscard]] bool all_done() const noexcept { return turns_ == 0; }

 private:
  /// The root of a tree: where it stood, and where it stands.
  struct Top {
    Row from, row;
  };

  void choose() {
    chosen_.clear();
    const auto count = static_cast<std::uint32_t>(store_.tiles.size());
    const bool few = store_.tiles_in_use() <= kTilesAtOnce;
    for (; turns_ > 0 && chosen_.size() < kTilesAtOnce; --turns_) {
      store_.cursor = store_.cursor + 1 < count ? store_.cursor + 1 : 0;
      const std::uint32_t number = store_.cursor;
      if (store_.tiles[number] != nullptr && (number != store_.filled || few)) {
        chosen_.push_back(number);
        prefetch(*store_.tiles[number]);
        store_.filled = store_.filled == number ? kNoRow : store_.filled;
        store_.open = store_.open == number ? kNoRow : store_.open;
      }
    }
  }

  /// The trees of a tile whose root's parent stands in one of the chosen tiles (inner), or does not.
  void gather(std::uint32_t number, bool inner) {
    const Tile& tile = *store_.tiles[number];
    for (std::uint32_t w = 0; w < kTileWords; ++w) {
      for_each_bit(tile.live.words[w] & tile.linked.words[w], number * kTileRows + w * 64, [&](Row row) {
        const Row parent = store_.parent_of(row);
        if (tile.live.test(row % kTileRows) &&
            (inner || parent == kNoRow || !is_chosen(parent / kTileRows))) {
          gather_tree(row);
        }
      });
    }
  }
  [[nodiscard]] bool is_chosen(std::uint32_t number) const noexcept {
    return std::find(chosen_.begin(), chosen_.end(), number) != chosen_.end();
  }

  /// Lists a tree breadth first. A linked row that is listed is dead where it stands, so that it is listed
  /// once.
  void gather_tree(Row top) {
    const auto first = static_cast<std::uint32_t>(forest_.sources.size());
    store_.tile_of(top).live.clear(top % kTileRows);
    forest_.sources.push_back(top);
    taken_whole_.push_back(false);
    std::size_t room = kTileRows;  // not known yet
    for (std::size_t i = first; i < forest_.sources.size(); ++i) {
      const std::size_t before = forest_.sources.size();
      for_each_child_row(store_, forest_.sources[i], [&](Row child) {
        bool whole = taken_whole_[i];
        Tile& tile = store_.tile_of(child);
        if (tile.linked.test(child % kTileRows)) {
          if (!whole && !takes_in(top, child, room)) {
            return;
          }
          whole = true;
          tile.live.clear(child % kTileRows);
          unlink(store_, child);
        }
        forest_.sources.push_back(child);
        taken_whole_.push_back(whole);
      });
      forest_.children.push_back(static_cast<std::uint32_t>(forest_.sources.size() - before));
    }
    forest_.trees.push_back(
        {first, static_cast<std::uint32_t>(forest_.sources.size()) - first, Forest::kNone});
  }

  /// The tree has room for a linked subtree, with all that is linked below it.
  bool takes_in(Row top, Row child, std::size_t& room) {
    if (room == kTileRows) {
      const std::size_t own = size_in_tile(top);
      room = own < kWholeTree ? kWholeTree - own : 0;
    }
    below_.assign(1, child);
    for (std::size_t i = 0; i < below_.size() && below_.size() <= room; ++i) {
      for_each_child_row(store_, below_[i], [&](Row row) { below_.push_back(row); });
    }
    if (below_.size() > room) {
      return false;
    }
    room -= below_.size();
    return true;
  }
  [[nodiscard]] std::size_t size_in_tile(Row top) const {
    RowMask rows;
    rows.set(top % kTileRows);
    return flow(store_.tile_of(top), rows);
  }

  void move(Row from, Tile& tile, Row row) {
    Tile& old = store_.tile_of(from);
    const std::uint32_t f = from % kTileRows, r = row % kTileRows;
    copy_row(old, f, tile, r);
    store_.slots[tile.slot[r]].row = row;
    if (old.has_links.test(f)) {
      move_links(store_, from, row);
      old.has_links.clear(f);
    }
    if (tile.pending.test(r)) {
      store_.mark_tile(row / kTileRows);
    }
    tile.version = std::max(tile.version, old.version);
    if (!is_chosen(from / kTileRows)) {
      old.live.clear(f);
      old.pending.clear(f);
      --old.nodes;
      pulled_.push_back(from);
    }
  }

  void hang(const Top& top) {
    const Row parent = store_.parent_of(top.from);
    unlink(store_, top.from);
    link(store_, top.row, parent);
    if (parent != kNoRow) {
      deepen_below(store_, top.row);
    }
  }

  HierarchyStore& store_;
  std::size_t turns_;
  std::vector<std::uint32_t> chosen_;
  Forest forest_;
  std::vector<bool> taken_whole_;  // per source: it, and all below it, came from a link
  std::vector<Top> tops_;
  std::vector<Row> below_;
  std::vector<Row> pulled_;  // rows outside the chosen tiles that were left
};

}  // namespace

std::size_t tidy(HierarchyStore& store) {
  const auto bad = [&] {
    return store.link_count * 32 > store.nodes + 1024 ||
           store.tiles_in_use() * kTileRows > store.nodes + store.nodes / 4 + 4 * kTileRows;
  };
  std::size_t moved = 0;
  Tidying tidying(store);
  while (bad() && store.debt >= std::min<std::size_t>(store.nodes, kTilesAtOnce * kTileRows) &&
         !tidying.all_done()) {
    const std::size_t count = tidying.step();
    store.debt -= std::min(store.debt, std::max<std::size_t>(count, 1));
    moved += count;
  }
  store.debt = bad() ? store.debt : 0;
  return moved;
}

}  // namespace juxta::detail
