// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "sector/scenario.h"

namespace juxta::sector::test {

/// A battle of some seventy ships, so near each other that within a second all that can happen does.
inline Scenario tiny(std::uint64_t seed = 3) {
  Scenario s;
  s.name = "tiny";
  s.seed = seed;
  s.width = s.depth = 90;
  s.height = 40;
  s.ships = 70;
  s.spawn_points = 12;
  s.asteroids = 4;
  s.asteroid_min = 3;
  s.asteroid_max = 7;
  s.asteroid_triangles = 80;
  s.radar_cells = 3;
  s.kinds = {
      {{40, 3, 25, 60, 8, 4, 0.8F, 1}, {35, 6, 15, 40, 20, 8, 1.2F, 3}, {25, 12, 8, 25, 60, 12, 2, 9}}};
  s.sight = 24;
  s.range = 120;
  s.bullet_speed = 200;
  s.bullet_life = 0.75F;
  s.spawn_edge = 8;
  s.spawn_rest = 0.2F;
  s.wreck_time = 0.3F;
  s.explosion_time = 0.2F;
  return s;
}

}  // namespace juxta::sector::test
