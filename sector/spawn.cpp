// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Spawn points release ships where nothing is in the way. Most of them touch another spawn point, which one
// pass of pairs finds; the few that are left ask for any ship, bullet, explosion or asteroid.
#include <array>

#include "juxta/core/random.h"
#include "juxta/core/try.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/layer/query.h"
#include "sector/each.h"
#include "sector/launch.h"
#include "sector/tick.h"

namespace juxta::sector {
namespace {

Result<void> build_points(World& world) {
  Scratch& scratch = world.scratch;
  const auto at = read(*world.points.all, position_column<3>(*world.points.all));
  scratch.point_boxes.resize(world.points.all->size());
  for_each_index(world, scratch.point_boxes.size(), [&](std::size_t row) {
    scratch.point_boxes[row] = ball_box(at[row], 0.5F * world.scenario.spawn_edge);
  });
  return scratch.point_layer.rebuild(scratch.point_boxes, {},
                                     {.executor = world.executor, .workspace = &scratch.workspace});
}

/// Ships, bullets and explosions in one layer: nobody asks which it was.
Result<void> build_obstacles(World& world) {
  const Population &ships = *world.ships.all, &bullets = *world.bullets.all, &blasts = *world.explosions.all;
  auto& boxes = world.scratch.boxes;
  boxes.resize(ships.size() + bullets.size() + blasts.size());
  const auto kind = ships.read(world.ships.kind);
  const auto radius = blasts.read(world.explosions.radius);
  const auto ship = read(ships, position_column<3>(ships)),
             bullet = read(bullets, position_column<3>(bullets)),
             blast = read(blasts, position_column<3>(blasts));
  for_each_index(world, ships.size(), [&](std::size_t row) {
    boxes[row] = ball_box(ship[row], world.fleet.models[kind[row]].radius);
  });
  for_each_index(world, bullets.size(),
                 [&](std::size_t row) { boxes[ships.size() + row] = ball_box(bullet[row], 0); });
  for (std::size_t row = 0; row < blasts.size(); ++row) {
    boxes[ships.size() + bullets.size() + row] = ball_box(blast[row], radius[row]);
  }
  return world.scratch.obstacles.rebuild(
      boxes, {}, {.executor = world.executor, .workspace = &world.scratch.workspace_beside});
}

/// flags: 1 for spawn points that touch another one, or show an animation.
Result<void> flag_busy(World& world) {
  auto& flags = world.scratch.flags;
  const auto rest = world.points.all->read(world.points.rest);
  flags.assign(rest.size(), 0);
  const auto flag = [&](std::span<const Pair> pairs) {
    for (const Pair& pair : pairs) {
      flags[pair.a] = flags[pair.b] = 1;
    }
    return true;
  };
  JUXTA_TRY(visit_pairs(world.scratch.point_layer, flag, {},
                        {.executor = world.executor, .workspace = &world.scratch.workspace}));
  for (std::size_t row = 0; row < rest.size(); ++row) {
    flags[row] |= static_cast<std::uint8_t>(rest[row] > 0);
  }
  return {};
}

/// The rows that are still unhit, less those that touch anything of `layer`.
Result<void> drop_touching(World& world, const Layer& layer) {
  Scratch& scratch = world.scratch;
  scratch.boxes.resize(scratch.rows.size());
  for (std::size_t i = 0; i < scratch.rows.size(); ++i) {
    scratch.boxes[i] = scratch.point_boxes[scratch.rows[i]];
  }
  scratch.found.resize(scratch.rows.size());
  return find_any(layer, std::span<const Aabb3>(scratch.boxes), scratch.found, {},
                  {.executor = world.executor, .workspace = &scratch.workspace})
      .map([&](const QueryResult&) {
        std::size_t left = 0;
        for (std::size_t i = 0; i < scratch.rows.size(); ++i) {
          scratch.rows[left] = scratch.rows[i];
          left += scratch.found[i] == kNoBody ? 1 : 0;
        }
        scratch.rows.resize(left);
      });
}

/// A ship from each safe point whose faction has lost some.
Result<void> release(World& world) {
  const Scenario& scenario = world.scenario;
  std::array<std::size_t, kMostFactions> strength = census_of(world).ships;
  const auto at = read(*world.points.all, position_column<3>(*world.points.all));
  const auto velocity = read(*world.points.all, world.points.velocity);
  const auto factions = world.points.all->read(world.points.faction);
  const auto rest = world.points.all->write(world.points.rest);
  std::vector<Launch> launches;
  for (const std::uint32_t row : world.scratch.rows) {
    const auto faction = static_cast<std::uint32_t>(factions[row]);
    const std::size_t full =
        scenario.ships / scenario.factions + (faction < scenario.ships % scenario.factions ? 1 : 0);
    if (strength[faction] < full) {
      ++strength[faction];
      const float share =
          random_float(world.simulation.key(kReleases), random_id(world.points.all->id_of(row)));
      launches.push_back({kind_at(scenario, share), faction, at[row], velocity[row]});
      rest[row] = scenario.spawn_rest;
    }
  }
  world.tally.released = launches.size();
  return launch(world, launches);
}

/// Which points are busy, beside a layer of what may be in the way of the others.
Result<void> look_around(World& world) {
  Result<void> points, obstacles;
  side_by_side(
      world, [&] { points = build_points(world).and_then([&] { return flag_busy(world); }); },
      [&] { obstacles = build_obstacles(world); });
  return points ? obstacles : points;
}

}  // namespace

Result<void> spawn(World& world) {
  return look_around(world)
      .and_then([&] {
        const auto& busy = world.scratch.flags;
        rows_where(world, busy.size(), world.scratch.rows, [&](std::size_t row) { return busy[row] == 0; });
        return drop_touching(world, world.scratch.obstacles);
      })
      .and_then([&] { return drop_touching(world, world.asteroids.layer()); })
      .and_then([&] {
        world.tally.safe_points = world.scratch.rows.size();
        return release(world);
      })
      .and_then([&] { return world.hierarchy.propagate({.executor = world.executor}); })
      .map([&](const PropagateResult& done) { world.tally.nodes_moved += done.computed; });
}

}  // namespace juxta::sector
