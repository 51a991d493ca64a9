// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "order/block_order.h"
#include "order/block_tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <string>
#include <vector>

#include "core/call_workspace.h"
#include "core/mutex.h"
#include "juxta/core/isa.h"
#include "juxta/core/try.h"
#include "order/code_sort.h"

namespace juxta {
namespace order_detail {
namespace {

constexpr std::size_t kGrain = 8192;         // boxes a task
constexpr std::size_t kCrowd = kBlockLanes;  // boxes that one cell may hold without being ordered inside
constexpr std::size_t kMostBoxes = ~std::uint32_t{0} - 1;
constexpr float kSmallestExtent = 1e-30F;  // below it 1 / extent is not a float; such worlds are points

// The side of a cube that holds one block of the average world, as a power of two: the largest 2^s with at
// least n / 16 such cubes in the extent of the centres. Only exponents are used, so that every machine
// agrees.
template <int D>
int block_exponent(const float (&extent)[D], int longest, std::size_t n) {
  const int wanted = static_cast<int>(std::bit_width(n / kBlockLanes));
  for (int s = longest;; --s) {
    int cubes = 0;
    for (const float e : extent) {
      cubes += e > kSmallestExtent ? std::max(0, std::ilogb(e) - s) : 0;
    }
    if (cubes >= wanted) {
      return s;
    }
  }
}

// Of the centres on one axis; 0 where it is no finite number. It always is, unless another thread writes to
// the boxes meanwhile: answers are then worth nothing, but memory stays right.
template <int D>
float extent_on(const CentreRange<D>& range, int axis) {
  const float extent = range.hi[axis] - range.lo[axis];
  return extent <= std::numeric_limits<float>::max() ? extent : 0;
}

// Cells of an eighth of a block; boxes longer than two, eight, 32 blocks stand apart.
template <int D>
CodeGrid<D> code_grid(const CentreRange<D>& range, std::size_t n) {
  CodeGrid<D> grid;
  float extent[D], longest = 0;
  for (int axis = 0; axis < D; ++axis) {
    grid.origin[axis] = range.lo[axis];
    extent[axis] = extent_on(range, axis);
    longest = std::max(longest, extent[axis]);
  }
  if (longest <= kSmallestExtent) {
    std::fill_n(grid.class_edge, 3, std::numeric_limits<float>::infinity());
    return grid;  // one cell
  }
  const int top = std::ilogb(longest), block = block_exponent(extent, top, n);
  const int bits = std::clamp(top + 1 - block + 1, 1, D == 3 ? 10 : 15);
  grid.bits = static_cast<unsigned>(bits);
  grid.scale = std::ldexp(0.99999F, bits) / longest;
  for (int c = 0; c < 3; ++c) {
    grid.class_edge[c] = std::ldexp(1.0F, std::min(block + 2 + 2 * c, 127));  // centres are at half size
  }
  return grid;
}

// Orders the boxes of one crowded cell as if they were a world of their own, and so on inside.
template <int D>
void order_crowd(std::span<const Aabb<D>> boxes, std::span<std::uint32_t> order, Workspace& workspace) {
  const Workspace::Scope scope(workspace);
  const std::size_t n = order.size();
  const std::span<Aabb<D>> own = workspace.take<Aabb<D>>(n);
  const std::span<std::uint32_t> place = workspace.take<std::uint32_t>(n);
  for (std::size_t i = 0; i < n; ++i) {
    own[i] = boxes[order[i]];
  }
  const CentreRange<D> range = centre_range(own.data(), n);
  order_boxes<D>(own, range, place, workspace, serial_executor());
  for (std::size_t i = 0; i < n; ++i) {
    place[i] = order[place[i]];
  }
  std::copy(place.begin(), place.end(), order.begin());
}

// Workspaces for tasks that run at once: the caller's for one of them, and as many more as are asked for.
class Workspaces {
 public:
  explicit Workspaces(Workspace& first) : free_{&first} {}

  template <class Use>
  void use(Use&& use) {
    Workspace* const taken = take();
    use(*taken);
    const core_detail::Lock lock(mutex_);
    free_.push_back(taken);
  }

 private:
  Workspace* take() {
    const core_detail::Lock lock(mutex_);
    if (free_.empty()) {
      return &more_.emplace_back();
    }
    Workspace* const taken = free_.back();
    free_.pop_back();
    return taken;
  }

  core_detail::Mutex mutex_;
  std::vector<Workspace*> free_;
  std::deque<Workspace> more_;
};

// Orders each run of more than kCrowd equal codes that begins in [first, end). in_memory(use) calls
// use(workspace).
template <int D, class InMemory>
void order_crowds_of(std::span<const Aabb<D>> boxes, std::span<const std::uint32_t> codes,
                     std::span<std::uint32_t> order, std::size_t first, std::size_t end,
                     InMemory&& in_memory) {
  const std::size_t n = codes.size();
  std::size_t i = first;
  while (i > 0 && i < end && codes[i] == codes[i - 1]) {
    ++i;
  }
  for (; i < end && i + kCrowd < n; ++i) {
    if (codes[i] == codes[i + kCrowd]) {
      std::size_t last = i + kCrowd + 1;
      while (last < n && codes[last] == codes[i]) {
        ++last;
      }
      in_memory([&](Workspace& own) { order_crowd(boxes, order.subspan(i, last - i), own); });
      i = last - 1;
    }
  }
}

template <int D>
void order_crowds(std::span<const Aabb<D>> boxes, std::span<const std::uint32_t> codes,
                  std::span<std::uint32_t> order, Workspace& workspace, const Executor& executor) {
  if (&executor == &serial_executor() || codes.size() <= kGrain) {
    order_crowds_of(boxes, codes, order, 0, codes.size(), [&](auto&& use) { use(workspace); });
    return;
  }
  Workspaces workspaces(workspace);
  executor.parallel_for(codes.size(), kGrain, [&](std::size_t first, std::size_t end) {
    order_crowds_of(boxes, codes, order, first, end, [&](auto&& use) { workspaces.use(use); });
  });
}

template <int D>
bool is_one_point(const CentreRange<D>& range) {
  for (int axis = 0; axis < D; ++axis) {
    if (extent_on(range, axis) > kSmallestExtent) {
      return false;
    }
  }
  return true;
}

}  // namespace

template <int D>
CentreRange<D> range_of_all(std::span<const Aabb<D>> boxes, const Executor& executor) {
  CentreRange<D> all;
  // Joined in whatever order tasks end: minima and maxima do not depend on it.
  core_detail::Mutex joining;
  executor.parallel_for(boxes.size(), kGrain * 4, [&](std::size_t first, std::size_t last) {
    const CentreRange<D> part = centre_range(boxes.data() + first, last - first);
    const core_detail::Lock lock(joining);
    all.join(part);
  });
  return all;
}

template <int D>
Result<CentreRange<D>> checked_range(std::span<const Aabb<D>> boxes, const Executor& executor) {
  if (boxes.size() > kMostBoxes) {
    return fail(ErrorCode::kTooLarge, "at most 2^32 - 2 boxes fit: split the world", kMostBoxes);
  }
  JUXTA_TRY(active_isa());
  const CentreRange<D> all = range_of_all(boxes, executor);
  if (all.sound) {
    return all;
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (centre_range_reference(boxes.data() + i, 1).sound) {
      continue;
    }
    bool inverted = true;  // and finite
    for (int axis = 0; axis < D; ++axis) {
      inverted = inverted && std::isfinite(boxes[i].lo[axis]) && std::isfinite(boxes[i].hi[axis]);
    }
    return fail(inverted ? ErrorCode::kInvalidArgument : ErrorCode::kNotFinite,
                "box " + std::to_string(i) +
                    (inverted ? " is inverted: each lo must be at most its hi"
                              : " has a side that is NaN or infinite: give finite sides"),
                i);
  }
  return fail(ErrorCode::kInvalidArgument,
              "boxes changed while they were looked at: let no other thread write to them during the call");
}

template <int D>
void order_boxes(std::span<const Aabb<D>> boxes, const CentreRange<D>& range, std::span<std::uint32_t> order,
                 Workspace& workspace, const Executor& executor, OrderQuality quality) {
  const std::size_t n = boxes.size();
  const CodeGrid<D> grid = code_grid(range, n);
  const Workspace::Scope scope(workspace);
  const std::span<std::uint32_t> codes = workspace.take<std::uint32_t>(n);
  executor.parallel_for(n, kGrain, [&](std::size_t first, std::size_t last) {
    box_codes(boxes.data() + first, last - first, grid, codes.data() + first);
  });
  sort_codes(codes, order, workspace, executor);
  if (is_one_point(range)) {
    return;
  }
  if (quality == OrderQuality::kTight) {
    // Size classes stand one after the other, with their bits on top of the codes, and stay there.
    for (auto first = codes.begin(); first != codes.end();) {
      const auto last =
          std::partition_point(first, codes.end(), [&](std::uint32_t c) { return c >> 30 == *first >> 30; });
      split_at_medians(boxes,
                       order.subspan(static_cast<std::size_t>(first - codes.begin()),
                                     static_cast<std::size_t>(last - first)),
                       workspace, executor);
      first = last;
    }
    return;
  }
  order_crowds(boxes, std::span<const std::uint32_t>(codes), order, workspace, executor);
}

template CentreRange<2> range_of_all(std::span<const Aabb2>, const Executor&);
template CentreRange<3> range_of_all(std::span<const Aabb3>, const Executor&);
template Result<CentreRange<2>> checked_range(std::span<const Aabb2>, const Executor&);
template Result<CentreRange<3>> checked_range(std::span<const Aabb3>, const Executor&);
template void order_boxes(std::span<const Aabb2>, const CentreRange<2>&, std::span<std::uint32_t>, Workspace&,
                          const Executor&, OrderQuality);
template void order_boxes(std::span<const Aabb3>, const CentreRange<3>&, std::span<std::uint32_t>, Workspace&,
                          const Executor&, OrderQuality);

}  // namespace order_detail

template <int D>
Result<void> check_boxes(std::span<const Aabb<D>> boxes, const Context& context) {
  JUXTA_TRY(order_detail::checked_range(boxes, executor_or_serial(context.executor)));
  return {};
}
template JUXTA_API Result<void> check_boxes(std::span<const Aabb2>, const Context&);
template JUXTA_API Result<void> check_boxes(std::span<const Aabb3>, const Context&);

template <int D>
Result<void> block_order(std::span<const Aabb<D>> boxes, std::span<std::uint32_t> order, OrderQuality quality,
                         const Context& context) {
  if (boxes.size() != order.size()) {
    return fail(ErrorCode::kInvalidArgument, std::to_string(boxes.size()) +
                                                 " boxes, but room for an order of " +
                                                 std::to_string(order.size()) + ": give one place a box");
  }
  const Executor& runner = executor_or_serial(context.executor);
  JUXTA_TRY_LET(const auto range, order_detail::checked_range(boxes, runner));
  const CallWorkspace call(context);
  order_detail::order_boxes(boxes, range, order, *call, runner, quality);
  return {};
}
template JUXTA_API Result<void> block_order(std::span<const Aabb2>, std::span<std::uint32_t>, OrderQuality,
                                            const Context&);
template JUXTA_API Result<void> block_order(std::span<const Aabb3>, std::span<std::uint32_t>, OrderQuality,
                                            const Context&);

}  // namespace juxta
