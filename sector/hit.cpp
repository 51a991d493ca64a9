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
  Derived& derived = world.derived;
  std::vector<Aabb3>& hull_boxes = world.memory.hull_boxes;
  const Population& ships = *world.ships.all;
  const auto kind = ships.read(world.ships.kind);
  const auto faction = ships.read(world.ships.faction);
  derived.ship_boxes.resize(ships.size());
  hull_boxes.resize(ships.size());
  derived.ship_filters.resize(ships.size());
  for_each_index(world, ships.size(), [&](std::size_t row) {
    hull_boxes[row] = world.fleet.models[kind[row]].box;
    derived.ship_filters[row].category = 1U << static_cast<std::uint32_t>(faction[row]);
  });
  return world_boxes(derived.places, hull_boxes, derived.ship_boxes, {.executor = world.executor})
      .and_then([&] {
        return derived.ship_layer.rebuild(derived.ship_boxes, {.filters = derived.ship_filters},
                                          {.executor = world.executor, .workspace = &world.memory.workspace});
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
  Derived& derived = world.derived;
  const Ways ways(world);
  const auto faction = world.bullets.all->read(world.bullets.faction);
  derived.bullet_boxes.resize(faction.size());
  derived.bullet_filters.resize(faction.size());
  derived.bullet_hits.resize(faction.size());
  for_each_index(world, faction.size(), [&](std::size_t row) {
    const Ray3 way = ways[row];
    for (int axis = 0; axis < 3; ++axis) {
      const float a = way.origin[axis], b = a + way.direction[axis];
      derived.bullet_boxes[row].lo[axis] = std::min(a, b);
      derived.bullet_boxes[row].hi[axis] = std::max(a, b);
    }
    derived.bullet_filters[row] = {kBulletBit, ~(1U << static_cast<std::uint32_t>(faction[row]))};
    derived.bullet_hits[row] = {kNever, kNoBody};
  });
  return derived.bullet_layer.rebuild(
      derived.bullet_boxes, {.filters = derived.bullet_filters},
      {.executor = world.executor, .workspace = &world.memory.workspace_beside});
}

/// Each bullet's first hit: of a ship of another faction, or of an asteroid.
Result<void> meet_bullets(World& world) {
  Derived& derived = world.derived;
  const Ways ways(world);
  const auto kind = world.ships.all->read(world.ships.kind);
  const Context context{.executor = world.executor, .workspace = &world.memory.workspace_beside};
  const auto note = [&](std::uint32_t bullet, const SurfaceHit& hit, std::uint32_t ship) {
    if (hit && hit.t < derived.bullet_hits[bullet].t) {
      derived.bullet_hits[bullet] = {hit.t, ship};
    }
  };
  const auto hit_ships = [&](std::span<const Pair> pairs) {
    for (const Pair& pair : pairs) {
      note(pair.a, raycast(world.fleet.models[kind[pair.b]].hull, derived.places[pair.b], ways[pair.a]),
           pair.b);
    }
  };
  const auto hit_rocks = [&](std::span<const Pair> pairs) {
    for (const Pair& pair : pairs) {
      const Body& rock = world.asteroids.body(pair.b);
      note(pair.a, raycast(rock.shape, rock.at, ways[pair.a]), kNoBody);
    }
  };
  JUXTA_TRY(visit_pairs_by_first(derived.bullet_layer, derived.ship_layer, hit_ships, {}, context));
  JUXTA_TRY(visit_pairs_by_first(derived.bullet_layer, world.asteroids.layer(), hit_rocks, {}, context));
  return {};
}

/// What bullets do to ships, bullet by bullet.
void hurt(World& world) {
  const auto damage = world.bullets.all->read(world.bullets.damage);
  const auto health = world.ships.all->write(world.ships.health);
  for (std::size_t bullet = 0; bullet < damage.size(); ++bullet) {
    const BulletHit& hit = world.derived.bullet_hits[bullet];
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
        closest(hull(a), world_.derived.places[a], hull(b), world_.derived.places[b], 0);
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
    const ClosestPoints met = closest(hull(ship), world_.derived.places[ship], rock.shape, rock.at, 0);
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
  Derived& derived = world.derived;
  const Collider collider(world);
  const Context context{.executor = world.executor, .workspace = &world.memory.workspace};
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
  JUXTA_TRY_LET(const QueryResult met, visit_pairs_exclusive(derived.ship_layer, hit_ships, {}, context));
  JUXTA_TRY_LET(const QueryResult rocks,
                visit_pairs_by_first(derived.ship_layer, world.asteroids.layer(), hit_rocks, {}, context));
  world.tally.near_collisions = met.found + rocks.found;
  world.tally.collisions = collider.met();
  return {};
}

/// Explosions of the last tick hurt whom they reach, once.
void blast(World& world) {
  Derived& derived = world.derived;
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
    visit(derived.ship_layer, ball_box(at[row], radius[row]), [&](std::uint32_t ship) {
      if (overlaps(Sphere{{}, radius[row]}, middle, world.fleet.models[kind[ship]].hull,
                   derived.places[ship])) {
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
