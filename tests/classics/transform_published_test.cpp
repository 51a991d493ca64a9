// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// What "Transform Hierarchy 1" prints and what it says, beside what the classics do: slips of the printed
// code, each shown once and mended, and the treatments that the article describes.
#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "classics/transform/chunk_world.h"
#include "classics/transform/systems.h"
#include "classics/transform/version_race.h"
#include "classics/transform_worlds.h"
#include "scenes/hierarchies.h"

namespace juxta::classics {
namespace {

std::size_t chunks_written_since(const ChunkWorld& world, std::uint32_t version) {
  std::size_t written = 0;
  for (const std::uint32_t each : test::world_versions(world)) {
    written += each >= version ? 1 : 0;
  }
  return written;
}

// Two roots that rest; each keeps a child whatever happens, so that neither changes its chunk:
//   a -> plain, copy -> below      b -> plain, other
struct TwoRoots {
  enum : std::size_t { kA, kB, kPlainOfA, kPlainOfB, kCopy, kBelow, kOther, kCount };
  ChunkWorld world;
  std::vector<Id> ids = std::vector<Id>(kCount);

  TwoRoots() {
    scenes::Draws draws(31);
    std::vector<NodeDescription> nodes;
    for (const std::uint32_t parent : {test::kNoParent, test::kNoParent, std::uint32_t{kA}, std::uint32_t{kB},
                                       std::uint32_t{kA}, std::uint32_t{kCopy}, std::uint32_t{kB}}) {
      nodes.push_back({test::random_local(draws), parent});
    }
    nodes[kCopy].inherit = Inherit::kCopyParent;
    world.create(nodes, {}, ids);
    propagate_depth_first(world);
    propagate_depth_levels(world);
  }
  [[nodiscard]] bool right(std::size_t node) const {
    return world.world_of(ids[node]) == naive_world_of(world, ids[node]);
  }
};

// As printed, a child is asked for what changed only if it has a local transform. One that copies its parent
// has none, so it follows a new parent only when that one's chunk moves.
TEST(ClassicSlips, PrintedDepthFirstLeavesAReparentedCopyWhereItWasWhileItsNewParentRests) {
  TwoRoots printed, mended, levels;
  for (TwoRoots* each : {&printed, &mended, &levels}) {
    ASSERT_TRUE(each->world.reparent(each->ids[TwoRoots::kCopy], each->ids[TwoRoots::kB], Keep::kLocal));
  }
  propagate_depth_first(printed.world, {.slips = true});
  EXPECT_EQ(printed.world.world_of(printed.ids[TwoRoots::kCopy]),
            printed.world.world_of(printed.ids[TwoRoots::kA]));  // the parent that it had
  EXPECT_FALSE(printed.right(TwoRoots::kCopy));
  EXPECT_FALSE(printed.right(TwoRoots::kBelow));
  propagate_depth_first(mended.world);
  test::expect_naive(mended.world);
  propagate_depth_levels(levels.world);  // its printed check asks whether parents were written, of any chunk
  test::expect_naive(levels.world);
  printed.world.move_all_roots(1);
  propagate_depth_first(printed.world, {.slips = true});
  test::expect_naive(printed.world);
}

// The same condition, and the tag is added while the parent rests. The check of depth levels, as printed,
// asks for the order of such a chunk, for this very case.
TEST(ClassicSlips, PrintedDepthFirstDoesNotSeeTheTagThatIsAdded) {
  TwoRoots printed, mended, levels;
  for (TwoRoots* each : {&printed, &mended, &levels}) {
    each->world.set_copy_parent(each->ids[TwoRoots::kOther], true);
  }
  propagate_depth_first(printed.world, {.slips = true});
  EXPECT_FALSE(printed.right(TwoRoots::kOther));
  propagate_depth_first(mended.world);
  EXPECT_EQ(mended.world.world_of(mended.ids[TwoRoots::kOther]),
            mended.world.world_of(mended.ids[TwoRoots::kB]));
  test::expect_naive(mended.world);
  propagate_depth_levels(levels.world);
  test::expect_naive(levels.world);
  // Taken again, the entity stands where its local transform says.
  mended.world.set_copy_parent(mended.ids[TwoRoots::kOther], false);
  propagate_depth_first(mended.world);
  EXPECT_NE(mended.world.world_of(mended.ids[TwoRoots::kOther]),
            mended.world.world_of(mended.ids[TwoRoots::kB]));
  test::expect_naive(mended.world);
}

std::uint8_t stored_depth(const ChunkWorld& world, Id id) {
  const Place at = world.place(id);
  return world.chunk(at.chunk).depth[at.row];
}

// An entity that becomes a root has no PreviousParent any more, and the printed job asks for those that were
// written: nobody tells the entities below. Once they are deeper than 16, no walk reaches them.
TEST(ClassicSlips, PrintedDepthsForgetWhatHangsOnANewRoot) {
  for (const bool slips : {true, false}) {
    scenes::Draws draws(12);
    ChunkWorld world;
    const std::vector<Id> chain = test::add_chain(world, draws, 40);
    const PropagateForm form{.slips = slips};
    propagate_depth_levels(world, form);
    ASSERT_EQ(stored_depth(world, chain[21]), slips ? 20 : kDeepest);
    ASSERT_TRUE(world.reparent(chain[20], Id{}, Keep::kWorld));
    propagate_depth_levels(world, form);
    EXPECT_EQ(stored_depth(world, chain[21]), slips ? 20 : 0);
    world.set_local(chain[20], test::random_local(draws));
    propagate_depth_levels(world, form);
    EXPECT_EQ(world.world_of(chain[30]) == naive_world_of(world, chain[30]), !slips);
  }
}

TEST(ClassicSlips, PrintedDepthIsAByteThatWrapsAround) {
  for (const bool slips : {true, false}) {
    scenes::Draws draws(13);
    ChunkWorld world;
    const std::vector<Id> chain = test::add_chain(world, draws, 300);
    propagate_depth_levels(world, {.slips = slips});
    EXPECT_EQ(stored_depth(world, chain[1]), 0);
    EXPECT_EQ(stored_depth(world, chain[256]), slips ? 255 : kDeepest);
    EXPECT_EQ(stored_depth(world, chain[257]), slips ? 0 : kDeepest);
  }
}

// The printed update of a depth asks for the column of ParentToWorld and writes nothing to it.
TEST(ClassicSlips, PrintedDepthLevelsLeaveParentToWorldAsItWas) {
  for (const bool printed : {true, false}) {
    TwoRoots two;
    const Id child = two.ids[TwoRoots::kPlainOfA], root = two.ids[TwoRoots::kA];
    const Qvvs before = two.world.world_of(root);
    two.world.move_all_roots(1);
    propagate_depth_levels(two.world, {.parent_to_world = !printed});
    test::expect_naive(two.world);
    EXPECT_EQ(two.world.parent_to_world_of(child), printed ? before : two.world.world_of(root));
  }
}

// 301 children of one root and 301 of another, all at rest; one of the others' becomes a child of the first.
struct Siblings {
  ChunkWorld world;
  std::vector<Id> ids;
  std::uint32_t last_run = 0, version = 0;

  Siblings() {
    scenes::Draws draws(14);
    std::vector<NodeDescription> nodes(2);
    for (std::uint32_t i = 0; i < 602; ++i) {
      nodes.push_back({test::random_local(draws), i < 301 ? 0U : 1U});
    }
    ids.resize(nodes.size());
    world.create(nodes, {}, ids);
    propagate_depth_first(world);
    last_run = world.depth_first_state().last_run;
    version = world.version();
    EXPECT_TRUE(world.reparent(ids.back(), ids[0], Keep::kLocal));
  }
};

// As published: a root's buffer of children that changed lets those children be computed whose chunk has a
// parent that was written. Unity's job, with which the article begins, computes all children of all roots of
// such a chunk.
TEST(ClassicChildBuffers, ARootThatGetsAChildLetsTheOthersRest) {
  Siblings published;
  propagate_depth_first(published.world);
  test::expect_naive(published.world);
  EXPECT_EQ(chunks_written_since(published.world, published.version), 1U);

  Siblings unity;
  unity.world.update_parents();
  const std::uint32_t roots[] = {unity.world.place(unity.ids[0]).chunk};
  update_below_roots(unity.world, unity.last_run, roots, ElseBranch::kMended);
  test::expect_naive(unity.world);
  EXPECT_EQ(chunks_written_since(unity.world, unity.version), 5U);  // 602 children
}

// What the article says of batches: chunks of instances hold few depths, so few chunks are met for more than
// one. On scattered trees every chunk holds nearly all.
double depths_of_a_chunk(ChunkWorld& world) {
  propagate_depth_levels(world);
  std::size_t chunks = 0, depths = 0;
  for (std::uint32_t index = 0; index < world.chunks(); ++index) {
    const std::uint32_t mask = world.head(index).depth_mask & 0xffffU;
    chunks += mask != 0 ? 1 : 0;
    depths += static_cast<std::size_t>(std::popcount(mask));
  }
  return static_cast<double>(depths) / static_cast<double>(chunks);
}

TEST(ClassicDepths, ChunksOfBatchesHoldFewAndScatteredOnesHoldAll) {
  const scenes::PrefabScene prefabs = scenes::make_prefabs(scenes::form_of(100'000), 1);
  ChunkWorld batches;
  for (const scenes::PrefabBatch& batch : prefabs.batches) {
    std::vector<Id> ids(batch.last - batch.first);
    batches.instantiate(prefabs.prefabs[batch.prefab], prefabs.roots_of(batch), ids);
  }
  const scenes::TreeScene trees = scenes::make_trees(scenes::TreeShape::kRandom, 100'000, 1);
  ChunkWorld scattered;
  std::vector<Id> ids(trees.nodes.size());
  scattered.create(trees.nodes, trees.storage, ids);
  const double of_batches = depths_of_a_chunk(batches), of_scattered = depths_of_a_chunk(scattered);
  RecordProperty("depths_of_a_chunk_of_batches", std::to_string(of_batches));
  RecordProperty("depths_of_a_scattered_chunk", std::to_string(of_scattered));
  EXPECT_LT(of_batches, 1.5);
  EXPECT_GT(of_scattered, 6);
}

// New instances: as published every one of them is walked and told its depth; pruned, none is.
TEST(ClassicDepths, PublishedAndPrunedOnesAgree) {
  const scenes::PrefabScene prefabs = scenes::make_prefabs({400, 50}, 2);
  for (const bool pruned : {true, false}) {
    ChunkWorld world;
    for (const scenes::PrefabBatch& batch : prefabs.batches) {
      std::vector<Id> ids(batch.last - batch.first);
      world.instantiate(prefabs.prefabs[batch.prefab], prefabs.roots_of(batch), ids);
      const std::uint32_t before = world.version();
      propagate_depth_levels(world, {.pruned_depths = pruned});
      std::size_t told = 0;
      for (const Id id : test::living(world)) {
        unsigned depth = 0;
        for (Id above = world.parent_of(id); above != Id{} && world.parent_of(above) != Id{};
             above = world.parent_of(above)) {
          ++depth;
        }
        ASSERT_EQ(stored_depth(world, id), depth);
      }
      for (std::uint32_t index = 0; index < world.chunks(); ++index) {
        told += changed_since(world.head(index).depth, before) ? 1 : 0;
      }
      EXPECT_EQ(told == 0, pruned);
      test::expect_naive(world);
    }
  }
}

}  // namespace
}  // namespace juxta::classics
