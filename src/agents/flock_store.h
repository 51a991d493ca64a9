// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the columns of a flock.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>

#include "agents/directory.h"
#include "agents/flock_rows.h"
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
  /// What is there stays.
  void resize(std::size_t count, std::uint32_t dimensions) {
    for (std::uint32_t a = 0; a < dimensions; ++a) {
      position[a].resize(count);
      velocity[a].resize(count);
    }
    number.resize(count);
  }
  std::array<Array<float>, 3> position, velocity;
  Array<std::uint32_t> number;
};

struct FlockRanks;

/// A step sorts `now` into `sorted` by cells, then computes `now` from `sorted`, row by row: boids stand in
/// the order of the cells where they were one step ago. A step by rows (flock_rows.h) computes `sorted` from
/// `now` and swaps them; `pull` and `directory.begins` are then those of an earlier step.
struct FlockStore {
  FlockStore(const FlockOptions& how, std::pmr::memory_resource* resource);
  ~FlockStore();

  FlockOptions options;
  std::pmr::memory_resource* memory;
  std::size_t count = 0;
  std::uint64_t steps = 0;
  FlockColumns now, sorted;
  std::array<Array<float>, 3> pull;  // of `sorted` (see FlockSweep)
  Directory directory;               // of `sorted`
  Workspace scratch;
  FlockRows rows;
  std::unique_ptr<FlockRanks> ranks;  // null: all boids are here

  [[nodiscard]] float pull_of_position() const noexcept {
    return (1 - options.rules.align) * options.rules.cohere;
  }
  /// Sums of positions lose digits far from the middle: about 1e-5 of a velocity at this size.
  [[nodiscard]] bool folds() const noexcept { return options.half_size <= 80; }
  void resize_sorted(std::size_t boids) {
    sorted.resize_discard(boids, options.dimensions);
    for (std::uint32_t a = 0; a < options.dimensions; ++a) {
      pull[a].resize_discard(boids);
    }
  }
  /// A new flock of as many boids.
  void resize(std::size_t boids) {
    now.resize_discard(boids, options.dimensions);
    resize_sorted(boids);
    count = boids;
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

/// The cells of boids of `now` from `begin` on. Over ranks: in the directory of this rank, or
/// FlockRanks::own_cells() for boids that belong to another one.
void find_flock_cells(const FlockStore& store, std::size_t begin, std::span<std::uint32_t> cells,
                      const Executor& executor);
/// The order of `now` by cells, below `cell_count`, with the directory. Boids of cell `cell_count` stay out,
/// and FlockStore::count is that of the others. There is at least one boid.
void order_flock(FlockStore& store, std::span<const std::uint32_t> cells, std::size_t cell_count,
                 std::span<std::uint32_t> order, const Executor& executor);
/// `now` in that order becomes `sorted`.
void gather_flock(FlockStore& store, std::span<const std::uint32_t> order, const Executor& executor);
/// All of it, on one machine.
void sort_flock(FlockStore& store, const Executor& executor);
/// The rules for the rows [first, last) of `sorted`, into `now`. `poked` has messages under way, or is null.
void move_flock(FlockStore& store, std::size_t first, std::size_t last, const Executor& executor,
                Ranks* poked = nullptr);

}  // namespace juxta::agents_detail
