// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: many triangles and the tree over them: what meshes and height fields are.
//
// All searches take coordinates of the mesh itself. Triangles are named by their number in the input,
// whatever order the tree keeps them in. None allocates.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <memory_resource>
#include <span>

#include "juxta/core/array.h"
#include "juxta/core/context.h"
#include "juxta/core/executor.h"
#include "juxta/core/function_ref.h"
#include "juxta/layer/raycast.h"
#include "juxta/math/aabb.h"
#include "juxta/math/qvvs.h"
#include "juxta/shape/parts.h"
#include "shape/mesh_extent.h"

namespace juxta::shape_detail {

struct TriangleTree;  // src/shape/triangle_tree.h: nodes and leaves, of the ray kernel's own choosing

/// A hit of a ray. The same for packets and single rays, for any instruction set: of several at one t the
/// lowest number.
struct TriangleHit {
  std::uint32_t triangle = ~std::uint32_t{0};
  float t = std::numeric_limits<float>::infinity();
  std::uint32_t slot = 0;  // where the tree keeps it: block * kBlockLanes + lane
};

/// Leaves out what lies behind a plane: triangles all of whose corners have way . p > most.
struct HalfSpace {
  double way[3] = {0, 0, 0};
  double most = std::numeric_limits<double>::infinity();
};

class Triangles {
 public:
  /// Triangles that have a NaN corner are left out (holes of height fields). Indices are in range, all else
  /// finite.
  static Triangles build(std::span<const Vec3> vertices,
                         std::span<const std::array<std::uint32_t, 3>> triangles, const Executor* executor,
                         std::pmr::memory_resource* resource);
  /// In steps: memory for a mesh, whose vertices and triangles are then written; and the tree over them. All
  /// finite, indices in range.
  static Triangles sized(std::size_t vertices, std::size_t triangles, std::pmr::memory_resource* resource);
  void build_tree(MeshQuality quality, const Context& context, std::pmr::memory_resource* resource);
  /// After the vertices have changed.
  void refit(const Executor& executor) noexcept;
  /// The tree was filled by someone else.
  void take_bounds() noexcept;
  [[nodiscard]] TriangleTree& tree() noexcept { return *tree_; }

  Triangles(Triangles&&) noexcept;
  Triangles& operator=(Triangles&&) noexcept;
  ~Triangles();

  [[nodiscard]] std::size_t size() const noexcept;  // of the input
  [[nodiscard]] std::array<Vec3, 3> corners(std::uint32_t triangle) const noexcept;
  [[nodiscard]] const Aabb3& bounds() const noexcept;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;
  [[nodiscard]] const MeshExtent& extent() const noexcept { return extent_; }
  /// For kernels.
  [[nodiscard]] const TriangleTree& tree() const noexcept { return *tree_; }

  /// Watertight (Woop, Benthin, Wald 2013): a ray through a shared edge hits one of its triangles.
  [[nodiscard]] TriangleHit ray_closest(const Ray3& ray) const noexcept;
  [[nodiscard]] bool ray_any(const Ray3& ray) const noexcept;
  /// Coherent rays go down the tree together. out as long as rays.
  void ray_closest(std::span<const Ray3> rays, std::span<TriangleHit> out) const noexcept;

  /// Triangles whose box overlaps `box`; the visitor returns false to stop.
  void visit(const Aabb3& box, FunctionRef<bool(std::uint32_t triangle)> visitor) const noexcept;
  /// Triangles whose box is within `limit` of `box` (gap per axis, Euclidean), the nearest blocks first; the
  /// visitor returns the new limit, and may change what is `hidden`.
  void visit_near(const Aabb3& box, double limit, FunctionRef<double(std::uint32_t triangle)> visitor,
                  const HalfSpace& hidden = {}) const noexcept;
  /// Triangles whose box `box`, moved by `way`, enters before t = `limit`, the earliest blocks first; the
  /// visitor returns the new limit, and may change what is `hidden`.
  void visit_swept(const Aabb3& box, const Vec3& way, double limit,
                   FunctionRef<double(std::uint32_t triangle)> visitor,
                   const HalfSpace& hidden = {}) const noexcept;

 private:
  Triangles();
  std::unique_ptr<TriangleTree> tree_;
  MeshExtent extent_;  // of its bounds
};

}  // namespace juxta::shape_detail
