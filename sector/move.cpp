// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Agents move; then the roots of their trees are put where they are, and one propagation brings every turret,
// muzzle and exhaust along.
#include "juxta/agents/act.h"
#include "juxta/core/random.h"
#include "sector/each.h"
#include "sector/orientation.h"
#include "sector/steer_rules.h"
#include "sector/tick.h"

namespace juxta::sector {
namespace {

Result<void> fly(World& world) {
  const Scenario& s = world.scenario;
  const Fly walls{0.5F * s.width, 0.5F * s.depth, 0.5F * s.height, kTick};
  return act(*world.ships.all, walls, {.executor = world.executor})
      .and_then([&] { return act(*world.points.all, walls, {.executor = world.executor}); })
      .and_then([&] { return act(*world.bullets.all, Travel{kTick}, {.executor = world.executor}); })
      .and_then([&] { return act(*world.wrecks.all, Travel{kTick}, {.executor = world.executor}); })
      .map([&] {
        const auto age = world.explosions.all->write(world.explosions.age);
        for_each_index(world, age.size(), [&](std::size_t i) { age[i] += kTick; });
        const auto rest = world.points.all->write(world.points.rest);
        for_each_index(world, rest.size(), [&](std::size_t i) { rest[i] -= kTick; });
      });
}

/// Roots of ships, as they fly. A root is in the world where it is put: nobody needs to ask for it.
Result<void> place_ships(World& world) {
  std::vector<Id>& roots = world.memory.ship_roots;
  std::vector<LocalTransform>& locals = world.memory.ship_locals;
  std::vector<Qvvs>& places = world.derived.places;
  const Population& ships = *world.ships.all;
  const auto at = read(ships, position_column<3>(ships)), velocity = read(ships, world.ships.velocity);
  const auto nodes = ships.read(world.ships.nodes);
  roots.resize(ships.size());
  locals.resize(ships.size());
  places.resize(ships.size());
  for_each_index(world, ships.size(), [&](std::size_t row) {
    const LocalTransform root{facing(velocity[row]), at[row], 1};
    roots[row] = nodes[row].root;
    locals[row] = root;
    places[row].rotation = renormalized(root.rotation);  // as propagation does
    places[row].position = root.position;
  });
  return world.hierarchy.set_local(roots, locals, {.executor = world.executor});
}

Result<void> place_points(World& world) {
  const Population& points = *world.points.all;
  const auto at = read(points, position_column<3>(points));
  std::vector<Vec3> places(points.size());
  for_each_index(world, places.size(), [&](std::size_t row) { places[row] = at[row]; });
  return world.hierarchy.set_position(points.read(world.points.root), places, {.executor = world.executor});
}

/// Wrecks tumble: each about an axis of its own, a little further every tick.
Result<void> place_wrecks(World& world) {
  const Population& wrecks = *world.wrecks.all;
  const auto at = read(wrecks, position_column<3>(wrecks));
  const auto roots = wrecks.read(world.wrecks.root);
  std::vector<LocalTransform> locals = read_nodes<LocalTransform>(world, roots, &Hierarchy::local);
  for_each_index(world, wrecks.size(), [&](std::size_t row) {
    const auto words = random_block({world.scenario.seed, 0, kTumbles}, random_id(roots[row]));
    const auto axis = [&](std::size_t i) { return random_fraction(words[i]) - 0.5F; };
    const Quat turn = normalized(Quat{0.05F * axis(0), 0.05F * axis(1), 0.05F * axis(2), 1});
    locals[row].rotation = normalized(turn * locals[row].rotation);
    locals[row].position = at[row];
  });
  return world.hierarchy.set_local(roots, locals, {.executor = world.executor});
}

}  // namespace

Result<void> move(World& world) {
  return fly(world)
      .and_then([&] { return place_ships(world); })
      .and_then([&] { return place_points(world); })
      .and_then([&] { return place_wrecks(world); })
      .and_then([&] { return world.hierarchy.propagate({.executor = world.executor}); })
      .map([&](const PropagateResult& done) { world.tally.nodes_moved += done.computed; });
}

}  // namespace juxta::sector
