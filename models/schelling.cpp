// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Two groups live on a grid, one agent a cell. In every step each agent once, in a random order, counts those
// of its own group near it; with too few it moves to a free cell, any as likely as another.
//
// The rules are those of the field's comparison of frameworks (docs/sources.md), after Thomas Schelling,
// "Dynamic models of segregation" (1971), whose own agents ask for a share of their neighbours and move to
// the nearest place that suits them. Where the comparison's text and its measured code differ, this is the
// code: every agent is asked in every step.
#include <algorithm>

#include "juxta/grid/grid_space.h"
#include "juxta/study/cells.h"
#include "juxta/study/draw.h"
#include "models/models.h"

namespace juxta::models {
namespace {

enum Purpose : std::uint32_t { kPlace, kOrder, kMove };  // what random numbers are for

struct Schelling final : Model {
  Schelling(const Parameters& p, Simulation& s)
      : simulation(s), happy(static_cast<std::uint32_t>(p.count("happy"))) {}

  Result<void> step(const Context&) override {
    const auto [x, y] = write_xy(*agents);
    const auto moved = agents->write(moves);
    const RandomKey key = simulation.key(kMove);
    random_order(simulation.key(kOrder), order);
    for (const std::uint32_t row : order) {
      if (space.alike(row) < happy) {
        JUXTA_TRY_LET(const std::uint32_t cell, space.move_to_free(row, key));
        x[row] = static_cast<float>(space.grid().x_of(cell));
        y[row] = static_cast<float>(space.grid().y_of(cell));
        ++moved[row];
      }
    }
    return simulation.end_step().map([](auto) {});
  }
  void declare(Collector& collector) const override {
    const auto is_happy = [this](std::uint32_t row) { return space.alike(row) >= happy; };
    collector.add("happy", [=, this] { return share_of(*agents, is_happy); });
    collector.add("moves", [this] { return sum_of(*agents, moves); });
    collector.add("segregation", [this] {  // mean share of their own group, of those who have neighbours
      double sum = 0, some = 0;
      for (std::uint32_t row = 0; row < agents->size(); ++row) {
        const double alike = space.alike(row), all = alike + space.unlike(row);
        sum += all > 0 ? alike / all : 0;
        some += all > 0 ? 1 : 0;
      }
      return some > 0 ? sum / some : 0;
    });
  }
  void draw(Raster& image) const override {
    show_world(image, simulation.world());
    draw_squares(image, *agents, [groups = agents->read(group)](std::size_t row) {
      return groups[row] == 0 ? Rgb{38, 98, 166} : Rgb{230, 159, 0};
    });
  }

  Simulation& simulation;
  std::uint32_t happy;
  Population* agents = nullptr;
  Column<std::uint8_t> group;
  Column<std::uint32_t> moves;
  GridSpace space;
  std::vector<std::uint32_t> order;
};

Result<Simulation> begin(const Parameters& p, std::uint64_t seed) {
  const CellGrid grid = square_grid(p.count("size"));
  const std::size_t count = p.count("agents");
  if (count >= grid.size()) {
    return fail(ErrorCode::kInvalidArgument, "more agents than cells: \"agents\" must be below size * size");
  }
  JUXTA_TRY_LET(Simulation simulation, Simulation::build(grid.world(), seed));
  JUXTA_TRY_LET(Population* const agents, simulation.add_population("agents"));
  JUXTA_TRY_LET(const auto group, agents->add_column<std::uint8_t>("group"));
  JUXTA_TRY(agents->add_column<std::uint32_t>("moves"));
  JUXTA_TRY(agents->insert(count));
  std::vector<std::uint32_t> cells(grid.size());
  random_order(simulation.key(kPlace), cells);
  place_in_cells(*agents, grid, cells);
  std::ranges::fill(agents->write(group).subspan(count / 2), std::uint8_t{1});
  return simulation;
}

Result<Owned<Model>> open(const Parameters& p, Simulation& simulation) {
  auto* const model = new Schelling(p, simulation);
  Owned<Model> owned(model);
  JUXTA_TRY_LET(model->agents, require_population(simulation, "agents"));
  JUXTA_TRY_LET(model->group, model->agents->find_column<std::uint8_t>("group"));
  JUXTA_TRY_LET(model->moves, model->agents->find_column<std::uint32_t>("moves"));
  const Neighbourhood near{static_cast<std::uint32_t>(p.count("radius"))};
  JUXTA_TRY_LET(model->space,
                GridSpace::build({.grid = square_grid(p.count("size")), .kinds = 2, .near = near}));
  const auto [x, y] = read_xy(*model->agents);
  JUXTA_TRY(model->space.rebuild(x, y, {}, model->agents->read(model->group)));
  model->order.resize(x.size());
  return owned;
}

}  // namespace

ModelInfo schelling() {
  return {.name = "schelling",
          .what = "who has too few of its own group near moves to a free cell",
          .parameters = {{"size", 40, 1, 4096, true, "cells along an edge"},
                         {"agents", 1000, 0, 16e6, true, "half of them of each group"},
                         {"radius", 1, 1, 7, true, "how far an agent looks, along each axis", true},
                         {"happy", 3, 0, 224, true, "so many of its own group near are enough", true}},
          .presets = {preset_of("small", "size=40 agents=1000 radius=1 happy=3"),
                      preset_of("large", "size=100 agents=8000 radius=2 happy=8")},
          .steps = 20,
          .begin = begin,
          .open = open,
          .one_machine = "those who move choose one after the other"};
}

}  // namespace juxta::models
