// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The first touch of a shape that moves and turns, by conservative advancement (Mirtich 1996) with planes.
//
// At t the nearest points give a plane between the two shapes. Where it moves so that both shapes stay on
// their own sides until t + h, they do not touch before. Three planes are tried, each of which is right for
// other features: one at rest (a corner meets a face of b), one that turns with a (a face of a meets a
// corner), and one that keeps to an edge of each. Along such a plane every corner moves as
//
//   offset + speed * h + bend * h^2 / 2
//
// at most, with a bound on the bend: until when the plane stays free is the root of a concave function. Next
// to the touch the plane turns as the nearest features do, so that the gap left is of second order: a few
// rounds suffice.
#include <algorithm>
#include <cmath>

#include "shape/cast_core.h"
#include "shape/gjk.h"
#include "shape/turning.h"

namespace juxta::shape_detail {
namespace {

constexpr int kTurningRounds = 256;
constexpr double kTouchGap = 1e-7;  // of the size of the smaller shape

/// How far corners are from a plane, as bounds: offset + speed * h + bend * h^2 / 2 is at least the farthest.
class PlaneCorners {
 public:
  struct Path {
    double offset, speed, bend;  // not set to 0: there are many, and few are used
    [[nodiscard]] double at(double h) const noexcept { return offset + (speed + bend * h / 2) * h; }
  };

  void add(const Path& path) noexcept {
    if (count_ < kMost) {
      paths_[count_++] = path;
      return;
    }
    Path& last = paths_[kMost - 1];  // the last one stands for all that do not fit: above each of them
    last = {std::max(last.offset, path.offset), std::max(last.speed, path.speed),
            std::max(last.bend, path.bend)};
  }
  /// The farthest at h, and how fast that grows.
  void farthest(double h, double& offset, double& speed) const noexcept {
    double most = -std::numeric_limits<double>::infinity();
    const Path* best = paths_;
    for (std::uint32_t i = 0; i < count_; ++i) {
      const double there = paths_[i].at(h);
      best = there > most ? &paths_[i] : best;
      most = there > most ? there : most;
    }
    offset = most;
    speed = best->speed + best->bend * h;
  }

 private:
  static constexpr std::uint32_t kMost = 48;
  Path paths_[kMost];
  std::uint32_t count_ = 0;
};

/// The two shapes at one t, and the plane between them, which may turn about the pivot.
struct TurningPlanes {
  const Convex& a;  // where it is now
  const Convex& b;
  V3 middle;  // the pivot, now
  V3 way, turn;
  V3 normal;
  double radii = 0, reach = 0, longest = 0;  // reach: of a, from the pivot; longest: the h that is left
  V3 foremost_a, foremost_b;                 // from the pivot

  TurningPlanes(const Convex& pa, const Convex& pb, const Turning& motion, double t, double most, V3 n,
                double from_pivot) noexcept
      : a(pa),
        b(pb),
        middle(motion.pivot_at(t)),
        way(motion.way),
        turn(motion.spin()),
        normal(n),
        radii(pa.radius + pb.radius),
        reach(from_pivot),
        longest(most - t),
        foremost_a(pa.point(pa.support(n)) - middle),
        foremost_b(pb.point(pb.support(-n)) - middle) {}

  /// `best`, or more: h until which a plane that turns by `spin` per t stays free. No later than the first h
  /// at which it is not, and near that.
  [[nodiscard]] double free_until(V3 spin, double best) const noexcept {
    const V3 rest = turn - spin, tilt = cross(spin, normal), swing = cross(normal, rest);
    const double bend_a = (dot(rest, rest) + length(cross(spin, turn))) * reach;
    const double bend_b = dot(spin, spin), drift = length(spin) * length(way), fall = dot(normal, way);
    const auto path_a = [&](V3 r) { return PlaneCorners::Path{dot(normal, r), dot(swing, r), bend_a}; };
    const auto path_b = [&](V3 r) {  // seen from a's side: the larger, the nearer
      const double bend = bend_b == 0 ? 0 : bend_b * (length(r) + length(way) * longest) + 2 * drift;
      return PlaneCorners::Path{-dot(normal, r), fall - dot(tilt, r), bend};
    };
    const PlaneCorners::Path first_a = path_a(foremost_a), first_b = path_b(foremost_b);
    // The root of these two alone is as late as that of all.
    const double gap = -(first_a.offset + first_b.offset + radii);
    const double close = first_a.speed + first_b.speed, bend = (bend_a + first_b.bend) / 2;
    double high = longest;
    if (gap - (close + bend * high) * high < 0) {
      const double root = std::sqrt(close * close + 4 * bend * gap);
      const double h = close > 0 ? 2 * gap / (close + root) : (root - close) / (2 * bend);
      high = std::min(high, h);
    }
    if (!(gap > 0) || !(high > best)) {
      return best;
    }
    PlaneCorners near_a, near_b;
    keep(a, path_a, first_a, high, near_a);
    keep(b, path_b, first_b, high, near_b);
    return std::max(best, root_of(near_a, near_b, gap, high));
  }

 private:
  /// Those that may be ahead of the foremost one before `high`.
  template <class Path>
  void keep(const Convex& shape, const Path& path, const PlaneCorners::Path& foremost, double high,
            PlaneCorners& out) const noexcept {
    out.add(foremost);
    for (std::uint32_t i = 0; i < shape.count; ++i) {
      const PlaneCorners::Path p = path(shape.point(i) - middle);
      const double more = std::max(p.bend - foremost.bend, 0.0) * high / 2;
      if (p.offset - foremost.offset + std::max((p.speed - foremost.speed + more) * high, 0.0) > 0) {
        out.add(p);
      }
    }
  }
  [[nodiscard]] double root_of(const PlaneCorners& near_a, const PlaneCorners& near_b, double gap,
                               double high) const noexcept {
    double slope = 0;
    const auto left_at = [&](double h) {
      double a_at = 0, b_at = 0, a_slope = 0, b_slope = 0;
      near_a.farthest(h, a_at, a_slope);
      near_b.farthest(h, b_at, b_slope);
      slope = -(a_slope + b_slope);
      return -(a_at + b_at + radii);
    };
    double low = 0, at_high = left_at(high);
    for (int i = 0; i < 8 && at_high < 0; ++i) {
      // Concave: the chord's root comes before that of the gap, the tangent's behind.
      const double behind = slope < 0 ? std::min(high, high - at_high / slope) : high;
      low += (high - low) * (gap / (gap - at_high)) * (1 - 1e-9);
      if (!(behind > low) || behind - low < 1e-3 * behind) {
        break;
      }
      gap = left_at(low);
      if (!(gap > 0)) {
        break;
      }
      high = behind;
      at_high = left_at(high);
    }
    return at_high >= 0 ? high : low;
  }
};

/// The spin of a plane that stays along an edge of a, which turns, and one of b, which does not.
bool along_edges(const Simplex& simplex, V3 normal, V3 turn, V3& spin) noexcept {
  const auto edge = [&](auto&& point, V3& out) {
    for (std::uint32_t i = 1; i < simplex.count; ++i) {
      out = point(simplex.points[i]) - point(simplex.points[0]);
      if (dot(out, out) > 0) {
        return true;
      }
    }
    return false;
  };
  V3 of_a, of_b;
  if (!edge([](const Simplex::Point& p) { return p.a; }, of_a) ||
      !edge([](const Simplex::Point& p) { return p.b; }, of_b)) {
    return false;
  }
  // spin = of_b * x, and spin - turn is along of_a, but for what they have along the normal.
  const double across = dot(cross(of_a, of_b), normal);
  if (!(across * across > 1e-12 * dot(of_a, of_a) * dot(of_b, of_b))) {
    return false;
  }
  spin = of_b * (dot(cross(of_a, turn), normal) / across);
  return true;
}

/// How far a's points are from the pivot at most, and from the axis.
struct PivotReach {
  double pivot = 0, axis = 0;
};
PivotReach reach_of(const Convex& a, const Turning& motion) noexcept {
  PivotReach reach;
  for (std::uint32_t i = 0; i < a.count; ++i) {
    const V3 r = a.point(i) - motion.pivot;
    reach.pivot = std::max(reach.pivot, length(r));
    reach.axis = std::max(reach.axis, length(cross(motion.axis, r)));
  }
  return reach;
}

/// Whether the ball around the pivot that holds all of a, at any angle, misses b on its whole way.
bool ball_misses(const Convex& a, const Turning& motion, const Convex& b, const PivotReach& reach,
                 double enough) noexcept {
  Convex ball;
  ball.count = dot(motion.way, motion.way) > 0 ? 2 : 1;
  ball.corners[0] = motion.pivot;
  ball.corners[1] = motion.pivot_at(1);
  ball.radius = reach.pivot * (1 + 1e-12) + a.radius;
  ball.size = ball.radius + length(motion.way) / 2;
  Simplex simplex;
  Near near;
  const double most = ball.radius + b.radius + enough + 1e-8 * (ball.size + b.size);
  return gjk(ball, b, V3(), most, simplex, near) == GjkEnd::kBeyond;
}

bool touch_at_first(const Convex& a, const Convex& b, double t, Touch& touch) noexcept {
  Near near;
  (void)closest_convex(a, b, std::numeric_limits<double>::infinity(), near);
  touch.t = t;
  touch.point = (near.on_a + near.on_b) * 0.5;
  touch.normal = -near.normal;
  touch.distance = t > 0 ? 0 : std::min(near.distance, 0.0);
  return true;
}

}  // namespace

bool cast_turning(const Convex& a, const Turning& motion, const Convex& b, double first, double most,
                  double stop, Touch& touch, int& rounds) noexcept {
  const PivotReach reach = reach_of(a, motion);
  const double radii = a.radius + b.radius, size = a.size + b.size;
  const double enough =
      std::max(kTouchGap * std::min(a.size, b.size),
               near_enough(size, sum_of_parts(a.point(0)) + sum_of_parts(b.point(0)) +
                                     sum_of_parts(motion.way) + sum_of_parts(motion.pivot)));
  const double speed = length(motion.way) + motion.angle * reach.axis;
  if (!(speed * 0 == 0 && size * 0 == 0) || ball_misses(a, motion, b, reach, enough)) {
    return false;
  }
  const V3 turn = motion.spin();
  Simplex simplex;
  Near near;
  V3 normal;
  double t = first;
  for (rounds = 1; rounds <= kTurningRounds; ++rounds) {
    const Convex now = motion.at(a, t);
    const GjkEnd end = gjk(now, b, V3(), radii + speed * (most - t) + enough, simplex, near);
    if (end == GjkEnd::kBeyond) {
      return false;
    }
    const bool there = end == GjkEnd::kTouching || !(near.distance - radii > enough);
    if (there && rounds == 1) {
      return touch_at_first(now, b, first, touch);
    }
    normal = end == GjkEnd::kTouching ? normal : near.normal;
    if (there) {
      break;
    }
    const TurningPlanes planes(now, b, motion, t, most, normal, reach.pivot);
    V3 spin;
    double h = planes.free_until(V3(), (near.distance - radii) / speed);
    h = planes.free_until(turn, h);
    if (along_edges(simplex, normal, turn, spin)) {
      h = planes.free_until(spin, h);
    }
    if (!(h < planes.longest)) {
      return false;
    }
    t += h;
    if (t > stop) {
      return false;
    }
  }
  touch.t = t;
  touch.point = near.on_b - normal * b.radius;
  touch.normal = -normal;
  touch.distance = 0;
  return true;
}

}  // namespace juxta::shape_detail
