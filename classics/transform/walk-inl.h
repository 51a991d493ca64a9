// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classics/transform/chunk_world.h"
#include "classics/transform/systems.h"
#include "classics/transform/wide_mul-inl.h"

namespace juxta::classics {

/// Depth-first through the buffers of children, as published, with the recursion written out as a stack so
/// that a chain of any length fits. A child is computed when its parent was, or when its own chunk's local
/// transforms or parents have been written since the last run. The parent's transform is loaded only where
/// one of its children is computed.
class Walk {
 public:
  Walk(ChunkWorld& world, std::uint32_t last_run, std::vector<WalkFrame>& stack)
      : world_(world), last_run_(last_run), stack_(stack) {}

  /// Brings all below an entity up to date that has children.
  void below(const Chunk& chunk, std::uint32_t row, bool dirty) {
    const std::span<const Place> places = world_.places();
    const std::uint32_t now = world_.version();
    std::size_t top = 0;
    push(top, chunk, row, dirty);
    while (top > 0) {
      WalkFrame& frame = stack_[top - 1];
      if (frame.child == frame.end) {
        --top;
        continue;
      }
      const Place at = places[frame.child++->slot];
      ChunkHead& head = world_.head(at.chunk);
      Chunk& here = world_.chunk(at.chunk);
      const bool compute =
          frame.dirty || changed_since(head.local, last_run_) || changed_since(head.parent, last_run_);
      if (compute) {
        Qvvs& out = here.world[at.row];
        // The next trees of a batch have their nodes in the next rows. The processor does not see that by
        // itself in some forty interleaved streams: 14 ns a node of prefabs_1M instead of 21.
        const std::uint32_t ahead = std::min(at.row + kRowsAhead, Chunk::kCapacity - 1);
        __builtin_prefetch(&here.world[ahead], 1);
        __builtin_prefetch(&here.local[ahead]);
        if ((head.archetype & kCopyParent) != 0) {
          out = *frame.parent;
        } else {
          mul_into(*frame.parent, here.local[at.row], out);
        }
        head.world = now;
      }
      if ((head.archetype & kHasChildren) != 0) {
        push(top, here, at.row, compute);
      }
    }
  }

 private:
  static constexpr std::uint32_t kRowsAhead = 4;

  void push(std::size_t& top, const Chunk& chunk, std::uint32_t row, bool dirty) {
    const std::span<const Id> children = world_.children(chunk.children[row]);
    if (top == stack_.size()) {
      stack_.resize(top * 2 + 16);
    }
    stack_[top++] = {children.data(), children.data() + children.size(), &chunk.world[row], dirty};
  }

  ChunkWorld& world_;
  std::uint32_t last_run_;
  std::vector<WalkFrame>& stack_;
};

}  // namespace juxta::classics
