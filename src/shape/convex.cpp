// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "shape/convex.h"

#include <algorithm>

#include "shape/gjk.h"
#include "shape/parts_store.h"

namespace juxta::shape_detail {
namespace {

/// Half the diagonal of the box around some points.
template <class Points>
double half_of_diagonal(const Points& points) {
  V3 low = V3(points[0]), high = low;
  for (const auto& any : points) {
    const V3 p(any);
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  return length(high - low) / 2;
}

void place(Convex& out, const Frame& frame, const Sphere& sphere) {
  out.count = 1;
  out.corners[0] = frame(sphere.center);
  out.size = out.radius = static_cast<double>(sphere.radius) * frame.scale;
}

void place(Convex& out, const Frame& frame, const Capsule& capsule) {
  out.count = 2;
  out.corners[0] = frame(capsule.a);
  out.corners[1] = frame(capsule.b);
  out.radius = static_cast<double>(capsule.radius) * frame.scale;
  out.size = out.radius + length(out.corners[1] - out.corners[0]) / 2;
}

/// Corner i lies on the upper side along axis k where bit k of i is set: support() relies on it.
void place(Convex& out, const Frame& frame, const Box& box) {
  Qvvs turn;
  turn.rotation = box.rotation;
  const Frame own(turn, V3());
  const V3 half(box.half), center(box.center);
  out.count = 8;
  for (std::uint32_t i = 0; i < 8; ++i) {
    const V3 corner{(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                    (i & 4) != 0 ? half.z : -half.z};
    out.corners[i] = frame(center + own(corner));
  }
  out.size = length(out.corners[7] - out.corners[0]) / 2;
}

void place(Convex& out, const Frame& frame, const Triangle& triangle) {
  out.count = 3;
  out.corners[0] = frame(triangle.a);
  out.corners[1] = frame(triangle.b);
  out.corners[2] = frame(triangle.c);
  out.size = half_of_diagonal(std::span(out.corners).first(3));
}

void place(Convex& out, const Frame& frame, const ConvexHull& hull) {
  out.vertices = Access::store(hull).vertices;
  out.columns = Access::store(hull).vertex_columns.data();
  out.count = static_cast<std::uint32_t>(out.vertices.size());
  out.size =
      Access::store(hull).half_diagonal * std::max({frame.stretch.x, frame.stretch.y, frame.stretch.z});
}

template <class NotConvex>
void place(Convex& out, const Frame& frame, const NotConvex& /*unused*/) {
  out.count = 1;  // never asked for: a point where it stands
  out.corners[0] = frame.position;
}

std::uint32_t box_support(const std::array<V3, 8>& corners, V3 direction) {
  std::uint32_t best = 0;
  best |= dot(corners[1] - corners[0], direction) > 0 ? 1U : 0U;
  best |= dot(corners[2] - corners[0], direction) > 0 ? 2U : 0U;
  best |= dot(corners[4] - corners[0], direction) > 0 ? 4U : 0U;
  return best;
}

std::uint32_t hull_support(std::span<const Vec3> vertices, V3 direction) {
  std::uint32_t best = 0;
  double most = dot(V3(vertices[0]), direction);
  for (std::uint32_t i = 1; i < vertices.size(); ++i) {
    const double along = dot(V3(vertices[i]), direction);
    if (along > most) {
      most = along;
      best = i;
    }
  }
  return best;
}

/// The same by blocks: the farthest of each lane, then of all lanes; of several the lowest.
std::uint32_t hull_support(const double* columns, std::size_t count, V3 direction) {
  constexpr std::size_t kLanes = kHullBlock;
  const std::size_t padded = whole_hull_blocks(count);
  const double *x = columns, *y = columns + padded, *z = columns + 2 * padded;
  double most[kLanes];
  std::int64_t block[kLanes];
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    most[lane] = x[lane] * direction.x + y[lane] * direction.y + z[lane] * direction.z;
    block[lane] = 0;
  }
  for (std::size_t first = kLanes; first < padded; first += kLanes) {
    const auto here = static_cast<std::int64_t>(first);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t i = first + lane;
      const double along = x[i] * direction.x + y[i] * direction.y + z[i] * direction.z;
      const bool farther = along > most[lane];
      most[lane] = farther ? along : most[lane];
      block[lane] = farther ? here : block[lane];
    }
  }
  std::size_t best = 0;
  for (std::size_t lane = 1; lane < kLanes; ++lane) {
    const bool lower = most[lane] == most[best] && block[lane] < block[best];
    best = most[lane] > most[best] || lower ? lane : best;
  }
  const std::size_t found = static_cast<std::size_t>(block[best]) + best;
  return found < count ? static_cast<std::uint32_t>(found) : 0;  // padding repeats the first
}

/// From the nearest points of the cores to those of the whole shapes.
bool rounded(const Convex& a, const Convex& b, double most, Near& near) {
  near.distance -= a.radius + b.radius;
  near.on_a = near.on_a + near.normal * a.radius;
  near.on_b = near.on_a + near.normal * near.distance;
  return near.distance <= most;
}

/// A point in a box.
bool overlap_cores(const Convex& a, const Convex& b, Near& near) {
  const bool box_first = a.count == 8;
  const Convex &box = box_first ? a : b, &point = box_first ? b : a;
  V3 outwards;
  if (box.count != 8 || point.count != 1 || !box.vertices.empty() || !point.vertices.empty() ||
      !depth_in_box(box.corners, point.corners[0], near.distance, outwards)) {
    return false;
  }
  near.on_a = point.corners[0] + (box_first ? outwards * near.distance : V3());
  near.normal = box_first ? outwards : -outwards;
  near.distance = -near.distance;
  near.on_b = near.on_a + near.normal * near.distance;
  return true;
}

}  // namespace

std::uint32_t Convex::support(V3 direction) const noexcept {
  if (!vertices.empty()) {
    const V3 back = frame.turned_back(direction);
    const V3 way{back.x * frame.stretch.x, back.y * frame.stretch.y, back.z * frame.stretch.z};
    return columns != nullptr ? hull_support(columns, count, way) : hull_support(vertices, way);
  }
  if (count == 8) {
    return box_support(corners, direction);
  }
  std::uint32_t best = 0;
  for (std::uint32_t i = 1; i < count; ++i) {
    best = dot(corners[i] - corners[best], direction) > 0 ? i : best;
  }
  return best;
}

double half_diagonal(const std::array<V3, 3>& corners) noexcept {
  return half_of_diagonal(corners);
}

Convex convex_of(const Shape& shape, const Frame& frame) noexcept {
  Convex out;
  out.frame = frame;
  out.shape = &shape;
  shape.visit([&](const auto& kind) { place(out, frame, kind); });
  return out;
}

Convex convex_of(const std::array<V3, 3>& corners) noexcept {
  Convex out;
  out.count = 3;
  std::copy(corners.begin(), corners.end(), out.corners.begin());
  out.size = half_diagonal(corners);
  return out;
}

bool closest_cores(const Convex& a, V3 shift, const Convex& b, PointPair& out) noexcept {
  if (!a.vertices.empty() || !b.vertices.empty()) {
    return false;
  }
  const V3 p = a.corners[0] + shift, q = b.corners[0];
  const V3 d = a.corners[a.count - 1] - a.corners[0], e = b.corners[b.count - 1] - q;
  if (a.count == 1 && b.count == 1) {
    out = {p, q};
  } else if (a.count == 1 && b.count == 2) {
    out = {p, q + e * nearest_on_segment(q, e, p)};
  } else if (a.count == 2 && b.count == 1) {
    out = {p + d * nearest_on_segment(p, d, q), q};
  } else if (a.count == 2 && b.count == 2) {
    out = nearest_of_segments(p, d, q, e);
  } else if (a.count == 1 && b.count == 8) {
    out = {p, nearest_in_box(b.corners, p)};
  } else if (a.count == 8 && b.count == 1) {
    out = {nearest_in_box(a.corners, q - shift) + shift, q};
  } else {
    return false;
  }
  return true;
}

bool closest_convex(const Convex& a, const Convex& b, double most, Near& near) noexcept {
  PointPair cores;
  Simplex simplex;
  if (closest_cores(a, V3(), b, cores)) {
    const V3 gap = cores.b - cores.a;
    near.distance = length(gap);
    near.on_a = cores.a;
    if (near.distance > kNoGap * (a.size + b.size)) {
      near.normal = gap * (1 / near.distance);
      return rounded(a, b, most, near);
    }
  } else {
    const GjkEnd end = gjk(a, b, V3(), most + a.radius + b.radius, simplex, near);
    if (end == GjkEnd::kBeyond) {
      near.distance -= a.radius + b.radius;
      return false;
    }
    if (end == GjkEnd::kApart) {
      return rounded(a, b, most, near);
    }
  }
  if (!overlap_cores(a, b, near)) {
    epa(a, b, simplex, near);
  }
  return rounded(a, b, most, near);
}

}  // namespace juxta::shape_detail
