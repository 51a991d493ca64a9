// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "classics/transform/chunk_world.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <new>
#include <span>

#include "classics/transform/systems.h"
#include "juxta/core/memory.h"

namespace juxta::classics {
namespace {

// Chunks come 128 at a time, so that they lie on huge pages.
constexpr std::size_t kSlabChunks = 128;

void copy_row(const Chunk& from, std::uint32_t from_row, Chunk& to, std::uint32_t to_row) {
  to.world[to_row] = from.world[from_row];
  to.local[to_row] = from.local[from_row];
  to.parent_to_world[to_row] = from.parent_to_world[from_row];
  to.id[to_row] = from.id[from_row];
  to.parent[to_row] = from.parent[from_row];
  to.previous_parent[to_row] = from.previous_parent[from_row];
  to.children[to_row] = from.children[from_row];
  to.depth[to_row] = from.depth[from_row];
}

}  // namespace

ChunkWorld::ChunkWorld()
    : depth_first_(std::make_unique<DepthFirstState>()),
      depth_levels_(std::make_unique<DepthLevelsState>()) {}

ChunkWorld::~ChunkWorld() {
  for (Chunk* slab : slabs_) {
    huge_page_resource()->deallocate(slab, kSlabChunks * sizeof(Chunk), alignof(Chunk));
  }
}

std::uint32_t ChunkWorld::add_chunk(Archetype archetype) {
  const auto index = static_cast<std::uint32_t>(chunks_.size());
  if (index % kSlabChunks == 0) {
    slabs_.push_back(
        static_cast<Chunk*>(huge_page_resource()->allocate(kSlabChunks * sizeof(Chunk), alignof(Chunk))));
  }
  chunks_.push_back(::new (slabs_.back() + index % kSlabChunks) Chunk);
  heads_.push_back({});
  heads_.back().archetype = archetype;
  archetypes_[archetype].chunks.push_back(index);
  archetypes_[archetype].with_room.push_back(index);
  return index;
}

// Entities came: all columns count as written, as in an entity system.
void ChunkWorld::touch_all(ChunkHead& head) const noexcept {
  head.world = head.local = head.parent = head.children = head.depth = head.order = version_;
}

// As many rows of one chunk as it has, at most `wanted`.
ChunkWorld::Rows ChunkWorld::take_rows(Archetype archetype, std::size_t wanted) {
  ArchetypeChunks& all = archetypes_[archetype];
  const std::uint32_t index = all.with_room.empty() ? add_chunk(archetype) : all.with_room.back();
  ChunkHead& head = heads_[index];
  const std::uint32_t first = head.size, room = Chunk::kCapacity - first;
  const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(wanted, room));
  if (count == room) {
    all.with_room.pop_back();
  }
  head.size = static_cast<std::uint16_t>(first + count);
  touch_all(head);
  return {index, first, count};
}

// The chunk's last entity takes the row.
void ChunkWorld::give_back(Place place) {
  ChunkHead& head = heads_[place.chunk];
  Chunk& chunk = *chunks_[place.chunk];
  const auto last = static_cast<std::uint16_t>(head.size - 1);
  if (place.row != last) {
    copy_row(chunk, last, chunk, place.row);
    places_[chunk.id[place.row].slot].row = place.row;
  }
  if (head.size == Chunk::kCapacity) {
    archetypes_[head.archetype].with_room.push_back(place.chunk);
  }
  head.size = last;
  head.order = version_;
}

void ChunkWorld::change_archetype(Id id, Archetype archetype) {
  const Place from = places_[id.slot];
  if (heads_[from.chunk].archetype == archetype) {
    return;
  }
  const Rows rows = take_rows(archetype, 1);
  copy_row(*chunks_[from.chunk], from.row, *chunks_[rows.chunk], rows.first);
  places_[id.slot] = {rows.chunk, rows.first};
  give_back(from);
}

Id ChunkWorld::take_id() {
  ++size_;
  if (!free_slots_.empty()) {
    const std::uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    return {slot, generations_[slot]};
  }
  const auto slot = static_cast<std::uint32_t>(places_.size());
  places_.emplace_back();
  generations_.push_back(1);
  return {slot, 1};
}

void ChunkWorld::remove_row(Id id) {
  const Place at = places_[id.slot];
  pool_.release(chunks_[at.chunk]->children[at.row]);
  give_back(at);
  ++generations_[id.slot];
  free_slots_.push_back(id.slot);
  --size_;
}

void ChunkWorld::move_roots(std::span<const Id> roots, float dx) {
  for (const Id id : roots) {
    const Place at = places_[id.slot];
    chunks_[at.chunk]->world[at.row].position.x += dx;
    heads_[at.chunk].world = version_;
  }
}

void ChunkWorld::move_all_roots(float dx) {
  for (std::uint32_t index = 0; index < chunks(); ++index) {
    ChunkHead& head = heads_[index];
    if ((head.archetype & kParented) != 0 || head.size == 0) {
      continue;
    }
    for (std::uint32_t row = 0; row < head.size; ++row) {
      chunks_[index]->world[row].position.x += dx;
    }
    head.world = version_;
  }
}

void ChunkWorld::set_copy_parent(Id id, bool copies) {
  const unsigned was = heads_[places_[id.slot].chunk].archetype;
  change_archetype(id, static_cast<Archetype>(copies ? was | kCopyParent : was & ~unsigned{kCopyParent}));
}

void ChunkWorld::set_local(Id id, const LocalTransform& local) {
  const Place at = places_[id.slot];
  ChunkHead& head = heads_[at.chunk];
  if ((head.archetype & kParented) != 0) {
    chunks_[at.chunk]->local[at.row] = local;
    head.local = version_;
  } else {
    Qvvs& world = chunks_[at.chunk]->world[at.row];
    world = {local.rotation, local.position, world.context, world.stretch, local.scale};
    head.world = version_;
  }
}

Qvvs ChunkWorld::world_of(Id id) const noexcept {
  const Place at = places_[id.slot];
  return chunks_[at.chunk]->world[at.row];
}

LocalTransform ChunkWorld::local_of(Id id) const noexcept {
  const Place at = places_[id.slot];
  const Chunk& chunk = *chunks_[at.chunk];
  if ((heads_[at.chunk].archetype & kParented) != 0) {
    return chunk.local[at.row];
  }
  const Qvvs& world = chunk.world[at.row];
  return {world.rotation, world.position, world.scale};
}

Qvvs ChunkWorld::parent_to_world_of(Id id) const noexcept {
  const Place at = places_[id.slot];
  return chunks_[at.chunk]->parent_to_world[at.row];
}

Id ChunkWorld::parent_of(Id id) const noexcept {
  const Place at = places_[id.slot];
  return chunks_[at.chunk]->parent[at.row];
}

bool ChunkWorld::alive(Id id) const noexcept {
  return id.slot < generations_.size() && generations_[id.slot] == id.generation;
}

std::size_t ChunkWorld::memory_bytes() const noexcept {
  return slabs_.size() * kSlabChunks * sizeof(Chunk) + heads_.size() * (sizeof(ChunkHead) + sizeof(Chunk*)) +
         places_.size() * (sizeof(Place) + sizeof(std::uint32_t)) + pool_.memory_bytes();
}

}  // namespace juxta::classics
