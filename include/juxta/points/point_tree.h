// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/memory.h"
#include "juxta/core/owned.h"
#include "juxta/math/vec.h"

namespace juxta {
namespace points_detail {
struct Access;
template <int D, class Real>
struct PointStore;
}  // namespace points_detail

/// "No point": what stands where there are fewer than k neighbours.
inline constexpr std::uint32_t kNoPoint = ~std::uint32_t{0};

/// Which axes are periodic. On such an axis hi is the same place as lo, positions are brought back into
/// [lo, hi), and with the period L = hi - lo the difference d of two positions is that of the nearest images:
/// d - L when d > L / 2, d + L when d < -L / 2. Each neighbour is therefore met once, whatever the radius.
template <int D, class Real = float>
struct PointSpace {
  bool periodic[D] = {};
  Real lo[D] = {};  ///< Looked at where the axis is periodic: finite, lo < hi.
  Real hi[D] = {};
};

/// Points that do not move, in the order of space. It answers who is near: count_neighbours() and
/// NeighbourTable (neighbours.h) within a radius, nearest() (nearest_points.h) the k nearest.
///
///   points in blocks of 16 that are compact | B0 | B1 | ... | B15 | B16 | ...
///   bounds of 16 blocks in a node           |        N0           |  N1 ...      and so on up
///
/// D is 2 or 3, Real is float or double. Coordinates are interleaved: x y z of point 0, x y z of point 1, ...
/// Points are named by their number in the input. There is no radius and no cell size to choose: clusters,
/// equal points and points on a line or a plane are fine.
///
/// Near means d2 <= radius * radius, with d2 = dx*dx + dy*dy (+ dz*dz) from left to right, all in Real and
/// never fused. With double every pair that single precision cannot decide is decided in doubles: answers are
/// exact.
///
/// Memory:  about 18 bytes a point of floats in 3D (13 in 2D), 42 (29) of doubles.
/// Threads: const members and queries from any number of threads at once; the others from one.
/// Results: the same for any executor and instruction set.
/// A moved-from tree may only be assigned to or destroyed.
template <int D, class Real = float>
class JUXTA_API BasicPointTree {
 public:
  /// The largest magnitude of a coordinate: squares of distances stay finite.
  static constexpr Real kMost = std::is_same_v<Real, float> ? Real(0x1p+61) : Real(0x1p+500);

  /// No points.
  explicit BasicPointTree(std::pmr::memory_resource* resource = huge_page_resource());

  /// Cost:   O(n), about 30 ns a point of a million on one thread.
  /// Errors: kNotFinite (NaN or infinite, with the point's index), kInvalidArgument (a coordinate above
  /// kMost;
  ///         not D coordinates a point; lo not below hi), kTooLarge (more than 2^32 - 2 points),
  ///         kUnsupportedCpu, kCancelled.
  [[nodiscard]] static Result<BasicPointTree> build(
      std::span<const Real> coordinates, const PointSpace<D, Real>& space = {}, const Context& context = {},
      std::pmr::memory_resource* resource = huge_page_resource());
  /// The same in place: forgets all points, keeps the memory. After an error there are no points.
  [[nodiscard]] Result<void> rebuild(std::span<const Real> coordinates, const PointSpace<D, Real>& space = {},
                                     const Context& context = {});

  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] const PointSpace<D, Real>& space() const noexcept;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  friend struct points_detail::Access;
  Owned<points_detail::PointStore<D, Real>> store_;
};

using PointTree = BasicPointTree<3>;
using PointTree2 = BasicPointTree<2>;

extern template class BasicPointTree<2, float>;
extern template class BasicPointTree<3, float>;
extern template class BasicPointTree<2, double>;
extern template class BasicPointTree<3, double>;

/// The coordinates of points, as build() wants them.
template <int D>
[[nodiscard]] std::span<const float> coordinates_of(std::span<const Vec<D>> points) noexcept {
  return points.empty() ? std::span<const float>{}
                        : std::span<const float>{points.data()->begin(), points.size() * D};
}

}  // namespace juxta
