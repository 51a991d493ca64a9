// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Meshes from C: buffers, new places for vertices, files.
#include <gtest/gtest.h>
#include <juxta.h>

#include <algorithm>
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
  EXPECT_EQ(juxta_mesh_triangle_count(mesh), 4U);
  juxta_mesh_free(mesh);
  input.quality = JUXTA_MESH_DEFAULT;
  input.stride = 10;
  EXPECT_EQ(juxta_mesh_build_from(&input, nullptr, &mesh, &error), JUXTA_INVALID_ARGUMENT);
  input.stride = sizeof(Vertex);
  numbers[4] = 9;
  EXPECT_EQ(juxta_mesh_build_from(&input, nullptr, &mesh, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(error.index, 1U);
}

/// A mesh and a height field side by side: a ball over the seam meets no ghost edge of the one it has left.
TEST(CMesh, Adjoin) {
  const std::array<float, 12> corners{0, 0, 0, 4, 0, 0, 0, 0, 4, 4, 0, 4};
  const std::array<std::uint32_t, 6> numbers{0, 3, 1, 0, 2, 3};
  const std::array<float, 4> heights{};
  juxta_mesh* mesh = nullptr;
  juxta_height_field* field = nullptr;
  juxta_error error = {};
  ASSERT_EQ(juxta_mesh_build(corners.data(), 0, 4, numbers.data(), 2, nullptr, &mesh, &error), JUXTA_OK);
  ASSERT_EQ(juxta_height_field_build(2, 2, 4, heights.data(), &field, &error), JUXTA_OK);
  juxta_shape of_mesh = {}, of_field = {}, ball = {};
  of_mesh.kind = JUXTA_MESH;
  of_mesh.of.mesh = mesh;
  of_field.kind = JUXTA_HEIGHT_FIELD;
  of_field.of.height_field = field;
  ball.kind = JUXTA_SPHERE;
  ball.of.sphere = {{0, 0, 0}, 0.5F};
  const juxta_qvvs origin = juxta_default_qvvs();
  const auto leans = [&](const juxta_shape& shape, const juxta_qvvs& at, float x) {
    juxta_qvvs place = origin;
    place.position[0] = x;
    place.position[1] = 0.49F;
    place.position[2] = 2.3F;
    std::array<juxta_named_manifold, 4> out;
    const std::size_t found = juxta_shape_contacts(&shape, &at, &ball, &place, 0.01F, out.data(), out.size());
    return std::any_of(out.begin(), out.begin() + std::min<std::size_t>(found, out.size()),
                       [](const juxta_named_manifold& m) { return m.normal[1] < 0.9999F; });
  };
  juxta_qvvs right = origin;
  right.position[0] = 4;
  EXPECT_TRUE(leans(of_mesh, origin, 4.1F));
  EXPECT_TRUE(leans(of_field, right, 3.9F));
  std::size_t edges = 0;
  ASSERT_EQ(juxta_mesh_adjoin(mesh, &origin, &of_field, &right, 0, &edges, &error), JUXTA_OK)
      << error.message;
  EXPECT_EQ(edges, 1U);
  ASSERT_EQ(juxta_height_field_adjoin(field, &right, &of_mesh, &origin, 0, nullptr, &error), JUXTA_OK);
  EXPECT_FALSE(leans(of_mesh, origin, 4.1F));
  EXPECT_FALSE(leans(of_field, right, 3.9F));
  juxta_mesh_forget_adjoined(mesh);
  juxta_height_field_forget_adjoined(field);
  EXPECT_TRUE(leans(of_mesh, origin, 4.1F));
  EXPECT_TRUE(leans(of_field, right, 3.9F));
  EXPECT_EQ(juxta_mesh_adjoin(mesh, &origin, &ball, &right, 0, &edges, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(juxta_height_field_adjoin(field, &origin, &of_mesh, &right, -1, &edges, &error),
            JUXTA_INVALID_ARGUMENT);
  juxta_mesh_free(mesh);
  juxta_height_field_free(field);
}

}  // namespace
}  // namespace juxta
