// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the tank of models/dam_break.cpp, and who stands where at the start.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "juxta/agents/simulation.h"
#include "juxta/study/parameters.h"
#include "models/dam_break_rules.h"

namespace juxta::models {

/// What follows from the parameters. Places are counted in spacings.
struct Tank {
  explicit Tank(const Parameters& p)
      : dimensions(static_cast<std::uint32_t>(p.count("dimensions"))),
        across(static_cast<int>(p.count("across"))),
        high(static_cast<int>(std::lround(p["height"] * across))),
        deep(dimensions == 2 ? 1 : static_cast<int>(p.count("depth"))),
        length(static_cast<int>(std::lround(p["tank"] * across))),
        wall(static_cast<int>(std::lround(p["wall"] * across))),
        layers(static_cast<int>(std::ceil(2 * p["smoothing"]))),
        spacing(p["width"] / across),
        h(p["smoothing"] * spacing),
        gravity(p["gravity"]),
        disorder(p["disorder"]),
        sound(p["sound"] * std::sqrt(gravity * high * spacing)) {
    const double pi = 3.14159265358979323846;
    const double k =
        5 / (8 * h * h * h * h * h) * (dimensions == 2 ? 7 / (4 * pi * h * h) : 21 / (16 * pi * h * h * h));
    const double volume = spacing * spacing * (dimensions == 2 ? 1 : spacing);
    const auto f = [](double value) { return static_cast<float>(value); };
    see = {f(2 * h), f(p["viscosity"] * h * sound), f(0.01 * h * h), f(2 * p["diffusion"] * h * sound)};
    step = {f(p["cfl"] * h / sound), f(gravity), f(volume * k), f(sound * sound),
            f(gravity / (sound * sound))};
  }

  /// Water first, then the floor and the two walls.
  template <class Visit>
  void each_place(const Visit& visit) const {
    for (int k = 0; k < deep; ++k) {
      for (int j = -layers; j < wall; ++j) {
        for (int i = -layers; i < length + layers; ++i) {
          const bool inside = j >= 0 && i >= 0 && i < length;
          if (!inside || (i < across && j < high)) {
            visit(i, j, k, inside);
          }
        }
      }
    }
  }
  [[nodiscard]] std::size_t particles() const {
    const auto area = [](int wide, int tall) {
      return static_cast<std::size_t>(wide) * static_cast<std::size_t>(tall);
    };
    const std::size_t walls = area(length + 2 * layers, wall + layers) - area(length, wall);
    return (area(across, high) + walls) * static_cast<std::size_t>(deep);
  }
  /// Still water is compressed by what stands above it.
  [[nodiscard]] double still(int j) const { return gravity / (sound * sound) * (high - j - 0.5) * spacing; }
  /// For the mass of such water: the work that compressed it, but for a hundredth of it.
  [[nodiscard]] double elastic(double compression) const {
    return sound * sound * compression * compression / 2;
  }
  /// Mechanical energy at the start, for the mass of all water.
  [[nodiscard]] double energy() const {
    double sum = 0;
    for (int j = 0; j < high; ++j) {
      sum += gravity * (j + 0.5) * spacing + elastic(still(j));
    }
    return sum / high;
  }

  std::uint32_t dimensions;
  int across, high, deep, length, wall, layers;
  double spacing, h, gravity, disorder, sound;
  PairOfWater see;
  StepOfWater step;
};

/// Errors: kInvalidArgument (water higher than the walls; more particles than anybody has room for).
[[nodiscard]] Result<Simulation> begin_dam_break(const Parameters& parameters, std::uint64_t seed);

}  // namespace juxta::models
