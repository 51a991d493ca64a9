// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The velocities of all neighbours, in 2D and 3D, between walls and in periodic worlds.
#include <limits>
#include <memory>

#include "agents.h"
#include "rules.h"

namespace juxta::bench {
namespace {

class Headings final : public Agents {
 public:
  using Agents::Agents;

  void look() override {
    sort();
    const float radius = start().radius;
    start().dimensions == 2
        ? must(see(agents(), agents(), radius, rules::Headings2{}, {}, {.executor = executor()}))
        : must(see(agents(), agents(), radius, rules::Headings3{}, {}, {.executor = executor()}));
  }
  void act() override {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const rules::Reflect walls =
        start().periodic ? rules::Reflect{-kInfinity, kInfinity} : rules::Reflect{start().lo, start().hi};
    must(start().dimensions == 2 ? juxta::act(agents(), rules::Reflect2{walls}, {.executor = executor()})
                                 : juxta::act(agents(), rules::Reflect3{walls}, {.executor = executor()}));
    end_step();
  }

 private:
  void add_columns(Population& agents, const Start& start) override {
    must(agents.add_results({"n", "sum_x", "sum_y"}));
    if (start.dimensions == 3) {
      must(agents.add_results({"sum_z"}));
    }
  }
};

}  // namespace

std::unique_ptr<World> make_headings(unsigned threads) {
  return std::make_unique<Headings>(threads);
}

}  // namespace juxta::bench
