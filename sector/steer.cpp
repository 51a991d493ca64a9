// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Ships look around: a neighbour pass over all, with the rules of steer_rules.h; and, a quarter of them each
// tick, ahead: a box that nothing is in needs no cast.
#include "juxta/agents/act.h"
#include "juxta/agents/see.h"
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

/// rows: the ships whose turn it is and that have an asteroid in the box ahead. The others whose turn it is
/// have nothing to avoid.
Result<void> find_warned(World& world) {
  Scratch& scratch = world.scratch;
  Population& ships = *world.ships.all;
  const auto at = read(ships, position_column<3>(ships)), velocity = read(ships, world.ships.velocity);
  const auto avoid = write(ships, world.ships.avoid);
  const auto kind = ships.read(world.ships.kind);
  find_turns(world, scratch.rows);
  scratch.boxes.resize(scratch.rows.size());
  for_each_index(world, scratch.rows.size(), [&](std::size_t i) {
    const std::uint32_t row = scratch.rows[i];
    avoid.set(row, {});
    const float radius = world.fleet.models[kind[row]].radius;
    scratch.boxes[i] = swept(at[row], velocity[row] * world.scenario.look_ahead, radius);
  });
  world.tally.looked = scratch.rows.size();
  scratch.found.resize(scratch.rows.size());
  return find_any(world.asteroids.layer(), std::span<const Aabb3>(scratch.boxes), scratch.found, {},
                  {.executor = world.executor, .workspace = &scratch.workspace})
      .map([&](const QueryResult&) {
        std::size_t left = 0;
        for (std::size_t i = 0; i < scratch.rows.size(); ++i) {
          scratch.rows[left] = scratch.rows[i];
          left += scratch.found[i] != kNoBody ? 1 : 0;
        }
        scratch.rows.resize(left);
      });
}

/// A ball flown ahead tells where the asteroid's surface is, and which way leads off it.
Result<void> look_ahead(World& world) {
  return find_warned(world)
      .and_then([&] {
        Scratch& scratch = world.scratch;
        Population& ships = *world.ships.all;
        const auto at = read(ships, position_column<3>(ships)), velocity = read(ships, world.ships.velocity);
        const auto kind = ships.read(world.ships.kind);
        scratch.casts.clear();
        for (const std::uint32_t row : scratch.rows) {
          BodyCast& cast = scratch.casts.emplace_back();
          cast.shape = Sphere{{}, world.fleet.models[kind[row]].radius};
          cast.from.position = at[row];
          cast.way = velocity[row] * world.scenario.look_ahead;
        }
        scratch.cast_hits.resize(scratch.casts.size());
        return world.asteroids.cast_closest(scratch.casts, scratch.cast_hits, {},
                                            {.executor = world.executor, .workspace = &scratch.workspace});
      })
      .map([&](const QueryResult&) {
        const auto avoid = write(*world.ships.all, world.ships.avoid);
        for (std::size_t i = 0; i < world.scratch.rows.size(); ++i) {
          const BodyCastHit& hit = world.scratch.cast_hits[i];
          avoid.set(world.scratch.rows[i], hit ? hit.normal : Vec3{});
          world.tally.warned += hit ? 1 : 0;
        }
      });
}

}  // namespace

Result<void> steer(World& world) {
  const Scenario& s = world.scenario;
  Population& ships = *world.ships.all;
  return ships.sort({.radius = s.sight}, {.executor = world.executor})
      .and_then([&](auto) { return look_ahead(world); })
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

}  // namespace juxta::sector
