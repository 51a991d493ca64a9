// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "points/layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/mutex.h"
#include "core/prefetch.h"
#include "order/block_order.h"

namespace juxta::points_detail {
namespace {

constexpr std::size_t kGrain = 8192;      // points a task
constexpr std::size_t kBlockGrain = 512;  // blocks a task
constexpr std::size_t kMostPoints = ~std::uint32_t{0} - 1;
constexpr const char* kAxes[] = {"x", "y", "z"};

/// x, brought back into [lo, hi).
template <class Real>
Real wrapped(Real x, Real lo, Real hi) noexcept {
  if (x >= lo && x < hi) {
    return x;
  }
  const Real period = hi - lo;
  x = x - period * std::floor((x - lo) / period);
  return x >= lo && x < hi ? x : lo;
}

template <int D, class Real>
struct Bounds {
  Real lo[D], hi[D];
  bool sound = true;  // all finite, and none too large

  Bounds() noexcept {
    std::fill_n(lo, D, std::numeric_limits<Real>::infinity());
    std::fill_n(hi, D, -std::numeric_limits<Real>::infinity());
  }
  void join(const Bounds& other) noexcept {
    for (int axis = 0; axis < D; ++axis) {
      lo[axis] = std::min(lo[axis], other.lo[axis]);
      hi[axis] = std::max(hi[axis], other.hi[axis]);
    }
    sound = sound && other.sound;
  }
};

template <int D, class Real>
Bounds<D, Real> bounds_of(const Real* at, std::size_t points) noexcept {
  constexpr Real kMost = BasicPointTree<D, Real>::kMost;
  Bounds<D, Real> bounds;
  bool sound = true;
  for (std::size_t i = 0; i < points; ++i) {
    for (int axis = 0; axis < D; ++axis) {
      const Real x = at[i * D + static_cast<std::size_t>(axis)];
      sound = sound & (x >= -kMost) & (x <= kMost);  // not for a NaN
      bounds.lo[axis] = x < bounds.lo[axis] ? x : bounds.lo[axis];
      bounds.hi[axis] = x > bounds.hi[axis] ? x : bounds.hi[axis];
    }
  }
  bounds.sound = sound;
  return bounds;
}

/// Bounds of no point.
template <int D>
Aabb<D> nothing() noexcept {
  Aabb<D> box;
  for (int axis = 0; axis < D; ++axis) {
    box.lo[axis] = std::numeric_limits<float>::infinity();
    box.hi[axis] = -std::numeric_limits<float>::infinity();
  }
  return box;
}

/// Of the first point that is to blame; called only when there is one.
template <int D, class Real>
tl::unexpected<Error> blame(std::span<const Real> at, const char* what) {
  std::size_t i = 0;
  while (bounds_of<D>(at.data() + i * D, 1).sound) {
    ++i;
  }
  for (int axis = 0; axis < D; ++axis) {
    const Real x = at[i * D + static_cast<std::size_t>(axis)];
    if (!std::isfinite(x)) {
      return fail(ErrorCode::kNotFinite,
                  std::string(what) + " " + std::to_string(i) + " has " +
                      (std::isnan(x) ? "a NaN" : "an infinite number") + " as its " + kAxes[axis] +
                      ": coordinates must be finite",
                  i);
    }
  }
  return fail(ErrorCode::kInvalidArgument,
              std::string(what) + " " + std::to_string(i) + " is too far away: coordinates are at most " +
                  (sizeof(Real) == 4 ? "2^61" : "2^500") + ", so that squares of distances are finite",
              i);
}

/// The block gets its points; their bounds.
template <int D, class Real>
Aabb<D> fill_block(const Placed<D, Real>& placed, const Frame<D>& frame, std::span<const std::uint32_t> order,
                   std::size_t block, const LayoutMemory<D>& memory) noexcept {
  constexpr std::size_t kAhead = std::size_t{2} * kLanes;
  Aabb<D> box = nothing<D>();
  for (std::size_t i = 0; i < kLanes; ++i) {
    const std::size_t lane = block * kLanes + i;
    if (lane >= order.size()) {
      memory.number[lane] = kNoPoint;
      for (int axis = 0; axis < D; ++axis) {
        memory.blocks[block].at[axis][i] = std::numeric_limits<float>::quiet_NaN();
      }
      continue;
    }
    if (lane + kAhead < order.size()) {
      core_detail::prefetch_line(placed.at.data() + std::size_t{order[lane + kAhead]} * D);
    }
    const Real* const at = placed.at.data() + std::size_t{order[lane]} * D;
    memory.number[lane] = order[lane];
    for (int axis = 0; axis < D; ++axis) {
      const float x = framed(frame, axis, at[axis]) + 0.0F;  // -0 becomes 0
      memory.blocks[block].at[axis][i] = x;
      box.lo[axis] = x < box.lo[axis] ? x : box.lo[axis];
      box.hi[axis] = x > box.hi[axis] ? x : box.hi[axis];
    }
    if (memory.exact != nullptr) {
      std::copy_n(at, D, memory.exact + lane * D);
    }
  }
  return box;
}

}  // namespace

template <int D, class Real>
Result<void> check_space(const PointSpace<D, Real>& space) {
  constexpr Real kMost = BasicPointTree<D, Real>::kMost;
  for (int axis = 0; axis < D; ++axis) {
    if (!space.periodic[axis]) {
      continue;
    }
    const Real lo = space.lo[axis], hi = space.hi[axis];
    if (!(lo >= -kMost && hi <= kMost)) {
      return fail(ErrorCode::kNotFinite, std::string("the periodic axis ") + kAxes[axis] +
                                             " needs a finite lo and hi of no more than " +
                                             (sizeof(Real) == 4 ? "2^61" : "2^500"));
    }
    if (!(lo < hi)) {
      return fail(ErrorCode::kInvalidArgument, std::string("the periodic axis ") + kAxes[axis] +
                                                   " needs a lo below its hi, not " + std::to_string(lo) +
                                                   " and " + std::to_string(hi));
    }
  }
  return {};
}

template <int D, class Real>
Result<Placed<D, Real>> place(std::span<const Real> coordinates, const PointSpace<D, Real>& space,
                              const char* what, Workspace& workspace, const Executor& executor) {
  if (coordinates.size() % D != 0) {
    return fail(ErrorCode::kInvalidArgument, std::to_string(coordinates.size()) +
                                                 " coordinates are not a whole number of " + what + "s of " +
                                                 std::to_string(D));
  }
  const std::size_t points = coordinates.size() / D;
  if (points > kMostPoints) {
    return fail(ErrorCode::kTooLarge, "at most 2^32 - 2 points fit: split them", kMostPoints);
  }
  Bounds<D, Real> all;
  core_detail::Mutex joining;  // in whatever order tasks end: minima and maxima do not depend on it
  executor.parallel_for(points, kGrain * 4, [&](std::size_t first, std::size_t last) {
    const Bounds<D, Real> part = bounds_of<D>(coordinates.data() + first * D, last - first);
    const core_detail::Lock lock(joining);
    all.join(part);
  });
  if (!all.sound) {
    return blame<D>(coordinates, what);
  }
  Placed<D, Real> placed{coordinates, {}, {}};
  bool outside = false;
  for (int axis = 0; axis < D; ++axis) {
    const bool wraps = space.periodic[axis];
    outside = outside ||
              (wraps && points != 0 && !(all.lo[axis] >= space.lo[axis] && all.hi[axis] < space.hi[axis]));
    placed.lo[axis] = wraps ? space.lo[axis] : points != 0 ? all.lo[axis] : 0;
    placed.hi[axis] = wraps ? space.hi[axis] : points != 0 ? all.hi[axis] : 0;
  }
  if (outside) {
    const std::span<Real> at = workspace.take<Real>(coordinates.size());
    executor.parallel_for(points, kGrain, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first * D; i < last * D; ++i) {
        const std::size_t axis = i % D;
        at[i] =
            space.periodic[axis] ? wrapped(coordinates[i], space.lo[axis], space.hi[axis]) : coordinates[i];
      }
    });
    placed.at = at;
  }
  return placed;
}

template <int D>
Frame<D> frame_of(const Placed<D, float>&) noexcept {
  return {};
}

template <int D>
Frame<D> frame_of(const Placed<D, double>& placed) noexcept {
  Frame<D> frame;
  double half = 0;
  for (int axis = 0; axis < D; ++axis) {
    frame.origin[axis] = 0.5 * placed.lo[axis] + 0.5 * placed.hi[axis];
    half = std::max({half, placed.hi[axis] - frame.origin[axis], frame.origin[axis] - placed.lo[axis]});
  }
  if (half > std::numeric_limits<double>::min()) {
    frame.scale = std::ldexp(1.0, std::min(-std::ilogb(half) - 1, 1000));
  }
  return frame;
}

template <int D, class Real>
PointsView<D> lay_out(const Placed<D, Real>& placed, const Frame<D>& frame, const LayoutMemory<D>& memory,
                      Workspace& workspace, const Executor& executor) {
  const Workspace::Scope scope(workspace);
  const std::size_t points = placed.at.size() / D;
  const std::span<Aabb<D>> at = workspace.take<Aabb<D>>(points);
  executor.parallel_for(points, kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      for (int axis = 0; axis < D; ++axis) {
        const float x = framed(frame, axis, placed.at[i * D + static_cast<std::size_t>(axis)]);
        at[i].lo[axis] = at[i].hi[axis] = x + 0.0F;  // -0 becomes 0
      }
    }
  });
  const std::span<std::uint32_t> order = workspace.take<std::uint32_t>(points);
  // The points are finite, and whoever asks has looked at the instruction set.
  const auto range = order_detail::checked_range(std::span<const Aabb<D>>(at), executor);
  order_detail::order_boxes(std::span<const Aabb<D>>(at), *range, order, workspace, executor);

  PointsView<D> view{memory.blocks, memory.number, {}, static_cast<std::uint32_t>(points), memory.exact};
  const std::uint32_t blocks = view.block_count();
  view.boxes = BlockTree<D>(plan_block_tree(blocks), memory.nodes);
  executor.parallel_for(std::size_t{blocks}, kBlockGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t block = first; block < last; ++block) {
      const Aabb<D> box = fill_block(placed, frame, std::span<const std::uint32_t>(order), block, memory);
      view.boxes.level[0][block / kLanes].set(static_cast<std::uint32_t>(block % kLanes), box);
    }
  });
  for (std::uint32_t block = blocks; block % kLanes != 0; ++block) {
    view.boxes.level[0][block / kLanes].set(block % kLanes, nothing<D>());
  }
  if (blocks != 0) {
    fit_levels(view.boxes, &executor);
  }
  return view;
}

template Result<void> check_space(const PointSpace<2, float>&);
template Result<void> check_space(const PointSpace<3, float>&);
template Result<void> check_space(const PointSpace<2, double>&);
template Result<void> check_space(const PointSpace<3, double>&);
template Result<Placed<2, float>> place(std::span<const float>, const PointSpace<2, float>&, const char*,
                                        Workspace&, const Executor&);
template Result<Placed<3, float>> place(std::span<const float>, const PointSpace<3, float>&, const char*,
                                        Workspace&, const Executor&);
template Result<Placed<2, double>> place(std::span<const double>, const PointSpace<2, double>&, const char*,
                                         Workspace&, const Executor&);
template Result<Placed<3, double>> place(std::span<const double>, const PointSpace<3, double>&, const char*,
                                         Workspace&, const Executor&);
template Frame<2> frame_of(const Placed<2, float>&) noexcept;
template Frame<3> frame_of(const Placed<3, float>&) noexcept;
template Frame<2> frame_of(const Placed<2, double>&) noexcept;
template Frame<3> frame_of(const Placed<3, double>&) noexcept;
template PointsView<2> lay_out(const Placed<2, float>&, const Frame<2>&, const LayoutMemory<2>&, Workspace&,
                               const Executor&);
template PointsView<3> lay_out(const Placed<3, float>&, const Frame<3>&, const LayoutMemory<3>&, Workspace&,
                               const Executor&);
template PointsView<2> lay_out(const Placed<2, double>&, const Frame<2>&, const LayoutMemory<2>&, Workspace&,
                               const Executor&);
template PointsView<3> lay_out(const Placed<3, double>&, const Frame<3>&, const LayoutMemory<3>&, Workspace&,
                               const Executor&);

}  // namespace juxta::points_detail
