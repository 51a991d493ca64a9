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

/// The boxes that must be free for a spawn point to release a ship, by row.
std::vector<Aabb3> point_boxes(const World& world) {
  const auto at = read(*world.points.all, position_column<3>(*world.points.all));
  std::vector<Aabb3> boxes(world.points.all->size());
  for_each_index(world, boxes.size(),
                 [&](std::size_t row) { boxes[row] = ball_box(at[row], 0.5F * world.scenario.spawn_edge); });
  return boxes;
}

/// Ships, bullets and explosions in one layer: nobody asks which it was.
Result<void> build_obstacles(World& world) {
  const Population &ships = *world.ships.all, &bullets = *world.bullets.all, &blasts = *world.explosions.all;
  std::vector<Aabb3>& boxes = world.memory.obstacle_boxes;
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
  for_each_index(world, blasts.size(), [&](std::size_t row) {
    boxes[ships.size() + bullets.size() + row] = ball_box(blast[row], radius[row]);
  });
  return world.derived.obstacles.rebuild(
      boxes, {}, {.executor = world.executor, .workspace = &world.memory.workspace_beside});
}

/// 1 for spawn points whose boxes touch another one's, or that show an animation.
Result<std::vector<std::uint8_t>> flag_busy(World& world, std::span<const Aabb3> boxes) {
  const Context context{.executor = world.executor, .workspace = &world.memory.workspace};
  Layer& layer = world.derived.point_layer;
  JUXTA_TRY(layer.rebuild(boxes, {}, context));
  const auto rest = world.points.all->read(world.points.rest);
  std::vector<std::uint8_t> flags(rest.size());
  const auto flag = [&](std::span<const Pair> pairs) {
    for (const Pair& pair : pairs) {
      flags[pair.a] = flags[pair.b] = 1;
    }
  };
  JUXTA_TRY(visit_pairs_exclusive(layer, flag, {}, context));
  for_each_index(world, rest.size(),
                 [&](std::size_t row) { flags[row] |= static_cast<std::uint8_t>(rest[row] > 0); });
  return flags;
}

/// The rows, less those whose boxes touch anything of `layer`.
Result<std::vector<std::uint32_t>> free_of(World& world, const Layer& layer,
                                           std::span<const Aabb3> point_boxes,
                                           std::span<const std::uint32_t> rows) {
  std::vector<Aabb3> boxes(rows.size());
  for_each_index(world, rows.size(), [&](std::size_t i) { boxes[i] = point_boxes[rows[i]]; });
  std::vector<std::uint32_t> found(rows.size());
  JUXTA_TRY(find_any(layer, std::span<const Aabb3>(boxes), found, {},
                     {.executor = world.executor, .workspace = &world.memory.workspace}));
  return those_of(world, rows, [&](std::size_t i) { return found[i] == kNoBody; });
}

/// A ship from each safe point whose faction has lost some.
Result<void> release(World& world, std::span<const std::uint32_t> safe) {
  const Scenario& scenario = world.scenario;
  std::array<std::size_t, kMostFactions> strength = census_of(world).ships;
  const auto at = read(*world.points.all, position_column<3>(*world.points.all));
  const auto velocity = read(*world.points.all, world.points.velocity);
  const auto factions = world.points.all->read(world.points.faction);
  const auto rest = world.points.all->write(world.points.rest);
  std::vector<Launch> launches;
  for (const std::uint32_t row : safe) {
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

/// The spawn points that nothing is near, as rows. Which of them are busy is found beside a layer of what may
/// be in the way of the others.
Result<std::vector<std::uint32_t>> find_safe(World& world) {
  std::vector<Aabb3> boxes;
  Result<std::vector<std::uint8_t>> busy;
  Result<void> obstacles;
  side_by_side(
      world,
      [&] {
        boxes = point_boxes(world);
        busy = flag_busy(world, boxes);
      },
      [&] { obstacles = build_obstacles(world); });
  JUXTA_TRY(busy);
  JUXTA_TRY(obstacles);
  std::vector<std::uint32_t> rows =
      rows_where(world, busy->size(), [&](std::size_t row) { return (*busy)[row] == 0; });
  JUXTA_TRY_LET(rows, free_of(world, world.derived.obstacles, boxes, rows));
  return free_of(world, world.asteroids.layer(), boxes, rows);
}

}  // namespace

Result<void> spawn(World& world) {
  JUXTA_TRY_LET(const std::vector<std::uint32_t> safe, find_safe(world));
  world.tally.safe_points = safe.size();
  JUXTA_TRY(release(world, safe));
  JUXTA_TRY_LET(const PropagateResult done, world.hierarchy.propagate({.executor = world.executor}));
  world.tally.nodes_moved += done.computed;
  return {};
}

}  // namespace juxta::sector
