// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What wolves and sheep do alike.
//
// Walking asks nobody else, so that all do it in the order of memory, with random numbers made by the
// hundred; what they do to each other comes in the order of the lot, without branches that nobody can
// foretell.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "juxta/agents/simulation.h"
#include "juxta/core/random.h"

namespace juxta::models::pasture {

/// What random numbers are for; of a species: the first of three.
enum Purpose : std::uint32_t { kLot, kGrass, kSheep, kWolves = kSheep + 3 };
constexpr std::uint32_t kStart = 0, kOrder = 1, kAct = 2;

/// The animals of one kind, and what both kinds do alike.
struct Species {
  struct Turn {
    double energy;
    std::uint32_t cell;
    bool breeds;  // if it lives
  };

  Species(Population& population, Purpose first, double gain_of_meal, double reproduction)
      : animals(population),
        energy(population.find_column<double>("energy").value_or(Column<double>{})),
        purpose(first),
        gain(gain_of_meal),
        chance(static_cast<std::uint64_t>(reproduction * 0x1p32)) {}

  [[nodiscard]] bool fits(float size) const {
    const auto inside = [&](float at) { return at >= 0 && at < size; };
    return energy.index != energy.kNone && std::ranges::all_of(animals.read(animals.position(0)), inside) &&
           std::ranges::all_of(animals.read(animals.position(1)), inside);
  }

  /// All go on by a cell. Afterwards `turns` says how each begins its turn, and `order` when.
  void walk(const Simulation& simulation, std::int32_t size) {
    constexpr std::array<std::int32_t, 8> kX = {-1, 0, 1, -1, 1, -1, 0, 1}, kY = {-1, -1, -1, 0, 0, 1, 1, 1};
    order.resize(animals.size());
    words.resize(animals.size());
    turns.resize(animals.size());
    parents.resize(animals.size());
    births = 0;
    random_order(simulation.key(purpose + kOrder), order);
    fill_random(simulation.key(purpose + kAct), 0, std::span(words));
    const auto x = animals.write(animals.position(0)), y = animals.write(animals.position(1));
    const auto before = animals.read(energy);
    for (std::size_t row = 0; row < turns.size(); ++row) {
      const std::uint32_t direction = words[row][0] >> 29;
      const std::int32_t to_x = std::clamp(static_cast<std::int32_t>(x[row]) + kX[direction], 0, size - 1);
      const std::int32_t to_y = std::clamp(static_cast<std::int32_t>(y[row]) + kY[direction], 0, size - 1);
      x[row] = static_cast<float>(to_x);
      y[row] = static_cast<float>(to_y);
      turns[row] = {before[row] - 1, static_cast<std::uint32_t>(to_y * size + to_x), words[row][1] <= chance};
    }
  }

  /// Everyone's turn, if nobody ate them: eats(row, cell) says whether there was a meal. What is random
  /// is not branched on, and kept out of members, which the compiler would have to store each time.
  template <class Eats>
  void take_turns(Eats&& eats) {
    const std::array<double, 2> meal = {0, gain}, share = {1, 0.5};
    Turn* const all = turns.data();
    std::uint8_t* const died = dead.data();
    std::uint32_t* const parent = parents.data();
    std::size_t born = 0;
    for (const std::uint32_t row : order) {
      if (died[row] == 0) {
        Turn& turn = all[row];
        const double strength = turn.energy + meal[eats(row, turn.cell)];
        const bool lives = strength >= 0, breeds = lives & turn.breeds;
        turn.energy = strength * share[breeds];
        died[row] = !lives;
        parent[born] = row;
        born += breeds;
      }
    }
    births = born;
  }

  /// When all had their turn: children where their parents are. Errors: kTooLarge.
  Result<void> bear() {
    return animals.insert(births).map([&](std::uint32_t child) {
      const auto x = animals.write(animals.position(0)), y = animals.write(animals.position(1));
      const auto energies = animals.write(energy);
      for (std::size_t row = 0; row < turns.size(); ++row) {
        energies[row] = turns[row].energy;
      }
      for (std::size_t i = 0; i < births; ++i) {
        x[child + i] = x[parents[i]];
        y[child + i] = y[parents[i]];
        energies[child + i] = energies[parents[i]];
      }
      dead.resize(animals.size());
    });
  }

  /// Notes all who died in this step. `parents` is of no more use as such.
  void bury() {
    std::size_t died = 0;
    parents.resize(dead.size());
    for (std::uint32_t row = 0; row < dead.size(); ++row) {
      parents[died] = row;
      died += dead[row];
    }
    for (std::size_t i = 0; i < died; ++i) {
      animals.changes().kill(parents[i]);
    }
  }

  Population& animals;
  Column<double> energy;
  Purpose purpose;
  double gain;
  std::uint64_t chance;  // of a child, in 2^-32
  std::size_t births = 0;
  std::vector<std::uint32_t> order, parents;
  std::vector<std::array<std::uint32_t, 4>> words;  // direction, child, which prey
  std::vector<Turn> turns;
  std::vector<std::uint8_t> dead;
};

}  // namespace juxta::models::pasture
