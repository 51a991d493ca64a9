// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/sector/recording.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bench/support/must.h"
#include "sector/each.h"
#include "sector/fleet.h"
#include "sector/tick.h"
#include "sector/world.h"

namespace juxta::bench {
namespace {

constexpr std::uint32_t kNoNode = ~std::uint32_t{0};

/// What the forest's nodes are called in the battle, and where they were last.
class Nodes {
 public:
  Nodes(const sector::World& world, Recording& recording) : world_(world) {
    Forest& forest = recording.scene.forest;
    for (std::size_t kind = 0; kind < sector::kKinds; ++kind) {
      take_prefab(forest, world.fleet.models[kind].prefab);
      std::vector<Id> places(world.fleet.models[kind].prefab.size());
      for (std::uint32_t node = 0; node < places.size(); ++node) {
        places[node] = {node, 0};
      }
      places_[kind] = sector::Model::nodes_of(static_cast<sector::Kind>(kind), places);
    }
    take_prefab(forest, *world.fleet.spawn_point);
    take_ships(forest.batches);
    for (const Id root : world_.points.all->read(world_.points.root)) {
      plant(forest.batches, sector::kKinds, root);
    }
    recording.start = changes();
  }

  /// Ships that have come and gone since this was last called, and of nodes that are placed by their agents
  /// those that are elsewhere.
  MoveInput changes() {
    MoveInput input;
    take_ships(input.born);
    bury(input.died);
    const auto ships = world_.ships.all->read(world_.ships.nodes);
    const auto kinds = world_.ships.all->read(world_.ships.kind);
    asked_.clear();
    for (std::size_t row = 0; row < ships.size(); ++row) {
      asked_.push_back(ships[row].root);
      for (std::size_t turret = 0; turret < sector::kTurrets[kinds[row]]; ++turret) {
        asked_.push_back(ships[row].turret[turret]);
      }
    }
    const auto points = world_.points.all->read(world_.points.root);
    asked_.insert(asked_.end(), points.begin(), points.end());
    locals_.resize(asked_.size());
    must(world_.hierarchy.local(asked_, locals_));
    for (std::size_t i = 0; i < asked_.size(); ++i) {
      const std::uint32_t node = node_of(asked_[i]);
      if (node != kNoNode && last_[node] != locals_[i]) {
        last_[node] = locals_[i];
        input.nodes.push_back(node);
        input.locals.push_back(locals_[i]);
      }
    }
    return input;
  }

 private:
  void take_prefab(Forest& forest, const Prefab& prefab) {
    forest.prefabs.emplace_back(prefab.nodes().begin(), prefab.nodes().end());
    prefabs_.push_back(forest.prefabs.back());
  }

  // Those that have no number, in the order in which they were made, as they stand in the hierarchy.
  void take_ships(std::vector<Forest::Batch>& born) {
    const auto ships = world_.ships.all->read(world_.ships.nodes);
    const auto kinds = world_.ships.all->read(world_.ships.kind);
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < ships.size(); ++row) {
      if (node_of(ships[row].root) == kNoNode) {
        rows.push_back(row);
      }
    }
    std::ranges::sort(rows, {}, [&](std::uint32_t row) { return ships[row].root.slot; });
    for (const std::uint32_t row : rows) {
      const sector::ShipNodes& places = places_[kinds[row]];
      const std::uint32_t first = plant(born, kinds[row], ships[row].root);
      for (std::size_t turret = 0; turret < sector::kTurrets[kinds[row]]; ++turret) {
        name(ships[row].turret[turret], first + places.turret[turret].slot);
      }
      living_.push_back({ships[row].root, {first, static_cast<std::uint32_t>(prefabs_[kinds[row]].size())}});
    }
  }
  // Ships whose roots are no more.
  void bury(std::vector<NodeRange>& died) {
    const auto dead = std::stable_partition(living_.begin(), living_.end(), [&](const Instance& ship) {
      return world_.hierarchy.alive(ship.root);
    });
    std::for_each(dead, living_.end(), [&](const Instance& ship) { died.push_back(ship.nodes); });
    living_.erase(dead, living_.end());
  }
  // One more instance; returns the number of its first node.
  std::uint32_t plant(std::vector<Forest::Batch>& batches, std::uint32_t prefab, Id root) {
    if (batches.empty() || batches.back().prefab != prefab) {
      batches.push_back({prefab, {}});
    }
    const auto first = static_cast<std::uint32_t>(last_.size());
    batches.back().roots.push_back(must(world_.hierarchy.local(root)));
    for (const NodeDescription& node : prefabs_[prefab]) {
      last_.push_back(node.local);
    }
    last_[first] = batches.back().roots.back();
    name(root, first);
    return first;
  }
  void name(Id id, std::uint32_t node) {
    if (id.slot >= named_.size()) {
      named_.resize(id.slot + std::size_t{1}, {Id{}, kNoNode});
    }
    named_[id.slot] = {id, node};
  }
  [[nodiscard]] std::uint32_t node_of(Id id) const {
    return id.slot < named_.size() && named_[id.slot].id == id ? named_[id.slot].node : kNoNode;
  }

  struct Named {
    Id id;
    std::uint32_t node;
  };
  struct Instance {
    Id root;
    NodeRange nodes;
  };
  const sector::World& world_;
  std::vector<std::vector<NodeDescription>> prefabs_;
  std::vector<Instance> living_;                          // ships
  std::array<sector::ShipNodes, sector::kKinds> places_;  // slot: place in the prefab
  std::vector<Named> named_;                              // by slot
  std::vector<LocalTransform> last_, locals_;
  std::vector<Id> asked_;
};

template <class T>
std::vector<T> copy_of(std::span<const T> values) {
  return {values.begin(), values.end()};
}

class Recorder final : public sector::StageListener {
 public:
  Recorder(const sector::World& world, Recording& recording)
      : world_(world), recording_(recording), nodes_(world, recording) {}

  void begin(std::size_t stage) override {
    if (is(stage, "spawn")) {
      recording_.ticks.emplace_back();
      spawn(recording_.ticks.back().spawn);
    } else if (is(stage, "steer")) {
      steer(recording_.ticks.back().steer);
    }
  }
  void end(std::size_t stage) override {
    if (is(stage, "move")) {
      recording_.ticks.back().move = nodes_.changes();
    } else if (is(stage, "hit")) {
      const sector::Derived& derived = world_.derived;
      recording_.ticks.back().hit = {derived.ship_boxes, derived.bullet_boxes, derived.ship_filters,
                                     derived.bullet_filters};
    }
  }

 private:
  static bool is(std::size_t stage, std::string_view name) { return sector::kStages[stage].name == name; }

  // The boxes that sector/spawn.cpp makes.
  void spawn(SpawnInput& input) const {
    const Population &ships = *world_.ships.all, &bullets = *world_.bullets.all,
                     &blasts = *world_.explosions.all, &points = *world_.points.all;
    const auto kind = ships.read(world_.ships.kind);
    const auto radius = blasts.read(world_.explosions.radius);
    boxes(
        points, [&](std::size_t) { return 0.5F * world_.scenario.spawn_edge; }, input.points);
    boxes(
        ships, [&](std::size_t row) { return world_.fleet.models[kind[row]].radius; }, input.obstacles);
    boxes(
        bullets, [](std::size_t) { return 0.0F; }, input.obstacles);
    boxes(
        blasts, [&](std::size_t row) { return radius[row]; }, input.obstacles);
    for (const float rest : points.read(world_.points.rest)) {
      input.resting.push_back(rest > 0 ? 1 : 0);
    }
  }
  template <class Radius>
  static void boxes(const Population& all, const Radius& radius, std::vector<Aabb3>& out) {
    const auto at = read(all, position_column<3>(all));
    for (std::size_t row = 0; row < all.size(); ++row) {
      out.push_back(sector::ball_box(at[row], radius(row)));
    }
  }

  void steer(SteerInput& input) const {
    const Population& ships = *world_.ships.all;
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      input.position[axis] = copy_of(ships.read(ships.position(axis)));
      input.velocity[axis] = copy_of(ships.read(world_.ships.velocity[axis]));
    }
    input.faction = copy_of(ships.read(world_.ships.faction));
    input.threat = copy_of(ships.read(world_.ships.threat));
  }

  const sector::World& world_;
  Recording& recording_;
  Nodes nodes_;
};

StageScene scene_of(const sector::World& world) {
  const sector::Scenario& s = world.scenario;
  StageScene scene{{{-0.5F * s.width, -0.5F * s.depth, -0.5F * s.height},
                    {0.5F * s.width, 0.5F * s.depth, 0.5F * s.height}},
                   s.sight,
                   s.room,
                   {},
                   {}};
  for (std::uint32_t i = 0; i < world.asteroids.size(); ++i) {
    scene.asteroids.push_back(must(world.asteroids.layer().box_of(i)));
  }
  return scene;
}

}  // namespace

std::unique_ptr<Recording> record(const sector::Scenario& scenario, std::size_t warm_up, std::size_t ticks,
                                  const Executor* executor) {
  const auto world = must(sector::begin_world(scenario, executor));
  for (std::size_t i = 0; i < warm_up; ++i) {
    must(sector::tick(*world));
  }
  auto recording = std::make_unique<Recording>();
  recording->scene = scene_of(*world);
  Recorder recorder(*world, *recording);
  for (std::size_t i = 0; i < ticks; ++i) {
    must(sector::tick(*world, &recorder));
  }
  return recording;
}

}  // namespace juxta::bench
