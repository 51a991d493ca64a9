// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the columns of a flock.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>

#include "agents/directory.h"
#include "juxta/agents/flock.h"
#include "juxta/core/array.h"
#include "juxta/core/workspace.h"

namespace juxta::agents_detail {

/// One value per boid in each; padded, so that kernels need no tail code.
struct FlockColumns {
  explicit FlockColumns(std::pmr::memory_resource* memory)
      : position{Array<float>(memory), Array<float>(memory), Array<float>(memory)},
        velocity{Array<float>(memory), Array<float>(memory), Array<float>(memory)},
        number(memory) {}
  void resize_discard(std::size_t count, std::uint32_t dimensions) {
    for (std::uint32_t a = 0; a < dimensions; ++a) {
      position[a].resize_discard(count);
      velocity[a].resize_discard(count);
    }
    number.resize_discard(count);
  }
  std::array<Array<float>, 3> position, velocity;
  Array<std::uint32_t> number;
};

struct FlockRanks;

/// A step sorts `now` into `sorted` by cells, then computes `now` from `sorted`, row by row: boids stand in
/// the order of the cells where they were one step ago.
struct FlockStore {
  FlockStore(const FlockOptions& how, std::pmr::memory_resource* resource);
  ~FlockStore();

  FlockOptions options;
  std::pmr::memory_resource* memory;
  std::size_t count = 0;
  std::size_t first = 0;  // row of the first own boid; over ranks, boids of other ranks stand before it
  std::uint64_t steps = 0;
  FlockColumns now, sorted;
  std::array<Array<float>, 3> pull;  // of `sorted` (see FlockSweep)
  Directory directory;               // of `sorted`
  Workspace scratch;
  std::unique_ptr<FlockRanks> ranks;  // null: all boids are here

  [[nodiscard]] float pull_of_position() const noexcept {
    return (1 - options.rules.align) * options.rules.cohere;
  }
  /// Sums of positions lose digits far from the middle: about 1e-5 of a velocity at this size.
  [[nodiscard]] bool folds() const noexcept { return options.half_size <= 80; }
  void resize_sorted(std::size_t rows) {
    sorted.resize_discard(rows, options.dimensions);
    for (std::uint32_t a = 0; a < options.dimensions; ++a) {
      pull[a].resize_discard(rows);
    }
  }
  /// A new flock of as many boids.
  void resize(std::size_t boids) {
    now.resize_discard(boids, options.dimensions);
    resize_sorted(boids);
    count = boids;
    first = 0;
    steps = 0;
  }
  [[nodiscard]] std::size_t cells() const noexcept {
    const auto& axis = directory.grid.axis;
    return std::size_t{axis[0].cells} * axis[1].cells * axis[2].cells;
  }
};

inline constexpr std::size_t kMostBoids = (std::size_t{1} << 31) - 1;

/// Cells for a flock of so many boids, wherever they are.
void plan_cells(FlockStore& store, std::size_t boids) noexcept;

/// Cells [first, last) of the order.
struct CellWindow {
  std::size_t first, last;
};
/// The cells of rows of `now` from `begin` on, less the window's first one; those outside get the number of
/// its cells.
void find_flock_cells(const FlockStore& store, std::size_t begin, CellWindow window,
                      std::span<std::uint32_t> cells, const Executor& executor);
/// Rows of `now` from `begin` on, as many as `cells`, into `sorted` by their cells, with the directory; those
/// that are in no cell of the window stay out. At least one.
void sort_flock(FlockStore& store, std::size_t begin, CellWindow window, std::span<const std::uint32_t> cells,
                const Executor& executor);
/// The same for all of `now`, on one machine.
void sort_flock(FlockStore& store, const Executor& executor);
/// The rules for the rows [first, last) of `sorted`, into `now`.
void move_flock(FlockStore& store, std::size_t first, std::size_t last, const Executor& executor);

}  // namespace juxta::agents_detail
