// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the flat file of a mesh. docs/formats/mesh.md describes it for other readers.
//
//   4,096 B header | nodes | blocks | vertices | triangles
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/flat_file.h"
#include "juxta/core/error.h"
#include "shape/triangle_tree.h"

namespace juxta::shape_detail {

struct MeshFileHeader {
  std::array<char, 8> magic;
  std::uint32_t version, byte_order;
  std::uint64_t vertices, triangles;
  std::uint64_t nodes, blocks;
  std::uint64_t checksum;  // of the whole file, this field taken as 0
  float bounds[6];         // lowest x, y, z, highest x, y, z
  std::uint32_t closed;    // 1: every edge has its two triangles
  std::uint32_t unused;    // 0; for flags of later versions
};
static_assert(sizeof(MeshFileHeader) == 88);

inline constexpr core_detail::FlatFormat kMeshFormat = {{'J', 'U', 'X', 'T', 'A', 'M', 'E', '\n'},
                                                        1,
                                                        offsetof(MeshFileHeader, checksum),
                                                        "a mesh",
                                                        "build and save the mesh again"};

enum MeshSection : std::size_t { kMeshNodes, kMeshBlocks, kMeshVertices, kMeshTriangles, kMeshSections };

/// Where everything stands in the file of such a header.
struct MeshFileLayout : core_detail::FlatSections<kMeshSections> {
  explicit MeshFileLayout(const MeshFileHeader& header) noexcept;
};

/// Lets the tree look at a mapped file, after everything that a search relies on has been checked: the file
/// may come from anyone. Errors: kCorruptFile.
[[nodiscard]] Result<void> view_mesh(std::span<const std::byte> file, TriangleTree& tree, bool& closed);

}  // namespace juxta::shape_detail
