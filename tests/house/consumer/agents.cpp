// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A user of passes: forty agents in a row, of which the first three are near each other, with rules of his
// own that are compiled for each instruction set. Exit 0 when counts, distances and movements are right.
#include <juxta/agents/act.h>
#include <juxta/agents/see.h>
#include <juxta/agents/simulation.h>

#include "rules.h"

namespace {

bool right(const juxta::Population& agents) {
  const auto count = agents.read(*agents.find_column<float>("count"));
  const auto nearest = agents.read(*agents.find_column<float>("nearest"));
  for (std::uint32_t row = 0; row < agents.size(); ++row) {
    const float x = agents.read(agents.position(0))[row], y = agents.read(agents.position(1))[row];
    const float seen = x < 0.75F ? 2 : 0;
    if (count[row] != seen || y != 1 + seen || (seen > 0 && nearest[row] != 0.25F)) {
      return false;
    }
  }
  return agents.size() == 40;
}

}  // namespace

int main() {
  juxta::World world;
  world.dimensions = 2;
  auto simulation = juxta::Simulation::build(world);
  if (!simulation) {
    return 1;
  }
  juxta::Population& agents = **simulation->add_population("agents");
  if (!agents.add_columns({"count", "nearest"}) || !agents.insert(40)) {
    return 2;
  }
  for (std::uint32_t row = 0; row < 40; ++row) {
    const auto i = static_cast<float>(row);
    agents.write(agents.position(0))[row] = row < 3 ? i / 4 : 2 * i;
    agents.write(agents.position(1))[row] = 1;
  }
  juxta::SortOptions order;
  order.radius = 0.5F;
  if (!agents.sort(order) || !juxta::see(agents, agents, 0.5F, Look{}) || !juxta::act(agents, Rise{})) {
    return 3;
  }
  return right(agents) ? 0 : 4;
}
