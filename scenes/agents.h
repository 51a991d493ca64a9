// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace juxta::scenes {

/// Agents in [lo, hi] on every axis, to be looked at by radius; number i stands at place i of each column.
/// What an agent has depends on the seed, its number and the parameters of the scene alone.
struct AgentScene {
  std::uint32_t dimensions = 3;
  float lo = 0, hi = 1;
  float radius = 1;                            ///< Of seeing.
  float half_edge = 0;                         ///< Of the cube that every agent is; 0: points.
  std::array<std::vector<float>, 3> position;  ///< One column per axis; z is empty in 2D.
  std::array<std::vector<float>, 3> velocity;  ///< Way in a step.

  [[nodiscard]] std::size_t size() const noexcept { return position[0].size(); }
};

/// Neighbours of an agent away from the walls in make_visits(), on average.
inline constexpr double kVisitNeighbours = 30;

/// Points even in [0, hi]^dimensions, radius 1 in the ball metric; hi is such that an agent has so many
/// neighbours. Velocities: of any direction, 0.05 long, as in a flock.
[[nodiscard]] AgentScene make_even(std::size_t count, std::uint32_t dimensions, double neighbours,
                                   std::uint64_t seed);

/// The same with nine of ten agents in a hundredth of the space, in a square or cube at its middle: those
/// have so many neighbours.
[[nodiscard]] AgentScene make_crowded(std::size_t count, std::uint32_t dimensions, double neighbours,
                                      std::uint64_t seed);

/// make_even() with kVisitNeighbours.
[[nodiscard]] AgentScene make_visits(std::size_t count, std::uint32_t dimensions, std::uint64_t seed);

/// Tay's own test, in multiples of 1 / 64, so that differences and their sums are exact: points even in [0,
/// 1000]^3 that move by about 1 in a step, walls that reflect them, and a box of half edge `radius` in which
/// they see. The world keeps its size: more agents stand nearer to each other.
[[nodiscard]] AgentScene make_tay_points(std::size_t count, float radius, std::uint64_t seed);

/// The same with agents that are cubes of edge 50: they see each other when the gap between two is at most
/// `radius` on every axis.
[[nodiscard]] AgentScene make_tay_boxes(std::size_t count, float radius, std::uint64_t seed);

/// make_tay_points(), but every fifth agent stands in one cube that is a ten-thousandth of the space, away
/// from the middle.
[[nodiscard]] AgentScene make_clumped(std::size_t count, float radius, std::uint64_t seed);

/// One step of one agent on one axis: p += v; beyond lo or hi it is put there, and turns. For cubes lo and hi
/// are where centres may be. Benchmarks hold contenders to exactly these bits.
inline void move_reflected(float& p, float& v, float lo, float hi) noexcept {
  p += v;
  v = p < lo || p > hi ? -v : v;
  p = p < lo ? lo : p > hi ? hi : p;
}

}  // namespace juxta::scenes
