// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Meshes that are none: each is refused in one sentence that names the mesh and primitive, node or accessor.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <type_traits>

#include "files/gltf_mesh_files.h"

namespace juxta {
namespace {

using test::accessor;
using test::bytes_of;
using test::embedded;
using test::gltf;
using test::kFive;
using test::meshes;
using test::one_triangle;
using test::primitive;
using test::refused_mesh;
using test::view;
using test::with_indices;

TEST(GltfMeshRefused, Indices) {
  const auto refused = [](const auto& indices, const std::string& word, const std::string& more = "") {
    using Index = typename std::decay_t<decltype(indices)>::value_type;
    refused_mesh(with_indices<Index>(kFive, indices, meshes(primitive(R"(,"indices":1)" + more))), word);
  };
  using Small = std::vector<std::uint8_t>;
  refused(Small{0, 1, 2, 0, 2, 5},
          "mesh 0 'tail', primitive 0: index 5 of triangle 1 is not there: the primitive "
          "has 5 vertices");
  refused(Small{5, 1, 2}, "index 5 of triangle 0");
  refused(Small{0, 1, 2, 3, 9}, "index 9 of triangle 2", R"(,"mode":5)");
  refused(Small{0, 9, 2, 3}, "index 9 of triangle 0", R"(,"mode":6)");
  refused(std::vector<std::uint32_t>{0, 1, 0xFFFFFFFF}, "index 4294967295 of triangle 0 is not there");
  refused(Small{0, 1, 2, 3}, "its 4 corners are no whole number of triangles");
  refused(Small{0, 1}, "three corners or more, this one has 2", R"(,"mode":5)");
  refused(Small{0}, "three corners or more, this one has 1", R"(,"mode":6)");
  refused_mesh(with_indices<std::uint8_t>(kFive, {0}, meshes(primitive(""))), "its 5 corners are no whole");
  std::vector<float> many(3 * 300);
  refused_mesh(with_indices<std::uint8_t>(many, {0, 1, 255}, meshes(primitive())),
               "index 255 of triangle 0 is the one that glTF keeps for a restart");
  EXPECT_TRUE(
      parse_gltf_mesh(with_indices<std::uint8_t>(many, {0, 1, 254}, meshes(primitive()))).has_value());
  EXPECT_TRUE(
      parse_gltf_mesh(with_indices<std::uint16_t>(many, {0, 1, 255}, meshes(primitive()))).has_value());
}

TEST(GltfMeshRefused, FieldsAndLists) {
  const auto refused = [](const std::string& list, const std::string& word) {
    refused_mesh(with_indices<std::uint8_t>(kFive, {0, 1, 2}, R"("meshes":)" + list), word);
  };
  const auto inside = [&](const std::string& item, const std::string& word) {
    refused(R"([{"primitives":[{"attributes":{}},)" + item + "]}]", "mesh 0, primitive 1" + word);
  };
  refused("7", "'meshes': must be a list");
  refused("[7]", "mesh 0: must be an object");
  refused(R"([{"name":7,"primitives":[]}])", "mesh 0: 'name' must be a text");
  refused(R"([{"name":"a"}])", "mesh 0 'a', 'primitives': must be a list");
  refused(R"([{"primitives":{}}])", "mesh 0, 'primitives': must be a list");
  inside("7", ": must be an object");
  inside("{}", ": 'attributes' is missing");
  inside(R"({"attributes":[]})", ", 'attributes': must be an object");
  inside(R"({"attributes":{"POSITION":-1}})", ", 'attributes': 'POSITION' must be a whole number");
  inside(R"({"attributes":{"POSITION":0},"indices":"1"})", ": 'indices' must be a whole number");
  inside(R"({"attributes":{"POSITION":0},"mode":7})", ": 'mode' is 7, it must be 0 to 6");
  inside(R"({"attributes":{"POSITION":0},"mode":4.5})", ": 'mode' must be a whole number");
  inside(R"({"attributes":{"POSITION":2}})", ", positions: accessor 2 is not there: the file has 2");
  inside(R"({"attributes":{"POSITION":0},"indices":2})", ", indices: accessor 2 is not there");
  inside(R"({"attributes":{"POSITION":1}})",
         ", positions: accessor 1 has component type 5121, and only 5126");
  inside(R"({"attributes":{"POSITION":0},"indices":0})", "");
}

/// Accessors 0 (positions) and 1 (indices) over a buffer of 60 bytes.
void refused_accessors(const std::string& positions, const std::string& indices, const std::string& word,
                       ErrorCode code = ErrorCode::kParse, const std::string& bytes = bytes_of(kFive)) {
  refused_mesh(
      gltf(meshes(primitive(R"(,"indices":1,"mode":6)")) + "," + embedded(bytes) + R"(,"bufferViews":[)" +
           view(0, 60) + R"(],"accessors":[)" + positions + "," + indices + "]"),
      word, code);
}

TEST(GltfMeshRefused, Accessors) {
  const std::string good = accessor(0, 5, "VEC3"), indices = accessor(0, 3, "SCALAR", 5121);
  refused_accessors(
      accessor(0, 6, "VEC3"), indices,
      "mesh 0 'tail', primitive 0, positions: accessor 0 ends behind buffer view 0 of 60 bytes");
  refused_accessors(accessor(0, 5, "VEC2"), indices, "has 2 numbers per element, 3 are wanted");
  refused_accessors(accessor(1, 5, "VEC3"), indices, "accessor 0 names buffer view 1");
  refused_accessors(accessor(0, 5, "VEC3", 5122, R"(,"normalized":true)"), indices,
                    "has component type 5122, and only 5126 (float) is read: export the file again without "
                    "KHR_mesh_quantization");
  refused_accessors(good, accessor(0, 61, "SCALAR", 5121), "indices: accessor 1 ends behind buffer view 0");
  refused_accessors(good, accessor(0, 3, "VEC2", 5121),
                    "indices: accessor 1 has 2 numbers per element, 1 is wanted");
  refused_accessors(good, accessor(0, 3, "SCALAR", 5122),
                    "accessor 1 has component type 5122: indices must be");
  refused_accessors(good, accessor(0, 3, "SCALAR"), "accessor 1 has component type 5126: indices must be");
  for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<float> numbers = kFive;
    numbers[10] = bad;
    refused_accessors(good, indices, "positions: accessor 0 has a number that is not finite, in vertex 3",
                      ErrorCode::kNotFinite, bytes_of(numbers));
  }
}

TEST(GltfMeshRefused, AbsurdCountsBeforeMemoryIsTaken) {
  const std::string good = accessor(0, 5, "VEC3"), indices = accessor(0, 3, "SCALAR", 5121);
  const auto unstored = [](std::uint64_t count, const std::string& type, int component) {
    return R"({"componentType":)" + std::to_string(component) + R"(,"count":)" + std::to_string(count) +
           R"(,"type":")" + type + "\"}";
  };
  refused_accessors(accessor(0, std::uint64_t{1} << 53, "VEC3"), indices, "more than 268435456 vertices",
                    ErrorCode::kTooLarge);
  refused_accessors(accessor(0, std::uint64_t{1} << 28, "VEC3"), indices, "ends behind buffer view 0");
  refused_accessors(good, accessor(0, std::uint64_t{1} << 53, "SCALAR", 5121), "more than 268435456",
                    ErrorCode::kTooLarge);
  refused_accessors(unstored((1 << 20) + 1, "VEC3", 5126), indices,
                    "accessor 0 has 1048577 elements and no buffer view", ErrorCode::kTooLarge);
  refused_accessors(good, unstored(std::uint64_t{1} << 52, "SCALAR", 5125),
                    "indices: accessor 1 has 45035996", ErrorCode::kTooLarge);
  // A million vertices from no byte, shown 300 times.
  std::string nodes = R"("nodes":[{"mesh":0})";
  for (int i = 1; i < 300; ++i) {
    nodes += R"(,{"mesh":0})";
  }
  refused_mesh(gltf(nodes + "]," + meshes(primitive(R"(,"mode":5)")) + R"(,"accessors":[)" +
                    unstored(1 << 20, "VEC3", 5126) + "]"),
               "the meshes have more than 268435456 vertices or triangles", ErrorCode::kTooLarge);
}

TEST(GltfMeshRefused, ExtensionsThatKeepTrianglesElsewhere) {
  const auto with = [](const std::string& name) {
    return one_triangle(R"("extensionsRequired":["KHR_materials_unlit",")" + name + "\"]");
  };
  for (const std::string name :
       {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression",
        "KHR_mesh_quantization", "EXT_mesh_gpu_instancing"}) {
    refused_mesh(with(name),
                 "the meshes need " + name + ", which is not read: export the file again without it");
  }
  EXPECT_TRUE(parse_gltf_mesh(with("KHR_texture_transform")).has_value());
  EXPECT_TRUE(parse_gltf_mesh(one_triangle(R"("extensionsUsed":["EXT_meshopt_compression"])")).has_value());
  refused_mesh(one_triangle(R"("extensionsRequired":[7])"), "'extensionsRequired': must be a list of texts");
  // Draco without saying so: zeros would be read.
  const auto compressed = [](const std::string& accessors) {
    return gltf(meshes(primitive(R"(,"extensions":{"KHR_draco_mesh_compression":{}})")) + "," +
                embedded(bytes_of(kFive)) + R"(,"bufferViews":[)" + view(0, 60) + R"(],"accessors":[)" +
                accessors + "]");
  };
  refused_mesh(compressed(R"({"componentType":5126,"count":3,"type":"VEC3"})"),
               "positions are compressed with KHR_draco_mesh_compression");
  EXPECT_TRUE(parse_gltf_mesh(compressed(accessor(0, 3, "VEC3"))).has_value()) << "the same as plain numbers";
}

TEST(GltfMeshRefused, NodesByName) {
  const auto refused = [](const std::string& members, const std::string& word,
                          ErrorCode code = ErrorCode::kParse) {
    const Error error =
        refused_mesh(one_triangle(R"("nodes":[{},{"name":"bad","mesh":0,)" + members + "}]"), word, code);
    EXPECT_EQ(error.index, 1u) << error.message;
    EXPECT_NE(error.message.find("node 1 'bad'"), std::string::npos) << error.message;
  };
  refused(R"("rotation":[0,0,0,0])", "'rotation' has length 0");
  refused(R"("matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2])", "the last row of 'matrix' must be 0 0 0 1");
  refused(R"("children":[1])", "a cycle");
  refused(R"("skin":0)", "skin 0 is not there");
  refused(R"("scale":[3e38,1,1],"translation":[3e38,0,0])",
          "it puts vertex 1 of mesh 0 'tail' where no finite float is", ErrorCode::kNotFinite);
  const std::string large = R"("scale":[3e38,3e38,3e38])";
  std::string chain = R"("nodes":[{"mesh":0,"name":"end",)" + large + "}";
  for (int i = 1; i < 12; ++i) {  // beyond double: infinity, and infinity times 0
    chain += ",{" + large + R"(,"children":[)" + std::to_string(i - 1) + "]}";
  }
  refused_mesh(one_triangle(chain + "]"), "node 0 'end': it puts vertex 0", ErrorCode::kNotFinite);
  refused_mesh(one_triangle(R"("nodes":[{"mesh":1}])"), "node 0: mesh 1 is not there: the file has 1");
  refused_mesh(one_triangle(R"("nodes":[{"mesh":0}],"scene":0)"), "scene 0 is not there");
}

TEST(GltfMeshRefused, WhateverIsCutOff) {
  const std::string json = gltf(meshes(primitive("")) + R"(,"buffers":[{"byteLength":36}],"bufferViews":[)" +
                                view(0, 36) + R"(],"accessors":[)" + accessor(0, 3, "VEC3") + "]");
  const std::string good = test::glb(json, std::string(36, '\1'));
  ASSERT_TRUE(parse_gltf_mesh(good).has_value());
  for (std::size_t size = 0; size < good.size(); ++size) {
    const auto file = parse_gltf_mesh(good.substr(0, size));
    ASSERT_FALSE(file.has_value()) << size;
    EXPECT_FALSE(file.error().message.empty());
  }
  refused_mesh(test::glb(json, "short"), "enough bytes in the binary chunk");
  refused_mesh("v 0 0 0\n", "the JSON is broken");
}

}  // namespace
}  // namespace juxta
