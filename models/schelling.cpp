// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Two groups live on a grid, one agent a cell. In every step each agent once, in a random order, counts those
// of its own group near it; with too few it moves to a free cell, any as likely as another.
//
// The rules are those of the field's comparison of frameworks (docs/sources.md), after Thomas Schelling,
// "Dynamic models of segregation" (1971), whose own agents ask for a share of their neighbours and move to
// the nearest place that suits them. Where the comparison's text and its measured code differ, this is the
// code: every agent is asked in every step.
#include <algorithm>

#include "juxta/study/draw.h"
#include "juxta/study/grid_model.h"
#include "models/models.h"

namespace juxta::models {
namespace {

enum Purpose : std::uint32_t { kPlace, kOrder, kMove };  // what random numbers are for

struct Schelling final : GridModel {
  using GridModel::GridModel;
  Result<void> start() {
    if (count("agents") >= grid().size()) {
      return fail(ErrorCode::kInvalidArgument,
                  "more agents than cells: \"agents\" must be below size * size");
    }
    JUXTA_TRY(people->insert(count("agents")));
    std::vector<std::uint32_t> places(grid().size());
    random_order(key(kPlace), places);
    place_in_cells(*people, grid(), places);
    std::ranges::fill(people->write(group).subspan(people->size() / 2), std::uint8_t{1});
    return {};
  }
  Result<void> prepare() {
    return town.rebuild(read_xy(*people).x, read_xy(*people).y, {}, people->read(group));
  }
  Result<void> step(const Context&) override {
    const auto [x, y] = write_xy(*people);
    const auto moved = people->write(moves);
    JUXTA_TRY_LET(const auto rows, town.move_below(happy, key(kOrder), key(kMove)));
    for (const std::uint32_t row : rows) {
      const std::uint32_t cell = town.cell_of(row);
      x[row] = static_cast<float>(grid().x_of(cell));
      y[row] = static_cast<float>(grid().y_of(cell));
      ++moved[row];
    }
    return end_step();
  }
  void declare(Collector& collector) const override {
    const auto is_happy = [this](std::uint32_t row) { return town.alike(row) >= happy; };
    collector.add("happy", [=, this] { return share_of(*people, is_happy); });
    collector.add("moves", [this] { return sum_of(*people, moves); });
    collector.add("segregation", [this] {  // mean share of their own group, of those who have neighbours
      double sum = 0, some = 0;
      for (std::uint32_t row = 0; row < people->size(); ++row) {
        const double alike = town.alike(row), all = alike + town.unlike(row);
        sum += all > 0 ? alike / all : 0;
        some += all > 0 ? 1 : 0;
      }
      return some > 0 ? sum / some : 0;
    });
  }
  void draw(Raster& image) const override {
    show_world(image, simulation().world());
    draw_squares(image, *people, [groups = people->read(group)](std::size_t row) {
      return groups[row] == 0 ? Rgb{38, 98, 166} : Rgb{230, 159, 0};
    });
  }

  std::uint32_t happy = static_cast<std::uint32_t>(count("happy"));
  Population* people = agents("agents");
  Column<std::uint8_t> group = column<std::uint8_t>("agents", "group");
  Column<std::uint32_t> moves = column<std::uint32_t>("agents", "moves");
  GridSpace town = space({.kinds = 2, .near = {static_cast<std::uint32_t>(count("radius"))}});
};

}  // namespace

ModelInfo schelling() {
  return model_of<Schelling>(
      {.name = "schelling",
       .what = "an agent with too few of its own group near it moves to a free cell",
       .parameters = {{"size", 40, 1, 4096, true, "cells along an edge"},
                      {"agents", 1000, 0, 16e6, true, "half of them of each group"},
                      {"radius", 1, 1, 7, true, "how far an agent looks, along each axis", true},
                      {"happy", 3, 0, 224, true, "so many of its own group near are enough", true}},
       .presets = {preset_of("small", "size=40 agents=1000 radius=1 happy=3"),
                   preset_of("large", "size=100 agents=8000 radius=2 happy=8")},
       .steps = 20,
       .one_machine = "those who move choose one after the other"});
}

}  // namespace juxta::models
