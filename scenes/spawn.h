// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "juxta/math/aabb.h"

namespace juxta::scenes {

/// How large a spawn world is. All things are cubes, even in a ball of radius `radius` around 0.
struct SpawnForm {
  std::size_t spawners, ships, bullets, explosions, wormholes;
  float spawner_edge;  ///< Ships have edges U[2, 12], bullets U[.4, 8], explosions U[20, 80], wormholes 120.
  float radius;
};

/// The size of the article on which the scenario is modelled: 25,000 spawn points against 30,520 things.
inline constexpr SpawnForm kSpawnSmall{25'000, 10'000, 20'000, 500, 20, 20.0F, 726.0F};
/// 100,000 against 300,000.
inline constexpr SpawnForm kSpawnLarge{100'000, 98'300, 196'600, 4'900, 200, 30.0F, 2500.0F};

/// A smaller ball of the same density: about `share` (0, 1] of the things, at least one of each type.
[[nodiscard]] SpawnForm scaled(const SpawnForm& form, double share);

/// Things of one type.
struct SpawnThings {
  std::vector<Aabb3> boxes;
  std::vector<std::array<float, 3>> velocities;  ///< Per frame.
};

/// A space battle that looks for safe spawn points each frame: a spawn point is safe when it is not busy and
/// its cube touches neither another spawn point's (busy ones included) nor any ship, bullet, explosion or
/// wormhole.
///
/// Source: the spawn points of Dreaming381's "Latios Space Shooter Sample", on which the articles on
/// FindObjects measure; sizes are set so that the same share of the spawn points touch another one.
struct SpawnWorld {
  SpawnThings spawners, ships, bullets, explosions, wormholes;
  std::vector<std::uint8_t> busy;  ///< One per spawner; 1 for the 4 % that show an animation now.
  float radius = 0;
};

/// The same bits for the same arguments on every machine.
[[nodiscard]] SpawnWorld make_spawn(const SpawnForm& form, std::uint64_t seed);

/// One frame: all things move by their velocities; those outside of the ball that would go on outwards turn
/// back.
void advance(SpawnWorld& world);

}  // namespace juxta::scenes
