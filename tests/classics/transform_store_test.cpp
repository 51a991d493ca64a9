// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// The chunk store under the classic propagations: that its tables agree with each other whatever happened,
// and that its arithmetic is that of juxta::mul.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "classics/transform/chunk_world.h"
#include "classics/transform/systems.h"
#include "classics/transform/wide_mul-inl.h"
#include "classics/transform_worlds.h"

namespace juxta::classics {
namespace {

TEST(ClassicTransformMul, HasTheBitsOfTheCommonOne) {
  scenes::Draws draws(4);
  const auto any = [&](float size) { return draws.uniform(-size, size); };
  for (int i = 0; i < 20000; ++i) {
    const float size = i % 3 == 0 ? 1e20F : i % 3 == 1 ? 1.0F : 1e-30F;
    Qvvs parent{normalized({any(1), any(1), any(1), any(1) + 1.5F}), {any(size), any(size), any(size)}};
    parent.stretch = {any(2), any(2), 0};
    parent.scale = any(3);
    const LocalTransform local{
        normalized({any(1), any(1), any(1), any(1) + 1.5F}), {any(size), any(1), -0.0F}, any(2)};
    Qvvs out{{}, {1, 2, 3}, static_cast<std::int32_t>(draws.next()), {any(2), any(2), any(2)}, 9};
    const Qvvs want = mul(parent, local, out.stretch, out.context);
    mul_into(parent, local, out);
    ASSERT_EQ(std::memcmp(&want, &out, sizeof out), 0) << i;
  }
}

std::uint8_t depth_of(const ChunkWorld& world, Id id) {
  unsigned depth = 0;
  for (Id above = world.parent_of(id); world.parent_of(above) != Id{}; above = world.parent_of(above)) {
    ++depth;
  }
  return static_cast<std::uint8_t>(std::min<unsigned>(depth, kDeepest));
}

// Ids, places, parents, buffers of children, archetypes, depths and depth masks tell one story.
void expect_sound(const ChunkWorld& world) {
  std::vector<std::vector<Id>> children(world.places().size());
  std::size_t entities = 0;
  for (const Id id : test::living(world)) {
    ASSERT_TRUE(world.alive(id));
    const Place at = world.place(id);
    ASSERT_EQ(world.chunk(at.chunk).id[at.row], id);
    if (world.parent_of(id) != Id{}) {
      ASSERT_TRUE(world.alive(world.parent_of(id)));
      children[world.parent_of(id).slot].push_back(id);
    }
    ++entities;
  }
  ASSERT_EQ(entities, world.size());
  const auto by_slot = [](Id a, Id b) { return a.slot < b.slot; };
  for (std::uint32_t index = 0; index < world.chunks(); ++index) {
    const ChunkHead& head = world.head(index);
    const Chunk& chunk = world.chunk(index);
    unsigned mask = 0;
    for (std::uint32_t row = 0; row < head.size; ++row) {
      const Id id = chunk.id[row];
      ASSERT_EQ(chunk.parent[row], chunk.previous_parent[row]);
      ASSERT_EQ((head.archetype & kParented) != 0, chunk.parent[row] != Id{});
      const auto list = world.children(chunk.children[row]);
      std::vector<Id> got(list.begin(), list.end()), want = children[id.slot];
      std::sort(got.begin(), got.end(), by_slot);
      std::sort(want.begin(), want.end(), by_slot);
      ASSERT_EQ(got, want);
      ASSERT_EQ((head.archetype & kHasChildren) != 0, !want.empty());
      if (chunk.parent[row] != Id{}) {
        ASSERT_EQ(chunk.depth[row], depth_of(world, id));
        mask |= 1U << chunk.depth[row];
      }
    }
    ASSERT_EQ(head.depth_mask & 0xffffU, mask & 0xffffU);
  }
}

TEST(ClassicChunkWorld, StaysSoundUnderStructuralChanges) {
  scenes::Draws draws(23);
  ChunkWorld world;
  const auto forest = test::random_forest(draws, 1500, 60, 3);
  std::vector<Id> ids(forest.size());
  world.create(forest, test::shuffled(draws, forest.size()), ids);
  propagate_depth_levels(world);
  expect_sound(world);
  for (int frame = 0; frame < 80; ++frame) {
    const std::vector<Id> now = test::living(world);
    const auto any = [&] { return now[draws.below(static_cast<std::uint32_t>(now.size()))]; };
    // Every other frame is calm, so that most chunks see one change or none.
    const bool calm = frame % 2 == 1;
    for (std::uint32_t i = calm ? draws.below(2) : draws.below(40); i > 0; --i) {
      world.reparent(any(), draws.below(5) == 0 ? Id{} : any(), Keep::kLocal);
    }
    for (std::uint32_t i = calm ? 1 : draws.below(6); i > 0; --i) {
      const Id id = any();
      if (world.alive(id)) {
        world.destroy(id, i % 3 == 0 ? Children::kDestroy : Children::kToAncestor);
        ASSERT_FALSE(world.alive(id));
      }
    }
    if (frame % 8 == 0) {
      const auto more = test::random_forest(draws, 400, 9, 8);
      std::vector<Id> made(more.size());
      world.create(more, {}, made);
    }
    // Published depths, and pruned ones between them.
    propagate_depth_levels(world, {.pruned_depths = frame % 3 == 1});
    expect_sound(world);
  }
  EXPECT_GT(world.size(), 500U);
}

TEST(ClassicChunkWorld, DestroysChildrenOrHandsThemOver) {
  for (const Children what : {Children::kDestroy, Children::kToAncestor}) {
    scenes::Draws draws(5);
    ChunkWorld world;
    const std::vector<Id> chain = test::add_chain(world, draws, 10);
    propagate_depth_first(world);
    const Qvvs before = world.world_of(chain[5]);
    world.destroy(chain[4], what);
    EXPECT_EQ(world.alive(chain[5]), what == Children::kToAncestor);
    EXPECT_EQ(world.size(), what == Children::kToAncestor ? 9U : 4U);
    if (what == Children::kToAncestor) {
      EXPECT_EQ(world.parent_of(chain[5]), chain[3]);
      propagate_depth_first(world);
      EXPECT_NEAR(world.world_of(chain[5]).position.x, before.position.x, 1e-4);
      world.destroy(chain[0], what);
      EXPECT_EQ(world.parent_of(chain[1]), Id{});
    }
  }
}

TEST(ClassicChunkWorld, NamesAgainWhatDied) {
  scenes::Draws draws(5);
  ChunkWorld world;
  const Id dead = test::add_chain(world, draws, 1)[0];
  world.destroy(dead);
  const Id next = test::add_chain(world, draws, 1)[0];
  EXPECT_EQ(next.slot, dead.slot);
  EXPECT_NE(next.generation, dead.generation);
  EXPECT_FALSE(world.alive(dead));
}

// Inside a batch all copies of a node stand together, so chunks are runs of one node.
TEST(ClassicChunkWorld, InstantiatesNodeByNode) {
  scenes::Draws draws(6);
  std::vector<NodeDescription> prefab(3);
  prefab[0].parent = test::kNoParent;
  prefab[1] = {test::random_local(draws), 0};
  prefab[2] = {test::random_local(draws), 0};
  std::vector<LocalTransform> roots(700);
  for (LocalTransform& root : roots) {
    root = test::random_local(draws);
  }
  ChunkWorld world;
  std::vector<Id> ids(3 * roots.size());
  world.instantiate(prefab, roots, ids);
  propagate_depth_first(world);
  test::expect_naive(world);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const Qvvs root = world.world_of(ids[3 * i]);
    ASSERT_EQ(root.position, roots[i].position);
    ASSERT_EQ(world.parent_of(ids[3 * i + 1]), ids[3 * i]);
    ASSERT_EQ(world.world_of(ids[3 * i + 2]), mul(root, prefab[2].local));
  }
  const auto& leaves = world.chunks_of(kParented);
  const auto place = [&](std::size_t instance, std::size_t node) {
    const Place at = world.place(ids[3 * instance + node]);
    const auto chunk = std::find(leaves.begin(), leaves.end(), at.chunk) - leaves.begin();
    return static_cast<std::size_t>(chunk) * Chunk::kCapacity + at.row;
  };
  EXPECT_EQ(place(499, 1), 499U);
  EXPECT_EQ(place(0, 2), 500U);
  EXPECT_EQ(place(500, 1), 1000U);
  EXPECT_EQ(place(699, 2), 1399U);
}

// A world in which nobody asks for depths does not gather what has to be found, and catches up when asked.
TEST(ClassicChunkWorld, ForgetsWhoseDepthIsStaleWhenNobodyAsks) {
  scenes::Draws draws(7);
  ChunkWorld world;
  const std::vector<Id> chain = test::add_chain(world, draws, 40);
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(world.reparent(chain[39], chain[static_cast<std::size_t>(i % 38)], Keep::kLocal));
    propagate_depth_first(world);
    ASSERT_LE(world.depth_levels_state().reparented.size(), 42U);
  }
  EXPECT_TRUE(world.depth_levels_state().all_reparented);
  propagate_depth_levels(world);
  expect_sound(world);
  test::expect_naive(world);
}

}  // namespace
}  // namespace juxta::classics
