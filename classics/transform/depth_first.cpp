// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Propagation as the seed of Juxta's hierarchies began: LocalToWorldSystem of Unity's Entities package, and
// TransformHierarchyUpdateSystem of the Latios Framework (Dreaming381), which has its QVVS transforms.
//
//   for each chunk of roots that have children          dirty: its transforms or buffers were written
//     for each root, for each child, depth-first        computed: the parent was, or the child's chunk
//
// Dirtiness is known by chunk: one root of 128 that moves lets all 128 trees be computed. And every child is
// visited even when nothing moved, because a local transform somewhere below may have been written.
#include <cstdint>

#include "classics/transform/chunk_world.h"
#include "classics/transform/systems.h"
#include "classics/transform/walk-inl.h"

namespace juxta::classics {

void propagate_depth_first(ChunkWorld& world) {
  world.update_parents();
  ChunkWorld::DepthFirstState& state = world.depth_first_state();
  Walk walk(world, state.last_run, state.stack);
  for (const unsigned tags : {0U, unsigned{kCopyParent}}) {
    for (const std::uint32_t index : world.chunks_of(static_cast<Archetype>(kHasChildren | tags))) {
      const ChunkHead& head = world.head(index);
      const bool dirty =
          changed_since(head.world, state.last_run) || changed_since(head.children, state.last_run);
      for (std::uint32_t row = 0; row < head.size; ++row) {
        walk.below(world.chunk(index), row, dirty);
      }
    }
  }
  state.last_run = world.end_system();
}

}  // namespace juxta::classics
