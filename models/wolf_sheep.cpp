// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Sheep eat grass, wolves eat sheep, grass grows again: U. Wilensky, "Wolf Sheep Predation" (NetLogo, 1997).
// In every step the species have their turns in a random order, and within a species each animal has its own:
// it goes to a cell around it, loses 1 of energy and eats; below 0 it dies, else it may share with a child.
// Where the comparison of frameworks (docs/sources.md) and the code that it measures differ, this is the
// code.
#include <algorithm>

#include "juxta/grid/grid_space.h"
#include "juxta/study/cells.h"
#include "juxta/study/draw.h"
#include "models/models.h"

namespace juxta::models {
namespace {
enum Purpose : std::uint32_t { kLot, kGrass, kSheep, kWolves = kSheep + 3 };  // of a species: the first of 3

struct Species {
  const char* name;
  Purpose purpose;
  double gain, reproduction;
  Population* all = nullptr;
  Column<double> energy = {};
  std::vector<std::uint32_t> order = {}, cells = {}, parents = {};
  std::vector<std::array<std::uint32_t, 4>> draws = {};  // which way, child, which prey
  std::vector<std::uint8_t> dead = {};

  template <class Eats>
  Result<void> live(const Simulation& simulation, const CellGrid& grid, const Eats& eats) {
    std::size_t count = all->size(), births = 0;
    for (std::vector<std::uint32_t>* each : {&order, &cells, &parents}) {
      each->resize(count);
    }
    draws.resize(count);
    random_order(simulation.key(purpose + 1), order);
    fill_random(simulation.key(purpose + 2), 0, std::span(draws));
    walk_at_random(*all, grid, draws, cells);  // all walk at once; they eat one after the other
    const auto energies = all->write(energy);
    const double meal[] = {0, gain}, share[] = {1, 0.5};
    std::uint8_t* const died = dead.data();  // not members: the compiler would load them each time
    std::uint32_t* const parent = parents.data();
    for (const std::uint32_t row : order) {
      if (died[row] == 0) {
        const double now = energies[row] - 1 + meal[eats(row, cells[row])];  // no branches to guess wrong
        const bool lives = now >= 0, child = lives & (draws[row][1] * 0x1p-32 < reproduction);
        energies[row] = now * share[child];
        died[row] = !lives;
        parent[births] = row;
        births += child;
      }
    }
    dead.resize(count + births);
    return insert_like(*all, std::span(parents).first(births), energy);
  }
};

struct WolfSheep final : Model {
  WolfSheep(const Parameters& p, Simulation& s)
      : simulation(s),
        sheep{"sheep", kSheep, p["sheep_gain"], p["sheep_reproduction"]},
        wolves{"wolves", kWolves, p["wolf_gain"], p["wolf_reproduction"]},
        regrowth(static_cast<std::uint32_t>(p.count("regrowth"))) {}

  Result<void> step(const Context&) override {
    sheep.dead.assign(sheep.all->size(), 0);
    wolves.dead.assign(wolves.all->size(), 0);
    const bool sheep_first = random_u32(simulation.key(kLot), 0) >> 31 == 0;
    JUXTA_TRY(sheep_first ? graze() : hunt());
    JUXTA_TRY(sheep_first ? hunt() : graze());
    kill_marked(*sheep.all, sheep.dead);
    kill_marked(*wolves.all, wolves.dead);
    return simulation.end_step().map([](auto) {});
  }
  Result<void> graze() {
    const auto grown = grass->write(ready);  // a cell has grass from that step on
    return sheep.live(simulation, flock.grid(), [&, now = simulation.step()](auto, std::uint32_t cell) {
      const bool eats = grown[cell] <= now;
      grown[cell] = eats ? now + regrowth + 1 : grown[cell];
      return eats;
    });
  }
  Result<void> hunt() {
    JUXTA_TRY(flock.rebuild(read_xy(*sheep.all).x, read_xy(*sheep.all).y));
    for (std::uint32_t row = 0; row < sheep.dead.size(); ++row) {
      JUXTA_TRY(sheep.dead[row] != 0 ? flock.remove(row) : Result<void>());
    }
    return wolves.live(simulation, flock.grid(), [&](std::uint32_t wolf, std::uint32_t cell) {
      const auto prey = flock.agent_in(cell, random_below(wolves.draws[wolf][2], flock.count_in(cell)));
      if (prey != GridSpace::kNoRow) {
        static_cast<void>(flock.remove(prey));
        sheep.dead[prey] = 1;
      }
      return prey != GridSpace::kNoRow;
    });
  }
  void declare(Collector& collector) const override {
    collector.add("sheep", [this] { return static_cast<double>(sheep.all->size()); });
    collector.add("wolves", [this] { return static_cast<double>(wolves.all->size()); });
    collector.add("grass", [this] {
      const auto grown = [now = simulation.step()](std::uint32_t from) { return from <= now; };
      return static_cast<double>(std::ranges::count_if(grass->read(ready), grown));
    });
  }
  void draw(Raster& image) const override {
    const auto colour_of_cell = [&, grown = grass->read(ready)](std::size_t cell) {
      return grown[cell] <= simulation.step() ? Rgb{120, 170, 80} : Rgb{200, 180, 140};
    };
    show_world(image, simulation.world());
    draw_squares(image, *grass, colour_of_cell);
    draw_squares(image, *sheep.all, Rgb{255, 255, 255}, 0.2);
    draw_squares(image, *wolves.all, Rgb{30, 30, 40}, 0.2);
  }

  Simulation& simulation;
  Species sheep, wolves;
  std::uint32_t regrowth;
  Population* grass = nullptr;
  Column<std::uint32_t> ready;
  GridSpace flock;  // the sheep that live, in their cells
};

Result<Simulation> begin(const Parameters& p, std::uint64_t seed) {
  const CellGrid grid = square_grid(p.count("size"));
  JUXTA_TRY_LET(Simulation simulation, Simulation::build(grid.world(), seed));
  JUXTA_TRY_LET(Population* const grass, add_cells(simulation, "grass", grid));
  JUXTA_TRY_LET(const auto ready, grass->add_column<std::uint32_t>("ready"));
  for (std::uint32_t cell = 0; cell < grass->size(); ++cell) {
    const auto draws = random_block(simulation.key(kGrass), cell);
    grass->write(ready)[cell] = draws[0] >> 31 != 0 ? 0 : random_below(draws[1], p.count("regrowth")) + 1;
  }
  for (const Species& each :
       {Species{"sheep", kSheep, p["sheep_gain"], 0}, {"wolves", kWolves, p["wolf_gain"], 0}}) {
    JUXTA_TRY_LET(Population* const all, simulation.add_population(each.name));
    JUXTA_TRY_LET(const auto energy, all->add_column<double>("energy"));
    JUXTA_TRY(all->insert(p.count(each.name)));
    place_at_random(*all, grid, simulation.key(each.purpose));
    for (std::uint32_t row = 0; row < all->size(); ++row) {
      const std::uint32_t draw = random_block(simulation.key(each.purpose), row)[2];
      all->write(energy)[row] = random_below(draw, static_cast<std::size_t>(2 * each.gain));
    }
  }
  return simulation;
}

Result<Owned<Model>> open(const Parameters& p, Simulation& simulation) {
  auto* const model = new WolfSheep(p, simulation);
  Owned<Model> owned(model);
  const CellGrid grid = square_grid(p.count("size"));
  JUXTA_TRY_LET(model->grass, require_cells(simulation, "grass", grid));
  JUXTA_TRY_LET(model->ready, model->grass->find_column<std::uint32_t>("ready"));
  JUXTA_TRY_LET(model->flock, GridSpace::build({.grid = grid, .holds = CellHolds::kMany}));
  for (Species* each : {&model->sheep, &model->wolves}) {
    JUXTA_TRY_LET(each->all, require_population(simulation, each->name));
    JUXTA_TRY_LET(each->energy, each->all->find_column<double>("energy"));
    JUXTA_TRY(model->flock.rebuild(read_xy(*each->all).x, read_xy(*each->all).y));  // all are in the grid
  }
  return owned;
}
}  // namespace

ModelInfo wolf_sheep() {
  return {.name = "wolf_sheep",
          .what = "wolves eat sheep, sheep eat grass, grass grows again",
          .parameters = {{"size", 25, 1, 4096, true, "cells along an edge"},
                         {"sheep", 60, 0, 1e6, true, "at the start"},
                         {"wolves", 40, 0, 1e6, true, "at the start"},
                         {"regrowth", 20, 1, 1e6, true, "steps that eaten grass needs", true},
                         {"sheep_gain", 5, 1, 1000, true, "energy of a meal", true},
                         {"wolf_gain", 13, 1, 1000, true, "energy of a meal", true},
                         {"sheep_reproduction", 0.2, 0, 1, false, "probability of a child, a step", true},
                         {"wolf_reproduction", 0.1, 0, 1, false, "probability of a child, a step", true}},
          .presets = {preset_of("small",
                                "size=25 sheep=60 wolves=40 regrowth=20 "
                                "sheep_reproduction=0.2 wolf_reproduction=0.1"),
                      preset_of("large",
                                "size=100 sheep=1000 wolves=500 regrowth=10 "
                                "sheep_reproduction=0.4 wolf_reproduction=0.2")},
          .steps = 100,
          .begin = begin,
          .open = open,
          .one_machine = "animals act one after the other"};
}

}  // namespace juxta::models
