// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a step of a large flock in a plane, some rows of cells at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <vector>

#include "agents/directory.h"
#include "core/mutex.h"
#include "juxta/core/array.h"
#include "juxta/core/executor.h"
#include "juxta/core/workspace.h"

namespace juxta::agents_detail {

struct FlockStore;

/// Of fewer boids all columns stay in the caches, where sorting them at once is a little faster.
inline constexpr std::size_t kManyBoids = 160'000;

/// Memory for one block of rows of cells: its boids, sorted.
struct FlockBench {
  explicit FlockBench(std::pmr::memory_resource* memory) noexcept : directory(memory), scratch(memory) {}
  Directory directory;
  Workspace scratch;
};

/// What FlockStore keeps for it.
struct FlockRows {
  explicit FlockRows(std::pmr::memory_resource* resource) noexcept : memory(resource), begins(resource) {}

  std::pmr::memory_resource* memory;
  Array<std::uint32_t> begins;  // the first boid of each row of cells in FlockStore::now; empty: not known
  core_detail::Mutex mutex;     // of `benches`
  std::vector<std::unique_ptr<FlockBench>> benches;  // that no thread has

  [[nodiscard]] std::size_t memory_bytes() const noexcept;
};

/// After sort_flock() and move_flock(): where rows of cells begin, for the next step.
void keep_rows(FlockStore& store);
/// sort_flock() and move_flock(), with the same bits. False, and nothing has changed: it cannot be done.
[[nodiscard]] bool step_by_rows(FlockStore& store, const Executor& executor);

}  // namespace juxta::agents_detail
