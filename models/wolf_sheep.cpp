// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Sheep eat grass, wolves eat sheep, grass grows again. In every step the two species have their turns in a
// random order, and within a species each animal has its own: it goes to one of the 8 cells around it
// (as far as the border lets it), loses 1 of energy and eats; below 0 it dies, else it may share with a
// child.
//
// Wilensky's "Wolf Sheep Predation" (NetLogo, 1997), as in the field's comparison of frameworks
// (docs/sources.md). Where its text and the code that is measured differ, this is the code: species take
// turns at random, wolves eat in their own cell alone, death is below 0, energies start at 0 .. 2 gain - 1.
//
// What animals have in common is in wolf_sheep_species.h. Grass is not counted down cell by cell: a cell
// keeps the step from which on there is something to eat.
#include <algorithm>
#include <memory>
#include <vector>

#include "juxta/core/random.h"
#include "models/models.h"
#include "models/wolf_sheep_species.h"

namespace juxta::models {
namespace {

using namespace pasture;

constexpr std::uint32_t kNobody = ~std::uint32_t{0};

class WolfSheep final : public Model {
 public:
  WolfSheep(const Parameters& p, Simulation& simulation, Population& sheep, Population& wolves,
            Population& grass)
      : size_(static_cast<std::int32_t>(p.count("size"))),
        regrowth_(static_cast<std::uint32_t>(p.count("regrowth"))),
        simulation_(simulation),
        sheep_(sheep, kSheep, p["sheep_gain"], p["sheep_reproduction"]),
        wolves_(wolves, kWolves, p["wolf_gain"], p["wolf_reproduction"]),
        grass_(grass),
        ready_(grass.find_column<std::uint32_t>("ready").value_or(Column<std::uint32_t>{})),
        first_(grass.size()) {}

  /// The columns are those of a state of this size.
  [[nodiscard]] bool fits() const {
    const auto size = static_cast<float>(size_);
    return sheep_.fits(size) && wolves_.fits(size) && ready_.index != ready_.kNone &&
           grass_.size() == static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_);
  }

  Result<void> step(const Context&) override {
    sheep_.dead.assign(sheep_.animals.size(), 0);
    wolves_.dead.assign(wolves_.animals.size(), 0);
    const bool sheep_first = random_u32(simulation_.key(kLot), 0) >> 31 == 0;
    return (sheep_first ? graze() : hunt())
        .and_then([&] { return sheep_first ? hunt() : graze(); })
        .and_then([&] {
          sheep_.bury();
          wolves_.bury();
          return simulation_.end_step().map([](auto) {});
        });
  }

  void declare(Collector& collector) const override {
    collector.add("sheep", [this] { return static_cast<double>(sheep_.animals.size()); });
    collector.add("wolves", [this] { return static_cast<double>(wolves_.animals.size()); });
    collector.add("grass", [this] {
      const auto grown = [now = simulation_.step()](std::uint32_t ready) { return ready <= now; };
      return static_cast<double>(std::ranges::count_if(grass_.read(ready_), grown));
    });
  }

  void draw(Raster& image) const override {
    image.show({0, 0, static_cast<double>(size_), static_cast<double>(size_)});
    const auto squares = [&](const Population& of, double inset, auto&& colour) {
      const auto x = of.read(of.position(0)), y = of.read(of.position(1));
      for (std::size_t row = 0; row < of.size(); ++row) {
        const double left = static_cast<double>(x[row]), low = static_cast<double>(y[row]);
        image.rect(left + inset, low + inset, left + 1 - inset, low + 1 - inset, colour(row));
      }
    };
    const auto ready = grass_.read(ready_);
    squares(grass_, 0, [&](std::size_t row) {
      return ready[row] <= simulation_.step() ? Rgb{120, 170, 80} : Rgb{200, 180, 140};
    });
    squares(sheep_.animals, 0.2, [](std::size_t) { return Rgb{255, 255, 255}; });
    squares(wolves_.animals, 0.2, [](std::size_t) { return Rgb{30, 30, 40}; });
  }

 private:
  Result<void> graze() {
    sheep_.walk(simulation_, size_);
    const auto ready = grass_.write(ready_);
    const std::uint32_t now = simulation_.step(), again = now + regrowth_ + 1;
    sheep_.take_turns([=](std::uint32_t, std::uint32_t cell) {
      const bool eats = ready[cell] <= now;
      ready[cell] = eats ? again : ready[cell];
      return eats;
    });
    return sheep_.bear();
  }

  Result<void> hunt() {
    wolves_.walk(simulation_, size_);
    if (wolves_.animals.size() > 0) {
      list_sheep();
    }
    wolves_.take_turns([this](std::uint32_t row, std::uint32_t cell) {
      std::uint32_t* prey = &first_[cell];
      if (*prey == kNobody) {
        return false;
      }
      std::uint64_t sheep = 0;
      for (std::uint32_t each = *prey; each != kNobody; each = next_[each]) {
        ++sheep;
      }
      for (std::uint64_t left = wolves_.words[row][2] * sheep >> 32; left > 0; --left) {
        prey = &next_[*prey];
      }
      sheep_.dead[*prey] = 1;
      *prey = next_[*prey];
      return true;
    });
    return wolves_.bear();
  }

  /// The living sheep of every cell, in the order of their rows.
  void list_sheep() {
    std::ranges::fill(first_, kNobody);
    next_.resize(sheep_.animals.size());
    const auto x = sheep_.animals.read(sheep_.animals.position(0));
    const auto y = sheep_.animals.read(sheep_.animals.position(1));
    for (std::size_t row = next_.size(); row-- > 0;) {
      const std::int32_t cell = static_cast<std::int32_t>(y[row]) * size_ + static_cast<std::int32_t>(x[row]);
      std::uint32_t& first = first_[static_cast<std::uint32_t>(cell)];
      next_[row] = first;
      first = sheep_.dead[row] == 0 ? static_cast<std::uint32_t>(row) : first;
    }
  }

  std::int32_t size_;
  std::uint32_t regrowth_;
  Simulation& simulation_;
  Species sheep_, wolves_;
  Population& grass_;
  Column<std::uint32_t> ready_;
  std::vector<std::uint32_t> first_, next_;  // of each cell, behind each row
};

/// Between 0 and count - 1.
std::uint32_t lot(std::uint32_t word, std::size_t count) {
  return static_cast<std::uint32_t>(word * std::uint64_t{count} >> 32);
}

Result<void> scatter(Simulation& simulation, const char* name, std::size_t count, Purpose purpose,
                     double gain) {
  const auto size = static_cast<std::size_t>(simulation.world().hi[0]);
  Population& animals = **simulation.add_population(name);
  const auto energy = *animals.add_column<double>("energy");
  return animals.insert(count).map([&](std::uint32_t) {
    for (std::uint32_t row = 0; row < count; ++row) {
      const auto words = random_block(simulation.key(purpose + kStart), row);
      animals.write(animals.position(0))[row] = static_cast<float>(lot(words[0], size));
      animals.write(animals.position(1))[row] = static_cast<float>(lot(words[1], size));
      animals.write(energy)[row] = lot(words[2], static_cast<std::size_t>(2 * gain));
    }
  });
}

Result<Simulation> begin(const Parameters& p, std::uint64_t seed) {
  const std::size_t size = p.count("size"), regrowth = p.count("regrowth");
  const auto edge = static_cast<float>(size);
  auto simulation = Simulation::build(
      {.dimensions = 2, .edges = {Edge::kWall, Edge::kWall}, .lo = {0, 0}, .hi = {edge, edge}}, seed);
  Population& grass = **simulation->add_population("grass");
  const auto ready = *grass.add_column<std::uint32_t>("ready");
  return scatter(*simulation, "sheep", p.count("sheep"), kSheep, p["sheep_gain"])
      .and_then([&] { return scatter(*simulation, "wolves", p.count("wolves"), kWolves, p["wolf_gain"]); })
      .and_then([&] { return grass.insert(size * size); })
      .map([&](std::uint32_t) {
        for (std::uint32_t cell = 0; cell < grass.size(); ++cell) {
          const auto words = random_block(simulation->key(kGrass), cell);
          const std::size_t x = cell % size, y = cell / size;
          grass.write(grass.position(0))[cell] = static_cast<float>(x);
          grass.write(grass.position(1))[cell] = static_cast<float>(y);
          grass.write(ready)[cell] = words[0] >> 31 != 0 ? 0 : lot(words[1], regrowth) + 1;
        }
        return std::move(*simulation);
      });
}

Result<Owned<Model>> open(const Parameters& p, Simulation& simulation) {
  Population* const sheep = simulation.find_population("sheep");
  Population* const wolves = simulation.find_population("wolves");
  Population* const grass = simulation.find_population("grass");
  auto* const model = sheep == nullptr || wolves == nullptr || grass == nullptr
                          ? nullptr
                          : new WolfSheep(p, simulation, *sheep, *wolves, *grass);
  Owned<Model> owned(model);
  if (model == nullptr || !model->fits()) {
    return fail(ErrorCode::kNotFound,
                "no \"sheep\", \"wolves\" and \"grass\" with their columns in the cells of "
                "the grid: not a state of this model with this size");
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
          .presets = {{"small",
                       {{"size", 25},
                        {"sheep", 60},
                        {"wolves", 40},
                        {"regrowth", 20},
                        {"sheep_reproduction", 0.2},
                        {"wolf_reproduction", 0.1}}},
                      {"large",
                       {{"size", 100},
                        {"sheep", 1000},
                        {"wolves", 500},
                        {"regrowth", 10},
                        {"sheep_reproduction", 0.4},
                        {"wolf_reproduction", 0.2}}}},
          .steps = 100,
          .begin = begin,
          .open = open,
          .one_machine = "animals act one after the other"};
}

}  // namespace juxta::models
