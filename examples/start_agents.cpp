// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Agents with too few neighbours wander about until they find a crowd. docs/start/agents.md explains every
// line.
#include <juxta/agents/see.h>
#include <juxta/agents/simulation.h>
#include <juxta/core/random.h>
#include <juxta/core/try.h>

#include <algorithm>
#include <cstdio>

#include "start_agents_rules.h"

enum Purpose : std::uint32_t { kX, kY, kStepX, kStepY };  // what random numbers are for
constexpr float kEdge = 100, kRadius = 1.5F, kStride = 1, kEnough = 4;

juxta::Result<double> gather(std::size_t count, int steps) {
  const juxta::World world{.dimensions = 2,
                           .edges = {juxta::Edge::kPeriodic, juxta::Edge::kPeriodic},
                           .lo = {0, 0},
                           .hi = {kEdge, kEdge}};
  JUXTA_TRY_LET(juxta::Simulation simulation, juxta::Simulation::build(world, 1));
  JUXTA_TRY_LET(juxta::Population* const agents, simulation.add_population("agents"));
  JUXTA_TRY(agents->add_results({"near"}));  // filled anew by every pass
  JUXTA_TRY(agents->insert(count));
  for (std::uint32_t row = 0; row < count; ++row) {
    agents->write(agents->position(0))[row] = kEdge * juxta::random_float(simulation.key(kX), row);
    agents->write(agents->position(1))[row] = kEdge * juxta::random_float(simulation.key(kY), row);
  }
  JUXTA_TRY_LET(const juxta::Column<float> column, agents->find_column<float>("near"));
  for (int step = 0; step < steps; ++step) {
    JUXTA_TRY(agents->sort({.radius = kRadius}));               // neighbours in space, neighbours in memory
    JUXTA_TRY(juxta::see(*agents, *agents, kRadius, Crowd{}));  // fills `near`
    const auto near = agents->read(column);
    const auto x = agents->write(agents->position(0)), y = agents->write(agents->position(1));
    agents->for_each([&](std::uint32_t row, juxta::Changes&) {  // each agent writes its own row
      const std::uint64_t self = juxta::random_id(agents->id_of(row));
      if (near[row] < kEnough) {
        x[row] += kStride * (2 * juxta::random_float(simulation.key(kStepX), self) - 1);
        y[row] += kStride * (2 * juxta::random_float(simulation.key(kStepY), self) - 1);
      }
    });
    JUXTA_TRY(simulation.end_step());  // births and deaths, if there are any
  }
  const auto settled = std::ranges::count_if(agents->read(column), [](float n) { return n >= kEnough; });
  return static_cast<double>(settled) / static_cast<double>(count);
}

int main() {
  const auto first = gather(5000, 1), last = gather(5000, 300);
  if (!first || !last) {
    std::fprintf(stderr, "%s\n", (first ? last : first).error().message.c_str());
    return 1;
  }
  std::printf("agents with 4 neighbours or more: %.0f %% at first, %.0f %% after 300 steps\n", 100 * *first,
              100 * *last);
  return *last > *first ? 0 : 1;
}
