// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Volume, centre and inertia: closed forms by hand, the same body as another kind, and the integral over many
// small cubes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "juxta/shape/shape.h"
#include "shape/frame.h"
#include "shape/random_shapes.h"
#include "shape/triangle_meshes.h"

namespace juxta {
namespace {

using shape_detail::dot;
using shape_detail::length;
using shape_detail::V3;

constexpr double kPi = 3.14159265358979323846;

double largest(const MassProperties& m) {
  return std::max({m.inertia[0][0], m.inertia[1][1], m.inertia[2][2]});
}

void expect_same(const MassProperties& a, const MassProperties& b, double tolerance) {
  EXPECT_NEAR(a.volume, b.volume, tolerance * std::abs(b.volume));
  const double size = std::cbrt(std::abs(b.volume));
  EXPECT_LT(length(V3(a.center) - V3(b.center)), tolerance * size + 1e-6 * length(V3(b.center)));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(a.inertia[i][j], b.inertia[i][j], tolerance * std::abs(largest(b)));
      EXPECT_EQ(a.inertia[i][j], a.inertia[j][i]);
    }
  }
}

TEST(MassOf, ClosedForms) {
  const MassProperties ball = mass_of(Sphere{{1, 2, 3}, 2});
  EXPECT_NEAR(ball.volume, 4 * kPi / 3 * 8, 1e-9);
  EXPECT_NEAR(ball.inertia[1][1], 0.4 * ball.volume * 4, 1e-9);
  EXPECT_EQ(ball.center, (Vec3{1, 2, 3}));
  const MassProperties box = mass_of(Box{{}, {}, {1, 2, 3}});
  EXPECT_NEAR(box.volume, 48, 1e-12);
  EXPECT_NEAR(box.inertia[0][0], 48.0 / 12 * (16 + 36), 1e-9);
  EXPECT_NEAR(box.inertia[1][1], 48.0 / 12 * (4 + 36), 1e-9);
  EXPECT_NEAR(box.inertia[2][2], 48.0 / 12 * (4 + 16), 1e-9);
  const MassProperties round = mass_of(Capsule{{3, 0, 0}, {3, 0, 0}, 2});
  EXPECT_NEAR(round.inertia[0][0], ball.inertia[0][0], 1e-9);
  EXPECT_EQ(mass_of(Triangle{{}, {1, 0, 0}, {0, 1, 0}}).volume, 0);
  EXPECT_EQ(mass_of(HeightField::build(2, 2, 1, std::vector<float>(4, 0)).value()).volume, 0);
  EXPECT_EQ(mass_of(ConvexHull::build(std::vector<Vec3>{{}, {1, 0, 0}, {0, 1, 0}}).value()).volume, 0);
}

/// By cubes, each counted when its middle is inside.
MassProperties by_cubes(const Shape& shape, const Qvvs& at, int cubes) {
  const Aabb3 box = bounds_of(shape, at);
  const V3 lo(Vec3{box.lo[0], box.lo[1], box.lo[2]});
  const V3 side = V3(Vec3{box.hi[0], box.hi[1], box.hi[2]}) - lo;
  const double volume = side.x * side.y * side.z / (1.0 * cubes * cubes * cubes);
  std::vector<V3> inside;
  V3 sum;
  for (int i = 0; i < cubes * cubes * cubes; ++i) {
    const V3 p = lo + V3(side.x * (i % cubes + 0.5) / cubes, side.y * (i / cubes % cubes + 0.5) / cubes,
                         side.z * (i / cubes / cubes + 0.5) / cubes);
    if (contains(shape, at, p.rounded())) {
      inside.push_back(p);
      sum = sum + p;
    }
  }
  MassProperties m;
  m.volume = volume * static_cast<double>(inside.size());
  const V3 center = sum * (1 / static_cast<double>(inside.size()));
  m.center = center.rounded();
  for (const V3& p : inside) {
    const double d[3] = {p.x - center.x, p.y - center.y, p.z - center.z};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        m.inertia[i][j] += volume * ((i == j ? d[0] * d[0] + d[1] * d[1] + d[2] * d[2] : 0) - d[i] * d[j]);
      }
    }
  }
  return m;
}

TEST(MassOf, ConvexShapesByCubes) {
  test::RandomShapes random(41);
  int done = 0;
  while (done < 40) {
    test::Placed placed = random.shape(1);
    placed.at.position = random.inside() * 3;
    const MassProperties m = mass_of(placed.shape, placed.at);
    const Aabb3 box = bounds_of(placed.shape, placed.at);
    const auto side = [&box](int i) {
      return static_cast<double>(box.hi[i]) - static_cast<double>(box.lo[i]);
    };
    if (m.volume < 0.1 * side(0) * side(1) * side(2)) {
      continue;  // thin ones need smaller cubes
    }
    ++done;
    expect_same(by_cubes(placed.shape, placed.at, 40), m, 0.02);
  }
}

TEST(MassOf, OneBodyAsThreeKinds) {
  test::RandomShapes random(42);
  const std::vector<Vec3> corners{{-1, -2, -3}, {1, -2, -3}, {-1, 2, -3}, {1, 2, -3},
                                  {-1, -2, 3},  {1, -2, 3},  {-1, 2, 3},  {1, 2, 3}};
  const ConvexHull hull = ConvexHull::build(corners).value();
  std::vector<Vec3> vertices;
  for (const Vec3& c : corners) {
    vertices.push_back({c.x, c.y, c.z});
  }
  const std::vector<std::array<std::uint32_t, 3>> faces{{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                                        {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                                        {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  const TriangleMesh mesh = TriangleMesh::build(vertices, faces).value();
  ASSERT_TRUE(mesh.closed());
  std::vector<Compound::Part> eighths;
  for (int i = 0; i < 8; ++i) {
    Qvvs part;
    part.position = {(i & 1) != 0 ? 0.5F : -0.5F, (i & 2) != 0 ? 1.0F : -1.0F, (i & 4) != 0 ? 1.5F : -1.5F};
    eighths.push_back({Box{{}, {}, {0.5F, 1, 1.5F}}, part});
  }
  const Compound compound = Compound::build(eighths).value();
  for (int i = 0; i < 100; ++i) {
    Qvvs at;
    at.rotation = random.rotation();
    at.position = random.inside() * (i % 2 == 0 ? 1000.0F : 1.0F);
    at.scale = random.between(0.1F, 10);
    at.stretch = {random.between(0.5F, 2), random.between(0.5F, 2), random.between(0.5F, 2)};
    const MassProperties box = mass_of(Box{{}, {}, {1, 2, 3}}, at);
    expect_same(mass_of(hull, at), box, 1e-6);
    expect_same(mass_of(mesh, at), box, 1e-6);
    expect_same(mass_of(compound, at), box, 1e-6);
  }
}

TEST(MassOf, MeshesCountWithTheirSign) {
  test::Soup soup = test::make_sphere(20000);
  const double before = mass_of(TriangleMesh::build(soup.vertices, soup.triangles).value()).volume;
  for (auto& t : soup.triangles) {
    std::swap(t[0], t[1]);
  }
  const double after = mass_of(TriangleMesh::build(soup.vertices, soup.triangles).value()).volume;
  EXPECT_NEAR(before, -after, 1e-9);
  EXPECT_NEAR(std::abs(before), 4 * kPi / 3, 0.01);
  soup.triangles.pop_back();
  EXPECT_EQ(mass_of(TriangleMesh::build(soup.vertices, soup.triangles).value()).volume, 0);
}

TEST(MassOf, CapsulesWeighWhatTheirPartsWeigh) {
  // A long hull of a capsule's surface: rings of points on circles, by the rational circle.
  std::vector<Vec3> points;
  const float radius = 0.5F, half = 1;
  const int rings = 40, around = 80;
  for (int i = -rings; i <= rings; ++i) {
    const double s = static_cast<double>(i) / rings, y = 2 * s / (1 + s * s), r = (1 - s * s) / (1 + s * s);
    for (int k = 0; k < around; ++k) {
      const double h = 4.0 * (k % (around / 2)) / around * 2 - 1, d = 1 + h * h;
      const double sign = k < around / 2 ? 1 : -1, x = sign * 2 * h / d, z = sign * (1 - h * h) / d;
      points.push_back((V3(x * r, y, z * r) * static_cast<double>(radius) +
                        V3(0, static_cast<double>(i < 0 ? -half : half), 0))
                           .rounded());
      if (i == 0) {
        points.push_back(
            (V3(x, 0, z) * static_cast<double>(radius) - V3(0, static_cast<double>(half), 0)).rounded());
      }
    }
  }
  const ConvexHull hull = ConvexHull::build(points).value();
  Qvvs at;
  at.rotation = normalized({1, -2, 3, 4});
  expect_same(mass_of(hull, at), mass_of(Capsule{{0, -half, 0}, {0, half, 0}, radius}, at), 0.01);
}

}  // namespace
}  // namespace juxta
