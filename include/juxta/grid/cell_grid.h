// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "juxta/math/world.h"

namespace juxta {

/// Which cells are near a cell.
enum class NearShape : std::uint8_t {
  kMoore,       ///< Up to `radius` along each axis: a square. 8 cells for radius 1, in space 26.
  kVonNeumann,  ///< Up to `radius` steps along the axes: a diamond. 4 cells for radius 1, in space 6.
};

struct Neighbourhood {
  std::uint32_t radius = 1;
  NearShape shape = NearShape::kMoore;

  friend bool operator==(const Neighbourhood&, const Neighbourhood&) = default;
};

/// A grid of cells and what is at its edges, but nothing in it: which cell is where, and which are near.
///
///   y  | 8  9 10 11 |     4 x 3 cells: cell (x, y, z) is number x + nx * (y + ny * z), x fastest, as in a
///   ^  | 4  5  6  7 |     Field. It covers [x, x + 1) along x, and so on.
///   |  | 0  1  2  3 |
///      +------------> x   kPeriodic: next to the last cell is the first. Else nothing is beyond the edges.
///
/// A plain value: set it as you like. Members ask for 1 cell or more along each axis, and for cells that are
/// there; they check nothing. Any thread.
struct CellGrid {
  std::array<std::uint32_t, 3> cells = {1, 1, 1};  ///< Along x, y and z. In 2D the third is 1.
  std::array<Edge, 3> edges = {Edge::kWall, Edge::kWall, Edge::kWall};

  [[nodiscard]] std::size_t size() const noexcept { return std::size_t{cells[0]} * cells[1] * cells[2]; }
  [[nodiscard]] std::uint32_t cell_at(std::uint32_t x, std::uint32_t y, std::uint32_t z = 0) const noexcept {
    return x + cells[0] * (y + cells[1] * z);
  }
  [[nodiscard]] std::array<std::uint32_t, 3> place_of(std::uint32_t cell) const noexcept {
    const std::uint32_t line = cell / cells[0];
    return {cell % cells[0], cells[2] == 1 ? line : line % cells[1], cells[2] == 1 ? 0 : line / cells[1]};
  }
  [[nodiscard]] std::uint32_t x_of(std::uint32_t cell) const noexcept { return place_of(cell)[0]; }
  [[nodiscard]] std::uint32_t y_of(std::uint32_t cell) const noexcept { return place_of(cell)[1]; }
  [[nodiscard]] std::uint32_t z_of(std::uint32_t cell) const noexcept { return place_of(cell)[2]; }

  /// The grid as a world: from 0 to as many as there are cells along each axis.
  [[nodiscard]] World world() const noexcept {
    World world{.dimensions = cells[2] == 1 ? 2U : 3U};
    for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
      world.edges[axis] = edges[axis];
      world.hi[axis] = static_cast<float>(cells[axis]);
    }
    return world;
  }

  /// Where one gets from coordinate `at` along an axis by `steps`, each of at most a turn around the world:
  /// across a periodic edge, and to the last cell before another one.
  [[nodiscard]] std::uint32_t walk(std::uint32_t axis, std::uint32_t at, std::int32_t steps) const noexcept {
    const auto count = static_cast<std::int64_t>(cells[axis]);
    const std::int64_t to = std::int64_t{at} + steps;
    if (edges[axis] == Edge::kPeriodic) {
      return static_cast<std::uint32_t>(to < 0 ? to + count : to >= count ? to - count : to);
    }
    return static_cast<std::uint32_t>(larger(0, smaller(to, count - 1)));
  }

  /// Calls body(cell) for each cell near one, but not for that one. Each comes once, however small the world
  /// is; in it the distance of two cells is the shorter way around. In the order of z, then y, then x, from
  /// the lowest offset to the highest.
  template <class Body>
  void visit_near(std::uint32_t cell, const Neighbourhood& near, Body&& body) const {
    const std::array<std::uint32_t, 3> from = place_of(cell);
    const std::array<Reach, 3> reach = {reach_of(0, from[0], near.radius), reach_of(1, from[1], near.radius),
                                        reach_of(2, from[2], near.radius)};
    const bool diamond = near.shape == NearShape::kVonNeumann;
    for (std::int64_t dz = reach[2].lo; dz <= reach[2].hi; ++dz) {
      for (std::int64_t dy = reach[1].lo; dy <= reach[1].hi; ++dy) {
        const std::int64_t radius = near.radius;
        const std::int64_t left = diamond ? radius - std::abs(dz) - std::abs(dy) : radius;
        const std::uint32_t line = cell_at(0, wrapped(1, from[1] + dy), wrapped(2, from[2] + dz));
        for (std::int64_t dx = larger(reach[0].lo, -left); dx <= smaller(reach[0].hi, left); ++dx) {
          if (dx != 0 || dy != 0 || dz != 0) {
            body(line + wrapped(0, from[0] + dx));
          }
        }
      }
    }
  }

  /// The same for the cells exactly `radius` away, counted as kMoore does: the edge of a square.
  template <class Body>
  void visit_ring(std::uint32_t cell, std::uint32_t radius, Body&& body) const {
    const std::array<std::uint32_t, 3> from = place_of(cell);
    const std::array<Reach, 3> reach = {reach_of(0, from[0], radius), reach_of(1, from[1], radius),
                                        reach_of(2, from[2], radius)};
    const std::int64_t far = radius;
    // Lines that hold nothing of the ring are passed over: a narrow grid would have many.
    const auto reaches = [&](std::uint32_t axis) { return reach[axis].lo <= -far || reach[axis].hi >= far; };
    const bool ends = reaches(0), lines = ends || reaches(1);
    for (std::int64_t dz = reach[2].lo; dz <= reach[2].hi; dz = lines || dz == far ? dz + 1 : far) {
      const bool face = std::abs(dz) == far;
      for (std::int64_t dy = reach[1].lo; dy <= reach[1].hi; dy = face || ends || dy == far ? dy + 1 : far) {
        const bool whole = face || std::abs(dy) == far;
        const std::uint32_t line = cell_at(0, wrapped(1, from[1] + dy), wrapped(2, from[2] + dz));
        for (std::int64_t dx = reach[0].lo; dx <= reach[0].hi; dx = whole || dx == far ? dx + 1 : far) {
          if (whole || std::abs(dx) == far) {
            body(line + wrapped(0, from[0] + dx));
          }
        }
      }
    }
  }

  friend bool operator==(const CellGrid&, const CellGrid&) = default;

 private:
  struct Reach {
    std::int64_t lo, hi;
  };
  // Those of <algorithm>, which is slow to compile.
  [[nodiscard]] static std::int64_t smaller(std::int64_t a, std::int64_t b) noexcept { return a < b ? a : b; }
  [[nodiscard]] static std::int64_t larger(std::int64_t a, std::int64_t b) noexcept { return a < b ? b : a; }
  [[nodiscard]] Reach reach_of(std::uint32_t axis, std::uint32_t at, std::int64_t radius) const noexcept {
    const std::int64_t count = cells[axis], here = at;
    return edges[axis] == Edge::kPeriodic
               ? Reach{-smaller(radius, (count - 1) / 2), smaller(radius, count / 2)}
               : Reach{-smaller(radius, here), smaller(radius, count - 1 - here)};
  }
  [[nodiscard]] std::uint32_t wrapped(std::uint32_t axis, std::int64_t at) const noexcept {
    const std::int64_t count = cells[axis];
    return static_cast<std::uint32_t>(at < 0 ? at + count : at >= count ? at - count : at);
  }
};

}  // namespace juxta
