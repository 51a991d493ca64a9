// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace juxta::scenes {

/// How a flock begins: number i stands at place i of each column. What a boid has depends on the seed, its
/// number and the size of the world alone, so that boids may be taken in any order, or the first few of them.
struct FlockScene {
  std::uint32_t dimensions = 2;
  float half_size = 0;                         ///< The world is [-half_size, half_size] on every axis.
  std::array<std::vector<float>, 3> position;  ///< One column per axis; z is empty in 2D.
  std::array<std::vector<float>, 3> velocity;

  [[nodiscard]] std::size_t size() const noexcept { return position[0].size(); }
};

/// The half size at which `count` boids stand as near to each other as 20,000 of the published program do:
/// 10.5 (count / 20,000)^(1/2); some 24 of them see each other. In 3D 3.12 (count / 20,000)^(1/3), where as
/// many do.
[[nodiscard]] float flock_half_size(std::size_t count, std::uint32_t dimensions = 2) noexcept;

/// The published start: positions 0.9 half_size U(-1, 1) per axis, velocities 0.5 U(1.088, 1.55) times the
/// unit vector along U(-1, 1) per axis. Cost: about 50 ns a boid.
[[nodiscard]] FlockScene make_flock(std::size_t count, float half_size, std::uint64_t seed,
                                    std::uint32_t dimensions = 2);

}  // namespace juxta::scenes
