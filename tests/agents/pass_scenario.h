// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Two populations that see and push each other, are born and die, step after step: all bytes as one number.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "agents/crowds.h"
#include "agents/pass_check.h"
#include "juxta/agents/act.h"
#include "juxta/agents/see.h"
#include "scenes/draws.h"
#include "support/fnv.h"

namespace juxta::test {

struct ScenarioOptions {
  std::uint32_t dimensions = 2;
  std::size_t agents = 2000;
  int steps = 10;
  Arrangement arrangement = Arrangement::kAuto;
  bool extents = false;
  float skin = 0;
};

class PassScenario {
 public:
  PassScenario(const ScenarioOptions& options, const Executor* executor)
      : options_(options),
        executor_(executor),
        simulation_(Simulation::build(make_world(options.dimensions, 2 + 3 * 0 + 9 * 2), 77).value()) {
    scenes::Draws draws(12);
    for (const std::string_view name : {"prey", "hunters"}) {
      Population& population = *simulation_.add_population(name).value();
      const std::size_t count = name == "prey" ? options.agents : options.agents / 8;
      Crowd crowd = draw_crowd(draws, simulation_.world(), Crowding::kUniform, count, 1);
      const Crowd cloud = draw_crowd(draws, simulation_.world(), Crowding::kClusters, count, 1);
      for (std::uint32_t axis = 0; axis < options.dimensions; ++axis) {  // a third of them close together
        for (std::size_t i = 0; i < count; i += 3) {
          crowd.position[axis][i] = cloud.position[axis][i];
        }
      }
      if (options.extents) {
        draw_extents(draws, simulation_.world(), crowd);
      }
      draw_radii(draws, 1, crowd);
      fill(population, crowd, draws);
    }
  }

  /// The hash after each step.
  std::vector<std::uint64_t> run() {
    std::vector<std::uint64_t> trace;
    for (int i = 0; i < options_.steps; ++i) {
      step();
      trace.push_back(hash_);
    }
    return trace;
  }

 private:
  Population& prey() { return simulation_.population(0); }
  Population& hunters() { return simulation_.population(1); }

  void step() {
    SortOptions sort;
    sort.radius = 1;
    sort.skin = options_.skin;
    sort.arrangement = options_.arrangement;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto done = simulation_.population(i).sort(sort, {.executor = executor_});
      ASSERT_TRUE(done) << done.error().message;
    }
    SeeOptions ball, box;
    box.metric = Metric::kBox;
    box.radii = column(prey(), "sight");
    ASSERT_TRUE(see(prey(), hunters(), 1, Census{0.25F}, box, {.executor = executor_}));
    ASSERT_TRUE(see(hunters(), prey(), 0.5F, Census{0.1F}, ball, {.executor = executor_}));
    look();
    ASSERT_TRUE(see(prey(), prey(), 1, Push{}, ball, {.executor = executor_}));
    ASSERT_TRUE(see(hunters(), prey(), 1.5F, Push{}, ball, {.executor = executor_}));
    look();
    ASSERT_TRUE(act(prey(), Drift{0.05F}, {.executor = executor_}));
    ASSERT_TRUE(act(hunters(), Drift{0.1F}, {.executor = executor_}));
    live_and_die();
  }
  /// Whom a hunter has met may die; who is alone may split.
  void live_and_die() {
    const auto count = prey().read(column(prey(), "count"));
    const RandomKey key = simulation_.key(1);
    prey().for_each(
        [&](std::uint32_t row, Changes& changes) {
          const float luck = random_float(key, random_id(prey().id_of(row)));
          if (count[row] > 0 && luck < 0.1F) {
            changes.kill(row);
          } else if (luck > 0.99F) {
            changes.spawn_like(row);
          }
        },
        {.executor = executor_});
    ASSERT_TRUE(simulation_.end_step());
  }
  void look() {
    for (std::size_t i = 0; i < 2; ++i) {
      const Population& population = simulation_.population(i);
      for (std::size_t c = 0; c < population.column_count(); ++c) {
        hash_ = fnv(population.read(Column<float>{static_cast<std::uint32_t>(c)}), hash_);
      }
    }
  }

  ScenarioOptions options_;
  const Executor* executor_;
  Simulation simulation_;
  std::uint64_t hash_ = fnv(std::span<const char>());
};

}  // namespace juxta::test
