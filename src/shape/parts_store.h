// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what hulls, meshes, compounds and height fields own.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/os.h"
#include "juxta/shape/parts.h"
#include "shape/frame.h"
#include "shape/mesh_edges.h"
#include "shape/seams.h"
#include "shape/triangles.h"

namespace juxta::shape_detail {

/// Hulls are looked through in blocks of so many, which a compiler keeps in registers.
inline constexpr std::size_t kHullBlock = 8;
[[nodiscard]] constexpr std::size_t whole_hull_blocks(std::size_t count) noexcept {
  return (count + kHullBlock - 1) / kHullBlock * kHullBlock;
}

struct HullStore {
  /// Of a flat hull: in order around it.
  std::vector<Vec3> vertices;
  std::vector<Plane3> planes;
  /// Corners of face f, counter-clockwise seen from outside: corners[first[f]] ... corners[first[f + 1] - 1].
  std::vector<std::uint32_t> first, corners;
  /// The planes again, exact to the last bits of the vertices: side . (p - middle) <= reach inside. Behind
  /// them those of rims (fill_rims()).
  struct Side {
    V3 normal;
    double reach;
  };
  std::vector<Side> sides;
  V3 middle;
  double half_diagonal = 0;  // of the vertices' box
  /// Vertices and sides again, for loops over all: x of all, y of all, ..., padded to whole blocks. Vertices
  /// repeat the first; sides end with ones that cut nothing.
  std::vector<double> vertex_columns, side_columns;
  /// An edge, and the faces beside it. Those of one `left` stand together, faces that touch near each other.
  struct Edge {
    std::uint32_t left, right, corner;
  };
  std::vector<Edge> edges;
  /// Corners that an edge leads to from vertex v: neighbours[first_neighbour[v]] ... [first_neighbour[v + 1]
  /// - 1].
  std::vector<std::uint32_t> first_neighbour, neighbours;
};

struct MeshStore {
  explicit MeshStore(Triangles made) noexcept : triangles(std::move(made)) {}

  core_detail::MappedFile file;  // of an opened mesh: its arrays look at it
  Triangles triangles;
  /// Whether every edge has its two triangles; looked for when it is first asked, from any thread.
  enum Closed : std::uint8_t { kUnknown, kOpen, kClosed };
  mutable std::atomic<Closed> closed{kUnknown};
  MeshEdges edges;
  Seams seams;
};

struct HeightFieldStore {
  std::uint32_t columns = 0, rows = 0;
  float cell = 0;
  std::vector<float> heights;
  Triangles triangles;
  Seams seams;
};

struct CompoundStore {
  std::vector<Compound::Part> parts;
  std::vector<Aabb3> bounds;  // of each part
};

/// What the library and its tests see of a shape with parts.
struct Access {
  [[nodiscard]] static const HullStore& store(const ConvexHull& hull) noexcept { return *hull.store_; }
  [[nodiscard]] static const MeshStore& store(const TriangleMesh& mesh) noexcept { return *mesh.store_; }
  [[nodiscard]] static MeshStore& store(TriangleMesh& mesh) noexcept { return *mesh.store_; }
  [[nodiscard]] static TriangleMesh mesh_of(Owned<MeshStore> store) noexcept {
    return TriangleMesh(std::move(store));
  }
  [[nodiscard]] static const CompoundStore& store(const Compound& compound) noexcept {
    return *compound.store_;
  }
  [[nodiscard]] static const HeightFieldStore& store(const HeightField& field) noexcept {
    return *field.store_;
  }
};

}  // namespace juxta::shape_detail
