// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Which spawn points are safe, by a loop over everything that there is, and what they release.
#include <array>

#include "juxta/shape/shape.h"
#include "sector/worlds.h"

namespace juxta::sector::test {
namespace {

std::vector<Aabb3> obstacles_of(const World& world) {
  std::vector<Aabb3> boxes;
  const auto add = [&](const Population& all, const auto& radius) {
    const auto at = read(all, position_column<3>(all));
    for (std::uint32_t row = 0; row < all.size(); ++row) {
      boxes.push_back(ball_box(at[row], radius(row)));
    }
  };
  const auto kind = world.ships.all->read(world.ships.kind);
  const auto blast = world.explosions.all->read(world.explosions.radius);
  add(*world.ships.all, [&](std::uint32_t row) { return world.fleet.models[kind[row]].radius; });
  add(*world.bullets.all, [](std::uint32_t) { return 0.0F; });
  add(*world.explosions.all, [&](std::uint32_t row) { return blast[row]; });
  for (std::uint32_t i = 0; i < world.asteroids.size(); ++i) {
    boxes.push_back(bounds_of(world.asteroids.body(i).shape, world.asteroids.body(i).at));
  }
  return boxes;
}

/// Rows of the points that may release.
std::vector<std::uint32_t> safe_points(const World& world) {
  const Population& points = *world.points.all;
  const auto at = read(points, position_column<3>(points));
  const auto rest = points.read(world.points.rest);
  const std::vector<Aabb3> obstacles = obstacles_of(world);
  const auto box = [&](std::uint32_t row) { return ball_box(at[row], 0.5F * world.scenario.spawn_edge); };
  std::vector<std::uint32_t> safe;
  for (std::uint32_t row = 0; row < points.size(); ++row) {
    bool free = !(rest[row] > 0);
    for (std::uint32_t other = 0; other < points.size(); ++other) {
      free = free && (other == row || !box(row).overlaps(box(other)));
    }
    for (const Aabb3& obstacle : obstacles) {
      free = free && !box(row).overlaps(obstacle);
    }
    if (free) {
      safe.push_back(row);
    }
  }
  return safe;
}

/// How many ships each faction lacks.
std::array<std::size_t, kMostFactions> missing_of(const World& world) {
  std::array<std::size_t, kMostFactions> missing{};
  for (std::uint32_t ship = 0; ship < world.scenario.ships; ++ship) {
    ++missing[ship % world.scenario.factions];
  }
  for (const float faction : world.ships.all->read(world.ships.faction)) {
    --missing[static_cast<std::size_t>(faction)];
  }
  return missing;
}

/// One ship that was released is as new, where its point is.
void expect_new(const World& world, std::uint32_t ship, std::uint32_t point) {
  const Ships& ships = world.ships;
  const auto at = read(*ships.all, position_column<3>(*ships.all));
  EXPECT_EQ(at[ship], read(*world.points.all, position_column<3>(*world.points.all))[point]);
  EXPECT_EQ(read(*ships.all, ships.velocity)[ship], read(*world.points.all, world.points.velocity)[point]);
  EXPECT_EQ(ships.all->read(ships.faction)[ship], world.points.all->read(world.points.faction)[point]);
  EXPECT_EQ(ships.all->read(ships.target)[ship], Id{});
  const std::uint8_t kind = ships.all->read(ships.kind)[ship];
  ASSERT_LT(kind, kKinds);
  const KindNumbers& numbers = world.scenario.kinds[kind];
  EXPECT_GT(numbers.share, 0);
  EXPECT_EQ(ships.all->read(ships.health)[ship], numbers.health);
  EXPECT_EQ(ships.all->read(ships.threat)[ship], numbers.threat);
  EXPECT_EQ(ships.all->read(ships.speed_min)[ship], numbers.speed_min);
  EXPECT_EQ(ships.all->read(ships.speed_max)[ship], numbers.speed_max);
  const ShipNodes nodes = ships.all->read(ships.nodes)[ship];
  ASSERT_TRUE(world.hierarchy.alive(nodes.root));
  EXPECT_EQ(world.hierarchy.world(nodes.root)->position, at[ship]);
  for (std::size_t i = 0; i < kMostTurrets; ++i) {
    EXPECT_EQ(world.hierarchy.alive(nodes.turret[i]), i < kTurrets[kind]);
    EXPECT_EQ(world.hierarchy.alive(nodes.muzzle[i]), i < kTurrets[kind]);
  }
}

TEST(SectorSpawn, SafePointsReleaseWhatTheirFactionLacks) {
  std::size_t all_safe = 0, unsafe = 0, all_released = 0;
  check_stage(all_battles(), 90, kSpawn, [&](World& world, const auto& run) {
    const std::vector<std::uint32_t> safe = safe_points(world);
    auto missing = missing_of(world);
    const auto before = world.points.all->read(world.points.rest);
    std::vector<float> rest(before.begin(), before.end());
    const auto faction = world.points.all->read(world.points.faction);
    std::vector<std::uint32_t> released;
    for (const std::uint32_t row : safe) {
      if (missing[static_cast<std::size_t>(faction[row])] > 0) {
        --missing[static_cast<std::size_t>(faction[row])];
        released.push_back(row);
        rest[row] = world.scenario.spawn_rest;
      }
    }
    const auto first = static_cast<std::uint32_t>(world.ships.all->size());
    run();
    ASSERT_EQ(world.tally.safe_points, safe.size());
    ASSERT_EQ(world.tally.released, released.size());
    ASSERT_EQ(world.ships.all->size(), first + released.size());
    const auto after = world.points.all->read(world.points.rest);
    EXPECT_TRUE(std::equal(after.begin(), after.end(), rest.begin(), rest.end()));
    for (std::uint32_t i = 0; i < released.size(); ++i) {
      expect_new(world, first + i, released[i]);
    }
    all_safe += safe.size();
    unsafe += rest.size() - safe.size();
    all_released += released.size();
  });
  EXPECT_GT(all_safe, 500U);
  EXPECT_GT(unsafe, 500U);
  EXPECT_GT(all_released, 20U);
}

/// Shares of 0 are never drawn, and what is drawn has about its share.
TEST(SectorSpawn, KindsComeByTheirShares) {
  Scenario scenario = small(7, 3'000);
  scenario.kinds[kFighter].share = 30;
  scenario.kinds[kCorvette].share = 0;
  scenario.kinds[kCruiser].share = 10;
  const auto world = begun(scenario);
  ASSERT_TRUE(world);
  std::array<int, kKinds> count{};
  for (const std::uint8_t kind : world->ships.all->read(world->ships.kind)) {
    ++count.at(kind);
  }
  EXPECT_EQ(count[kCorvette], 0);
  EXPECT_NEAR(count[kCruiser], 750, 100);  // four sigma
}

}  // namespace
}  // namespace juxta::sector::test
