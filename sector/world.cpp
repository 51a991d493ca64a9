// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The populations of a battle and their columns: declared when it begins, found again when it goes on.
#include "sector/world.h"

#include <fmt/format.h>

#include <utility>

#include "juxta/core/try.h"
#include "juxta/study/columns.h"
#include "sector/columns.h"
#include "sector/each.h"
#include "sector/steer_rules.h"

namespace juxta::sector {
namespace {

constexpr const char* kVelocity[] = {"vx", "vy", "vz"};
constexpr const char* kAvoid[] = {"avoid_x", "avoid_y", "avoid_z"};
constexpr const char* kAdvance[] = {"advance_x", "advance_y", "advance_z"};

/// Columns, one after the other; what went wrong first stays.
class Finder {
 public:
  Finder(Simulation& simulation, const char* population) {
    all_ = simulation.find_population(population);
    if (all_ == nullptr) {
      error_ = fail(ErrorCode::kNotFound, fmt::format("there are no {}: this is not a battle", population));
    }
  }
  template <class T>
  Finder& column(const char* name, Column<T>& column) {
    if (error_) {
      if (auto found = all_->find_column<T>(name); found) {
        column = *found;
      } else {
        error_ = tl::unexpected<Error>(found.error());
      }
    }
    return *this;
  }
  Finder& columns(const char* const (&names)[3], Columns3& columns) {
    return column(names[0], columns[0]).column(names[1], columns[1]).column(names[2], columns[2]);
  }
  Result<void> done(Population*& all) {
    all = all_;
    return error_;
  }

 private:
  Population* all_;
  Result<void> error_;
};

}  // namespace

Result<void> declare_columns(Simulation& simulation) {
  for (const char* name : {"ships", "bullets", "spawn_points", "explosions", "wrecks"}) {
    JUXTA_TRY(simulation.add_population(name));
  }
  Population& ships = *simulation.find_population("ships");
  Population& points = *simulation.find_population("spawn_points");
  Population& wrecks = *simulation.find_population("wrecks");
  return ships
      .add_columns({"vx", "vy", "vz", "faction", "health", "reload", "threat", "speed_min", "speed_max",
                    "avoid_x", "avoid_y", "avoid_z", "advance_x", "advance_y", "advance_z"})
      .and_then([&] { return add_results_of<Notice>(ships); })
      .and_then([&] { return ships.add_column<std::uint8_t>("kind"); })
      .and_then([&](auto) { return ships.add_column<std::uint8_t>("turn"); })
      .and_then([&](auto) { return ships.add_references("target", ships); })
      .and_then([&](auto) { return ships.add_column<ShipNodes>("nodes"); })
      .and_then([&](auto) {
        return simulation.find_population("bullets")->add_columns(
            {"vx", "vy", "vz", "age", "damage", "faction"});
      })
      .and_then([&] {
        return points.add_columns({"vx", "vy", "vz", "faction", "rest"});
      })
      .and_then([&] { return points.add_column<Id>("root"); })
      .and_then([&](auto) {
        return simulation.find_population("explosions")->add_columns({"age", "radius"});
      })
      .and_then([&] {
        return wrecks.add_columns({"vx", "vy", "vz", "age", "faction"});
      })
      .and_then([&] { return wrecks.add_column<Id>("root"); })
      .map([](auto) {});
}

Result<void> find_columns(World& world) {
  Simulation& simulation = world.simulation;
  Ships& ships = world.ships;
  const auto find_ships = [&] {
    return Finder(simulation, "ships")
        .columns(kVelocity, ships.velocity)
        .columns(kAvoid, ships.avoid)
        .columns(kAdvance, ships.advance)
        .column("faction", ships.faction)
        .column("health", ships.health)
        .column("reload", ships.reload)
        .column("threat", ships.threat)
        .column("speed_min", ships.speed_min)
        .column("speed_max", ships.speed_max)
        .column("kind", ships.kind)
        .column("turn", ships.turn)
        .column("target", ships.target)
        .column("nodes", ships.nodes)
        .done(ships.all);
  };
  const auto find_bullets = [&] {
    return Finder(simulation, "bullets")
        .columns(kVelocity, world.bullets.velocity)
        .column("age", world.bullets.age)
        .column("damage", world.bullets.damage)
        .column("faction", world.bullets.faction)
        .done(world.bullets.all);
  };
  const auto find_points = [&] {
    return Finder(simulation, "spawn_points")
        .columns(kVelocity, world.points.velocity)
        .column("faction", world.points.faction)
        .column("rest", world.points.rest)
        .column("root", world.points.root)
        .done(world.points.all);
  };
  const auto find_explosions = [&] {
    return Finder(simulation, "explosions")
        .column("age", world.explosions.age)
        .column("radius", world.explosions.radius)
        .done(world.explosions.all);
  };
  const auto find_wrecks = [&] {
    return Finder(simulation, "wrecks")
        .columns(kVelocity, world.wrecks.velocity)
        .column("age", world.wrecks.age)
        .column("faction", world.wrecks.faction)
        .column("root", world.wrecks.root)
        .done(world.wrecks.all);
  };
  return find_ships()
      .and_then(find_bullets)
      .and_then(find_points)
      .and_then(find_explosions)
      .and_then(find_wrecks);
}

}  // namespace juxta::sector
