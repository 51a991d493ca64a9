// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classics/agents/boids_grid.h"

namespace juxta::classics {

/// A boid of the plane.
struct Boid {
  float x = 0, y = 0, vx = 0, vy = 0;
};

/// One state of all boids, an array for each of x, y, vx and vy, and the number of the boid in each row.
///
///   row      0    1    2   ..  size-1 |  room, never a boid
///   x       .3   .1   .9   ..    .4   |  0  0  0  ..  0
///   number   7    2    5   ..     0
struct BoidColumns {
  static constexpr std::size_t kRoom = 16;  ///< Floats behind the last boid, for whole vectors.

  void resize(std::size_t count);
  /// Row i is boid i.
  void assign(std::span<const Boid> boids);
  /// By number. As many as there are.
  void copy_to(std::span<Boid> boids) const;

  [[nodiscard]] std::size_t size() const noexcept { return number.size(); }
  [[nodiscard]] Boid at(std::size_t row) const noexcept { return {x[row], y[row], vx[row], vy[row]}; }
  void put(std::size_t row, const Boid& boid) noexcept {
    x[row] = boid.x;
    y[row] = boid.y;
    vx[row] = boid.vx;
    vy[row] = boid.vy;
  }

  std::vector<float> x, y, vx, vy;
  std::vector<std::uint32_t> number;
};

/// A counting sort by cell, `from` -> `to`; boids of one cell keep their order. starts[cell] becomes the
/// first row of the cell in `to`; it has one entry more than there are cells. Reads and writes every column
/// once.
void sort_by_cell(const BoidColumns& from, std::span<const std::uint32_t> cell_of_boid, std::size_t cells,
                  BoidColumns& to, std::vector<std::uint32_t>& starts);

/// Boids that each step writes anew in the order of square cells, row by row: what the last stage of the
/// article and its scalar twin share.
///
///   cells of row y   | 0 . . | 3 . | 5 . . . | ..     starts -> rows of `sorted`
struct BoidsInCellOrder {
  explicit BoidsInCellOrder(const BoidsGrid& where) : grid(where) {}
  void set(std::span<const Boid> boids);
  /// now -> sorted, and starts.
  void sort();
  /// The rows of `sorted` become those of `now`, which a step has filled.
  void take() { now.number.swap(sorted.number); }

  BoidsGrid grid;
  BoidColumns now, sorted;
  std::vector<std::uint32_t> starts, cell_of_boid;
};

}  // namespace juxta::classics
