// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Memory that nodes left goes back.
//
//   slabs     | A . . B | . C . . | D E F . |     tiles in use, places without
//   after     |  gone   |  gone   | D E F C |  A B: the emptiest slabs move their tiles into the fullest
//
// A tile may move because nothing points into it but HierarchyStore::tiles. Names and links move as little as
// they can: names not at all, the links past the last place that is needed into free ones.
#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "transform/links.h"
#include "transform/store.h"

namespace juxta {
namespace transform_detail {
namespace {

/// Gives back the memory of tiles.
class Slabs {
 public:
  explicit Slabs(HierarchyStore& store) : store_(store) {
    static_assert(std::is_trivially_copyable_v<Tile>);
    for (HierarchyStore::Slab& slab : store.slabs) {
      uses_.push_back({slab, {}, {}});
    }
    std::sort(uses_.begin(), uses_.end(),
              [](const Use& a, const Use& b) { return a.slab.data < b.slab.data; });
    for (std::uint32_t number = 0; number < store.tiles.size(); ++number) {
      if (const Tile* tile = store.tiles[number]; tile != nullptr) {
        use_of(tile).numbers.push_back(number);
      }
    }
    for (Tile* tile : store.spare) {
      use_of(tile).spare.push_back(tile);
    }
  }

  void shrink() {
    free_beside();
    // The fullest first; of equals the larger, so that small ones become empty. Places do not decide what the
    // hierarchy answers, so the order of addresses may decide between equals.
    std::stable_sort(uses_.begin(), uses_.end(), [](const Use& a, const Use& b) {
      return a.numbers.size() != b.numbers.size() ? a.numbers.size() > b.numbers.size()
                                                  : a.slab.bytes > b.slab.bytes;
    });
    std::size_t into = 0;
    for (std::size_t from = uses_.size(); from-- > 0;) {
      while (into < from && uses_[into].spare.empty()) {
        ++into;
      }
      move_all(from, into);
    }
    put_back();
  }

 private:
  struct Use {
    HierarchyStore::Slab slab;
    std::vector<std::uint32_t> numbers;  // of the tiles that stand here
    std::vector<Tile*> spare;
  };

  /// While uses_ ascends by addresses.
  [[nodiscard]] Use& use_of(const Tile* tile) {
    const auto* const at = reinterpret_cast<const std::byte*>(tile);
    const auto after = std::upper_bound(uses_.begin(), uses_.end(), at,
                                        [](const std::byte* a, const Use& use) { return a < use.slab.data; });
    return *std::prev(after);
  }

  void free_beside() noexcept {
    for (Tile* tile : store_.spare) {
      store_.free_beside(*tile);
    }
  }

  /// Moves the tiles of a slab into others that are as full or fuller, if all of them find a place there.
  void move_all(std::size_t from, std::size_t into) {
    std::size_t places = 0;
    for (std::size_t i = into; i < from && places < uses_[from].numbers.size(); ++i) {
      places += uses_[i].spare.size();
    }
    if (places < uses_[from].numbers.size()) {
      return;
    }
    for (const std::uint32_t number : uses_[from].numbers) {
      while (uses_[into].spare.empty()) {
        ++into;
      }
      Tile* const to = uses_[into].spare.back();
      uses_[into].spare.pop_back();
      uses_[into].numbers.push_back(number);
      std::memcpy(static_cast<void*>(to), store_.tiles[number], sizeof(Tile));
      store_.tiles[number] = to;
    }
    uses_[from].numbers.clear();
  }

  void put_back() {
    store_.slabs.clear();
    store_.spare.clear();
    for (const Use& use : uses_) {
      if (use.numbers.empty()) {
        store_.memory->deallocate(use.slab.data, use.slab.bytes, 64);
      } else {
        store_.slabs.push_back(use.slab);
        store_.spare.insert(store_.spare.end(), use.spare.begin(), use.spare.end());
      }
    }
  }

  HierarchyStore& store_;
  std::vector<Use> uses_;
};

/// Gives back names past the last living one. Those that are made anew begin with a generation that none of
/// them had, so that old Ids stay dead.
void shrink_slots(HierarchyStore& store) {
  std::uint32_t count = store.slots.size();
  std::uint32_t generation = store.first_generation;
  for (; count > 0; --count) {
    const std::uint32_t last = store.slots[count - 1].generation;  // of a free slot: even; 0: used up
    if ((last & 1) != 0 || last == 0) {
      break;
    }
    generation = std::max(generation, last + 1);
  }
  if (count == store.slots.size()) {
    return;
  }
  store.first_generation = generation;
  std::uint32_t kept = kNoRow;  // the last of the free ones that stay, in the order of their list
  std::uint32_t first = kNoRow;
  for (std::uint32_t at = store.first_free_slot; at != kNoRow; at = store.slots[at].row) {
    if (at < count) {
      (kept == kNoRow ? first : store.slots[kept].row) = at;
      kept = at;
    }
  }
  if (kept != kNoRow) {
    store.slots[kept].row = kNoRow;
  }
  store.first_free_slot = first;
  store.freed.clear();
  store.freed.shrink_to_fit();
  store.slots.shrink(count);
}

/// A link moves to another place in the table.
void move_link(HierarchyStore& store, std::uint32_t from, std::uint32_t to) {
  for_each_row_of(store, from, [&](Row row) { store.tile_of(row).parent[row % kTileRows] = to; });
  const Link& link = store.links[to] = store.links[from];
  if (link.next != 0) {
    store.links[link.next].previous = to;
  }
  if (link.previous != 0) {
    store.links[link.previous].next = to;
  } else {
    store.tile_of(link.parent_row).first_link[link.parent_row % kTileRows] = to;
  }
}

void shrink_links(HierarchyStore& store) {
  const auto needed = static_cast<std::uint32_t>(store.link_count + 1);
  std::uint32_t to = 1;
  for (std::uint32_t from = needed; from < store.links.size(); ++from) {
    if (store.links[from].nodes == 0) {
      continue;
    }
    while (store.links[to].nodes != 0) {
      ++to;
    }
    move_link(store, from, to);
  }
  store.first_free_link = 0;
  store.links.shrink(needed);
}

}  // namespace
}  // namespace transform_detail

std::size_t Hierarchy::shrink() {
  transform_detail::HierarchyStore& store = *store_;
  const std::size_t before = store.memory_bytes();
  transform_detail::Slabs(store).shrink();
  transform_detail::shrink_slots(store);
  transform_detail::shrink_links(store);
  std::erase_if(store.stale_depths, [&](std::uint32_t slot) { return slot >= store.slots.size(); });
  store.stale_depths.shrink_to_fit();
  store.destroyed.shrink_to_fit();
  store.vacancies.shrink(store.tiles);
  store.scratch = Workspace(store.memory);
  store.read_scratch = Workspace(huge_page_resource());
  store.read_bytes = 0;
  const std::size_t after = store.memory_bytes();
  return before - std::min(before, after);
}

}  // namespace juxta
