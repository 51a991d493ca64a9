// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Depth of every entity below a root, kept up to date where parents changed. Not as published: that is
// depths_published.cpp, which goes by chunks that were written. This goes by a list of entities, which
// update_parents() and create() fill, and instantiate() does not, since it knows the depths of its copies.
// The framework's file names such a list as work to come. Two prunings make it cheap: an entity whose
// parent's depth is to be found itself waits until that one comes by, and below an entity whose depth stays
// as it is nothing is visited.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "classics/transform/chunk_world.h"
#include "classics/transform/systems.h"

namespace juxta::classics {
namespace {

class Depths {
 public:
  Depths(ChunkWorld& world, std::vector<Id>& stack) : world_(world), stack_(stack) {}

  void find(Id id) {
    const Place at = world_.place(id);
    const Chunk& chunk = world_.chunk(at.chunk);
    if (chunk.depth[at.row] != kDepthStale) {
      return;  // Found on the way down from above.
    }
    unsigned depth = kRoot;
    if (chunk.parent[at.row] != Id{}) {
      const Place above = world_.place(chunk.parent[at.row]);
      if ((world_.head(above.chunk).archetype & kParented) == 0) {
        depth = 0;
      } else if (world_.chunk(above.chunk).depth[above.row] == kDepthStale) {
        return;
      } else {
        depth = std::min<unsigned>(world_.chunk(above.chunk).depth[above.row] + 1U, kDeepest);
      }
    }
    set_down(id, depth);
  }

 private:
  static constexpr unsigned kRoot = ~0U;

  // Writes the depth of an entity, and of those below it that are not yet one deeper.
  void set_down(Id id, unsigned depth) {
    set(id, depth);
    stack_.assign(1, id);
    while (!stack_.empty()) {
      const Place at = world_.place(stack_.back());
      stack_.pop_back();
      const Chunk& chunk = world_.chunk(at.chunk);
      const bool root = (world_.head(at.chunk).archetype & kParented) == 0;
      const unsigned below = root ? 0U : std::min<unsigned>(chunk.depth[at.row] + 1U, kDeepest);
      for (const Id child : world_.children(chunk.children[at.row])) {
        const Place there = world_.place(child);
        if (world_.chunk(there.chunk).depth[there.row] != below) {
          set(child, below);
          stack_.push_back(child);
        }
      }
    }
  }
  void set(Id id, unsigned depth) {
    const Place at = world_.place(id);
    world_.chunk(at.chunk).depth[at.row] =
        depth == kRoot ? std::uint8_t{0} : static_cast<std::uint8_t>(depth);
    world_.head(at.chunk).depth = world_.version();
  }

  ChunkWorld& world_;
  std::vector<Id>& stack_;
};

}  // namespace

void update_depths(ChunkWorld& world) {
  ChunkWorld::DepthLevelsState& state = world.depth_levels_state();
  Depths depths(world, state.depth_stack);
  if (state.all_reparented) {
    for (std::uint32_t index = 0; index < world.chunks(); ++index) {
      for (std::uint32_t row = 0; row < world.head(index).size; ++row) {
        depths.find(world.chunk(index).id[row]);
      }
    }
  } else {
    for (const Id id : state.reparented) {
      if (world.alive(id)) {
        depths.find(id);
      }
    }
  }
  state.reparented.clear();
  state.all_reparented = false;
  update_depth_masks(world);
}

void update_depth_masks(ChunkWorld& world) {
  ChunkWorld::DepthLevelsState& state = world.depth_levels_state();
  for (std::uint32_t index = 0; index < world.chunks(); ++index) {
    ChunkHead& head = world.head(index);
    if ((head.archetype & kParented) == 0 ||
        (!changed_since(head.depth, state.depths_run) && !changed_since(head.order, state.depths_run))) {
      continue;
    }
    const Chunk& chunk = world.chunk(index);
    head.depth_mask = 0;
    for (std::uint32_t row = 0; row < head.size; ++row) {
      if (chunk.depth[row] < kDeepest) {
        head.depth_mask |= std::uint32_t{1} << chunk.depth[row];
      }
    }
  }
  state.depths_run = world.end_system();
}

}  // namespace juxta::classics
