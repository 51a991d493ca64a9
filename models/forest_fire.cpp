// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A forest on a grid: a cell has a tree with some probability, and those of the left column burn. In every
// step each burning tree sets fire to the green ones in the 4 cells beside it, and is burnt. The rules are
// those of the code of the field's comparison of frameworks (docs/sources.md).
#include "juxta/study/cells.h"
#include "juxta/study/draw.h"
#include "models/models.h"

namespace juxta::models {
namespace {
enum State : std::uint8_t { kEmpty, kGreen, kBurning, kBurnt };
struct ForestFire final : Model {
  ForestFire(const Parameters& p, Simulation& s) : simulation(s), grid(square_grid(p.count("size"))) {}
  Result<void> step(const Context&) override {
    const auto states = forest->write(state);
    std::vector<std::uint32_t> next;
    for (const std::uint32_t cell : burning) {
      grid.visit_near(cell, {1, NearShape::kVonNeumann}, [&](std::uint32_t beside) {
        if (states[beside] == kGreen) {
          states[beside] = kBurning;
          next.push_back(beside);
        }
      });
      states[cell] = kBurnt;
    }
    burning.swap(next);
    return simulation.end_step().map([](auto) {});
  }
  void declare(Collector& collector) const override {
    collector.add("green", [this] { return count_with<std::uint8_t>(*forest, state, kGreen); });
    collector.add("burning", [this] { return static_cast<double>(burning.size()); });
    collector.add("burnt", [this] { return count_with<std::uint8_t>(*forest, state, kBurnt); });
  }
  void draw(Raster& image) const override {
    constexpr Rgb kColours[] = {{245, 240, 230}, {60, 130, 70}, {230, 80, 20}, {60, 60, 60}};
    show_world(image, simulation.world());
    draw_squares(image, *forest, [&](std::size_t cell) { return kColours[forest->read(state)[cell] % 4]; });
  }
  Simulation& simulation;
  CellGrid grid;
  Population* forest = nullptr;
  Column<std::uint8_t> state;
  std::vector<std::uint32_t> burning;  // cells; their order means nothing
};

Result<Simulation> begin(const Parameters& p, std::uint64_t seed) {
  const CellGrid grid = square_grid(p.count("size"));
  JUXTA_TRY_LET(Simulation simulation, Simulation::build(grid.world(), seed));
  JUXTA_TRY_LET(Population* const forest, add_cells(simulation, "forest", grid));
  JUXTA_TRY_LET(const auto state, forest->add_column<std::uint8_t>("state"));
  for (std::uint32_t cell = 0; cell < forest->size(); ++cell) {
    const bool tree = random_double(simulation.key(0), cell) < p["density"];
    forest->write(state)[cell] = !tree ? kEmpty : grid.x_of(cell) == 0 ? kBurning : kGreen;
  }
  return simulation;
}

Result<Owned<Model>> open(const Parameters& p, Simulation& simulation) {
  auto* const model = new ForestFire(p, simulation);
  Owned<Model> owned(model);
  JUXTA_TRY_LET(model->forest, require_cells(simulation, "forest", model->grid));
  JUXTA_TRY_LET(model->state, model->forest->find_column<std::uint8_t>("state"));
  model->burning = rows_with<std::uint8_t>(*model->forest, model->state, kBurning);
  return owned;
}
}  // namespace

ModelInfo forest_fire() {
  return {.name = "forest_fire",
          .what = "a fire goes from tree to tree, across the forest or not",
          .parameters = {{"size", 100, 1, 4096, true, "cells along an edge"},
                         {"density", 0.7, 0, 1, false, "probability of a tree in a cell"}},
          .presets = {preset_of("small", "size=100 density=0.7"),
                      preset_of("large", "size=1000 density=0.9", 1000)},
          .steps = 100,
          .begin = begin,
          .open = open,
          .one_machine = "its forest is one table"};
}
}  // namespace juxta::models
