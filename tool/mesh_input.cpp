// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/mesh_input.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "juxta/core/try.h"
#include "juxta/files/read_gltf_mesh.h"
#include "juxta/files/read_obj.h"
#include "juxta/files/read_points.h"
#include "tool/arguments.h"
#include "tool/console.h"
#include "tool/output_folder.h"

namespace juxta::tool {

namespace {

bool named_gltf(const std::string& file) {
  return file.ends_with(".gltf") || file.ends_with(".glb");
}

std::string note_of(const std::string& file, const ObjFile& obj) {
  return obj.unknown == 0
             ? ""
             : fmt::format("{}:{}: skipped {} line{} whose first word OBJ does not have, from here on", file,
                           obj.first_unknown_line, obj.unknown, obj.unknown == 1 ? "" : "s");
}

std::string note_of(const std::string& file, const GltfMesh& gltf) {
  return gltf.skipped == 0 ? ""
                           : fmt::format("{}: skipped {} primitive{} without triangles, from {} on", file,
                                         gltf.skipped, gltf.skipped == 1 ? "" : "s", gltf.first_skipped);
}

/// "my%20file.bin" is "my file.bin".
std::string unescaped(const std::string& uri) {
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    unsigned code = 0;
    const char* digits = uri.data() + i + 1;
    if (uri[i] == '%' && i + 2 < uri.size() &&
        std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
      path.push_back(static_cast<char>(code));
      i += 2;
    } else {
      path.push_back(uri[i]);
    }
  }
  return path;
}

/// The first bytes of what TriangleMesh::save() writes: docs/formats/mesh.md.
bool is_saved_mesh(std::string_view start) {
  return start.starts_with("JUXTAME\n");
}

/// Maps a saved mesh, which needs no tree built.
Result<MeshInput> open_mesh(const std::string& file) {
  const Stopwatch read;
  JUXTA_TRY_LET(auto mesh, TriangleMesh::open(file));
  if (mesh.triangle_count() == 0) {
    return fail(ErrorCode::kInvalidArgument, "the mesh has no triangle");
  }
  const std::size_t vertices = mesh.vertex_count();
  return MeshInput{file, std::move(mesh), vertices, {}, read.seconds(), 0};
}

template <class File>
Result<MeshFile> noted(const std::string& name, Result<File> file) {
  if (!file) {
    return tl::unexpected<Error>(std::move(file.error()));
  }
  std::string note = note_of(name, *file);
  return MeshFile{std::move(file->mesh), std::move(note)};
}

}  // namespace

std::vector<std::string> mesh_files(const std::string& file) {
  if (file.empty()) {
    return {};
  }
  std::vector<std::string> files = {file};
  if (!file.ends_with(".gltf") || !program_detail::is_regular_file(file)) {
    return files;
  }
  const auto bytes = read_bytes(file);
  const auto json = nlohmann::json::parse(bytes ? *bytes : "", nullptr, false);
  const auto buffers = json.is_object() ? json.find("buffers") : json.end();
  if (buffers == json.end() || !buffers->is_array()) {
    return files;
  }
  for (const auto& buffer : *buffers) {
    const auto uri = buffer.is_object() ? buffer.find("uri") : buffer.end();
    if (uri != buffer.end() && uri->is_string()) {
      files.push_back(in_folder(program_detail::folder_of(file), unescaped(uri->get<std::string>())));
    }
  }
  return files;
}

bool is_mesh(const std::string& file, std::string_view bytes) {
  return file.ends_with(".obj") || named_gltf(file) || looks_like_gltf(bytes) || looks_like_obj(bytes);
}

Result<MeshFile> parse_mesh(const std::string& file, std::string_view bytes, Monitor* monitor) {
  const Context context{.monitor = monitor};
  const bool gltf = named_gltf(file) || (!file.ends_with(".obj") && looks_like_gltf(bytes));
  return gltf ? noted(file, parse_gltf_mesh(bytes, program_detail::folder_of(file), context))
              : noted(file, parse_obj(bytes, context));
}

Result<MeshInput> load_mesh(const std::string& file, const Executor* executor, Monitor* monitor) {
  if (file != "-") {
    JUXTA_TRY_LET(const auto start, read_bytes(file, 8));
    if (is_saved_mesh(start)) {
      return open_mesh(file);
    }
  }
  const Stopwatch read;
  JUXTA_TRY_LET(const auto bytes, read_bytes(file, ~std::size_t{0}, {.monitor = monitor}));
  if (is_saved_mesh(bytes)) {
    return fail(ErrorCode::kInvalidArgument,
                "a saved mesh is mapped, which the standard input cannot be: give the name of the file");
  }
  const bool text = file.ends_with(".obj") || !is_mesh(file, bytes);
  JUXTA_TRY(check_text(text ? std::string_view(bytes) : std::string_view()));
  if (!is_mesh(file, bytes)) {
    return fail(ErrorCode::kInvalidArgument,
                "this is no mesh: save it as OBJ, with lines 'v' and 'f', or as glTF (.gltf, .glb)");
  }
  JUXTA_TRY_LET(auto parsed, parse_mesh(file, bytes, monitor));
  const Mesh& triangles = parsed.mesh;
  if (triangles.triangles.empty()) {
    return fail(ErrorCode::kInvalidArgument, "the mesh has no triangle");
  }
  const double read_seconds = read.seconds();
  const Stopwatch build;
  JUXTA_TRY_LET(auto mesh,
                TriangleMesh::build(triangles.vertices, triangles.triangles, {.executor = executor}));
  return MeshInput{file,         std::move(mesh), triangles.vertices.size(), std::move(parsed.note),
                   read_seconds, build.seconds()};
}

Result<Vec3> parse_point(const std::string& option, const std::string& text) {
  const auto numbers = parse_floats(text);
  if (!numbers || numbers->size() != 3 || !is_finite(Vec3{(*numbers)[0], (*numbers)[1], (*numbers)[2]})) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} '{}' is not x,y,z: give three numbers joined by commas, like 0,-1.5,3",
                            option, text));
  }
  return Vec3{(*numbers)[0], (*numbers)[1], (*numbers)[2]};
}

std::string spaced(const Vec3& v) {
  return fmt::format("{} {} {}", v.x, v.y, v.z);
}

double short_number(float x) {
  return std::strtod(fmt::format("{}", x).c_str(), nullptr);
}

std::vector<double> short_numbers(const Vec3& v) {
  return {short_number(v.x), short_number(v.y), short_number(v.z)};
}

std::string spoken_time(double seconds) {
  return seconds < 1e-3 ? fmt::format("{:.1f} us", seconds * 1e6)
         : seconds < 1  ? fmt::format("{:.1f} ms", seconds * 1e3)
                        : fmt::format("{:.2f} s", seconds);
}

}  // namespace juxta::tool
