// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A small world that uses everything that a file must hold: two populations, columns of every kind,
// references, births and deaths, sizes.
#pragma once

#include <cstdint>

#include "juxta/agents/simulation.h"
#include "juxta/core/random.h"

namespace juxta::test {

/// No padding inside: files hold its bytes.
struct Wool {
  std::int16_t length = 2;
  std::uint16_t curls = 9;
  std::uint16_t dirt = 0;
  friend bool operator==(const Wool&, const Wool&) = default;
};

inline World meadow(std::uint32_t dimensions, Edge edge) {
  World world{.dimensions = dimensions};
  for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
    world.edges[axis] = edge;
    world.lo[axis] = -10;
    world.hi[axis] = 10;
  }
  return world;
}

inline void place(const Simulation& sim, Population& population, std::uint32_t purpose) {
  for (std::uint32_t axis = 0; axis < sim.world().dimensions; ++axis) {
    const auto x = population.write(population.position(axis));
    for (std::uint32_t row = 0; row < x.size(); ++row) {
      x[row] = random_float(sim.key(purpose + axis), random_id(population.id_of(row))) * 19 - 9.5F;
    }
  }
}

/// `count` sheep and a fifth as many wolves.
inline Simulation make_pasture(std::uint32_t dimensions, Edge edge, std::size_t count) {
  Simulation sim = Simulation::build(meadow(dimensions, edge), 17).value();
  Population& wolves = *sim.add_population("wolves").value();
  Population& sheep = *sim.add_population("sheep").value();
  (void)sheep.add_column<std::int32_t>("age", -1).value();
  (void)wolves.add_extents();
  (void)wolves.add_references("prey", sheep).value();
  (void)sheep.add_references("mother", sheep).value();
  (void)sheep.add_column<Wool>("wool").value();
  (void)sheep.add_column<double>("weight", 1.5).value();
  (void)wolves.add_column<std::uint32_t>("kills").value();
  (void)wolves.add_column<std::uint8_t>("pack", 3).value();
  (void)sheep.insert(count).value();
  (void)wolves.insert(count / 5).value();
  place(sim, sheep, 0);
  place(sim, wolves, 3);
  return sim;
}

/// A step that depends on the order of rows, on Ids, references, and on nothing that a file does not hold.
inline void graze(Simulation& sim, const Executor* executor = nullptr) {
  Population& wolves = *sim.find_population("wolves");
  Population& sheep = *sim.find_population("sheep");
  (void)sheep.sort({.radius = 1}, {.executor = executor}).value();
  const auto age = sheep.find_column<std::int32_t>("age").value();
  const auto mother = sheep.find_column<Id>("mother").value();
  const auto wool = sheep.find_column<Wool>("wool").value();
  const auto ages = sheep.write(age);
  const auto wools = sheep.write(wool);
  sheep.for_each(
      [&](std::uint32_t row, Changes& changes) {
        const std::uint32_t luck = random_u32(sim.key(9), random_id(sheep.id_of(row)));
        ages[row] += static_cast<std::int32_t>(row % 3);
        wools[row].curls = static_cast<std::uint16_t>(wools[row].curls + luck % 2);
        if (luck % 16 == 0) {
          changes.kill(row);
        } else if (luck % 16 == 1) {
          changes.spawn_like(row).set(mother, sheep.id_of(row)).set(age, 0);
        }
      },
      {.executor = executor});
  const auto prey = wolves.write(wolves.find_column<Id>("prey").value());
  const auto sheep_count = static_cast<std::uint32_t>(sheep.size());
  for (std::uint32_t row = 0; row < prey.size() && sheep_count > 0; ++row) {
    prey[row] = prey[row] == Id{} ? sheep.id_of(row * 7 % sheep_count) : prey[row];
  }
  wolves.changes().spawn();
  wolves.changes().kill(sim.step() % 5);
  (void)sim.end_step().value();
  place(sim, sheep, 0);
}

}  // namespace juxta::test
