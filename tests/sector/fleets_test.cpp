// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The preset `fleets` is a battle worth watching: fleets begin apart and in order, meet within seconds, and
// die over a minute, neither at once nor hardly at all.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include "sector/tick.h"
#include "sector/world.h"

namespace juxta::sector {
namespace {

std::unique_ptr<World> begun(const Scenario& scenario) {
  auto world = begin_world(scenario);
  EXPECT_TRUE(world) << world.error().message;
  return std::move(*world);
}

std::vector<Id> ids_of(const Population& ships) {
  std::vector<Id> ids;
  for (std::uint32_t row = 0; row < ships.size(); ++row) {
    ids.push_back(ships.id_of(row));
  }
  return ids;
}

/// Part of them that is dead.
double dead(const Population& ships, const std::vector<Id>& began) {
  std::size_t gone = 0;
  for (const Id id : began) {
    gone += ships.row_of(id) ? 0 : 1;
  }
  return static_cast<double>(gone) / static_cast<double>(began.size());
}

/// The tick of the first hit, or the last one played.
std::uint32_t play(World& world, std::uint32_t to) {
  std::uint32_t first_hit = 0;
  while (world.tick() < to) {
    EXPECT_TRUE(tick(world));
    first_hit = first_hit == 0 && world.tally.hits > 0 ? world.tick() : first_hit;
  }
  return first_hit == 0 ? to : first_hit;
}

// A quarter of a minute; all of it where JUXTA_FLEETS_SECONDS says so, which takes ten seconds.
TEST(Fleets, MeetWithinSecondsAndDieOverAMinute) {
  const char* const wanted = std::getenv("JUXTA_FLEETS_SECONDS");
  const std::uint32_t seconds = wanted == nullptr ? 15 : static_cast<std::uint32_t>(std::atoi(wanted));
  const auto world = begun(preset("fleets").value());
  const Population& ships = *world->ships.all;
  const std::vector<Id> began = ids_of(ships);
  EXPECT_EQ(began.size(), 2400u);
  EXPECT_LT(play(*world, 300), 300u);
  EXPECT_LT(dead(ships, began), 0.05);
  play(*world, 900);
  EXPECT_GT(dead(ships, began), 0.01);
  EXPECT_LT(dead(ships, began), 0.3);
  play(*world, 60 * seconds);
  if (seconds >= 60) {
    EXPECT_GT(dead(ships, began), 1 / 3.0);
  }
  const Census census = census_of(*world);  // both sides fight on
  EXPECT_GT(census.ships[0], 50u);
  EXPECT_GT(census.ships[1], 50u);
  EXPECT_GT(census.bullets, 50u);
}

TEST(Fleets, CruisersAreInTheMiddleAndAllFlyTowardsTheEnemy) {
  for (const std::uint32_t factions : {1u, 2u, 3u, 4u}) {
    Scenario scenario = preset("fleets").value();
    scenario.factions = factions;
    scenario.fleet_groups = 1;
    scenario.depth = 1000;
    scenario.asteroids = 0;
    const auto world = begun(scenario);
    const Population& ships = *world->ships.all;
    EXPECT_EQ(ships.size(), scenario.ships);
    const auto x = ships.read(ships.position(0)), y = ships.read(ships.position(1));
    const auto vx = ships.read(world->ships.velocity[0]), vy = ships.read(world->ships.velocity[1]);
    const auto faction = ships.read(world->ships.faction);
    const auto kind = ships.read(world->ships.kind);
    std::array<std::array<double, 2>, kMostFactions> middle{};
    std::array<double, kMostFactions> count{};
    for (std::size_t i = 0; i < ships.size(); ++i) {
      const auto of = static_cast<std::size_t>(faction[i]);
      middle[of][0] += double{x[i]};
      middle[of][1] += double{y[i]};
      ++count[of];
      EXPECT_LT(x[i] * vx[i] + y[i] * vy[i], 0) << "towards the middle of the world";
    }
    std::array<double, kKinds> away{}, kinds{};
    for (std::size_t i = 0; i < ships.size(); ++i) {
      const auto of = static_cast<std::size_t>(faction[i]);
      away[kind[i]] += std::hypot(x[i] - middle[of][0] / count[of], y[i] - middle[of][1] / count[of]);
      ++kinds[kind[i]];
    }
    for (std::uint32_t of = 0; of < factions; ++of) {
      EXPECT_NEAR(count[of], static_cast<double>(scenario.ships) / factions, 1);
    }
    EXPECT_NEAR(kinds[kCruiser], 0.02 * scenario.ships, 4);
    EXPECT_LT(away[kCruiser] / kinds[kCruiser], away[kCorvette] / kinds[kCorvette]);
    EXPECT_LT(away[kCorvette] / kinds[kCorvette], away[kFighter] / kinds[kFighter]);
    EXPECT_LT(away[kFighter] / kinds[kFighter], double{scenario.fleet_radius});
  }
}

TEST(Fleets, GroupsOfOddNumbersHaveAllShips) {
  for (const std::uint32_t groups : {1u, 3u, 7u, 1000u}) {
    Scenario scenario = preset("fleets").value();
    scenario.fleet_groups = groups;
    scenario.ships = 997;
    const auto world = begun(scenario);
    EXPECT_EQ(world->ships.all->size(), 997u);
    const Census census = census_of(*world);
    EXPECT_EQ(census.ships[0], 499u);
    EXPECT_TRUE(tick(*world));
  }
}

TEST(Fleets, MustFitBetweenTheWalls) {
  Scenario scenario = preset("fleets").value();
  scenario.fleet_gap = 900;
  const auto refused = check_scenario(scenario);
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      refused.error().message.find("[fleets] gap: a gap of 900 m and fleets of 3 radii on both sides take"),
      0u)
      << refused.error().message;
  scenario.fleet_groups = 0;
  EXPECT_TRUE(check_scenario(scenario));
}

}  // namespace
}  // namespace juxta::sector
