// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the radar tells, by sorting all enemies for each rectangle; whom ships choose of it, and how turrets
// turn, by angles in doubles.
#include <array>

#include "sector/worlds.h"

namespace juxta::sector::test {
namespace {

double real(float x) {
  return static_cast<double>(x);
}

/// The rows of all enemies in a rectangle of the map, the most threatening first.
std::vector<std::uint32_t> enemies_in(const World& world, std::uint32_t faction, std::uint32_t cell) {
  const Scenario& s = world.scenario;
  const Population& ships = *world.ships.all;
  const auto at = read(ships, position_column<3>(ships));
  const auto factions = ships.read(world.ships.faction), threat = ships.read(world.ships.threat);
  const double wide = real(s.width) / s.radar_cells, deep = real(s.depth) / s.radar_cells;
  const double x = wide * (cell % s.radar_cells) - real(s.width) / 2;
  const double y = deep * (cell / s.radar_cells) - real(s.depth) / 2;
  const double margin = real(s.radar_margin);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < ships.size(); ++row) {
    const double at_x = real(at[row].x), at_y = real(at[row].y);
    if (static_cast<std::uint32_t>(factions[row]) != faction && at_x >= x - margin &&
        at_x <= x + wide + margin && at_y >= y - margin && at_y <= y + deep + margin) {
      rows.push_back(row);
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return threat[a] > threat[b]; });
  rows.resize(std::min<std::size_t>(rows.size(), s.radar_top));
  return rows;
}

TEST(SectorRadar, RectanglesAreToldTheMostThreatening) {
  std::size_t told = 0, full = 0;
  check_stage(all_battles(), 40, kRadar, [&](World& world, const auto& run) {
    run();
    ASSERT_EQ(world.radars.size(), world.scenario.factions);
    for (std::uint32_t faction = 0; faction < world.scenario.factions; ++faction) {
      const Radar& radar = world.radars[faction];
      for (std::uint32_t cell = 0; cell < world.scenario.radar_cells * world.scenario.radar_cells; ++cell) {
        const std::vector<std::uint32_t> expected = enemies_in(world, faction, cell);
        ASSERT_EQ(radar.counts.at(cell), expected.size());
        const auto first = radar.contacts.begin() + cell * world.scenario.radar_top;
        ASSERT_TRUE(std::equal(expected.begin(), expected.end(), first)) << "cell " << cell;
        told += expected.size();
        full += expected.size() == world.scenario.radar_top ? 1 : 0;
      }
    }
  });
  EXPECT_GT(told, 10'000U);
  EXPECT_GT(full, 1'000U);
}

std::uint32_t cell_of(const Scenario& s, Vec3 at) {
  const auto along = [&](float place, float edge) {
    const double cell = std::floor((real(place) / real(edge) + 0.5) * s.radar_cells);
    return static_cast<std::uint32_t>(std::clamp(cell, 0.0, s.radar_cells - 1.0));
  };
  return along(at.y, s.depth) * s.radar_cells + along(at.x, s.width);
}

double worth(const World& world, std::uint32_t ship, std::uint32_t enemy) {
  const auto at = read(*world.ships.all, position_column<3>(*world.ships.all));
  const double far = distance(at[ship], at[enemy]), range = real(world.scenario.range);
  return real(world.ships.all->read(world.ships.threat)[enemy]) / (range * range + far * far);
}

TEST(SectorRadar, ShipsChooseTheWorthiestThatTheyWereTold) {
  std::size_t chosen = 0, none = 0;
  check_stage(all_battles(), 40, kRadar, [&](World& world, const auto& run) {
    const Population& ships = *world.ships.all;
    const auto target_before = by_id(ships, world.ships.target);
    const auto advance_before = vectors_by_id(ships, world.ships.advance);
    run();
    const auto target = ships.read(world.ships.target);
    const auto advance = read(ships, world.ships.advance), at = read(ships, position_column<3>(ships));
    for (std::uint32_t row = 0; row < ships.size(); ++row) {
      const Id id = ships.id_of(row);
      if (id.slot % kTurns != world.tick() % kTurns) {
        ASSERT_EQ(target[row], target_before[id]);
        ASSERT_EQ(advance[row], advance_before[id]);
        continue;
      }
      const auto faction = static_cast<std::uint32_t>(ships.read(world.ships.faction)[row]);
      const std::vector<std::uint32_t> told = enemies_in(world, faction, cell_of(world.scenario, at[row]));
      if (target[row] == Id{}) {
        ASSERT_TRUE(told.empty()) << row;
        ASSERT_EQ(advance[row], Vec3{});
        ++none;
        continue;
      }
      const std::uint32_t best = ships.row_of(target[row]).value();
      ASSERT_NE(std::find(told.begin(), told.end(), best), told.end()) << row;
      for (const std::uint32_t other : told) {
        ASSERT_GE(worth(world, row, best), worth(world, row, other) * (1 - 1e-6)) << row;
      }
      const double far = distance(at[row], at[best]);
      ASSERT_NEAR(distance(at[row] + advance[row] * static_cast<float>(far), at[best]), 0, 1e-5 * far + 2e-5);
      ++chosen;
    }
  });
  EXPECT_GT(chosen, 5'000U);
  EXPECT_GT(none, 100U);
}

using Rotation = std::array<double, 4>;  // x, y, z, w

/// The rotation of +x to a way: an angle about z, then nose up or down.
Rotation looking(double x, double y, double z) {
  const double yaw = std::atan2(y, x) / 2, pitch = -std::atan2(z, std::hypot(x, y)) / 2;
  return {-std::sin(yaw) * std::sin(pitch), std::cos(yaw) * std::sin(pitch), std::sin(yaw) * std::cos(pitch),
          std::cos(yaw) * std::cos(pitch)};
}
double cosine(const Rotation& a, const Rotation& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}
Rotation rotation_of(Quat q) {
  return {real(q.x), real(q.y), real(q.z), real(q.w)};
}
Rotation mixed(const Rotation& a, const Rotation& b, double t) {
  const double sign = cosine(a, b) < 0 ? -1 : 1;
  Rotation out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = a[i] + (sign * b[i] - a[i]) * t;
  }
  const double length = std::sqrt(cosine(out, out));
  for (double& part : out) {
    part /= length;
  }
  return out;
}

/// Where a ship's turret must look, seen from the ship.
Rotation wanted(const World& world, std::uint32_t ship, std::uint32_t target, Vec3 turret) {
  const auto at = read(*world.ships.all, position_column<3>(*world.ships.all));
  const auto velocity = read(*world.ships.all, world.ships.velocity);
  const Rotation hull = looking(real(velocity[ship].x), real(velocity[ship].y), real(velocity[ship].z));
  const Quat turn{static_cast<float>(hull[0]), static_cast<float>(hull[1]), static_cast<float>(hull[2]),
                  static_cast<float>(hull[3])};
  const Vec3 way = at[target] - (at[ship] + rotate(turn, turret));
  const double time = distance({}, way) / real(world.scenario.bullet_speed);
  const Vec3 ahead = way + (velocity[target] - velocity[ship]) * static_cast<float>(time);
  const Vec3 seen = rotate(conjugate(turn), ahead);
  return looking(real(seen.x), real(seen.y), real(seen.z));
}

TEST(SectorRadar, TurretsTurnPartOfTheWay) {
  std::size_t turned = 0, still = 0;
  check_stage(all_battles(), 40, kRadar, [&](World& world, const auto& run) {
    const Population& ships = *world.ships.all;
    const auto nodes = ships.read(world.ships.nodes);
    const auto kind = ships.read(world.ships.kind);
    std::vector<std::array<LocalTransform, kMostTurrets>> before(ships.size());
    for (std::uint32_t row = 0; row < ships.size(); ++row) {
      for (std::size_t i = 0; i < kTurrets[kind[row]]; ++i) {
        before[row][i] = world.hierarchy.local(nodes[row].turret[i]).value();
      }
    }
    run();
    const auto at = read(ships, position_column<3>(ships));
    std::size_t aimed = 0;
    for (std::uint32_t row = 0; row < ships.size(); ++row) {
      const auto target = ships.row_of(ships.read(world.ships.target)[row]);
      const bool aims = ships.id_of(row).slot % kTurns == world.tick() % kTurns && target &&
                        distance(at[row], at[*target]) <= 2 * real(world.scenario.range);
      aimed += aims ? 1 : 0;
      for (std::size_t i = 0; i < kTurrets[kind[row]]; ++i) {
        const LocalTransform after = world.hierarchy.local(nodes[row].turret[i]).value();
        ASSERT_EQ(after.position, before[row][i].position);
        if (!aims) {
          ASSERT_EQ(after, before[row][i]) << row;
          ++still;
          continue;
        }
        const Rotation old = rotation_of(before[row][i].rotation),
                       to = wanted(world, row, *target, after.position);
        if (std::abs(cosine(old, to)) > 1e-3) {  // else both ways round are as long
          const Rotation expected = mixed(old, to, real(world.scenario.turret_turn));
          ASSERT_GT(std::abs(cosine(expected, rotation_of(after.rotation))), 1 - 1e-5) << row;
          ++turned;
        }
      }
    }
    EXPECT_EQ(world.tally.aimed, aimed);
  });
  EXPECT_GT(turned, 10'000U);
  EXPECT_GT(still, 10'000U);
}

}  // namespace
}  // namespace juxta::sector::test
