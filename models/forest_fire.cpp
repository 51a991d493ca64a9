// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A forest on a grid: a cell has a tree with some probability, and those of the left column burn. In every
// step each burning tree sets fire to the green ones in the 4 cells beside it, and is burnt. The rules are
// those of the code of the field's comparison of frameworks (docs/sources.md).
#include "juxta/study/draw.h"
#include "juxta/study/grid_model.h"
#include "models/models.h"

namespace juxta::models {
namespace {
enum State : std::uint8_t { kEmpty, kGreen, kBurning, kBurnt };

struct ForestFire final : GridModel {
  using GridModel::GridModel;
  Result<void> start() {
    fill_column(*forest, state, [&, density = number("density")](std::uint32_t cell) {
      const bool tree = random_double(key(0), cell) < density;
      return !tree ? kEmpty : grid().x_of(cell) == 0 ? kBurning : kGreen;
    });
    return {};
  }
  Result<void> prepare() {
    burning = rows_with<std::uint8_t>(*forest, state, kBurning);
    return {};
  }
  Result<void> step(const Context&) override {
    const auto states = forest->write(state);
    std::vector<std::uint32_t> next;
    for (const std::uint32_t cell : burning) {
      grid().visit_near(cell, {1, NearShape::kVonNeumann}, [&](std::uint32_t beside) {
        if (states[beside] == kGreen) {
          states[beside] = kBurning;
          next.push_back(beside);
        }
      });
      states[cell] = kBurnt;
    }
    burning.swap(next);
    return end_step();
  }
  void declare(Collector& collector) const override {
    collector.add("green", [this] { return count_with<std::uint8_t>(*forest, state, kGreen); });
    collector.add("burning", [this] { return static_cast<double>(burning.size()); });
    collector.add("burnt", [this] { return count_with<std::uint8_t>(*forest, state, kBurnt); });
  }
  void draw(Raster& image) const override {
    constexpr Rgb kColours[] = {{245, 240, 230}, {60, 130, 70}, {230, 80, 20}, {60, 60, 60}};
    show_world(image, simulation().world());
    draw_squares(image, *forest, [&](std::size_t cell) { return kColours[forest->read(state)[cell] % 4]; });
  }

  Population* forest = cells("forest");
  Column<std::uint8_t> state = column<std::uint8_t>("forest", "state");
  std::vector<std::uint32_t> burning;  // cells; their order means nothing
};
}  // namespace

ModelInfo forest_fire() {
  return model_of<ForestFire>(
      {.name = "forest_fire",
       .what = "a fire goes from tree to tree, across the forest or not",
       .parameters = {{"size", 100, 1, 4096, true, "cells along an edge"},
                      {"density", 0.7, 0, 1, false, "probability of a tree in a cell"}},
       .presets = {preset_of("small", "size=100 density=0.7"),
                   preset_of("large", "size=1000 density=0.9", 1000)},
       .one_machine = "its forest is one table"});
}
}  // namespace juxta::models
