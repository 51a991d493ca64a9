// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "shape/triangle_near.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "shape/placed.h"
#include "shape/surface.h"

namespace juxta::shape_detail {
namespace {

constexpr double kLargest = 0x1p40;  // products of three of them are finite floats
/// Of the size: cores that are thinner somewhere are not asked how deep they are in a triangle.
constexpr double kThick = 1e-3;

/// No less.
float rounded_up(double x) noexcept {
  return narrowed(x + std::abs(x) * 0x1p-22);
}

double sum_of(V3 v) noexcept {
  return std::abs(v.x) + std::abs(v.y) + std::abs(v.z);
}

double largest_of(const Aabb3& box) noexcept {
  double largest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    largest = std::max(
        {largest, std::abs(static_cast<double>(box.lo[axis])), std::abs(static_cast<double>(box.hi[axis]))});
  }
  return largest;
}

void columns_of(const Frame& frame, V3 (&axes)[3]) noexcept {
  const V3* const row = frame.row;
  axes[0] = {row[0].x, row[1].x, row[2].x};
  axes[1] = {row[0].y, row[1].y, row[2].y};
  axes[2] = {row[0].z, row[1].z, row[2].z};
}

/// Axes of which the first runs along `way`, and the second in the plane of it and `aside` if they have one.
void axes_along(V3 way, V3 aside, V3 (&axes)[3]) noexcept {
  const double far = length(way);
  if (!(far > 0x1p-60) || !(far < 0x1p60)) {
    return;
  }
  axes[0] = way * (1 / far);
  const V3 x = axes[0];
  V3 z = cross(x, aside);
  if (!(length(z) > 1e-3 * length(aside))) {
    z = std::abs(x.x) < 0.6 ? cross(x, {1, 0, 0}) : cross(x, {0, 1, 0});
  }
  axes[2] = z * (1 / length(z));
  axes[1] = cross(axes[2], x);
}

void axes_of(const Convex& core, const Frame& mesh, V3 (&axes)[3]) noexcept {
  columns_of(mesh, axes);
  if (!core.vertices.empty()) {
    columns_of(core.frame, axes);
  } else if (core.count == 8) {
    if (const Box* box = core.shape->get_if<Box>()) {
      const PlacedBox placed(*box, core.frame);
      std::copy(placed.axis, placed.axis + 3, axes);
    }
  } else if (core.count > 1) {
    axes_along(core.corners[1] - core.corners[0], core.corners[core.count - 1] - core.corners[0], axes);
  }
}

/// The box of a core along three axes.
struct Spread {
  V3 middle;
  double half[3];
};

Spread spread_of(const Convex& core, const V3 (&axes)[3]) noexcept {
  const auto along = [&](V3 p) { return V3(dot(axes[0], p), dot(axes[1], p), dot(axes[2], p)); };
  if (core.vertices.empty() && core.count == 8) {
    const V3 x = along(core.corners[1] - core.corners[0]), y = along(core.corners[2] - core.corners[0]),
             z = along(core.corners[4] - core.corners[0]);
    const auto half = [](double a, double b, double c) {
      return (std::abs(a) + std::abs(b) + std::abs(c)) / 2;
    };
    return {along((core.corners[0] + core.corners[7]) * 0.5),
            {half(x.x, y.x, z.x), half(x.y, y.y, z.y), half(x.z, y.z, z.z)}};
  }
  Extent e;
  V3 from;
  if (!core.vertices.empty()) {  // its axes are those of its frame
    const V3 stretch = core.frame.stretch;
    for (const Vec3& v : core.vertices) {
      e.take(V3(v));
    }
    e.lo = {e.lo.x * stretch.x, e.lo.y * stretch.y, e.lo.z * stretch.z};
    e.hi = {e.hi.x * stretch.x, e.hi.y * stretch.y, e.hi.z * stretch.z};
    from = along(core.frame.position);
  } else {
    for (std::uint32_t i = 0; i < core.count; ++i) {
      e.take(along(core.corners[i]));
    }
  }
  const V3 size = e.hi - e.lo;
  return {from + (e.lo + e.hi) * 0.5, {size.x / 2, size.y / 2, size.z / 2}};
}

}  // namespace

NearCore::NearCore(const Convex& core, const Surface& mesh) noexcept : radius_(core.radius) {
  V3 axes[3];
  axes_of(core, mesh.frame, axes);
  place(core, mesh, axes);
}

void NearCore::place(const Convex& core, const Surface& mesh, const V3 (&axes)[3]) noexcept {
  const Spread spread = spread_of(core, axes);
  const V3 at = spread.middle, middle = axes[0] * at.x + axes[1] * at.y + axes[2] * at.z;
  const Frame& frame = mesh.frame;
  const V3 local = frame.local_point(middle);
  const Vec3 start = local.rounded();
  const V3 away = frame(V3(start)) - middle;
  const double stretches[3] = {frame.stretch.x, frame.stretch.y, frame.stretch.z};
  double sum = core.radius, thinnest = kFar;
  // The middle is beside the origin by what was rounded away.
  double reach[3] = {std::abs(V3(start).x - local.x), std::abs(V3(start).y - local.y),
                     std::abs(V3(start).z - local.z)};
  const double back_stretch[3] = {1 / stretches[0], 1 / stretches[1], 1 / stretches[2]};
  const double large = std::max({stretches[0], stretches[1], stretches[2]});
  const double largest =
      (largest_of(mesh.triangles->bounds()) * large + sum_of(frame.position)) + sum_of(middle) + core.size;
  const double flat = 1e-6 * core.size;
  for (std::size_t i = 0; i < 3; ++i) {
    const V3 back = frame.turned_back(axes[i]);
    const double row[3] = {back.x, back.y, back.z};
    for (std::size_t j = 0; j < 3; ++j) {
      turn[i][j] = narrowed(row[j] * stretches[j]);
      reach[j] += std::abs(row[j]) * spread.half[i] * back_stretch[j];
    }
    origin[i] = start[i];
    offset[i] = narrowed(dot(axes[i], away));
    half[i] = rounded_up(spread.half[i]);
    stretch[i] = rounded_up(stretches[i]);
    crossed |= spread.half[i] > flat ? 1U << i : 0U;
    sum += spread.half[i];
    thinnest = std::min(thinnest, spread.half[i]);
  }
  for (std::size_t j = 0; j < 3; ++j) {
    around[j] = rounded_up(reach[j]);
  }
  size = rounded_up(sum);
  slack = rounded_up(1e-12 * largest + 0x1p-60);
  sound_ = largest < kLargest && sum < kLargest && large < kLargest;
  boxed = core.vertices.empty() && core.count != 3;
  deep_ = core.count <= kMostPoints && thinnest > kThick * core.size;
  doubt_ = 1e-9 * largest;
  depth_slack_ = 3e-4 * (core.size + core.radius);
  take_points(core, middle, axes);
  take_sides(core, at);
  touch = sound_ ? static_cast<float>(core.radius * (1 - 0x1p-22)) : -1.0F;
}

void NearCore::take_points(const Convex& core, V3 middle, const V3 (&axes)[3]) noexcept {
  if (boxed || core.count > kMostPoints) {
    return;
  }
  count = (core.count + 3) / 4 * 4;
  whole = true;
  const V3 wide = core.frame.stretch, from = core.frame.position - middle;
  const V3 start{dot(axes[0], from), dot(axes[1], from), dot(axes[2], from)};
  float sum[3] = {};
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t number = i < core.count ? i : 0;
    V3 p;
    if (core.vertices.empty()) {
      const V3 off = core.corners[number] - middle;
      p = {dot(axes[0], off), dot(axes[1], off), dot(axes[2], off)};
    } else {
      const V3 v(core.vertices[number]);
      p = start + V3(v.x * wide.x, v.y * wide.y, v.z * wide.z);
    }
    const float at[3] = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      points[axis][i] = at[axis];
      sum[axis] += at[axis];
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    inside[axis] = sum[axis] / static_cast<float>(count);
  }
}

void NearCore::take_sides(const Convex& core, V3 along) noexcept {
  if (core.vertices.empty() || core.shape == nullptr) {
    return;
  }
  const auto* hull = core.shape->get_if<ConvexHull>();
  const V3 stretched = core.frame.stretch;
  if (hull == nullptr || stretched.x != stretched.y || stretched.x != stretched.z) {
    return;
  }
  const HullStore& store = Access::store(*hull);
  if (store.sides.size() > kMostSides) {
    return;
  }
  const V3 local = (along - core.frame.turned_back(core.frame.position)) - store.middle * stretched.x;
  for (const HullStore::Side& side : store.sides) {
    float* to = sides[side_count++];
    to[0] = static_cast<float>(side.normal.x);
    to[1] = static_cast<float>(side.normal.y);
    to[2] = static_cast<float>(side.normal.z);
    to[3] = static_cast<float>(side.reach * stretched.x - dot(side.normal, local));
  }
}

float NearCore::to_core(double distance) const noexcept {
  double apart = distance + radius_;
  if (apart < 0) {
    apart = deep_ ? apart + depth_slack_ : 0;
  }
  return sound_ && apart < kLargest ? rounded_up(apart) : std::numeric_limits<float>::infinity();
}

}  // namespace juxta::shape_detail
