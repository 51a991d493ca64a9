// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Sheep eat grass, wolves eat sheep, grass grows again: U. Wilensky, "Wolf Sheep Predation" (NetLogo, 1997).
// The rules are those of the code of the field's comparison of frameworks (docs/sources.md). In every step
// the species have their turns in a random order, and within a species each animal has its own.
#include "juxta/study/draw.h"
#include "juxta/study/grid_model.h"
#include "juxta/study/turns.h"
#include "models/models.h"

namespace juxta::models {
namespace {
enum Purpose : std::uint32_t { kLot, kGrass, kSheep, kWolves = kSheep + 3 };  // of a species: the first of 3

struct Species : Turns {
  Purpose purpose;
  double gain, reproduction;
  Column<double> energy;
};

struct WolfSheep final : GridModel {
  using GridModel::GridModel;
  Result<void> start() {
    fill_column(*grass, ready, [lots = key(kGrass), regrowth = count("regrowth")](std::uint32_t cell) {
      const auto words = random_block(lots, cell);
      return words[0] >> 31 != 0 ? 0 : random_below(words[1], regrowth) + 1;
    });
    for (Species* each : {&sheep, &wolves}) {
      const RandomKey lots = key(each->purpose);
      JUXTA_TRY(insert_at_random(each->agents(), count(each->agents().name()), grid(), lots));
      fill_column(each->agents(), each->energy, [=, most = 2 * each->gain](std::uint32_t row) {
        return random_below(random_block(lots, row)[2], static_cast<std::size_t>(most));
      });
    }
    return {};
  }
  Result<void> step(const Context&) override {
    const bool sheep_first = random_u32(key(kLot), 0) >> 31 == 0;
    JUXTA_TRY(sheep_first ? graze() : hunt());
    JUXTA_TRY(sheep_first ? hunt() : graze());
    sheep.note_deaths();
    wolves.note_deaths();
    return end_step();
  }
  Result<void> graze() {
    const auto grown = grass->write(ready);  // a cell has grass from that step on
    const auto again = static_cast<std::uint32_t>(simulation().step() + 1 + count("regrowth"));
    return live(sheep, [=, now = simulation().step()](std::uint32_t cell, std::uint32_t) {
      const bool eats = grown[cell] <= now;
      grown[cell] = eats ? again : grown[cell];
      return eats;
    });
  }
  Result<void> hunt() {
    JUXTA_TRY(sheep.place_living(flock));
    return live(wolves, [&](std::uint32_t cell, std::uint32_t word) {
      const std::uint32_t prey = flock.random_agent_in(cell, word);
      return prey != GridSpace::kNoRow && flock.remove(prey) && sheep.kill(prey);
    });
  }
  /// Each goes to a cell around it, loses 1 of energy and eats. Below 0 it dies, else it may have a child.
  template <class Eats>
  Result<void> live(Species& species, const Eats& eats) {
    species.shuffle(key(species.purpose + 1), key(species.purpose + 2));
    walk_at_random(species.agents(), grid(), species.words(), at);  // all at once; they eat one by one
    const auto energy = species.agents().write(species.energy);
    const double meal[] = {0, species.gain}, share[] = {1, 0.5};  // no branches to guess wrong
    species.act([&](std::uint32_t row, const Turns::Words& words) -> Fate {
      const double now = energy[row] - 1 + meal[eats(at[row], words[2])];
      const bool lives = now >= 0, child = lives & (words[1] * 0x1p-32 < species.reproduction);
      energy[row] = now * share[child];
      return {.dies = !lives, .bears = child};
    });
    return species.insert_children(species.energy);
  }
  void declare(Collector& collector) const override {
    collector.add("sheep", [this] { return static_cast<double>(sheep.agents().size()); });
    collector.add("wolves", [this] { return static_cast<double>(wolves.agents().size()); });
    collector.add("grass", [this] {
      return count_if(*grass, ready, [now = simulation().step()](auto from) { return from <= now; });
    });
  }
  void draw(Raster& image) const override {
    show_world(image, simulation().world());
    draw_squares(image, *grass, [&, grown = grass->read(ready)](std::size_t cell) {
      return grown[cell] <= simulation().step() ? Rgb{120, 170, 80} : Rgb{200, 180, 140};
    });
    draw_squares(image, sheep.agents(), Rgb{255, 255, 255}, 0.2);
    draw_squares(image, wolves.agents(), Rgb{30, 30, 40}, 0.2);
  }

  Population* grass = cells("grass");
  Column<std::uint32_t> ready = column<std::uint32_t>("grass", "ready");
  Species sheep = {Turns(agents("sheep")), kSheep, number("sheep_gain"), number("sheep_reproduction"),
                   column<double>("sheep", "energy")};
  Species wolves = {Turns(agents("wolves")), kWolves, number("wolf_gain"), number("wolf_reproduction"),
                    column<double>("wolves", "energy")};
  GridSpace flock = space({.holds = CellHolds::kMany});  // the sheep that live, in their cells
  std::vector<std::uint32_t> at;                         // the cells of those that have their turns, by row
};
}  // namespace

ModelInfo wolf_sheep() {
  return model_of<WolfSheep>(
      {.name = "wolf_sheep",
       .what = "wolves eat sheep, sheep eat grass, grass grows again",
       .parameters = {{"size", 25, 1, 4096, true, "cells along an edge"},
                      {"sheep", 60, 0, 1e6, true, "at the start"},
                      {"wolves", 40, 0, 1e6, true, "at the start"},
                      {"regrowth", 20, 1, 1e6, true, "steps that eaten grass needs", true},
                      {"sheep_gain", 5, 1, 1000, true, "energy of a meal", true},
                      {"wolf_gain", 13, 1, 1000, true, "energy of a meal", true},
                      {"sheep_reproduction", 0.2, 0, 1, false, "probability of a child, a step", true},
                      {"wolf_reproduction", 0.1, 0, 1, false, "probability of a child, a step", true}},
       .presets = {preset_of("small"),  // as declared
                   preset_of("large",
                             "size=100 sheep=1000 wolves=500 regrowth=10 "
                             "sheep_reproduction=0.4 wolf_reproduction=0.2")},
       .one_machine = "animals act one after the other"});
}
}  // namespace juxta::models
