// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A small model with all that a run must carry over: births, deaths, references, random numbers, a pass whose
// sums depend on the order of rows.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "juxta/agents/simulation.h"
#include "juxta/core/random.h"
#include "juxta/core/try.h"
#include "juxta/study/model.h"

namespace juxta::test {

class Pond final : public Model {
 public:
  Pond(const Parameters& parameters, Simulation& simulation, Population& fish)
      : parameters_(parameters), simulation_(simulation), fish_(fish) {}

  Result<void> step(const Context& context) override {
    if (parameters_["fails_at"] == simulation_.step() + 1) {
      return fail(ErrorCode::kInvalidArgument, "the pond is dry");
    }
    JUXTA_TRY(fish_.sort({.radius = 1, .skin = 0.5F}, context));
    const auto energy_column = fish_.find_column<double>("energy").value();
    const auto mother = fish_.find_column<Id>("mother").value();
    const auto energy = fish_.write(energy_column);
    const auto x = fish_.write(fish_.position(0));
    fish_.for_each(
        [&](std::uint32_t row, Changes& changes) {
          const std::uint64_t who = random_id(fish_.id_of(row));
          energy[row] += random_double(simulation_.key(0), who) - 0.4 + 0.001 * (row % 5);
          x[row] = random_float(simulation_.key(1), who) * 10;
          if (energy[row] < 0) {
            changes.kill(row);
          } else if (energy[row] > parameters_["splits_at"]) {
            energy[row] /= 2;
            changes.spawn_like(row).set(mother, fish_.id_of(row));
          }
        },
        context);
    const auto ended = simulation_.end_step();
    if (ended && parameters_["hasty"] != 0) {
      (void)simulation_.end_step().value();
    }
    return ended ? Result<void>() : tl::unexpected(ended.error());
  }

  void declare(Collector& collector) const override {
    collector.add("fish", [this] { return static_cast<double>(fish_.size()); });
    if (parameters_["hasty"] == 0) {
      collector.add("energy", [this] { return mean_energy(); }, {.gaps = true});
    }
    if (parameters_["tables"] != 0) {
      (void)collector.add_agents(fish_, {"x", "energy"}, 2);
      (void)collector.add_agents(fish_);
    }
  }

  void draw(Raster&) const override {}

 private:
  /// NaN when there is nobody.
  [[nodiscard]] double mean_energy() const {
    double sum = 0;
    for (const double each : fish_.read(fish_.find_column<double>("energy").value())) {
      sum += each;
    }
    return sum / static_cast<double>(fish_.size());
  }

  Parameters parameters_;
  Simulation& simulation_;
  Population& fish_;
};

inline Result<Simulation> begin_pond(const Parameters& parameters, std::uint64_t seed) {
  World world{.dimensions = 2};
  for (const std::uint32_t axis : {0u, 1u}) {
    world.edges[axis] = Edge::kPeriodic;
    world.hi[axis] = 10;
  }
  auto simulation = Simulation::build(world, seed);
  Population& fish = *simulation->add_population("fish").value();
  const auto energy = fish.add_column<double>("energy", 1.5).value();
  (void)fish.add_references("mother", fish).value();
  (void)fish.add_column<std::int32_t>("age", 3).value();
  (void)fish.insert(parameters.count("fish")).value();
  for (std::uint32_t row = 0; row < fish.size(); ++row) {
    for (const std::uint32_t axis : {0u, 1u}) {
      fish.write(fish.position(axis))[row] = random_float(simulation->key(7 + axis), row) * 10;
    }
    fish.write(energy)[row] += random_double(simulation->key(9), row);
  }
  return simulation;
}

inline Result<Owned<Model>> open_pond(const Parameters& parameters, Simulation& simulation) {
  Population* const fish = simulation.find_population("fish");
  if (fish == nullptr || !fish->find_column<double>("energy") || !fish->find_column<Id>("mother")) {
    return fail(ErrorCode::kNotFound, "there are no fish with energy in this simulation");
  }
  return Owned<Model>(new Pond(parameters, simulation, *fish));
}

inline ModelInfo pond() {
  ModelInfo info;
  info.name = "pond";
  info.what = "fish eat, split and starve";
  info.parameters = {{"fish", 12, 0, 1000, true, "at the start"},
                     {"splits_at", 2.5, 0.5, 10, false, "energy"},
                     {"fails_at", 0, 0, 1000, true, "a step; 0: none"},
                     {"hasty", 0, 0, 1, true, "ends each step twice, and reports less"},
                     {"tables", 0, 0, 1, true, "with columns of the fish"}};
  info.presets = {{"crowd", {{"fish", 40}, {"splits_at", 2}}, 5}};
  info.steps = 9;
  info.begin = begin_pond;
  info.open = open_pond;
  return info;
}

inline std::span<const ModelInfo> ponds() {
  static const ModelInfo other{"lake",   "the same, under another name", pond().parameters, {}, 5, begin_pond,
                               open_pond};
  static const ModelInfo all[] = {other, pond()};
  return all;
}

inline Parameters pond_with(std::initializer_list<std::pair<const char*, double>> values) {
  Parameters parameters = parameters_of(ponds()[1]).value();
  for (const auto& [name, value] : values) {
    if (!parameters.set(name, value)) {
      std::abort();  // a slip of the test
    }
  }
  return parameters;
}

}  // namespace juxta::test
