// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Depth of every entity below a root, as "Transform Hierarchy 1" has it: ExtremeChildDepthsSystem of the
// Latios Framework (Dreaming381).
//
//   for each chunk in which a PreviousParent was written, for each entity of it:
//     walk up     an ancestor's chunk was written too: leave it to that one. Else its depth is the way up,
//     broadcast   and all below it get theirs, whatever they had.
//
// Walks and broadcasts go by chunks that were written, so 127 neighbours of an entity with a new parent are
// walked and broadcast as well, and so is every new instance of a prefab.
//
// Not as printed, and mended (update_depths_published with `slips` does without):
//   - What hangs on an entity that becomes a root. That entity has no PreviousParent any more, and those
//     below have theirs unwritten, so the printed job meets none of them. Their depths stay, in the right
//     order but too deep; and what was below depth 16 is then reached by no walk.
//   - A depth stays at 16. As printed it is a byte, and 256 levels down it is 0 again. (The framework's own
//     file lets it stay at 64.)
// Nor is the recursion; and it runs on the calling thread.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "classics/transform/chunk_world.h"
#include "classics/transform/systems.h"

namespace juxta::classics {
namespace {

class Broadcast {
 public:
  Broadcast(ChunkWorld& world, std::uint32_t last_run, bool slips)
      : world_(world), last_run_(last_run), slips_(slips), stack_(world.depth_levels_state().depth_stack) {}

  void visit(std::uint32_t index) {
    const ChunkHead& head = world_.head(index);
    if (!changed_since(head.parent, last_run_)) {
      return;
    }
    const bool parented = (head.archetype & kParented) != 0;
    if (!parented && slips_) {
      return;
    }
    Chunk& chunk = world_.chunk(index);
    for (std::uint32_t row = 0; row < head.size; ++row) {
      if (parented) {
        row_of_child(index, row);
      } else if (chunk.depth[row] == kDepthStale) {  // a new root
        chunk.depth[row] = 0;
        below(index, row, 0);
      }
    }
  }

 private:
  void row_of_child(std::uint32_t index, std::uint32_t row) {
    std::uint8_t depth = 0;
    if (topmost(world_.chunk(index).previous_parent[row], depth)) {
      set({index, row}, depth);
      below(index, row, deeper(depth));
    }
  }

  // Whether no ancestor stands in a chunk that was written; then the number of those that have parents.
  [[nodiscard]] bool topmost(Id ancestor, std::uint8_t& depth) const {
    for (;;) {
      const Place at = world_.place(ancestor);
      const ChunkHead& head = world_.head(at.chunk);
      if ((head.archetype & kParented) == 0) {
        return true;
      }
      if (changed_since(head.parent, last_run_)) {
        return false;
      }
      depth = deeper(depth);
      ancestor = world_.chunk(at.chunk).previous_parent[at.row];
    }
  }

  void below(std::uint32_t index, std::uint32_t row, std::uint8_t depth) {
    put_children(world_.chunk(index), row, depth);
    while (!stack_.empty()) {
      const Place at = world_.place(stack_.back());
      stack_.pop_back();
      const Chunk& chunk = world_.chunk(at.chunk);
      put_children(chunk, at.row, deeper(chunk.depth[at.row]));
    }
  }
  // Gives the children of an entity their depth, and leaves theirs for later.
  void put_children(const Chunk& chunk, std::uint32_t row, std::uint8_t depth) {
    for (const Id child : world_.children(chunk.children[row])) {
      const Place at = world_.place(child);
      set(at, depth);
      if ((world_.head(at.chunk).archetype & kHasChildren) != 0) {
        stack_.push_back(child);
      }
    }
  }
  void set(Place at, std::uint8_t depth) {
    world_.chunk(at.chunk).depth[at.row] = depth;
    world_.head(at.chunk).depth = world_.version();
  }
  [[nodiscard]] std::uint8_t deeper(std::uint8_t depth) const {
    return slips_ ? static_cast<std::uint8_t>(depth + 1U)
                  : static_cast<std::uint8_t>(std::min<unsigned>(depth + 1U, kDeepest));
  }

  ChunkWorld& world_;
  std::uint32_t last_run_;
  bool slips_;
  std::vector<Id>& stack_;
};

}  // namespace

void update_depths_published(ChunkWorld& world, bool slips) {
  ChunkWorld::DepthLevelsState& state = world.depth_levels_state();
  Broadcast broadcast(world, state.depths_run, slips);
  for (std::uint32_t index = 0; index < world.chunks(); ++index) {
    broadcast.visit(index);
  }
  state.reparented.clear();
  state.all_reparented = false;
  update_depth_masks(world);
}

}  // namespace juxta::classics
