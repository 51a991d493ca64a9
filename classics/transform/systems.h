// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "classics/transform/chunk_world.h"
#include "juxta/core/id.h"
#include "juxta/math/qvvs.h"

namespace juxta::classics {

/// A parent on the way down, and those of its children that are still to be visited.
struct WalkFrame {
  const Id* child;
  const Id* end;
  const Qvvs* parent;
  bool dirty;         ///< The parent was computed, so all its children are.
  bool new_children;  ///< Buffers of children in the parent's chunk were written.
};

/// What a walk writes to: one for each that runs at the same time.
struct WalkRoom {
  std::vector<WalkFrame> stack;
  std::vector<Qvvs> loaded;  ///< Of the eager form: world transforms of the path, by value.
};

struct ChunkWorld::DepthFirstState {
  std::uint32_t last_run = 0;
  std::vector<std::uint32_t> roots;  ///< Chunks of roots that have children.
  std::vector<WalkRoom> rooms;
};

struct ChunkWorld::DepthLevelsState {
  std::uint32_t last_run = 0;
  std::uint32_t depths_run = 0;
  std::vector<Id> reparented;   ///< Depth to be found anew.
  bool all_reparented = false;  ///< The list grew beyond all entities: nobody has asked for depths so far.
  std::array<std::vector<std::uint32_t>, kDeepest> chunks;  ///< That hold an entity of this depth.
  std::vector<Id> depth_stack;
  std::vector<std::uint8_t> deep_dirty;  ///< Of the chunks of the last depth: what below is to be computed.
  std::vector<WalkRoom> rooms;
};

/// The first of the published systems for depths: brings Depth up to date where parents changed, by walks up
/// and by writing all depths below (depths_published.cpp).
void update_depths_published(ChunkWorld& world, bool slips = false);
/// The same from a list of who changed, pruned on the way down (depths.cpp).
void update_depths(ChunkWorld& world);
/// Depth masks of the chunks where a depth was written or entities came and went; ends the system.
void update_depth_masks(ChunkWorld& world);

/// Whether a chunk's own columns ask for an update. An entity that copies its parent has no local transform;
/// entities that came, for instance because the tag was added to them, show in the order's version.
[[nodiscard]] inline bool own_columns_changed(const ChunkHead& head, std::uint32_t last_run) noexcept {
  const bool copies = (head.archetype & kCopyParent) != 0;
  return changed_since(head.parent, last_run) || changed_since(copies ? head.order : head.local, last_run);
}

/// Check of one chunk for one depth: whether an entity of that depth has to be computed. Reads versions only.
[[nodiscard]] bool depth_needs_update(const ChunkWorld& world, std::uint32_t chunk, std::uint8_t depth,
                                      std::uint32_t last_run);
/// Update of one chunk: computes all its entities of that depth and bumps the version of the column.
void update_depth(ChunkWorld& world, std::uint32_t chunk, std::uint8_t depth, bool parent_to_world = true);

/// Bumps a version that several tasks may bump at once, to the same number. Who finds it bumped does not
/// write, so that threads do not take the line from each other.
inline void bump(std::uint32_t& version, std::uint32_t now) noexcept {
  std::atomic_ref<std::uint32_t> shared(version);
  if (shared.load(std::memory_order_relaxed) != now) {
    shared.store(now, std::memory_order_relaxed);
  }
}

}  // namespace juxta::classics
