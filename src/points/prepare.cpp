// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "points/prepare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "juxta/core/try.h"

namespace juxta::points_detail {
namespace {

constexpr float kMostFloat = std::numeric_limits<float>::max();

template <int D, class Real>
void set_space(const PointStore<D, Real>& store, Search<D>& search) noexcept {
  for (int axis = 0; axis < D; ++axis) {
    const bool wraps = store.space.periodic[axis];
    const Real period = wraps ? store.space.hi[axis] - store.space.lo[axis] : 0;
    search.wraps = search.wraps || wraps;
    search.lo[axis] = framed(store.frame, axis, store.space.lo[axis]);
    search.hi[axis] = framed(store.frame, axis, store.space.hi[axis]);
    search.periods.whole[axis] = static_cast<float>(period * static_cast<Real>(store.frame.scale));
    search.periods.half[axis] =
        wraps ? 0.5F * search.periods.whole[axis] : std::numeric_limits<float>::infinity();
    search.exact_periods.whole[axis] = static_cast<double>(period);
    search.exact_periods.half[axis] =
        wraps ? 0.5 * static_cast<double>(period) : std::numeric_limits<double>::infinity();
  }
}

/// The next float below or above a number that is not negative.
float rounded_down(double x) noexcept {
  const auto y = static_cast<float>(x);
  return static_cast<double>(y) > x ? std::nextafter(y, 0.0F) : y;
}
float rounded_up(double x) noexcept {
  if (x >= static_cast<double>(kMostFloat)) {
    return kMostFloat;
  }
  const auto y = static_cast<float>(x);
  return static_cast<double>(y) < x ? std::nextafter(y, kMostFloat) : y;
}

}  // namespace

template <class Real>
Result<void> check_radius(Real radius, std::uint64_t index) {
  if (radius >= 0) {
    return {};
  }
  const std::string which = index == Error::kNowhere ? "the radius" : "radius " + std::to_string(index);
  return fail(ErrorCode::kInvalidArgument,
              which + " is " + (std::isnan(radius) ? "NaN" : std::to_string(radius)) +
                  ": it must be a number from 0 on",
              index);
}

template <int D>
Limit limit_of(const PointStore<D, float>&, float radius, float) noexcept {
  const float square = std::min(radius * radius, kMostFloat);  // distances of points are less than that
  return {square, square, 0};
}

template <int D>
Limit limit_of(const PointStore<D, double>& store, double radius, float given_error) noexcept {
  const double scaled = radius * store.frame.scale;
  const auto error = static_cast<double>(given_error);
  Limit limit;
  limit.exact = std::min(radius * radius, std::numeric_limits<double>::max());
  if (!(scaled < 0x1p+58)) {
    limit.sure = -1;
    limit.maybe = kMostFloat;
    return limit;
  }
  limit.sure = scaled > error ? rounded_down((scaled - error) * (scaled - error)) : -1;
  limit.maybe = rounded_up((scaled + error) * (scaled + error));
  return limit;
}

template <int D, class Real>
Search<D> search_own(const PointStore<D, Real>& store, Real radius, Limit& limit) {
  Search<D> search;
  search.tree = search.seers = store.view;
  search.own = true;
  search.limits = &limit;
  set_space(store, search);
  limit = limit_of<D>(store, radius, error_of(search, Aabb<D>{}));
  return search;
}

namespace {

/// Whether these are the points of the tree, one by one: whoever asks about a tree's own points often gives
/// them again. Stops at the first that is not.
template <int D, class Real>
bool are_points_of(const PointStore<D, Real>& store, const Placed<D, Real>& placed) noexcept {
  const PointsView<D>& tree = store.view;
  if (placed.at.size() != std::size_t{tree.count} * D) {
    return false;
  }
  for (std::uint32_t lane = 0; lane < tree.count; ++lane) {
    const Real* const at = placed.at.data() + std::size_t{tree.number[lane]} * D;
    for (std::uint32_t axis = 0; axis < D; ++axis) {
      const bool is_same =
          tree.exact != nullptr
              ? static_cast<double>(at[axis]) == tree.exact[std::size_t{lane} * D + axis]
              : static_cast<float>(at[axis]) == tree.blocks[lane / kLanes].at[axis][lane % kLanes];
      if (!is_same) {
        return false;
      }
    }
  }
  return true;
}

template <int D, class Real>
PointsView<D> lay_out_seers(const PointStore<D, Real>& store, const Placed<D, Real>& placed,
                            OtherSeers<D>& seers, Workspace& workspace, const Executor& executor) {
  const std::size_t count = placed.at.size() / D, blocks = (count + kLanes - 1) / kLanes;
  seers.blocks.resize_discard(blocks);
  seers.number.resize_discard(blocks * kLanes);
  seers.nodes.resize_discard(plan_block_tree(blocks).total);
  seers.exact.resize_discard(std::is_same_v<Real, double> ? count * D : 0);
  return lay_out(placed, store.frame,
                 {seers.blocks.data(), seers.number.data(), seers.nodes.data(),
                  std::is_same_v<Real, double> ? seers.exact.data() : nullptr},
                 workspace, executor);
}

/// One limit for each seer; with one radius, one for each block or, among the tree's own points, for all.
template <int D, class Real>
void set_limits(const PointStore<D, Real>& store, std::span<const Real> radii, bool same,
                OtherSeers<D>& seers, Search<D>& search) {
  const std::uint32_t count = search.seers.count;
  const bool one = radii.size() == 1;
  const bool one_for_all = one && same && count != 0;
  seers.limits.resize_discard(one_for_all ? 1 : count);
  search.limits = seers.limits.data();
  search.limit_step = one_for_all ? 0 : 1;
  if (one_for_all) {
    seers.limits[0] = limit_of<D>(store, radii[0], error_of(search, Aabb<D>{}));
    return;
  }
  for (std::uint32_t block = 0; block < search.seers.block_count(); ++block) {
    const auto box = search.seers.boxes.level[0][block / kLanes].box(block % kLanes);
    const float error = error_of(search, box);
    const Limit limit = limit_of<D>(store, one ? radii[0] : Real(0), error);
    const std::uint32_t first = block * kLanes, last = std::min(first + kLanes, count);
    for (std::uint32_t lane = first; lane < last; ++lane) {
      seers.limits[lane] = one ? limit : limit_of<D>(store, radii[search.seers.number[lane]], error);
    }
  }
}

}  // namespace

template <int D, class Real>
Result<Search<D>> search_others(const PointStore<D, Real>& store, std::span<const Real> points,
                                std::span<const Real> radii, OtherSeers<D>& seers, Workspace& workspace,
                                const Executor& executor) {
  const std::size_t count = points.size() / D;
  if (radii.size() != 1 && radii.size() != count) {
    return fail(ErrorCode::kInvalidArgument, std::to_string(radii.size()) + " radii for " +
                                                 std::to_string(count) +
                                                 " points: give one for all, or one for each");
  }
  for (std::size_t i = 0; i < radii.size(); ++i) {
    JUXTA_TRY(check_radius(radii[i], radii.size() == 1 ? Error::kNowhere : i));
  }
  JUXTA_TRY_LET(const auto placed, place(points, store.space, "point", workspace, executor));
  Search<D> search;
  search.tree = store.view;
  const bool same = are_points_of(store, placed);
  search.seers = same ? store.view : lay_out_seers(store, placed, seers, workspace, executor);
  set_space(store, search);
  set_limits(store, radii, same, seers, search);
  return search;
}

template Result<void> check_radius(float, std::uint64_t);
template Result<void> check_radius(double, std::uint64_t);
template Limit limit_of(const PointStore<2, float>&, float, float) noexcept;
template Limit limit_of(const PointStore<3, float>&, float, float) noexcept;
template Limit limit_of(const PointStore<2, double>&, double, float) noexcept;
template Limit limit_of(const PointStore<3, double>&, double, float) noexcept;
template Search<2> search_own(const PointStore<2, float>&, float, Limit&);
template Search<3> search_own(const PointStore<3, float>&, float, Limit&);
template Search<2> search_own(const PointStore<2, double>&, double, Limit&);
template Search<3> search_own(const PointStore<3, double>&, double, Limit&);
template Result<Search<2>> search_others(const PointStore<2, float>&, std::span<const float>,
                                         std::span<const float>, OtherSeers<2>&, Workspace&, const Executor&);
template Result<Search<3>> search_others(const PointStore<3, float>&, std::span<const float>,
                                         std::span<const float>, OtherSeers<3>&, Workspace&, const Executor&);
template Result<Search<2>> search_others(const PointStore<2, double>&, std::span<const double>,
                                         std::span<const double>, OtherSeers<2>&, Workspace&,
                                         const Executor&);
template Result<Search<3>> search_others(const PointStore<3, double>&, std::span<const double>,
                                         std::span<const double>, OtherSeers<3>&, Workspace&,
                                         const Executor&);

}  // namespace juxta::points_detail
