// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Which triangles of a glTF file are read, and where its nodes put them.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <type_traits>

#include "files/gltf_mesh_files.h"
#include "juxta/core/monitor.h"
#include "juxta/files/output_file.h"
#include "support/code_of.h"

namespace juxta {
namespace {

using test::accessor;
using test::bytes_of;
using test::embedded;
using test::gltf;
using test::kFive;
using test::kFiveVertices;
using test::meshes;
using test::one_triangle;
using test::primitive;
using test::read_mesh;
using test::Triangles;
using test::Vertices;
using test::view;
using test::with_indices;

TEST(GltfMesh, ListsStripsAndFansWithIndicesOfEveryWidth) {
  const auto read = [](const std::string& more, auto... index) {
    using Index = std::common_type_t<decltype(index)...>;
    const GltfMesh file = read_mesh(with_indices<Index>(kFive, {index...}, meshes(primitive(more))));
    EXPECT_EQ(file.mesh.vertices, kFiveVertices);
    return file.mesh.triangles;
  };
  const std::string named = R"(,"indices":1)";
  const auto small = [](int i) { return static_cast<std::uint8_t>(i); };
  const auto middle = [](int i) { return static_cast<std::uint16_t>(i); };
  EXPECT_EQ(read(named, small(0), small(1), small(2), small(4), small(3), small(0)),
            (Triangles{{0, 1, 2}, {4, 3, 0}}));
  EXPECT_EQ(read(named + R"(,"mode":4)", middle(4), middle(1), middle(2)), (Triangles{{4, 1, 2}}));
  EXPECT_EQ(read(named + R"(,"mode":5)", 0u, 1u, 2u, 3u, 4u), (Triangles{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}}));
  EXPECT_EQ(read(named + R"(,"mode":6)", 4u, 1u, 2u, 3u), (Triangles{{1, 2, 4}, {2, 3, 4}}));
  EXPECT_EQ(read(named, 1u, 1u, 1u), (Triangles{{1, 1, 1}})) << "flat ones are kept";
  EXPECT_EQ(read(R"(,"mode":5)", 0u), (Triangles{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}})) << "no indices";
  EXPECT_EQ(read(R"(,"mode":6)", 0u), (Triangles{{1, 2, 0}, {2, 3, 0}, {3, 4, 0}}));
  const std::vector<float> six = {0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 5, 5, 6, 5, 5, 5, 6, 5};
  EXPECT_EQ(read_mesh(with_indices<std::uint8_t>(six, {0}, meshes(primitive("")))).mesh.triangles,
            (Triangles{{0, 1, 2}, {3, 4, 5}}));
}

TEST(GltfMesh, NamesWhatItSkips) {
  const std::string points = primitive(R"(,"mode":0)"), lines = primitive(R"(,"mode":3)");
  const GltfMesh file = read_mesh(
      with_indices<std::uint8_t>(kFive, {0, 1, 2},
                                 R"("nodes":[{"mesh":1},{"mesh":1}],"meshes":[{"primitives":[)" + points +
                                     R"(]},{"name":"hair","primitives":[)" + primitive() + "," + lines +
                                     R"(,{"attributes":{"NORMAL":0}},)" + points + "]}]"));
  EXPECT_EQ(file.skipped, 3u) << "of meshes that are shown, each once";
  EXPECT_EQ(file.first_skipped, "mesh 1 'hair', primitive 1");
  EXPECT_EQ(file.mesh.triangles.size(), 2u);
  EXPECT_EQ(read_mesh(one_triangle(R"("nodes":[])")).skipped, 0u);
  const GltfMesh empty = read_mesh(gltf(R"("nodes":[{}])"));
  EXPECT_TRUE(empty.mesh.vertices.empty() && empty.first_skipped.empty());
}

TEST(GltfMesh, PrimitivesShareTheVerticesOfOneAccessor) {
  const GltfMesh file =
      read_mesh(with_indices<std::uint8_t>(kFive, {0, 1, 2},
                                           meshes(primitive() + "," + primitive(R"(,"indices":1,"mode":6)")) +
                                               R"(,"nodes":[{"mesh":0},{"mesh":0}])"));
  EXPECT_EQ(file.mesh.vertices.size(), 10u) << "five for each node";
  EXPECT_EQ(file.mesh.triangles, (Triangles{{0, 1, 2}, {1, 2, 0}, {5, 6, 7}, {6, 7, 5}}));
}

/// The first vertex of each triangle, one triangle for each mesh that is shown.
std::vector<float> shown(const std::string& members) {
  std::vector<float> x;
  for (const auto& vertex : read_mesh(one_triangle(members)).mesh.vertices) {
    x.push_back(vertex[0]);
  }
  std::vector<float> firsts;
  for (std::size_t i = 0; i < x.size(); i += kFiveVertices.size()) {
    firsts.push_back(x[i]);
  }
  return firsts;
}

TEST(GltfMesh, TheDefaultSceneIsShown) {
  const auto at = [](int x, const std::string& more = "") {
    return R"({"mesh":0,"translation":[)" + std::to_string(x) + ",0,0]" + more + "}";
  };
  const std::string nodes = R"("nodes":[)" + at(10, R"(,"children":[3,1])") + "," + at(1) + "," + at(20) +
                            "," + at(2, R"(,"children":[4])") + "," + at(5) + "]";
  using Firsts = std::vector<float>;
  EXPECT_EQ(shown(nodes), (Firsts{10, 12, 17, 11, 20})) << "all, each before its children";
  EXPECT_EQ(shown(nodes + R"(,"scenes":[{"nodes":[2]},{"nodes":[2,0]}],"scene":1)"),
            (Firsts{20, 10, 12, 17, 11}));
  EXPECT_EQ(shown(nodes + R"(,"scenes":[{"nodes":[2]},{"nodes":[2,0]}])"), Firsts{20}) << "the first";
  EXPECT_EQ(shown(nodes + R"(,"scenes":[{}])"), Firsts{});
  EXPECT_EQ(shown(R"("nodes":[])"), Firsts{0}) << "every mesh once";
  EXPECT_EQ(shown(R"("nodes":[{}])"), Firsts{}) << "no node shows it";
}

void expect_places(const std::string& nodes, const Vertices& want, const Triangles& triangles) {
  const GltfMesh file = read_mesh(one_triangle(R"("nodes":[)" + nodes + "]"));
  ASSERT_EQ(file.mesh.vertices.size(), kFiveVertices.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(file.mesh.vertices[i][axis], want[i][axis], 1e-6) << "vertex " << i << ", axis " << axis;
    }
  }
  EXPECT_EQ(file.mesh.triangles, triangles);
}

TEST(GltfMesh, NodesPlaceMeshes) {
  const std::string mesh = R"("mesh":0)";
  expect_places("{" + mesh + "}", kFiveVertices, {{0, 1, 2}});
  // A quarter turn about z (its quaternion not of length 1), twice as large, shifted.
  const std::string turn = R"("rotation":[0,0,2,2],"scale":[2,2,2],"translation":[10,20,30])";
  expect_places("{" + mesh + "," + turn + "}", {{10, 20, 30}, {10, 22, 30}, {8, 22, 30}, {8, 20, 31}},
                {{0, 1, 2}});
  expect_places("{" + mesh + R"(,"matrix":[0,2,0,0,-2,0,0,0,0,0,2,0,10,20,30,1]})",
                {{10, 20, 30}, {10, 22, 30}, {8, 22, 30}, {8, 20, 31}}, {{0, 1, 2}});
  expect_places(R"({"children":[1],"translation":[1,0,0],"scale":[2,2,2]},{)" + mesh + "," + turn + "}",
                {{21, 40, 60}, {21, 44, 60}, {17, 44, 60}}, {{0, 1, 2}});
}

TEST(GltfMesh, ScalesAboveRotationsShear) {
  // x twice as long above a turn of 3-4-5: (x, y) becomes (2 (0.6 x - 0.8 y), 0.8 x + 0.6 y).
  expect_places(R"({"children":[1],"scale":[2,1,1]},{"mesh":0,"rotation":[0,0,1,2]})",
                {{0, 0, 0}, {1.2F, 0.8F, 0}, {-0.4F, 1.4F, 0}, {-1.6F, 0.6F, 0.5F}}, {{0, 1, 2}});
  expect_places(R"({"mesh":0,"matrix":[1,0,0,0,3,1,0,0,0,0,1,0,0,0,0,1]})",
                {{0, 0, 0}, {1, 0, 0}, {4, 1, 0}, {3, 1, 0.5F}}, {{0, 1, 2}});
}

TEST(GltfMesh, MirrorsTurnTrianglesSoThatOutwardStaysOutward) {
  expect_places(R"({"mesh":0,"scale":[-1,1,1]})", {{0, 0, 0}, {-1, 0, 0}, {-1, 1, 0}}, {{0, 2, 1}});
  expect_places(R"({"mesh":0,"matrix":[1,0,0,0,0,1,0,0,0,0,-1,0,0,0,0,1]})",
                {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, -0.5F}}, {{0, 2, 1}});
  expect_places(R"({"mesh":0,"scale":[-1,-1,-1]})", {{0, 0, 0}, {-1, 0, 0}, {-1, -1, 0}}, {{0, 2, 1}});
  expect_places(R"({"children":[1],"scale":[-1,1,1]},{"mesh":0,"scale":[1,-1,1]})",
                {{0, 0, 0}, {-1, 0, 0}, {-1, -1, 0}}, {{0, 1, 2}});
  expect_places(R"({"mesh":0,"scale":[0,1,1]})", {{0, 0, 0}, {0, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
  // Each sign counts by itself: this determinant is beyond double.
  expect_places(R"({"children":[1],"scale":[-1e-38,1e-38,1e-38]},{"children":[2],"scale":[1e-38,1e-38,1e-38]},
      {"children":[3],"scale":[1e-38,1e-38,1e-38]},{"mesh":0})",
                {}, {{0, 2, 1}});
}

TEST(GltfMesh, WorldsAreComposedInDoubles) {
  // There and back again: in floats the small steps would be gone.
  const GltfMesh file = read_mesh(one_triangle(
      R"("nodes":[{"children":[1],"translation":[123456789,0,0]},{"children":[2],"translation":[0.015625,0,0]},
      {"mesh":0,"translation":[-123456789,0,0]}])"));
  EXPECT_EQ(file.mesh.vertices[1], (Vec3{1.015625F, 0, 0}));
}

TEST(GltfMesh, SkinnedMeshesStandAsStored) {
  const std::string skin = R"(,"skins":[{"joints":[1]}])";
  const GltfMesh file = read_mesh(one_triangle(
      R"("nodes":[{"mesh":0,"skin":0,"translation":[9,9,9],"scale":[-1,1,1],"children":[1]},{}])" + skin));
  EXPECT_EQ(file.mesh.vertices, kFiveVertices);
  EXPECT_EQ(file.mesh.triangles, (Triangles{{0, 1, 2}}));
}

TEST(GltfMesh, ReadsInterleavedSparseAndAbsentPositions) {
  const std::string mixed = bytes_of<float>({7, 1, 2, 3, 7, 4, 5, 6, 7, 8, 9, 10});
  const std::string sparse = bytes_of<std::uint16_t>({1, 0}) + bytes_of<float>({-1, -2, -3});
  const auto read = [&](const std::string& positions, const std::string& indices = "",
                        const std::string& more = "") {
    return read_mesh(gltf(meshes(primitive(more)) + "," + embedded(mixed + sparse) +
                          R"(,"bufferViews":[{"buffer":0,"byteLength":48,"byteStride":16},)" + view(48, 4) +
                          "," + view(52, 12) + R"(],"accessors":[)" + positions + indices + "]"))
        .mesh;
  };
  const std::string part =
      R"(,"sparse":{"count":1,"indices":{"bufferView":1,"componentType":5123},"values":{"bufferView":2}})";
  const std::string strided = accessor(0, 3, "VEC3", 5126, R"(,"byteOffset":4)");
  EXPECT_EQ(read(strided).vertices, (Vertices{{1, 2, 3}, {4, 5, 6}, {8, 9, 10}}));
  EXPECT_EQ(read(accessor(0, 3, "VEC3", 5126, R"(,"byteOffset":4)" + part)).vertices,
            (Vertices{{1, 2, 3}, {-1, -2, -3}, {8, 9, 10}}));
  EXPECT_EQ(read(R"({"componentType":5126,"count":3,"type":"VEC3")" + part + "}").vertices,
            (Vertices{{0, 0, 0}, {-1, -2, -3}, {0, 0, 0}}));
  EXPECT_EQ(read(R"({"componentType":5126,"count":3,"type":"VEC3"})").triangles, (Triangles{{0, 1, 2}}));
  const std::string whole = R"(,"sparse":{"count":1,"indices":{"bufferView":1,"componentType":5123},)"
                            R"("values":{"bufferView":1}})";
  EXPECT_EQ(
      read(strided, R"(,{"componentType":5123,"count":3,"type":"SCALAR")" + whole + "}", R"(,"indices":1)")
          .triangles,
      (Triangles{{0, 1, 0}}))
      << "indices may be sparse, too";
}

TEST(GltfMesh, ReadsTheBuffersOfTrianglesAlone) {
  const auto folder = std::filesystem::temp_directory_path() / "juxta_gltf_mesh_buffers";
  std::filesystem::create_directories(folder);
  ASSERT_TRUE(write_file((folder / "a.bin").string(), bytes_of(kFive)).has_value());
  const auto file = [](const std::string& buffer, const std::string& skin) {
    return gltf(R"("meshes":[{"primitives":[{"attributes":{"POSITION":0,"NORMAL":1},"mode":6},
        {"attributes":{"POSITION":1},"mode":0}]}],"nodes":[{"mesh":0},{}],"animations":7,"buffers":[)" +
                buffer + R"(,{"byteLength":64,"uri":"missing.bin"}],"bufferViews":[)" + view(0, 60) +
                R"(,{"buffer":1,"byteLength":64}],"accessors":[)" + accessor(0, 5, "VEC3") + "," +
                accessor(1, 5, "VEC3") + "," + accessor(1, 1, "MAT4") + "]" + skin);
  };
  const std::string skin = R"(,"skins":[{"joints":[1],"inverseBindMatrices":2}])";
  const std::string own = R"({"byteLength":60,"uri":"a.bin"})";
  ASSERT_TRUE(write_file((folder / "mesh.gltf").string(), file(own, skin)).has_value());
  const auto from_file = read_gltf_mesh((folder / "mesh.gltf").string());
  ASSERT_TRUE(from_file.has_value()) << from_file.error().message;
  EXPECT_EQ(from_file->mesh.vertices, kFiveVertices);
  EXPECT_EQ(from_file->mesh.triangles.size(), 3u);
  EXPECT_EQ(read_mesh(test::glb(file(R"({"byteLength":60})", ""), bytes_of(kFive))).mesh.vertices,
            kFiveVertices);
  std::filesystem::remove(folder / "a.bin");
  const auto missing = read_gltf_mesh((folder / "mesh.gltf").string());
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(test::code_of(missing), ErrorCode::kIo);
  EXPECT_NE(missing.error().message.find("a.bin"), std::string::npos);
  EXPECT_EQ(test::code_of(read_gltf_mesh((folder / "none.glb").string())), ErrorCode::kIo);
  std::filesystem::remove_all(folder);
  // A scene has no need of the meshes' files, as before.
  EXPECT_TRUE(parse_gltf(gltf(R"("nodes":[{"mesh":0}],"meshes":[{"primitives":7}],"buffers":[)" + own + "]"))
                  .has_value());
}

TEST(GltfMesh, CanBeCancelled) {
  class Stop final : public Monitor {
   public:
    explicit Stop(int calls) : calls_(calls) {}
    bool on_progress(std::string_view, std::uint64_t, std::uint64_t) override { return calls_-- > 0; }

   private:
    int calls_;
  };
  int calls = 0;
  for (;; ++calls) {
    Stop stop(calls);
    const auto file =
        parse_gltf_mesh(one_triangle(R"("nodes":[{"mesh":0},{"mesh":0}])"), {}, {.monitor = &stop});
    if (file) {
      break;
    }
    EXPECT_EQ(test::code_of(file), ErrorCode::kCancelled);
  }
  EXPECT_EQ(calls, 5) << "three stages and two nodes";
}

TEST(GltfMesh, TellsItselfFromOtherFiles) {
  EXPECT_TRUE(looks_like_gltf(test::glb("{}")));
  EXPECT_TRUE(looks_like_gltf(" \r\n\t{\"asset\":{}}"));
  EXPECT_TRUE(looks_like_gltf("\xEF\xBB\xBF{"));
  EXPECT_FALSE(looks_like_gltf("v 1 2 3\n"));
  EXPECT_FALSE(looks_like_gltf("minx,miny\n"));
  EXPECT_FALSE(looks_like_gltf(""));
}

}  // namespace
}  // namespace juxta
