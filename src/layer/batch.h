// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: many queries in the order of space.
#pragma once

#include <algorithm>
#include <atomic>
#include <limits>
#include <span>
#include <string>

#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/query.h"
#include "juxta/math/aabb.h"
#include "juxta/order/block_order.h"
#include "layer/query_kernel.h"

namespace juxta::layer_detail {

inline constexpr std::size_t kBatchGrain = 128;  // queries a task

/// The same box for finite boxes: infinite sides become the largest floats. Not for empty ones.
template <int D>
[[nodiscard]] Aabb<D> finite_sides(Aabb<D> box) noexcept {
  constexpr float kLargest = std::numeric_limits<float>::max();
  for (int axis = 0; axis < D; ++axis) {
    box.lo[axis] = std::clamp(box.lo[axis], -kLargest, kLargest);
    box.hi[axis] = std::clamp(box.hi[axis], -kLargest, kLargest);
  }
  return box;
}

/// A box of infinite sides beyond the largest float holds nothing, but clamping would make it touch that
/// float.
template <int D>
[[nodiscard]] bool holds_nothing(const Aabb<D>& box) noexcept {
  constexpr float kLargest = std::numeric_limits<float>::max();
  for (int axis = 0; axis < D; ++axis) {
    if (box.lo[axis] > kLargest || box.hi[axis] < -kLargest) {
      return true;
    }
  }
  return box.empty();
}

/// Queries that ask for something, in the order of space.
template <int D>
struct SortedQueries {
  std::span<const Aabb<D>> boxes;        // one a query asked; finite
  std::span<const std::uint32_t> query;  // which query it is
  std::span<const std::uint32_t> order;  // indices into boxes
};

/// `box_of(i, box)` makes the finite box where query i looks, or says that it asks for nothing (false).
template <int D, class BoxOf>
[[nodiscard]] SortedQueries<D> sort_queries(std::size_t count, Workspace& workspace, const Executor* executor,
                                            BoxOf&& box_of) {
  const std::span<Aabb<D>> boxes = workspace.take<Aabb<D>>(count);
  const std::span<std::uint32_t> query = workspace.take<std::uint32_t>(count);
  std::size_t asked = 0;
  for (std::size_t i = 0; i < count; ++i) {
    query[asked] = static_cast<std::uint32_t>(i);
    asked += box_of(i, boxes[asked]) ? 1 : 0;
  }
  const std::span<std::uint32_t> order = workspace.take<std::uint32_t>(asked);
  // Boxes are sound and lengths agree; without an instruction set there is no layer to ask.
  (void)block_order<D>(boxes.first(asked), order, OrderQuality::kFast,
                       {.executor = executor, .workspace = &workspace});
  return {boxes.first(asked), query.first(asked), order};
}

/// For box queries.
template <int D>
[[nodiscard]] SortedQueries<D> sort_boxes(std::span<const Aabb<D>> boxes, Workspace& workspace,
                                          const Executor* executor) {
  return sort_queries<D>(boxes.size(), workspace, executor, [&](std::size_t i, Aabb<D>& box) {
    box = finite_sides(boxes[i]);
    return !holds_nothing(boxes[i]);
  });
}

/// What the tasks of a batch did, added up.
class SharedWork {
 public:
  void add(const SearchWork& work, std::size_t found) noexcept {
    tested_.fetch_add(work.tested, std::memory_order_relaxed);
    visited_.fetch_add(work.visited, std::memory_order_relaxed);
    found_.fetch_add(found, std::memory_order_relaxed);
  }
  [[nodiscard]] QueryResult result() const noexcept { return {found_, found_, tested_, visited_}; }

 private:
  std::atomic<std::size_t> tested_{0}, visited_{0}, found_{0};
};

[[nodiscard]] inline tl::unexpected<Error> unlike_lengths(std::size_t queries, std::size_t answers) {
  return fail(ErrorCode::kInvalidArgument, std::to_string(queries) + " queries, but room for " +
                                               std::to_string(answers) + " answers: give one for each");
}

}  // namespace juxta::layer_detail
