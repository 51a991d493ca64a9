// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Bullets leave from where muzzles are in the world, along what the muzzle looks at.
#include "sector/each.h"
#include "sector/orientation.h"
#include "sector/tick.h"

namespace juxta::sector {
namespace {

/// Cosine of the angle within which a gun that looks at its target fires.
constexpr float kAimed = 0.97F;

/// Ships that have reloaded, and their targets, as rows.
std::vector<Pair> find_ready(const World& world) {
  const Population& ships = *world.ships.all;
  const auto reload = ships.read(world.ships.reload);
  const auto target = ships.read(world.ships.target);
  const auto at = read(ships, position_column<3>(ships));
  const std::vector<std::uint32_t> rows = rows_where(
      world, ships.size(), [&](std::size_t row) { return reload[row] <= 0 && !(target[row] == Id{}); });
  std::vector<std::uint32_t> aims(rows.size());  // the target, if it is within range
  for_each_index(world, rows.size(), [&](std::size_t i) {
    const std::uint32_t aim = ships.row_of(target[rows[i]]).value_or(Population::kNoRow);
    const Vec3 way = aim == Population::kNoRow ? Vec3{} : at[aim] - at[rows[i]];
    aims[i] = dot(way, way) <= world.scenario.range * world.scenario.range ? aim : Population::kNoRow;
  });
  const std::vector<std::uint32_t> near =
      rows_where(world, aims.size(), [&](std::size_t i) { return aims[i] != Population::kNoRow; });
  std::vector<Pair> ready(near.size());
  for_each_index(world, near.size(), [&](std::size_t i) { ready[i] = {rows[near[i]], aims[near[i]]}; });
  return ready;
}

/// A bullet to be.
struct Shot {
  std::uint32_t ship;
  Vec3 at, velocity;
};

std::vector<Shot> shots_of(const World& world, std::span<const Pair> all_ready) {
  const Population& ships = *world.ships.all;
  const auto kind = ships.read(world.ships.kind);
  const auto nodes = ships.read(world.ships.nodes);
  const auto at = read(ships, position_column<3>(ships)), velocity = read(ships, world.ships.velocity);
  std::vector<Id> muzzles;
  std::vector<Pair> guns;
  for (const Pair& ready : all_ready) {
    for (std::size_t turret = 0; turret < kTurrets[kind[ready.a]]; ++turret) {
      muzzles.push_back(nodes[ready.a].muzzle[turret]);
      guns.push_back(ready);
    }
  }
  const std::vector<Qvvs> worlds = read_nodes<Qvvs>(world, muzzles, &Hierarchy::world);
  std::vector<Shot> shots;
  for (std::size_t i = 0; i < guns.size(); ++i) {
    const Qvvs& muzzle = worlds[i];
    const Vec3 ahead = rotate(muzzle.rotation, {1, 0, 0}), way = at[guns[i].b] - muzzle.position;
    if (dot(ahead, way) >= kAimed * length(way)) {
      shots.push_back(
          {guns[i].a, muzzle.position, ahead * world.scenario.bullet_speed + velocity[guns[i].a]});
    }
  }
  return shots;
}

void load(World& world, std::span<const Shot> shots, std::uint32_t first_row) {
  const Population& ships = *world.ships.all;
  Population& bullets = *world.bullets.all;
  const auto kind = ships.read(world.ships.kind);
  const auto factions = ships.read(world.ships.faction);
  const auto reload = world.ships.all->write(world.ships.reload);
  const auto at = write(bullets, position_column<3>(bullets)),
             velocity = write(bullets, world.bullets.velocity);
  const auto damage = bullets.write(world.bullets.damage), faction = bullets.write(world.bullets.faction);
  for (std::size_t i = 0; i < shots.size(); ++i) {
    const std::size_t row = first_row + i;
    const KindNumbers& gun = world.scenario.kinds[kind[shots[i].ship]];
    at.set(row, shots[i].at);
    velocity.set(row, shots[i].velocity);
    damage[row] = gun.damage;
    faction[row] = factions[shots[i].ship];
    reload[shots[i].ship] = gun.reload;
  }
}

}  // namespace

Result<void> fire(World& world) {
  const std::vector<Shot> shots = shots_of(world, find_ready(world));
  world.tally.shots = shots.size();
  return world.bullets.all->insert(shots.size()).map([&](std::uint32_t first) { load(world, shots, first); });
}

}  // namespace juxta::sector
