// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Boxes that are hard to put in order: of one size and of all, at one point and at every scale. Shared with
// fuzz/order, so everything is drawn from a `Draw`: anything with below(bound).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "juxta/math/aabb.h"

namespace juxta::test {

enum class BlockWorld : std::uint8_t {
  kUniform,    // even in a cube, a box a unit of volume
  kGrid,       // a few whole numbers: many equal boxes, and many equal centres of boxes that differ
  kPoint,      // all at one point, no size
  kLine,       // along the last axis
  kPlane,      // flat along the first axis
  kHuge,       // 1e30, and up to the largest float
  kTiny,       // 1e-30
  kDenormals,  // a few units of the smallest float
  kSigns,      // zeros of both signs, and their neighbours
  kClusters,   // two small ones, far apart
  kSizes,      // edges from 1e-6 to 1e6
  kScales,     // a third at scale 1, a third of the rest at 1 / 1024, ...: crowds inside of crowds
};
inline constexpr std::array kBlockWorlds{BlockWorld::kUniform,  BlockWorld::kGrid,      BlockWorld::kPoint,
                                         BlockWorld::kLine,     BlockWorld::kPlane,     BlockWorld::kHuge,
                                         BlockWorld::kTiny,     BlockWorld::kDenormals, BlockWorld::kSigns,
                                         BlockWorld::kClusters, BlockWorld::kSizes,     BlockWorld::kScales};

inline std::string_view name(BlockWorld world) {
  constexpr std::array<std::string_view, kBlockWorlds.size()> kNames{
      "uniform", "grid",      "point", "line",     "plane", "huge",
      "tiny",    "denormals", "signs", "clusters", "sizes", "scales"};
  return kNames[static_cast<std::size_t>(world)];
}

/// In [0, 1): a multiple of 2^-24, so that centres rarely meet.
template <class Draw>
float fraction(Draw& draw) {
  return static_cast<float>(draw.below(1U << 24)) * 0x1p-24F;
}

/// The largest power of two whose D-th power is at most n: the same on every machine.
template <int D>
float side_of(std::size_t n) {
  float side = 1;
  for (std::size_t cells = 1; cells <= n >> D; cells <<= D) {
    side *= 2;
  }
  return side;
}

/// Low side and edge along one axis of box i; `side` is that of the uniform world.
template <class Draw>
std::array<float, 2> draw_block_edge(Draw& draw, BlockWorld world, int axis, int axes, std::size_t i,
                                     float side) {
  constexpr float kMax = std::numeric_limits<float>::max();
  constexpr float kLeast = std::numeric_limits<float>::denorm_min();
  const auto small = [&](std::uint32_t bound) { return static_cast<float>(draw.below(bound)); };
  const float even = fraction(draw) * side, edge = 0.25F + fraction(draw) * 0.5F;
  switch (world) {
    case BlockWorld::kUniform:
      return {even, edge};
    case BlockWorld::kGrid:
      return {small(6) - 3, 2 * small(2)};
    case BlockWorld::kPoint:
      return {3, 0};
    case BlockWorld::kLine:
      return {axis == axes - 1 ? even * side : 0.0F, 1};
    case BlockWorld::kPlane:
      return {axis == 0 ? 0.0F : even, edge};
    case BlockWorld::kHuge:
      return draw.below(16) == 0 ? std::array{-kMax, std::numeric_limits<float>::infinity()}
                                 : std::array{(even / side - 0.5F) * 8e30F, edge * 4e30F};
    case BlockWorld::kTiny:
      return {(even / side - 0.5F) * 8e-30F, edge * 4e-30F};
    case BlockWorld::kDenormals:
      return {(small(21) - 10) * kLeast, small(4) * kLeast};
    case BlockWorld::kSigns: {
      constexpr std::array kLows{0.0F, -0.0F, -kLeast, kLeast, -1.0F, 1.0F};
      return {kLows[draw.below(6)], draw.below(2) == 0 ? 0.0F : 1.0F};
    }
    case BlockWorld::kClusters:
      return {even + (i % 2 == 0 ? 0.0F : 1e6F), edge};
    case BlockWorld::kSizes:
      return {even, std::ldexp(edge, static_cast<int>(draw.below(41)) - 20)};
    case BlockWorld::kScales: {
      // The scale belongs to the box, not to the axis.
      int scale = 0;
      for (std::size_t k = i; k % 3 != 0 && scale > -100; k /= 3) {
        scale -= 10;
      }
      return {std::ldexp(even / side, scale), std::ldexp(edge, scale - 4)};
    }
  }
  return {};
}

/// n boxes, none inverted, all finite.
template <int D, class Draw>
std::vector<Aabb<D>> make_block_world(Draw& draw, BlockWorld world, std::size_t n) {
  const float side = side_of<D>(n);
  std::vector<Aabb<D>> boxes(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int axis = 0; axis < D; ++axis) {
      const auto [lo, edge] = draw_block_edge(draw, world, axis, D, i, side);
      boxes[i].lo[axis] = lo;
      // A box without a size keeps the sign of its zero: -0 + 0 would lose it.
      boxes[i].hi[axis] = edge == 0 ? lo : std::min(lo + edge, std::numeric_limits<float>::max());
    }
  }
  return boxes;
}

/// By value: -0 equals 0. A total order of sound boxes.
template <int D>
bool less_box(const Aabb<D>& a, const Aabb<D>& b) {
  for (int axis = 0; axis < D; ++axis) {
    if (a.lo[axis] != b.lo[axis]) {
      return a.lo[axis] < b.lo[axis];
    }
    if (a.hi[axis] != b.hi[axis]) {
      return a.hi[axis] < b.hi[axis];
    }
  }
  return false;
}

}  // namespace juxta::test
