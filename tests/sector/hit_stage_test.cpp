// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Who meets whom, by asking everybody about everybody.
#include <array>
#include <limits>

#include "juxta/shape/query.h"
#include "sector/worlds.h"

namespace juxta::sector::test {
namespace {

double real(float x) {
  return static_cast<double>(x);
}

/// Ships before the stage, by row.
struct Before {
  explicit Before(const World& world) {
    const Population& ships = *world.ships.all;
    const VectorSpan<3, const float> v = read(ships, world.ships.velocity);
    for (std::uint32_t row = 0; row < ships.size(); ++row) {
      velocity.push_back(v[row]);
      health.push_back(ships.read(world.ships.health)[row]);
    }
  }
  std::vector<Vec3> velocity;
  std::vector<float> health;
};

const Shape& hull_of(const World& world, std::uint32_t ship) {
  return world.fleet.models[world.ships.all->read(world.ships.kind)[ship]].hull;
}
double mass_of(const World& world, std::uint32_t ship) {
  const double edge = real(world.scenario.kinds[world.ships.all->read(world.ships.kind)[ship]].length);
  return edge * edge * edge;
}

/// What a bullet meets in this tick, and whom at that time; kNoBody: an asteroid.
struct Met {
  float t = std::numeric_limits<float>::infinity();
  std::vector<std::uint32_t> who;
  std::size_t all = 0;  ///< How many it would meet if nothing stopped it.
  void add(const SurfaceHit& hit, std::uint32_t ship) {
    all += hit ? 1 : 0;
    if (hit && hit.t <= t) {
      if (hit.t < t) {
        who.clear();
      }
      t = hit.t;
      who.push_back(ship);
    }
  }
};

Met meet(const World& world, std::uint32_t bullet) {
  const Population &bullets = *world.bullets.all, &ships = *world.ships.all;
  const Vec3 to = read(bullets, position_column<3>(bullets))[bullet];
  const bool flown = bullets.read(world.bullets.age)[bullet] > 0;
  const Vec3 way = flown ? read(bullets, world.bullets.velocity)[bullet] * kTick : Vec3{};
  const Vec3 from = to - way;
  const Ray3 ray{{from.x, from.y, from.z}, {way.x, way.y, way.z}, 1};
  Met met;
  for (std::uint32_t ship = 0; ship < ships.size(); ++ship) {
    if (ships.read(world.ships.faction)[ship] != bullets.read(world.bullets.faction)[bullet]) {
      met.add(raycast(hull_of(world, ship), world.derived.places[ship], ray), ship);
    }
  }
  for (std::uint32_t rock = 0; rock < world.asteroids.size(); ++rock) {
    met.add(raycast(world.asteroids.body(rock).shape, world.asteroids.body(rock).at, ray), kNoBody);
  }
  return met;
}

TEST(SectorHit, BulletsHitWhatTheyMeetFirst) {
  std::vector<Scenario> battles = all_battles();
  for (const std::uint64_t seed : {21U, 22U}) {  // some go through a whole crowd in one tick
    battles.push_back(named(small(seed), "fast bullets"));
    battles.back().bullet_speed = 6'000;
  }
  std::size_t hit_ships = 0, hit_rocks = 0, missed = 0, several = 0;
  check_stage(battles, 90, kHit, [&](World& world, const auto& run) {
    run();
    std::size_t hits = 0;
    for (std::uint32_t bullet = 0; bullet < world.bullets.all->size(); ++bullet) {
      const Met met = meet(world, bullet);
      const BulletHit& actual = world.derived.bullet_hits.at(bullet);
      several += met.all > 1 ? 1 : 0;
      ASSERT_EQ(actual.t, met.t) << bullet;
      if (!met.who.empty()) {
        ASSERT_NE(std::find(met.who.begin(), met.who.end(), actual.ship), met.who.end()) << bullet;
        hits += actual.ship == kNoBody ? 0 : 1;
        hit_rocks += actual.ship == kNoBody ? 1 : 0;
      } else {
        ++missed;
      }
    }
    EXPECT_EQ(world.tally.hits, hits);
    hit_ships += hits;
  });
  EXPECT_GT(hit_ships, 300U);
  EXPECT_GT(hit_rocks, 30U);
  EXPECT_GT(missed, 3'000U);
  EXPECT_GT(several, 20U);
}

/// What ships lose beside what they lose in meetings: to bullets, by row, and to explosions.
std::vector<double> shot_at(const World& world) {
  const Population& blasts = *world.explosions.all;
  std::vector<double> loss(world.ships.all->size());
  for (std::uint32_t bullet = 0; bullet < world.bullets.all->size(); ++bullet) {
    const BulletHit& hit = world.derived.bullet_hits[bullet];
    if (hit.t <= 1 && hit.ship != kNoBody) {
      loss[hit.ship] += real(world.bullets.all->read(world.bullets.damage)[bullet]);
    }
  }
  for (std::uint32_t blast = 0; blast < blasts.size(); ++blast) {
    if (blasts.read(world.explosions.age)[blast] > 1.5F * kTick) {
      continue;
    }
    Qvvs middle;
    middle.position = read(blasts, position_column<3>(blasts))[blast];
    const Sphere ball{{}, blasts.read(world.explosions.radius)[blast]};
    for (std::uint32_t ship = 0; ship < loss.size(); ++ship) {
      if (overlaps(ball, middle, hull_of(world, ship), world.derived.places[ship])) {
        loss[ship] += real(world.scenario.blast);
      }
    }
  }
  return loss;
}

/// Somebody that a ship touches: another ship, or a rock behind all ships.
struct Touch {
  std::uint32_t other;
  ClosestPoints met;
};

std::vector<std::vector<Touch>> touches_of(const World& world) {
  const auto count = static_cast<std::uint32_t>(world.ships.all->size());
  const auto& places = world.derived.places;
  const auto radius = [&](std::uint32_t ship) {
    return real(world.fleet.models[world.ships.all->read(world.ships.kind)[ship]].radius);
  };
  std::vector<std::vector<Touch>> touches(count);
  for (std::uint32_t a = 0; a < count; ++a) {
    for (std::uint32_t b = a + 1; b < count; ++b) {
      if (distance(places[a].position, places[b].position) > radius(a) + radius(b) + 0.01) {
        continue;
      }
      if (ClosestPoints met = closest(hull_of(world, a), places[a], hull_of(world, b), places[b], 0); met) {
        touches[a].push_back({b, met});
        met.normal = met.normal * -1;
        touches[b].push_back({a, met});
      }
    }
    for (std::uint32_t rock = 0; rock < world.asteroids.size(); ++rock) {
      const Body& body = world.asteroids.body(rock);
      if (const ClosestPoints met = closest(hull_of(world, a), places[a], body.shape, body.at, 0); met) {
        touches[a].push_back({count + rock, met});
      }
    }
  }
  return touches;
}

double dot_of(Vec3 a, Vec3 b) {
  return real(a.x) * real(b.x) + real(a.y) * real(b.y) + real(a.z) * real(b.z);
}

/// A ship that touches one thing, which touches nothing else: what it loses, and how it flies on.
struct Bounce {
  double loss;
  Vec3 velocity;
};
Bounce bounce(const World& world, const Before& before, std::uint32_t ship, const Touch& touch) {
  const bool rock = touch.other >= before.velocity.size();
  const Vec3 other = rock ? Vec3{} : before.velocity[touch.other];
  const double speed = std::max(dot_of(before.velocity[ship] - other, touch.met.normal), 0.0);
  const double share =
      rock ? 1 : mass_of(world, touch.other) / (mass_of(world, ship) + mass_of(world, touch.other));
  return {real(world.scenario.ram) * speed,
          before.velocity[ship] - touch.met.normal * static_cast<float>(1.5 * speed * share)};
}

TEST(SectorHit, ShipsLoseWhatBulletsMeetingsAndExplosionsTake) {
  std::size_t alone = 0, met_ship = 0, met_rock = 0, met_many = 0, blasted = 0, collisions = 0;
  check_stage(all_battles(), 60, kHit, [&](World& world, const auto& run) {
    const Before before(world);
    run();
    const std::vector<double> shot = shot_at(world);
    const auto touches = touches_of(world);
    const Population& ships = *world.ships.all;
    std::size_t touching = 0;  // ships twice
    for (const auto& of_ship : touches) {
      for (const Touch& touch : of_ship) {
        touching += touch.other < ships.size() ? 1 : 2;
      }
    }
    ASSERT_LE(world.tally.collisions, touching / 2);
    ASSERT_LE(world.tally.collisions, world.tally.near_collisions);
    collisions += world.tally.collisions;
    const auto velocity = read(ships, world.ships.velocity);
    for (std::uint32_t ship = 0; ship < ships.size(); ++ship) {
      const double loss = real(before.health[ship]) - real(ships.read(world.ships.health)[ship]);
      const double slack = 1e-4 * (shot[ship] + std::abs(real(before.health[ship]))) + 1e-4;
      if (touches[ship].empty()) {
        ASSERT_NEAR(loss, shot[ship], slack) << ship;
        ASSERT_EQ(velocity[ship], before.velocity[ship]) << ship;
        ++alone;
        continue;
      }
      const std::uint32_t other = touches[ship].front().other;
      const bool rock = other >= ships.size();
      if (touches[ship].size() > 1 || (!rock && touches[other].size() > 1)) {
        ASSERT_GE(loss, shot[ship] - slack) << ship;
        ++met_many;
        continue;
      }
      const Bounce expected = bounce(world, before, ship, touches[ship].front());
      ASSERT_NEAR(loss, shot[ship] + expected.loss, slack + 1e-3 * expected.loss) << ship;
      ASSERT_LE(distance(velocity[ship], expected.velocity),
                1e-3 * distance({}, before.velocity[ship]) + 1e-3);
      (rock ? met_rock : met_ship) += expected.loss > 0 ? 1 : 0;
    }
    blasted += world.explosions.all->size();
  });
  EXPECT_GT(alone, 10'000U);
  EXPECT_GT(met_ship, 50U);
  EXPECT_GT(met_rock, 20U);
  EXPECT_GT(met_many, 100U);
  EXPECT_GE(collisions, met_ship / 2 + met_rock);
  EXPECT_GT(blasted, 50U);
}

/// Ships in a crowd without asteroids: what they throw each other about takes no momentum.
TEST(SectorHit, MeetingsKeepMomentum) {
  std::vector<Scenario> battles;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    battles.push_back(small(seed, 150));
    battles.back().width = battles.back().depth = battles.back().height = 25;
    battles.back().asteroids = 0;
  }
  std::size_t met = 0;
  check_stage(battles, 20, kHit, [&](World& world, const auto& run) {
    const Before before(world);
    run();
    const auto velocity = read(*world.ships.all, world.ships.velocity);
    std::array<double, 3> sum{};
    double size = 0;
    for (std::uint32_t ship = 0; ship < world.ships.all->size(); ++ship) {
      const Vec3 change = velocity[ship] - before.velocity[ship];
      const double mass = mass_of(world, ship);
      sum[0] += mass * real(change.x);
      sum[1] += mass * real(change.y);
      sum[2] += mass * real(change.z);
      size += mass * (distance({}, change) + distance({}, velocity[ship]));
      met += change == Vec3{} ? 0 : 1;
    }
    EXPECT_LE(std::hypot(sum[0], sum[1], sum[2]), 1e-5 * size);
  });
  EXPECT_GT(met, 200U);
}

TEST(SectorHit, BoxesHoldTheShipsAndAreCountedWhereTheyTouch) {
  check_stage(all_battles(), 20, kHit, [&](World& world, const auto& run) {
    run();
    const auto& boxes = world.derived.ship_boxes;
    ASSERT_EQ(boxes.size(), world.ships.all->size());
    std::size_t touching = 0;
    for (std::uint32_t a = 0; a < boxes.size(); ++a) {
      const Aabb3 exact = bounds_of(hull_of(world, a), world.derived.places[a]);
      for (int axis = 0; axis < 3; ++axis) {
        ASSERT_LE(boxes[a].lo[axis], exact.lo[axis] + 1e-3F);
        ASSERT_GE(boxes[a].hi[axis], exact.hi[axis] - 1e-3F);
      }
      for (std::uint32_t b = a + 1; b < boxes.size(); ++b) {
        touching += boxes[a].overlaps(boxes[b]) ? 1 : 0;
      }
      for (std::uint32_t rock = 0; rock < world.asteroids.size(); ++rock) {
        const Body& body = world.asteroids.body(rock);
        touching += boxes[a].overlaps(bounds_of(body.shape, body.at)) ? 1 : 0;
      }
    }
    ASSERT_EQ(world.tally.near_collisions, touching);
  });
}

}  // namespace
}  // namespace juxta::sector::test
