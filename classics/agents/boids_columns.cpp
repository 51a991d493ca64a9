// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "classics/agents/boids_columns.h"

namespace juxta::classics {

void BoidColumns::resize(std::size_t count) {
  for (auto* column : {&x, &y, &vx, &vy}) {
    column->resize(count + kRoom);
  }
  number.resize(count);
}

void BoidColumns::assign(std::span<const Boid> boids) {
  resize(boids.size());
  for (std::size_t i = 0; i < boids.size(); ++i) {
    put(i, boids[i]);
    number[i] = static_cast<std::uint32_t>(i);
  }
}

void BoidColumns::copy_to(std::span<Boid> boids) const {
  for (std::size_t row = 0; row < size(); ++row) {
    boids[number[row]] = at(row);
  }
}

void sort_by_cell(const BoidColumns& from, std::span<const std::uint32_t> cell_of_boid, std::size_t cells,
                  BoidColumns& to, std::vector<std::uint32_t>& starts) {
  starts.assign(cells + 1, 0);
  for (const std::uint32_t cell : cell_of_boid) {
    ++starts[cell];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& start : starts) {
    start = sum += start;
  }
  // starts[cell] is where the cell ends; filled from the back, it becomes where it starts.
  for (std::size_t i = cell_of_boid.size(); i-- > 0;) {
    const std::uint32_t row = --starts[cell_of_boid[i]];
    to.x[row] = from.x[i];
    to.y[row] = from.y[i];
    to.vx[row] = from.vx[i];
    to.vy[row] = from.vy[i];
    to.number[row] = from.number[i];
  }
}

void BoidsInCellOrder::set(std::span<const Boid> boids) {
  now.assign(boids);
  sorted.resize(boids.size());
  cell_of_boid.resize(boids.size());
}

void BoidsInCellOrder::sort() {
  for (std::size_t i = 0; i < cell_of_boid.size(); ++i) {
    cell_of_boid[i] = grid.cell_of(now.y[i]) * grid.cells + grid.cell_of(now.x[i]);
  }
  sort_by_cell(now, cell_of_boid, std::size_t{grid.cells} * grid.cells, sorted, starts);
}

}  // namespace juxta::classics
