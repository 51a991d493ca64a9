// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One battle, however many threads play it, in whatever order they take their tasks, on any instruction set.
#include "sector/worlds.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta::sector::test {
namespace {

/// More ships than a task takes, and as crowded as the battle; no ship of it is whole after some ticks.
Scenario crowd() {
  Scenario s;
  s.name = "crowd";
  s.seed = 5;
  s.width = s.depth = 420;
  s.height = 120;
  s.ships = 5'000;
  s.spawn_points = 600;
  s.asteroids = 40;
  s.asteroid_triangles = 80;
  s.radar_cells = 8;
  for (KindNumbers& kind : s.kinds) {
    kind.health = 10;
  }
  return s;
}

/// The hash when the battle begins and after each tick.
std::vector<std::uint64_t> hashes_of(const Scenario& scenario, std::uint32_t ticks,
                                     const Executor* executor) {
  const auto world = begun(scenario, executor);
  std::vector<std::uint64_t> hashes;
  if (world) {
    hashes.push_back(state_hash(*world));
    while (world->tick() < ticks && play(*world, 1)) {
      hashes.push_back(state_hash(*world));
    }
  }
  return hashes;
}

TEST(SectorDeterminism, AnyExecutorPlaysTheSameBattle) {
  constexpr std::uint32_t kTicks = 8;
  const std::vector<std::uint64_t> expected = hashes_of(crowd(), kTicks, nullptr);
  ASSERT_EQ(expected.size(), kTicks + 1);
  juxta::test::for_each_executor(
      [&](const Executor* executor) { EXPECT_EQ(hashes_of(crowd(), kTicks, executor), expected); });
}

TEST(SectorDeterminism, OddBattlesToo) {
  for (const Scenario& scenario : odd_battles()) {
    SCOPED_TRACE(scenario.name);
    const std::vector<std::uint64_t> expected = hashes_of(scenario, 20, nullptr);
    const juxta::test::ShuffledExecutor shuffled(juxta::test::ShuffledExecutor::Order::kShuffled);
    EXPECT_EQ(hashes_of(scenario, 20, &shuffled), expected);
  }
}

TEST(SectorDeterminism, AnyInstructionSetPlaysTheSameBattle) {
  constexpr std::uint32_t kTicks = 25;
  const juxta::test::ThreadsExecutor threads(3);
  const std::vector<std::uint64_t> expected = hashes_of(crowd(), kTicks, nullptr);
  juxta::test::for_each_isa([&](Isa) { EXPECT_EQ(hashes_of(crowd(), kTicks, &threads), expected); });
}

/// What the hash is for: it tells apart battles that differ in one number of one agent.
TEST(SectorDeterminism, TheHashSeesEveryColumn) {
  const auto world = begun(small(1));
  ASSERT_TRUE(world);
  ASSERT_TRUE(play(*world, 60));
  const std::uint64_t before = state_hash(*world);
  for (std::size_t i = 0; i < world->simulation.population_count(); ++i) {
    Population& all = world->simulation.population(i);
    for (std::uint32_t column = 0; column < all.column_count(); ++column) {
      if (all.kind_of(column) != ColumnKind::kFloat || all.size() == 0) {
        continue;
      }
      float& last = all.write(Column<float>{column})[all.size() - 1];
      const float old = last;
      last = std::nextafter(old, 1e9F);
      EXPECT_NE(state_hash(*world), before) << all.name() << "." << all.column_name(column);
      last = old;
    }
  }
  EXPECT_EQ(state_hash(*world), before);
  const Id turret = world->ships.all->read(world->ships.nodes)[0].turret[0];
  ASSERT_TRUE(world->hierarchy.set_position(turret, {1, 2, 3}));
  ASSERT_TRUE(world->hierarchy.propagate());
  EXPECT_NE(state_hash(*world), before);
}

TEST(SectorDeterminism, SeedsAreOtherBattles) {
  EXPECT_NE(hashes_of(small(1), 3, nullptr), hashes_of(small(2), 3, nullptr));
}

}  // namespace
}  // namespace juxta::sector::test
