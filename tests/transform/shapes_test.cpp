// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Trees of shapes that are hard for a store of tiles: very deep, very wide, nothing but roots, larger than a
// tile, built node by node, moved as a whole, emptied and filled again.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "scenes/draws.h"
#include "transform/compare.h"
#include "transform/values.h"

namespace juxta {
namespace {

using scenes::Draws;
using test::Flags;
using test::Tree;

/// One tree in both.
struct Both {
  Hierarchy hierarchy;
  test::HierarchyModel model;
  std::vector<Id> ids;

  void insert(std::span<const NodeDescription> nodes) {
    std::vector<Id> more(nodes.size());
    const auto done = hierarchy.insert(nodes, more);
    ASSERT_TRUE(done) << done.error().message;
    model.insert(nodes, more);
    ids.insert(ids.end(), more.begin(), more.end());
  }
  void move(Id id, Vec3 position) {
    ASSERT_TRUE(hierarchy.set_position(id, position));
    model.set_position(id, position);
  }
  /// Propagates both; how many transforms were computed.
  std::size_t propagate() {
    model.propagate();
    const auto done = hierarchy.propagate();
    EXPECT_TRUE(done);
    return done ? done->computed : 0;
  }
  [[nodiscard]] std::string compare() { return test::compare_all(hierarchy, model, false); }
};

std::vector<NodeDescription> plain_tree(Tree tree, std::uint32_t count, std::uint64_t seed = 1) {
  Draws draws(seed);
  return test::draw_tree(draws, tree, count, Flags::kNone, false);
}

struct Shape {
  const char* name;
  Tree tree;
  std::uint32_t nodes;
};

class TransformShape : public testing::TestWithParam<Shape> {};

TEST_P(TransformShape, OneNodeManyNodesAndNothingMove) {
  const auto& [name, tree, count] = GetParam();
  Both both;
  const auto nodes = plain_tree(tree, count);
  ASSERT_NO_FATAL_FAILURE(both.insert(nodes));
  EXPECT_EQ(both.propagate(), count);
  ASSERT_EQ(both.compare(), "");
  EXPECT_EQ(both.propagate(), 0u);

  Draws draws(2);
  std::vector<std::uint32_t> below(count, 1);  // nodes in the tree below each, itself included
  for (std::uint32_t i = count; i-- > 0;) {
    if (nodes[i].parent != NodeDescription::kRoot) {
      below[nodes[i].parent] += below[i];
    }
  }
  for (const std::uint32_t one : {0U, count / 2, count - 1, draws.below(count)}) {
    ASSERT_NO_FATAL_FAILURE(both.move(both.ids[one], test::draw_vector(draws, 10)));
    EXPECT_EQ(both.propagate(), below[one]) << "node " << one;
    ASSERT_EQ(both.compare(), "") << "node " << one;
  }
  for (std::uint32_t i = 0; i < count / 100; ++i) {
    ASSERT_NO_FATAL_FAILURE(both.move(both.ids[draws.below(count)], test::draw_vector(draws, 10)));
  }
  both.propagate();
  ASSERT_EQ(both.compare(), "");
}

INSTANTIATE_TEST_SUITE_P(
    Of, TransformShape,
    testing::Values(Shape{"Chain1k", Tree::kChain, 1000}, Shape{"Chain100k", Tree::kChain, 100'000},
                    Shape{"Star100k", Tree::kStar, 100'000}, Shape{"Roots100k", Tree::kRoots, 100'000},
                    Shape{"Nines", Tree::kNines, 10'001}, Shape{"NinesLarge", Tree::kNines, 100'001},
                    Shape{"Random", Tree::kRandom, 60'000}, Shape{"One", Tree::kRoots, 1},
                    Shape{"ATileOfRoots", Tree::kRoots, 1024}, Shape{"ATileAndOne", Tree::kStar, 1025},
                    Shape{"ATileLessOne", Tree::kChain, 1023}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(TransformShapes, AChainNodeByNode) {
  constexpr std::uint32_t kDepth = 100'000;
  Both both;
  Draws draws(3);
  Id last;
  for (std::uint32_t i = 0; i < kDepth; ++i) {
    const LocalTransform local = test::draw_local(draws, false);
    const auto id = both.hierarchy.insert(local, last);
    ASSERT_TRUE(id) << id.error().message;
    both.model.insert(*id, local, last);
    last = *id;
    both.ids.push_back(last);
  }
  // Before anything was propagated: the root path alone.
  EXPECT_TRUE(test::same_bits(both.hierarchy.world(last).value(), both.model.evaluate(last).world));
  const auto propagated = both.hierarchy.propagate();
  ASSERT_TRUE(propagated && both.model.propagate());
  EXPECT_LE(propagated->computed, 2 * kDepth) << "a deep chain is no reason to compute it again and again";
  ASSERT_EQ(both.compare(), "");
  for (const std::uint32_t one : {0U, kDepth / 2, kDepth - 1}) {
    ASSERT_NO_FATAL_FAILURE(both.move(both.ids[one], {1, 2, 3}));
    EXPECT_TRUE(test::same_bits(both.hierarchy.world(last).value(), both.model.evaluate(last).world));
    both.propagate();
    ASSERT_EQ(both.compare(), "");
  }
  // The other way round: each new root gets the chain so far.
  ASSERT_TRUE(both.hierarchy.remove(both.ids[0]));
  EXPECT_EQ(both.hierarchy.size(), 0u);
}

TEST(TransformShapes, AChainFromTheLeafUp) {
  constexpr std::uint32_t kDepth = 3000;
  Both both;
  Draws draws(4);
  Id top;
  for (std::uint32_t i = 0; i < kDepth; ++i) {
    const LocalTransform local = test::draw_local(draws, false);
    const auto id = both.hierarchy.insert(local);
    ASSERT_TRUE(id);
    both.model.insert(*id, local, {});
    if (!(top == Id{})) {
      both.model.reparent(top, *id, Keep::kLocal);
      ASSERT_TRUE(both.hierarchy.reparent(top, *id, Keep::kLocal));
    }
    top = *id;
    if (i % 500 == 0) {
      both.propagate();
      ASSERT_EQ(both.compare(), "") << i;
    }
  }
  both.propagate();
  ASSERT_EQ(both.compare(), "");
}

TEST(TransformShapes, AWholeTreeGoesBackAndForth) {
  for (const Tree tree : {Tree::kNines, Tree::kRandom, Tree::kChain}) {
    SCOPED_TRACE(static_cast<int>(tree));
    Both both;
    auto nodes = plain_tree(tree, 20'000);
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      nodes[i].parent = nodes[i].parent == NodeDescription::kRoot ? 0 : nodes[i].parent;
    }
    ASSERT_NO_FATAL_FAILURE(both.insert(nodes));
    ASSERT_NO_FATAL_FAILURE(both.insert(plain_tree(Tree::kNines, 3000, 9)));
    both.propagate();
    const Id top = both.ids[0], other = both.ids[20'000], leaf = both.ids.back();
    std::vector<Qvvs> before(both.ids.size());
    ASSERT_TRUE(both.hierarchy.world(both.ids, before));
    for (int round = 0; round < 6; ++round) {
      const Id parent = round % 3 == 0 ? other : round % 3 == 1 ? leaf : Id{};
      both.model.reparent(top, parent, Keep::kLocal);
      ASSERT_TRUE(both.hierarchy.reparent(top, parent, Keep::kLocal));
      if (round % 2 == 0) {
        EXPECT_GE(both.propagate(), 20'000u);
        ASSERT_EQ(both.compare(), "") << round;
      }
    }
    both.propagate();
    ASSERT_EQ(both.compare(), "");
    std::vector<Qvvs> after(both.ids.size());
    ASSERT_TRUE(both.hierarchy.world(both.ids, after));
    EXPECT_TRUE(before == after) << "back where it was";
  }
}

TEST(TransformShapes, KeepWorldKeepsTheWorld) {
  Both both;
  Draws draws(5);
  ASSERT_NO_FATAL_FAILURE(both.insert(test::draw_tree(draws, Tree::kRandom, 500, Flags::kNone, false)));
  for (const Id id : both.ids) {  // a parent without extent has no way to keep its children's places
    both.model.set_stretch(id, {1, 2, 1});
    ASSERT_TRUE(both.hierarchy.set_stretch(id, {1, 2, 1}));
  }
  both.propagate();
  int moved = 0;
  for (int i = 0; i < 300; ++i) {
    const Id id = both.ids[draws.below(500)], parent = both.ids[draws.below(500)];
    if (both.model.is_above(id, parent)) {
      continue;
    }
    const Qvvs before = both.hierarchy.world(id).value();
    both.model.reparent(id, parent, Keep::kWorld);
    ASSERT_TRUE(both.hierarchy.reparent(id, parent, Keep::kWorld));
    const Qvvs after = both.hierarchy.world(id).value();
    const float size = 1 + std::abs(before.position.x) + std::abs(before.position.y) +
                       std::abs(before.position.z) + std::abs(both.hierarchy.world(parent)->position.x);
    ASSERT_NEAR(before.position.x, after.position.x, 1e-3F * size);
    ASSERT_NEAR(before.position.y, after.position.y, 1e-3F * size);
    ASSERT_NEAR(before.position.z, after.position.z, 1e-3F * size);
    ASSERT_NEAR(before.scale, after.scale, 1e-5F * before.scale);
    ++moved;
  }
  EXPECT_GT(moved, 100);
  both.propagate();
  ASSERT_EQ(both.compare(), "");
}

TEST(TransformShapes, ALeafComesAndGoesWithItsWorld) {
  Draws draws(5);
  for (int round = 0; round < 50; ++round) {
    Both both;
    for (std::size_t i = 0; i < 3; ++i) {
      const LocalTransform local = test::draw_local(draws, false);
      both.ids.push_back(*both.hierarchy.insert(local, i == 1 ? both.ids[0] : Id{}));
      both.model.insert(both.ids[i], local, i == 1 ? both.ids[0] : Id{});
    }
    both.propagate();
    const Id leaf = both.ids[2];
    // Under a node, to the top, under it again, without a propagation between them.
    for (const Id parent : {both.ids[1], Id{}, both.ids[0], Id{}, Id{}, both.ids[1]}) {
      both.model.reparent(leaf, parent, Keep::kWorld);
      ASSERT_TRUE(both.hierarchy.reparent(leaf, parent, Keep::kWorld));
      ASSERT_EQ(both.compare(), "");
    }
    both.propagate();
    ASSERT_EQ(both.compare(), "");
  }
}

TEST(TransformShapes, LinksOnLinksOnLinks) {
  // Every node of a random tree gets a random parent again and again: nothing stands beside its parent.
  Both both;
  Draws draws(6);
  constexpr std::uint32_t kNodes = 4000;
  ASSERT_NO_FATAL_FAILURE(both.insert(plain_tree(Tree::kChain, kNodes)));
  both.propagate();
  for (int frame = 0; frame < 15; ++frame) {
    for (std::uint32_t i = 0; i < kNodes / 4; ++i) {
      const Id id = both.ids[draws.below(kNodes)], parent = both.ids[draws.below(kNodes)];
      if (!both.model.is_above(id, parent)) {
        both.model.reparent(id, parent, Keep::kLocal);
        ASSERT_TRUE(both.hierarchy.reparent(id, parent, Keep::kLocal));
      }
    }
    both.propagate();
    ASSERT_EQ(both.compare(), "") << "frame " << frame;
  }
  // Left alone but for one mover, it comes into order again.
  const std::size_t links = both.hierarchy.stats().links;
  for (int frame = 0; frame < 60; ++frame) {
    ASSERT_NO_FATAL_FAILURE(both.move(both.ids[draws.below(kNodes)], {1, 1, 1}));
    both.propagate();
  }
  ASSERT_EQ(both.compare(), "");
  EXPECT_LE(both.hierarchy.stats().links, links);
}

TEST(TransformShapes, TilesAreEmptiedAndUsedAgain) {
  Draws draws(8);
  const auto prefab = Prefab::build(test::draw_tree(draws, Tree::kRandom, 12, Flags::kNone, true)).value();
  Both both;
  std::size_t memory = 0;
  for (int round = 0; round < 12; ++round) {
    const std::vector<LocalTransform> roots(1000);
    std::vector<Id> ids(roots.size() * prefab.size());
    ASSERT_TRUE(both.hierarchy.instantiate(prefab, roots, ids));
    both.model.instantiate(prefab, roots, ids, {});
    if (round % 2 == 0) {
      both.propagate();
    }
    std::vector<Id> gone;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      if (round % 3 == 0 || draws.below(10) != 0) {
        gone.push_back(ids[i * prefab.size()]);
      }
    }
    draws.shuffle(gone);
    for (const Id id : gone) {
      both.model.remove(id, Children::kDestroy);
    }
    ASSERT_TRUE(both.hierarchy.remove(gone));
    ASSERT_EQ(both.compare(), "") << "round " << round;
    std::vector<Id> rest;
    both.hierarchy.for_each([&](Id id) {
      if (both.hierarchy.parent(id).value() == Id{}) {
        rest.push_back(id);
      }
    });
    for (const Id id : rest) {
      both.model.remove(id, Children::kDestroy);
      ASSERT_TRUE(both.hierarchy.remove(id));
    }
    EXPECT_EQ(both.hierarchy.size(), 0u);
    EXPECT_EQ(both.hierarchy.stats().tiles, 0u);
    both.propagate();
    both.model.propagate();
    if (round == 2) {
      memory = both.hierarchy.stats().memory_bytes;
    }
  }
  EXPECT_LE(both.hierarchy.stats().memory_bytes, memory + memory / 10) << "rounds of the same size";
}

}  // namespace
}  // namespace juxta
