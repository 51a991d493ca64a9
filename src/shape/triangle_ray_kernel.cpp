// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Rays down the tree of triangles.
//
//   one ray      against the eight boxes of a node, then against the triangles of a leaf, four at a time
//   sixteen      that run side by side: all of them as one against eight boxes, and against the boxes of a
//                leaf's triangles; then each triangle that is left against sixteen (triangle_packet-inl.h)
//   eight        that have nothing in common: each takes one step in turn
//
// Work:         a node is 6 subtractions from memory, 6 multiplications, 6 minima and maxima for 8 boxes; a
//               block some 45 operations for 4 triangles. A ray from anywhere at a bumpy ball of
//               70k triangles reads 6.1 nodes and 1.5 leaves, one of a picture 5.1 and 1.1.
// Limit:        instructions and branches that no predictor knows: is it one child, two or more, and is it a
//               leaf? A packet is held up by arithmetic.
// Determinism:  sums and products in the order of hit_triangle() and make_ready(), never fused; of equal t
//               the lowest number; what boxes leave out is left out of the definition (triangle_ray.h).
#include <algorithm>
#include <cmath>

#include "shape/triangle_ray.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/shape/triangle_ray_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "shape/triangle_packet-inl.h"
#include "shape/triangle_ray-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::shape_detail::HWY_NAMESPACE {

TriangleHit Closest(const TriangleTree& tree, const Ray3& ray) {
  ReadyRay ready;
  MakeReady(ray, tree.bounds, ready);
  return Search<false>(tree, ready);
}

bool Any(const TriangleTree& tree, const Ray3& ray) {
  ReadyRay ready;
  MakeReady(ray, tree.bounds, ready);
  return Search<true>(tree, ready).triangle != kNoTriangle;
}

void ClosestOfMany(const TriangleTree& tree, const Ray3* rays, std::size_t count, TriangleHit* out) {
  RayColumns columns;
  PacketHits hits;
  PacketChoice choice;
  for (std::size_t i = 0; i < count;) {
    const std::size_t some = HWY_MIN(count - i, kPacket);
    bool together = some == kPacket;
    if (together) {
      columns.Load(rays + i);
      together = SearchPacket(tree, columns, choice, hits);
    }
    for (std::size_t k = 0; together && k < kPacket; ++k) {
      out[i + k] = hits.number[k] == kNoTriangle ? TriangleHit{}
                                                 : TriangleHit{hits.number[k], hits.best[k], hits.slot[k]};
    }
    if (!together) {
      SearchApart(tree, rays + i, some, out + i);
    }
    i += some;
  }
}

}  // namespace juxta::shape_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::shape_detail {

JUXTA_KERNEL(Closest);
JUXTA_KERNEL(Any);
JUXTA_KERNEL(ClosestOfMany);

TriangleHit closest_triangle(const TriangleTree& tree, const Ray3& ray) noexcept {
  return JUXTA_CALL_KERNEL(Closest)(tree, ray);
}
bool any_triangle(const TriangleTree& tree, const Ray3& ray) noexcept {
  return JUXTA_CALL_KERNEL(Any)(tree, ray);
}
void closest_triangles(const TriangleTree& tree, std::span<const Ray3> rays,
                       std::span<TriangleHit> out) noexcept {
  JUXTA_CALL_KERNEL(ClosestOfMany)(tree, rays.data(), rays.size(), out.data());
}

}  // namespace juxta::shape_detail
#endif  // HWY_ONCE
