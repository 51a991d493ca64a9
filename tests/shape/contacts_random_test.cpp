// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// contacts() of shapes of any kind against closest(): there are some wherever two shapes come within the
// margin, however deep; each point lies near both; it does not matter which shape is named first.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "scenes/draws.h"

namespace juxta {
namespace {

class RandomContacts : public testing::Test {
 protected:
  RandomContacts() {
    std::vector<Vec3> corners(24);
    for (Vec3& p : corners) {
      p = anywhere(0.5F);
    }
    hull_.push_back(ConvexHull::build(corners).value());
    std::vector<Compound::Part> parts;
    for (int i = 0; i < 5; ++i) {
      const Shape part = i % 2 == 0 ? Shape(Capsule{{0, -0.3F, 0}, {0, 0.3F, 0}, 0.2F})
                                    : Shape(Box{{}, {}, {0.3F, 0.2F, 0.4F}});
      parts.push_back({part, place(1)});
    }
    compound_.push_back(Compound::build(parts).value());
    mesh_.push_back(bumpy());
    shapes_ = {Sphere{{}, 0.4F},
               Capsule{{0, -0.4F, 0}, {0, 0.4F, 0}, 0.2F},
               Box{{}, {}, {0.4F, 0.3F, 0.2F}},
               hull_[0],
               compound_[0],
               mesh_[0]};
  }

  Vec3 anywhere(float size) {
    return {draws_.uniform(-size, size), draws_.uniform(-size, size), draws_.uniform(-size, size)};
  }
  Qvvs place(float size) {
    Qvvs out;
    out.position = anywhere(size);
    const Vec3 v = anywhere(1);
    out.rotation = normalized(Quat{v.x, v.y, v.z, draws_.uniform(0.1F, 1)});
    return out;
  }
  TriangleMesh bumpy() {
    constexpr std::uint32_t kSide = 12;
    std::vector<Vec3> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (std::uint32_t i = 0; i < (kSide + 1) * (kSide + 1); ++i) {
      const auto x = static_cast<float>(i % (kSide + 1)), z = static_cast<float>(i / (kSide + 1));
      vertices.push_back({x - 6, draws_.uniform(-0.3F, 0.3F), z - 6});
    }
    for (std::uint32_t j = 0; j < kSide; ++j) {
      for (std::uint32_t i = 0; i < kSide; ++i) {
        const std::uint32_t a = j * (kSide + 1) + i, b = a + kSide + 1;
        triangles.push_back({a, a + 1, b});
        triangles.push_back({a + 1, b + 1, b});
      }
    }
    return TriangleMesh::build(vertices, triangles).value();
  }

  void compare(const Shape& a, const Shape& b) {
    const Qvvs at_a = place(1.5F), at_b = place(0.5F);
    const float margin = draws_.below(3) == 0 ? 0 : draws_.uniform(0, 0.2F);
    std::array<Manifold, kMostManifolds> there, back;
    const std::size_t found = contacts(a, at_a, b, at_b, margin, there).written;
    EXPECT_EQ(contacts(b, at_b, a, at_a, margin, back).written, found);
    const float distance = closest(a, at_a, b, at_b).distance;
    if (std::fabs(distance - margin) > 1e-4F) {
      EXPECT_EQ(found > 0, distance < margin) << distance;
    }
    touching_ += found > 0 ? 1U : 0U;
    for (std::size_t i = 0; i < found; ++i) {
      const Manifold& m = there[i];
      EXPECT_NEAR(length(m.normal), 1, 1e-5);
      ASSERT_TRUE(m.count >= 1 && m.count <= 4);
      for (std::uint32_t j = 0; j < m.count; ++j) {
        const Manifold::Point& p = m.points[j];
        EXPECT_LE(p.distance, margin + 1e-5F);
        Qvvs here;
        here.position = p.point;
        // Half way between two surfaces, along a normal that may differ by the angle of a group, or of faces.
        const float near = 0.5F * std::fabs(p.distance) + 0.015F;
        EXPECT_LE(closest(Sphere{}, here, a, at_a).distance, near);
        EXPECT_LE(closest(Sphere{}, here, b, at_b).distance, near);
      }
    }
  }

  scenes::Draws draws_{31};
  std::vector<ConvexHull> hull_;
  std::vector<Compound> compound_;
  std::vector<TriangleMesh> mesh_;
  std::vector<Shape> shapes_;
  std::size_t touching_ = 0;
};

TEST_F(RandomContacts, AgreeWithClosestPoints) {
  for (const Shape& a : shapes_) {
    for (const Shape& b : shapes_) {
      const bool two_meshes = a.get_if<TriangleMesh>() != nullptr && b.get_if<TriangleMesh>() != nullptr;
      for (int i = 0; i < (two_meshes ? 5 : 150); ++i) {
        compare(a, b);
        ASSERT_FALSE(HasFailure());
      }
    }
  }
  EXPECT_GT(touching_, 1000U);
}

/// Degenerate triangles have no edges: two of them would be one, with the triangle as its own neighbour.
TEST(ContactsOfMeshes, DegenerateTrianglesAreNobodysNeighbours) {
  const std::vector<Vec3> vertices{{0, 0, 0}, {2, 0, 0}, {0, 0, 2}, {2, 0, 2}, {0, 0, 0}};
  for (const std::array<std::uint32_t, 3> degenerate :
       {std::array{0U, 1U, 0U}, std::array{0U, 1U, 4U}, std::array{1U, 2U, 1U}}) {
    for (const bool first : {true, false}) {
      std::vector<std::array<std::uint32_t, 3>> triangles{{0, 2, 1}, {1, 2, 3}};
      triangles.insert(first ? triangles.begin() : triangles.end(), degenerate);
      const TriangleMesh mesh = TriangleMesh::build(vertices, triangles).value();
      Qvvs at;
      at.position = {1, 0.29F, 1};
      std::array<Manifold, 4> out;
      const std::size_t found = contacts(Sphere{{}, 0.3F}, at, mesh, {}, 0, out).written;
      ASSERT_GE(found, 1U);
      EXPECT_EQ(out[0].normal, (Vec3{0, -1, 0}));
    }
  }
}

/// A hundred boxes in a square, on a floor: the one manifold holds all four sides.
TEST(ContactsOfCompounds, LargeOnesAreHeldOnAllSides) {
  std::vector<Compound::Part> parts;
  for (int i = 0; i < 100; ++i) {
    parts.push_back({Box{{}, {}, {0.5F, 0.5F, 0.5F}}, {}});
    parts.back().at.position = {static_cast<float>(i % 10), 0, static_cast<float>(i / 10)};
  }
  const Compound tiles = Compound::build(parts).value();
  Qvvs below;
  below.position = {4.5F, -1.49F, 4.5F};
  std::array<Manifold, kMostManifolds> out;
  const std::size_t found = contacts(tiles, {}, Box{{}, {}, {20, 1, 20}}, below, 0.05F, out).written;
  float lo[2] = {9, 9}, hi[2] = {0, 0};
  for (std::size_t i = 0; i < found; ++i) {
    for (std::uint32_t j = 0; j < out[i].count; ++j) {
      const Vec3 p = out[i].points[j].point;
      lo[0] = std::min(lo[0], p.x), lo[1] = std::min(lo[1], p.z);
      hi[0] = std::max(hi[0], p.x), hi[1] = std::max(hi[1], p.z);
    }
  }
  EXPECT_LT(lo[0], 0);
  EXPECT_LT(lo[1], 0);
  EXPECT_GT(hi[0], 9);
  EXPECT_GT(hi[1], 9);
}

/// What is deep in a floor keeps a contact inside, whatever comes within the margin besides.
TEST_F(RandomContacts, DeepOnesStayWithAMargin) {
  std::size_t deep = 0;
  for (int i = 0; i < 2000; ++i) {
    const Shape& solid = shapes_[static_cast<std::size_t>(i) % 4];
    const Qvvs at = place(1.5F);
    const float distance = closest(solid, at, mesh_[0], {}).distance;
    std::array<Manifold, kMostManifolds> out;
    const std::size_t found = contacts(solid, at, mesh_[0], {}, 0.05F, out).written;
    float least = 1;
    for (std::size_t k = 0; k < found; ++k) {
      least = std::min(least, out[k].points[0].distance);
    }
    deep += distance < -0.05F ? 1U : 0U;
    EXPECT_TRUE(distance >= -0.05F || least < 0) << i << ": " << distance << ", contact at " << least;
  }
  EXPECT_GT(deep, 200U);
}

}  // namespace
}  // namespace juxta
