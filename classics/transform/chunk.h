// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "juxta/core/id.h"
#include "juxta/math/qvvs.h"

namespace juxta::classics {

/// What an entity has besides its world transform. Entities with the same parts share an archetype, and a
/// chunk holds entities of one archetype.
///   kParented    LocalTransform, Parent, PreviousParent, Depth, ParentToWorld (a root has none of them: its
///                world transform is what the user writes)
///   kHasChildren the buffer of children
///   kCopyParent  the tag of those that stand where their parent stands
using Archetype = std::uint8_t;
inline constexpr Archetype kParented = 1, kHasChildren = 2, kCopyParent = 4;
inline constexpr std::size_t kArchetypes = 8;

/// A buffer of children: where it stands in the pool.
struct ChildList {
  std::uint32_t first = 0, size = 0, capacity = 0;
};

/// Depth of a child of a root is 0. From kDeepest on depths are not told apart.
inline constexpr std::uint8_t kDeepest = 16;
inline constexpr std::uint8_t kDepthStale = 255;  ///< To be found by update_depths().

/// At most 128 entities of one archetype, column by column: 165 bytes each.
/// As published: the columns. Not as published: every chunk has room for 128 entities and for every column,
/// and what the archetype lacks lies idle. Unity's chunk has 16 KiB, which hold 128 roots, but only 106
/// leaves and 96 entities with a parent and children: what is known by chunk is known a little more finely
/// there.
struct alignas(64) Chunk {
  static constexpr std::uint32_t kCapacity = 128;

  Qvvs world[kCapacity];
  LocalTransform local[kCapacity];
  Qvvs parent_to_world[kCapacity];  ///< The parent's world transform, as the last computation read it.
  Id id[kCapacity];
  Id parent[kCapacity];
  Id previous_parent[kCapacity];  ///< In whose buffer of children the entity stands.
  ChildList children[kCapacity];
  std::uint8_t depth[kCapacity];
};
static_assert(sizeof(Chunk) == 165 * Chunk::kCapacity);

/// What is known of a chunk as a whole. Kept outside of it, as entity systems do: at a stride of 16 KiB all
/// heads would fight for the same few sets of the cache.
///
/// Versions: the system's number when a job last had write access to the column; `order` when entities came
/// or went. Nobody asks for that of ParentToWorld, so it has none.
struct ChunkHead {
  std::uint32_t world = 0, local = 0, parent = 0, children = 0, depth = 0, order = 0;
  std::uint32_t depth_mask = 0;  ///< Bit d: holds an entity of depth d; bit 16 + d: that depth is dirty.
  std::uint16_t size = 0;
  Archetype archetype = 0;
};
static_assert(sizeof(ChunkHead) == 32);

/// Whether a version is newer than the last run of a system; numbers may wrap around.
[[nodiscard]] constexpr bool changed_since(std::uint32_t version, std::uint32_t last_run) noexcept {
  return static_cast<std::int32_t>(version - last_run) > 0;
}

/// Where an entity stands.
struct Place {
  std::uint32_t chunk = 0, row = 0;
};

}  // namespace juxta::classics
