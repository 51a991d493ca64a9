// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "transform/store.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <memory_resource>
#include <new>
#include <string>

#include "core/prefetch.h"

namespace juxta::transform_detail {
namespace {

constexpr std::size_t kFirstLinksBytes = kTileRows * sizeof(std::uint32_t);
constexpr std::size_t kMostFreed = std::size_t{1} << 16;  // in HierarchyStore::freed
constexpr std::size_t kFreeSlotsAhead = 24;

}  // namespace

HierarchyStore::HierarchyStore(const HierarchyOptions& options, std::pmr::memory_resource* resource)
    : memory(resource),
      history(options.history),
      keeps_destroyed(options.destroyed),
      side_by_side(options.side_by_side),
      tiles(resource),
      free_tiles(resource),
      slabs(resource),
      spare(resource),
      slots(resource),
      freed(resource),
      links(resource),
      queues(resource),
      vacancies(resource),
      stale_depths(resource),
      dirty(resource),
      kept(resource),
      known(resource),
      destroyed(resource),
      scratch(resource) {
  links.grow(1);
  links[0] = Link{};
}

HierarchyStore::~HierarchyStore() {
  for (const std::pmr::vector<Tile*>* some : {&tiles, &spare}) {
    for (Tile* tile : *some) {
      if (tile != nullptr) {
        free_beside(*tile);
      }
    }
  }
  for (const Slab& slab : slabs) {
    memory->deallocate(slab.data, slab.bytes, 64);
  }
}

void HierarchyStore::need_first_links(Tile& tile) {
  if (tile.first_link == nullptr) {
    tile.first_link = static_cast<std::uint32_t*>(memory->allocate(kFirstLinksBytes, 64));
  }
}

void HierarchyStore::free_beside(Tile& tile) noexcept {
  if (tile.history != nullptr) {
    memory->deallocate(tile.history, sizeof(TileHistory), 64);
    tile.history = nullptr;
  }
  if (tile.first_link != nullptr) {
    memory->deallocate(tile.first_link, kFirstLinksBytes, 64);
    tile.first_link = nullptr;
  }
}

std::uint32_t HierarchyStore::new_tile() {
  if (spare.empty()) {
    const std::size_t count = tiles_in_use() < kFewTiles ? 1 : kSlabTiles;
    const std::size_t bytes = count == kSlabTiles ? kHugePage : count * sizeof(Tile);
    slabs.reserve(slabs.size() + 1);
    spare.reserve(spare.size() + count);
    auto* data = static_cast<std::byte*>(memory->allocate(bytes, 64));
    slabs.push_back({data, bytes});
    for (std::size_t i = count; i-- > 0;) {
      spare.push_back(new (data + i * sizeof(Tile)) Tile);
    }
  }
  if (free_tiles.empty()) {
    tiles.push_back(nullptr);
    free_tiles.reserve(tiles.capacity());  // so that free_tile() and mark() never allocate
    dirty.reserve(tiles.capacity());
    free_tiles.push_back(static_cast<std::uint32_t>(tiles.size() - 1));
  }
  Tile* tile = spare.back();
  if (history && tile->history == nullptr) {
    tile->history = static_cast<TileHistory*>(memory->allocate(sizeof(TileHistory), 64));
  }
  spare.pop_back();
  const std::uint32_t number = free_tiles.back();
  free_tiles.pop_back();
  tiles[number] = tile;
  return number;
}

void HierarchyStore::close_lanes(std::uint32_t number) {
  if (tiles[number]->lanes) {
    lane_room.erase({kTileGroups - tiles[number]->used / kGroupRows, number});
  }
}
void HierarchyStore::open_lanes(std::uint32_t number) {
  if (const Tile& tile = *tiles[number]; tile.lanes && tile.used < kTileRows) {
    lane_room.insert({kTileGroups - tile.used / kGroupRows, number});
  }
}

void HierarchyStore::free_tile(std::uint32_t number) {
  Tile* tile = tiles[number];
  if (tile->dirty) {
    dirty.erase(std::find(dirty.begin(), dirty.end(), number));
  }
  open = open == number ? kNoRow : open;
  filled = filled == number ? kNoRow : filled;
  close_lanes(number);
  TileHistory* const history_kept = tile->history;
  std::uint32_t* const first_link_kept = tile->first_link;
  spare.push_back(new (tile) Tile);
  tile->history = history_kept;
  tile->first_link = first_link_kept;
  tiles[number] = nullptr;
  free_tiles.push_back(number);
}

Id HierarchyStore::new_slot(Row row) {
  std::uint32_t slot = first_free_slot;
  if (slot != kNoRow) {
    first_free_slot = slots[slot].row;
    if (!freed.empty()) {
      freed.pop_back();
    }
    const std::uint32_t later =
        freed.size() < kFreeSlotsAhead ? first_free_slot : freed[freed.size() - kFreeSlotsAhead];
    if (later != kNoRow) {
      core_detail::prefetch_line(&slots[later]);
    }
    ++slots[slot].generation;
  } else {
    slot = slots.size();
    slots.grow(1);
    slots[slot].generation = first_generation;
  }
  slots[slot].row = row;
  return {slot, slots[slot].generation};
}

void HierarchyStore::free_slot(std::uint32_t slot) noexcept {
  if (++slots[slot].generation == 0) {
    return;  // its generations are used up
  }
  slots[slot].row = first_free_slot;
  first_free_slot = slot;
  if (freed.size() == freed.capacity()) {
    freed.clear();
  }
  if (freed.capacity() != 0) {
    freed.push_back(slot);
  }
}

void HierarchyStore::expect_free_slots(std::size_t count) {
  const std::size_t needed = std::min(freed.size() + count, kMostFreed);
  if (freed.capacity() < needed) {
    freed.reserve(std::max(needed, std::min(2 * freed.capacity(), kMostFreed)));
  }
}

bool HierarchyStore::has_slots(std::size_t count) const noexcept {
  return count <= kNoRow - 1 - nodes && (slots.size() < kNoRow - 1 - count || first_free_slot != kNoRow);
}

std::size_t HierarchyStore::memory_bytes() const noexcept {
  std::size_t bytes = sizeof(*this) + slots.memory_bytes() + links.memory_bytes() + vacancies.memory_bytes() +
                      scratch.memory_bytes() + (tiles.capacity() + spare.capacity()) * sizeof(void*) +
                      slabs.capacity() * sizeof(Slab) + destroyed.capacity() * sizeof(Destroyed) +
                      (free_tiles.capacity() + queues.capacity() + dirty.capacity() + freed.capacity()) *
                          sizeof(std::uint32_t);
  bytes += read_bytes.load(std::memory_order_relaxed);
  for (const Slab& slab : slabs) {
    bytes += slab.bytes;
  }
  for (const std::pmr::vector<Tile*>* some : {&tiles, &spare}) {
    for (const Tile* tile : *some) {
      bytes += tile != nullptr && tile->history != nullptr ? sizeof(TileHistory) : 0;
      bytes += tile != nullptr && tile->first_link != nullptr ? kFirstLinksBytes : 0;
    }
  }
  return bytes;
}

tl::unexpected<Error> fail_at(ErrorCode code, Id id, std::string_view what, std::uint64_t index) {
  std::string message = "node " + std::to_string(id.slot) + ":" + std::to_string(id.generation);
  if (index != Error::kNowhere) {
    message += " (number " + std::to_string(index) + " of the call)";
  }
  message += ": ";
  message += what;
  return fail(code, std::move(message), index);
}

Result<Row> row_of(const HierarchyStore& store, Id id, std::uint64_t index) {
  if (!store.alive(id)) {
    return fail_at(ErrorCode::kNotFound, id, "no such node: it was destroyed, or never made here", index);
  }
  return store.slots[id.slot].row;
}

Result<LocalTransform> checked(const LocalTransform& local, Id id, std::uint64_t index) {
  if (!is_finite(local)) {
    return fail_at(ErrorCode::kNotFinite, id, "its transform holds NaN or an infinity", index);
  }
  if (!(local.scale > 0)) {
    return fail_at(ErrorCode::kInvalidArgument, id,
                   "its scale is not above 0; mirror or flatten with the stretch", index);
  }
  const float squared = length_squared(local.rotation);
  LocalTransform kept = local;
  if (!(squared > kLeastSquare && squared < kMostSquare)) {
    // Far from 1 the square may have left the range of floats: bring the largest number to 1 first.
    const Quat& q = local.rotation;
    const float largest = std::max({std::abs(q.x), std::abs(q.y), std::abs(q.z), std::abs(q.w)});
    if (largest == 0) {
      return fail_at(ErrorCode::kInvalidArgument, id, "its rotation is zero; the identity is (0, 0, 0, 1)",
                     index);
    }
    kept.rotation = normalized({q.x / largest, q.y / largest, q.z / largest, q.w / largest});
  }
  return kept;
}

}  // namespace juxta::transform_detail
