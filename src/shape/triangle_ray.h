// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: one ray against one triangle, which is the definition that kernels keep to, and what the kernels
// export.
//
// A ray hits a triangle when both are true:
//   - it passes the signs of the three edges, seen along the ray (Woop, Benthin, Wald, "Watertight
//   ray/triangle
//     intersection", JCGT 2013). An edge computed from the other side is the same number with another sign,
//     so that no ray passes between two triangles. What floats cannot tell is told by doubles.
//   - it meets the triangle's box, grown by what rounding may hide (Ize, "Robust BVH ray traversal", JCGT
//   2013);
//     t is not before it enters that box.
// The second is there for the tree: it takes the same steps with the larger boxes above, and rounding never
// exchanges two numbers. So what a triangle answers does not depend on which boxes stand above it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "juxta/layer/raycast.h"
#include "juxta/math/aabb.h"
#include "shape/triangle_tree.h"
#include "shape/triangles.h"

namespace juxta::shape_detail {

/// A ray made ready for one mesh.
struct ReadyRay {
  // Of four lanes the last means nothing.
  alignas(16) float origin[4];
  float near_origin[4], far_origin[4];  // of sides of boxes: moved so that boxes grow
  float back[4];                        // -1 / direction; large where that is 0, with its sign
  float way[4], ratio[4];               // the direction; by its part along kz
  std::uint32_t negative;               // bit i: the sign of axis i
  std::uint32_t kz;                     // the axis along which it runs fastest
  float max;
  int exponent;  // the direction was divided by 2 to the power of this
  bool sound;

  /// The two other axes.
  [[nodiscard]] std::uint32_t kx() const noexcept { return kNextAxis[kz]; }
  [[nodiscard]] std::uint32_t ky() const noexcept { return kNextAxis[kz + 1]; }
  static constexpr std::uint32_t kNextAxis[] = {1, 2, 0, 1};

  [[nodiscard]] TriangleHit answer(const TriangleHit& best) const noexcept {
    if (best.triangle == TriangleHit().triangle) {
      return {};
    }
    return exponent == 0 ? best : TriangleHit{best.triangle, std::scalbn(best.t, -exponent), best.slot};
  }
};

/// `bounds` is that of the mesh. Not sound: hits nothing.
[[nodiscard]] ReadyRay make_ready(const Ray3& ray, const Aabb3& bounds) noexcept;

/// Beyond these, products of floats overflow or lose their last digits, and doubles decide.
inline constexpr float kLeastDet = 0x1p-80F, kMostDet = 0x1p80F;
inline constexpr float kMostSum = std::numeric_limits<float>::max();

struct CornerView {
  const float* corner[3];  // of each corner x; y and z are `stride` further
  std::uint32_t stride;

  [[nodiscard]] float operator()(int i, std::uint32_t axis) const noexcept {
    return corner[i][std::size_t{axis} * stride];
  }
};

/// The second condition: t where the ray is in the triangle's box, not before; negative: it never is. The
/// steps are those of the kernel's nodes.
[[nodiscard]] inline float clamp_to_box(const ReadyRay& ray, const CornerView& at, float t) noexcept {
  float enter = 0, leave = std::numeric_limits<float>::infinity();
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const float lo = std::min(std::min(at(0, axis), at(1, axis)), at(2, axis));
    const float hi = std::max(std::max(at(0, axis), at(1, axis)), at(2, axis));
    const bool back = (ray.negative >> axis & 1) != 0;
    enter = std::max(enter, ((back ? hi : lo) - ray.near_origin[axis]) * -ray.back[axis]);
    leave = std::min(leave, ((back ? lo : hi) - ray.far_origin[axis]) * -ray.back[axis]);
  }
  return enter <= leave ? std::max(std::fabs(t), enter) : -1.0F;  // -0 becomes 0
}

/// The hit's t in 0 ... infinity, or negative: a miss. Not limited by ray.max.
[[nodiscard]] float hit_triangle(const ReadyRay& ray, const CornerView& triangle) noexcept;

/// In trees whose blocks take more than this, rays that have nothing in common take turns.
inline constexpr std::size_t kTurnsFromBytes = std::size_t{1} << 21;

/// The plain twin of the two below: all triangles, one after the other.
[[nodiscard]] TriangleHit closest_triangle_reference(const TriangleTree& tree, const Ray3& ray) noexcept;

[[nodiscard]] TriangleHit closest_triangle(const TriangleTree& tree, const Ray3& ray) noexcept;
[[nodiscard]] bool any_triangle(const TriangleTree& tree, const Ray3& ray) noexcept;
/// out[i] = closest_triangle(rays[i]); neighbours go down the tree together.
void closest_triangles(const TriangleTree& tree, std::span<const Ray3> rays,
                       std::span<TriangleHit> out) noexcept;

}  // namespace juxta::shape_detail
