// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Propagation as the seed of Juxta's hierarchies began: LocalToWorldSystem of Unity's Entities package, and
// TransformHierarchyUpdateSystem of the Latios Framework (Dreaming381), which has its QVVS transforms.
//
//   for each chunk of roots that have children          dirty: its world transforms were written
//     for each root, for each child, depth-first        computed: see Walk
//
// As printed in "Transform Hierarchy 1": what is computed, what is loaded and when, what is written, and that
// a buffer of children which changed lets only those children be computed whose PreviousParent may have
// changed (Unity's own job computes all below such a root). Not as printed: see Walk and forms.h.
//
// Dirtiness is known by chunk: one root of 128 that moves lets all 128 trees be computed. And every child is
// visited even when nothing moved, because a local transform somewhere below may have been written.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "classics/transform/chunk_world.h"
#include "classics/transform/systems.h"
#include "classics/transform/walk-inl.h"
#include "juxta/core/executor.h"

namespace juxta::classics {
namespace {

// Chunks of roots in a task, as published.
constexpr std::size_t kChunksInTask = 1;

void list_roots(const ChunkWorld& world, std::vector<std::uint32_t>& roots) {
  roots.clear();
  for (const unsigned tags : {0U, unsigned{kCopyParent}}) {
    const auto chunks = world.chunks_of(static_cast<Archetype>(kHasChildren | tags));
    roots.insert(roots.end(), chunks.begin(), chunks.end());
  }
}

template <unsigned kForm>
void walk_roots(ChunkWorld& world, const Executor& executor) {
  ChunkWorld::DepthFirstState& state = world.depth_first_state();
  list_roots(world, state.roots);
  state.rooms.resize(state.roots.size() / kChunksInTask + 1);
  executor.parallel_for(state.roots.size(), kChunksInTask, [&](std::size_t first, std::size_t last) {
    Walk<kForm> walk(world, state.last_run, state.rooms[first / kChunksInTask]);
    for (std::size_t i = first; i < last; ++i) {
      const ChunkHead& head = world.head(state.roots[i]);
      const bool dirty = changed_since(head.world, state.last_run);
      const bool new_children = changed_since(head.children, state.last_run);
      for (std::uint32_t row = 0; row < head.size; ++row) {
        walk.below(world.chunk(state.roots[i]), row, dirty, new_children);
      }
    }
  });
}

}  // namespace

void propagate_depth_first(ChunkWorld& world, const PropagateForm& form) {
  world.update_parents();
  const Executor& executor = executor_or_serial(form.executor);
  if (form.slips) {
    walk_roots<kParentToWorld | kWithSlips>(world, executor);
  } else if (form.eager) {
    form.parent_to_world ? walk_roots<kEagerly | kParentToWorld>(world, executor)
                         : walk_roots<kEagerly>(world, executor);
  } else {
    form.parent_to_world ? walk_roots<kParentToWorld>(world, executor) : walk_roots<0>(world, executor);
  }
  world.depth_first_state().last_run = world.end_system();
}

}  // namespace juxta::classics
