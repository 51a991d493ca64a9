// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Who meets whom. Layers tell which boxes touch, shapes what happens there. Under the exclusive schedule no
// two threads ever hold the same body, so that a visitor writes to both: no locks, and one order of hits on
// any number of threads. Bullets and asteroids take nothing of it: there the ship, or the bullet, is alone.
#include <algorithm>
#include <atomic>
#include <limits>

#include "juxta/core/try.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/layer/query.h"
#include "juxta/shape/query.h"
#include "juxta/transform/world_boxes.h"
#include "sector/each.h"
#include "sector/orientation.h"
#include "sector/tick.h"

namespace juxta::sector {
namespace {

/// What bodies are to the filters: a ship a bit of its faction, a bullet this one.
constexpr std::uint32_t kBulletBit = 1U << kMostFactions;
constexpr float kNever = std::numeric_limits<float>::infinity();

Result<void> build_ships(World& world) {
  Scratch& scratch = world.scratch;
  const Population& ships = *world.ships.all;
  const auto kind = ships.read(world.ships.kind);
  const auto faction = ships.read(world.ships.faction);
  scratch.ship_boxes.resize(ships.size());
  scratch.boxes.resize(ships.size());
  scratch.ship_filters.resize(ships.size());
  for_each_index(world, ships.size(), [&](std::size_t row) {
    scratch.boxes[row] = world.fleet.models[kind[row]].box;
    scratch.ship_filters[row].category = 1U << static_cast<std::uint32_t>(faction[row]);
  });
  return world_boxes(scratch.places, scratch.boxes, scratch.ship_boxes, {.executor = world.executor})
      .and_then([&] {
        return scratch.ship_layer.rebuild(scratch.ship_boxes, {.filters = scratch.ship_filters},
                                          {.executor = world.executor, .workspace = &scratch.workspace});
      });
}

/// The way of bullets in this tick: t = 0 .. 1. Those that were just fired have not moved.
class Ways {
 public:
  explicit Ways(const World& world)
      : at_(read(*world.bullets.all, position_column<3>(*world.bullets.all))),
        velocity_(read(*world.bullets.all, world.bullets.velocity)),
        age_(world.bullets.all->read(world.bullets.age)) {}
  [[nodiscard]] Ray3 operator[](std::size_t row) const noexcept {
    const Vec3 to = at_[row], way = age_[row] > 0 ? velocity_[row] * kTick : Vec3{};
    const Vec3 from = to - way;
    return {from, way, 1};
  }

 private:
  VectorSpan<3, const float> at_, velocity_;
  std::span<const float> age_;
};

Result<void> build_bullets(World& world) {
  Scratch& scratch = world.scratch;
  const Ways ways(world);
  const auto faction = world.bullets.all->read(world.bullets.faction);
  scratch.bullet_boxes.resize(faction.size());
  scratch.bullet_filters.resize(faction.size());
  scratch.bullet_hits.resize(faction.size());
  for_each_index(world, faction.size(), [&](std::size_t row) {
    const Ray3 way = ways[row];
    for (int axis = 0; axis < 3; ++axis) {
      const float a = way.origin[axis], b = a + way.direction[axis];
      scratch.bullet_boxes[row].lo[axis] = std::min(a, b);
      scratch.bullet_boxes[row].hi[axis] = std::max(a, b);
    }
    scratch.bullet_filters[row] = {kBulletBit, ~(1U << static_cast<std::uint32_t>(faction[row]))};
    scratch.bullet_hits[row] = {kNever, kNoBody};
  });
  return scratch.bullet_layer.rebuild(scratch.bullet_boxes, {.filters = scratch.bullet_filters},
                                      {.executor = world.executor, .workspace = &scratch.workspace_beside});
}

/// Each bullet's first hit: of a ship of another faction, or of an asteroid.
Result<void> meet_bullets(World& world) {
  Scratch& scratch = world.scratch;
  const Ways ways(world);
  const auto kind = world.ships.all->read(world.ships.kind);
  const Context context{.executor = world.executor, .workspace = &scratch.workspace_beside};
  const auto note = [&](std::uint32_t bullet, const SurfaceHit& hit, std::uint32_t ship) {
    if (hit && hit.t < scratch.bullet_hits[bullet].t) {
      scratch.bullet_hits[bullet] = {hit.t, ship};
    }
  };
  const auto hit_ships = [&](std::span<const Pair> pairs) {
    for (const Pair& pair : pairs) {
      note(pair.a, raycast(world.fleet.models[kind[pair.b]].hull, scratch.places[pair.b], ways[pair.a]),
           pair.b);
    }
  };
  const auto hit_rocks = [&](std::span<const Pair> pairs) {
    for (const Pair& pair : pairs) {
      const Body& rock = world.asteroids.body(pair.b);
      note(pair.a, raycast(rock.shape, rock.at, ways[pair.a]), kNoBody);
    }
  };
  JUXTA_TRY(visit_pairs_by_first(scratch.bullet_layer, scratch.ship_layer, hit_ships, {}, context));
  JUXTA_TRY(visit_pairs_by_first(scratch.bullet_layer, world.asteroids.layer(), hit_rocks, {}, context));
  return {};
}

/// What bullets do to ships, bullet by bullet.
void hurt(World& world) {
  const auto damage = world.bullets.all->read(world.bullets.damage);
  const auto health = world.ships.all->write(world.ships.health);
  for (std::size_t bullet = 0; bullet < damage.size(); ++bullet) {
    const BulletHit& hit = world.scratch.bullet_hits[bullet];
    if (hit.t <= 1 && hit.ship != kNoBody) {
      health[hit.ship] -= damage[bullet];
      ++world.tally.hits;
    }
  }
}

/// Ships that meet: thrown apart, and hurt by how fast they met.
class Collider {
 public:
  explicit Collider(World& world)
      : world_(world),
        kind_(world.ships.all->read(world.ships.kind)),
        health_(world.ships.all->write(world.ships.health)),
        velocity_(write(*world.ships.all, world.ships.velocity)) {}

  void ships(std::uint32_t a, std::uint32_t b) const {
    const ClosestPoints met =
        closest(hull(a), world_.scratch.places[a], hull(b), world_.scratch.places[b], 0);
    const float speed = met ? dot(velocity_[a] - velocity_[b], met.normal) : 0;
    if (speed > 0) {  // they come nearer
      const float share = mass(b) / (mass(a) + mass(b));
      velocity_.set(a, velocity_[a] - met.normal * (kBounce * speed * share));
      velocity_.set(b, velocity_[b] + met.normal * (kBounce * speed * (1 - share)));
      health_[a] -= world_.scenario.ram * speed;
      health_[b] -= world_.scenario.ram * speed;
      ++met_;
    }
  }
  void asteroid(std::uint32_t ship, const Body& rock) const {
    const ClosestPoints met = closest(hull(ship), world_.scratch.places[ship], rock.shape, rock.at, 0);
    const float speed = met ? dot(velocity_[ship], met.normal) : 0;
    if (speed > 0) {
      velocity_.set(ship, velocity_[ship] - met.normal * (kBounce * speed));
      health_[ship] -= world_.scenario.ram * speed;
      ++met_;
    }
  }
  [[nodiscard]] std::size_t met() const noexcept { return met_; }

 private:
  static constexpr float kBounce = 1.5F;  // 1: stick together, 2: lose no energy
  [[nodiscard]] const Shape& hull(std::uint32_t ship) const { return world_.fleet.models[kind_[ship]].hull; }
  [[nodiscard]] float mass(std::uint32_t ship) const {
    const float edge = world_.scenario.kinds[kind_[ship]].length;
    return edge * edge * edge;
  }
  World& world_;
  std::span<const std::uint8_t> kind_;
  std::span<float> health_;
  VectorSpan<3, float> velocity_;
  mutable std::atomic<std::size_t> met_ = 0;  // how many, in whatever order
};

Result<void> meet_ships(World& world) {
  Scratch& scratch = world.scratch;
  const Collider collider(world);
  const Context context{.executor = world.executor, .workspace = &scratch.workspace};
  const auto hit_ships = [&](std::span<const Pair> pairs) {
    for (const Pair& pair : pairs) {
      collider.ships(pair.a, pair.b);
    }
  };
  const auto hit_rocks = [&](std::span<const Pair> pairs) {
    for (const Pair& pair : pairs) {
      collider.asteroid(pair.a, world.asteroids.body(pair.b));
    }
  };
  JUXTA_TRY_LET(const QueryResult met, visit_pairs_exclusive(scratch.ship_layer, hit_ships, {}, context));
  JUXTA_TRY_LET(const QueryResult rocks,
                visit_pairs_by_first(scratch.ship_layer, world.asteroids.layer(), hit_rocks, {}, context));
  world.tally.near_collisions = met.found + rocks.found;
  world.tally.collisions = collider.met();
  return {};
}

/// Explosions of the last tick hurt whom they reach, once.
void blast(World& world) {
  Scratch& scratch = world.scratch;
  const Population& all = *world.explosions.all;
  const auto at = read(all, position_column<3>(all));
  const auto age = all.read(world.explosions.age), radius = all.read(world.explosions.radius);
  const auto kind = world.ships.all->read(world.ships.kind);
  const auto health = world.ships.all->write(world.ships.health);
  for (std::size_t row = 0; row < all.size(); ++row) {
    if (age[row] > 1.5F * kTick) {
      continue;
    }
    Qvvs middle;
    middle.position = at[row];
    visit(scratch.ship_layer, ball_box(at[row], radius[row]), [&](std::uint32_t ship) {
      if (overlaps(Sphere{{}, radius[row]}, middle, world.fleet.models[kind[ship]].hull,
                   scratch.places[ship])) {
        health[ship] -= world.scenario.blast;
      }
      return true;
    });
  }
}

}  // namespace

Result<void> hit(World& world) {
  Result<void> ships, bullets;
  side_by_side(
      world, [&] { ships = build_ships(world); }, [&] { bullets = build_bullets(world); });
  JUXTA_TRY(ships);
  JUXTA_TRY(bullets);
  side_by_side(
      world, [&] { bullets = meet_bullets(world); }, [&] { ships = meet_ships(world); });
  JUXTA_TRY(ships);
  JUXTA_TRY(bullets);
  hurt(world);
  blast(world);
  return {};
}

}  // namespace juxta::sector
