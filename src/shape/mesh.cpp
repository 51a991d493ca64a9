// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <cstddef>
#include <utility>

#include "juxta/core/try.h"
#include "juxta/shape/parts.h"
#include "shape/mesh_closed.h"
#include "shape/mesh_input.h"
#include "shape/parts_store.h"
#include "shape/triangle_tree.h"

namespace juxta {

using shape_detail::MeshStore;

TriangleMesh::TriangleMesh(Owned<MeshStore> store) noexcept : store_(std::move(store)) {}

Result<TriangleMesh> TriangleMesh::build(const MeshView& mesh, const MeshOptions& options,
                                         const Context& context, std::pmr::memory_resource* resource) {
  JUXTA_TRY(shape_detail::check_shape_of(mesh));
  auto store = make_owned<MeshStore>(
      shape_detail::Triangles::sized(mesh.vertices.count, mesh.index_count / 3, resource));
  shape_detail::TriangleTree& tree = store->triangles.tree();
  const Executor& executor = executor_or_serial(context.executor);
  JUXTA_TRY(shape_detail::copy_vertices(mesh.vertices, tree.vertices.own(), executor));
  JUXTA_TRY(shape_detail::copy_triangles(mesh, tree.triangles.own(), executor));
  store->triangles.build_tree(options.quality, context, resource);
  if (options.quality != MeshQuality::kFast) {
    shape_detail::find_closed(*store, context);
  }
  return TriangleMesh(std::move(store));
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): the mesh owns it

Result<TriangleMesh> TriangleMesh::build(std::span<const Vec3> vertices,
                                         std::span<const std::array<std::uint32_t, 3>> triangles,
                                         const Context& context, std::pmr::memory_resource* resource) {
  return build(MeshView(vertices, triangles), {}, context, resource);
}

Result<void> TriangleMesh::refit(const VertexView& vertices, const Context& context) {
  const Executor& executor = executor_or_serial(context.executor);
  if (vertices.count != vertex_count()) {
    return fail(ErrorCode::kInvalidArgument,
                "refit() takes as many vertices as the mesh has: build a mesh of others");
  }
  JUXTA_TRY(shape_detail::check_shape_of(vertices));
  JUXTA_TRY(shape_detail::check_vertices(vertices, executor));
  shape_detail::TriangleTree& tree = store_->triangles.tree();
  // The file stays mapped: nothing that reads it by mistake meanwhile falls into a hole.
  tree.vertices.copy_file();
  tree.triangles.copy_file();
  tree.blocks.copy_file();
  tree.nodes.copy_file();
  JUXTA_TRY(shape_detail::copy_vertices(vertices, tree.vertices.own(), executor));
  store_->triangles.refit(executor);
  store_->closed.store(MeshStore::kUnknown, std::memory_order_relaxed);
  store_->edges.forget();
  store_->seams.forget();
  return {};
}

Result<std::size_t> TriangleMesh::adjoin(const Qvvs& at, const Shape& other, const Qvvs& other_at,
                                         float within) {
  return store_->seams.adjoin(*this, at, other, other_at, within);
}

void TriangleMesh::forget_adjoined() noexcept {
  store_->seams.forget();
}

std::size_t TriangleMesh::triangle_count() const noexcept {
  return store_->triangles.size();
}

std::size_t TriangleMesh::vertex_count() const noexcept {
  return store_->triangles.tree().vertices.size();
}

Triangle TriangleMesh::triangle(std::uint32_t index) const noexcept {
  const std::array<Vec3, 3> corners = store_->triangles.corners(index);
  return {corners[0], corners[1], corners[2]};
}

bool TriangleMesh::closed() const noexcept {
  if (store_->closed.load(std::memory_order_relaxed) == MeshStore::kUnknown) {
    shape_detail::find_closed(*store_, {});
  }
  return store_->closed.load(std::memory_order_relaxed) == MeshStore::kClosed;
}

Aabb3 TriangleMesh::bounds() const noexcept {
  return store_->triangles.bounds();
}

std::size_t TriangleMesh::memory_bytes() const noexcept {
  return sizeof(MeshStore) + store_->triangles.memory_bytes() + store_->edges.memory_bytes() +
         store_->seams.memory_bytes();
}

}  // namespace juxta
