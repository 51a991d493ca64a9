// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Small glTF files with meshes, written by hand.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "files/gltf_files.h"
#include "juxta/files/read_gltf_mesh.h"

namespace juxta::test {

using Vertices = std::vector<Vec3>;
using Triangles = std::vector<std::array<std::uint32_t, 3>>;

/// The places of a fan around the origin, and a little more.
inline const std::vector<float> kFive = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0.5F, -1, 1, 2};
inline const Vertices kFiveVertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0.5F}, {-1, 1, 2}};

/// One primitive: accessor 0 has its positions, accessor 1 its indices.
inline std::string primitive(const std::string& more = R"(,"indices":1)") {
  return R"({"attributes":{"POSITION":0})" + more + "}";
}
inline std::string meshes(const std::string& primitives, const std::string& more = R"("name":"tail",)") {
  return R"("meshes":[{)" + more + R"("primitives":[)" + primitives + "]}]";
}

/// Floats of positions in accessor 0, and indices of a component type in accessor 1.
template <class Index>
std::string with_indices(const std::vector<float>& positions, const std::vector<Index>& indices,
                         const std::string& members) {
  const int component = sizeof(Index) == 1 ? 5121 : sizeof(Index) == 2 ? 5123 : 5125;
  const std::string first = bytes_of(positions), second = bytes_of(indices);
  return gltf(members + "," + embedded(first + second) + R"(,"bufferViews":[)" + view(0, first.size()) + "," +
              view(first.size(), second.size()) + R"(],"accessors":[)" +
              accessor(0, positions.size() / 3, "VEC3") + "," +
              accessor(1, indices.size(), "SCALAR", component) + "]");
}

/// One triangle of kFive, (0, 1, 2), and these nodes or whatever.
inline std::string one_triangle(const std::string& members) {
  return with_indices<std::uint8_t>(kFive, {0, 1, 2}, meshes(primitive()) + "," + members);
}

inline GltfMesh read_mesh(const std::string& bytes, const std::filesystem::path& folder = {}) {
  auto file = parse_gltf_mesh(bytes, folder.string());
  EXPECT_TRUE(file.has_value()) << (file ? "" : file.error().message);
  return file ? std::move(*file) : GltfMesh{};
}

/// Refused with this code; the message holds `word`.
inline Error refused_mesh(const std::string& bytes, const std::string& word,
                          ErrorCode code = ErrorCode::kParse) {
  const auto file = parse_gltf_mesh(bytes, "no-such-folder");
  EXPECT_FALSE(file.has_value()) << "expected: " << word;
  const Error error = file ? Error{} : file.error();
  EXPECT_EQ(error.code, code) << error.message;
  EXPECT_NE(error.message.find(word), std::string::npos) << error.message << "\nexpected: " << word;
  return error;
}

}  // namespace juxta::test
