// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "transform/hierarchy_file.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "juxta/core/try.h"
#include "transform/tile_file.h"

namespace juxta::transform_detail {

namespace {

/// Reads one file; every check names the section that failed.
class HierarchyReader {
 public:
  HierarchyReader(std::span<const std::byte> file, const HierarchyFileHeader& header,
                  HierarchyStore& store) noexcept
      : file_(file), header_(header), layout_(header), store_(store) {}

  Result<void> read() {
    JUXTA_TRY(kHierarchyFormat.check_whole(file_, layout_.total));
    return read_tiles()
        .and_then([&] {
          return sound(take_dirty(), "the tiles to be brought up to date are not those", kHierarchyDirty);
        })
        .and_then(
            [&] { return sound(take_slots(), "names and nodes contradict each other", kHierarchySlots); })
        .and_then(
            [&] { return sound(take_free_slots(), "the free names do not form one list", kHierarchySlots); })
        .and_then([&] { return sound(take_links(), "a link leads nowhere", kHierarchyLinks); })
        .and_then(
            [&] { return sound(take_free_links(), "the free links do not form one list", kHierarchyLinks); })
        .and_then([&] {
          return sound(take_linked_rows(), "a node and its link contradict each other", kHierarchyLinks);
        })
        .and_then([&] {
          return sound(take_lists(), "the links of a parent contradict each other", kHierarchyLinks);
        })
        .and_then([&] {
          return sound(depths_are_sound(), "a node is below itself, or waits for the wrong one",
                       kHierarchyLinks);
        })
        .and_then([&] {
          return sound(take_kept(section<KeptRecord>(kHierarchyKept), store_),
                       "what a node keeps is none of its", kHierarchyKept);
        })
        .and_then([&] {
          return sound(take_destroyed(section<DestroyedRecord>(kHierarchyDestroyed), header_, store_),
                       "what was destroyed was never there, or still is", kHierarchyDestroyed);
        })
        .and_then([&] {
          return sound(take_vacant(section<VacantRecord>(kHierarchyVacant), store_),
                       "places of trees that went are in no tile", kHierarchyVacant);
        })
        .map([&] { take_the_rest(); });
  }

 private:
  template <class T>
  std::span<const T> section(HierarchySection which) const noexcept {
    return {reinterpret_cast<const T*>(file_.data() + layout_.begin[which]),
            static_cast<std::size_t>(layout_.bytes[which] / sizeof(T))};
  }
  Result<void> sound(bool well, const char* what, HierarchySection where) const {
    return well ? Result<void>() : kHierarchyFormat.corrupt(what, layout_.begin[where]);
  }
  [[nodiscard]] std::uint32_t numbers() const noexcept { return header_.tiles + header_.free_tiles; }
  [[nodiscard]] bool is_live(Row row) const noexcept {
    return row / kTileRows < numbers() && store_.tiles[row / kTileRows] != nullptr &&
           store_.tile_of(row).live.test(row % kTileRows);
  }
  [[nodiscard]] bool is_root(Row row) const noexcept {
    const Tile& tile = store_.tile_of(row);
    return tile.linked.test(row % kTileRows) && tile.parent[row % kTileRows] == 0;
  }
  /// Calls `body(tile, row)` for each living row.
  template <class Body>
  void for_each_row(Body&& body) const {
    for (std::uint32_t number = 0; number < numbers(); ++number) {
      Tile* tile = store_.tiles[number];
      for (std::uint32_t w = 0; tile != nullptr && w < kTileWords; ++w) {
        for_each_bit(tile->live.words[w], number * kTileRows + w * 64, [&](Row row) { body(*tile, row); });
      }
    }
  }

  Result<void> read_tiles() {
    const auto records = section<TileRecord>(kHierarchyTiles);
    const auto histories = section<TileHistory>(kHierarchyHistory);
    store_.tiles.assign(numbers(), nullptr);
    for (std::size_t i = 0; i < records.size(); ++i) {
      const std::size_t byte = layout_.begin[kHierarchyTiles] + i * sizeof(TileRecord);
      const std::uint32_t number = records[i].number;
      if (number >= numbers() || (i > 0 && number <= records[i - 1].number)) {
        return kHierarchyFormat.corrupt("tiles do not ascend", byte);
      }
      store_.free_tiles.assign(1, number);
      static_cast<void>(store_.new_tile());
      if (const std::string_view wrong = from_record(records[i], header_.version, *store_.tiles[number]);
          !wrong.empty()) {
        return kHierarchyFormat.corrupt(std::string(wrong), byte);
      }
      if (!histories.empty()) {
        *store_.tiles[number]->history = histories[i];
      }
      store_.nodes += store_.tiles[number]->nodes;
      store_.open_lanes(number);
    }
    return sound(take_free_tiles(), "the free tiles are not those that are free", kHierarchyFreeTiles)
        .and_then([&] {
          return sound(fillable(header_.open, true) && fillable(header_.filled, false),
                       "the tile that is filled next is not free", kHierarchyTiles);
        });
  }

  bool take_free_tiles() {
    const auto free = section<std::uint32_t>(kHierarchyFreeTiles);
    std::vector<bool> seen(numbers(), false);
    for (const std::uint32_t number : free) {
      if (number >= numbers() || store_.tiles[number] != nullptr || seen[number]) {
        return false;
      }
      seen[number] = true;
    }
    store_.free_tiles.reserve(store_.tiles.capacity());
    store_.free_tiles.assign(free.begin(), free.end());
    return true;
  }

  /// A tile that takes single nodes closes the child range of its last row when the next comes.
  [[nodiscard]] bool fillable(std::uint32_t number, bool single) const noexcept {
    if (number == kNoRow) {
      return true;
    }
    const Tile* tile = store_.tiles[number];
    return tile != nullptr && !tile->lanes &&
           (tile->used == 0 ||
            // No row has children beyond those that are in use, where the next block stands: ranges ascend.
            (single ? tile->first_child[tile->used] == kTileRows
                    : tile->first_child[tile->used] <= tile->used));
  }

  bool take_dirty() {
    store_.dirty.reserve(store_.tiles.capacity());
    for (const std::uint32_t number : section<std::uint32_t>(kHierarchyDirty)) {
      if (number >= numbers() || store_.tiles[number] == nullptr || store_.tiles[number]->dirty) {
        return false;
      }
      store_.mark_tile(number);
    }
    return std::none_of(store_.tiles.begin(), store_.tiles.end(), [](const Tile* tile) {
      return tile != nullptr && !tile->dirty && tile->pending.any();
    });
  }

  /// Every living name has a row of its own, and there are as many as rows.
  bool take_slots() {
    const auto slots = section<Slot>(kHierarchySlots);
    store_.slots.grow(header_.slots);
    std::vector<bool> named(std::size_t{numbers()} * kTileRows, false);
    std::size_t living = 0;
    for (std::uint32_t slot = 0; slot < slots.size(); ++slot) {
      const Slot at = slots[slot];
      store_.slots[slot] = at;
      if ((at.generation & 1) == 0) {
        continue;
      }
      if (!is_live(at.row) || named[at.row]) {
        return false;
      }
      named[at.row] = true;
      store_.tile_of(at.row).slot[at.row % kTileRows] = slot;
      ++living;
    }
    return living == store_.nodes;
  }

  /// Free names, but those whose generations are used up, stand in one list.
  bool take_free_slots() {
    const auto slots = section<Slot>(kHierarchySlots);
    std::size_t left = 0;
    for (const Slot& slot : slots) {
      left += (slot.generation & 1) == 0 && slot.generation != 0;
    }
    std::uint32_t at = header_.first_free_slot;
    for (; at != kNoRow && left > 0; --left) {
      if (at >= slots.size() || (slots[at].generation & 1) != 0 || slots[at].generation == 0) {
        return false;
      }
      at = slots[at].row;
    }
    store_.first_free_slot = header_.first_free_slot;
    return at == kNoRow && left == 0;
  }

  bool take_links() {
    const auto links = section<LinkRecord>(kHierarchyLinks);
    store_.links.grow(header_.links - store_.links.size());
    for (std::uint32_t at = 1; at < links.size(); ++at) {
      const LinkRecord& record = links[at];
      store_.links[at] = Link{};
      store_.links[at].next = record.next;
      if (record.next >= links.size()) {
        return false;
      }
      if (record.parent_row == kNoRow) {
        continue;
      }
      if (!is_live(record.parent_row) || record.first / kTileRows >= numbers() ||
          record.depth >= header_.depths || store_.tiles[record.first / kTileRows] == nullptr ||
          record.span == 0 || record.span > kTileRows || record.first % kTileRows + record.span > kTileRows) {
        return false;
      }
      store_.links[at].parent_row = record.parent_row;
      store_.links[at].first = record.first;
      store_.links[at].span = record.span;
      store_.links[at].depth = record.depth;
      ++store_.link_count;
    }
    return true;
  }

  bool take_free_links() {
    std::size_t left = store_.links.size() - 1 - store_.link_count;
    std::uint32_t at = header_.first_free_link;
    for (; at != 0 && left > 0; --left) {
      if (at >= store_.links.size() || store_.links[at].parent_row != kNoRow) {
        return false;
      }
      at = store_.links[at].next;
    }
    store_.first_free_link = header_.first_free_link;
    return at == 0 && left == 0;
  }

  /// Every linked row belongs to a link that spans it, and every link has rows.
  bool take_linked_rows() {
    bool well = true;
    for_each_row([&](Tile& tile, Row row) {
      const std::uint32_t r = row % kTileRows;
      if (!tile.linked.test(r) || !well) {
        return;
      }
      const std::uint32_t at = tile.parent[r];
      if (at == 0) {
        ++store_.roots;
        return;
      }
      well = at < store_.links.size() && store_.links[at].parent_row != kNoRow &&
             store_.links[at].first <= row && row - store_.links[at].first < store_.links[at].span;
      if (well) {
        ++store_.links[at].nodes;
        ++store_.linked_nodes;
        tile.put(Rare::kDeferred, r, store_.links[at].depth != 0);
      }
    });
    for (std::uint32_t at = 1; at < store_.links.size(); ++at) {
      well = well && (store_.links[at].parent_row == kNoRow || store_.links[at].nodes != 0);
    }
    return well;
  }

  /// Links of one parent are one list: every link is the next of one at most, those of none are the first of
  /// theirs, and from there all are met.
  bool take_lists() {
    for (std::uint32_t at = 1; at < store_.links.size(); ++at) {
      const std::uint32_t next = store_.links[at].next;
      if (store_.links[at].parent_row == kNoRow || next == 0) {
        continue;
      }
      if (store_.links[next].parent_row != store_.links[at].parent_row || store_.links[next].previous != 0) {
        return false;
      }
      store_.links[next].previous = at;
    }
    std::size_t met = 0;
    for (std::uint32_t head = 1; head < store_.links.size(); ++head) {
      const Row parent = store_.links[head].parent_row;
      if (parent == kNoRow || store_.links[head].previous != 0) {
        continue;
      }
      Tile& tile = store_.tile_of(parent);
      if (tile.has_links().test(parent % kTileRows)) {
        return false;
      }
      store_.need_first_links(tile);
      tile.set(Rare::kHasLinks, parent % kTileRows);
      tile.first_link[parent % kTileRows] = head;
      for (std::uint32_t at = head; at != 0; at = store_.links[at].next) {
        ++met;
      }
    }
    return met == store_.link_count;
  }

  /// The depth of a link is above that of the nearest link above it, so that nothing hangs below itself; only
  /// links from roots wait for nothing.
  [[nodiscard]] bool depths_are_sound() const {
    std::array<std::uint32_t, kTileRows> depth{};
    bool well = true;
    for_each_row([&](const Tile& tile, Row row) {
      const std::uint32_t r = row % kTileRows;
      depth[r] = tile.linked.test(r) ? store_.links[tile.parent[r]].depth : depth[tile.parent_row(r)];
      if (well && tile.has_links().test(r) && !is_root(row)) {
        for (std::uint32_t at = tile.first_link[r]; at != 0; at = store_.links[at].next) {
          well = well && store_.links[at].depth > depth[r];
        }
      }
    });
    return well;
  }

  void take_the_rest() {
    store_.queues.assign(header_.depths, 0);
    store_.open = header_.open;
    if (header_.open != kNoRow) {
      Tile& tile = *store_.tiles[header_.open];
      for (tile.open_parents = tile.used;
           tile.open_parents > 0 && tile.first_child[tile.open_parents - 1] == kTileRows;) {
        --tile.open_parents;
      }
    }
    store_.filled = header_.filled;
    store_.cursor = header_.cursor;
    store_.debt = header_.debt;
    store_.moved = header_.moved;
    store_.version = header_.version;
    store_.first_generation = header_.generation + 1;
  }

  std::span<const std::byte> file_;
  const HierarchyFileHeader& header_;
  const HierarchyFileLayout layout_;
  HierarchyStore& store_;
};

}  // namespace

Result<HierarchyOptions> options_of(std::span<const std::byte> file) {
  return read_header(file).map([](const HierarchyFileHeader& header) {
    return HierarchyOptions{.history = (header.flags & kFileHistory) != 0,
                            .destroyed = (header.flags & kFileDestroyed) != 0,
                            .side_by_side = (header.flags & kFileRows) == 0};
  });
}

Result<void> read_hierarchy(std::span<const std::byte> file, HierarchyStore& store) {
  return read_header(file).and_then(
      [&](const HierarchyFileHeader& header) { return HierarchyReader(file, header, store).read(); });
}

}  // namespace juxta::transform_detail
