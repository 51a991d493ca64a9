// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
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
  bool dirty;  ///< The parent was computed, so all its children are.
};

struct ChunkWorld::DepthFirstState {
  std::uint32_t last_run = 0;
  std::vector<WalkFrame> stack;
};

struct ChunkWorld::DepthLevelsState {
  std::uint32_t last_run = 0;
  std::uint32_t depths_run = 0;
  std::vector<Id> reparented;   ///< Depth to be found anew.
  bool all_reparented = false;  ///< The list grew beyond all entities: nobody has asked for depths so far.
  std::array<std::vector<std::uint32_t>, kDeepest> chunks;  ///< That hold an entity of this depth.
  std::vector<Id> depth_stack;
  std::vector<WalkFrame> stack;
};

/// The system that published as ChildDepthsSystem: brings Depth up to date where parents changed.
void update_depths(ChunkWorld& world);

/// Check of one chunk for one depth: whether an entity of that depth has to be computed. Reads versions only.
[[nodiscard]] bool depth_needs_update(const ChunkWorld& world, std::uint32_t chunk, std::uint8_t depth,
                                      std::uint32_t last_run);
/// Update of one chunk: computes all its entities of that depth and bumps the version of the column.
void update_depth(ChunkWorld& world, std::uint32_t chunk, std::uint8_t depth);

}  // namespace juxta::classics
