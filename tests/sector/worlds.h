// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Small battles for tests, and what one looks at in them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sector/each.h"
#include "sector/tick.h"

namespace juxta::sector::test {

/// A battle that a loop over all pairs can check: crowded, so that everything happens within a few ticks.
inline Scenario small(std::uint64_t seed, std::uint32_t ships = 240) {
  Scenario s;
  s.name = "small";
  s.seed = seed;
  s.width = 150;
  s.depth = 130;
  s.height = 50;
  s.ships = ships;
  s.spawn_points = 30;
  s.asteroids = 8;
  s.asteroid_max = 14;
  s.asteroid_triangles = 80;
  s.radar_cells = 3;
  s.radar_margin = 15;
  s.wreck_time = 1;
  for (KindNumbers& kind : s.kinds) {
    kind.health *= 0.2F;
  }
  return s;
}

inline Scenario named(Scenario s, const char* name) {
  s.name = name;
  return s;
}

/// Battles at the ends of what is allowed.
inline std::vector<Scenario> odd_battles() {
  std::vector<Scenario> all;
  const auto add = [&](const char* name, std::uint32_t ships, auto change) {
    all.push_back(named(small(all.size() + 1, ships), name));
    change(all.back());
  };
  add("nobody", 0, [](Scenario&) {});
  add("one ship", 1, [](Scenario& s) { s.spawn_points = 1; });
  add("three ships of two factions", 3, [](Scenario&) {});
  add("one faction", 90, [](Scenario& s) { s.factions = 1; });
  add("no spawn points", 120, [](Scenario& s) { s.spawn_points = 0; });
  add("no asteroids", 120, [](Scenario& s) { s.asteroids = 0; });
  add("nothing at all", 0, [](Scenario& s) { s.asteroids = s.spawn_points = 0; });
  add("three factions", 180, [](Scenario& s) { s.factions = 3; });
  add("four factions", 240, [](Scenario& s) { s.factions = 4; });
  add("a box full of ships", 100, [](Scenario& s) {
    s.width = s.depth = s.height = 14;
    s.asteroids = 1;
    s.asteroid_min = s.asteroid_max = 3;
    s.spawn_edge = 1;
  });
  add("faster than their own length", 150, [](Scenario& s) {
    for (KindNumbers& kind : s.kinds) {
      kind.speed_max = kind.speed_min = 5'000;
    }
  });
  add("ships that stand still", 100, [](Scenario& s) {
    for (KindNumbers& kind : s.kinds) {
      kind.speed_min = 0;
    }
    s.spawn_speed = s.advance = s.chase = s.flee = s.align = s.cohere = s.separate = 0;
  });
  add("flat", 100, [](Scenario& s) {
    s.height = 12;
    s.asteroids = 0;
    s.spawn_edge = 12;
  });
  return all;
}

inline std::vector<Scenario> all_battles() {
  std::vector<Scenario> all = odd_battles();
  for (const std::uint64_t seed : {101U, 102U, 103U}) {
    all.push_back(small(seed));
  }
  return all;
}

/// Runs ticks; false after a failure.
[[nodiscard]] inline bool play(World& world, std::uint32_t ticks) {
  for (std::uint32_t i = 0; i < ticks; ++i) {
    const auto done = tick(world);
    EXPECT_TRUE(done) << world.scenario.name << ", tick " << world.tick() << ": " << done.error().message;
    if (!done) {
      return false;
    }
  }
  return true;
}

[[nodiscard]] inline std::unique_ptr<World> begun(const Scenario& scenario,
                                                  const Executor* executor = nullptr) {
  auto world = begin_world(scenario, executor);
  EXPECT_TRUE(world) << scenario.name << ": " << (world ? "" : world.error().message);
  return world ? std::move(*world) : nullptr;
}

inline constexpr std::size_t kSpawn = 0, kSteer = 1, kRadar = 2, kMove = 3, kFire = 4, kHit = 5, kDamage = 6;

/// Plays battles, and calls check(world, run) where the stage's turn is: run() runs it.
template <class Check>
void check_stage(const std::vector<Scenario>& battles, std::uint32_t ticks, std::size_t stage,
                 const Check& check) {
  for (const Scenario& scenario : battles) {
    SCOPED_TRACE(scenario.name + " of seed " + std::to_string(scenario.seed));
    const auto world = begun(scenario);
    ASSERT_TRUE(world);
    for (std::uint32_t i = 0; i < ticks && !::testing::Test::HasFailure(); ++i) {
      SCOPED_TRACE("tick " + std::to_string(i));
      world->tally = {};
      for (std::size_t at = 0; at < kStages.size(); ++at) {
        const auto run = [&] {
          const auto done = kStages[at].run(*world);
          ASSERT_TRUE(done) << kStages[at].name << ": " << done.error().message;
        };
        if (at == stage) {
          check(*world, run);
        } else {
          run();
        }
        if (::testing::Test::HasFailure()) {
          return;
        }
      }
    }
  }
}

/// The values of a column, or of what a function makes of a row, by the Ids of agents: rows move.
template <class T>
class ById {
 public:
  template <class OfRow>
  ById(const Population& all, const OfRow& of_row) {
    for (std::uint32_t row = 0; row < all.size(); ++row) {
      const Id id = all.id_of(row);
      values_.resize(std::max<std::size_t>(values_.size(), id.slot + 1));
      values_[id.slot] = of_row(row);
    }
  }
  [[nodiscard]] const T& operator[](Id id) const { return values_.at(id.slot); }

 private:
  std::vector<T> values_;
};
[[nodiscard]] inline ById<Vec3> vectors_by_id(const Population& all, const VectorColumn<3>& columns) {
  const VectorSpan<3, const float> values = read(all, columns);
  return {all, [&](std::uint32_t row) { return values[row]; }};
}
template <class T>
[[nodiscard]] ById<T> by_id(const Population& all, Column<T> column) {
  const auto values = all.read(column);
  return {all, [&](std::uint32_t row) { return values[row]; }};
}

inline double distance(Vec3 a, Vec3 b) {
  const auto part = [](float from, float to) { return static_cast<double>(to) - static_cast<double>(from); };
  return std::hypot(part(a.x, b.x), part(a.y, b.y), part(a.z, b.z));
}

/// Whether every number of every agent and the place of every node is finite; else who is not.
inline ::testing::AssertionResult all_finite(const World& world) {
  for (std::size_t i = 0; i < world.simulation.population_count(); ++i) {
    const Population& all = world.simulation.population(i);
    for (std::uint32_t column = 0; column < all.column_count(); ++column) {
      const auto values = all.read(Column<float>{column});
      if (all.kind_of(column) != ColumnKind::kFloat) {
        continue;
      }
      for (std::size_t row = 0; row < values.size(); ++row) {
        if (!std::isfinite(values[row])) {
          return ::testing::AssertionFailure() << all.name() << "." << all.column_name(column) << "[" << row
                                               << "] = " << values[row] << " in tick " << world.tick();
        }
      }
    }
  }
  std::size_t wild = 0;
  world.hierarchy.for_each([&](Id id) {
    const Qvvs at = world.hierarchy.world(id).value();
    wild += is_finite(at.position) && is_finite(at.rotation) ? 0 : 1;
  });
  return wild == 0 ? ::testing::AssertionSuccess() : ::testing::AssertionFailure() << wild << " wild nodes";
}

}  // namespace juxta::sector::test
