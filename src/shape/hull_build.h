// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the hull of points, in whole numbers.
//
// The points are rounded to a grid of 2^29 steps across their box. A plane through three of them and the side
// of a fourth are then exact in 64 and 128 bits: the hull is closed and convex whatever the points are, and
// the same on every machine. The grid is 250 times finer than what a hull may leave out (2^-20 of its size).
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "juxta/math/qvvs.h"
#include "shape/frame.h"

namespace juxta::shape_detail {

__extension__ using Wide = __int128;

/// "None": of faces, points and half-edges.
inline constexpr std::uint32_t kNoIndex = ~std::uint32_t{0};

/// A place on the grid, |coordinate| <= 2^28; or the difference of two.
struct GridPoint {
  std::int64_t x = 0, y = 0, z = 0;
};
[[nodiscard]] constexpr GridPoint operator-(const GridPoint& a, const GridPoint& b) noexcept {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
/// Of differences of places (30 bits): fits 61.
[[nodiscard]] constexpr GridPoint cross(const GridPoint& a, const GridPoint& b) noexcept {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] constexpr Wide dot(const GridPoint& a, const GridPoint& b) noexcept {
  return Wide{a.x} * b.x + Wide{a.y} * b.y + Wide{a.z} * b.z;
}
[[nodiscard]] inline double length(const GridPoint& a) noexcept {
  return length(V3(static_cast<double>(a.x), static_cast<double>(a.y), static_cast<double>(a.z)));
}

/// A hull that is thinner is flat, or a line, or a point; in steps of the grid: 2^-22.
inline constexpr double kThin = 64;
/// How far a corner may lie below the plane of a face it belongs to: 2^-20.
inline constexpr double kCoplanar = 256;

/// Points on the grid. `middle` + `step` * place is the point, but for rounding.
struct Grid {
  std::vector<GridPoint> places;
  V3 middle;
  double step = 0;  // 0: all points are one
};
[[nodiscard]] Grid grid_of(std::span<const Vec3> points);

/// The four (or fewer) points that a hull starts from: of a flat hull three, of a line two.
struct Corners {
  std::array<std::uint32_t, 4> point{};
  int count = 0;
};
[[nodiscard]] Corners first_corners(std::span<const GridPoint> places);

/// A face of the hull of triangles: corners counter-clockwise seen from outside; across[i] is the face beyond
/// the edge from corner[i] to the next one.
struct HullFace {
  std::array<std::uint32_t, 3> corner{}, across{};
  GridPoint normal;
  Wide farthest = 0;
  std::uint32_t outside = ~std::uint32_t{0};  // list of points that lie above it, the farthest first
  std::uint32_t seen = ~std::uint32_t{0};     // the last point that asked
  std::uint32_t born = 0;                     // how many were made before it
  bool dead = false;
};
/// Quickhull (Barber, Dobkin, Huhdanpaa 1996). Dead faces are left in the list where no other took their
/// place.
[[nodiscard]] std::vector<HullFace> hull_of(std::span<const GridPoint> places, const Corners& start);
/// The corners of a flat hull in order around it.
[[nodiscard]] std::vector<std::uint32_t> polygon_of(std::span<const GridPoint> places, const Corners& start);

/// Faces whose corners lie in one plane, joined.
struct HullPolygons {
  std::vector<std::uint32_t> seed;            // the triangle whose plane it is
  std::vector<std::uint32_t> first, corners;  // as in HullStore, by number of the point
};
[[nodiscard]] HullPolygons join_faces(std::span<const GridPoint> places, std::span<const HullFace> faces);

struct HullStore;
/// The edges and neighbours of a hull whose vertices and faces are there.
void fill_edges(HullStore& store);
/// Planes across edges as sharp as those of a plate, where neither face ends the other. After fill_edges().
void fill_rims(HullStore& store);
/// Its columns, once all else is there.
void fill_columns(HullStore& store);

}  // namespace juxta::shape_detail
