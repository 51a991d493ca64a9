// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "classics/transform/chunk_world.h"
#include "classics/transform/systems.h"
#include "classics/transform/wide_mul-inl.h"

namespace juxta::classics {

/// Forms of a walk (forms.h), to be added up.
inline constexpr unsigned kEagerly = 1, kParentToWorld = 2, kWithSlips = 4;

/// Depth-first through the buffers of children. A child is computed
///   when its parent was                                            (as printed)
///   when local transforms of its chunk were written                (as printed)
///   when parents of its chunk and buffers of its parent's chunk were written; as printed not when it copies
///   its parent, and then not when it got the tag either            (both mended; kWithSlips has them)
/// The parent's transform is loaded only where one of its children is computed (kEagerly: each child's is).
///
/// Several walks may run at once, each in a room of its own: a tree belongs to one walk, and what a walk
/// decides on, no walk writes. Versions that walks share are bumped by all to the same number.
template <unsigned kForm>
class Walk {
 public:
  Walk(ChunkWorld& world, std::uint32_t last_run, WalkRoom& room)
      : world_(world), last_run_(last_run), room_(room) {}

  /// Brings all below an entity up to date that has children.
  void below(const Chunk& chunk, std::uint32_t row, bool dirty, bool new_children) {
    const std::span<const Place> places = world_.places();
    const std::uint32_t now = world_.version();
    std::size_t top = 0;
    load(top, chunk.world[row]);
    push(top, chunk, row, dirty, new_children);
    while (top > 0) {
      WalkFrame& frame = room_.stack[top - 1];
      if (frame.child == frame.end) {
        --top;
        continue;
      }
      const Place at = places[frame.child++->slot];
      ChunkHead& head = world_.head(at.chunk);
      Chunk& here = world_.chunk(at.chunk);
      const bool compute = needs_update(head, frame);
      if (compute) {
        place(here, at.row, (head.archetype & kCopyParent) != 0, parent_of(top, frame));
        bump(head.world, now);
      }
      load(top, here.world[at.row]);
      if ((head.archetype & kHasChildren) != 0) {
        push(top, here, at.row, compute, changed_since(head.children, last_run_));
      }
    }
  }

 private:
  static constexpr std::uint32_t kRowsAhead = 4;

  [[nodiscard]] bool needs_update(const ChunkHead& head, const WalkFrame& frame) const noexcept {
    if (frame.dirty) {
      return true;
    }
    const bool copies = (head.archetype & kCopyParent) != 0;
    if ((kForm & kWithSlips) != 0 && copies) {
      return false;
    }
    return changed_since(copies ? head.order : head.local, last_run_) ||
           (frame.new_children && changed_since(head.parent, last_run_));
  }

  void place(Chunk& here, std::uint32_t row, bool copies, const Qvvs& parent) {
    Qvvs& out = here.world[row];
    // The next trees of a batch have their nodes in the next rows. The processor does not see that by itself
    // in some forty interleaved streams: 14 ns a node of prefabs_1M instead of 21, without ParentToWorld.
    const std::uint32_t ahead = std::min(row + kRowsAhead, Chunk::kCapacity - 1);
    __builtin_prefetch(&here.world[ahead], 1);
    __builtin_prefetch(&here.local[ahead]);
    if (copies) {
      out = parent;
      return;
    }
    if constexpr ((kForm & kParentToWorld) != 0) {
      __builtin_prefetch(&here.parent_to_world[ahead], 1);
      here.parent_to_world[row] = parent;
    }
    mul_into(parent, here.local[row], out);
  }

  [[nodiscard]] const Qvvs& parent_of([[maybe_unused]] std::size_t top,
                                      [[maybe_unused]] const WalkFrame& frame) const noexcept {
    if constexpr ((kForm & kEagerly) != 0) {
      return room_.loaded[top - 1];
    } else {
      return *frame.parent;
    }
  }

  // Loads what the next frame's children would be computed from, whether they are or not.
  void load([[maybe_unused]] std::size_t top, [[maybe_unused]] const Qvvs& world) {
    if constexpr ((kForm & kEagerly) != 0) {
      if (top >= room_.loaded.size()) {
        room_.loaded.resize(top * 2 + 16);
      }
      room_.loaded[top] = world;
    }
  }

  void push(std::size_t& top, const Chunk& chunk, std::uint32_t row, bool dirty, bool new_children) {
    const std::span<const Id> children = world_.children(chunk.children[row]);
    if (top == room_.stack.size()) {
      room_.stack.resize(top * 2 + 16);
    }
    room_.stack[top++] = {children.data(), children.data() + children.size(), &chunk.world[row], dirty,
                          new_children};
  }

  ChunkWorld& world_;
  std::uint32_t last_run_;
  WalkRoom& room_;
};

}  // namespace juxta::classics
