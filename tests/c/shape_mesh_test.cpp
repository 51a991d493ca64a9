// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Meshes from C: buffers, new places for vertices, files.
#include <gtest/gtest.h>
#include <juxta.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"

namespace juxta {
namespace {

/// Vertices as renderers have them, numbers of 16 bits; new places; a file and back.
TEST(CMesh, BuffersRefitAndFiles) {
  struct Vertex {
    std::uint32_t color;
    float position[3];
  };
  const std::vector<Vec3> points{{-1, -1, -1}, {1, -1, -1}, {0, 1, -1}, {0, 0, 1}};
  const std::vector<std::array<std::uint32_t, 3>> triangles{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  std::vector<Vertex> vertices;
  std::vector<std::uint16_t> numbers;
  for (const Vec3& p : points) {
    vertices.push_back({7, {p.x, p.y, p.z}});
  }
  for (const auto& t : triangles) {
    numbers.insert(numbers.end(), {static_cast<std::uint16_t>(t[0]), static_cast<std::uint16_t>(t[1]),
                                   static_cast<std::uint16_t>(t[2])});
  }
  TriangleMesh cpp = TriangleMesh::build(points, triangles).value();
  juxta_mesh_input input = {vertices[0].position, sizeof(Vertex), vertices.size(),
                            numbers.data(),       numbers.size(), 2,
                            JUXTA_MESH_FAST};
  juxta_mesh* mesh = nullptr;
  juxta_error error = {};
  ASSERT_EQ(juxta_mesh_build_from(&input, nullptr, &mesh, &error), JUXTA_OK) << error.message;
  EXPECT_EQ(juxta_mesh_vertex_count(mesh), 4U);
  EXPECT_TRUE(juxta_mesh_closed(mesh));
  const juxta_qvvs origin = juxta_default_qvvs();
  const auto expect_ray = [&](const juxta_mesh* asked) {
    juxta_shape shape = {};
    shape.kind = JUXTA_MESH;
    shape.of.mesh = asked;
    juxta_ray ray = {{0.1F, 0.05F, -5}, {0, 0, 1}, 100};
    const juxta_surface_hit hit = juxta_shape_raycast(&shape, &origin, &ray);
    const SurfaceHit right = raycast(cpp, {}, {{0.1F, 0.05F, -5}, {0, 0, 1}, 100});
    EXPECT_TRUE(right.hit);
    EXPECT_EQ(hit.t, right.t);
    EXPECT_EQ(hit.part.triangle, right.part.triangle);
  };
  expect_ray(mesh);
  std::vector<Vec3> moved = points;
  moved[2].z -= 0.5F;
  ASSERT_TRUE(cpp.refit(moved));
  ASSERT_EQ(juxta_mesh_refit(mesh, moved.data(), 0, moved.size(), nullptr, &error), JUXTA_OK);
  expect_ray(mesh);
  EXPECT_EQ(juxta_mesh_refit(mesh, moved.data(), 0, 3, nullptr, &error), JUXTA_INVALID_ARGUMENT);
  moved[1].y = NAN;
  EXPECT_EQ(juxta_mesh_refit(mesh, moved.data(), 0, moved.size(), nullptr, &error), JUXTA_NOT_FINITE);
  EXPECT_EQ(error.index, 1U);
  const std::string path = testing::TempDir() + "juxta_c_mesh.jxm";
  ASSERT_EQ(juxta_mesh_save(mesh, path.c_str(), &error), JUXTA_OK) << error.message;
  juxta_mesh* opened = nullptr;
  ASSERT_EQ(juxta_mesh_open(path.c_str(), &opened, &error), JUXTA_OK) << error.message;
  expect_ray(opened);
  juxta_mesh_free(opened);
  juxta_mesh_free(mesh);
  EXPECT_EQ(juxta_mesh_open((path + ".no").c_str(), &opened, &error), JUXTA_IO);
  EXPECT_EQ(juxta_mesh_open("/proc/self/exe", &opened, &error), JUXTA_CORRUPT_FILE);
  std::remove(path.c_str());
  input.quality = 7;
  EXPECT_EQ(juxta_mesh_build_from(&input, nullptr, &mesh, &error), JUXTA_INVALID_ARGUMENT);
  input.quality = JUXTA_MESH_BEST;
  ASSERT_EQ(juxta_mesh_build_from(&input, nullptr, &mesh, &error), JUXTA_OK) << error.message;
  expect_ray(mesh);
  juxta_mesh_free(mesh);
  input.quality = JUXTA_MESH_DEFAULT;
  input.stride = 10;
  EXPECT_EQ(juxta_mesh_build_from(&input, nullptr, &mesh, &error), JUXTA_INVALID_ARGUMENT);
  input.stride = sizeof(Vertex);
  numbers[4] = 9;
  EXPECT_EQ(juxta_mesh_build_from(&input, nullptr, &mesh, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(error.index, 1U);
}

}  // namespace
}  // namespace juxta
