// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Rays down the tree of triangles: one ray against eight boxes, then against eight triangles, at a time.
#include <algorithm>
#include <cmath>

#include "shape/triangle_ray.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/shape/triangle_ray_kernel.cpp"  // this file, from the repository root
#include "hwy/foreach_target.h"                                 // IWYU pragma: keep
#include "hwy/highway.h"
#include "shape/triangle_packet-inl.h"
#include "shape/triangle_ray-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::detail::HWY_NAMESPACE {

TriangleHit Closest(const TriangleTree& tree, const Ray3& ray) {
  const ReadyRay ready = make_ready(ray, tree.bounds);
  return Search<false>(tree, ready);
}

bool Any(const TriangleTree& tree, const Ray3& ray) {
  const ReadyRay ready = make_ready(ray, tree.bounds);
  return Search<true>(tree, ready).triangle != kNoTriangle;
}

void ClosestOfMany(const TriangleTree& tree, const Ray3* rays, std::size_t count, TriangleHit* out) {
  for (std::size_t i = 0; i < count;) {
    if (i + kPacket <= count && SearchPacket(tree, rays + i, out + i)) {
      i += kPacket;
      continue;
    }
    for (const std::size_t end = HWY_MIN(count, i + kPacket); i < end; ++i) {
      out[i] = Search<false>(tree, make_ready(rays[i], tree.bounds));
    }
  }
}

}  // namespace juxta::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::detail {

HWY_EXPORT(Closest);
HWY_EXPORT(Any);
HWY_EXPORT(ClosestOfMany);

TriangleHit closest_triangle(const TriangleTree& tree, const Ray3& ray) noexcept {
  return HWY_DYNAMIC_DISPATCH(Closest)(tree, ray);
}
bool any_triangle(const TriangleTree& tree, const Ray3& ray) noexcept {
  return HWY_DYNAMIC_DISPATCH(Any)(tree, ray);
}
void closest_triangles(const TriangleTree& tree, std::span<const Ray3> rays,
                       std::span<TriangleHit> out) noexcept {
  HWY_DYNAMIC_DISPATCH(ClosestOfMany)(tree, rays.data(), rays.size(), out.data());
}

}  // namespace juxta::detail
#endif  // HWY_ONCE
