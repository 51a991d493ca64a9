// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a step of a large flock in a plane, some rows of cells at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "agents/directory.h"
#include "juxta/core/array.h"
#include "juxta/core/executor.h"

namespace juxta::agents_detail {

struct FlockStore;

/// Of fewer boids all columns stay in the caches, where sorting them at once is a little faster.
inline constexpr std::size_t kManyBoids = 160'000;

/// Memory for one block of rows of cells: its boids, sorted.
struct FlockBench {
  explicit FlockBench(std::pmr::memory_resource* memory);
  /// For so many boids, so many of them in one row of cells, and so many rows in a block and in the world.
  void make_room(std::size_t boids, std::size_t in_a_row, std::size_t rows_of_block, std::size_t rows);
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

  std::array<Array<float>, 2> position, velocity, pull;
  Array<std::uint32_t> rows, row_cells, order;  // of one row of cells
  Array<std::uint32_t> places;                  // Directory::places
  Directory directory;
};

/// What FlockStore keeps for it.
struct FlockRows {
  explicit FlockRows(std::pmr::memory_resource* resource) noexcept : memory(resource), begins(resource) {}

  std::pmr::memory_resource* memory;
  Array<std::uint32_t> begins;  // the first boid of each row of cells in FlockStore::now; empty: not known
  std::vector<FlockBench> benches;  // of tasks that run side by side
  unsigned threads = 0;             // usable_threads(), once asked

  [[nodiscard]] std::size_t memory_bytes() const noexcept;
};

/// After sort_flock() and move_flock(): where rows of cells begin, for the next step.
void keep_rows(FlockStore& store);
/// sort_flock() and move_flock(), with the same bits. False, and nothing has changed: it cannot be done.
[[nodiscard]] bool step_by_rows(FlockStore& store, const Executor& executor);

}  // namespace juxta::agents_detail
