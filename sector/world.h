// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The world of the battle: what is in which module.
//
//   Simulation   populations own positions, velocities, health            (agents)
//   Hierarchy    every node of every ship, spawn point and wreck;         (transform)
//                roots are put where their agents are, each tick
//   asteroids    meshes and hulls that stay where they are                (shape)
//   Derived      boxes, layers, hits: derived anew each tick              (layer, shape)
//   radars       each faction's enemies: derived anew each tick           (ranked)
//
// The first two are the state: a saved battle is these and the scenario. All else is made from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "juxta/agents/simulation.h"
#include "juxta/agents/vector_column.h"
#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/layer/layer.h"
#include "juxta/math/qvvs.h"
#include "juxta/ranked/ranked_points.h"
#include "juxta/shape/bodies.h"
#include "juxta/transform/hierarchy.h"
#include "sector/fleet.h"
#include "sector/scenario.h"

namespace juxta::sector {

/// What random numbers are for. Saved battles depend on these numbers: append only.
enum Purpose : std::uint32_t { kPlaces, kDirections, kSizes, kReleases, kTumbles };

struct Ships {
  Population* all = nullptr;
  VectorColumn<3> velocity;
  Column<float> faction, health, reload;  ///< Factions as whole numbers, since passes read floats.
  Column<float> threat;                   ///< Of its kind, less what it lost of its health.
  Column<float> speed_min, speed_max;     ///< Of its kind, for the rules.
  VectorColumn<3> avoid, advance;         ///< Unit vectors away from an asteroid, towards the target; or 0.
  Column<std::uint8_t> kind;
  Column<std::uint8_t> turn;  ///< Which tick of four is its own for what it does now and then.
  Column<Id> target;          ///< A reference to a ship; Id{}: none.
  Column<ShipNodes> nodes;
};

struct Bullets {
  Population* all = nullptr;
  VectorColumn<3> velocity;
  Column<float> age, damage, faction;
};

/// Spawn points of factions, in turn.
struct SpawnPoints {
  Population* all = nullptr;
  VectorColumn<3> velocity;
  Column<float> faction, rest;  ///< rest: seconds until its animation ends.
  Column<Id> root;
};

struct Explosions {
  Population* all = nullptr;
  Column<float> age, radius;
};

/// Parts of dead ships, each the root of what hung on it.
struct Wrecks {
  Population* all = nullptr;
  VectorColumn<3> velocity;
  Column<float> age, faction;
  Column<Id> root;
};

/// What happened in one tick.
struct Tally {
  std::size_t safe_points = 0;  ///< Spawn points that could release.
  std::size_t released = 0, shots = 0, hits = 0, deaths = 0;
  std::size_t near_collisions = 0;     ///< Pairs of ships, and of a ship and an asteroid, whose boxes touch.
  std::size_t collisions = 0;          ///< Of them those that met, coming nearer, and were thrown apart.
  std::size_t looked = 0, warned = 0;  ///< Ships that looked for asteroids ahead; that saw one.
  std::size_t aimed = 0;               ///< Ships whose turrets turned towards a target.
  std::size_t nodes_moved = 0;         ///< World transforms that propagation computed.
};

/// A bullet's first hit in this tick, found by several bodies' visits.
struct BulletHit {
  float t;             ///< Part of the tick's way, 0 .. 1; above 1: none.
  std::uint32_t ship;  ///< Row, or kNoBody: an asteroid.
};

/// What stages derive from the state, and leave for later stages of the tick.
struct Derived {
  std::vector<Qvvs> places;                     ///< By move: of the ships' roots, by row.
  std::vector<BulletHit> bullet_hits;           ///< By hit: by row of the bullet.
  std::vector<Aabb3> ship_boxes, bullet_boxes;  ///< By hit, by row.
  std::vector<Filter> ship_filters, bullet_filters;
  Layer ship_layer, bullet_layer;  ///< By hit.
  Layer point_layer, obstacles;    ///< By spawn.
};

/// Memory that stages keep between ticks. No stage reads what another one left in it.
struct Memory {
  Workspace workspace, workspace_beside;  ///< One for each half of side_by_side().
  std::vector<Aabb3> obstacle_boxes, hull_boxes;
  std::vector<Id> ship_roots;
  std::vector<LocalTransform> ship_locals;
};

/// One faction's radar: all enemies, the most threatening first, and what it told of each rectangle.
struct Radar {
  RankedPoints enemies;
  std::vector<std::uint32_t> rows;  ///< Of each point: its ship.
  std::vector<float> x, y, rank;
  std::vector<std::uint32_t> contacts;  ///< Rows, radar_top for each rectangle ...
  std::vector<std::uint32_t> counts;    ///< ... of which so many are there.
  Workspace workspace;
};

struct World {
  World(const Scenario& with, Simulation agents, Hierarchy nodes, const Executor* on)
      : scenario(with), simulation(std::move(agents)), hierarchy(std::move(nodes)), executor(on) {}

  Scenario scenario;
  Simulation simulation;
  Hierarchy hierarchy;
  Fleet fleet;
  std::vector<std::unique_ptr<TriangleMesh>> meshes;  ///< Of asteroids.
  std::vector<std::unique_ptr<ConvexHull>> hulls;
  Bodies asteroids;
  Ships ships;
  Bullets bullets;
  SpawnPoints points;
  Explosions explosions;
  Wrecks wrecks;
  std::vector<Radar> radars;  ///< By faction.
  Derived derived;
  Memory memory;
  Tally tally;               ///< Of the last tick.
  const Executor* executor;  ///< Null: the calling thread. Never changes a bit of the state.

  [[nodiscard]] std::uint32_t tick() const noexcept { return simulation.step(); }
};

/// A battle that begins. Errors: kInvalidArgument (numbers that contradict each other), of the modules.
[[nodiscard]] Result<std::unique_ptr<World>> begin_world(const Scenario& scenario,
                                                         const Executor* executor = nullptr);
/// A battle that goes on from its saved state. Errors: kNotFound (a population or column that is not there:
/// not a battle, or of another version), kCorruptFile (agents whose nodes are not in the hierarchy), of the
/// modules.
[[nodiscard]] Result<std::unique_ptr<World>> resume_world(const Scenario& scenario, Simulation simulation,
                                                          Hierarchy hierarchy,
                                                          const Executor* executor = nullptr);

/// What lives, for tables and plots.
struct Census {
  std::uint32_t tick = 0;
  std::array<std::size_t, kMostFactions> ships{};  ///< By faction.
  std::size_t bullets = 0, explosions = 0, wrecks = 0, spawn_points = 0, nodes = 0;
};
[[nodiscard]] Census census_of(const World& world);

/// A number that the whole state goes into: every column of every population but for results of passes, row
/// by row, and where every node is. Equal states, equal numbers; the same for any executor, instruction set
/// and compiler.
[[nodiscard]] std::uint64_t state_hash(const World& world);

}  // namespace juxta::sector
