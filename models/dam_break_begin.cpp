// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The dam break at its start: everybody at their place, compressed as still water is.
#include <juxta/core/random.h>
#include <juxta/core/try.h>

#include <array>
#include <cmath>

#include "models/dam_break_tank.h"

namespace juxta::models {
namespace {

/// What random numbers are for.
constexpr std::uint32_t kPlaces = 0;
constexpr std::size_t kMost = 100'000'000;

Result<void> add_columns(Population& particles, bool deep) {
  return particles.add_columns({"water", "touch", "ux", "uy", "vx", "vy", "compression", "push", "head"})
      .and_then([&] {
        return deep ? particles.add_columns({"uz", "vz"}) : Result<void>();
      })
      .and_then([&] {
        return particles.add_results({"fx", "fy", "rate", "touched", "heads"});
      })
      .and_then([&] { return deep ? particles.add_results({"fz"}) : Result<void>(); });
}

void fill(Population& particles, const Tank& tank, std::uint64_t seed) {
  const auto column = [&](const char* name) { return particles.write(*particles.find_column<float>(name)); };
  const auto water = column("water"), touch = column("touch"), compression = column("compression"),
             push = column("push"), head = column("head");
  std::size_t row = 0;
  tank.each_place([&](int i, int j, int k, bool wet) {
    const std::array place{i, j, k};
    const auto lots = random_block({seed, 0, kPlaces}, row);
    for (std::uint32_t axis = 0; axis < tank.dimensions; ++axis) {
      const double off = wet ? tank.disorder * (lots[axis] * 0x1p-31 - 1) : 0;
      particles.write(particles.position(axis))[row] =
          static_cast<float>((place[axis] + 0.5 + off) * tank.spacing);
    }
    water[row] = wet ? 1 : 0;
    touch[row] = wet ? 0 : tank.see.reach;
    compression[row] = wet ? static_cast<float>(tank.still(j)) : 0;
    push[row] = tank.step.push_of(compression[row]);
    head[row] = tank.step.head_of(compression[row], particles.read(particles.position(1))[row]);
    ++row;
  });
}

}  // namespace

Result<Simulation> begin_dam_break(const Parameters& parameters, std::uint64_t seed) {
  const Tank tank(parameters);
  if (tank.high > tank.wall) {
    return fail(ErrorCode::kInvalidArgument,
                "dam_break: the water is higher than the walls; give a wall of at least its height");
  }
  if (tank.particles() > kMost) {
    return fail(
        ErrorCode::kInvalidArgument,
        "dam_break: these would be more than 100 million particles; take fewer across, or a thinner or "
        "shorter tank");
  }
  const auto deep = static_cast<float>(tank.deep * tank.spacing);
  const World world{.dimensions = tank.dimensions,
                    .edges = {Edge::kOpen, Edge::kOpen, Edge::kPeriodic},
                    .lo = {0, 0, 0},
                    .hi = {0, 0, deep}};
  Result<Simulation> simulation = Simulation::build(world, seed);
  if (!simulation) {
    return simulation;
  }
  JUXTA_TRY_LET(const auto particles, simulation->add_population("particles"));
  JUXTA_TRY(add_columns(*particles, tank.dimensions == 3));
  JUXTA_TRY((particles)->insert(tank.particles()));
  fill(*particles, tank, seed);
  return simulation;
}

}  // namespace juxta::models
