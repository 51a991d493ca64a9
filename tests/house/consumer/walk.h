// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Drunkards who take a step to the left or to the right.
#pragma once

#include <juxta/core/random.h>
#include <juxta/core/try.h>
#include <juxta/study/columns.h>
#include <juxta/study/model.h>

#include <algorithm>
#include <cmath>

namespace walk_detail {

class Walk final : public juxta::Model {
 public:
  Walk(juxta::Simulation& simulation, juxta::Population& walkers)
      : simulation_(simulation), walkers_(walkers) {}

  juxta::Result<void> step(const juxta::Context& context) override {
    const auto x = walkers_.write(walkers_.position(0));
    const auto stagger = [&](std::uint32_t row, juxta::Changes&) {
      x[row] += juxta::random_float(simulation_.key(0), row) < 0.5F ? -1.0F : 1.0F;
    };
    JUXTA_TRY(walkers_.for_each(stagger, context));
    JUXTA_TRY(simulation_.end_step());
    return {};
  }
  void declare(juxta::Collector& collector) const override {
    collector.add("sum", [this] {
      double sum = 0;
      for (const float x : walkers_.read(walkers_.position(0))) {
        sum += static_cast<double>(x);
      }
      return sum;
    });
    collector.add("away", [this] {
      float away = 0;
      for (const float x : walkers_.read(walkers_.position(0))) {
        away = std::max(away, std::abs(x));
      }
      return static_cast<double>(away);
    });
  }
  void draw(juxta::Raster& image) const override { image.fill({0, 0, 0}); }

 private:
  juxta::Simulation& simulation_;
  juxta::Population& walkers_;
};

inline juxta::Result<juxta::Simulation> begin(const juxta::Parameters& p, std::uint64_t seed) {
  juxta::World world;
  world.dimensions = 2;
  JUXTA_TRY_LET(juxta::Simulation simulation, juxta::Simulation::build(world, seed));
  JUXTA_TRY_LET(juxta::Population* const walkers, simulation.add_population("walkers"));
  JUXTA_TRY(walkers->insert(p.count("walkers")));
  return simulation;
}

inline juxta::Result<juxta::Owned<juxta::Model>> open(const juxta::Parameters&,
                                                      juxta::Simulation& simulation) {
  return juxta::require_population(simulation, "walkers").map([&](juxta::Population* walkers) {
    return juxta::Owned<juxta::Model>(new Walk(simulation, *walkers));
  });
}

}  // namespace walk_detail

inline juxta::ModelInfo walk() {
  juxta::ModelInfo model;
  model.name = "walk";
  model.what = "drunkards take a step to the left or to the right";
  model.parameters = {{"walkers", 10, 0, 1000, true, "how many"}};
  model.begin = walk_detail::begin;
  model.open = walk_detail::open;
  return model;
}
