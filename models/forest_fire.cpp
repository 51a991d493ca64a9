// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A forest on a grid: a cell has a tree with some probability, and those of the left column burn. In every
// step each burning tree sets fire to the green ones in the 4 cells beside it, and is burnt. Whether the fire
// gets across is a question of percolation: in an endless forest it does when more than 0.5927 of the cells
// have trees (Stauffer and Aharony, "Introduction to Percolation Theory", 1994). On 100 x 100 cells the
// change is gradual: it crossed 27, 60 and 94 of 100 forests at densities of 0.58, 0.5927 and 0.62.
//
// The rules are those of the field's comparison of frameworks (docs/sources.md). Its text sets all of the
// left column on fire, and so does its NetLogo code; its code for Agents.jl, MASON and Mesa only the trees
// there, and so do we. As there, the presets take as many steps as there are cells along an edge. The fire
// winds, so it is not across by then: that takes about 1.2 times as many steps in the small preset, 1.04 in
// the large.
//
// A step visits the trees that burn, and no other cell.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "juxta/core/random.h"
#include "models/models.h"

namespace juxta::models {
namespace {

enum State : std::uint8_t { kEmpty, kGreen, kBurning, kBurnt };
enum Purpose : std::uint32_t { kTree };  // what random numbers are for

class ForestFire final : public Model {
 public:
  ForestFire(const Parameters& p, Simulation& simulation, Population& forest, Column<std::uint8_t> state)
      : size_(static_cast<std::uint32_t>(p.count("size"))),
        simulation_(simulation),
        forest_(forest),
        state_(state) {
    const auto states = forest_.read(state_);
    for (std::uint32_t cell = 0; cell < states.size(); ++cell) {
      green_ += states[cell] == kGreen;
      burnt_ += states[cell] == kBurnt;
      if (states[cell] == kBurning) {
        burning_.push_back(cell);
      }
    }
  }

  Result<void> step(const Context&) override {
    const auto states = forest_.write(state_);
    next_.clear();
    const auto set_fire = [&](std::uint32_t cell) {
      if (states[cell] == kGreen) {
        states[cell] = kBurning;
        next_.push_back(cell);
      }
    };
    for (const std::uint32_t cell : burning_) {
      const std::uint32_t x = cell % size_, y = cell / size_;
      if (x > 0) {
        set_fire(cell - 1);
      }
      if (x + 1 < size_) {
        set_fire(cell + 1);
      }
      if (y > 0) {
        set_fire(cell - size_);
      }
      if (y + 1 < size_) {
        set_fire(cell + size_);
      }
      states[cell] = kBurnt;
    }
    burnt_ += burning_.size();
    green_ -= next_.size();
    burning_.swap(next_);
    return simulation_.end_step().map([](auto) {});
  }

  void declare(Collector& collector) const override {
    collector.add("green", [this] { return static_cast<double>(green_); });
    collector.add("burning", [this] { return static_cast<double>(burning_.size()); });
    collector.add("burnt", [this] { return static_cast<double>(burnt_); });
  }

  void draw(Raster& image) const override {
    constexpr std::array<Rgb, 4> kColours = {Rgb{245, 240, 230}, {60, 130, 70}, {230, 80, 20}, {60, 60, 60}};
    image.show({0, 0, static_cast<double>(size_), static_cast<double>(size_)});
    const auto states = forest_.read(state_);
    for (std::uint32_t cell = 0; cell < states.size(); ++cell) {
      const std::uint32_t x = cell % size_, y = cell / size_;
      image.rect(x, y, x + 1, y + 1, kColours[states[cell] % 4]);
    }
  }

 private:
  std::uint32_t size_;
  Simulation& simulation_;
  Population& forest_;
  Column<std::uint8_t> state_;
  std::size_t green_ = 0, burnt_ = 0;
  std::vector<std::uint32_t> burning_, next_;  // cells; their order means nothing
};

Result<Simulation> begin(const Parameters& p, std::uint64_t seed) {
  const std::size_t size = p.count("size");
  const auto edge = static_cast<float>(size);
  auto simulation = Simulation::build(
      {.dimensions = 2, .edges = {Edge::kWall, Edge::kWall}, .lo = {0, 0}, .hi = {edge, edge}}, seed);
  Population& forest = **simulation->add_population("forest");
  const auto state = *forest.add_column<std::uint8_t>("state");
  return forest.insert(size * size).map([&](std::uint32_t) {
    std::vector<double> drawn(size * size);
    fill_random(simulation->key(kTree), 0, std::span(drawn));
    const auto x = forest.write(forest.position(0)), y = forest.write(forest.position(1));
    const auto states = forest.write(state);
    for (std::size_t cell = 0; cell < drawn.size(); ++cell) {
      const std::size_t column = cell % size, line = cell / size;
      x[cell] = static_cast<float>(column);
      y[cell] = static_cast<float>(line);
      states[cell] = drawn[cell] >= p["density"] ? kEmpty : column == 0 ? kBurning : kGreen;
    }
    return std::move(*simulation);
  });
}

Result<Owned<Model>> open(const Parameters& p, Simulation& simulation) {
  Population* const forest = simulation.find_population("forest");
  const std::size_t size = p.count("size");
  if (forest == nullptr || forest->size() != size * size || !forest->find_column<std::uint8_t>("state")) {
    return fail(ErrorCode::kNotFound,
                "no \"forest\" with a column \"state\" for each cell of the grid: not a "
                "state of this model with this size");
  }
  return Owned<Model>(new ForestFire(p, simulation, *forest, *forest->find_column<std::uint8_t>("state")));
}

}  // namespace

ModelInfo forest_fire() {
  return {.name = "forest_fire",
          .what = "a fire goes from tree to tree, across the forest or not",
          .parameters = {{"size", 100, 1, 4096, true, "cells along an edge"},
                         {"density", 0.7, 0, 1, false, "probability of a tree in a cell"}},
          .presets = {{"small", {{"size", 100}, {"density", 0.7}}},
                      {"large", {{"size", 1000}, {"density", 0.9}}, 1000}},
          .steps = 100,
          .begin = begin,
          .open = open,
          .one_machine = "its forest is one table"};
}

}  // namespace juxta::models
