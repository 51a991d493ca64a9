// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/files/mesh.h"

namespace juxta {

/// The triangles that a glTF file shows.
struct GltfMesh {
  Mesh mesh;
  std::uint64_t skipped = 0;  ///< Primitives of shown meshes that are points or lines, or have no positions.
  std::string first_skipped;  ///< The first of them: "mesh 2 'tail', primitive 0". Empty: none.
};

/// Reads the triangles of a glTF 2.0 file (docs/formats/gltf.md), JSON or binary (GLB), told apart by their
/// first bytes, as one mesh in the world: y up, metres. Of its scene (the one that 'scene' names, else the
/// first; without any, all nodes; without nodes, every mesh once, as it is) each mesh of each node, placed by
/// the node's world matrix: composed in doubles, with shear where a scale that is not uniform stands above a
/// rotation, and each vertex rounded to float once. Where a matrix mirrors, two corners of every triangle
/// change places, so that outward stays outward. A mesh whose node has a skin, and one with morph targets, is
/// taken in the shape that the file stores; where such a node stands does not count (glTF 2.0, 3.7.3.3), as
/// joints would place it, and they are not looked at. Materials, images, animations and extensions that may
/// be ignored are.
///
/// Order: nodes as the scene lists them, each before its children, then primitives, then triangles as
/// stored. Lists, strips and fans of triangles; flat triangles are kept. Vertices are all those stored, also
/// unused ones; primitives of a mesh that name one accessor share them. Buffers are found as by
/// parse_gltf(), and only those of triangles are read. Cost: two passes over the JSON, two over the vertices.
/// Memory: the mesh, the buffers, and each stored mesh from its first use to its last.
///
/// Errors name the mesh and primitive (or node, accessor, ...) in the message; for a node Error::index is its
/// index. kCorruptFile, and kParse for broken JSON, fields of another type, indices of nothing, ranges that
/// end beyond their buffer, and broken trees: as parse_gltf() (but any finite matrix whose last row is 0 0 0
/// 1, and any scale, will do). kParse: an index of a triangle that no vertex has, or that means a restart;
/// corners that are no whole number of triangles; positions that are no floats; required extensions that keep
/// triangles in another form (KHR_draco_mesh_compression, EXT_ and KHR_meshopt_compression,
/// KHR_mesh_quantization) or show them more often (EXT_mesh_gpu_instancing): export the file without.
/// kNotFinite: a position, stored or in the world, with the vertex. kTooLarge: more than 2^28 vertices or
/// triangles in all, or 2^20 elements of an accessor without a buffer view, refused before memory is taken;
/// 4 GiB of JSON. kIo: a buffer's file is missing, or its name leads out of `folder`. kCancelled.
[[nodiscard]] Result<GltfMesh> parse_gltf_mesh(std::string_view bytes, std::string_view folder = {},
                                               const Context& context = {});

/// read_bytes() and parse_gltf_mesh() with the file's own folder. Errors: kIo too.
[[nodiscard]] Result<GltfMesh> read_gltf_mesh(std::string_view path, const Context& context = {});

/// True for a GLB, and for a text whose first visible character is {.
[[nodiscard]] bool looks_like_gltf(std::string_view bytes);

}  // namespace juxta
