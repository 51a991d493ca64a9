// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "classics/transform/chunk_world.h"
#include "classics/transform/naive.h"
#include "scenes/draws.h"

namespace juxta::test {

inline constexpr std::uint32_t kNoParent = NodeDescription::kRoot;

inline LocalTransform random_local(scenes::Draws& draws) {
  LocalTransform local;
  const float x = draws.uniform(-1, 1), y = draws.uniform(-1, 1), z = draws.uniform(-1, 1);
  local.rotation = normalized({x, y, z, 1});
  local.position = {draws.uniform(-1, 1), draws.uniform(-1, 1), draws.uniform(-1, 1)};
  // As often smaller as larger: the scales of a long chain stay within float.
  const std::uint32_t size = draws.below(10);
  local.scale = size == 0 ? 1.25F : size == 1 ? 0.8F : 1;
  return local;
}

/// Now and then with a stretch, a context, or copying its parent.
inline NodeDescription random_node(scenes::Draws& draws, std::uint32_t parent) {
  NodeDescription node;
  node.local = random_local(draws);
  node.parent = parent;
  if (draws.below(8) == 0) {
    node.stretch = {draws.uniform(0.5F, 2), 1, draws.uniform(0.5F, 2)};
    node.context = static_cast<std::int32_t>(draws.below(1000));
  }
  node.inherit = draws.below(20) == 0 ? Inherit::kCopyParent : Inherit::kNormal;
  return node;
}

/// A forest; each node hangs on one of the `reach` nodes before it: 1 makes chains.
inline std::vector<NodeDescription> random_forest(scenes::Draws& draws, std::uint32_t nodes,
                                                  std::uint32_t roots, std::uint32_t reach) {
  std::vector<NodeDescription> list;
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const std::uint32_t back = 1 + draws.below(i < reach ? (i > 0 ? i : 1) : reach);
    list.push_back(random_node(draws, i < roots ? kNoParent : i - back));
  }
  return list;
}

inline std::vector<std::uint32_t> shuffled(scenes::Draws& draws, std::size_t count) {
  std::vector<std::uint32_t> order(count);
  for (std::size_t i = 0; i < count; ++i) {
    order[i] = static_cast<std::uint32_t>(i);
  }
  draws.shuffle(order);
  return order;
}

/// A chain of `length` nodes below one root, stored shuffled, so that every chunk holds many depths.
inline std::vector<Id> add_chain(classics::ChunkWorld& world, scenes::Draws& draws, std::uint32_t length) {
  std::vector<NodeDescription> list;
  for (std::uint32_t i = 0; i < length; ++i) {
    list.push_back({random_local(draws), i == 0 ? kNoParent : i - 1});
    list.back().local.scale = 1;
  }
  std::vector<Id> ids(list.size());
  world.create(list, shuffled(draws, list.size()), ids);
  return ids;
}

inline std::vector<Id> living(const classics::ChunkWorld& world) {
  std::vector<Id> ids;
  for (std::uint32_t chunk = 0; chunk < world.chunks(); ++chunk) {
    for (std::uint32_t row = 0; row < world.head(chunk).size; ++row) {
      ids.push_back(world.chunk(chunk).id[row]);
    }
  }
  return ids;
}

/// Every ParentToWorld is the parent's world transform, where a system reads one.
inline void expect_parent_to_world(const classics::ChunkWorld& world) {
  for (const Id id : living(world)) {
    const bool copies = (world.head(world.place(id).chunk).archetype & classics::kCopyParent) != 0;
    if (world.parent_of(id) != Id{} && !copies) {
      ASSERT_EQ(world.parent_to_world_of(id), world.world_of(world.parent_of(id))) << "entity " << id.slot;
    }
  }
}

/// Versions of the column of world transforms, chunk by chunk.
inline std::vector<std::uint32_t> world_versions(const classics::ChunkWorld& world) {
  std::vector<std::uint32_t> versions;
  for (std::uint32_t chunk = 0; chunk < world.chunks(); ++chunk) {
    versions.push_back(world.head(chunk).world);
  }
  return versions;
}

inline std::vector<Qvvs> worlds(const classics::ChunkWorld& world) {
  std::vector<Qvvs> all;
  for (const Id id : living(world)) {
    all.push_back(world.world_of(id));
  }
  return all;
}

/// Every world transform is, bit for bit, what parents and locals say.
inline void expect_naive(const classics::ChunkWorld& world) {
  for (const Id id : living(world)) {
    ASSERT_EQ(world.world_of(id), classics::naive_world_of(world, id)) << "entity " << id.slot;
  }
}

}  // namespace juxta::test
