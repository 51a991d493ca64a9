// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the columns of a flock.
#pragma once

#include <array>
#include <cstdint>
#include <memory_resource>

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
  void resize(std::size_t count, std::uint32_t dimensions) {
    for (std::uint32_t a = 0; a < dimensions; ++a) {
      position[a].resize_discard(count);
      velocity[a].resize_discard(count);
    }
    number.resize_discard(count);
  }
  std::array<Array<float>, 3> position, velocity;
  Array<std::uint32_t> number;
};

/// A step sorts `now` into `sorted` by cells, then computes `now` from `sorted`, row by row: boids stand in
/// the order of the cells where they were one step ago.
struct FlockStore {
  FlockStore(const FlockOptions& how, std::pmr::memory_resource* resource)
      : options(how),
        memory(resource),
        now(resource),
        sorted(resource),
        pull{Array<float>(resource), Array<float>(resource), Array<float>(resource)},
        directory(resource),
        scratch(resource) {}

  FlockOptions options;
  std::pmr::memory_resource* memory;
  std::size_t count = 0;
  std::uint64_t steps = 0;
  FlockColumns now, sorted;
  std::array<Array<float>, 3> pull;  // of `sorted` (see FlockSweep)
  Directory directory;               // of `sorted`
  Workspace scratch;

  [[nodiscard]] float pull_of_position() const noexcept {
    return (1 - options.rules.align) * options.rules.cohere;
  }
  /// Sums of positions lose digits far from the middle: about 1e-5 of a velocity at this size.
  [[nodiscard]] bool folds() const noexcept { return options.half_size <= 80; }
  /// A new flock of as many boids.
  void resize(std::size_t boids) {
    now.resize(boids, options.dimensions);
    sorted.resize(boids, options.dimensions);
    for (std::uint32_t a = 0; a < options.dimensions; ++a) {
      pull[a].resize_discard(boids);
    }
    count = boids;
    steps = 0;
  }
};

/// `now` into `sorted`, by cells, with the directory; at least one boid.
void sort_flock(FlockStore& store, const Executor& executor);

}  // namespace juxta::agents_detail
