// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Tidying: take all trees out of a few tiles, with the linked subtrees that hang under them from anywhere, if
// they are small, and place them anew.
//
//   tile      | a b c d e . . f |        c became linked to a node elsewhere, x (elsewhere) to b
//   anew      | a b x d e f |            x stands beside its parent
//
// Here c is a tree of its own, still linked, until the tile of its parent is tidied.

#include "transform/tidy.h"
#include "transform/ask_rows.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/prefetch.h"
#include "transform/flow.h"
#include "transform/layout.h"
#include "transform/links.h"
#include "transform/new_nodes.h"
#include "transform/propagation.h"

namespace juxta::transform_detail {
namespace {

/// Tiles that are taken apart at once.
constexpr std::uint32_t kTilesAtOnce = 2;
/// Links whose rows are asked for at once: what they take should stay in the cache until it is used.
constexpr std::size_t kMostAskedFor = 1024;
/// Of the nodes that a tree may take in.
constexpr std::size_t kMuchRoom = 128;

/// Asks for all of a tile: it is about to be taken apart.
void prefetch(const Tile& tile) noexcept {
  const auto* bytes = reinterpret_cast<const std::byte*>(&tile);
  for (std::size_t at = 0; at < sizeof(Tile); at += 64) {
    core_detail::prefetch_line(bytes + at);
  }
}
/// Asks for one row: it may be taken in.
void prefetch(const Tile& tile, std::uint32_t row) noexcept {
  const std::uint32_t w = row / 64;
  for (const void* at :
       {static_cast<const void*>(&tile.live.words[w]), static_cast<const void*>(&tile.linked.words[w]),
        static_cast<const void*>(&tile.rare[static_cast<std::size_t>(Rare::kHasLinks)].words[w]),
        static_cast<const void*>(&tile.changes[w]), static_cast<const void*>(&tile.cold[row]),
        static_cast<const void*>(&tile.parent[row]), static_cast<const void*>(&tile.slot[row]),
        static_cast<const void*>(&tile.flags[row])}) {
    core_detail::prefetch_line(at);
  }
  prefetch_children(tile, row);
  ask_for_world(tile, row);
  ask_for_local(tile, row);
}

/// Copies what `count` rows of one tile hold to rows of another. The nodes are then in both.
void copy_columns(const Tile& from, std::uint32_t f, Tile& to, std::uint32_t t, std::uint32_t count) {
  if (count < 4 || from.lanes || to.lanes) {  // calls for so little cost more than they copy
    for (std::uint32_t i = 0; i < count; ++i) {
      to.put_world(t + i, from.world_at(f + i));
      to.put_local(t + i, from.local_at(f + i));
      to.cold[t + i] = from.cold[f + i];
      to.slot[t + i] = from.slot[f + i];
      to.flags[t + i] = from.flags[f + i];
    }
  } else {
    std::copy_n(from.world.rows() + f, count, to.world.rows() + t);
    std::copy_n(from.local.rows() + f, count, to.local.rows() + t);
    std::copy_n(&from.cold[f], count, &to.cold[t]);
    std::copy_n(&from.slot[f], count, &to.slot[t]);
    std::copy_n(&from.flags[f], count, &to.flags[t]);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    to.row_version(t + i) = from.version_of(f + i);
  }
  if (from.history != nullptr) {
    for (std::uint32_t step = 0; step < 2; ++step) {
      std::copy_n(&from.history->steps[from.step ^ step][f], count, &to.history->steps[to.step ^ step][t]);
    }
    to.steps_due = std::max(to.steps_due, from.steps_due);
  }
}

/// The same for the marks that few rows have.
void copy_marks(const Tile& from, std::uint32_t f, Tile& to, std::uint32_t t, std::uint32_t count) {
  RowMask::for_each_word(f, f + count, [&](std::uint32_t w, std::uint64_t bits) {
    const std::uint64_t any = from.stretched().words[w] | from.contexts().words[w] | from.written.words[w] |
                              from.pending.words[w] | from.special().words[w];
    for_each_bit(any & bits, w * 64, [&](std::uint32_t row) {
      const std::uint32_t r = t + (row - f);
      to.put(Rare::kStretched, r, from.stretched().test(row));
      to.put(Rare::kContexts, r, from.contexts().test(row));
      to.written.put(r, from.written.test(row));
      to.pending.put(r, from.pending.test(row));
      to.put(Rare::kSpecial, r, from.special().test(row));
    });
  });
}

class Tidying {
 public:
  explicit Tidying(HierarchyStore& store) : store_(store), turns_(store.tiles.size()) {}

  /// Takes the next tiles apart and places what they held. How many nodes moved.
  std::size_t step() {
    choose();
    ask_for_links();
    for (const bool inner : {false, true}) {  // first the trees that no other one of these tiles can take in
      for (const std::uint32_t number : chosen_) {
        gather(number, inner);
      }
      for (std::size_t i = 0; i < left_.size(); ++i) {  // then what they left, from the top down
        if (store_.tile_of(left_[i]).live.test(left_[i] % kTileRows)) {
          gather_tree(left_[i]);
        }
      }
      left_.clear();
    }
    const auto put = [this](std::span<const Row> from, Tile& tile, Row row) { move(from, tile, row); };
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
      const bool filling = number == store_.filled || number == store_.open;
      if (store_.tiles[number] != nullptr && (!filling || few)) {
        chosen_.push_back(number);
        prefetch(*store_.tiles[number]);
        store_.filled = store_.filled == number ? kNoRow : store_.filled;  // nothing is to be placed there
        store_.close_lanes(number);
      }
    }
  }

  /// Asks for the links of the chosen tiles, then for what they lead to: it stands anywhere.
  void ask_for_links() {
    links_.clear();
    for (const std::uint32_t number : chosen_) {
      const Tile& tile = *store_.tiles[number];
      for (std::uint32_t w = 0; w < kTileWords; ++w) {
        for_each_bit(tile.has_links().words[w], w * 64, [&](std::uint32_t row) {
          links_.push_back(tile.first_link[row]);
          prefetch_link(store_, tile.first_link[row]);
        });
      }
    }
    for (std::size_t i = 0; i < links_.size() && i < kMostAskedFor; ++i) {
      const Link& link = store_.links[links_[i]];
      prefetch(store_.tile_of(link.first), link.first % kTileRows);
      if (link.next != 0) {
        links_.push_back(link.next);
        prefetch_link(store_, link.next);
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
    Room room;
    for (std::size_t i = first; i < forest_.sources.size(); ++i) {
      const std::size_t before = forest_.sources.size();
      if (is_leaf(forest_.sources[i])) {
        forest_.children.push_back(0);
        continue;
      }
      for_each_child_row(store_, forest_.sources[i], [&](Row child) {
        bool whole = taken_whole_[i];
        Tile& tile = store_.tile_of(child);
        if (tile.linked.test(child % kTileRows)) {
          const Taken taken = whole ? Taken::kWhole : takes_in(top, forest_.sources[i], child, room);
          if (taken == Taken::kNot) {
            if (is_chosen(child / kTileRows)) {
              left_.push_back(child);
            }
            return;
          }
          whole = taken == Taken::kWhole;
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

  [[nodiscard]] bool is_leaf(Row row) const noexcept {
    const Tile& tile = store_.tile_of(row);
    const std::uint32_t r = row % kTileRows;
    return tile.child_rows(r) == 0 && !tile.has_links().test(r);
  }

  enum class Taken : std::uint8_t {
    kNot,
    kPart,   // with all that follows in its tile; what is linked below is looked at by itself
    kWhole,  // with all below
  };
  /// How much a tree may still take in.
  struct Room {
    std::size_t nodes = kTileRows;  // kTileRows: not known yet
    std::size_t steps =
        std::size_t{4} * kWholeTree;  // nodes that may be looked at to learn how large subtrees are
  };

  /// Takes in a linked subtree as a whole if it fits. If not, the upper part of it, where there is much room
  /// or it is the only one: so ropes stay together. The same choices as Cutter's for lists.
  Taken takes_in(Row top, Row parent, Row child, Room& room) {
    if (room.nodes == kTileRows) {
      const std::size_t own = size_in_tile(top);
      room.nodes = own < kWholeTree ? kWholeTree - own : 0;
    }
    if (room.nodes == 0) {
      return Taken::kNot;
    }
    below_.assign(1, child);
    std::size_t i = 0;
    for (; i < below_.size() && below_.size() <= room.nodes && i < room.steps; ++i) {
      for_each_child_row(store_, below_[i], [&](Row row) { below_.push_back(row); });
    }
    if (i == below_.size()) {
      room.nodes -= i;
      return Taken::kWhole;
    }
    room.steps -= i;
    if (room.nodes < kMuchRoom && !is_only_child(parent)) {
      return Taken::kNot;
    }
    const std::size_t part = size_in_tile(child);
    if (part > room.nodes) {
      return Taken::kNot;
    }
    room.nodes -= part;
    return Taken::kPart;
  }
  /// Of a parent that has a linked child.
  [[nodiscard]] bool is_only_child(Row parent) const noexcept {
    const Tile& tile = store_.tile_of(parent);
    const std::uint32_t r = parent % kTileRows;
    const Link& link = store_.links[tile.first_link[r]];
    return link.next == 0 && link.nodes == 1 && tile.child_rows(r) == 0;
  }
  [[nodiscard]] std::size_t size_in_tile(Row top) const {
    RowMask rows;
    rows.set(top % kTileRows);
    return flow(store_.tile_of(top), rows, false);
  }

  /// Most nodes keep their neighbours: whole runs of rows are copied.
  void move(std::span<const Row> from, Tile& tile, Row row) {
    for (std::size_t i = 0; i < from.size();) {
      std::size_t end = i + 1;
      while (end < from.size() && from[end] == from[end - 1] + 1 && from[end] % kTileRows != 0) {
        ++end;
      }
      move_run(from[i], tile, row, static_cast<std::uint32_t>(end - i));
      row += static_cast<Row>(end - i);
      i = end;
    }
    for (Change& change : tile.changes) {
      change.before = store_.version;  // no row's own version is above it
    }
    tile.version = store_.version;
    if (tile.pending.any()) {
      store_.mark_tile((row - 1) / kTileRows);
    }
  }
  void move_run(Row from, Tile& tile, Row row, std::uint32_t count) {
    Tile& old = store_.tile_of(from);
    const std::uint32_t f = from % kTileRows, r = row % kTileRows;
    copy_columns(old, f, tile, r, count);
    copy_marks(old, f, tile, r, count);
    for (std::uint32_t i = 0; i < count; ++i) {
      store_.slots[tile.slot[r + i]].row = row + i;
    }
    RowMask::for_each_word(f, f + count, [&](std::uint32_t w, std::uint64_t bits) {
      for_each_bit(old.has_links().words[w] & bits, w * 64,
                   [&](std::uint32_t at) { move_links(store_, from + (at - f), row + (at - f)); });
      old.clear(Rare::kHasLinks, w, bits);
    });
    if (is_chosen(from / kTileRows)) {
      return;  // the whole tile goes
    }
    RowMask::for_each_word(f, f + count, [&](std::uint32_t w, std::uint64_t bits) { old.vacate(w, bits); });
    old.nodes -= count;
    pulled_.push_back(from);
  }

  void hang(const Top& top) {
    const Row parent = store_.parent_of(top.from);
    unlink(store_, top.from);
    link(store_, top.row, parent);
    stale_depths_below(store_, top.row);
  }

  HierarchyStore& store_;
  std::size_t turns_;
  std::vector<std::uint32_t> chosen_;
  Forest forest_;
  std::vector<bool> taken_whole_;  // per source: it, and all below it, came from a link
  std::vector<Top> tops_;
  std::vector<Row> below_;
  std::vector<Row> left_;  // linked rows of the chosen tiles that the tree above did not take in
  std::vector<std::uint32_t> links_;
  std::vector<Row> pulled_;  // rows outside the chosen tiles that were left
};

}  // namespace

void tidy(HierarchyStore& store, std::size_t changes) {
  constexpr std::size_t kStep = std::size_t{kTilesAtOnce} * kTileRows;
  const auto empty = [&] {
    return store.tiles_in_use() * kTileRows > store.nodes + store.nodes / 4 + std::size_t{4} * kTileRows;
  };
  // It begins late and then goes on for longer than to where it began, so that it is worth its while.
  const bool bad = store.link_count * 32 > store.nodes + 1024 || empty();
  const auto fine = [&] { return store.link_count * 128 <= store.nodes + 4096 && !empty(); };
  const auto earned = [&] { return store.debt >= std::min(store.nodes, kStep); };
  if (bad && earned()) {
    Tidying tidying(store);
    for (std::size_t left = 1 + changes * kDebtOfLink / kStep;
         left > 0 && !fine() && earned() && !tidying.all_done(); --left) {
      const std::size_t count = tidying.step();
      store.debt -= std::min(store.debt, std::max<std::size_t>(count, 1));
      store.moved += count;
    }
    if (store.stale_depths.size() > store.nodes + kTileRows) {
      settle_depths(store);
    }
  }
  store.debt = fine() ? 0 : store.debt;
}

}  // namespace juxta::transform_detail
