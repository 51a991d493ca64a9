// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What ships note about each other by a loop over all pairs, what they do about it in doubles, and which
// asteroid a ball meets first by asking each of them.
#include <array>
#include <limits>
#include <string_view>

#include "juxta/shape/query.h"
#include "sector/worlds.h"

namespace juxta::sector::test {
namespace {

/// What Notice finds, in its order.
enum Total {
  kOwn,
  kOwnV,
  kOwnAt = kOwnV + 3,
  kAway = kOwnAt + 3,
  kOwnThreat = kAway + 3,
  kFoeThreat,
  kFoeAt
};
constexpr std::array<std::string_view, kFoeAt + 3> kTotals = {
    "own",    "own_vx", "own_vy",     "own_vz",     "own_x", "own_y", "own_z", "away_x",
    "away_y", "away_z", "own_threat", "foe_threat", "foe_x", "foe_y", "foe_z"};

/// A sum, and how large its terms were: what its rounding is measured by.
struct Sum {
  double value = 0, size = 0;
  void add(double term) {
    value += term;
    size += std::abs(term);
  }
};
using Totals = std::array<Sum, kTotals.size()>;

/// Ships as they were before the stage turned them; places, factions and threats stay.
struct Before {
  explicit Before(const World& world)
      : velocity(vectors_by_id(*world.ships.all, world.ships.velocity)),
        avoid(vectors_by_id(*world.ships.all, world.ships.avoid)),
        reload(by_id(*world.ships.all, world.ships.reload)) {}
  ById<Vec3> velocity, avoid;
  ById<float> reload;
};

std::array<double, 3> doubles(Vec3 v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

Totals look_around(const World& world, const Before& before, std::uint32_t self) {
  const Population& ships = *world.ships.all;
  const auto at = read(ships, position_column<3>(ships));
  const auto faction = ships.read(world.ships.faction), threat = ships.read(world.ships.threat);
  Totals totals;
  for (std::uint32_t other = 0; other < ships.size(); ++other) {
    const Vec3 d = at[other] - at[self];
    const float d2 = (d.x * d.x + d.y * d.y) + d.z * d.z;
    if (other == self || !(d2 <= world.scenario.sight * world.scenario.sight)) {
      continue;
    }
    const bool own = faction[other] == faction[self];
    const double weight = static_cast<double>(threat[other]);
    const double gap = std::max(std::sqrt(static_cast<double>(d2)), 1e-6);
    const auto room = static_cast<double>(world.scenario.room);
    const auto way = doubles(d), velocity = doubles(before.velocity[ships.id_of(other)]);
    totals[own ? kOwnThreat : kFoeThreat].add(weight);
    totals[kOwn].add(own ? 1 : 0);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (own) {
        totals[kOwnV + axis].add(velocity[axis]);
        totals[kOwnAt + axis].add(way[axis]);
      } else {
        totals[kFoeAt + axis].add(way[axis] * weight);
      }
      if (gap < room) {
        totals[kAway + axis].add(-way[axis] * (room - gap) / gap);
      }
    }
  }
  return totals;
}

/// The velocity that Flock and Pilot make of what the stage noted.
std::array<double, 3> turned(const World& world, const Before& before, std::uint32_t row,
                             const std::array<float, kTotals.size()>& noted) {
  const Population& ships = *world.ships.all;
  const Scenario& s = world.scenario;
  const auto real = [](float x) { return static_cast<double>(x); };
  const auto v = doubles(before.velocity[ships.id_of(row)]),
             at = doubles(read(ships, position_column<3>(ships))[row]);
  const auto avoid = doubles(read(ships, world.ships.avoid)[row]);
  const auto advance = doubles(read(ships, world.ships.advance)[row]);
  const double most = real(ships.read(world.ships.speed_max)[row]),
               least = real(ships.read(world.ships.speed_min)[row]);
  const bool outnumbered = noted[kFoeThreat] > noted[kOwnThreat] + ships.read(world.ships.threat)[row];
  const double foe = (outnumbered ? -real(s.flee) : real(s.chase)) / std::max(real(noted[kFoeThreat]), 1e-6);
  const Vec3 edges{s.width, s.depth, s.height};
  std::array<double, 3> out{};
  double speed = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double turn = real(s.separate) * real(noted[kAway + axis]) + foe * real(noted[kFoeAt + axis]);
    if (noted[kOwn] > 0) {
      const double n = real(noted[kOwn]);
      turn += real(s.align) * (real(noted[kOwnV + axis]) / n - v[axis]);
      turn += real(s.cohere) * real(noted[kOwnAt + axis]) / n;
    }
    const double wall = real(edges[axis]) / 2 - 2 * real(s.room);
    const double beyond = std::max(at[axis] - wall, 0.0) + std::min(at[axis] + wall, 0.0);
    turn += most * (real(s.avoid) * avoid[axis] + real(s.advance) * advance[axis]) - 4 * beyond;
    out[axis] = v[axis] + turn / 60;
    speed += out[axis] * out[axis];
  }
  speed = std::sqrt(speed);
  for (double& part : out) {
    part *= std::clamp(speed, least, most) / std::max(speed, 1e-6);
  }
  return out;
}

/// Which way leads off the asteroid that the ship's ball meets first; none: null.
Vec3 way_off(const World& world, Vec3 at, Vec3 velocity, float radius) {
  Qvvs from;
  from.position = at;
  CastHit first;
  for (std::uint32_t i = 0; i < world.asteroids.size(); ++i) {
    const Body& rock = world.asteroids.body(i);
    const CastHit hit =
        cast(Sphere{{}, radius}, from, velocity * world.scenario.look_ahead, rock.shape, rock.at);
    if (hit && (!first || hit.t < first.t)) {
      first = hit;
    }
  }
  return first ? first.normal : Vec3{};
}

TEST(SectorSteer, ShipsNoteWhatALoopOverAllPairsNotes) {
  double neighbours = 0, foes = 0, near = 0;
  check_stage(all_battles(), 25, kSteer, [&](World& world, const auto& run) {
    const Before before(world);
    run();
    const Population& ships = *world.ships.all;
    std::array<std::span<const float>, kTotals.size()> noted;
    for (std::size_t total = 0; total < kTotals.size(); ++total) {
      noted[total] = ships.read(*ships.find_column<float>(kTotals[total]));
    }
    for (std::uint32_t row = 0; row < ships.size(); ++row) {
      const Totals totals = look_around(world, before, row);
      ASSERT_EQ(noted[kOwn][row], static_cast<float>(totals[kOwn].value)) << row;
      for (std::size_t total = 0; total < kTotals.size(); ++total) {
        ASSERT_NEAR(static_cast<double>(noted[total][row]), totals[total].value,
                    2e-5 * totals[total].size + 1e-5)
            << kTotals[total] << " of row " << row;
      }
      neighbours += totals[kOwn].value;
      foes += totals[kFoeThreat].value > 0 ? 1 : 0;
      near += totals[kAway].size > 0 ? 1 : 0;
    }
  });
  EXPECT_GT(neighbours, 100'000);
  EXPECT_GT(foes, 10'000);
  EXPECT_GT(near, 10'000);
}

TEST(SectorSteer, ShipsTurnAsTheRulesSay) {
  check_stage(all_battles(), 60, kSteer, [&](World& world, const auto& run) {
    const Before before(world);
    run();
    const Population& ships = *world.ships.all;
    std::array<std::span<const float>, kTotals.size()> noted;
    for (std::size_t total = 0; total < kTotals.size(); ++total) {
      noted[total] = ships.read(*ships.find_column<float>(kTotals[total]));
    }
    const auto velocity = read(ships, world.ships.velocity);
    const auto reload = ships.read(world.ships.reload);
    for (std::uint32_t row = 0; row < ships.size(); ++row) {
      std::array<float, kTotals.size()> of_row{};
      for (std::size_t total = 0; total < kTotals.size(); ++total) {
        of_row[total] = noted[total][row];
      }
      const auto expected = turned(world, before, row, of_row), actual = doubles(velocity[row]);
      const double speed = std::hypot(expected[0], expected[1], expected[2]);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        ASSERT_NEAR(actual[axis], expected[axis], 1e-4 * speed + 1e-5) << "row " << row << ", axis " << axis;
      }
      ASSERT_EQ(reload[row], std::max(before.reload[ships.id_of(row)] - kTick, 0.0F)) << row;
    }
  });
}

TEST(SectorSteer, ShipsSeeTheFirstAsteroidAhead) {
  std::size_t all_warned = 0, all_looked = 0;
  check_stage(all_battles(), 90, kSteer, [&](World& world, const auto& run) {
    const Before before(world);
    run();
    const Population& ships = *world.ships.all;
    const auto at = read(ships, position_column<3>(ships)), avoid = read(ships, world.ships.avoid);
    const auto kind = ships.read(world.ships.kind);
    std::size_t warned = 0, looked = 0;
    for (std::uint32_t row = 0; row < ships.size(); ++row) {
      const Id id = ships.id_of(row);
      if (id.slot % kTurns != world.tick() % kTurns) {
        ASSERT_EQ(avoid[row], before.avoid[id]) << "it is not this one's turn";
        continue;
      }
      const Vec3 off = way_off(world, at[row], before.velocity[id], world.fleet.models[kind[row]].radius);
      ASSERT_EQ(avoid[row], off) << row;
      ++looked;
      warned += off == Vec3{} ? 0 : 1;
    }
    EXPECT_EQ(world.tally.looked, looked);
    EXPECT_LE(warned, world.tally.warned);  // from inside of a solid no way is the way off
    all_looked += looked;
    all_warned += warned;
  });
  EXPECT_GT(all_warned, 500U);
  EXPECT_GT(all_looked, 2 * all_warned);
}

}  // namespace
}  // namespace juxta::sector::test
