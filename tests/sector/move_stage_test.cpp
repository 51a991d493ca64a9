// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Where agents are after a tick, where every node is by its chain of parents, and what guns fire.
#include <array>

#include "sector/worlds.h"

namespace juxta::sector::test {
namespace {

/// Where a node is by the chain of its parents.
Qvvs by_chain(const Hierarchy& hierarchy, Id id) {
  const Id parent = hierarchy.parent(id).value();
  return mul(parent == Id{} ? Qvvs{} : by_chain(hierarchy, parent), hierarchy.local(id).value());
}

/// Of two rotations; 1: the same.
float alike(Quat a, Quat b) {
  return std::abs((a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w));
}

void expect_roots(const World& world, const Population& all, std::span<const Id> roots) {
  const auto at = read(all, position_column<3>(all));
  for (std::uint32_t row = 0; row < all.size(); ++row) {
    ASSERT_EQ(world.hierarchy.parent(roots[row]).value(), Id{});
    ASSERT_EQ(world.hierarchy.world(roots[row])->position, at[row]) << all.name() << " in row " << row;
  }
}

/// One coordinate of what walls throw back.
void fly(float& at, float& velocity, float edge) {
  const float next = at + velocity * kTick;
  if (std::abs(next) > 0.5F * edge) {
    velocity = -velocity;
  }
  at = std::clamp(next, -0.5F * edge, 0.5F * edge);
}

struct Motion {
  Motion(const Population& of, const VectorColumn<3>& velocity_of)
      : all(of),
        velocity_columns(velocity_of),
        at(vectors(position_column<3>(of))),
        velocity(vectors(velocity_of)) {}
  [[nodiscard]] std::vector<Vec3> vectors(const VectorColumn<3>& columns) const {
    const VectorSpan<3, const float> spans = read(all, columns);
    std::vector<Vec3> values;
    for (std::uint32_t row = 0; row < all.size(); ++row) {
      values.push_back(spans[row]);
    }
    return values;
  }
  void expect_flown(const Scenario& s) {
    for (std::size_t row = 0; row < at.size(); ++row) {
      fly(at[row].x, velocity[row].x, s.width);
      fly(at[row].y, velocity[row].y, s.depth);
      fly(at[row].z, velocity[row].z, s.height);
    }
    EXPECT_EQ(vectors(position_column<3>(all)), at) << all.name();
    EXPECT_EQ(vectors(velocity_columns), velocity) << all.name();
  }
  void expect_travelled() {
    for (std::size_t row = 0; row < at.size(); ++row) {
      at[row] = at[row] + velocity[row] * kTick;
    }
    EXPECT_EQ(vectors(position_column<3>(all)), at) << all.name();
    EXPECT_EQ(vectors(velocity_columns), velocity) << all.name();
  }
  const Population& all;
  VectorColumn<3> velocity_columns;
  std::vector<Vec3> at, velocity;
};

TEST(SectorMove, AgentsFlyAndWallsThrowThemBack) {
  std::size_t thrown = 0, wrecks_seen = 0;
  check_stage(all_battles(), 90, kMove, [&](World& world, const auto& run) {
    Motion ships(*world.ships.all, world.ships.velocity), points(*world.points.all, world.points.velocity),
        bullets(*world.bullets.all, world.bullets.velocity), wrecks(*world.wrecks.all, world.wrecks.velocity);
    const auto ages = by_id(*world.bullets.all, world.bullets.age);
    const auto rests = by_id(*world.points.all, world.points.rest);
    const std::vector<Vec3> before = ships.velocity;
    run();
    ships.expect_flown(world.scenario);
    points.expect_flown(world.scenario);
    bullets.expect_travelled();
    wrecks.expect_travelled();
    for (std::uint32_t row = 0; row < world.bullets.all->size(); ++row) {
      ASSERT_EQ(world.bullets.all->read(world.bullets.age)[row], ages[world.bullets.all->id_of(row)] + kTick);
    }
    for (std::uint32_t row = 0; row < world.points.all->size(); ++row) {
      ASSERT_EQ(world.points.all->read(world.points.rest)[row], rests[world.points.all->id_of(row)] - kTick);
    }
    wrecks_seen += wrecks.at.size();
    for (std::size_t row = 0; row < before.size(); ++row) {
      thrown += before[row] == ships.velocity[row] ? 0 : 1;
    }
  });
  EXPECT_GT(thrown, 50U);
  EXPECT_GT(wrecks_seen, 500U);
}

TEST(SectorMove, NodesAreWhereTheirChainOfParentsPutsThem) {
  std::size_t nodes = 0;
  check_stage(all_battles(), 45, kMove, [&](World& world, const auto& run) {
    run();
    const double size = static_cast<double>(std::max(world.scenario.width, world.scenario.depth));
    std::size_t seen = 0;
    world.hierarchy.changed_since(0, [&](Id id, const Qvvs& at) {
      const Qvvs expected = by_chain(world.hierarchy, id);
      EXPECT_LE(distance(at.position, expected.position), 1e-6 * size);
      EXPECT_GT(alike(at.rotation, expected.rotation), 1 - 1e-5F);
      EXPECT_EQ(at.scale, 1);
      ++seen;
    });
    ASSERT_EQ(seen, world.hierarchy.size());
    nodes += seen;
    const auto trees = world.ships.all->read(world.ships.nodes);
    std::vector<Id> roots(trees.size());
    std::transform(trees.begin(), trees.end(), roots.begin(),
                   [](const ShipNodes& tree) { return tree.root; });
    expect_roots(world, *world.ships.all, roots);
    expect_roots(world, *world.points.all, world.points.all->read(world.points.root));
    expect_roots(world, *world.wrecks.all, world.wrecks.all->read(world.wrecks.root));
    const auto velocity = read(*world.ships.all, world.ships.velocity);
    for (std::uint32_t row = 0; row < roots.size(); ++row) {
      const Qvvs at = world.hierarchy.world(roots[row]).value();
      ASSERT_EQ(at, world.derived.places.at(row));
      const float speed = static_cast<float>(distance({}, velocity[row]));
      const Vec3 bow = rotate(at.rotation, {speed, 0, 0});
      ASSERT_LE(distance(bow, velocity[row]), 1e-3 * static_cast<double>(speed)) << "it looks where it flies";
      ASSERT_NEAR(rotate(at.rotation, {0, 1, 0}).z, 0, 1e-3F) << "without roll";
    }
  });
  EXPECT_GT(nodes, 100'000U);
}

/// Each turret hangs on its hull, each muzzle on its turret.
TEST(SectorMove, ShipsAreWhole) {
  check_stage(all_battles(), 60, kMove, [&](World& world, const auto& run) {
    run();
    const auto trees = world.ships.all->read(world.ships.nodes);
    const auto kind = world.ships.all->read(world.ships.kind);
    for (std::size_t row = 0; row < trees.size(); ++row) {
      std::size_t children = 0;
      ASSERT_TRUE(world.hierarchy.for_each_child(trees[row].root, [&](Id) { ++children; }));
      ASSERT_EQ(children, kTurrets[kind[row]] + kExhausts[kind[row]]);
      for (std::size_t i = 0; i < kTurrets[kind[row]]; ++i) {
        ASSERT_EQ(world.hierarchy.parent(trees[row].turret[i]).value(), trees[row].root);
        ASSERT_EQ(world.hierarchy.parent(trees[row].muzzle[i]).value(), trees[row].turret[i]);
      }
    }
  });
}

/// A gun, and how straight it looks at the target of its ship: a cosine.
struct Gun {
  std::uint32_t ship;
  Qvvs muzzle;
  double straight;
};

/// The guns of ships that have reloaded and have a target within range, in their order.
std::vector<Gun> ready_guns(const World& world) {
  const Population& ships = *world.ships.all;
  const auto at = read(ships, position_column<3>(ships));
  std::vector<Gun> guns;
  for (std::uint32_t row = 0; row < ships.size(); ++row) {
    const auto target = ships.row_of(ships.read(world.ships.target)[row]);
    if (!target || ships.read(world.ships.reload)[row] > 0 ||
        distance(at[row], at[*target]) > static_cast<double>(world.scenario.range)) {
      continue;
    }
    for (std::size_t i = 0; i < kTurrets[ships.read(world.ships.kind)[row]]; ++i) {
      const Qvvs muzzle = world.hierarchy.world(ships.read(world.ships.nodes)[row].muzzle[i]).value();
      const Vec3 way = at[*target] - muzzle.position;
      const Vec3 ahead = rotate(muzzle.rotation, {1, 0, 0});
      const double far = distance({}, way);
      const double along = static_cast<double>((ahead.x * way.x + ahead.y * way.y) + ahead.z * way.z);
      guns.push_back({row, muzzle, far > 0 ? along / far : 1});
    }
  }
  return guns;
}

TEST(SectorFire, BulletsLeaveFromMuzzlesThatLookAtTheirTarget) {
  constexpr double kCone = 0.97;
  std::size_t shots = 0, held = 0;
  check_stage(all_battles(), 90, kFire, [&](World& world, const auto& run) {
    const Population &ships = *world.ships.all, &bullets = *world.bullets.all;
    const std::vector<Gun> guns = ready_guns(world);
    const auto span = ships.read(world.ships.reload);
    std::vector<float> reload(span.begin(), span.end());
    const std::size_t first = bullets.size();
    std::size_t row = first;
    run();
    const auto at = read(bullets, position_column<3>(bullets)),
               velocity = read(bullets, world.bullets.velocity);
    for (const Gun& gun : guns) {
      const bool fired = row < bullets.size() && at[row] == gun.muzzle.position;
      ASSERT_FALSE(fired && gun.straight < kCone - 1e-5);
      ASSERT_FALSE(!fired && gun.straight > kCone + 1e-5);
      if (!fired) {
        ++held;
        continue;
      }
      const KindNumbers& kind = world.scenario.kinds[ships.read(world.ships.kind)[gun.ship]];
      const Vec3 expected = rotate(gun.muzzle.rotation, {world.scenario.bullet_speed, 0, 0}) +
                            read(ships, world.ships.velocity)[gun.ship];
      ASSERT_LE(distance(velocity[row], expected), 1e-5 * distance({}, expected));
      ASSERT_EQ(bullets.read(world.bullets.damage)[row], kind.damage);
      ASSERT_EQ(bullets.read(world.bullets.faction)[row], ships.read(world.ships.faction)[gun.ship]);
      ASSERT_EQ(bullets.read(world.bullets.age)[row], 0);
      reload[gun.ship] = kind.reload;
      ++row;
    }
    ASSERT_EQ(row, bullets.size()) << "no other bullets";
    EXPECT_EQ(world.tally.shots, row - first);
    EXPECT_TRUE(std::equal(span.begin(), span.end(), reload.begin(), reload.end()));
    shots += row - first;
  });
  EXPECT_GT(shots, 1'000U);
  EXPECT_GT(held, 1'000U);
}

}  // namespace
}  // namespace juxta::sector::test
