// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "juxta/layer/raycast.h"
#include "juxta/math/aabb.h"

namespace juxta::scenes {

/// Worlds of moving boxes. Edges are full lengths and drawn for each axis unless it says cubes; N is the
/// count.
///
/// Draws: uniform numbers are those of draws.h. A normal number is the sum of twelve uniform ones less 6
/// (tails end at 6 sigma, kurtosis 2.9); e^x and cube roots are computed from + - * / alone in double, so
/// that every machine and compiler makes the same boxes. The order of the boxes says nothing about their
/// places.
enum class BoxSet : std::uint8_t {
  kUniform,    ///< Centres even in a cube of side N^(1/3), edges U[.4, 1.2]: about 2 pairs per box.
  kClustered,  ///< Clusters of e^N(ln 30, 1.5) boxes (20,000 at most) around even centres in a cube of side
               ///< 4 N^(1/3), normal with sigma .4 size^(1/3); edges U[.4, 1.6]. Clusters stay together.
  kMixed,      ///< Cubes of edge .1 / sqrt(1 - u) (.6 sides at most) in a cube of side (10 N)^(1/3), 100 for
               ///< 100k, and among them 4 of .6 sides.
  kFlatX,  ///< All share the x interval [0, 1], where a sweep along x rules out nothing; y and z even in a
           ///< square of side N^(1/2), edges U[.4, 1.2].
  kIdentical,  ///< N times the same unit cube: every pair overlaps.
};
inline constexpr std::array kBoxSets{BoxSet::kUniform, BoxSet::kClustered, BoxSet::kMixed, BoxSet::kFlatX,
                                     BoxSet::kIdentical};

[[nodiscard]] std::string_view name(BoxSet set) noexcept;  ///< "uniform", "clustered", "mixed", ...

/// Boxes on their way, between walls at 0 and `side`.
struct BoxWorld {
  std::vector<Aabb3> boxes;
  /// Per frame, U[-.08, .08] on each axis. kClustered: the same for a cluster; kFlatX: 0 along x; kIdentical:
  /// the same for all.
  std::vector<Vec3> velocities;
  float side = 0;
  /// kClustered alone: what each box adds to its cluster's velocity for 8 frames and takes back in the next
  /// 8, U[-.08, .08], so that neighbours change and clusters do not dissolve.
  std::vector<Vec3> swings = {};
  std::uint32_t frame = 0;  ///< How often it has advanced.
};

/// The same bits for the same arguments on every machine. Cost: 20 to 60 ns a box.
[[nodiscard]] BoxWorld make_boxes(BoxSet set, std::size_t count, std::uint64_t seed);

/// One frame: every box moves by its velocity; where a centre is outside of a wall, the velocity first turns
/// inwards.
void advance(BoxWorld& world);

/// Boxes to ask with: centres even in the bounds of the world's centres, edges 1.1 times those of a box drawn
/// from the world: 4.7 hits a query in a uniform world of 100k.
[[nodiscard]] std::vector<Aabb3> make_query_boxes(const BoxWorld& world, std::size_t count,
                                                  std::uint64_t seed);

/// Rays without an end: origins even in the bounds of the boxes, directions of length one, even on the
/// sphere.
[[nodiscard]] std::vector<Ray3> make_query_rays(const BoxWorld& world, std::size_t count, std::uint64_t seed);

}  // namespace juxta::scenes
