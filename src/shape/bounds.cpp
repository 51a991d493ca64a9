// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "shape/placed.h"

namespace juxta {
namespace shape_detail {
namespace {

/// The float next to a finite one, away from or towards 0: its bits count as integers do.
float next_below(float x) noexcept {
  if (x == 0) {
    return -std::numeric_limits<float>::denorm_min();
  }
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return std::bit_cast<float>(x > 0 ? bits - 1 : bits + 1);
}

/// The largest float that is not above x. Beyond all floats: the largest, or an infinity, outwards.
float rounded_down(double x) noexcept {
  constexpr float kMost = std::numeric_limits<float>::max();
  if (!(x >= -static_cast<double>(kMost))) {
    return -std::numeric_limits<float>::infinity();
  }
  if (x >= static_cast<double>(kMost)) {
    return kMost;
  }
  const float near = narrowed(x);
  return static_cast<double>(near) > x ? next_below(near) : near;
}

/// All within `radius` of what `extent` holds.
struct ExtentOf {
  const Frame& frame;

  Extent operator()(const Sphere& sphere) const noexcept {
    Extent e;
    e.take(frame(V3(sphere.center)));
    return e.grown(static_cast<double>(sphere.radius) * frame.scale);
  }
  Extent operator()(const Capsule& capsule) const noexcept {
    Extent e;
    e.take(frame(V3(capsule.a)));
    e.take(frame(V3(capsule.b)));
    return e.grown(static_cast<double>(capsule.radius) * frame.scale);
  }
  Extent operator()(const Box& box) const noexcept {
    const PlacedBox b(box, frame);
    const auto reach = [&b](double x, double y, double z) {
      return std::abs(x) * b.half.x + std::abs(y) * b.half.y + std::abs(z) * b.half.z;
    };
    const V3 most{reach(b.axis[0].x, b.axis[1].x, b.axis[2].x), reach(b.axis[0].y, b.axis[1].y, b.axis[2].y),
                  reach(b.axis[0].z, b.axis[1].z, b.axis[2].z)};
    Extent e;
    e.lo = b.center - most;
    e.hi = b.center + most;
    return e;
  }
  Extent operator()(const Triangle& triangle) const noexcept {
    Extent e;
    e.take(frame(V3(triangle.a)));
    e.take(frame(V3(triangle.b)));
    e.take(frame(V3(triangle.c)));
    return e;
  }
  Extent operator()(const ConvexHull& hull) const noexcept {
    Extent e;
    for (const Vec3& v : hull.vertices()) {
      e.take(frame(V3(v)));
    }
    return e;
  }
  Extent operator()(const TriangleMesh& mesh) const noexcept { return extent_of(mesh.bounds(), frame); }
  Extent operator()(const HeightField& field) const noexcept {
    return extent_of(Access::store(field).triangles.bounds(), frame);
  }
  Extent operator()(const Compound& compound) const noexcept {
    Extent e;
    for (const Compound::Part& part : compound.parts()) {
      e.take(extent_of(part.shape, placed(frame, part.at)));
    }
    return e;
  }
};

}  // namespace

double gap(const Extent& a, const Extent& b) noexcept {
  const double x = std::max(a.lo.x - b.hi.x, b.lo.x - a.hi.x);
  const double y = std::max(a.lo.y - b.hi.y, b.lo.y - a.hi.y);
  const double z = std::max(a.lo.z - b.hi.z, b.lo.z - a.hi.z);
  const double most = std::max({x, y, z});
  return most <= 0 ? most : length({std::max(x, 0.0), std::max(y, 0.0), std::max(z, 0.0)});
}

Extent extent_of(const Shape& shape, const Frame& frame) noexcept {
  return shape.visit(ExtentOf{frame});
}

Extent extent_of(const Aabb3& box, const Frame& frame) noexcept {
  Extent e;
  if (box.empty()) {
    return e;
  }
  for (unsigned corner = 0; corner < 8; ++corner) {
    const Vec3 p{(corner & 1U) != 0 ? box.hi[0] : box.lo[0], (corner & 2U) != 0 ? box.hi[1] : box.lo[1],
                 (corner & 4U) != 0 ? box.hi[2] : box.lo[2]};
    e.take(frame(V3(p)));
  }
  return e;
}

Aabb3 local_box(const Extent& extent, const Frame& frame) noexcept {
  Extent e;
  for (unsigned corner = 0; corner < 8; ++corner) {
    e.take(frame.local_point({(corner & 1U) != 0 ? extent.hi.x : extent.lo.x,
                              (corner & 2U) != 0 ? extent.hi.y : extent.lo.y,
                              (corner & 4U) != 0 ? extent.hi.z : extent.lo.z}));
  }
  return outward(e);
}

Aabb3 outward(const Extent& extent) noexcept {
  return {{rounded_down(extent.lo.x), rounded_down(extent.lo.y), rounded_down(extent.lo.z)},
          {-rounded_down(-extent.hi.x), -rounded_down(-extent.hi.y), -rounded_down(-extent.hi.z)}};
}

}  // namespace shape_detail

Aabb3 bounds_of(const Shape& shape, const Qvvs& at) {
  using shape_detail::V3;
  shape_detail::Extent e = shape_detail::extent_of(shape, shape_detail::Frame(at, V3(at.position)));
  e.lo = e.lo + V3(at.position);
  e.hi = e.hi + V3(at.position);
  return shape_detail::outward(e);
}

}  // namespace juxta
