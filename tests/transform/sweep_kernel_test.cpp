// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The sweep against its plain twin, bit for bit, on every instruction set: runs of every length, stretched
// parents, linked rows, rows with flags.
#include "transform/sweep_kernel.h"
#include "transform/access.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "scenes/draws.h"
#include "support/each_isa.h"
#include "transform/flow.h"
#include "transform/propagation.h"
#include "transform/store.h"

namespace juxta::transform_detail {
namespace {

using scenes::Draws;

std::vector<NodeDescription> random_nodes(Draws& draws, std::uint32_t count, std::uint32_t roots,
                                          bool flags) {
  std::vector<NodeDescription> nodes(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    NodeDescription& node = nodes[i];
    node.parent = i < roots ? NodeDescription::kRoot : draws.below(i);
    node.local.rotation = {draws.unit() - 0.5F, draws.unit() - 0.5F, draws.unit() - 0.5F, 1};
    node.local.position = {draws.uniform(-9, 9), draws.uniform(-9, 9), draws.uniform(-9, 9)};
    node.local.scale = draws.uniform(0.5F, 2);
    if (draws.below(10) == 0) {
      node.stretch = {draws.uniform(0.5F, 2), draws.uniform(-2, 2), draws.below(2) == 0 ? 0.0F : 1.0F};
    }
    if (flags && i >= roots && draws.below(8) == 0) {
      node.inherit = static_cast<Inherit>(draws.below(1 << 8));
    }
  }
  return nodes;
}

/// Sweeps copies of a tile both ways; they must end as the same bytes.
void expect_same(const HierarchyStore& store, const Tile& tile, const RowMask& marks) {
  const auto fast = std::make_unique<Tile>(tile), plain = std::make_unique<Tile>(tile);
  sweep(store, kSweepCalls, *fast, marks);
  sweep_reference(store, kSweepCalls, *plain, marks);
  EXPECT_EQ(std::memcmp(&fast->world, &plain->world, sizeof plain->world), 0);
  EXPECT_EQ(std::memcmp(&fast->local, &plain->local, sizeof plain->local), 0);
}

/// Random rows of a tile are written: all that flows from them is swept.
void sweep_some(const HierarchyStore& store, Draws& draws, std::uint32_t times) {
  for (std::uint32_t i = 0; i < times; ++i) {
    const Tile* tile = store.tiles[draws.below(static_cast<std::uint32_t>(store.tiles.size()))];
    RowMask marks;
    for (std::uint32_t k = draws.below(20); k > 0; --k) {
      const std::uint32_t row = draws.below(kTileRows);
      marks.put(row, tile->live.test(row));
    }
    flow(*tile, marks);
    expect_same(store, *tile, marks);
  }
}

TEST(SweepKernel, EqualsItsTwin) {
  test::for_each_isa([](Isa) {
    for (const bool flags : {false, true}) {
      Draws draws(flags ? 3 : 4);
      Hierarchy hierarchy;
      std::vector<Id> ids(5000);
      ASSERT_TRUE(hierarchy.insert(random_nodes(draws, 5000, 300, flags), ids));
      ASSERT_TRUE(hierarchy.propagate());
      sweep_some(transform_detail::Access::store(hierarchy), draws, 100);
    }
  });
}

TEST(SweepKernel, EveryLengthOfARun) {
  test::for_each_isa([](Isa) {
    Draws draws(7);
    for (std::uint32_t children = 0; children <= 19; ++children) {
      std::vector<NodeDescription> nodes = random_nodes(draws, children + 1, 1, false);
      for (std::uint32_t i = 1; i <= children; ++i) {
        nodes[i].parent = 0;
      }
      Hierarchy hierarchy;
      std::vector<Id> ids(nodes.size());
      ASSERT_TRUE(hierarchy.insert(nodes, ids));
      const HierarchyStore& store = transform_detail::Access::store(hierarchy);
      RowMask marks;
      marks.set_range(0, children + 1);
      expect_same(store, *store.tiles[0], marks);
    }
  });
}

TEST(SweepKernel, LinkedRowsOfOneParent) {
  test::for_each_isa([](Isa) {
    Draws draws(9);
    Hierarchy hierarchy;
    const Id root = hierarchy.insert({.position = {1, 2, 3}, .scale = 2}, {}, {.stretch = {1, 2, 3}}).value();
    for (std::uint32_t i = 0; i < 50; ++i) {
      ASSERT_TRUE(hierarchy.insert(random_nodes(draws, 1, 1, false)[0].local, i % 9 == 8 ? Id{} : root));
    }
    const HierarchyStore& store = transform_detail::Access::store(hierarchy);
    RowMask marks;
    marks.set_range(0, 51);
    expect_same(store, *store.tiles[0], marks);
    marks.clear(20);
    expect_same(store, *store.tiles[0], marks);
  });
}

// Multiplied by the identity, a -0 would become 0: roots are not. In one row alone and in rows side by side,
// through the tile's sweep and through the path of one node, and with flags, which wait for a parent.
TEST(SweepKernel, RootsKeepTheSignsOfTheirZeros) {
  const LocalTransform local{{-0.0F, 0.0F, -0.0F, 1}, {-0.0F, 0.0F, -3}, 2};
  test::for_each_isa([&](Isa) {
    for (std::uint32_t roots = 1; roots <= 9; ++roots) {
      for (const Inherit inherit : {Inherit::kNormal, Inherit::kWorldRotation}) {
        Hierarchy hierarchy;
        std::vector<NodeDescription> nodes(roots);
        for (NodeDescription& node : nodes) {
          node.local = local;
          node.inherit = inherit;
        }
        std::vector<Id> ids(roots);
        ASSERT_TRUE(hierarchy.insert(nodes, ids));
        for (const bool propagated : {false, true}) {
          ASSERT_TRUE(!propagated || hierarchy.propagate());
          for (const Id id : ids) {
            const Qvvs world = hierarchy.world(id).value();
            EXPECT_EQ(std::memcmp(&world.rotation, &local.rotation, sizeof local.rotation), 0) << propagated;
            EXPECT_EQ(std::memcmp(&world.position, &local.position, sizeof local.position), 0) << propagated;
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace juxta::transform_detail
