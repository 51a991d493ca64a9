// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "juxta/math/vec.h"

namespace juxta {

/// What is at the two ends of an axis of the world.
enum class Edge : std::uint8_t {
  kOpen,      ///< Nothing: any finite position. Agents do not need World::lo and hi there, fields do.
  kWall,      ///< Positions are in [lo, hi]; an agent elsewhere is refused. Actions keep agents inside.
  kPeriodic,  ///< hi is lo again: positions are brought back into [lo, hi), and neighbours are searched
              ///< across.
};

/// Where agents live, and what a field covers. In a periodic world of period L = hi - lo the difference d of
/// two positions is the nearest image's: d - L when d > L / 2, d + L when d < -L / 2. Each agent is therefore
/// met once, whatever the radius.
struct World {
  std::uint32_t dimensions = 3;  ///< 2 or 3. In 2D there is no z.
  std::array<Edge, 3> edges{};   ///< Per axis.
  Vec3 lo{};                     ///< Finite, lo < hi, where the edge is not open.
  Vec3 hi{};

  friend bool operator==(const World&, const World&) = default;
};

/// A rectangle from (0, 0) to (width, height), above 0 and finite, with walls around it.
[[nodiscard]] constexpr World walled_plane(float width, float height) noexcept {
  return {.dimensions = 2, .edges = {Edge::kWall, Edge::kWall}, .lo = {}, .hi = {width, height, 0}};
}
/// The same without walls: an agent that leaves it on one side enters on the other.
[[nodiscard]] constexpr World periodic_plane(float width, float height) noexcept {
  return {.dimensions = 2, .edges = {Edge::kPeriodic, Edge::kPeriodic}, .lo = {}, .hi = {width, height, 0}};
}

}  // namespace juxta
