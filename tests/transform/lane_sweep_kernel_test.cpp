// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Tiles of lanes: the sweep against its plain twin, bit for bit, on every instruction set; who stands in
// them; worlds that are larger than caches.
#include "transform/lane_sweep_kernel.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "scenes/draws.h"
#include "support/each_isa.h"
#include "support/executors.h"
#include "support/saved_bytes.h"
#include "transform/access.h"
#include "transform/draw_transforms.h"
#include "transform/flow.h"
#include "transform/layout.h"
#include "transform/propagation.h"
#include "transform/store.h"

namespace juxta::transform_detail {
namespace {

using scenes::Draws;

const HierarchyStore& store_of(const Hierarchy& hierarchy) {
  return Access::store(hierarchy);
}

/// A tree of so many nodes with random parents.
std::vector<NodeDescription> draw_tree(Draws& draws, std::uint32_t count, bool flags) {
  std::vector<NodeDescription> nodes(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    NodeDescription& node = nodes[i];
    node.parent = i == 0 ? NodeDescription::kRoot : draws.below(i);
    node.local = {test::draw_rotation(draws), test::draw_vector(draws, 9), draws.uniform(0.5F, 2)};
    node.local.scale =
        draws.below(12) == 0 ? 1e30F : node.local.scale;  // two of them leave the range of float
    if (draws.below(5) == 0) {
      node.stretch = {draws.uniform(0.5F, 2), draws.uniform(-2, 2), draws.below(2) == 0 ? 0.0F : 1.0F};
    }
    if (flags && i > 0 && draws.below(8) == 0) {
      node.inherit = static_cast<Inherit>(draws.below(1 << 8));
    }
  }
  return nodes;
}

/// Instances of some trees, of which some nodes went, and some have other parents.
void fill(Hierarchy& hierarchy, Draws& draws, bool flags) {
  std::vector<Id> all;
  for (const std::uint32_t size : {1U, 2U, 7U, 20U, 60U, 128U}) {
    const auto prefab = Prefab::build(draw_tree(draws, size, flags));
    std::vector<LocalTransform> roots(43);
    for (LocalTransform& root : roots) {
      root.position = test::draw_vector(draws, 100);
    }
    std::vector<Id> ids(roots.size() * size);
    ASSERT_TRUE(hierarchy.instantiate(*prefab, roots, ids));
    all.insert(all.end(), ids.begin(), ids.end());
  }
  for (int i = 0; i < 300; ++i) {
    const Id id = all[draws.below(static_cast<std::uint32_t>(all.size()))];
    const Id other = all[draws.below(static_cast<std::uint32_t>(all.size()))];
    static_cast<void>(i % 4 == 0 ? hierarchy.remove(id, Children::kToAncestor)
                                 : hierarchy.reparent(id, other, Keep::kLocal));
  }
}

/// Sweeps copies of a tile both ways; they must end as the same bytes, with the same overflows.
void expect_same(const HierarchyStore& store, const Tile& tile, const RowMask& marks) {
  const auto fast = std::make_unique<Tile>(tile), plain = std::make_unique<Tile>(tile);
  const Overflow got = sweep(store, kSweepCalls, *fast, marks);
  const Overflow want = sweep_reference(store, kSweepCalls, *plain, marks);
  ASSERT_EQ(got.count, want.count);
  ASSERT_EQ(got.first, want.first);
  for (std::uint32_t row = 0; row < kTileRows; ++row) {
    if (tile.live.test(row)) {
      const HotWorld a = fast->world_at(row), b = plain->world_at(row);
      ASSERT_EQ(std::memcmp(&a, &b, sizeof a), 0) << "world of row " << row;
      const LocalTransform c = fast->local_at(row), d = plain->local_at(row);
      ASSERT_EQ(std::memcmp(&c, &d, sizeof c), 0) << "local of row " << row;
    }
  }
}

TEST(LaneSweepKernel, EqualsItsTwin) {
  test::for_each_isa([](Isa) {
    for (const bool flags : {false, true}) {
      Draws draws(flags ? 3 : 4);
      Hierarchy hierarchy;
      ASSERT_NO_FATAL_FAILURE(fill(hierarchy, draws, flags));
      ASSERT_TRUE(hierarchy.propagate());
      const HierarchyStore& store = store_of(hierarchy);
      std::size_t tiles_of_lanes = 0, overflows = 0;
      for (const Tile* tile : store.tiles) {
        if (tile == nullptr || !tile->lanes) {
          continue;
        }
        ++tiles_of_lanes;
        for (int round = 0; round < 30; ++round) {
          RowMask marks = round == 0 ? tile->live : RowMask();
          const std::uint32_t most = round % 5 == 4 ? 900 : 30;  // by groups, and one by one
          for (std::uint32_t k = draws.below(most); k > 0; --k) {
            const std::uint32_t row = draws.below(kTileRows);
            marks.put(row, tile->live.test(row));
          }
          flow(*tile, marks);
          ASSERT_NO_FATAL_FAILURE(expect_same(store, *tile, marks));
          const auto copy = std::make_unique<Tile>(*tile);
          overflows += sweep(store, kSweepCalls, *copy, marks).count;
        }
      }
      EXPECT_GT(tiles_of_lanes, 5u);
      EXPECT_GT(overflows, 0u);
    }
  });
}

/// How many nodes stand in tiles of lanes.
std::size_t in_lanes(const Hierarchy& hierarchy) {
  std::size_t nodes = 0;
  for (const Tile* tile : store_of(hierarchy).tiles) {
    nodes += tile != nullptr && tile->lanes ? tile->nodes : 0;
  }
  return nodes;
}

TEST(LaneTiles, HoldTreesOfOneShapeByEights) {
  Draws draws(5);
  for (const std::uint32_t size : {1U, 2U, 9U, 42U, 43U, 64U, 128U, 129U, 300U}) {
    const auto nodes = draw_tree(draws, size, false);
    const bool fits = fits_lanes(size);
    EXPECT_EQ(fits, size != 43 && size <= 128) << size;
    for (const std::uint32_t instances : {7U, 8U, 21U}) {
      Hierarchy spawned, listed;
      std::vector<LocalTransform> roots(instances);
      std::vector<Id> ids(std::size_t{instances} * size);
      ASSERT_TRUE(spawned.instantiate(*Prefab::build(nodes), roots, ids));
      EXPECT_EQ(in_lanes(spawned), fits ? instances / 8 * 8 * size : 0) << size;
      std::vector<NodeDescription> list;
      for (std::uint32_t i = 0; i < instances; ++i) {
        for (NodeDescription node : nodes) {
          node.parent += node.parent == NodeDescription::kRoot ? 0 : i * size;
          list.push_back(node);
        }
      }
      ASSERT_TRUE(listed.insert(list, ids));
      EXPECT_EQ(in_lanes(listed), fits ? instances / 8 * 8 * size : 0) << size;
    }
  }
}

// Who moves few nodes may have rows, and what is loaded goes on with them.
TEST(LaneTiles, AreAChoice) {
  Hierarchy rows({.side_by_side = false});
  const auto prefab = Prefab::build(std::vector<NodeDescription>{{}, {.parent = 0}});
  const std::vector<LocalTransform> roots(40);
  const std::vector<NodeDescription> list(40);
  std::vector<Id> ids(80);
  const auto grow = [&](Hierarchy& hierarchy) {
    ASSERT_TRUE(hierarchy.instantiate(*prefab, roots, ids));
    ASSERT_TRUE(hierarchy.insert(list, std::span(ids).first(40)));
  };
  grow(rows);
  EXPECT_EQ(in_lanes(rows), 0U);
  const test::ScratchFile file;
  ASSERT_TRUE(rows.save(file.path().string()));
  Hierarchy loaded = *Hierarchy::load(file.path().string());
  grow(loaded);
  EXPECT_EQ(loaded.size(), 240U);
  EXPECT_EQ(in_lanes(loaded), 0U);
}

// Worlds of many tiles are written past the caches, and a frame reads what it keeps beside them.
TEST(LaneTiles, AWorldLargerThanCaches) {
  constexpr std::uint32_t kTrees = 60'000, kNodes = 10;
  Draws draws(6);
  auto nodes = draw_tree(draws, kNodes, false);
  for (NodeDescription& node : nodes) {
    node.local.scale = 1;
  }
  std::vector<LocalTransform> roots(kTrees);
  for (LocalTransform& root : roots) {
    root.position = test::draw_vector(draws, 100);
  }
  const auto check = [&](const Executor* executor) {
    Hierarchy hierarchy;
    std::vector<Id> ids(std::size_t{kTrees} * kNodes);
    ASSERT_TRUE(hierarchy.instantiate(*Prefab::build(nodes), roots, ids));
    ASSERT_GT(hierarchy.stats().tiles, 512u);
    ASSERT_TRUE(hierarchy.propagate({.executor = executor}));
    std::vector<Matrix34> matrices(hierarchy.slot_count());
    for (const int way : {0, 1, 2}) {
      const bool frame = way != 0;
      const std::uint32_t kept = way == 2 ? ids[ids.size() / 2].slot : ~0U;  // stays as it is
      const auto rise = [&](LocalLanes& lanes) {
        NodeMask written = 0;
        for (std::uint32_t i = 0; i < kNodeLanes; ++i) {
          lanes.local.y[i] += 1;
          written |= NodeMask{lanes.slots()[i] != kept} << i;
        }
        return written;
      };
      const auto read = [&](const WorldLanes& lanes) { write_matrices(lanes, matrices); };
      if (frame) {
        ASSERT_TRUE(hierarchy.frame(NodeFields::kPlace, rise, read, {.executor = executor}));
      } else {
        ASSERT_TRUE(hierarchy.for_each_tile(NodeFields::kPlace, rise, {.executor = executor}));
        ASSERT_TRUE(hierarchy.propagate({.executor = executor}));
        ASSERT_TRUE(hierarchy.changed_matrices(0, matrices, {.executor = executor}));
      }
      std::vector<Qvvs> worlds(ids.size());
      std::vector<LocalTransform> locals(ids.size());
      ASSERT_TRUE(hierarchy.world(ids, worlds));
      ASSERT_TRUE(hierarchy.local(ids, locals));
      for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto node = static_cast<std::uint32_t>(i % kNodes);
        const Qvvs& got = worlds[i];
        const Qvvs want = node == 0 ? Qvvs{renormalized(locals[i].rotation), locals[i].position, 0,
                                           got.stretch, locals[i].scale}
                                    : mul(worlds[i - node + nodes[node].parent], locals[i], got.stretch);
        ASSERT_EQ(got, want) << i;
        ASSERT_EQ(matrices[ids[i].slot], to_matrix34(got)) << i;
      }
    }
  };
  test::for_each_executor(check);
  test::for_each_isa([&](Isa) { check(nullptr); });
}

}  // namespace
}  // namespace juxta::transform_detail
