// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a motion along a line that turns evenly about a pivot which moves along.
#pragma once

#include "juxta/shape/query.h"
#include "shape/convex.h"
#include "shape/frame.h"

namespace juxta::shape_detail {

struct SinCos {
  double sine = 0, cosine = 1;
};
/// To 1e-15 for angles up to kMostTurn. Not std::sin: its last digit is the system's.
[[nodiscard]] SinCos sin_cos(double angle) noexcept;
inline constexpr double kMostTurn = 1000;  // radians

/// Where things are at t: p -> pivot + way * t + rotation(axis, angle * t) * (p - pivot).
struct Turning {
  V3 way, pivot;
  V3 axis{0, 0, 1};  // of length 1
  double angle = 0;

  /// `frame`: where the shape starts, in the common frame.
  Turning(const Motion& motion, const Frame& frame) noexcept;

  /// A frame, or a shape, that starts there.
  [[nodiscard]] Frame at(const Frame& start, double t) const noexcept;
  [[nodiscard]] Convex at(const Convex& start, double t) const noexcept;
  /// Radians and lengths per t.
  [[nodiscard]] V3 spin() const noexcept { return axis * angle; }
  [[nodiscard]] V3 pivot_at(double t) const noexcept { return pivot + way * t; }
};

/// Whether a motion is finite and turns by no more than kMostTurn.
[[nodiscard]] bool is_sound(const Motion& motion) noexcept;
/// A box that, moved by the way, holds the convex shape as it turns. Not finite where the motion is not
/// sound.
[[nodiscard]] Aabb3 turning_box(const Shape& shape, const Motion& motion) noexcept;
/// When `a` first touches `b`, t in [first, most]; `rounds` counts the distances that were needed. False as
/// well once it is known to be after `stop`, which changes no bit of an answer before.
[[nodiscard]] bool cast_turning(const Convex& a, const Turning& motion, const Convex& b, double first,
                                double most, double stop, Touch& touch, int& rounds) noexcept;

}  // namespace juxta::shape_detail
