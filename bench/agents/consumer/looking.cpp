// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Visits, and Tay's own test.
#include <algorithm>
#include <memory>

#include "agents.h"
#include "rules.h"

namespace juxta::bench {
namespace {

template <int terms>
class Visits final : public Agents {
 public:
  using Agents::Agents;

  void look() override {
    sort();
    const rules::Visit<terms> visit{1 / start().radius};
    must(see(agents(), agents(), start().radius, visit, {}, {.executor = executor()}));
  }
  void act() override {
    const rules::Reflect walls{start().lo, start().hi};
    must(start().dimensions == 2 ? juxta::act(agents(), rules::Reflect2{walls}, {.executor = executor()})
                                 : juxta::act(agents(), rules::Reflect3{walls}, {.executor = executor()}));
    end_step();
  }

 private:
  void add_columns(Population& agents, const Start&) override { must(agents.add_results({"n", "sum"})); }
};

class Tay final : public Agents {
 public:
  using Agents::Agents;

  void set(const Start& start) override {
    Agents::set(start);
    for (const char* name : {"ex", "ey", "ez"}) {
      if (start.half_edge > 0) {
        const auto column = agents().write(must(agents().find_column<float>(name)));
        std::fill(column.begin(), column.end(), start.half_edge);
      }
    }
  }
  void look() override {
    sort();
    must(see(agents(), agents(), start().radius, rules::TaySee{}, {.metric = Metric::kBox},
             {.executor = executor()}));
  }
  void act() override {
    const float half = start().half_edge;
    must(juxta::act(agents(), rules::TayAct{{start().lo + half, start().hi - half}},
                    {.executor = executor()}));
    end_step();
  }

 private:
  void add_columns(Population& agents, const Start& start) override {
    must(agents.add_results({"n", "sum_x", "sum_y", "sum_z"}));
    must(agents.add_columns({"felt_x", "felt_y", "felt_z"}));
    if (start.half_edge > 0) {
      must(agents.add_extents());
    }
  }
};

}  // namespace

std::unique_ptr<World> make_visits(unsigned threads, bool heavy) {
  if (heavy) {
    return std::make_unique<Visits<10>>(threads);
  }
  return std::make_unique<Visits<1>>(threads);
}

std::unique_ptr<World> make_tay(unsigned threads) {
  return std::make_unique<Tay>(threads);
}

}  // namespace juxta::bench
