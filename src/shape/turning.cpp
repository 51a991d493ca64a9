// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "shape/turning.h"

#include <cmath>

namespace juxta {
namespace shape_detail {
namespace {

/// The rows of a rotation by an angle about an axis of length 1 (Rodrigues).
void rotation_rows(V3 axis, SinCos turn, V3 (&row)[3]) noexcept {
  const double s = turn.sine, c = turn.cosine, k = 1 - c;
  row[0] = {c + k * axis.x * axis.x, k * axis.x * axis.y - s * axis.z, k * axis.x * axis.z + s * axis.y};
  row[1] = {k * axis.x * axis.y + s * axis.z, c + k * axis.y * axis.y, k * axis.y * axis.z - s * axis.x};
  row[2] = {k * axis.x * axis.z - s * axis.y, k * axis.y * axis.z + s * axis.x, c + k * axis.z * axis.z};
}

V3 rotated(const V3 (&row)[3], V3 v) noexcept {
  return {dot(row[0], v), dot(row[1], v), dot(row[2], v)};
}

bool finite_place(const Qvvs& at) noexcept {
  return juxta::is_finite(at.rotation) && juxta::is_finite(at.position) && juxta::is_finite(at.stretch) &&
         at.scale * 0 == 0;
}

}  // namespace

SinCos sin_cos(double angle) noexcept {
  // Quarter turns, as two doubles of which the first has 33 bits: its products with small integers are exact.
  constexpr double kQuarter = 1.57079632673412561417e+00, kRest = 6.07710050650619224932e-11;
  const double quarters = std::nearbyint(angle * 0.63661977236758134308);
  const double x = (angle - quarters * kQuarter) - quarters * kRest, y = x * x;
  double sine = 0, cosine = 0;  // Taylor, for |x| <= pi / 4
  for (int i = 17; i >= 3; i -= 2) {
    sine = (1 + sine) * -y / (i * (i - 1));
  }
  for (int i = 18; i >= 2; i -= 2) {
    cosine = (1 + cosine) * -y / (i * (i - 1));
  }
  const double s = x + x * sine, c = 1 + cosine;
  switch (static_cast<long long>(quarters) & 3) {
    case 0:
      return {s, c};
    case 1:
      return {c, -s};
    case 2:
      return {-s, -c};
    default:
      return {-c, s};
  }
}

Turning::Turning(const Motion& motion, const Frame& frame) noexcept
    : way(motion.way), pivot(frame(V3(motion.pivot))), angle(length(V3(motion.turn))) {
  if (angle > 0) {
    axis = V3(motion.turn) * (1 / angle);
  }
}

Frame Turning::at(const Frame& start, double t) const noexcept {
  V3 turn[3];
  rotation_rows(axis, sin_cos(angle * t), turn);
  Frame out = start;
  for (int i = 0; i < 3; ++i) {
    out.row[i] = start.row[0] * turn[i].x + start.row[1] * turn[i].y + start.row[2] * turn[i].z;
  }
  out.position = pivot_at(t) + rotated(turn, start.position - pivot);
  return out;
}

Convex Turning::at(const Convex& start, double t) const noexcept {
  V3 turn[3];
  rotation_rows(axis, sin_cos(angle * t), turn);
  Convex out = start;
  const V3 middle = pivot_at(t);
  if (start.vertices.empty()) {
    for (std::uint32_t i = 0; i < start.count; ++i) {
      out.corners[i] = middle + rotated(turn, start.corners[i] - pivot);
    }
  }
  out.frame = at(start.frame, t);
  return out;
}

bool is_sound(const Motion& motion) noexcept {
  return finite_place(motion.from) && juxta::is_finite(motion.way) && juxta::is_finite(motion.turn) &&
         juxta::is_finite(motion.pivot) && length(V3(motion.turn)) <= kMostTurn;
}

}  // namespace shape_detail

Qvvs place_at(const Motion& motion, float t) {
  using namespace shape_detail;
  const double part = static_cast<double>(t);
  const Frame start(motion.from, {});
  const Turning turning(motion, start);
  const SinCos half = sin_cos(turning.angle * part / 2);
  const Quat& q = motion.from.rotation;
  const V3 v = turning.axis * half.sine, u(Vec3{q.x, q.y, q.z});
  const double w = half.cosine, from_w = static_cast<double>(q.w);
  const V3 both = u * w + v * from_w + cross(v, u);
  Qvvs at = motion.from;
  at.rotation = {narrowed(both.x), narrowed(both.y), narrowed(both.z), narrowed(w * from_w - dot(v, u))};
  at.position = turning.at(start, part).position.rounded();
  return at;
}

}  // namespace juxta
