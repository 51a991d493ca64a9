// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/ranked/region.h"

#include <algorithm>
#include <cmath>

#include "ranked/orientation.h"

namespace juxta {
namespace {

using Part = RankedRegion::Part;

double squared_distance(double ax, double ay, double bx, double by) noexcept {
  const double dx = ax - bx, dy = ay - by;
  return dx * dx + dy * dy;
}

/// std::clamp() of bounds that may be inverted: those of a damaged file are.
double within(double value, double low, double high) noexcept {
  return std::min(std::max(value, low), high);
}

/// Rounding never turns a longer side into a shorter one. So the nearest and the farthest point of a
/// rectangle, axis by axis, bound the computed distance of every other point.
Part part_of_ring(double x, double y, double inner, double outer, const RectD& rect) noexcept {
  const double near = squared_distance(within(x, rect.lx, rect.hx), within(y, rect.ly, rect.hy), x, y);
  const double far_x = std::max(std::abs(rect.lx - x), std::abs(rect.hx - x));
  const double far_y = std::max(std::abs(rect.ly - y), std::abs(rect.hy - y));
  const double far = far_x * far_x + far_y * far_y;
  if (near > outer || far < inner) {
    return Part::kNone;
  }
  return far <= outer && near >= inner ? Part::kAll : Part::kSome;
}

/// Calls f(ax, ay, bx, by) for each edge until it returns true; whether it did.
template <class F>
bool any_edge(std::span<const double> xs, std::span<const double> ys,
              std::span<const std::uint32_t> ring_ends, F f) {
  const auto one = static_cast<std::uint32_t>(xs.size());
  if (ring_ends.empty()) {
    ring_ends = {&one, 1};
  }
  std::size_t first = 0;
  for (const std::uint32_t end : ring_ends) {
    std::size_t last = end - std::size_t{1};  // the edge from the last corner to the first one
    for (std::size_t i = first; i < end; last = i++) {
      if (f(xs[last], ys[last], xs[i], ys[i])) {
        return true;
      }
    }
    first = end;
  }
  return false;
}

/// Whether an edge may have a point in a rectangle: its box has, and the corners are not all on one side of
/// it.
bool may_touch(double ax, double ay, double bx, double by, const RectD& r) noexcept {
  if (std::max(ax, bx) < r.lx || std::min(ax, bx) > r.hx || std::max(ay, by) < r.ly ||
      std::min(ay, by) > r.hy) {
    return false;
  }
  const int a = ranked_detail::orientation(ax, ay, bx, by, r.lx, r.ly),
            b = ranked_detail::orientation(ax, ay, bx, by, r.hx, r.ly),
            c = ranked_detail::orientation(ax, ay, bx, by, r.lx, r.hy),
            d = ranked_detail::orientation(ax, ay, bx, by, r.hx, r.hy);
  return !((a > 0 && b > 0 && c > 0 && d > 0) || (a < 0 && b < 0 && c < 0 && d < 0));
}

}  // namespace

RankedRegion RankedRegion::polygon(std::span<const double> xs, std::span<const double> ys,
                                   std::span<const std::uint32_t> ring_ends) noexcept {
  constexpr double kMost = 1e150, kInfinity = std::numeric_limits<double>::infinity();
  RankedRegion region{Kind::kPolygon, {kInfinity, kInfinity, -kInfinity, -kInfinity}};
  const std::size_t corners = ring_ends.empty() ? xs.size() : ring_ends.back();
  bool sound = xs.size() == ys.size() && corners <= xs.size() && xs.size() <= 0xFFFFFFFF &&
               std::ranges::is_sorted(ring_ends);
  for (std::size_t i = 0; sound && i < corners; ++i) {
    sound = std::abs(xs[i]) <= kMost && std::abs(ys[i]) <= kMost;  // no NaN is
  }
  if (!sound) {
    return region;
  }
  for (std::size_t i = 0; i < corners; ++i) {
    region.rect_ = {std::min(region.rect_.lx, xs[i]), std::min(region.rect_.ly, ys[i]),
                    std::max(region.rect_.hx, xs[i]), std::max(region.rect_.hy, ys[i])};
  }
  region.xs_ = xs.first(corners);
  region.ys_ = ys.first(corners);
  region.ring_ends_ = ring_ends;
  double twice_area = 0;
  (void)any_edge(region.xs_, region.ys_, ring_ends, [&](double ax, double ay, double bx, double by) {
    twice_area +=
        (ax - region.rect_.lx) * (by - region.rect_.ly) - (ay - region.rect_.ly) * (bx - region.rect_.lx);
    return false;
  });
  const double bounds = (region.rect_.hx - region.rect_.lx) * (region.rect_.hy - region.rect_.ly);
  region.fill_ = bounds > 0 ? std::clamp(std::abs(twice_area) / (2 * bounds), 0.01, 1.0) : 1;
  return region;
}

bool RankedRegion::contains(double x, double y) const noexcept {
  switch (kind_) {
    case Kind::kRect:
      return rect_.contains(x, y);
    case Kind::kAcross:
      return (x >= rect_.lx || x <= rect_.hx) && rect_.ly <= y && y <= rect_.hy;
    case Kind::kRing: {
      const double d = squared_distance(x, y, x_, y_);
      return inner_ <= d && d <= outer_;
    }
    case Kind::kPolygon:
      break;
  }
  if (!rect_.contains(x, y)) {
    return false;
  }
  bool inside = false;
  const bool on_border = any_edge(xs_, ys_, ring_ends_, [&](double ax, double ay, double bx, double by) {
    if (y < std::min(ay, by) || y > std::max(ay, by) || x > std::max(ax, bx)) {
      return false;  // the ray to the right does not meet it
    }
    const int side = ranked_detail::orientation(ax, ay, bx, by, x, y);
    if (side == 0 && x >= std::min(ax, bx)) {
      return true;
    }
    // A corner belongs to the edge above it, so that a ray through a corner counts it once.
    inside ^= (ay > y) != (by > y) && (side > 0) == (by > ay);
    return false;
  });
  return on_border || inside;
}

RankedRegion::Part RankedRegion::part_of(const RectD& rect) const noexcept {
  switch (kind_) {
    case Kind::kRect:
    case Kind::kAcross: {
      const RectD b = bounds();
      if (rect.hx < b.lx || rect.lx > b.hx || rect.hy < b.ly || rect.ly > b.hy || b.empty()) {
        return Part::kNone;
      }
      const bool in_y = b.ly <= rect.ly && rect.hy <= b.hy;
      if (kind_ == Kind::kRect) {
        return in_y && b.lx <= rect.lx && rect.hx <= b.hx ? Part::kAll : Part::kSome;
      }
      if (rect.lx > rect_.hx && rect.hx < rect_.lx) {
        return Part::kNone;
      }
      return in_y && (rect.lx >= rect_.lx || rect.hx <= rect_.hx) ? Part::kAll : Part::kSome;
    }
    case Kind::kRing:
      return part_of_ring(x_, y_, inner_, outer_, rect);
    case Kind::kPolygon:
      break;
  }
  // Outside of the polygon's bounds nothing is inside; so only the part within them is looked at.
  const RectD part = {std::max(rect.lx, rect_.lx), std::max(rect.ly, rect_.ly), std::min(rect.hx, rect_.hx),
                      std::min(rect.hy, rect_.hy)};
  if (part.empty()) {
    return Part::kNone;
  }
  const bool cut = any_edge(xs_, ys_, ring_ends_, [&](double ax, double ay, double bx, double by) {
    return may_touch(ax, ay, bx, by, part);
  });
  if (cut) {
    return Part::kSome;
  }
  return !contains(part.lx, part.ly) ? Part::kNone : part == rect ? Part::kAll : Part::kSome;
}

}  // namespace juxta
