// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A mesh from a file, ready to be asked: what 'juxta ray', 'juxta distance' and 'juxta render' share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/monitor.h"
#include "juxta/files/mesh.h"
#include "juxta/math/qvvs.h"
#include "juxta/shape/parts.h"

namespace juxta::tool {

struct MeshInput {
  std::string file;
  TriangleMesh mesh;
  std::size_t vertices = 0;
  std::string note;  ///< What of the file was skipped; empty: nothing.
  double read_seconds = 0, build_seconds = 0;
};

/// The triangles of one file.
struct MeshFile {
  Mesh mesh;
  std::string note;  ///< What of the file was skipped; empty: nothing.
};

/// The file and, of glTF as text, the files of its buffers: what a result must not overwrite. Empty for an
/// empty name. What cannot be read is left for its reader to refuse.
[[nodiscard]] std::vector<std::string> mesh_files(const std::string& file);

/// OBJ, or glTF as text or binary: told by the name's ending, else by content.
[[nodiscard]] bool is_mesh(const std::string& file, std::string_view bytes);

/// Of a file that is_mesh(). Errors: as parse_obj() and parse_gltf_mesh().
[[nodiscard]] Result<MeshFile> parse_mesh(const std::string& file, std::string_view bytes, Monitor* monitor);

/// Builds the mesh of a file that is_mesh(), or opens one that TriangleMesh::save() wrote. "-" is the
/// standard input. Errors: as read_bytes(), parse_mesh(), TriangleMesh::build() and open(); kInvalidArgument
/// (a file of another kind, or without a triangle).
[[nodiscard]] Result<MeshInput> load_mesh(const std::string& file, const Executor* executor,
                                          Monitor* monitor);

/// "x,y,z", finite; `option` begins the sentence of an error. Errors: kInvalidArgument.
[[nodiscard]] Result<Vec3> parse_point(const std::string& option, const std::string& text);

/// "1.5 -2 3"
[[nodiscard]] std::string spaced(const Vec3& v);

/// A float as short as it can be, as a number of JSON.
[[nodiscard]] double short_number(float x);
[[nodiscard]] std::vector<double> short_numbers(const Vec3& v);

/// A time with a fitting unit.
[[nodiscard]] std::string spoken_time(double seconds);

}  // namespace juxta::tool
