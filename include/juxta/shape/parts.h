// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Shapes with parts: hulls, meshes, compounds, height fields. Made once, then only read: any number of
// threads.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/memory.h"
#include "juxta/core/owned.h"
#include "juxta/math/aabb.h"
#include "juxta/math/plane.h"
#include "juxta/math/qvvs.h"
#include "juxta/shape/shape.h"

namespace juxta {
namespace shape_detail {
struct Access;
struct CompoundStore;
struct HeightFieldStore;
struct HullStore;
struct MeshStore;
}  // namespace shape_detail

/// The smallest convex set that holds some points. Flat ones (all points in a plane, on a line, in one place)
/// are allowed.
class JUXTA_API ConvexHull {
 public:
  /// Cost: O(n log n): 1 to 3 us a point where all are corners, a tenth where few are.
  /// Vertices that lie within 1e-6 of the hull's size inside it are left out.
  /// Errors: kInvalidArgument (no point), kNotFinite (with the index), kTooLarge (more than 65,535 vertices).
  [[nodiscard]] static Result<ConvexHull> build(std::span<const Vec3> points);

  [[nodiscard]] std::span<const Vec3> vertices() const noexcept;
  /// The planes of the faces, normals of length 1 outwards: signed_distance() is <= 0 inside. None for flat
  /// hulls.
  [[nodiscard]] std::span<const Plane3> faces() const noexcept;

 private:
  friend struct shape_detail::Access;
  explicit ConvexHull(Owned<shape_detail::HullStore> store) noexcept;
  Owned<shape_detail::HullStore> store_;
};

/// Triangles, and a tree over them: a surface, hit from both sides.
class JUXTA_API TriangleMesh {
 public:
  /// Copies. Degenerate triangles are allowed; duplicates are as well.
  /// Cost:   O(n log n): about 1 us a triangle on one thread (0.6 of 70,000 triangles, 1 of a million; twice
  ///         that where the memory is new to the process). An executor shares what lies below the top levels.
  /// Errors: kInvalidArgument (a triangle with a vertex that is not there, with the triangle's index),
  ///         kNotFinite (with the vertex's index), kTooLarge (more than 2^28 triangles).
  [[nodiscard]] static Result<TriangleMesh> build(std::span<const Vec3> vertices,
                                                  std::span<const std::array<std::uint32_t, 3>> triangles,
                                                  const Context& context = {},
                                                  std::pmr::memory_resource* resource = huge_page_resource());

  [[nodiscard]] std::size_t triangle_count() const noexcept;
  /// Of the input's triangle `index`.
  [[nodiscard]] Triangle triangle(std::uint32_t index) const noexcept;
  /// Every edge belongs to two triangles, which run along it in opposite directions: it has an inside.
  [[nodiscard]] bool closed() const noexcept;
  [[nodiscard]] Aabb3 bounds() const noexcept;
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  friend struct shape_detail::Access;
  explicit TriangleMesh(Owned<shape_detail::MeshStore> store) noexcept;
  Owned<shape_detail::MeshStore> store_;
};

/// Shapes that move together: each at its own place. Its parts are not compounds.
class JUXTA_API Compound {
 public:
  struct Part {
    Shape shape;
    Qvvs at{};
  };
  /// Errors: those of check_shape(), with the part's index; kInvalidArgument (a part is a compound; none is
  /// there).
  [[nodiscard]] static Result<Compound> build(std::span<const Part> parts);

  [[nodiscard]] std::span<const Part> parts() const noexcept;

 private:
  friend struct shape_detail::Access;
  explicit Compound(Owned<shape_detail::CompoundStore> store) noexcept;
  Owned<shape_detail::CompoundStore> store_;
};

/// Heights over a grid, y upwards: vertex (i, j) is (i * cell, heights[j * columns + i], j * cell). Each
/// square is two triangles, cut from (i, j) to (i + 1, j + 1); a NaN height makes a hole of all triangles at
/// it. A surface, hit from both sides. Triangle 2 * (j * (columns - 1) + i) has (i + 1, j), the next one (i,
/// j + 1).
class JUXTA_API HeightField {
 public:
  /// Copies. Errors: kInvalidArgument (columns or rows below 2; heights of another length; cell not above 0),
  ///         kNotFinite (an infinite height, with its index).
  [[nodiscard]] static Result<HeightField> build(std::uint32_t columns, std::uint32_t rows, float cell,
                                                 std::span<const float> heights);

  [[nodiscard]] std::uint32_t columns() const noexcept;
  [[nodiscard]] std::uint32_t rows() const noexcept;
  [[nodiscard]] float cell() const noexcept;
  [[nodiscard]] std::span<const float> heights() const noexcept;
  [[nodiscard]] Triangle triangle(std::uint32_t index) const noexcept;

 private:
  friend struct shape_detail::Access;
  explicit HeightField(Owned<shape_detail::HeightFieldStore> store) noexcept;
  Owned<shape_detail::HeightFieldStore> store_;
};

}  // namespace juxta
