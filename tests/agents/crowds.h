// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Worlds and crowds that are hard on a search for neighbours. Shared with fuzz/agents, so everything is drawn
// from a `Draw`: anything with below(bound).
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "agents/oracle.h"

namespace juxta::test {

/// In [0, 1): a multiple of 2^-16.
template <class Draw>
float draw_unit(Draw& draw) {
  return static_cast<float>(draw.below(1 << 16)) * 0x1p-16F;
}

/// `edges` in base 3: the first axis is the lowest digit. Sides of different lengths; one world is about 16
/// units wide.
inline World make_world(std::uint32_t dimensions, std::uint32_t edges) {
  constexpr std::array<Edge, 3> kKinds{Edge::kOpen, Edge::kWall, Edge::kPeriodic};
  constexpr std::array<float, 3> kLo{-8, 0, -3.3F}, kHi{8, 10, 7.7F};
  World world;
  world.dimensions = dimensions;
  for (std::uint32_t axis = 0; axis < dimensions; ++axis, edges /= 3) {
    world.edges[axis] = kKinds[edges % 3];
    world.lo[axis] = world.edges[axis] == Edge::kOpen ? 0 : kLo[axis];
    world.hi[axis] = world.edges[axis] == Edge::kOpen ? 0 : kHi[axis];
  }
  return world;
}
inline std::uint32_t world_count(std::uint32_t dimensions) {
  return dimensions == 2 ? 9 : 27;
}
inline std::string name(const World& world) {
  constexpr std::array<std::string_view, 3> kWords{" open", " wall", " periodic"};
  std::string all = std::to_string(world.dimensions) + "D";
  for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
    all += kWords[static_cast<std::size_t>(world.edges[axis])];
  }
  return all;
}

enum class Crowding : std::uint8_t {
  kUniform,
  kClusters,  // a few clouds, a thousandth of the world wide
  kLine,      // along the first axis
  kPoint,     // all in one point
  kPairs,     // two in each place
  kBorders,   // multiples of the radius, and the floats beside them
  kRing,      // the edges of the world, and the floats inside them
  kLonely,    // most in one cloud, some far out (where the world is open: at 1e6 and at 1e15)
};
inline constexpr std::array kCrowdings{Crowding::kUniform, Crowding::kClusters, Crowding::kLine,
                                       Crowding::kPoint,   Crowding::kPairs,    Crowding::kBorders,
                                       Crowding::kRing,    Crowding::kLonely};
inline std::string_view name(Crowding crowding) {
  constexpr std::array<std::string_view, kCrowdings.size()> kNames{"uniform", "clusters", "line", "point",
                                                                   "pairs",   "borders",  "ring", "lonely"};
  return kNames[static_cast<std::size_t>(crowding)];
}

/// The place of one agent along one axis of [lo, hi].
template <class Draw>
float draw_place(Draw& draw, Crowding crowding, std::uint32_t axis, float lo, float hi, bool open,
                 float radius) {
  const float size = hi - lo;
  switch (crowding) {
    case Crowding::kUniform:
    case Crowding::kPairs:
      return lo + draw_unit(draw) * size;
    case Crowding::kClusters:
      return lo + (static_cast<float>(draw.below(3)) * 0.45F + draw_unit(draw) * 1e-3F) * size;
    case Crowding::kLine:
      return axis == 0 ? lo + draw_unit(draw) * size : lo + 0.3F * size;
    case Crowding::kPoint:
      return lo + 0.7F * size;
    case Crowding::kBorders: {
      const auto cells = static_cast<std::uint32_t>(std::min(size / radius, 1000.0F));
      const float at = lo + static_cast<float>(draw.below(cells + 1)) * radius;
      const std::uint32_t beside = draw.below(4);
      return beside == 0 ? std::nextafter(at, hi) : (beside == 1 ? std::nextafter(at, lo) : at);
    }
    case Crowding::kRing: {
      const float at = draw.below(2) == 0 ? lo : hi;
      return draw.below(3) == 0 ? at : std::nextafter(at, lo + size / 2);
    }
    case Crowding::kLonely:
      if (draw.below(8) != 0) {
        return lo + draw_unit(draw) * size * 0.01F;
      }
      return open ? (draw_unit(draw) - 0.5F) * (draw.below(2) == 0 ? 1e6F : 1e15F)
                  : lo + draw_unit(draw) * size;
  }
  return lo;
}

/// Positions where the world lets agents stand; in periodic ones some start a period or two outside.
template <class Draw>
Crowd draw_crowd(Draw& draw, const World& world, Crowding crowding, std::size_t count, float radius) {
  Crowd crowd;
  for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
    const bool open = world.edges[axis] == Edge::kOpen;
    const float lo = open ? -8.0F : world.lo[axis], hi = open ? 8.0F : world.hi[axis];
    auto& out = crowd.position[axis];
    for (std::size_t i = 0; i < count; ++i) {
      float at = draw_place(draw, crowding, axis, lo, hi, open, radius);
      if (crowding == Crowding::kPairs && i % 2 == 1) {
        at = out[i - 1];
      }
      at = open ? at : std::min(std::max(at, lo), hi);
      if (world.edges[axis] == Edge::kPeriodic && draw.below(16) == 0) {
        at += (hi - lo) * (static_cast<float>(draw.below(5)) - 2);
      }
      out.push_back(at);
    }
  }
  return crowd;
}

/// Half edges: mostly small, some large; multiples of 2^-8, so that gaps are exact.
template <class Draw>
void draw_extents(Draw& draw, const World& world, Crowd& crowd) {
  for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
    crowd.extents[axis].resize(crowd.size());
    for (float& extent : crowd.extents[axis]) {
      const std::uint32_t kind = draw.below(16);
      extent = static_cast<float>(draw.below(64)) * (kind == 0 ? 0x1p-4F : (kind < 4 ? 0.0F : 0x1p-8F));
    }
  }
}

/// Radii from 0 to `radius`, both included.
template <class Draw>
void draw_radii(Draw& draw, float radius, Crowd& crowd) {
  crowd.radii.resize(crowd.size());
  for (float& own : crowd.radii) {
    const std::uint32_t kind = draw.below(8);
    own = kind == 0 ? 0 : (kind == 1 ? radius : radius * draw_unit(draw));
  }
}

}  // namespace juxta::test
