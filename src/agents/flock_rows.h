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

/// Buffers of one task: the sorted boids of one block of rows of cells.
struct FlockScratch {
  explicit FlockScratch(std::pmr::memory_resource* memory);
  /// For a block of so many boids, so many of them in one row of cells, and so many cells, in a world of so
  /// many rows.
  void make_room(std::size_t boids, std::size_t in_a_row, std::size_t cells, std::size_t all_rows);
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
  std::vector<FlockScratch> buffers;  // one for each task
  unsigned threads = 0;               // usable_threads(), once asked

  [[nodiscard]] std::size_t memory_bytes() const noexcept;
};

/// After sort_flock() and move_flock(): where rows of cells begin, for the next step.
void keep_rows(FlockStore& store);
/// sort_flock() and move_flock() in one, with the same bits. False if that is not possible; nothing has
/// changed then.
[[nodiscard]] bool step_by_rows(FlockStore& store, const Executor& executor);

}  // namespace juxta::agents_detail
