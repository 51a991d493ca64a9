// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/scaling/workloads.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "bench/sector/rows.h"
#include "bench/support/must.h"
#include "juxta/agents/flock.h"
#include "juxta/agents/reduce.h"
#include "juxta/agents/simulation.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/layer/layer.h"
#include "juxta/ranked/ranked_points.h"
#include "juxta/transform/hierarchy.h"
#include "scenes/boxes.h"
#include "scenes/draws.h"
#include "scenes/hierarchies.h"
#include "sector/tick.h"
#include "sector/world.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kMillion = 1'000'000;
constexpr std::uint64_t kSeed = 1;
constexpr float kNeighbours = 30;

std::size_t scaled(std::size_t nominal) {
  return std::min(nominal, number_setting("JUXTA_BENCH_POINTS", nominal));
}

// Boids in space, one in a unit of volume, each with about 30 neighbours.
class Agents : public Frames {
 public:
  Agents() {
    const std::size_t count = scaled(kMillion);
    const float side = std::cbrt(static_cast<float>(count));
    simulation_.emplace(
        must(Simulation::build({.dimensions = 3, .lo = {0, 0, 0}, .hi = {side, side, side}}, kSeed)));
    agents_ = must(simulation_->add_population("boids"));
    must(agents_->add_columns({"vx", "vy", "vz"}));
    must(agents_->insert(count));
    scenes::Draws draws(kSeed);
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      for (float& x : agents_->write(agents_->position(axis))) {
        x = draws.uniform(0, side);
      }
    }
    rules_.see_radius = std::cbrt(kNeighbours / (4.0F / 3 * 3.14159F));
    rules_.avoid_radius = 0.5F * rules_.see_radius;
    must(agents_->sort({.radius = rules_.see_radius}));
  }

 protected:
  // As far as a boid flies in a step: a twentieth of what it sees.
  void move() {
    const float step = 0.05F * rules_.see_radius;
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      for (float& x : agents_->write(agents_->position(axis))) {
        x = std::clamp(x + draws_.uniform(-step, step), agents_->world().lo[axis], agents_->world().hi[axis]);
      }
    }
  }
  Population& agents() { return *agents_; }
  BoidRules rules_;

 private:
  std::optional<Simulation> simulation_;
  Population* agents_ = nullptr;
  scenes::Draws draws_{2};
};

class Sort final : public Agents {
 public:
  void advance() override { move(); }
  void frame(const Context& context) override { must(agents().sort({.radius = rules_.see_radius}, context)); }
};

class See final : public Agents {
 public:
  void frame(const Context& context) override { must(steer_boids(agents(), rules_, context)); }
};

class FlockSteps final : public Frames {
 public:
  FlockSteps() {
    const std::size_t count = scaled(kMillion);
    // The density of the article: 300 boids in a square of side 21.
    const float half_size = 10.5F * std::sqrt(static_cast<float>(count) / 300);
    FlockOptions options;
    options.half_size = half_size;
    flock_.emplace(must(Flock::build(options)));
    must(flock_->scatter(count, kSeed));
  }
  void frame(const Context& context) override { must(flock_->step(context)); }

 private:
  std::optional<Flock> flock_;
};

// Boxes that all move, with two overlaps each.
class Boxes : public Frames {
 public:
  Boxes() : world_(make_boxes(scenes::BoxSet::kUniform, scaled(kMillion), kSeed)), met_(world_.boxes.size()) {
    must(layer_.rebuild(world_.boxes));
    pairs_.resize(must(find_pairs(layer_, {})).found * 5 / 4);
  }

 protected:
  void move() { scenes::advance(world_); }
  void rebuild(const Context& context) { must(layer_.rebuild(world_.boxes, {}, context)); }
  void find(const Context& context) { must(find_pairs(layer_, pairs_, {}, context)); }
  void meet(const Context& context) {
    const auto visitor = [this](std::span<const Pair> pairs) {
      for (const Pair& pair : pairs) {
        ++met_[pair.a];
        ++met_[pair.b];
      }
    };
    must(visit_pairs_exclusive(layer_, visitor, {}, context));
  }

 private:
  scenes::BoxWorld world_;
  Layer layer_;
  std::vector<Pair> pairs_;
  std::vector<std::uint32_t> met_;
};

class Rebuild final : public Boxes {
 public:
  void advance() override { move(); }
  void frame(const Context& context) override { rebuild(context); }
};

class Pairs final : public Boxes {
 public:
  void frame(const Context& context) override { find(context); }
};

class ExclusivePairs final : public Boxes {
 public:
  void frame(const Context& context) override { meet(context); }
};

// Instances of prefabs of ten nodes, all of whose roots move.
class Nodes final : public Frames {
 public:
  Nodes() {
    const scenes::TreeScene trees =
        scenes::as_trees(scenes::make_prefabs(scenes::form_of(scaled(kMillion)), kSeed));
    std::vector<Id> ids(trees.nodes.size());
    must(hierarchy_.insert(trees.nodes, ids));
    for (const std::uint32_t root : trees.roots) {
      roots_.push_back(ids[root]);
      positions_.push_back(trees.nodes[root].local.position);
    }
    must(hierarchy_.propagate());
  }
  void advance() override {
    for (Vec3& position : positions_) {
      position.x += 0.01F;
    }
    must(hierarchy_.set_position(roots_, positions_));
  }
  void frame(const Context& context) override { must(hierarchy_.propagate(context)); }

 private:
  Hierarchy hierarchy_;
  std::vector<Id> roots_;
  std::vector<Vec3> positions_;
};

class RankedBuild final : public Frames {
 public:
  RankedBuild() : x_(scaled(kMillion)), y_(x_.size()), rank_(x_.size()) {
    scenes::Draws draws(kSeed);
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] = draws.uniform(-850, 850);
      y_[i] = draws.uniform(-850, 850);
      rank_[i] = draws.uniform(0, 1);
    }
  }
  void frame(const Context& context) override { must(points_.rebuild(x_, y_, rank_, {}, context)); }

 private:
  std::vector<float> x_, y_, rank_;
  RankedPoints points_;
};

class Ticks final : public Frames {
 public:
  explicit Ticks(const Play& play) : world_(must(sector::begin_world(play.scenario))) {
    for (std::size_t i = 0; i < play.warm_up; ++i) {
      must(sector::tick(*world_));
    }
  }
  void frame(const Context& context) override {
    world_->executor = context.executor;
    must(sector::tick(*world_));
    world_->executor = nullptr;
  }

 private:
  std::unique_ptr<sector::World> world_;
};

template <class Work>
std::unique_ptr<Frames> make() {
  return std::make_unique<Work>();
}

constexpr Workload kAll[] = {
    {"sort", "sort() of a million agents that moved, three columns of floats", 24, make<Sort>},
    {"see", "steer_boids(): boids in space with 30 neighbours", 24, make<See>},
    {"flock", "a step of the article's flock", 0, make<FlockSteps>},
    {"rebuild", "a layer of a million boxes built anew", 0, make<Rebuild>},
    {"pairs", "find_pairs(): two overlaps a box, as a list", 24, make<Pairs>},
    {"exclusive", "visit_pairs_exclusive(): both boxes of a pair are written", 24, make<ExclusivePairs>},
    {"propagate", "prefabs of ten nodes, all roots moved", 24, make<Nodes>},
    {"ranked", "rebuild() of a million ranked points", 24, make<RankedBuild>},
    {"battle", "a tick of a battle of 100,000 nodes", 10,
     [] { return std::unique_ptr<Frames>(new Ticks(play_of("battle", 100'000, 100, 0))); }},
    {"mission5", "a tick of a battle of a million nodes", 16,
     [] { return std::unique_ptr<Frames>(new Ticks(play_of("mission5", 1'000'000, 20, 0))); }},
};

}  // namespace

std::span<const Workload> workloads() {
  return kAll;
}

}  // namespace juxta::bench
