// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/files/mesh.h"

namespace juxta {

/// What an OBJ file says.
struct ObjFile {
  Mesh mesh;
  std::uint64_t unknown = 0;             ///< Lines whose first word the format does not have; skipped ...
  std::uint64_t first_unknown_line = 0;  ///< ... and the first of them, from 1.
};

/// Reads the vertices and faces of a Wavefront OBJ text (docs/formats/obj.md): v and f in all forms, negative
/// (relative) numbers, polygons cut into a fan of triangles around their first corner, comments, lines joined
/// by a backslash. Other statements of the format (texture coordinates, normals, groups, materials, curves)
/// are skipped. Triangles come in the order of the file; flat and empty ones are kept. Cost: one pass, about
/// 100 MB/s. Errors, with the line: kParse (a vertex without three finite floats; a face with fewer than
/// three corners, a broken corner or one that no vertex has; no vertex in the whole file), kTooLarge (more
/// than 2^32 - 2 vertices or triangles), kCancelled.
[[nodiscard]] Result<ObjFile> parse_obj(std::string_view text, const Context& context = {});

/// read_bytes() and parse_obj(). Errors: kIo too.
[[nodiscard]] Result<ObjFile> read_obj(std::string_view path, const Context& context = {});

/// True when the first line that is neither empty nor a comment begins with a usual word of the OBJ format.
[[nodiscard]] bool looks_like_obj(std::string_view text);

}  // namespace juxta
