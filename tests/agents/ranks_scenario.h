// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Two populations that see, push and name each other, are born and die, on one machine or over ranks: the
// hash of all bytes after every step.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agents/arg_least_rules.h"
#include "agents/crowds.h"
#include "agents/pass_check.h"
#include "juxta/agents/act.h"
#include "juxta/agents/reduce.h"
#include "juxta/agents/see.h"
#include "juxta/core/ranks.h"
#include "juxta/core/try.h"
#include "scenes/draws.h"
#include "support/fnv.h"

namespace juxta::test {

struct RanksScenario {
  std::uint32_t dimensions = 2;
  std::uint32_t edges = 2;  // of make_world()
  Crowding crowding = Crowding::kUniform;
  std::size_t agents = 600;
  int steps = 5;
  Arrangement arrangement = Arrangement::kAuto;
  float radius = 1, skin = 0, speed = 0.2F;
  bool extents = false, births = true;
};

/// All agents, as one machine has them.
inline Simulation begin_scenario(const RanksScenario& of) {
  Simulation simulation = Simulation::build(make_world(of.dimensions, of.edges), 77).value();
  scenes::Draws draws(12);
  for (const std::string_view name : {"prey", "hunters"}) {
    Population& population = *simulation.add_population(name).value();
    const std::size_t count = name == "prey" ? of.agents : of.agents / 8;
    Crowd crowd = draw_crowd(draws, simulation.world(), of.crowding, count, of.radius);
    if (of.extents) {
      draw_extents(draws, simulation.world(), crowd);
    }
    draw_radii(draws, of.radius, crowd);
    fill(population, crowd, draws);
  }
  Population &prey = simulation.population(0), &hunters = simulation.population(1);
  for (const char* name : {"who_nearest", "who_heavy", "who_heaviest"}) {
    (void)hunters.add_references(name, prey).value();
  }
  (void)prey.add_references("mother", prey).value();
  (void)prey.add_column<std::uint8_t>("ill").value();
  (void)prey.add_results({"ill_near"});
  (void)hunters.add_results({"mean_mass"});
  return simulation;
}

/// One step; it stops at the first error.
inline Result<void> step_scenario(const RanksScenario& of, Simulation& simulation) {
  Population &prey = simulation.population(0), &hunters = simulation.population(1);
  SortOptions sort;
  sort.radius = of.radius;
  sort.skin = of.skin;
  sort.arrangement = of.arrangement;
  JUXTA_TRY(prey.sort(sort));
  JUXTA_TRY(hunters.sort(sort));
  SeeOptions ball, box, among;
  box.metric = Metric::kBox;
  box.radii = column(prey, "sight");
  among.among = *prey.find_column<std::uint8_t>("ill");
  const float r = of.radius;
  JUXTA_TRY(see(prey, hunters, r, Census{0.25F}, box));
  JUXTA_TRY(see(hunters, prey, r / 2, Census{0.1F}, ball));
  JUXTA_TRY(see(hunters, prey, r * 1.5F, WhoIsIt{1.5F}, ball));
  JUXTA_TRY(reduce(prey, prey, r, Reduction::kSum, "mass", "ill_near", among));
  JUXTA_TRY(reduce(hunters, prey, r, Reduction::kMean, "mass", "mean_mass"));
  JUXTA_TRY(see(prey, prey, r, Push{}, ball));
  JUXTA_TRY(see(hunters, prey, r * 1.5F, Push{}, ball));
  JUXTA_TRY(act(prey, Drift{of.speed}));
  JUXTA_TRY(act(hunters, Drift{of.speed * 2}));
  for (std::size_t i = 0; i < 2; ++i) {  // back inside walls
    Population& population = simulation.population(i);
    for (std::uint32_t axis = 0; axis < of.dimensions; ++axis) {
      const World& world = simulation.world();
      for (float& x : population.write(population.position(axis))) {
        x = world.edges[axis] == Edge::kWall ? std::min(std::max(x, world.lo[axis]), world.hi[axis]) : x;
      }
    }
  }
  const auto ill = prey.write(*prey.find_column<std::uint8_t>("ill"));
  const auto mother = *prey.find_column<Id>("mother");
  const auto count = prey.read(column(prey, "count"));
  for (std::uint32_t purpose = 1; purpose < 3; ++purpose) {
    JUXTA_TRY(prey.for_each([&](std::uint32_t row, Changes& changes) {
      const float luck = random_float(simulation.key(purpose), random_id(prey.id_of(row)));
      ill[row] = luck < 0.3F ? 1 : 0;
      if (of.births && (count[row] > 3 ? luck < 0.05F : luck < 0.01F)) {
        changes.kill(row);
        changes.kill(row);
      } else if (of.births && luck > 0.97F) {
        changes.spawn_like(row).set(mother, prey.id_of(row));
      }
    }));
  }
  JUXTA_TRY(simulation.end_step());
  return {};
}

/// Everything there is, in the order of rows: a hash for each column, and for the Ids.
using ColumnHashes = std::map<std::string, std::uint64_t>;
inline ColumnHashes hashes_of(const Simulation& simulation) {
  ColumnHashes hashes;
  for (std::size_t i = 0; i < simulation.population_count(); ++i) {
    const Population& population = simulation.population(i);
    const std::string name = std::string(population.name()) + '.';
    for (std::uint32_t c = 0; c < population.column_count(); ++c) {
      std::uint64_t& hash = hashes[name + std::string(population.column_name(c))];
      hash = fnv(population.read(Column<float>{c}));
      hash = fnv(population.read(Column<std::uint8_t>{c}), hash);
      hash = fnv(population.read(Column<Id>{c}), hash);
    }
    std::vector<Id> ids(population.size());
    for (std::uint32_t row = 0; row < ids.size(); ++row) {
      ids[row] = population.id_of(row);
    }
    hashes[name + "ids"] = fnv(std::span<const Id>(ids));
  }
  return hashes;
}

/// The columns that differ; "" when none does.
inline std::string differences(const std::vector<ColumnHashes>& expected,
                               const std::vector<ColumnHashes>& found) {
  for (std::size_t step = 0; step < std::max(expected.size(), found.size()); ++step) {
    std::string names;
    for (const auto& [name, hash] : step < expected.size() ? expected[step] : ColumnHashes()) {
      if (step >= found.size() || !found[step].contains(name) || found[step].at(name) != hash) {
        names += ' ' + name;
      }
    }
    if (!names.empty()) {
      return "after step " + std::to_string(step) + ":" + names;
    }
  }
  return expected.size() == found.size() ? "" : "another number of steps";
}

/// The hashes after each step, on one machine.
inline std::vector<ColumnHashes> on_one_machine(const RanksScenario& of) {
  Simulation simulation = begin_scenario(of);
  std::vector<ColumnHashes> hashes;
  for (int i = 0; i < of.steps; ++i) {
    const Result<void> done = step_scenario(of, simulation);
    EXPECT_TRUE(done) << done.error().message;
    hashes.push_back(hashes_of(simulation));
  }
  return hashes;
}

}  // namespace juxta::test
