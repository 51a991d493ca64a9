// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Prints the triangles of a glTF file, nine numbers a line, for gltf_reader_test.py.
#include <fmt/format.h>

#include <cstdio>

#include "juxta/files/read_gltf_mesh.h"

int main(int count, char** arguments) {
  if (count != 2) {
    fmt::print(stderr, "usage: files_gltf_mesh_dump FILE\n");
    return 2;
  }
  const auto file = juxta::read_gltf_mesh(arguments[1]);
  if (!file) {
    fmt::print(stderr, "{}: {}\n", arguments[1], file.error().message);
    return 1;
  }
  for (const auto& triangle : file->mesh.triangles) {
    for (const std::uint32_t corner : triangle) {
      const auto& [x, y, z] = file->mesh.vertices[corner];
      fmt::print("{} {} {} ", x, y, z);
    }
    fmt::print("\n");
  }
  return 0;
}
