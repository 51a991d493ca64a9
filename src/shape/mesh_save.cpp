// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// TriangleMesh to a file and back.
#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include "core/os.h"
#include "core/path.h"
#include "juxta/core/isa.h"
#include "juxta/core/try.h"
#include "juxta/shape/parts.h"
#include "shape/mesh_file.h"
#include "shape/parts_store.h"

namespace juxta {

using shape_detail::MeshFileHeader;
using shape_detail::MeshStore;
using shape_detail::TriangleTree;

Result<void> TriangleMesh::save(std::string_view path) const {
  const TriangleTree& tree = shape_detail::Access::store(*this).triangles.tree();
  MeshFileHeader header{};
  header.magic = shape_detail::kMeshFormat.magic;
  header.version = shape_detail::kMeshFormat.version;
  header.byte_order = core_detail::kByteOrder;
  header.vertices = tree.vertices.size();
  header.triangles = tree.triangles.size();
  header.nodes = tree.nodes.size();
  header.blocks = tree.blocks.size();
  for (int axis = 0; axis < 3; ++axis) {
    header.bounds[axis] = tree.bounds.lo[axis];
    header.bounds[axis + 3] = tree.bounds.hi[axis];
  }
  header.closed = closed() ? 1 : 0;
  std::array<std::byte, core_detail::kHeaderBytes> head{};
  std::memcpy(head.data(), &header, sizeof header);
  return shape_detail::kMeshFormat.save(path_of(path), head, [&](core_detail::FlatSink sink) -> Result<void> {
    JUXTA_TRY(core_detail::put_section(std::as_bytes(tree.nodes.span()), sink));
    JUXTA_TRY(core_detail::put_section(std::as_bytes(tree.blocks.span()), sink));
    JUXTA_TRY(core_detail::put_section(std::as_bytes(tree.vertices.span()), sink));
    return core_detail::put_section(std::as_bytes(tree.triangles.span()), sink);
  });
}

Result<TriangleMesh> TriangleMesh::open(std::string_view path) {
  JUXTA_TRY(active_isa());
  JUXTA_TRY_LET(core_detail::MappedFile file, core_detail::MappedFile::open(path_of(path)));
  auto store = make_owned<MeshStore>(shape_detail::Triangles::sized(0, 0, huge_page_resource()));
  bool closed = false;
  JUXTA_TRY(
      shape_detail::view_mesh(file.bytes(), store->triangles.tree(), closed).map_error([&](Error error) {
        error.message = std::string(path) + ": " + error.message;
        return error;
      }));
  store->triangles.take_bounds();
  store->closed.store(closed ? MeshStore::kClosed : MeshStore::kOpen, std::memory_order_relaxed);
  store->file = std::move(file);
  return TriangleMesh(std::move(store));
}

}  // namespace juxta
