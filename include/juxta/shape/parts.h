// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Shapes with parts: hulls, meshes, compounds, height fields. Made once, then only read: any number of
// threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

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

/// Positions of vertices: three floats every `stride` bytes, as they are in a buffer of larger vertices.
/// Borrowed; only read.
struct VertexView {
  const void* first = nullptr;  ///< The first position: aligned to 4 bytes.
  std::size_t count = 0;
  std::size_t stride = sizeof(Vec3);  ///< At least 12, a multiple of 4.

  VertexView(const void* first_position, std::size_t vertex_count, std::size_t stride_bytes) noexcept
      : first(first_position), count(vertex_count), stride(stride_bytes) {}
  /// A vector, an array or a span of Vec3.
  template <class Positions>
  requires std::is_convertible_v<const Positions&, std::span<const Vec3>> VertexView(
      const Positions& positions)
  noexcept  // NOLINT(google-explicit-constructor)
      : VertexView(std::span<const Vec3>(positions).data(), std::span<const Vec3>(positions).size(),
                   sizeof(Vec3)) {}
};

/// What a mesh is made of: vertices, and for each triangle the numbers of three of them, of 16 or 32 bits.
/// Borrowed; only read.
struct MeshView {
  VertexView vertices;
  const void* indices = nullptr;  ///< Aligned to index_bytes.
  std::size_t index_count = 0;    ///< A multiple of 3.
  std::size_t index_bytes = 4;    ///< 2 or 4.

  MeshView(VertexView positions, std::span<const std::uint16_t> numbers) noexcept
      : MeshView(positions, numbers.data(), numbers.size(), 2) {}
  MeshView(VertexView positions, std::span<const std::uint32_t> numbers) noexcept
      : MeshView(positions, numbers.data(), numbers.size(), 4) {}
  MeshView(VertexView positions, std::span<const std::array<std::uint32_t, 3>> triangles) noexcept
      : MeshView(positions, triangles.data(), 3 * triangles.size(), 4) {}
  MeshView(VertexView positions, const void* numbers, std::size_t number_count,
           std::size_t bytes_of_number) noexcept
      : vertices(positions), indices(numbers), index_count(number_count), index_bytes(bytes_of_number) {}
};

/// How much time a build takes for rays that take less. No answer depends on it.
enum class MeshQuality : std::uint8_t {
  kDefault,  ///< Split where rays are expected to save most.
  /// Along a curve, in a tenth of the time: for meshes that are made anew all the time. Rays take about half
  /// as long again, and two to four times as long where large and small triangles are mixed. Whether the mesh
  /// is closed() is found out when it is first needed.
  kFast,
  /// As kDefault, and then parts of the tree are moved to better places: for meshes that are built once and
  /// saved, in two to six times the time. Rays take about a tenth less time where large and small triangles
  /// are mixed, a twentieth less where triangles intersect, and hardly less where they are alike.
  kBest,
};

/// How to build a mesh. Nothing changes an answer.
struct MeshOptions {
  MeshQuality quality = MeshQuality::kDefault;
};

/// Triangles, and a tree over them: a surface, hit from both sides.
class JUXTA_API TriangleMesh {
 public:
  /// Copies. Degenerate triangles are allowed; duplicates are as well.
  /// Cost:   O(n log n): about 1 us a triangle on one thread (0.6 of 70,000 triangles, 1 of a million; twice
  ///         that where the memory is new to the process: see kept_memory_resource()). An executor shares
  ///         what lies below the top levels. With MeshQuality::kFast 30 to 80 ns a triangle, with kBest 2 to
  ///         8 us; 60 us where triangles of all sizes lie in each other.
  /// Errors: kInvalidArgument (a triangle with a vertex that is not there, with the triangle's index; a
  ///         length, stride, size or alignment that MeshView does not allow), kNotFinite (with the vertex's
  ///         index), kTooLarge (more than 2^28 triangles).
  [[nodiscard]] static Result<TriangleMesh> build(const MeshView& mesh, const MeshOptions& options = {},
                                                  const Context& context = {},
                                                  std::pmr::memory_resource* resource = huge_page_resource());
  [[nodiscard]] static Result<TriangleMesh> build(std::span<const Vec3> vertices,
                                                  std::span<const std::array<std::uint32_t, 3>> triangles,
                                                  const Context& context = {},
                                                  std::pmr::memory_resource* resource = huge_page_resource());

  /// New places for all vertices; the triangles stay. Answers are those of a mesh that is built with these
  /// vertices. The tree keeps its leaves and gets new boxes: as long as neighbours stay neighbours rays take
  /// little longer, and where they do not, build anew. No query may run meanwhile. Bodies and compounds that
  /// borrow the mesh keep the box that it had: call Bodies::refit(), and make compounds anew.
  /// Cost:   15 to 30 ns a triangle while the mesh fits a cache. Allocates nothing; an opened mesh is first
  ///         copied from its file.
  /// Errors: kInvalidArgument (not vertex_count() vertices; a stride or alignment that VertexView does not
  ///         allow), kNotFinite (with the vertex's index). The mesh is then as it was.
  [[nodiscard]] Result<void> refit(const VertexView& vertices, const Context& context = {});

  /// Where this mesh stands beside another mesh or a height field, as a tile of a terrain does, its surface
  /// goes on there. Edges of its border that lie along edges of the other's border, within `within`, get
  /// neighbours there, and contacts() and Bodies::find_contacts() have no ghost edges along them. The two may
  /// be cut differently; what the other does not cover stays free. Call it for both. The other is only read.
  /// What was found holds while the two stand like that to each other. When the other goes, forget it:
  /// contacts at the rim would still have the normals of a surface that goes on. refit() forgets all, and
  /// save() keeps none of it. No question about contacts may run meanwhile.
  ///   at, other_at   where the two stand, in any common frame
  ///   within         in its units, up to half of the edge's length; 0: a ten-thousandth of it
  /// Returns how many edges have got a neighbour. Edges that have a neighbour in the mesh itself, such as the
  /// upper ones of a skirt, are no border.
  /// Cost:   4 to 9 ns a triangle, edges of the border included. The first call for a mesh, on either side,
  ///         also finds its inner edges, as the first contacts() does: 0.2 to 0.3 us a triangle, once.
  /// Errors: kInvalidArgument (neither a mesh nor a height field; within below 0, infinite or NaN; those of
  ///         check_shape()), kNotFinite.
  Result<std::size_t> adjoin(const Qvvs& at, const Shape& other, const Qvvs& other_at, float within = 0);
  /// All borders are free again.
  void forget_adjoined() noexcept;

  /// Writes the mesh and its tree to a file, for open() (docs/formats/mesh.md). The file is replaced as a
  /// whole or not at all. Errors: kIo (no right, missing directory, full disk).
  [[nodiscard]] Result<void> save(std::string_view path) const;
  /// The mesh that was saved, mapped: the file's arrays are used where they are, and shared between
  /// processes. All that a search relies on is checked before: a forged file is refused, or it is a mesh as
  /// build() might have made it, but for closed(), which the file says. The file may be replaced by save(),
  /// but not be written to, while it is open.
  /// Cost:   25 to 40 ns a triangle, for the checks: a twentieth of a build.
  /// Errors: kIo (missing, no right, no regular file), kCorruptFile (with the byte), kUnsupportedCpu.
  [[nodiscard]] static Result<TriangleMesh> open(std::string_view path);

  [[nodiscard]] std::size_t triangle_count() const noexcept;
  [[nodiscard]] std::size_t vertex_count() const noexcept;
  /// Of the input's triangle `index`.
  [[nodiscard]] Triangle triangle(std::uint32_t index) const noexcept;
  /// Every edge belongs to two triangles, which run along it in opposite directions: it has an inside.
  /// Cost: known after a build of MeshQuality::kDefault or kBest, and of an opened mesh. After a build of
  /// kFast, and after refit(), the first call, or the first question that depends on it (contains(),
  /// mass_of()), finds it out: 10 to 30 ns a triangle, with memory of its own. From any thread.
  [[nodiscard]] bool closed() const noexcept;
  [[nodiscard]] Aabb3 bounds() const noexcept;
  /// Of its own: the pages of an opened file are not counted.
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

  /// As TriangleMesh::adjoin() and forget_adjoined(): borders towards meshes and other height fields.
  Result<std::size_t> adjoin(const Qvvs& at, const Shape& other, const Qvvs& other_at, float within = 0);
  void forget_adjoined() noexcept;

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
