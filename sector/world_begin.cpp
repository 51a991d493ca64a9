// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How a battle begins: asteroids, ships in the part of the world that belongs to their faction, spawn points;
// and how a saved one is looked through before it goes on.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "juxta/core/random.h"
#include "juxta/layer/query.h"
#include "sector/asteroids.h"
#include "sector/columns.h"
#include "sector/each.h"
#include "sector/formation.h"
#include "sector/launch.h"
#include "sector/orientation.h"

namespace juxta::sector {
namespace {

/// Draws of one thing: the first numbers are of its own, whatever else is made.
std::array<float, 4> draws(const World& world, Purpose purpose, std::uint64_t of) noexcept {
  const auto words = random_block(world.simulation.key(purpose), of);
  std::array<float, 4> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = random_fraction(words[i]);
  }
  return numbers;
}

Vec3 velocity_of(const std::array<float, 4>& u, float speed) noexcept {
  const Vec3 way = normalized(Vec3{2 * u[0] - 1, 2 * u[1] - 1, 0.5F * (2 * u[2] - 1)});
  return (way == Vec3{} ? Vec3{1, 0, 0} : way) * speed;
}

/// Strips along x, one for each faction, side by side.
Vec3 place_of(const Scenario& scenario, std::uint32_t faction, const std::array<float, 4>& u) noexcept {
  const float strip = scenario.width / static_cast<float>(scenario.factions);
  return {(static_cast<float>(faction) + u[0]) * strip - 0.5F * scenario.width,
          (u[1] - 0.5F) * scenario.depth, (u[2] - 0.5F) * scenario.height};
}

/// One of several places, so that hardly a ship begins inside an asteroid.
Vec3 free_place(const World& world, std::uint32_t faction, std::uint64_t ship, float radius) {
  constexpr std::uint64_t kTries = 8;
  Vec3 at{};
  for (std::uint64_t i = 0; i < kTries; ++i) {
    at = place_of(world.scenario, faction, draws(world, kPlaces, ship * kTries + i));
    if (find_any(world.asteroids.layer(), ball_box(at, radius)) == kNoBody) {
      break;
    }
  }
  return at;
}

std::vector<Launch> scattered(const World& world) {
  std::vector<Launch> launches(world.scenario.ships);
  for (std::uint32_t i = 0; i < launches.size(); ++i) {
    const auto size = draws(world, kSizes, i), way = draws(world, kDirections, i);
    Launch& ship = launches[i];
    ship.kind = kind_at(world.scenario, size[0]);
    ship.faction = i % world.scenario.factions;
    ship.at = free_place(world, ship.faction, i, world.fleet.models[ship.kind].radius);
    const KindNumbers& kind = world.scenario.kinds[ship.kind];
    ship.velocity = velocity_of(way, 0.5F * (kind.speed_min + kind.speed_max));
  }
  return launches;
}

Result<void> add_ships(World& world) {
  const std::vector<Launch> launches = world.scenario.fleet_groups == 0 ? scattered(world) : formation(world);
  return launch(world, launches).map([&] {  // not all of them shoot in one tick
    const auto reload = world.ships.all->write(world.ships.reload);
    for (std::uint32_t i = 0; i < reload.size(); ++i) {
      reload[i] = draws(world, kSizes, i)[1] * world.scenario.kinds[launches[i].kind].reload;
    }
  });
}

Result<void> add_points(World& world) {
  SpawnPoints& points = world.points;
  const std::uint32_t count = world.scenario.spawn_points;
  std::vector<LocalTransform> roots(count);
  std::vector<Id> ids(count);
  return points.all->insert(count).and_then([&](std::uint32_t /*first*/) {
    const auto at = write(*points.all, position_column<3>(*points.all)),
               velocity = write(*points.all, points.velocity);
    const auto faction = points.all->write(points.faction);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t of = std::uint64_t{1} << 32 | i;  // ships have the numbers below
      const auto place = draws(world, kPlaces, of), way = draws(world, kDirections, of);
      faction[i] = static_cast<float>(i % world.scenario.factions);
      at.set(i, place_of(world.scenario, i % world.scenario.factions, place));
      velocity.set(i, velocity_of(way, world.scenario.spawn_speed));
      roots[i].position = at[i];
    }
    return world.hierarchy.instantiate(*world.fleet.spawn_point, roots, ids).map([&] {
      const auto root = points.all->write(points.root);
      std::copy(ids.begin(), ids.end(), root.begin());
    });
  });
}

/// What is made from the scenario alone.
Result<std::unique_ptr<World>> furnished(const Scenario& scenario, Simulation simulation, Hierarchy hierarchy,
                                         const Executor* executor) {
  auto world = std::make_unique<World>(scenario, std::move(simulation), std::move(hierarchy), executor);
  world->radars.resize(scenario.factions);
  return make_fleet(scenario)
      .map([&](Fleet fleet) { world->fleet = std::move(fleet); })
      .and_then([&] { return add_asteroids(*world); })
      .and_then([&] { return find_columns(*world); })
      .map([&] { return std::move(world); });
}

juxta::World walls_of(const Scenario& scenario) noexcept {
  const Vec3 half{0.5F * scenario.width, 0.5F * scenario.depth, 0.5F * scenario.height};
  return {3, {Edge::kWall, Edge::kWall, Edge::kWall}, {-half[0], -half[1], -half[2]}, half};
}

tl::unexpected<Error> contradiction(std::string_view population, std::size_t row, std::string_view what) {
  return fail(ErrorCode::kCorruptFile, fmt::format("{} in row {} {}", population, row, what), row);
}

Result<void> check_ships(const World& world) {
  const Ships& ships = world.ships;
  const auto kind = ships.all->read(ships.kind);
  const auto faction = ships.all->read(ships.faction);
  const auto nodes = ships.all->read(ships.nodes);
  for (std::size_t row = 0; row < kind.size(); ++row) {
    if (kind[row] >= kKinds) {
      return contradiction("the ship", row, "is of no kind");
    }
    if (!(faction[row] >= 0 && faction[row] < static_cast<float>(world.scenario.factions))) {
      return contradiction("the ship", row, "is of no faction");
    }
    bool alive = world.hierarchy.alive(nodes[row].root);
    for (std::size_t i = 0; i < kTurrets[kind[row]]; ++i) {
      alive =
          alive && world.hierarchy.alive(nodes[row].turret[i]) && world.hierarchy.alive(nodes[row].muzzle[i]);
    }
    if (!alive) {
      return contradiction("the ship", row, "has nodes that are not in the hierarchy");
    }
  }
  return {};
}

Result<void> check_roots(const World& world, const Population& all, Column<Id> root) {
  const auto roots = all.read(root);
  for (std::size_t row = 0; row < roots.size(); ++row) {
    if (!world.hierarchy.alive(roots[row])) {
      return contradiction(all.name(), row, "has a node that is not in the hierarchy");
    }
  }
  return {};
}

Result<void> check_factions(const World& world, const Population& all, Column<float> column) {
  const auto factions = all.read(column);
  for (std::size_t row = 0; row < factions.size(); ++row) {
    if (!(factions[row] >= 0 && factions[row] < static_cast<float>(world.scenario.factions))) {
      return contradiction(all.name(), row, "is of no faction");
    }
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<World>> begin_world(const Scenario& scenario, const Executor* executor) {
  return check_scenario(scenario)
      .and_then([&] { return Simulation::build(walls_of(scenario), scenario.seed); })
      .and_then([&](Simulation simulation) {
        return declare_columns(simulation).and_then([&] {
          return furnished(scenario, std::move(simulation), Hierarchy(), executor);
        });
      })
      .and_then([](std::unique_ptr<World> world) {
        return add_ships(*world)
            .and_then([&] { return add_points(*world); })
            .and_then([&] { return world->hierarchy.propagate({.executor = world->executor}); })
            .map([&](auto) { return std::move(world); });
      });
}

Result<std::unique_ptr<World>> resume_world(const Scenario& scenario, Simulation simulation,
                                            Hierarchy hierarchy, const Executor* executor) {
  if (!(simulation.world() == walls_of(scenario)) || simulation.seed() != scenario.seed) {
    return fail(ErrorCode::kCorruptFile,
                "the scenario is not that of the saved world: its size or seed differs");
  }
  return furnished(scenario, std::move(simulation), std::move(hierarchy), executor)
      .and_then([](std::unique_ptr<World> world) {
        return check_ships(*world)
            .and_then([&] { return check_factions(*world, *world->points.all, world->points.faction); })
            .and_then([&] { return check_factions(*world, *world->bullets.all, world->bullets.faction); })
            .and_then([&] { return check_roots(*world, *world->points.all, world->points.root); })
            .and_then([&] { return check_roots(*world, *world->wrecks.all, world->wrecks.root); })
            .map([&] { return std::move(world); });
      });
}

}  // namespace juxta::sector
