// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// contacts() of shapes of any kind against closest(): there are some wherever two shapes come within the
// margin, however deep; each point lies near both; it does not matter which shape is named first.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace juxta
