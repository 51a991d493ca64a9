// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Yardsticks need an oracle too: both classic propagations, their other forms, and the two in turn on one
// world, against recomputing everything from parents and locals.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "classics/transform/chunk_world.h"
#include "classics/transform_worlds.h"

namespace juxta::classics {
namespace {

enum class Way { kDepthFirst, kEager, kDepthLevels, kPrunedDepths, kInTurn };

class ClassicPropagation : public testing::TestWithParam<Way> {
 protected:
  void propagate() {
    ++runs_;
    PropagateForm form;
    form.eager = GetParam() == Way::kEager;
    form.pruned_depths = GetParam() == Way::kPrunedDepths;
    if (GetParam() == Way::kDepthFirst || form.eager || (GetParam() == Way::kInTurn && runs_ % 2 == 0)) {
      propagate_depth_first(world_, form);
    } else {
      propagate_depth_levels(world_, form);
    }
  }
  Id any() {
    const std::vector<Id> ids = test::living(world_);
    return ids[draws_.below(static_cast<std::uint32_t>(ids.size()))];
  }
  void move_some_roots() {
    std::vector<Id> roots;
    for (const Id id : test::living(world_)) {
      if (world_.parent_of(id) == Id{} && draws_.below(50) == 0) {
        roots.push_back(id);
      }
    }
    world_.move_roots(roots, 0.25F);
  }
  void spawn() {
    const std::vector<NodeDescription> prefab = test::random_forest(draws_, 9, 1, 9);
    std::vector<LocalTransform> roots(1 + draws_.below(700));  // More than a batch now and then.
    for (LocalTransform& root : roots) {
      root = test::random_local(draws_);
    }
    std::vector<Id> ids(roots.size());
    world_.instantiate(prefab, roots, ids);
  }
  // Returns whether it was no cycle.
  bool reparent_any() {
    const Id parent = draws_.below(6) == 0 ? Id{} : any();
    Id id = any();
    if (parent != Id{} && world_.parent_of(parent) != Id{} && draws_.below(10) == 0) {
      id = world_.parent_of(parent);
    }
    return world_.reparent(id, parent, draws_.below(2) == 0 ? Keep::kWorld : Keep::kLocal);
  }

  ChunkWorld world_;
  scenes::Draws draws_{17};
  int runs_ = 0;
};

TEST_P(ClassicPropagation, OfRandomForestsIsTheNaiveOne) {
  for (const std::uint32_t reach : {1U, 2U, 10U, 100000U}) {
    // Chains are short: the oracle's time is the square of their length.
    const std::uint32_t nodes = reach > 2 ? 3000 : 400;
    const std::vector<NodeDescription> forest = test::random_forest(draws_, nodes, 30, reach);
    std::vector<Id> ids(forest.size());
    world_.create(forest, test::shuffled(draws_, forest.size()), ids);
    propagate();
    test::expect_naive(world_);
    for (int frame = 0; frame < 10; ++frame) {
      move_some_roots();
      propagate();
      test::expect_naive(world_);
    }
    world_.move_all_roots(1);
    propagate();
    test::expect_naive(world_);
  }
}

TEST_P(ClassicPropagation, OfAnyHistoryIsTheNaiveOne) {
  const std::vector<NodeDescription> forest = test::random_forest(draws_, 2000, 100, 2000);
  std::vector<Id> ids(forest.size());
  world_.create(forest, test::shuffled(draws_, forest.size()), ids);
  std::size_t cycles = 0, reparented = 0;
  for (int frame = 0; frame < 60; ++frame) {
    if (frame % 10 == 3) {
      spawn();
    }
    for (std::uint32_t i = draws_.below(30); i > 0; --i) {
      ++(reparent_any() ? reparented : cycles);
    }
    for (std::uint32_t i = draws_.below(5); i > 0; --i) {
      world_.set_local(any(), test::random_local(draws_));
    }
    for (std::uint32_t i = draws_.below(12); i > 0; --i) {
      world_.destroy(any(), draws_.below(4) == 0 ? Children::kDestroy : Children::kToAncestor);
    }
    for (std::uint32_t i = draws_.below(6); i > 0; --i) {
      world_.set_copy_parent(any(), draws_.below(2) == 0);
    }
    move_some_roots();
    propagate();
    test::expect_naive(world_);
    test::expect_parent_to_world(world_);
  }
  EXPECT_GT(cycles, 0U);
  EXPECT_GT(reparented, 500U);
  EXPECT_GT(world_.size(), 2000U);
}

TEST_P(ClassicPropagation, FollowsADeepChain) {
  const std::vector<Id> chain = test::add_chain(world_, draws_, 1000);
  propagate();
  test::expect_naive(world_);
  for (const std::size_t at : {0U, 1U, 14U, 15U, 16U, 17U, 18U, 500U, 999U}) {
    const Qvvs last = world_.world_of(chain.back());
    world_.set_local(chain[at], test::random_local(draws_));
    propagate();
    test::expect_naive(world_);
    EXPECT_NE(world_.world_of(chain.back()), last) << at;
  }
  // From below 16 to the top and back, so that depths that are not told apart become known again.
  ASSERT_TRUE(world_.reparent(chain[600], chain[0], Keep::kLocal));
  propagate();
  test::expect_naive(world_);
  ASSERT_TRUE(world_.reparent(chain[600], Id{}, Keep::kWorld));
  propagate();
  test::expect_naive(world_);
  ASSERT_TRUE(world_.reparent(chain[600], chain[599], Keep::kWorld));
  world_.move_all_roots(1);
  propagate();
  test::expect_naive(world_);
  EXPECT_NEAR(length_squared(world_.world_of(chain.back()).rotation), 1, 1e-5);
}

TEST_P(ClassicPropagation, KeepsWorldOrLocalWhenAParentChanges) {
  const std::vector<NodeDescription> forest = test::random_forest(draws_, 500, 20, 500);
  std::vector<Id> ids(forest.size());
  world_.create(forest, {}, ids);
  propagate();
  for (int i = 0; i < 200; ++i) {
    const Id id = ids[draws_.below(500)], parent = draws_.below(4) == 0 ? Id{} : ids[draws_.below(500)];
    const Qvvs before = world_.world_of(id);
    const LocalTransform local = world_.local_of(id);
    const Keep keep = i % 2 == 0 ? Keep::kWorld : Keep::kLocal;
    const bool copies = (world_.head(world_.place(id).chunk).archetype & kCopyParent) != 0;
    if (!world_.reparent(id, parent, keep)) {
      continue;
    }
    ASSERT_EQ(world_.parent_of(id), parent);
    propagate();
    const Qvvs after = world_.world_of(id);
    if (keep == Keep::kLocal) {
      ASSERT_EQ(world_.local_of(id), local);
    } else if (!copies) {
      const float scale = 1 + std::abs(before.position.x) + std::abs(before.position.y);
      ASSERT_NEAR(after.position.x, before.position.x, 1e-3 * scale);
      ASSERT_NEAR(after.position.y, before.position.y, 1e-3 * scale);
      ASSERT_NEAR(after.scale, before.scale, 1e-3 * before.scale);
    }
  }
}

TEST_P(ClassicPropagation, WritesNothingWhenNothingChanged) {
  if (GetParam() == Way::kInTurn) {
    GTEST_SKIP() << "each system takes what the other one wrote for a change";
  }
  spawn();
  test::add_chain(world_, draws_, 200);
  propagate();
  propagate();
  const std::uint32_t version = world_.version();
  for (int frame = 0; frame < 3; ++frame) {
    propagate();
  }
  for (std::uint32_t chunk = 0; chunk < world_.chunks(); ++chunk) {
    EXPECT_LT(world_.head(chunk).world, version);
  }
}

// As published: one root that moves dirties its chunk, and whatever hangs on that: of about 100 chunks the
// few that hold a part of those 128 trees, and those where one of them shares a chunk with another run.
TEST_P(ClassicPropagation, ComputesTheChunksBelowAMovedRoot) {
  if (GetParam() == Way::kInTurn) {
    GTEST_SKIP() << "each system takes what the other one wrote for a change";
  }
  const std::vector<NodeDescription> prefab = test::random_forest(draws_, 6, 1, 6);
  std::vector<LocalTransform> roots(2000);
  std::vector<Id> ids(roots.size());
  world_.instantiate(prefab, roots, ids);
  propagate();
  propagate();
  const std::uint32_t version = world_.version();
  world_.move_roots({&ids[900], 1}, 1);
  propagate();
  std::size_t written = 0;
  for (std::uint32_t chunk = 0; chunk < world_.chunks(); ++chunk) {
    written += world_.head(chunk).world >= version ? 1 : 0;
  }
  EXPECT_GE(written, 1 + 5U);
  EXPECT_LE(written, 25U);
}

INSTANTIATE_TEST_SUITE_P(Ways, ClassicPropagation,
                         testing::Values(Way::kDepthFirst, Way::kEager, Way::kDepthLevels, Way::kPrunedDepths,
                                         Way::kInTurn),
                         [](const testing::TestParamInfo<Way>& way) {
                           return way.param == Way::kDepthFirst     ? "DepthFirst"
                                  : way.param == Way::kEager        ? "DepthFirstEager"
                                  : way.param == Way::kDepthLevels  ? "DepthLevels"
                                  : way.param == Way::kPrunedDepths ? "DepthLevelsPrunedDepths"
                                                                    : "InTurn";
                         });

}  // namespace
}  // namespace juxta::classics
