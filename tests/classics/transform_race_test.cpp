// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// The two races of the article. Its opening example, tasks in either order: versions depend on it where a
// child that rests asks for its own chunk's version. And the form of depth levels that it warns of, every
// interleaving of two jobs by hand: versions depend on who comes first when a job checks and bumps, and do
// not when all checks come before all updates.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "classics/transform/chunk_world.h"
#include "classics/transform/systems.h"
#include "classics/transform/version_race.h"
#include "classics/transform_worlds.h"

namespace juxta::classics {
namespace {

using test::world_versions;
using test::worlds;

// Two chunks that hold entities of depth 1, and read each other's kind:
//   D  128 entities of depth 0, unchanged         A  leaves: one below d0 (D), one below p (B), 126 of depth
//   0 C  128 entities of depth 0, c0 is written     B  p of depth 0, unchanged, and q of depth 1 below c0 (C)
struct TwoJobs {
  static constexpr std::uint32_t kD = 1, kC = kD + 128, kP = kC + 128, kQ = kP + 1, kA = kQ + 1;

  ChunkWorld world;
  std::uint32_t a = 0, b = 0, last_run = 0;

  TwoJobs() {
    scenes::Draws draws(3);
    std::vector<NodeDescription> nodes;
    const auto add = [&](std::uint32_t parent) { nodes.push_back({test::random_local(draws), parent}); };
    add(test::kNoParent);
    for (std::uint32_t i = 0; i < 2 * 128; ++i) {
      add(0);
    }
    add(0);   // p
    add(kC);  // q
    add(kD);
    add(kP);
    for (std::uint32_t i = 0; i < 126; ++i) {
      add(0);
    }
    // What makes the others parents too; stored after A.
    for (std::uint32_t i = 1; i < 128; ++i) {
      add(kD + i);
      add(kC + i);
    }
    add(kQ);
    std::vector<Id> ids(nodes.size());
    world.create(nodes, {}, ids);
    propagate_depth_levels(world);
    a = world.place(ids[kA]).chunk;
    b = world.place(ids[kQ]).chunk;
    EXPECT_EQ(b, world.place(ids[kP]).chunk);
    EXPECT_EQ(a, world.place(ids[kA + 1]).chunk);
    EXPECT_EQ(world.head(a).depth_mask & 0xffffU, 3U);
    EXPECT_EQ(world.head(b).depth_mask & 0xffffU, 3U);
    last_run = world.depth_levels_state().last_run;
    world.set_local(ids[kC], test::random_local(draws));
    world.end_system();
    for (const std::uint32_t chunk : world.depth_levels_state().chunks[0]) {
      if (depth_needs_update(world, chunk, 0, last_run)) {
        update_depth(world, chunk, 0);
      }
    }
    EXPECT_TRUE(changed_since(world.head(world.place(ids[kC]).chunk).world, last_run));
    EXPECT_FALSE(changed_since(world.head(a).world, last_run));
    EXPECT_FALSE(changed_since(world.head(b).world, last_run));
  }
};

// All ways to interleave four steps of one job with four of another.
std::vector<std::array<std::uint8_t, 8>> interleavings() {
  std::vector<std::array<std::uint8_t, 8>> all;
  for (unsigned bits = 0; bits < 256; ++bits) {
    if (std::popcount(bits) == 4) {
      std::array<std::uint8_t, 8> schedule{};
      for (unsigned step = 0; step < 8; ++step) {
        schedule[step] = static_cast<std::uint8_t>(bits >> step & 1);
      }
      all.push_back(schedule);
    }
  }
  return all;
}

// The five chunks of the article's opening example, with its versions: now is 20, the job ran last at 15, and
// of what was written at 10 the transforms of chunk A alone have been written since. On entity 2, a root, the
// tag means nothing, and 6 copies its parent: it gives them chunks of their own.
struct FiveChunks {
  ChunkWorld world;
  std::vector<Id> ids = std::vector<Id>(6);
  static constexpr std::uint32_t kLastRun = 15, kNow = 20;

  FiveChunks() {
    scenes::Draws draws(5);
    std::vector<NodeDescription> nodes;
    for (const std::uint32_t parent : {test::kNoParent, test::kNoParent, 0U, 1U, 2U, 3U}) {
      nodes.push_back({test::random_local(draws), parent});
    }
    nodes[1].inherit = nodes[5].inherit = Inherit::kCopyParent;
    world.create(nodes, {}, ids);
    propagate_depth_first(world);
    for (std::uint32_t index = 0; index < world.chunks(); ++index) {
      ChunkHead& head = world.head(index);
      head.world = head.local = head.parent = head.children = head.depth = head.order = 10;
    }
    while (world.version() < kNow) {
      world.end_system();
    }
    world.move_roots({ids.data(), 1}, 0.5F);
  }
  [[nodiscard]] std::uint32_t chunk_of(std::size_t entity) const {
    return world.place(ids[entity - 1]).chunk;
  }
  // The names of the chunks whose transforms count as written.
  [[nodiscard]] std::string written() const {
    std::string names;
    const std::size_t one_of[] = {1, 2, 3, 5, 6};
    for (std::size_t i = 0; i < 5; ++i) {
      if (changed_since(world.head(chunk_of(one_of[i])).world, kLastRun)) {
        names += "ABCDE"[i];
      }
    }
    return names;
  }
};

TEST(ClassicVersionRace, OpeningExampleStandsInFiveChunks) {
  const FiveChunks example;
  EXPECT_EQ(example.world.chunks(), 5U);
  EXPECT_EQ(example.chunk_of(3), example.chunk_of(4));
  EXPECT_EQ(example.written(), "A");
}

// As printed: where the task of B comes second, entity 4 takes its neighbour's update for its own, and 6 is
// computed anew: chunk E counts as written, and nothing in it has changed.
TEST(ClassicVersionRace, OpeningExampleAsPrintedHasAnOutcomeForEachOrder) {
  FiveChunks first_a, first_b;
  const std::uint32_t a = first_a.chunk_of(1), b = first_a.chunk_of(2);
  const std::uint32_t a_then_b[] = {a, b}, b_then_a[] = {b, a};
  update_below_roots(first_a.world, FiveChunks::kLastRun, a_then_b, ElseBranch::kAsPrinted);
  update_below_roots(first_b.world, FiveChunks::kLastRun, b_then_a, ElseBranch::kAsPrinted);
  EXPECT_EQ(first_a.written(), "ACDE");
  EXPECT_EQ(first_b.written(), "ACD");
  EXPECT_EQ(worlds(first_a.world), worlds(first_b.world));  // The transforms are not what differs.
  test::expect_naive(first_a.world);
}

TEST(ClassicVersionRace, OpeningExampleMendedHasOneOutcome) {
  FiveChunks first_a, first_b;
  const std::uint32_t a = first_a.chunk_of(1), b = first_a.chunk_of(2);
  const std::uint32_t a_then_b[] = {a, b}, b_then_a[] = {b, a};
  update_below_roots(first_a.world, FiveChunks::kLastRun, a_then_b, ElseBranch::kMended);
  update_below_roots(first_b.world, FiveChunks::kLastRun, b_then_a, ElseBranch::kMended);
  EXPECT_EQ(first_a.written(), "ACD");
  EXPECT_EQ(first_b.written(), "ACD");
  test::expect_naive(first_b.world);
}

// Outcomes of the tasks of all chunks of roots in twelve orders, after roots of one chunk have moved. Batches
// of 500 do not end where chunks of 128 do, so that neighbouring trees share chunks further down.
std::size_t outcomes_of_orders(ElseBranch otherwise) {
  std::map<std::vector<std::uint32_t>, int> outcomes;
  scenes::Draws orders(6);
  for (int order = 0; order < 12; ++order) {
    scenes::Draws draws(9);
    std::vector<NodeDescription> prefab;
    for (const std::uint32_t parent : {test::kNoParent, 0U, 1U, 2U}) {
      prefab.push_back({test::random_local(draws), parent});
    }
    const std::vector<LocalTransform> places(2000);
    std::vector<Id> ids(places.size());
    ChunkWorld world;
    world.instantiate(prefab, places, ids);
    propagate_depth_first(world);
    const std::uint32_t last_run = world.depth_first_state().last_run;
    world.move_roots({&ids[900], 1}, 1);
    const auto listed = world.chunks_of(kHasChildren);
    std::vector<std::uint32_t> chunks(listed.begin(), listed.end());
    EXPECT_EQ(chunks.size(), 16U);
    if (order > 0) {
      orders.shuffle(chunks);
    }
    update_below_roots(world, last_run, chunks, otherwise);
    test::expect_naive(world);
    ++outcomes[world_versions(world)];
  }
  return outcomes.size();
}

TEST(ClassicVersionRace, OrderOfTheTasksDecidesAsPrintedAndNotMended) {
  const std::size_t as_printed = outcomes_of_orders(ElseBranch::kAsPrinted);
  RecordProperty("outcomes_as_printed", std::to_string(as_printed));
  EXPECT_GT(as_printed, 1U);
  EXPECT_EQ(outcomes_of_orders(ElseBranch::kMended), 1U);
}

TEST(ClassicVersionRace, CheckAndBumpInOneJobHaveTwoOutcomes) {
  std::map<std::vector<std::uint32_t>, int> outcomes;
  std::vector<Qvvs> first;
  const auto schedules = interleavings();
  ASSERT_EQ(schedules.size(), 70U);
  for (const auto& schedule : schedules) {
    TwoJobs jobs;
    const std::uint32_t chunks[] = {jobs.a, jobs.b};
    update_depth_fused(jobs.world, 1, jobs.last_run, chunks, schedule);
    ++outcomes[world_versions(jobs.world)];
    EXPECT_TRUE(changed_since(jobs.world.head(jobs.b).world, jobs.last_run));
    if (first.empty()) {
      first = worlds(jobs.world);
    }
    EXPECT_EQ(worlds(jobs.world), first);  // The transforms are not what differs.
  }
  ASSERT_EQ(outcomes.size(), 2U);
  for (const auto& [versions, count] : outcomes) {
    EXPECT_EQ(count, 35);
  }
}

TEST(ClassicVersionRace, ChecksBeforeUpdatesHaveOneOutcome) {
  std::map<std::vector<std::uint32_t>, int> outcomes;
  const auto schedules = interleavings();
  for (const auto& check : schedules) {
    auto update = check;
    std::reverse(update.begin(), update.end());
    TwoJobs jobs;
    const std::uint32_t chunks[] = {jobs.a, jobs.b};
    update_depth_split(jobs.world, 1, jobs.last_run, chunks, check, update);
    ++outcomes[world_versions(jobs.world)];
    EXPECT_FALSE(changed_since(jobs.world.head(jobs.a).world, jobs.last_run));  // Nothing of it changed.
    EXPECT_TRUE(changed_since(jobs.world.head(jobs.b).world, jobs.last_run));
  }
  EXPECT_EQ(outcomes.size(), 1U);
}

// A scattered forest, where every chunk holds every depth, with frames of shuffled schedules.
class Forest {
 public:
  Forest() : ids_(4000) {
    scenes::Draws draws(8);
    const auto nodes = test::random_forest(draws, 4000, 200, 4000);
    world_.create(nodes, test::shuffled(draws, nodes.size()), ids_);
    propagate_depth_levels(world_);
  }
  ChunkWorld& world() { return world_; }
  void change(scenes::Draws& draws) {
    for (int i = 0; i < 3; ++i) {
      world_.set_local(ids_[draws.below(4000)], test::random_local(draws));
    }
  }

 private:
  ChunkWorld world_;
  std::vector<Id> ids_;
};

// A propagation whose phases run in shuffled order, step by step.
void propagate_shuffled(ChunkWorld& world, scenes::Draws& draws) {
  world.update_parents();
  update_depths(world);
  auto& state = world.depth_levels_state();
  for (std::uint8_t depth = 0; depth < kDeepest; ++depth) {
    std::vector<std::uint32_t> chunks = state.chunks[depth];
    ASSERT_LT(chunks.size(), 256U);
    if (chunks.empty()) {
      continue;
    }
    draws.shuffle(chunks);
    std::vector<std::uint8_t> checks(chunks.size() * 40), updates(chunks.size() * 3);
    for (auto* schedule : {&checks, &updates}) {
      for (std::uint8_t& next : *schedule) {
        next = static_cast<std::uint8_t>(draws.below(static_cast<std::uint32_t>(chunks.size())));
      }
    }
    update_depth_split(world, depth, state.last_run, chunks, checks, updates);
  }
  state.last_run = world.end_system();
}

TEST(ClassicVersionRace, ShuffledPhasesGiveTheSameVersionsEveryFrame) {
  Forest straight, shuffled;
  scenes::Draws changes(1), same_changes(1), draws(2);
  for (int frame = 0; frame < 20; ++frame) {
    straight.change(changes);
    shuffled.change(same_changes);
    propagate_depth_levels(straight.world());
    propagate_shuffled(shuffled.world(), draws);
    ASSERT_EQ(world_versions(straight.world()), world_versions(shuffled.world())) << frame;
    ASSERT_EQ(worlds(straight.world()), worlds(shuffled.world())) << frame;
    test::expect_naive(shuffled.world());
  }
}

}  // namespace
}  // namespace juxta::classics
