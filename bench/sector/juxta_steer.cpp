// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The neighbour pass by a population and the battle's own rules, as sector/steer.cpp asks for it.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "bench/sector/ways.h"
#include "bench/support/must.h"
#include "juxta/agents/see.h"
#include "juxta/agents/simulation.h"
#include "sector/steer_rules.h"

namespace juxta::bench {
namespace {

World world_of(const Aabb3& box) {
  World world;
  world.edges.fill(Edge::kWall);
  world.lo = box.lo;
  world.hi = box.hi;
  return world;
}

class JuxtaSteer final : public SteerWay {
 public:
  JuxtaSteer(const StageScene& scene, const Executor* executor)
      : executor_(executor),
        sight_(scene.sight),
        rules_{scene.room},
        simulation_(must(Simulation::build(world_of(scene.world)))),
        ships_(must(simulation_.add_population("ships"))) {
    must(ships_->add_columns({"vx", "vy", "vz", "faction", "threat"}));
    number_ = must(ships_->add_column<std::uint32_t>("number"));
    for (const char* name : sector::Notice::Found<float>::kNames) {
      must(ships_->add_results({name}));
    }
  }

  void load(const SteerInput& input) override {
    const std::size_t size = input.faction.size();
    if (ships_->size() < size) {
      must(ships_->insert(size - ships_->size()));
    }
    for (std::size_t row = size; row < ships_->size(); ++row) {
      ships_->changes().kill(static_cast<std::uint32_t>(row));
    }
    must(simulation_.end_step());
    const std::array<std::string, 3> axes = {"x", "y", "z"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      write(axes[axis], input.position[axis]);
      write("v" + axes[axis], input.velocity[axis]);
    }
    write("faction", input.faction);
    write("threat", input.threat);
    const auto numbers = ships_->write(number_);
    for (std::size_t row = 0; row < size; ++row) {
      numbers[row] = static_cast<std::uint32_t>(row);
    }
  }

  void frame() override {
    SortOptions order;
    order.radius = sight_;
    must(ships_->sort(order, {.executor = executor_}));
    SeeOptions how;
    must(see(*ships_, *ships_, sight_, rules_, how, {.executor = executor_}));
  }

  void read(SteerTotals& totals) const override {
    const auto numbers = ships_->read(number_);
    for (std::size_t i = 0; i < totals.size(); ++i) {
      const auto column =
          ships_->read(must(ships_->find_column<float>(sector::Notice::Found<float>::kNames[i])));
      totals[i].resize(column.size());
      for (std::size_t row = 0; row < column.size(); ++row) {
        totals[i][numbers[row]] = column[row];
      }
    }
  }

 private:
  void write(const std::string& name, const std::vector<float>& values) {
    std::copy(values.begin(), values.end(), ships_->write(must(ships_->find_column<float>(name))).begin());
  }

  const Executor* executor_;
  float sight_;
  sector::Notice rules_;
  Simulation simulation_;
  Population* ships_;
  Column<std::uint32_t> number_;
};

}  // namespace

std::unique_ptr<SteerWay> juxta_steer(const StageScene& scene, const Executor* executor) {
  return std::make_unique<JuxtaSteer>(scene, executor);
}

}  // namespace juxta::bench
