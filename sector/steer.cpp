// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Ships look around: a neighbour pass over all, with the rules of steer_rules.h; and, a quarter of them each
// tick, ahead: a box that nothing is in needs no cast. Radars are filled beside it: they read where ships
// are, and steering writes how they fly.
#include "juxta/agents/act.h"
#include "juxta/agents/see.h"
#include "juxta/core/try.h"
#include "juxta/layer/query.h"
#include "sector/each.h"
#include "sector/steer_rules.h"
#include "sector/tick.h"

namespace juxta::sector {
namespace {

/// The box around a ball on its way.
Aabb3 swept(Vec3 from, Vec3 way, float radius) noexcept {
  const Aabb3 a = ball_box(from, radius), b = ball_box(from + way, radius);
  Aabb3 box;
  for (int axis = 0; axis < 3; ++axis) {
    box.lo[axis] = std::min(a.lo[axis], b.lo[axis]);
    box.hi[axis] = std::max(a.hi[axis], b.hi[axis]);
  }
  return box;
}

/// The ships whose turn it is and that have an asteroid in the box ahead. The others whose turn it is have
/// nothing to avoid.
Result<std::vector<std::uint32_t>> find_warned(World& world) {
  Population& ships = *world.ships.all;
  const auto at = read(ships, position_column<3>(ships)), velocity = read(ships, world.ships.velocity);
  const auto avoid = write(ships, world.ships.avoid);
  const auto kind = ships.read(world.ships.kind);
  const std::vector<std::uint32_t> rows = find_turns(world);
  std::vector<Aabb3> boxes(rows.size());
  for_each_index(world, rows.size(), [&](std::size_t i) {
    const std::uint32_t row = rows[i];
    avoid.set(row, {});
    const float radius = world.fleet.models[kind[row]].radius;
    boxes[i] = swept(at[row], velocity[row] * world.scenario.look_ahead, radius);
  });
  world.tally.looked = rows.size();
  std::vector<std::uint32_t> found(rows.size());
  JUXTA_TRY(find_any(world.asteroids.layer(), std::span<const Aabb3>(boxes), found, {},
                     {.executor = world.executor, .workspace = &world.memory.workspace}));
  return those_of(world, rows, [&](std::size_t i) { return found[i] != kNoBody; });
}

/// A ball flown ahead tells where the asteroid's surface is, and which way leads off it.
Result<void> look_ahead(World& world) {
  JUXTA_TRY_LET(const std::vector<std::uint32_t> warned, find_warned(world));
  Population& ships = *world.ships.all;
  const auto at = read(ships, position_column<3>(ships)), velocity = read(ships, world.ships.velocity);
  const auto kind = ships.read(world.ships.kind);
  std::vector<BodyCast> casts(warned.size());
  for_each_index(world, warned.size(), [&](std::size_t i) {
    const std::uint32_t row = warned[i];
    casts[i].shape = Sphere{{}, world.fleet.models[kind[row]].radius};
    casts[i].from.position = at[row];
    casts[i].way = velocity[row] * world.scenario.look_ahead;
  });
  std::vector<BodyCastHit> hits(casts.size());
  JUXTA_TRY(world.asteroids.cast_closest(casts, hits, {},
                                         {.executor = world.executor, .workspace = &world.memory.workspace}));
  const auto avoid = write(ships, world.ships.avoid);
  for (std::size_t i = 0; i < warned.size(); ++i) {
    avoid.set(warned[i], hits[i] ? hits[i].normal : Vec3{});
    world.tally.warned += hits[i] ? 1 : 0;
  }
  return {};
}

Result<void> turn(World& world) {
  const Scenario& s = world.scenario;
  Population& ships = *world.ships.all;
  return look_ahead(world)
      .and_then([&] { return see(ships, ships, s.sight, Notice{s.room}, {}, {.executor = world.executor}); })
      .and_then([&](auto) {
        return act(ships, Flock{s.align, s.cohere, s.separate, s.chase, s.flee, kTick},
                   {.executor = world.executor});
      })
      .and_then([&] {
        const Pilot pilot{s.advance,      s.avoid,         2 * s.room, 0.5F * s.width,
                          0.5F * s.depth, 0.5F * s.height, kTick};
        return act(ships, pilot, {.executor = world.executor});
      });
}

}  // namespace

Result<void> steer(World& world) {
  JUXTA_TRY(world.ships.all->sort({.radius = world.scenario.sight}, {.executor = world.executor}));
  Result<void> turned, scanned;
  side_by_side(
      world, [&] { scanned = scan(world); }, [&] { turned = turn(world); });
  JUXTA_TRY(scanned);
  return turned;
}

}  // namespace juxta::sector
