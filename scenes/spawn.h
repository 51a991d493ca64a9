// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "juxta/math/aabb.h"

namespace juxta::scenes {

/// Where things are, and how large.
enum class SpawnPlaces : std::uint8_t {
  /// Even in the ball. Ships have edges U[2, 12], bullets U[.4, 8], explosions U[20, 80], wormholes 120.
  kBall,
  /// On orbits, as the sample of the article places its spawn points: an orbit's radius is r = u^2 of what
  /// the ball
  /// leaves room for, u even in [0, 1), and its centre lies at a distance even in [0, radius - r], so that
  /// the middle
  /// of the ball is dense and its rim thin. Ships, bullets and explosions are placed by the same law, which
  /// the sample
  /// does not say: they come from the spawn points. Ships have edges U[2, 6], bullets U[.2, 3.4] (a bullet
  /// flies 50 a
  /// second, 3.25 in a frame of 65 ms), explosions U[4, 20], wormholes 120.
  kOrbits,
};

/// How large a spawn world is. All things are cubes in a ball of radius `radius` around 0.
struct SpawnForm {
  std::size_t spawners, ships, bullets, explosions, wormholes;
  float spawner_edge;
  float radius;
  SpawnPlaces places = SpawnPlaces::kBall;
};

/// The size of the article on which the scenario is modelled: 25,000 spawn points against 30,520 things.
inline constexpr SpawnForm kSpawnSmall{25'000, 10'000, 20'000, 500, 20, 20.0F, 726.0F};
/// 100,000 against 300,000.
inline constexpr SpawnForm kSpawnLarge{100'000, 98'300, 196'600, 4'900, 200, 30.0F, 2500.0F};

/// Sector 03 Mission 5 of the sample: its 25,000 spawn points of radius 15 in an arena of radius 1250 and its
/// 14,751 ships, the most it allows at once, are in the scene's file. How many bullets and explosions there
/// are is written nowhere: with 40,000 bullets things hit the article's 2,000 spawn points. It has no
/// wormholes.
inline constexpr SpawnForm kSpawnOrbits{25'000, 14'751, 40'000, 500, 0, 30.0F, 1250.0F, SpawnPlaces::kOrbits};

/// A smaller ball of the same density: about `share` (0, 1] of the things, at least one of each type.
[[nodiscard]] SpawnForm scaled(const SpawnForm& form, double share);

/// Things of one type.
struct SpawnThings {
  std::vector<Aabb3> boxes;
  std::vector<Vec3> velocities;  ///< Per frame. kOrbits: of the turn around 0, in radians.
};

/// A space battle that looks for safe spawn points each frame: a spawn point is safe when it is not busy and
/// its cube touches neither another spawn point's (busy ones included) nor any ship, bullet, explosion or
/// wormhole.
///
/// Source: the spawn points of Dreaming381's "Latios Space Shooter Sample" (LSSS), on which the articles on
/// FindObjects measure. In kSpawnSmall the radius is set so that the share of spawn points that touch another
/// one is the article's. There, whether a point touches another one says nothing about things, so that things
/// hit 37 % of those left; the article's hit 22 %. On orbits both crowd in the middle, and things hit fewer
/// of those left.
struct SpawnWorld {
  SpawnThings spawners, ships, bullets, explosions, wormholes;
  std::vector<std::uint8_t> busy;  ///< One per spawner; 1 for the 4 % that show an animation now.
  float radius = 0;
  SpawnPlaces places = SpawnPlaces::kBall;
};

/// The same bits for the same arguments on every machine.
[[nodiscard]] SpawnWorld make_spawn(const SpawnForm& form, std::uint64_t seed);

/// One frame. kBall: all things move by their velocities; those outside of the ball that would go on outwards
/// turn back. kOrbits: all turn around 0, so that each keeps its distance, and the middle stays as dense as
/// it is.
void advance(SpawnWorld& world);

}  // namespace juxta::scenes
