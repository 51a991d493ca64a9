// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "scenes/hierarchies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "support/fnv.h"

namespace juxta::scenes {
namespace {

constexpr std::uint32_t kRoot = NodeDescription::kRoot;

// Field by field: the structure ends in bytes that belong to nobody.
std::uint64_t hash(const std::vector<NodeDescription>& nodes) {
  std::uint64_t h = 0xcbf29ce484222325U;
  for (const NodeDescription& node : nodes) {
    h = test::fnv(std::span(&node.local, 1), h);
    h = test::fnv(std::span(&node.parent, 1), h);
    h = test::fnv(std::span(&node.stretch, 1), h);
  }
  return h;
}

std::uint64_t hash(const TreeScene& scene) {
  return test::fnv(std::span<const std::uint32_t>(scene.storage), hash(scene.nodes));
}

std::vector<std::uint32_t> depths(const std::vector<NodeDescription>& nodes) {
  std::vector<std::uint32_t> depth;
  for (const NodeDescription& node : nodes) {
    depth.push_back(node.parent == kRoot ? 0 : depth[node.parent] + 1);
  }
  return depth;
}

std::uint32_t deepest(const TreeScene& scene) {
  const std::vector<std::uint32_t> depth = depths(scene.nodes);
  return *std::max_element(depth.begin(), depth.end());
}

void expect_sound(const TreeScene& scene) {
  std::vector<std::uint32_t> roots;
  for (std::uint32_t i = 0; i < scene.nodes.size(); ++i) {
    if (scene.nodes[i].parent == kRoot) {
      roots.push_back(i);
    } else {
      ASSERT_LT(scene.nodes[i].parent, i);
    }
    ASSERT_NEAR(length_squared(scene.nodes[i].local.rotation), 1, 1e-6);
  }
  EXPECT_EQ(scene.roots, roots);
  std::vector<std::uint32_t> stored = scene.storage;
  std::sort(stored.begin(), stored.end());
  std::vector<std::uint32_t> all(scene.nodes.size());
  std::iota(all.begin(), all.end(), 0U);
  EXPECT_EQ(stored, all);
}

TEST(Hierarchies, AreTheSameEverywhere) {
  std::map<std::string_view, std::uint64_t> hashes;
  for (const TreeShape shape : kTreeShapes) {
    hashes[name(shape)] = hash(make_trees(shape, 5000, 3));
  }
  EXPECT_EQ(hashes["random"], 2479992552090597588U);
  EXPECT_EQ(hashes["deep_wide"], 17875211109767402100U);
  EXPECT_EQ(hashes["chain"], 10133998186180757158U);
  EXPECT_EQ(hashes["star"], 17655559036292472825U);
  EXPECT_EQ(hashes["roots"], 8699959287078394253U);
  EXPECT_EQ(hash(as_trees(make_prefabs(form_of(5000), 3))), 18005951312643434707U);
}

TEST(Hierarchies, HaveTheirShapes) {
  for (const TreeShape shape : kTreeShapes) {
    SCOPED_TRACE(name(shape));
    for (const std::size_t count : {1U, 2U, 10U, 1000U, 20'000U}) {
      const TreeScene scene = make_trees(shape, count, 1);
      expect_sound(scene);
      if (shape != TreeShape::kDeepWide) {
        EXPECT_EQ(scene.nodes.size(), count);
      }
    }
  }
  const TreeScene random = make_trees(TreeShape::kRandom, 100'000, 1);
  EXPECT_EQ(random.roots.size(), 10'000U);
  EXPECT_GE(deepest(random), 9U);
  EXPECT_LE(deepest(random), 18U);
  EXPECT_FALSE(std::is_sorted(random.storage.begin(), random.storage.end()));
  const TreeScene chain = make_trees(TreeShape::kChain, 20'000, 1);
  EXPECT_EQ(deepest(chain), 19'999U);
  EXPECT_EQ(chain.roots.size(), 1U);
  EXPECT_EQ(deepest(make_trees(TreeShape::kStar, 20'000, 1)), 1U);
  EXPECT_EQ(make_trees(TreeShape::kRoots, 20'000, 1).roots.size(), 20'000U);
}

TEST(Hierarchies, DeepWideHasAChainAndAWideTree) {
  const TreeScene scene = make_trees(TreeShape::kDeepWide, 1'000'000, 1);
  ASSERT_EQ(scene.nodes.size(), 1'001'001U);
  EXPECT_EQ(scene.roots, (std::vector<std::uint32_t>{0, 1000}));
  std::vector<std::uint32_t> children(scene.nodes.size());
  for (const NodeDescription& node : scene.nodes) {
    if (node.parent != kRoot) {
      ++children[node.parent];
    }
  }
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const std::uint32_t wanted = i < 999 ? 1 : i == 999 ? 0 : i == 1000 ? 100'000 : i <= 101'000 ? 9 : 0;
    ASSERT_EQ(children[i], wanted) << i;
  }
}

// A chain of any depth keeps scales that float can hold: two kinds of growth by turns.
TEST(Hierarchies, ChainsStayFinite) {
  const TreeScene scene = make_trees(TreeShape::kChain, 100'000, 1);
  Qvvs world;
  for (const NodeDescription& node : scene.nodes) {
    world = mul(world, node.local, node.stretch);
    ASSERT_GT(world.scale, 0.5F);
    ASSERT_LT(world.scale, 2.0F);
  }
  EXPECT_LT(std::abs(world.position.x), 1e5F);
}

TEST(Hierarchies, LocalsAreAsStated) {
  const TreeScene scene = make_trees(TreeShape::kRandom, 20'000, 1);
  float farthest = 0, farthest_root = 0;
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const NodeDescription& node = scene.nodes[i];
    const Vec3 p = node.local.position;
    float& most = node.parent == kRoot ? farthest_root : farthest;
    most = std::max({most, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    ASSERT_EQ(node.local.scale, i % 7 == 0 ? 1.25F : 1.0F);
    ASSERT_EQ(node.stretch == (Vec3{1, 1, 1}), i % 50 != 0);
    for (const float s : {node.stretch.x, node.stretch.y, node.stretch.z}) {
      ASSERT_GE(s, 0.5F);
      ASSERT_LE(s, 1.5F);
    }
  }
  EXPECT_GT(farthest, 0.99F);
  EXPECT_LE(farthest, 1.0F);
  EXPECT_GT(farthest_root, 99.0F);
  EXPECT_LE(farthest_root, 100.0F);
}

TEST(Hierarchies, PrefabsHaveTheStatedNodes) {
  const PrefabScene scene = make_prefabs(form_of(1'000'000), 1);
  EXPECT_EQ(scene.nodes(), 1'000'000U);
  EXPECT_EQ(scene.roots.size(), 100'000U);
  EXPECT_EQ(scene.batches.size(), 200U);
  EXPECT_EQ(make_prefabs(form_of(1000), 1).nodes(), 940U);
  EXPECT_EQ(make_prefabs(form_of(100'000), 1).roots.size(), 10'000U);
  EXPECT_EQ(make_prefabs(form_of(1), 1).nodes(), 6U);
  std::vector<std::size_t> descendants;
  for (const std::vector<NodeDescription>& prefab : scene.prefabs) {
    ASSERT_LE(prefab.size(), Prefab::kMaxNodes);
    descendants.push_back(prefab.size() - 1);
    const std::vector<std::uint32_t> depth = depths(prefab);
    EXPECT_LE(*std::max_element(depth.begin(), depth.end()), 3U);
    EXPECT_EQ(std::count(depth.begin(), depth.end(), 0U), 1);
  }
  EXPECT_EQ(descendants, (std::vector<std::size_t>{5, 12, 8, 10, 7, 11, 9, 10}));
}

TEST(Hierarchies, PrefabsAsTreesAreTheirInstances) {
  const PrefabScene scene = make_prefabs({100, 30}, 1);
  const TreeScene trees = as_trees(scene);
  expect_sound(trees);
  ASSERT_EQ(trees.roots.size(), 100U);
  ASSERT_EQ(scene.batches.size(), 4U);
  EXPECT_EQ(scene.batches[3].last, 100U);
  EXPECT_EQ(scene.roots_of(scene.batches[3]).size(), 10U);
  for (std::size_t i = 0; i < 100; ++i) {
    const std::vector<NodeDescription>& prefab = scene.prefabs[i / 30];
    EXPECT_EQ(trees.nodes[trees.roots[i]].local, scene.roots[i]);
    for (std::size_t j = 1; j < prefab.size(); ++j) {
      const NodeDescription& node = trees.nodes[trees.roots[i] + j];
      EXPECT_EQ(node.local, prefab[j].local);
      EXPECT_EQ(node.parent, trees.roots[i] + prefab[j].parent);
    }
  }
  // All roots of the first batch, then all their first nodes.
  EXPECT_EQ(trees.storage[29], trees.roots[29]);
  EXPECT_EQ(trees.storage[30], 1U);
  EXPECT_EQ(trees.storage[31], trees.roots[1] + 1);
}

TEST(Hierarchies, MoversAreAHundredthAndOthersEachFrame) {
  const auto frames = choose_movers(10'000, 50, 1);
  ASSERT_EQ(frames.size(), 50U);
  std::set<std::uint32_t> seen;
  for (const std::vector<std::uint32_t>& frame : frames) {
    EXPECT_EQ(frame.size(), 100U);
    EXPECT_TRUE(std::is_sorted(frame.begin(), frame.end()));
    EXPECT_EQ(std::adjacent_find(frame.begin(), frame.end()), frame.end());
    EXPECT_LT(frame.back(), 10'000U);
    seen.insert(frame.begin(), frame.end());
  }
  EXPECT_NEAR(static_cast<double>(seen.size()), 10'000 * (1 - std::pow(0.99, 50)), 150);
  EXPECT_EQ(choose_movers(1, 2, 1)[1], std::vector<std::uint32_t>{0});
  EXPECT_TRUE(choose_movers(0, 1, 1)[0].empty());
}

TEST(Hierarchies, ReparentingDrawsNodesBelowRoots) {
  const TreeScene scene = make_trees(TreeShape::kRandom, 10'000, 1);
  Reparenting reparenting(scene, 2);
  std::set<std::uint32_t> nodes;
  for (int frame = 0; frame < 20; ++frame) {
    std::set<std::uint32_t> now;
    for (const NewParent& change : reparenting.next()) {
      EXPECT_NE(scene.nodes[change.node].parent, kRoot);
      EXPECT_EQ(scene.nodes[change.parent].parent, kRoot);
      now.insert(change.node);
    }
    EXPECT_EQ(now.size(), 100U);
    nodes.insert(now.begin(), now.end());
  }
  EXPECT_GT(nodes.size(), 1500U);
  Reparenting nobody(make_trees(TreeShape::kRoots, 10, 1), 1);
  EXPECT_TRUE(nobody.next().empty());
}

}  // namespace
}  // namespace juxta::scenes
