// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Memory that goes back after many nodes went: how much, and that nothing else changes.
#include <gtest/gtest.h>

#include <vector>

#include "juxta/transform/hierarchy.h"
#include "scenes/draws.h"
#include "support/counting_resource.h"
#include "support/saved_bytes.h"
#include "transform/values.h"

namespace juxta {
namespace {

/// Trees of ten; their roots.
std::vector<Id> fill(Hierarchy& world, std::size_t trees) {
  std::vector<NodeDescription> nodes(10);
  for (std::uint32_t i = 1; i < 10; ++i) {
    nodes[i].parent = (i - 1) / 3;
  }
  std::vector<Id> roots(trees);
  EXPECT_TRUE(world.instantiate(Prefab::build(nodes).value(), std::vector<LocalTransform>(trees), roots));
  return roots;
}

TEST(TransformShrink, GivesBackWhatNodesLeft) {
  for (const bool history : {false, true}) {
    test::CountingResource resource;
    Hierarchy world({.history = history}, &resource);
    const auto roots = fill(world, 30'000);
    ASSERT_TRUE(world.propagate());
    const std::size_t full = resource.held();
    EXPECT_LT(world.shrink(), full / 8);  // the slab that is being filled
    scenes::Draws draws(1);
    for (const Id root : roots) {  // nine of ten, anywhere
      if (draws.below(10) != 0) {
        ASSERT_TRUE(world.remove(root));
      }
    }
    ASSERT_TRUE(world.propagate());
    const std::size_t held = resource.held(), left = world.size();
    const std::size_t given = world.shrink();
    EXPECT_NEAR(static_cast<double>(given), static_cast<double>(held - resource.held()),
                8192);                                                       // lists of blocks
    EXPECT_LT(resource.held(), full / 4 + (std::size_t{2} << 20)) << given;  // and the huge page being filled
    EXPECT_LE(world.stats().memory_bytes, resource.held() + resource.held() / 50 + 16'384);
    EXPECT_EQ(world.size(), left);
    EXPECT_LT(world.shrink(), std::size_t{1} << 16);
    // All of them go, and new ones come.
    std::vector<Id> rest;
    world.for_each([&](Id id) { rest.push_back(id); });
    ASSERT_TRUE(world.remove(rest));
    ASSERT_TRUE(world.propagate());
    world.shrink();
    EXPECT_LT(resource.held(), std::size_t{1} << 20);
    EXPECT_EQ(world.slot_count(), 0u);
    ASSERT_EQ(fill(world, 5000).size(), 5000u);
    for (const Id id : roots) {
      ASSERT_FALSE(world.alive(id));
    }
    for (const Id id : rest) {
      ASSERT_FALSE(world.alive(id));
    }
    ASSERT_TRUE(world.propagate());
    EXPECT_EQ(world.size(), 50'000u);
  }
}

TEST(TransformShrink, OldIdsStayDeadWhenTheirSlotsComeAnew) {
  Hierarchy world;
  std::vector<Id> all;
  for (int round = 0; round < 20; ++round) {
    std::vector<Id> ids;
    for (int i = 0; i < 3; ++i) {
      ids.push_back(world.insert({}).value());
      for (const Id old : all) {
        ASSERT_NE(old, ids.back());
      }
      all.push_back(ids.back());
    }
    ASSERT_TRUE(world.remove(ids));
    if (round % 3 != 0) {
      world.shrink();
    }
    if (round % 5 == 0) {
      world = test::from_bytes<Hierarchy>(test::saved_bytes(world));
    }
    for (const Id old : all) {
      ASSERT_FALSE(world.alive(old));
    }
  }
}

/// Nodes linked all over, so that links move too.
TEST(TransformShrink, ChangesNothingElse) {
  scenes::Draws draws(2);
  Hierarchy world({.history = true});
  std::vector<Id> ids;
  for (int i = 0; i < 30'000; ++i) {
    const Id parent =
        ids.empty() || draws.below(50) == 0 ? Id{} : ids[draws.below(static_cast<std::uint32_t>(ids.size()))];
    ids.push_back(world.insert({{}, {1, 2, 0.5F}, 1}, parent).value());
  }
  ASSERT_TRUE(world.propagate());
  for (int i = 0; i < 15'000; ++i) {
    ASSERT_TRUE(world.remove(ids[draws.below(15'000) + 15'000 - static_cast<std::uint32_t>(i)],
                             Children::kToAncestor) ||
                true);
  }
  std::erase_if(ids, [&](Id id) { return !world.alive(id); });
  ASSERT_TRUE(world.propagate());
  ASSERT_TRUE(world.set_position(ids[ids.size() / 2], {9, 9, 9}));  // and something to propagate
  ASSERT_GT(world.stats().links, 500u);
  Hierarchy other = test::from_bytes<Hierarchy>(test::saved_bytes(world));
  EXPECT_GT(world.shrink(), 0u);
  std::vector<Id> order, order_other;
  world.for_each([&](Id id) { order.push_back(id); });
  other.for_each([&](Id id) { order_other.push_back(id); });
  EXPECT_EQ(order, order_other);
  const auto done = world.propagate(), done_other = other.propagate();
  EXPECT_EQ(done->version, done_other->version);
  EXPECT_EQ(done->computed, done_other->computed);
  EXPECT_EQ(done->rounds, done_other->rounds);
  for (const Id id : ids) {
    ASSERT_EQ(world.world(id).value(), other.world(id).value());
    ASSERT_EQ(world.changed_at(id).value(), other.changed_at(id).value());
    ASSERT_EQ(world.parent(id).value(), other.parent(id).value());
    ASSERT_EQ(world.previous(id).value(), other.previous(id).value());
  }
  ASSERT_NO_FATAL_FAILURE((void)test::from_bytes<Hierarchy>(test::saved_bytes(world)));
}

}  // namespace
}  // namespace juxta
