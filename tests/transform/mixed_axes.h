// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What becomes of a rotation of which one axis is kept and the other follows, in double precision.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "juxta/math/qvvs.h"
#include "juxta/transform/inherit.h"

namespace juxta::test {

using Axis = std::array<double, 3>;

inline Axis cross(const Axis& a, const Axis& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double length(const Axis& a) {
  return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}
/// The +y (1) or +z (2) axis of a rotation: that column of its matrix.
inline Axis axis_of(Quat q, int which) {
  const double x = q.x, y = q.y, z = q.z, w = q.w;
  return which == 1 ? Axis{2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)}
                    : Axis{2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)};
}

struct MixedAxes {
  Axis up, forward;
};

/// The axes to expect; none where they all but agree, so that rounding decides.
inline std::optional<MixedAxes> mixed_axes(Quat kept, Quat followed, Inherit flags) {
  const Quat forward_from = keeps(flags, Inherit::kWorldForward) ? kept : followed;
  const Quat up_from = keeps(flags, Inherit::kWorldUp) ? kept : followed;
  const bool strict_up = keeps(flags, Inherit::kStrictUp);
  Axis up = axis_of(up_from, 1), forward = axis_of(forward_from, 2);
  Axis right = cross(up, forward);
  const double size = length(right);
  if (size < 2e-7) {
    const Quat whole = strict_up ? up_from : forward_from;
    return MixedAxes{axis_of(whole, 1), axis_of(whole, 2)};
  }
  if (size < 1e-3) {
    return std::nullopt;
  }
  for (double& x : right) {
    x /= size;
  }
  if (strict_up) {
    forward = cross(right, up);
  } else {
    up = cross(forward, right);
  }
  return MixedAxes{up, forward};
}

/// How far the axes of a rotation are from these, at most.
inline double distance(Quat q, const MixedAxes& axes) {
  const Axis up = axis_of(q, 1), forward = axis_of(q, 2);
  double most = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    most = std::max({most, std::abs(up[i] - axes.up[i]), std::abs(forward[i] - axes.forward[i])});
  }
  return most;
}

/// A rotation with these axes: the largest of its four numbers first, from the diagonal of the matrix.
inline Quat rotation_of(const MixedAxes& axes) {
  const Axis &y = axes.up, &z = axes.forward, x = cross(y, z);
  const std::array<double, 4> squares{1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2], 1 - x[0] - y[1] + z[2],
                                      1 + x[0] + y[1] + z[2]};
  std::size_t largest = 0;
  for (std::size_t i = 1; i < 4; ++i) {
    largest = squares[i] > squares[largest] ? i : largest;
  }
  const double four = 2 * std::sqrt(squares[largest]);
  const double xy = x[1] + y[0], xz = x[2] + z[0], yz = y[2] + z[1];
  const double wx = y[2] - z[1], wy = z[0] - x[2], wz = x[1] - y[0];
  const std::array<std::array<double, 4>, 4> rows{
      std::array{four * four / 4, xy, xz, wx}, std::array{xy, four * four / 4, yz, wy},
      std::array{xz, yz, four * four / 4, wz}, std::array{wx, wy, wz, four * four / 4}};
  const auto& row = rows[largest];
  return {static_cast<float>(row[0] / four), static_cast<float>(row[1] / four),
          static_cast<float>(row[2] / four), static_cast<float>(row[3] / four)};
}

}  // namespace juxta::test
