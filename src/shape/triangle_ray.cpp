// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "shape/triangle_ray.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace juxta::shape_detail {
namespace {

constexpr float kMost = std::numeric_limits<float>::max();

// Seen along the ray: z is what it runs along.
template <class T>
struct Seen {
  T x, y, z;

  Seen(const ReadyRay& ray, const CornerView& at, int corner) noexcept
      : z(static_cast<T>(at(corner, ray.kz)) - static_cast<T>(ray.origin[ray.kz])) {
    x = static_cast<T>(at(corner, ray.kx())) - static_cast<T>(ray.origin[ray.kx()]) -
        static_cast<T>(ray.ratio[ray.kx()]) * z;
    y = static_cast<T>(at(corner, ray.ky())) - static_cast<T>(ray.origin[ray.ky()]) -
        static_cast<T>(ray.ratio[ray.ky()]) * z;
  }
};

template <class T>
struct Edges {
  T u, v, w;

  Edges(const Seen<T>& a, const Seen<T>& b, const Seen<T>& c) noexcept
      : u(c.x * b.y - c.y * b.x), v(a.x * c.y - a.y * c.x), w(b.x * a.y - b.y * a.x) {}
  [[nodiscard]] bool mixed() const noexcept { return (u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0); }
  [[nodiscard]] T det() const noexcept { return u + v + w; }
  [[nodiscard]] T sum(const Seen<T>& a, const Seen<T>& b, const Seen<T>& c) const noexcept {
    return u * a.z + v * b.z + w * c.z;
  }
};

// What floats cannot tell: the three corners as floats see them, exact from there on.
float hit_in_doubles(const ReadyRay& ray, const Seen<double>& a, const Seen<double>& b,
                     const Seen<double>& c) noexcept {
  const Edges<double> edges(a, b, c);
  const double det = edges.det();
  if (edges.mixed() || !(det != 0)) {
    return -1;
  }
  const double t = edges.sum(a, b, c) / (det * static_cast<double>(ray.way[ray.kz]));
  return t >= 0 && t <= static_cast<double>(kMost) ? static_cast<float>(t) : -1;
}

}  // namespace

// No branch depends on where the ray runs: of rays without order, every second one would be foretold wrongly.
ReadyRay make_ready(const Ray3& ray, const Aabb3& bounds) noexcept {
  ReadyRay ready;
  float way[3], length[3], reach = 0, largest = 0;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    way[axis] = ray.direction[axis];
    length[axis] = std::fabs(way[axis]);
    const float from = ray.origin[axis];
    ready.origin[axis] = from;
    reach = std::max(reach, std::max(std::fabs(bounds.lo[axis] - from), std::fabs(bounds.hi[axis] - from)));
    largest += std::fabs(from) * 0x1p-2F + length[axis] * 0x1p-3F;  // not finite when one of them is not
  }
  const std::uint32_t longer = length[1] > length[0] ? 1 : 0;
  ready.kz = length[2] > length[longer] ? 2 : longer;
  const float longest = length[ready.kz];
  ready.sound = largest <= kMost && longest > 0 && ray.max >= 0;
  if (!ready.sound) {
    return ready;
  }
  ready.max = ray.max;
  ready.exponent = 0;
  if (!(longest > 0x1p-30F && longest < 0x1p30F)) {
    ready.exponent = std::ilogb(longest);
    for (float& x : way) {
      x = std::scalbn(x, -ready.exponent);
    }
    ready.max = std::scalbn(ray.max, ready.exponent);
  }
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    ready.way[axis] = way[axis];
    ready.ratio[axis] = way[axis] / way[ready.kz];
  }
  ready.negative = 0;
  // 16 roundings of the largest number that takes part.
  reach = std::min(reach, 0x1p126F) * 0x1p-20F;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const float grow = std::copysign(reach + std::fabs(ready.origin[axis]) * 0x1p-22F, way[axis]);
    // Along an axis on which it runs this little, a ray does not leave what a box was grown by.
    const float step = std::copysign(std::max(std::fabs(way[axis]), 0x1p-90F), way[axis]);
    ready.back[axis] = -1 / step;
    ready.near_origin[axis] = ready.origin[axis] + grow;
    ready.far_origin[axis] = ready.origin[axis] - grow;
    ready.negative |= (std::bit_cast<std::uint32_t>(way[axis]) >> 31) << axis;
  }
  return ready;
}

float hit_triangle(const ReadyRay& ray, const CornerView& triangle) noexcept {
  const Seen<float> a(ray, triangle, 0), b(ray, triangle, 1), c(ray, triangle, 2);
  const Edges<float> edges(a, b, c);
  if (edges.mixed()) {
    return -1;
  }
  const float det = edges.det(), sum = edges.sum(a, b, c);
  float t;
  if (std::fabs(det) > kLeastDet && std::fabs(det) < kMostDet && std::fabs(sum) <= kMostSum) {
    t = sum / (det * ray.way[ray.kz]);
  } else {
    t = hit_in_doubles(ray, Seen<double>(ray, triangle, 0), Seen<double>(ray, triangle, 1),
                       Seen<double>(ray, triangle, 2));
  }
  if (!(t >= 0 && t <= kMost)) {
    return -1;
  }
  return clamp_to_box(ray, triangle, t);
}

TriangleHit closest_triangle_reference(const TriangleTree& tree, const Ray3& ray) noexcept {
  const ReadyRay ready = make_ready(ray, tree.bounds);
  TriangleHit best;
  if (!ready.sound) {
    return best;
  }
  best.t = ready.max;
  for (std::size_t i = 0; i < tree.triangles.size(); ++i) {
    const auto& [a, b, c] = tree.triangles[i];
    const CornerView view{{tree.vertices[a].begin(), tree.vertices[b].begin(), tree.vertices[c].begin()}, 1};
    const float t = hit_triangle(ready, view);
    // The first of several at one t stays.
    if (t >= 0 && (t < best.t || (t == best.t && best.triangle == TriangleHit().triangle))) {
      best = {static_cast<std::uint32_t>(i), t};
    }
  }
  return ready.answer(best);
}

}  // namespace juxta::shape_detail
