// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The published boids in 2D, with passes.
#include "agents.h"
#include "rules.h"

namespace juxta::bench {
namespace {

class GenericFlock final : public Agents {
 public:
  using Agents::Agents;

  void look() override {
    sort();
    must(see(agents(), agents(), start().radius, rules::Flocking{}, {}, {.executor = executor()}));
  }
  void act() override {
    rules::Steer steer;
    steer.half_size = start().hi;
    must(juxta::act(agents(), steer, {.executor = executor()}));
    end_step();
  }
  void read(State& state) const override {
    Agents::read(state);
    state.seen.clear();
    state.sums = {};
  }

 private:
  void add_columns(Population& boids, const Start&) override {
    must(boids.add_results({"n", "sum_vx", "sum_vy", "dx", "dy", "away_x", "away_y"}));
  }
};

}  // namespace

std::unique_ptr<World> make_flock(unsigned threads) {
  return std::make_unique<GenericFlock>(threads);
}

}  // namespace juxta::bench
