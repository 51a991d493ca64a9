// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Bulk calls of many Ids in every order against single calls: in the order of memory, of creation, and none;
// among instances (tiles of lanes and of rows), lists and nodes made one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "scenes/draws.h"
#include "scenes/hierarchies.h"
#include "support/code_of.h"
#include "support/each_isa.h"
#include "support/executors.h"
#include "support/saved_bytes.h"

namespace juxta {
namespace {

constexpr std::size_t kNodes = 40'000;

/// Instances of eight prefabs, trees of a list, and nodes made one by one; some gone, and their slots used
/// again, so that Ids in a row need not be rows in a row. `flags`: some nodes have them.
struct World {
  Hierarchy hierarchy;
  std::vector<Id> created;

  explicit World(bool flags) {
    const scenes::PrefabScene scene = scenes::make_prefabs(scenes::form_of(kNodes), 1);
    for (const scenes::PrefabBatch& batch : scene.batches) {
      const Prefab prefab = Prefab::build(scene.prefabs[batch.prefab]).value();
      std::vector<Id> ids(scene.roots_of(batch).size() * prefab.size());
      EXPECT_TRUE(hierarchy.instantiate(prefab, scene.roots_of(batch), ids));
      created.insert(created.end(), ids.begin(), ids.end());
    }
    const scenes::TreeScene trees = scenes::make_trees(scenes::TreeShape::kRandom, 3000, 2);
    std::vector<Id> ids(trees.nodes.size());
    EXPECT_TRUE(hierarchy.insert(trees.nodes, ids));
    created.insert(created.end(), ids.begin(), ids.end());
    scenes::Draws draws(4);
    for (int i = 0; i < 300; ++i) {
      const std::size_t at = draws.below(static_cast<std::uint32_t>(created.size()));
      if (hierarchy.remove(created[at], Children::kToAncestor)) {
        const Inherit inherit = flags && i % 2 == 0 ? Inherit::kWorldScale : Inherit::kNormal;
        created[at] = hierarchy.insert({{}, {1, 2, 3}, 2}, {}, {.context = i, .inherit = inherit}).value();
      }
    }
    EXPECT_TRUE(hierarchy.propagate());
  }

  /// In the order of memory, of creation, in none, and a few of them, in none.
  [[nodiscard]] std::vector<std::vector<Id>> orders() const {
    std::vector<std::vector<Id>> all(4);
    hierarchy.for_each([&](Id id) { all[0].push_back(id); });
    all[1] = created;
    all[2] = created;
    scenes::Draws draws(9);
    for (std::size_t i = all[2].size(); i > 1; --i) {
      std::swap(all[2][i - 1], all[2][draws.below(static_cast<std::uint32_t>(i))]);
    }
    all[3].assign(all[2].begin(), all[2].begin() + 9000);
    for (std::size_t i = 0; i < 500; ++i) {  // named again: what is said last counts
      all[2].push_back(all[2][i * 7]);
      all[1].push_back(all[1][i * 7]);
    }
    return all;
  }
};

std::vector<LocalTransform> draw_locals(std::size_t count, bool normal) {
  scenes::Draws draws(12);
  std::vector<LocalTransform> locals(count);
  for (LocalTransform& local : locals) {
    local.position = {draws.unit(), draws.unit(), draws.unit()};
    local.scale = 0.5F + draws.unit();
    local.rotation = {0, 0, 0.6F, 0.8F};
    if (!normal && draws.below(5) == 0) {
      local.rotation.w = 1 + draws.unit();
    }
  }
  return locals;
}

/// Which tiles were written first, which is saved until propagate(), may differ.
void expect_the_same_propagated(World& got, World& want) {
  ASSERT_TRUE(got.hierarchy.propagate());
  ASSERT_TRUE(want.hierarchy.propagate());
  ASSERT_TRUE(test::saved_bytes(got.hierarchy) == test::saved_bytes(want.hierarchy));
}

TEST(TransformBulk, SetLocalIsThatOfSingleCalls) {
  for (const bool flags : {false, true}) {
    const std::vector<std::vector<Id>> orders = World(flags).orders();
    for (std::size_t order = 0; order < orders.size(); ++order) {
      SCOPED_TRACE(order);
      const std::vector<Id>& ids = orders[order];
      const std::vector<LocalTransform> locals = draw_locals(ids.size(), order != 3);
      World expected(flags);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        ASSERT_TRUE(expected.hierarchy.set_local(ids[i], locals[i]));
      }
      World alone(flags);
      ASSERT_TRUE(alone.hierarchy.set_local(ids, locals));
      const auto want = test::saved_bytes(alone.hierarchy);
      test::for_each_executor([&](const Executor* executor) {
        World got(flags);
        ASSERT_TRUE(got.hierarchy.set_local(ids, locals, {.executor = executor}));
        ASSERT_TRUE(test::saved_bytes(got.hierarchy) == want);
      });
      test::for_each_isa([&](Isa) {
        World got(flags);
        ASSERT_TRUE(got.hierarchy.set_local(ids, locals));
        ASSERT_TRUE(test::saved_bytes(got.hierarchy) == want);
      });
      expect_the_same_propagated(alone, expected);
    }
  }
}

TEST(TransformBulk, SetPositionIsThatOfSingleCalls) {
  for (const bool flags : {false, true}) {
    for (const std::vector<Id>& ids : World(flags).orders()) {
      std::vector<Vec3> positions;
      for (const LocalTransform& local : draw_locals(ids.size(), true)) {
        positions.push_back(local.position);
      }
      World got(flags), want(flags);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        ASSERT_TRUE(want.hierarchy.set_position(ids[i], positions[i]));
      }
      ASSERT_TRUE(got.hierarchy.set_position(ids, positions));
      const auto written = test::saved_bytes(got.hierarchy);
      expect_the_same_propagated(got, want);
      const auto propagated = test::saved_bytes(got.hierarchy);
      test::for_each_executor([&](const Executor* executor) {
        World shared(flags);
        ASSERT_TRUE(shared.hierarchy.set_position(ids, positions, {.executor = executor}));
        ASSERT_TRUE(test::saved_bytes(shared.hierarchy) == written);
        ASSERT_TRUE(shared.hierarchy.propagate());
        ASSERT_TRUE(test::saved_bytes(shared.hierarchy) == propagated);
      });
    }
  }
}

void expect_reads_of_single_calls(const Hierarchy& world, const std::vector<Id>& ids) {
  std::vector<Qvvs> worlds(ids.size());
  std::vector<LocalTransform> locals(ids.size());
  ASSERT_TRUE(world.world(ids, worlds));
  ASSERT_TRUE(world.local(ids, locals));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ASSERT_EQ(worlds[i], world.world(ids[i]).value()) << i;
    ASSERT_EQ(locals[i], world.local(ids[i]).value()) << i;
  }
}

TEST(TransformBulk, ReadsAreThoseOfSingleCalls) {
  for (const bool flags : {false, true}) {
    World world(flags);
    std::vector<std::vector<Id>> orders = world.orders();
    orders.emplace_back();
    orders.push_back({orders[2].begin(), orders[2].begin() + 700});
    for (const std::vector<Id>& ids : orders) {
      test::for_each_isa([&](Isa) { expect_reads_of_single_calls(world.hierarchy, ids); });
    }
    ASSERT_TRUE(world.hierarchy.set_local(orders[3], draw_locals(orders[3].size(), true)));
    for (const std::vector<Id>& ids : orders) {  // before propagate() too
      expect_reads_of_single_calls(world.hierarchy, ids);
    }
  }
}

TEST(TransformBulk, ReadersRunAtOnce) {
  const World world(false);
  const std::vector<Id> ids = world.orders()[2];
  std::vector<Qvvs> want(ids.size());
  ASSERT_TRUE(world.hierarchy.world(ids, want));
  std::vector<std::vector<Qvvs>> got(4, std::vector<Qvvs>(ids.size()));
  std::vector<std::thread> threads;
  for (std::vector<Qvvs>& out : got) {
    threads.emplace_back([&] {
      for (int round = 0; round < 10; ++round) {
        EXPECT_TRUE(world.hierarchy.world(ids, out));
        EXPECT_GT(world.hierarchy.stats().memory_bytes, 0U);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const std::vector<Qvvs>& out : got) {
    EXPECT_TRUE(out == want);
  }
}

TEST(TransformBulk, NothingIsDoneWhenOneIsRefused) {
  World world(true);
  const auto before = test::saved_bytes(world.hierarchy);
  for (std::vector<Id> ids : world.orders()) {
    const std::vector<Id> good = ids;
    std::vector<LocalTransform> locals = draw_locals(ids.size(), true);
    for (const std::size_t at : {std::size_t{0}, std::size_t{8501}, ids.size() - 1}) {
      locals[at].position.y = std::numeric_limits<float>::quiet_NaN();
      locals[ids.size() - 1].scale = at + 1 == ids.size() ? 1.0F : 0.0F;  // a later one is not named
      test::for_each_executor([&](const Executor* executor) {
        const auto refused = world.hierarchy.set_local(ids, locals, {.executor = executor});
        ASSERT_FALSE(refused);
        EXPECT_EQ(test::code_of(refused), ErrorCode::kNotFinite);
        EXPECT_EQ(refused.error().index, at);
      });
      std::vector<Vec3> positions(ids.size());
      positions[at].z = std::numeric_limits<float>::infinity();
      test::for_each_executor([&](const Executor* executor) {
        const auto refused = world.hierarchy.set_position(ids, positions, {.executor = executor});
        ASSERT_FALSE(refused);
        EXPECT_EQ(test::code_of(refused), ErrorCode::kNotFinite);
        EXPECT_EQ(refused.error().index, at);
      });
      positions[at] = {};
      locals = draw_locals(ids.size(), true);
      ids[at].generation += 2;
      test::for_each_executor([&](const Executor* executor) {
        const auto refused = world.hierarchy.set_position(ids, positions, {.executor = executor});
        ASSERT_FALSE(refused);
        EXPECT_EQ(test::code_of(refused), ErrorCode::kNotFound);
        EXPECT_EQ(refused.error().index, at);
      });
      const auto dead = world.hierarchy.set_local(ids, locals);
      ASSERT_FALSE(dead);
      EXPECT_EQ(test::code_of(dead), ErrorCode::kNotFound);
      EXPECT_EQ(dead.error().index, at);
      const Qvvs untouched{{}, {7, 7, 7}, 7};
      std::vector<Qvvs> worlds(ids.size(), untouched);
      const auto unread = world.hierarchy.world(ids, worlds);
      ASSERT_FALSE(unread);
      EXPECT_EQ(unread.error().index, at);
      EXPECT_EQ(std::ranges::count(worlds, untouched), static_cast<std::ptrdiff_t>(worlds.size()));
      ids = good;
    }
  }
  EXPECT_TRUE(test::saved_bytes(world.hierarchy) == before);
}

TEST(TransformBulk, OfNoNodes) {
  Hierarchy hierarchy;
  EXPECT_TRUE(hierarchy.set_local(std::span<const Id>(), {}));
  EXPECT_TRUE(hierarchy.set_position(std::span<const Id>(), {}));
  EXPECT_TRUE(hierarchy.world(std::span<const Id>(), {}));
  EXPECT_TRUE(hierarchy.local(std::span<const Id>(), {}));
}

}  // namespace
}  // namespace juxta
