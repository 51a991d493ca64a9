// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/agents/simulation.h"
#include "juxta/study/parameters.h"
#include "models/dam_break_tank.h"
#include "tests/models/scalar/dam_break.h"

namespace juxta::test {

[[nodiscard]] inline ScalarWater scalar_water(const Parameters& p) {
  const models::Tank tank(p);
  return {.spacing = tank.spacing,
          .h = tank.h,
          .sound = tank.sound,
          .gravity = tank.gravity,
          .viscosity = p["viscosity"],
          .diffusion = p["diffusion"],
          .time_step = p["cfl"] * tank.h / tank.sound,
          .depth = tank.deep * tank.spacing};
}

/// The state of a model, numbered by the slots of Ids.
template <std::size_t dimensions>
[[nodiscard]] ScalarDamBreak<dimensions> scalar_copy(const Parameters& parameters,
                                                     const Simulation& simulation) {
  const Population& all = *simulation.find_population("particles");
  const auto column = [&](const char* name) { return all.read(*all.find_column<float>(name)); };
  constexpr std::array kPlace{"x", "y", "z"}, kSeen{"vx", "vy", "vz"}, kOwn{"ux", "uy", "uz"};
  ScalarDamBreak<dimensions> copy(scalar_water(parameters));
  for (std::uint32_t row = 0; row < all.size(); ++row) {
    typename ScalarDamBreak<dimensions>::Seen seen{};
    typename ScalarDamBreak<dimensions>::Own own{};
    for (std::size_t a = 0; a < dimensions; ++a) {
      seen.x[a] = column(kPlace[a])[row];
      seen.v[a] = column(kSeen[a])[row];
      own.u[a] = column(kOwn[a])[row];
    }
    seen.push = column("push")[row];
    seen.head = column("head")[row];
    own.compression = column("compression")[row];
    seen.water = column("water")[row];
    own.number = all.id_of(row).slot;
    copy.add(seen, own);
  }
  return copy;
}

}  // namespace juxta::test
