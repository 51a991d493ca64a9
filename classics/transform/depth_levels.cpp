// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Propagation depth by depth over chunks. Source: "Extreme Transforms" of the Latios Framework (Dreaming381):
// ExtremeTransformHierarchyUpdateSystem, and "Transform Hierarchy 1" among its Optimization Adventures.
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
// As printed: the masks, the checks, the updates, the sixteen depths. Not as printed:
//   - ParentToWorld is written (forms.h).
//   - One thread makes the lists; the article has a job that fills lists of blocks, and one that joins them.
//   - The walk below depth 16. The article does not print it. The framework's asks for versions while other
//     tasks of the same job bump them, the very race of the article; here they are all asked first.
//
// Where it is ahead of depth_first.cpp, and where not: it reads children along the chunks and only parents at
// random, where depth-first reads every child and its buffer at random. So it needs about half the time on
// storage that is scattered (bench_transform, random_1M), and after many new parents. Where batches of
// prefabs or whole levels stand in order anyway, depth-first goes along the chunks too, and meets each parent
// while it is still in the cache: the two are even. Both know what changed by chunk only.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classics/transform/chunk_world.h"
#include "classics/transform/systems.h"
#include "classics/transform/walk-inl.h"
#include "classics/transform/wide_mul-inl.h"
#include "juxta/core/executor.h"

namespace juxta::classics {
namespace {

// Chunks in a task, as printed.
constexpr std::size_t kChunksInTask = 1;

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
    for (std::uint32_t depths = head.depth_mask; depths != 0; depths &= depths - 1) {
      state.chunks[static_cast<std::size_t>(std::countr_zero(depths))].push_back(index);
    }
  }
}

template <bool kCopies, bool kWritesParent>
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
        if constexpr (kWritesParent) {
          chunk.parent_to_world[row] = parent;
        }
        mul_into(parent, chunk.local[row], out);
      }
    }
  }
}

// check(chunk) for all chunks of a list, then update(chunk): no check runs beside an update.
template <class Check, class Update>
void in_two_phases(const Executor& executor, std::span<const std::uint32_t> chunks, const Check& check,
                   const Update& update) {
  executor.parallel_for(chunks.size(), kChunksInTask, [&](std::size_t first, std::size_t last) {
    for (const std::uint32_t index : chunks.subspan(first, last - first)) {
      check(index);
    }
  });
  executor.parallel_for(chunks.size(), kChunksInTask, [&](std::size_t first, std::size_t last) {
    for (const std::uint32_t index : chunks.subspan(first, last - first)) {
      update(index);
    }
  });
}

template <unsigned kForm>
void walk_deep(ChunkWorld& world, const Executor& executor) {
  constexpr std::uint8_t kLast = kDeepest - 1;
  ChunkWorld::DepthLevelsState& state = world.depth_levels_state();
  const std::vector<std::uint32_t>& chunks = state.chunks[kLast];
  state.deep_dirty.clear();
  for (const std::uint32_t index : chunks) {
    state.deep_dirty.push_back(changed_since(world.head(index).world, state.last_run) ? 1 : 0);
  }
  state.rooms.resize(chunks.size() / kChunksInTask + 1);
  executor.parallel_for(chunks.size(), kChunksInTask, [&](std::size_t first, std::size_t last) {
    Walk<kForm> walk(world, state.last_run, state.rooms[first / kChunksInTask]);
    for (std::size_t i = first; i < last; ++i) {
      const ChunkHead& head = world.head(chunks[i]);
      const Chunk& chunk = world.chunk(chunks[i]);
      if ((head.archetype & kHasChildren) == 0) {
        continue;
      }
      const bool new_children = changed_since(head.children, state.last_run);
      for (std::uint32_t row = 0; row < head.size; ++row) {
        if (chunk.depth[row] == kLast) {
          walk.below(chunk, row, state.deep_dirty[i] != 0, new_children);
        }
      }
    }
  });
}

}  // namespace

bool depth_needs_update(const ChunkWorld& world, std::uint32_t chunk_index, std::uint8_t depth,
                        std::uint32_t last_run) {
  const ChunkHead& head = world.head(chunk_index);
  if (own_columns_changed(head, last_run)) {
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

void update_depth(ChunkWorld& world, std::uint32_t chunk_index, std::uint8_t depth, bool parent_to_world) {
  ChunkHead& head = world.head(chunk_index);
  Chunk& chunk = world.chunk(chunk_index);
  if ((head.archetype & kCopyParent) != 0) {
    update_rows<true, false>(world, chunk, head.size, depth);
  } else if (parent_to_world) {
    update_rows<false, true>(world, chunk, head.size, depth);
  } else {
    update_rows<false, false>(world, chunk, head.size, depth);
  }
  head.world = world.version();
}

void propagate_depth_levels(ChunkWorld& world, const PropagateForm& form) {
  world.update_parents();
  if (form.pruned_depths) {
    update_depths(world);
  } else {
    update_depths_published(world, form.slips);
  }
  ChunkWorld::DepthLevelsState& state = world.depth_levels_state();
  const Executor& executor = executor_or_serial(form.executor);
  classify(world, state);
  for (std::uint8_t depth = 0; depth < kDeepest; ++depth) {
    const std::uint32_t dirty = std::uint32_t{1} << (kDeepest + depth);
    in_two_phases(
        executor, state.chunks[depth],
        [&](std::uint32_t index) {
          if (depth_needs_update(world, index, depth, state.last_run)) {
            world.head(index).depth_mask |= dirty;
          }
        },
        [&](std::uint32_t index) {
          if ((world.head(index).depth_mask & dirty) != 0) {
            update_depth(world, index, depth, form.parent_to_world);
          }
        });
  }
  form.parent_to_world ? walk_deep<kParentToWorld>(world, executor) : walk_deep<0>(world, executor);
  state.last_run = world.end_system();
}

}  // namespace juxta::classics
