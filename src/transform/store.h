// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a hierarchy owns.
//
//   Id {slot, generation} -> slots[slot].row -> tiles[row / 1024], row % 1024
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory_resource>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/mutex.h"
#include "juxta/core/error.h"
#include "juxta/core/id.h"
#include "juxta/core/memory.h"
#include "juxta/core/workspace.h"
#include "juxta/transform/hierarchy.h"
#include "transform/known_worlds.h"
#include "transform/paged.h"
#include "transform/tile.h"
#include "transform/vacancies.h"

namespace juxta::transform_detail {

/// Names of nodes. A generation is odd while its slot lives.
struct Slot {
  std::uint32_t generation;
  Row row;  // where the node stands; the next free slot (kNoRow: none) when there is no node
};

/// Rows of one tile, next to each other, that have one parent elsewhere.
///
///   parent_row --first_link--> link --next--> link ...      each parent's links, doubly linked
///
/// Rows of [first, first + span) may have gone since: those whose Tile::parent is this link still belong to
/// it. Link 0 is every root's: its parent is the world.
struct Link {
  Row parent_row = kNoRow;
  Row first = kNoRow;
  std::uint32_t span = 0;
  std::uint32_t nodes = 0;  // of the span that still belong to it; 0: free
  std::uint32_t next = 0;   // of the same parent, or the next free link
  std::uint32_t previous = 0;
  /// The round in which its rows are computed: more than that of the nearest link above. 0: the parent is a
  /// root, whose world is its local transform, so that there is nothing to wait for.
  std::uint32_t depth = 0;
  std::uint32_t moved = 0;    // version in which the parent changed last
  std::uint32_t queued = 0;   // version in which the link was queued last
  std::uint32_t checked = 0;  // HierarchyStore::depth_turn when its depth was last found from above
  std::uint32_t queue_next = 0;
  std::uint32_t framed =
      0;  // version in which `frame` was put: what the rows take from the parent as it is then
  Frame frame{};
};

/// A node that was destroyed, and the version that tells readers.
struct Destroyed {
  Id id;
  std::uint32_t version;
};

struct HierarchyStore {
  HierarchyStore(const HierarchyOptions& options, std::pmr::memory_resource* resource);
  HierarchyStore(const HierarchyStore&) = delete;
  HierarchyStore& operator=(const HierarchyStore&) = delete;
  ~HierarchyStore();

  std::pmr::memory_resource* memory;
  bool history;
  bool keeps_destroyed;
  bool side_by_side;

  std::pmr::vector<Tile*> tiles;               // null: the number is free
  std::pmr::vector<std::uint32_t> free_tiles;  // numbers, the next to be used last
  struct Slab {
    std::byte* data;
    std::size_t bytes;
  };
  std::pmr::vector<Slab> slabs;
  std::pmr::vector<Tile*> spare;  // memory of tiles that are not in use

  Paged<Slot> slots;
  std::uint32_t first_free_slot = kNoRow;
  /// The first slots of the list of free ones, the very first last, as far as it is known without walking it:
  /// each leads to the next, and all miss the caches. Only what is asked for ahead depends on it.
  std::pmr::vector<std::uint32_t> freed;
  std::uint32_t first_generation = 1;  // of new slots: above those of slots that shrink() gave back
  Paged<Link> links;
  std::uint32_t first_free_link = 0;
  std::pmr::vector<std::uint32_t> queues;  // by Link::depth: the links of the round, while propagate() runs

  std::uint32_t open = kNoRow;    // the tile where single nodes go; kNoRow: none yet
  std::uint32_t filled = kNoRow;  // the tile where whole trees go
  /// Groups that are left in tiles of lanes, and the tile: new ones go where the fewest are left that
  /// suffice.
  std::set<std::pair<std::uint32_t, std::uint32_t>> lane_room;
  Vacancies vacancies;
  std::uint32_t cursor = 0;  // the tile that is tidied next
  std::size_t debt = 0;      // nodes that tidying may still move for what was done to the order

  std::size_t moved = 0;  // nodes that tidying moved since the last propagation

  /// Slots of nodes below which links may have another depth than they should; see settle_depths().
  std::pmr::vector<std::uint32_t> stale_depths;
  std::uint32_t depth_turn = 0;

  std::size_t nodes = 0;
  std::size_t roots = 0;
  std::size_t linked_nodes = 0;  // roots not counted
  std::size_t link_count = 0;
  std::uint32_t version = 0;
  std::pmr::vector<std::uint32_t> dirty;  // tiles with pending rows
  /// By slot: what rows with flags keep, where that is not the world transform that the last propagate() left
  /// (which readers still see in Tile::world). All of these rows are pending.
  std::pmr::unordered_map<std::uint32_t, HotWorld> kept;
  KnownWorlds known;
  std::pmr::vector<Destroyed> destroyed;  // in the order of destruction, so that versions ascend
  std::uint32_t forgotten = 0;            // what was destroyed up to this version is not in the list
  core_detail::Mutex systems;             // held where systems begin and end
  std::uint8_t fields_in_use = 0;         // NodeFields of the systems that are running
  Workspace scratch;
  /// Of const calls, any number of which may run at once: one of them has it, others take memory of their
  /// own. It does not come from `memory`, which need not be safe from many threads.
  mutable core_detail::Mutex reading;
  mutable Workspace read_scratch{huge_page_resource()};
  mutable std::atomic<std::size_t> read_bytes = 0;  // of read_scratch, for those who do not wait for it

  [[nodiscard]] Tile& tile_of(Row row) noexcept { return *tiles[row / kTileRows]; }
  [[nodiscard]] const Tile& tile_of(Row row) const noexcept { return *tiles[row / kTileRows]; }
  [[nodiscard]] bool alive(Id id) const noexcept {
    return id.slot < slots.size() && slots[id.slot].generation == id.generation && (id.generation & 1) != 0;
  }
  [[nodiscard]] Id id_at(Row row) const noexcept {
    const std::uint32_t slot = tile_of(row).slot[row % kTileRows];
    return {slot, slots[slot].generation};
  }
  /// The world transform that a row with flags keeps.
  [[nodiscard]] Qvvs kept_world(const Tile& tile, std::uint32_t row) const {
    const HotWorld world = kept_of(tile, row).value_or(tile.world_at(row));
    return {world.rotation, world.position, tile.cold[row].context, tile.cold[row].stretch, world.scale};
  }
  /// Its entry in `kept`.
  [[nodiscard]] std::optional<HotWorld> kept_of(const Tile& tile, std::uint32_t row) const {
    const auto found = kept.empty() ? kept.end() : kept.find(tile.slot[row]);
    return found == kept.end() ? std::nullopt : std::optional(found->second);
  }
  void put_kept(const Tile& tile, std::uint32_t row, const std::optional<HotWorld>& world) {
    if (world) {
      kept[tile.slot[row]] = *world;
    } else if (!kept.empty()) {
      kept.erase(tile.slot[row]);
    }
  }
  /// The row of the parent; kNoRow for a root.
  [[nodiscard]] Row parent_of(Row row) const noexcept {
    const Tile& tile = tile_of(row);
    const std::uint32_t r = row % kTileRows;
    return tile.linked.test(r) ? links[tile.parent[r]].parent_row : row - r + tile.parent_row(r);
  }
  /// The row was written: it and all below is out of date.
  void mark(Row row) {
    known.forget();
    mark_new(row);
  }
  /// The same for a row without children.
  void mark_new(Row row) {
    Tile& tile = tile_of(row);
    tile.pending.set(row % kTileRows);
    mark_tile(row / kTileRows);
  }
  void mark_tile(std::uint32_t number) {
    Tile& tile = *tiles[number];
    if (!tile.dirty) {
      tile.dirty = true;
      dirty.push_back(number);
    }
  }

  /// Nodes were destroyed since the last propagation, and readers are to be told.
  [[nodiscard]] bool destroyed_waits() const noexcept {
    return !destroyed.empty() && destroyed.back().version > version;
  }
  /// Notes that this node goes, if somebody asked for that. Before its slot is freed.
  void note_destroyed(std::uint32_t slot) {
    if (keeps_destroyed) {
      const bool last = version == std::numeric_limits<std::uint32_t>::max();  // there is no next one
      destroyed.push_back({{slot, slots[slot].generation}, version + (last ? 0 : 1)});
    }
  }

  [[nodiscard]] std::size_t tiles_in_use() const noexcept { return tiles.size() - free_tiles.size(); }
  /// Takes a tile off `lane_room`, or puts it on it, if it has room.
  void close_lanes(std::uint32_t number);
  void open_lanes(std::uint32_t number);
  /// The memory of Tile::first_link. A tile keeps it until shrink(): a place that had links has some again.
  void need_first_links(Tile& tile);
  /// Gives back what stands beside a tile: its history and first_link.
  void free_beside(Tile& tile) noexcept;
  /// An empty tile; its number.
  [[nodiscard]] std::uint32_t new_tile();
  /// Gives back a tile without nodes.
  void free_tile(std::uint32_t number);
  /// A new Id for the node that stands in `row`; there must be a slot left.
  [[nodiscard]] Id new_slot(Row row);
  void free_slot(std::uint32_t slot) noexcept;
  /// So many slots are about to be freed.
  void expect_free_slots(std::size_t count);
  /// True when `count` more slots can be had.
  [[nodiscard]] bool has_slots(std::size_t count) const noexcept;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;
};

/// Errors that name an Id, and its place in a bulk call.
[[nodiscard]] tl::unexpected<Error> fail_at(ErrorCode code, Id id, std::string_view what,
                                            std::uint64_t index = Error::kNowhere);
/// The row of a living node.
[[nodiscard]] Result<Row> row_of(const HierarchyStore& store, Id id, std::uint64_t index = Error::kNowhere);
/// Between them, the square of a rotation's length is as good as 1.
inline constexpr float kLeastSquare = 0.99998F, kMostSquare = 1.00002F;
/// Nothing to refuse, nothing to normalise: by far the most are so, and a Result for each would cost more
/// than the rest.
[[nodiscard]] inline bool kept_as_it_is(const LocalTransform& local) noexcept {
  const float squared = length_squared(local.rotation);  // of a rotation that is not finite: NaN or infinite
  return squared > kLeastSquare && squared < kMostSquare && is_finite(local.position) && local.scale > 0 &&
         local.scale <= std::numeric_limits<float>::max();
}
/// A local transform as the store keeps it: rotation of length 1. Refuses what Hierarchy refuses.
[[nodiscard]] Result<LocalTransform> checked(const LocalTransform& local, Id id,
                                             std::uint64_t index = Error::kNowhere);

}  // namespace juxta::transform_detail
