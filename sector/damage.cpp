// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Ships without health come apart: turrets drift on as wrecks, with their guns; the rest of the tree goes.
// Then what is over is cleaned away, and the step ends.
#include <cmath>

#include "juxta/core/random.h"
#include "sector/each.h"
#include "sector/orientation.h"
#include "sector/tick.h"

namespace juxta::sector {
namespace {

/// The ships that die in this tick.
std::vector<std::uint32_t> find_dead(World& world) {
  const auto health = world.ships.all->read(world.ships.health);
  std::vector<std::uint32_t> dead =
      rows_where(world, health.size(), [&](std::size_t row) { return health[row] <= 0; });
  for (const std::uint32_t row : dead) {
    world.ships.all->changes().kill(row);
  }
  world.tally.deaths = dead.size();
  return dead;
}

Result<void> explode(World& world, std::span<const std::uint32_t> dead) {
  const Population& ships = *world.ships.all;
  Population& blasts = *world.explosions.all;
  const auto from = read(ships, position_column<3>(ships));
  const auto kind = ships.read(world.ships.kind);
  return blasts.insert(dead.size()).map([&](std::uint32_t first) {
    const auto at = write(blasts, position_column<3>(blasts));
    const auto radius = blasts.write(world.explosions.radius);
    for (const std::uint32_t row : dead) {
      at.set(first, from[row]);
      radius[first++] = world.scenario.kinds[kind[row]].length;
    }
  });
}

/// A turret's own way to drift off: up to 3 m/s beside the ship's.
Vec3 kick(const World& world, Id turret) noexcept {
  const auto words = random_block(world.simulation.key(kTumbles), random_id(turret));
  const auto part = [&](std::size_t i) { return 6 * (random_fraction(words[i]) - 0.5F); };
  return {part(0), part(1), part(2)};
}

/// Turrets lose their parent and keep their place: each is the root of a wreck. The roots of the ships go,
/// with what still hangs on them.
Result<void> come_apart(World& world, std::span<const std::uint32_t> dead) {
  const Population& ships = *world.ships.all;
  Population& wrecks = *world.wrecks.all;
  const auto nodes = ships.read(world.ships.nodes);
  const auto kind = ships.read(world.ships.kind);
  const auto of_ship = read(ships, world.ships.velocity);
  const auto of_faction = ships.read(world.ships.faction);
  std::vector<Id> turrets, roots;
  std::vector<std::uint32_t> owners;  // of each turret: its ship
  for (const std::uint32_t row : dead) {
    roots.push_back(nodes[row].root);
    for (std::size_t turret = 0; turret < kTurrets[kind[row]]; ++turret) {
      turrets.push_back(nodes[row].turret[turret]);
      owners.push_back(row);
    }
  }
  const std::vector<Qvvs> worlds = read_nodes<Qvvs>(world, turrets, &Hierarchy::world);
  return world.hierarchy.reparent(turrets, std::vector<Id>(turrets.size()), Keep::kWorld)
      .and_then([&] { return world.hierarchy.remove(roots); })
      .and_then([&] { return wrecks.insert(owners.size()); })
      .map([&](std::uint32_t first) {
        const auto at = write(wrecks, position_column<3>(wrecks)),
                   velocity = write(wrecks, world.wrecks.velocity);
        const auto faction = wrecks.write(world.wrecks.faction);
        const auto root = wrecks.write(world.wrecks.root);
        for (std::size_t i = 0; i < owners.size(); ++i) {
          at.set(first + i, worlds[i].position);
          velocity.set(first + i, of_ship[owners[i]] + kick(world, turrets[i]));
          faction[first + i] = of_faction[owners[i]];
          root[first + i] = turrets[i];
        }
      });
}

void end_bullets(World& world) {
  const Scenario& s = world.scenario;
  const Population& bullets = *world.bullets.all;
  const auto at = read(bullets, position_column<3>(bullets));
  const auto age = bullets.read(world.bullets.age);
  for (std::uint32_t row = 0; row < bullets.size(); ++row) {
    const Vec3 place = at[row];
    const bool inside = std::abs(place.x) <= 0.5F * s.width && std::abs(place.y) <= 0.5F * s.depth &&
                        std::abs(place.z) <= 0.5F * s.height;
    if (!inside || age[row] > s.bullet_life || world.derived.bullet_hits[row].t <= 1) {
      world.bullets.all->changes().kill(row);
    }
  }
}

Result<void> end_wrecks(World& world) {
  const auto age = world.wrecks.all->read(world.wrecks.age);
  const auto root = world.wrecks.all->read(world.wrecks.root);
  std::vector<Id> ended;
  for (std::uint32_t row = 0; row < age.size(); ++row) {
    if (age[row] > world.scenario.wreck_time) {
      ended.push_back(root[row]);
      world.wrecks.all->changes().kill(row);
    }
  }
  return world.hierarchy.remove(ended);
}

void end_explosions(World& world) {
  const auto age = world.explosions.all->read(world.explosions.age);
  for (std::uint32_t row = 0; row < age.size(); ++row) {
    if (age[row] > world.scenario.explosion_time) {
      world.explosions.all->changes().kill(row);
    }
  }
}

/// A ship that is damaged threatens less: a quarter of its kind's threat at the end.
void judge_threats(World& world) {
  const auto kind = world.ships.all->read(world.ships.kind);
  const auto health = world.ships.all->read(world.ships.health);
  const auto threat = world.ships.all->write(world.ships.threat);
  for_each_index(world, kind.size(), [&](std::size_t row) {
    const KindNumbers& numbers = world.scenario.kinds[kind[row]];
    threat[row] = numbers.threat * (0.25F + 0.75F * health[row] / numbers.health);
  });
}

}  // namespace

Result<void> damage(World& world) {
  const std::vector<std::uint32_t> dead = find_dead(world);
  end_bullets(world);
  end_explosions(world);
  judge_threats(world);
  return end_wrecks(world)
      .and_then([&] { return explode(world, dead); })
      .and_then([&] { return come_apart(world, dead); })
      .and_then([&] { return world.simulation.end_step(); })
      .map([](auto) {});
}

}  // namespace juxta::sector
