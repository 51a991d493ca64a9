// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Who dies, what becomes of the parts, and that nothing is left over: neither agents nor nodes.
#include <array>

#include "sector/worlds.h"

namespace juxta::sector::test {
namespace {

double real(float x) {
  return static_cast<double>(x);
}

std::vector<Id> ids_of(const Population& all, const auto& wanted) {
  std::vector<Id> ids;
  for (std::uint32_t row = 0; row < all.size(); ++row) {
    if (wanted(row)) {
      ids.push_back(all.id_of(row));
    }
  }
  return ids;
}

/// A ship without health, as it was before it came apart.
struct Dead {
  Id id;
  Vec3 at, velocity;
  float faction;
  Kind kind;
  ShipNodes nodes;
  std::array<Qvvs, kMostTurrets> turrets;
};

std::vector<Dead> dead_of(const World& world) {
  const Population& ships = *world.ships.all;
  std::vector<Dead> dead;
  for (std::uint32_t row = 0; row < ships.size(); ++row) {
    if (ships.read(world.ships.health)[row] > 0) {
      continue;
    }
    Dead one{ships.id_of(row),
             read(ships, position_column<3>(ships))[row],
             read(ships, world.ships.velocity)[row],
             ships.read(world.ships.faction)[row],
             static_cast<Kind>(ships.read(world.ships.kind)[row]),
             ships.read(world.ships.nodes)[row],
             {}};
    for (std::size_t i = 0; i < kTurrets[one.kind]; ++i) {
      one.turrets[i] = world.hierarchy.world(one.nodes.turret[i]).value();
    }
    dead.push_back(one);
  }
  return dead;
}

/// The row of the wreck whose root this is.
std::uint32_t wreck_of(const World& world, Id root) {
  const auto roots = world.wrecks.all->read(world.wrecks.root);
  const auto found = std::find(roots.begin(), roots.end(), root);
  return found == roots.end() ? Population::kNoRow : static_cast<std::uint32_t>(found - roots.begin());
}

void expect_apart(const World& world, const Dead& dead) {
  const Population& wrecks = *world.wrecks.all;
  EXPECT_FALSE(world.ships.all->alive(dead.id));
  EXPECT_FALSE(world.hierarchy.alive(dead.nodes.root));
  for (std::size_t i = 0; i < kTurrets[dead.kind]; ++i) {
    const Id turret = dead.nodes.turret[i];
    ASSERT_TRUE(world.hierarchy.alive(turret));
    EXPECT_EQ(world.hierarchy.parent(turret).value(), Id{});
    EXPECT_EQ(world.hierarchy.parent(dead.nodes.muzzle[i]).value(), turret);
    const Qvvs at = world.hierarchy.world(turret).value();
    EXPECT_LE(distance(at.position, dead.turrets[i].position), 1e-4);
    EXPECT_LE(distance(rotate(at.rotation, {1, 0, 0}), rotate(dead.turrets[i].rotation, {1, 0, 0})), 1e-4);
    EXPECT_LE(distance(rotate(at.rotation, {0, 1, 0}), rotate(dead.turrets[i].rotation, {0, 1, 0})), 1e-4);
    const std::uint32_t row = wreck_of(world, turret);
    ASSERT_NE(row, Population::kNoRow);
    EXPECT_EQ(read(wrecks, position_column<3>(wrecks))[row], dead.turrets[i].position);
    EXPECT_EQ(wrecks.read(world.wrecks.faction)[row], dead.faction);
    EXPECT_EQ(wrecks.read(world.wrecks.age)[row], 0);
    const Vec3 kick = read(wrecks, world.wrecks.velocity)[row] - dead.velocity;
    const double slack = 3 + 1e-5 * distance({}, dead.velocity);
    EXPECT_LE(std::max({std::abs(real(kick.x)), std::abs(real(kick.y)), std::abs(real(kick.z))}), slack);
  }
}

TEST(SectorDamage, ShipsWithoutHealthComeApart) {
  std::size_t deaths = 0;
  check_stage(all_battles(), 150, kDamage, [&](World& world, const auto& run) {
    const std::vector<Dead> dead = dead_of(world);
    const Population& ships = *world.ships.all;
    const auto health = ships.read(world.ships.health);
    const std::vector<Id> alive = ids_of(ships, [&](std::uint32_t row) { return health[row] > 0; });
    const std::uint32_t before = world.tick();
    const std::size_t blasts = world.explosions.all->size();
    run();
    EXPECT_EQ(world.tick(), before + 1);
    EXPECT_EQ(world.tally.deaths, dead.size());
    EXPECT_EQ(ids_of(ships, [](std::uint32_t) { return true; }), alive) << "in their order";
    for (const Dead& one : dead) {
      expect_apart(world, one);
    }
    EXPECT_LE(world.explosions.all->size(), blasts + dead.size());
    const auto first = static_cast<std::uint32_t>(world.explosions.all->size() - dead.size());
    for (std::uint32_t i = 0; i < dead.size(); ++i) {
      EXPECT_EQ(read(*world.explosions.all, position_column<3>(*world.explosions.all))[first + i],
                dead[i].at);
      EXPECT_EQ(world.explosions.all->read(world.explosions.radius)[first + i],
                world.scenario.kinds[dead[i].kind].length);
      EXPECT_EQ(world.explosions.all->read(world.explosions.age)[first + i], 0);
    }
    deaths += dead.size();
  });
  EXPECT_GT(deaths, 200U);
}

TEST(SectorDamage, TargetsLiveAndThreatsFallWithHealth) {
  std::size_t hurt = 0;
  check_stage(all_battles(), 90, kDamage, [&](World& world, const auto& run) {
    run();
    const Population& ships = *world.ships.all;
    for (std::uint32_t row = 0; row < ships.size(); ++row) {
      const Id target = ships.read(world.ships.target)[row];
      ASSERT_TRUE(target == Id{} || ships.alive(target));
      const KindNumbers& kind = world.scenario.kinds[ships.read(world.ships.kind)[row]];
      const double part = real(ships.read(world.ships.health)[row]) / real(kind.health);
      ASSERT_NEAR(real(ships.read(world.ships.threat)[row]), real(kind.threat) * (0.25 + 0.75 * part),
                  1e-5 * real(kind.threat));
      hurt += part < 1 ? 1 : 0;
    }
  });
  EXPECT_GT(hurt, 1'000U);
}

TEST(SectorDamage, WhatIsOverIsGone) {
  std::array<std::size_t, 3> gone{};
  check_stage(all_battles(), 150, kDamage, [&](World& world, const auto& run) {
    const Scenario& s = world.scenario;
    const Population &bullets = *world.bullets.all, &blasts = *world.explosions.all,
                     &wrecks = *world.wrecks.all;
    const VectorSpan<3, const float> at = read(bullets, position_column<3>(bullets));
    const auto flies = ids_of(bullets, [&](std::uint32_t row) {
      return std::abs(at[row].x) <= s.width / 2 && std::abs(at[row].y) <= s.depth / 2 &&
             std::abs(at[row].z) <= s.height / 2 && bullets.read(world.bullets.age)[row] <= s.bullet_life &&
             !(world.derived.bullet_hits[row].t <= 1);
    });
    const auto burns = ids_of(blasts, [&](std::uint32_t row) {
      return blasts.read(world.explosions.age)[row] <= s.explosion_time;
    });
    const auto drifts =
        ids_of(wrecks, [&](std::uint32_t row) { return wrecks.read(world.wrecks.age)[row] <= s.wreck_time; });
    gone[0] += bullets.size() - flies.size();
    gone[1] += blasts.size() - burns.size();
    gone[2] += wrecks.size() - drifts.size();
    run();
    const auto expect_first = [](const Population& all, const std::vector<Id>& ids) {
      ASSERT_GE(all.size(), ids.size()) << all.name();
      for (std::uint32_t row = 0; row < ids.size(); ++row) {
        ASSERT_EQ(all.id_of(row), ids[row]) << all.name();
      }
    };
    EXPECT_EQ(bullets.size(), flies.size());
    expect_first(bullets, flies);
    EXPECT_EQ(blasts.size(), burns.size() + world.tally.deaths);
    expect_first(blasts, burns);
    expect_first(wrecks, drifts);
  });
  EXPECT_GT(gone[0], 1'000U);
  EXPECT_GT(gone[1], 100U);
  EXPECT_GT(gone[2], 100U);
}

/// Hulls, turrets, muzzles and exhausts of what lives, and nothing besides.
TEST(SectorDamage, NoNodeIsLeftOver) {
  for (const Scenario& scenario : all_battles()) {
    SCOPED_TRACE(scenario.name);
    const auto world = begun(scenario);
    ASSERT_TRUE(world);
    for (std::uint32_t i = 0; i < 400; ++i) {
      ASSERT_TRUE(play(*world, 1));
      std::size_t nodes = 2 * world->points.all->size() + 2 * world->wrecks.all->size();
      for (const std::uint8_t kind : world->ships.all->read(world->ships.kind)) {
        nodes += 1 + 2 * kTurrets[kind] + kExhausts[kind];
      }
      ASSERT_EQ(world->hierarchy.size(), nodes) << "tick " << i;
      ASSERT_LE(world->ships.all->size(), scenario.ships);
      ASSERT_EQ(census_of(*world).nodes, nodes);
    }
  }
}

}  // namespace
}  // namespace juxta::sector::test
