// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/mesh_input.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <utility>

#include "juxta/files/read_obj.h"
#include "juxta/files/read_points.h"
#include "tool/arguments.h"
#include "tool/console.h"

namespace juxta::tool {

Result<MeshInput> load_mesh(const std::string& file, const Executor* executor, Monitor* monitor) {
  const Stopwatch read;
  const auto bytes = read_bytes(file, monitor);
  if (!bytes) {
    return tl::unexpected<Error>(bytes.error());
  }
  if (!file.ends_with(".obj") && !looks_like_obj(*bytes)) {
    return fail(ErrorCode::kInvalidArgument, "this is no OBJ mesh: save it as one, with lines 'v' and 'f'");
  }
  auto obj = parse_obj(*bytes, monitor);
  if (!obj) {
    return tl::unexpected<Error>(std::move(obj.error()));
  }
  if (obj->mesh.triangles.empty()) {
    return fail(ErrorCode::kInvalidArgument, "the mesh has no triangle");
  }
  const double read_seconds = read.seconds();
  const Stopwatch build;
  auto mesh = TriangleMesh::build(obj->mesh.vertices, obj->mesh.triangles, executor);
  if (!mesh) {
    return tl::unexpected<Error>(std::move(mesh.error()));
  }
  MeshInput input{file, std::move(*mesh), obj->mesh.vertices.size(), "", read_seconds, build.seconds()};
  if (obj->unknown != 0) {
    input.note = fmt::format("{}:{}: skipped {} line{} whose first word OBJ does not have, from here on",
                             file, obj->first_unknown_line, obj->unknown, obj->unknown == 1 ? "" : "s");
  }
  return input;
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
