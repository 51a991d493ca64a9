// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the meshes of a glTF document as triangles, and where its nodes put them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "files/gltf_document.h"
#include "juxta/files/gltf_scene.h"
#include "juxta/files/mesh.h"

namespace juxta::files_detail {

/// At most so many vertices, and so many triangles, in all that a file shows.
inline constexpr std::uint64_t kMostOfShapes = std::uint64_t{1} << 28;

/// What a mesh has, each at most kMostOfShapes + 1.
struct ShapeSize {
  std::uint64_t vertices = 0, triangles = 0;
  std::uint64_t skipped = 0;      ///< Primitives that are points or lines, or have no positions ...
  std::size_t first_skipped = 0;  ///< ... and the first of them.
};
/// Looks at the descriptions alone, so that nothing absurd is read. `place` is the mesh's. Errors: kParse,
/// kTooLarge.
[[nodiscard]] Result<ShapeSize> measure_shape(const GltfDocument& document, const RawMesh& mesh,
                                              std::size_t place);

/// All triangles of a mesh that was measured. Primitives that name the same positions share vertices.
/// Errors: kParse, kNotFinite.
[[nodiscard]] Result<Mesh> read_shape(const GltfDocument& document, const RawMesh& mesh, std::size_t place);

/// Three rows of four: a point p is moved to m * (p, 1).
struct GltfWorld {
  std::array<double, 12> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  bool mirrors = false;  ///< Turns outward to inward.
};
/// Of every node, shear and all. `scene` has the tree. Errors: kParse.
[[nodiscard]] Result<std::vector<GltfWorld>> find_worlds(const GltfDocument& document,
                                                         const GltfScene& scene);

/// "mesh 2 'tail', primitive 0"
[[nodiscard]] std::string primitive_label(const RawMesh& mesh, std::size_t place, std::size_t primitive);

}  // namespace juxta::files_detail
