// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "juxta/core/export.h"
#include "juxta/math/rect.h"

namespace juxta {

/// A part of the plane, for RankedPoints. Closed: what lies on its border is inside. A small value; a polygon
/// looks at the caller's arrays, which must stay as they are while it is used.
///
/// Exactness: across() compares coordinates. circle() and ring() compare the squared distance
/// (x - cx) * (x - cx) + (y - cy) * (y - cy), computed in double, rounded at each step, with the squared
/// radius. polygon() is exact for all coordinates up to 1e150.
class RankedRegion {
 public:
  enum class Kind : std::uint8_t { kRect, kAcross, kRing, kPolygon };

  /// A rectangle. Inverted or NaN: empty.
  [[nodiscard]] static constexpr RankedRegion rect(const RectD& rect) noexcept { return {Kind::kRect, rect}; }
  /// A rectangle on a map that ends at the antimeridian. With lx > hx it goes east from lx over the edge of
  /// the map to hx: every x >= lx or <= hx. Else it is rect().
  [[nodiscard]] static constexpr RankedRegion across(const RectD& rect) noexcept {
    return {rect.lx > rect.hx ? Kind::kAcross : Kind::kRect, rect};
  }
  /// What is within `radius` of (x, y). A radius that is negative or NaN, or a centre that is not finite:
  /// empty. From a radius of 1e150 on, distances that overflow count as within.
  [[nodiscard]] static constexpr RankedRegion circle(double x, double y, double radius) noexcept {
    return ring(x, y, 0, radius);
  }
  /// What is at a distance of `inner` to `outer` from (x, y).
  [[nodiscard]] static constexpr RankedRegion ring(double x, double y, double inner, double outer) noexcept {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (!(x - x == 0 && y - y == 0 && outer >= 0)) {
      RankedRegion nowhere{Kind::kRing, {kInfinity, kInfinity, -kInfinity, -kInfinity}};
      nowhere.outer_ = -1;
      return nowhere;
    }
    // contains() rounds: it may hold a little beyond the radius. Squares below 1e-162 vanish, and those
    // beyond 1e154 are infinite, so that nothing is too far.
    const bool all = outer > 1e150;
    const double x_reach = all ? kInfinity : outer + ((x < 0 ? -x : x) + outer) * 1e-15 + 1e-160;
    const double y_reach = all ? kInfinity : outer + ((y < 0 ? -y : y) + outer) * 1e-15 + 1e-160;
    RankedRegion region{Kind::kRing, {x - x_reach, y - y_reach, x + x_reach, y + y_reach}};
    region.x_ = x;
    region.y_ = y;
    region.inner_ = inner > 0 ? inner * inner : 0;
    region.outer_ = outer * outer;
    constexpr double kOfCircle = 0.7853981633974483;  // pi / 4
    region.fill_ = outer > 0 && !all ? kOfCircle * (1 - region.inner_ / region.outer_) : 1;
    return region;
  }
  /// What lies inside an odd number of rings, and the rings themselves (the even-odd rule). Corner i is
  /// (xs[i], ys[i]). `ring_ends`: how many corners there are up to the end of each ring, for holes and parts;
  /// empty: one ring. Each ring closes by itself. Rings may go round either way and may cross. Empty:
  /// corners that are not finite or beyond 1e150, columns of unlike lengths, ring ends that fall or exceed
  /// them. Cost of a question: some ns for each corner and node that is visited.
  [[nodiscard]] static JUXTA_API RankedRegion polygon(std::span<const double> xs, std::span<const double> ys,
                                                      std::span<const std::uint32_t> ring_ends = {}) noexcept;

  [[nodiscard]] constexpr Kind kind() const noexcept { return kind_; }
  /// A rectangle around all of it: not always the smallest one. Of across(), both of its parts.
  [[nodiscard]] constexpr RectD bounds() const noexcept {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return kind_ == Kind::kAcross ? RectD{-kInfinity, rect_.ly, kInfinity, rect_.hy} : rect_;
  }
  /// The two rectangles of across(), without a point in common; of others, bounds() and an empty one.
  [[nodiscard]] constexpr std::array<RectD, 2> parts() const noexcept {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return kind_ == Kind::kAcross ? std::array<RectD, 2>{{{rect_.lx, rect_.ly, kInfinity, rect_.hy},
                                                          {-kInfinity, rect_.ly, rect_.hx, rect_.hy}}}
                                  : std::array<RectD, 2>{{bounds(), {1, 1, 0, 0}}};
  }
  /// About which share of bounds() is inside; of across(), and of polygons that cross themselves, a guess.
  [[nodiscard]] constexpr double fill() const noexcept { return fill_; }
  /// Whether a point is in it.
  [[nodiscard]] JUXTA_API bool contains(double x, double y) const noexcept;

  /// Of all points of a rectangle: none, some or all may be inside. "Some" is never wrong.
  enum class Part : std::uint8_t { kNone, kSome, kAll };
  [[nodiscard]] JUXTA_API Part part_of(const RectD& rect) const noexcept;

 private:
  constexpr RankedRegion(Kind kind, const RectD& rect) noexcept : kind_(kind), rect_(rect) {}

  Kind kind_;
  RectD rect_;
  double x_ = 0, y_ = 0, inner_ = 0, outer_ = 0;  // of a ring: squared distances
  double fill_ = 1;
  std::span<const double> xs_ = {}, ys_ = {};
  std::span<const std::uint32_t> ring_ends_ = {};
};

}  // namespace juxta
