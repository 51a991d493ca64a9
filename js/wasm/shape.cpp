// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta/shape for JavaScript: rays against a triangle mesh.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "common.h"
#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"

using namespace juxta;
using namespace juxta::wasm;

namespace {

// 16 floats at scratch + 256: rotation x y z w, position, stretch, scale.
Qvvs place() noexcept {
  float n[11];
  std::memcpy(n, scratch_bytes() + 256, sizeof n);
  return {.rotation = {n[0], n[1], n[2], n[3]},
          .position = {n[4], n[5], n[6]},
          .stretch = {n[7], n[8], n[9]},
          .scale = n[10]};
}

/// As js/src/shape.ts reads it: 8 words.
struct PlainHit {
  float t, px, py, pz, nx, ny, nz;
  std::uint32_t triangle;
};
PlainHit plain(const SurfaceHit& hit) noexcept {
  return {hit.t,        hit.point.x,  hit.point.y,  hit.point.z,
          hit.normal.x, hit.normal.y, hit.normal.z, hit ? hit.part.triangle : kNoPart};
}

}  // namespace

JUXTA_JS(TriangleMesh*, mesh_build)
(const float* vertices, std::size_t vertex_count, const void* indices, std::size_t index_count,
 std::size_t index_bytes, bool fast) {
  const VertexView view(vertices, vertex_count, sizeof(Vec3));
  return to_heap(TriangleMesh::build(MeshView(view, indices, index_count, index_bytes),
                                     {.quality = fast ? MeshQuality::kFast : MeshQuality::kDefault}));
}
JUXTA_JS(void, mesh_free)(TriangleMesh* mesh) {
  delete mesh;
}
JUXTA_JS(bool, mesh_refit)(TriangleMesh* mesh, const float* vertices, std::size_t vertex_count) {
  auto done = mesh->refit(VertexView(vertices, vertex_count, sizeof(Vec3)));
  return ok(done);
}
// Hits of `count` rays of 7 floats; -1: failed, else how many hit something.
JUXTA_JS(double, mesh_raycast)
(const TriangleMesh* mesh, const Ray3* rays, std::size_t count, SurfaceHit* hits, PlainHit* out) {
  auto done = raycast(Shape(*mesh), place(), std::span(rays, count), std::span(hits, count));
  if (!ok(done)) {
    return kFailed;
  }
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = plain(hits[i]);
  }
  return number(done->found);
}
JUXTA_JS(std::size_t, mesh_hit_bytes)() {
  return sizeof(SurfaceHit);
}
JUXTA_JS(void, mesh_raycast_any)
(const TriangleMesh* mesh, const Ray3* rays, std::size_t count, std::uint8_t* out) {
  const Shape shape(*mesh);
  const Qvvs at = place();
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = raycast_any(shape, at, rays[i]) ? 1 : 0;
  }
}
JUXTA_JS(std::size_t, mesh_raycast_every)
(const TriangleMesh* mesh, const Ray3* ray, SurfaceHit* hits, PlainHit* out, std::size_t size) {
  const QueryResult result = raycast_every(Shape(*mesh), place(), *ray, {hits, size});
  for (std::size_t i = 0; i < result.written; ++i) {
    out[i] = plain(hits[i]);
  }
  return result.found;
}
JUXTA_JS(bool, mesh_contains)(const TriangleMesh* mesh, float x, float y, float z) {
  return contains(Shape(*mesh), place(), {x, y, z});
}
JUXTA_JS(bool, mesh_closest)(const TriangleMesh* mesh, float x, float y, float z, float max_distance) {
  const ClosestPoints near =
      closest(Shape(Sphere{{x, y, z}, 0}), Qvvs{}, Shape(*mesh), place(), max_distance);
  if (!near) {
    return false;
  }
  *scratch_as<PlainHit>() = {near.distance, near.on_b.x,   near.on_b.y,   near.on_b.z,
                             near.normal.x, near.normal.y, near.normal.z, near.part_b.triangle};
  return true;
}
JUXTA_JS(std::size_t, mesh_triangles)(const TriangleMesh* mesh) {
  return mesh->triangle_count();
}
JUXTA_JS(std::size_t, mesh_vertices)(const TriangleMesh* mesh) {
  return mesh->vertex_count();
}
JUXTA_JS(bool, mesh_closed)(const TriangleMesh* mesh) {
  return mesh->closed();
}
JUXTA_JS(bool, mesh_save)(const TriangleMesh* mesh, const char* path, std::size_t path_size) {
  auto done = mesh->save({path, path_size});
  return ok(done);
}
JUXTA_JS(TriangleMesh*, mesh_load)(const char* path, std::size_t path_size) {
  return to_heap(TriangleMesh::open({path, path_size}));
}
