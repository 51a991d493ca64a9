// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/call_workspace.h"
#include "juxta/core/try.h"
#include "juxta/order/radix_sort.h"
#include "juxta/shape/parts.h"
#include "shape/parts_store.h"

namespace juxta {
namespace {

using Corners = std::array<std::uint32_t, 3>;
constexpr std::size_t kMostTriangles = std::size_t{1} << 28;

Result<void> check_mesh(std::span<const Vec3> vertices, std::span<const Corners> triangles) {
  if (triangles.size() > kMostTriangles) {
    return fail(ErrorCode::kTooLarge, "a mesh has at most 2^28 triangles; cut it into several");
  }
  if (vertices.size() > std::size_t{~std::uint32_t{0}} - 1) {
    return fail(ErrorCode::kTooLarge, "a mesh has at most 2^32 - 2 vertices; cut it into several");
  }
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (!is_finite(vertices[i])) {
      return fail(ErrorCode::kNotFinite, "the vertices of a mesh must be finite", i);
    }
  }
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const Corners& t = triangles[i];
    if (std::max({t[0], t[1], t[2]}) >= vertices.size()) {
      return fail(ErrorCode::kInvalidArgument,
                  "a triangle names a vertex that is not there; numbers of vertices count from 0", i);
    }
  }
  return {};
}

/// One number for all vertices in one place: files repeat a vertex along seams of texture. The lowest of
/// them, found through a table that is at most half full.
std::vector<std::uint32_t> places_of(std::span<const Vec3> vertices) {
  constexpr std::uint32_t kFree = ~std::uint32_t{0};
  const std::size_t slots = std::bit_ceil(2 * vertices.size() + 1);
  std::vector<std::uint32_t> table(slots, kFree), places(vertices.size());
  for (std::uint32_t i = 0; i < vertices.size(); ++i) {
    std::uint64_t mix = 0;
    for (const float x : vertices[i]) {
      const auto bits = std::bit_cast<std::uint32_t>(x + 0.0F);  // -0 is 0
      mix = (mix ^ bits) * 0x9E3779B97F4A7C15ULL;
      mix ^= mix >> 32;
    }
    std::size_t slot = static_cast<std::size_t>(mix) & (slots - 1);
    while (table[slot] != kFree && vertices[table[slot]] != vertices[i]) {
      slot = (slot + 1) & (slots - 1);
    }
    if (table[slot] == kFree) {
      table[slot] = i;
    }
    places[i] = table[slot];
  }
  return places;
}

/// Every edge twice, once in each direction. Triangles with two corners in one place have no edge of their
/// own, and are passed over.
bool is_closed(std::span<const Vec3> vertices, std::span<const Corners> triangles, const Context& context) {
  const std::vector<std::uint32_t> place = places_of(vertices);
  std::vector<std::uint64_t>
      edges;  // lower place, higher place; from the higher to the lower: the lowest bit
  edges.reserve(3 * triangles.size());
  for (const Corners& t : triangles) {
    const Corners p{place[t[0]], place[t[1]], place[t[2]]};
    if (p[0] == p[1] || p[1] == p[2] || p[2] == p[0]) {
      continue;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t from = p[i], to = p[(i + 1) % 3];
      // A vertex has 32 bits but a mesh that is closed has fewer than 2^31: more than one triangle each.
      edges.push_back(std::uint64_t{std::min(from, to)} << 32 | std::uint64_t{std::max(from, to)} << 1 |
                      std::uint64_t{from > to});
    }
  }
  const CallWorkspace workspace(context);
  if (edges.empty() || edges.size() % 2 != 0 || vertices.size() >= (std::size_t{1} << 31) ||
      !sort_keys(std::span(edges), {.executor = context.executor, .workspace = &*workspace})) {
    return false;
  }
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    // In order: there, back. Of an edge that is used more often the second is no way back.
    if ((edges[i] & 1U) != 0 || edges[i + 1] != edges[i] + 1) {
      return false;
    }
  }
  return true;
}

}  // namespace

TriangleMesh::TriangleMesh(Owned<shape_detail::MeshStore> store) noexcept : store_(std::move(store)) {}

Result<TriangleMesh> TriangleMesh::build(std::span<const Vec3> vertices, std::span<const Corners> triangles,
                                         const Context& context, std::pmr::memory_resource* resource) {
  JUXTA_TRY(check_mesh(vertices, triangles));
  shape_detail::MeshStore store{
      shape_detail::Triangles::build(vertices, triangles, context.executor, resource),
      is_closed(vertices, triangles, context), shape_detail::edge_neighbours(vertices, triangles)};
  return TriangleMesh(make_owned<shape_detail::MeshStore>(std::move(store)));
}

std::size_t TriangleMesh::triangle_count() const noexcept {
  return store_->triangles.size();
}

Triangle TriangleMesh::triangle(std::uint32_t index) const noexcept {
  const std::array<Vec3, 3> corners = store_->triangles.corners(index);
  return {corners[0], corners[1], corners[2]};
}

bool TriangleMesh::closed() const noexcept {
  return store_->closed;
}

Aabb3 TriangleMesh::bounds() const noexcept {
  return store_->triangles.bounds();
}

std::size_t TriangleMesh::memory_bytes() const noexcept {
  return sizeof(shape_detail::MeshStore) + store_->triangles.memory_bytes() +
         store_->neighbours.capacity() * sizeof(shape_detail::EdgeNeighbours);
}

}  // namespace juxta
