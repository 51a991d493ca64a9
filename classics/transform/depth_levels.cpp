// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Propagation depth by depth over chunks. Source: "Extreme Transforms" of the Latios Framework (Dreaming381):
// ExtremeTransformHierarchyUpdateSystem, and the article on depth levels among its Optimization Adventures.
//
//   classify   chunk -> the list of each depth that it holds (16 bits of its depth mask)
//   depth 0    check:  dirty, if the chunk's locals or parents were written, or the transforms of a chunk
//                      that holds a parent of one of its entities of this depth (16 dirty bits of the mask)
//              update: every dirty chunk computes all its entities of this depth, in the order of memory
//   depth 1    ...
//   below 16   depth-first
//
// Check and update are phases of their own: an update bumps versions that another chunk's check may read, so
// in one job the outcome would depend on who comes first (version_race.h shows it).
//
// Where it is ahead of depth_first.cpp, and where not: it reads children along the chunks and only parents at
// random, where depth-first reads every child and its buffer at random. So it needs about half the time on
// storage that is scattered (bench_transform, random_1M), and after many new parents. Where batches of
// prefabs or whole levels stand in order anyway, depth-first goes along the chunks too, and meets each parent
// while it is still in the cache: the two are even. Both know what changed by chunk only.
#include <cstdint>

#include "classics/transform/chunk_world.h"
#include "classics/transform/systems.h"
#include "classics/transform/walk-inl.h"
#include "classics/transform/wide_mul-inl.h"

namespace juxta::classics {
namespace {

// Chunk lists by depth; the dirty bits of the run before are dropped.
void classify(ChunkWorld& world, ChunkWorld::DepthLevelsState& state) {
  for (auto& list : state.chunks) {
    list.clear();
  }
  for (std::uint32_t index = 0; index < world.chunks(); ++index) {
    ChunkHead& head = world.head(index);
    if ((head.archetype & kParented) == 0) {
      continue;
    }
    head.depth_mask &= 0xffffU;
    for (std::uint32_t depth = 0; depth < kDeepest; ++depth) {
      if ((head.depth_mask >> depth & 1) != 0) {
        state.chunks[depth].push_back(index);
      }
    }
  }
}

template <bool kCopies>
void update_rows(ChunkWorld& world, Chunk& chunk, std::uint32_t size, std::uint8_t depth) {
  const std::span<const Place> places = world.places();
  for (std::uint32_t row = 0; row < size; ++row) {
    if (chunk.depth[row] == depth) {
      const Place above = places[chunk.parent[row].slot];
      const Qvvs& parent = world.chunk(above.chunk).world[above.row];
      Qvvs& out = chunk.world[row];
      if constexpr (kCopies) {
        out = parent;
      } else {
        mul_into(parent, chunk.local[row], out);
      }
    }
  }
}

}  // namespace

bool depth_needs_update(const ChunkWorld& world, std::uint32_t chunk_index, std::uint8_t depth,
                        std::uint32_t last_run) {
  const ChunkHead& head = world.head(chunk_index);
  if (changed_since(head.local, last_run) || changed_since(head.parent, last_run)) {
    return true;
  }
  const Chunk& chunk = world.chunk(chunk_index);
  const std::span<const Place> places = world.places();
  for (std::uint32_t row = 0; row < head.size; ++row) {
    if (chunk.depth[row] == depth &&
        changed_since(world.head(places[chunk.parent[row].slot].chunk).world, last_run)) {
      return true;
    }
  }
  return false;
}

void update_depth(ChunkWorld& world, std::uint32_t chunk_index, std::uint8_t depth) {
  ChunkHead& head = world.head(chunk_index);
  Chunk& chunk = world.chunk(chunk_index);
  if ((head.archetype & kCopyParent) != 0) {
    update_rows<true>(world, chunk, head.size, depth);
  } else {
    update_rows<false>(world, chunk, head.size, depth);
  }
  head.world = world.version();
}

void propagate_depth_levels(ChunkWorld& world) {
  world.update_parents();
  update_depths(world);
  ChunkWorld::DepthLevelsState& state = world.depth_levels_state();
  classify(world, state);
  for (std::uint8_t depth = 0; depth < kDeepest; ++depth) {
    const std::uint32_t dirty = std::uint32_t{1} << (kDeepest + depth);
    for (const std::uint32_t index : state.chunks[depth]) {
      if (depth_needs_update(world, index, depth, state.last_run)) {
        world.head(index).depth_mask |= dirty;
      }
    }
    for (const std::uint32_t index : state.chunks[depth]) {
      if ((world.head(index).depth_mask & dirty) != 0) {
        update_depth(world, index, depth);
      }
    }
  }
  constexpr std::uint8_t kLast = kDeepest - 1;
  Walk walk(world, state.last_run, state.stack);
  for (const std::uint32_t index : state.chunks[kLast]) {
    const ChunkHead& head = world.head(index);
    if ((head.archetype & kHasChildren) == 0) {
      continue;
    }
    const Chunk& chunk = world.chunk(index);
    const bool dirty = changed_since(head.world, state.last_run);
    for (std::uint32_t row = 0; row < head.size; ++row) {
      if (chunk.depth[row] == kLast) {
        walk.below(chunk, row, dirty);
      }
    }
  }
  state.last_run = world.end_system();
}

}  // namespace juxta::classics
