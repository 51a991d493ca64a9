// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What shapes refuse, their boxes, the parts they hand out, and what is in them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "juxta/shape/shape.h"
#include "shape/frame.h"
#include "shape/oracle.h"
#include "shape/random_shapes.h"
#include "shape/triangle_meshes.h"
#include "support/code_of.h"

namespace juxta {
namespace {

using test::cross;
using test::dot;
using test::length;
using test::V3;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

ErrorCode code_of(const Shape& shape, const Qvvs& at = {}) {
  const Result<void> result = check_shape(shape, at);
  EXPECT_FALSE(result.has_value());
  return result ? ErrorCode::kIo : result.error().code;
}

TEST(CheckShape, RefusesWhatMakesNoSense) {
  EXPECT_TRUE(check_shape(Sphere{}));
  EXPECT_TRUE(check_shape(Capsule{{1, 1, 1}, {1, 1, 1}, 0}));
  EXPECT_TRUE(check_shape(Box{}));
  EXPECT_EQ(code_of(Sphere{{0, kNaN, 0}, 1}), ErrorCode::kNotFinite);
  EXPECT_EQ(code_of(Sphere{{}, kInf}), ErrorCode::kNotFinite);
  EXPECT_EQ(code_of(Sphere{{}, -1}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of(Capsule{{}, {0, 0, kInf}, 1}), ErrorCode::kNotFinite);
  EXPECT_EQ(code_of(Capsule{{}, {}, -1}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of(Box{{}, {}, {1, -1, 1}}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of(Box{{}, {0, 0, 0, 2}, {1, 1, 1}}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of(Triangle{{}, {}, {kNaN, 0, 0}}), ErrorCode::kNotFinite);
  Qvvs at;
  at.scale = 0;
  EXPECT_EQ(code_of(Sphere{}, at), ErrorCode::kInvalidArgument);
  at.scale = kNaN;
  EXPECT_EQ(code_of(Sphere{}, at), ErrorCode::kNotFinite);
  at = {};
  at.stretch.y = -1;
  EXPECT_EQ(code_of(Sphere{}, at), ErrorCode::kInvalidArgument);
  at = {};
  at.rotation.w = 1.01F;
  EXPECT_EQ(code_of(Sphere{}, at), ErrorCode::kInvalidArgument);
  at.rotation.w = 1.0005F;
  EXPECT_TRUE(check_shape(Sphere{}, at));
}

TEST(CheckShape, RefusesShear) {
  const Quat turned = normalized({1, 2, 3, 4});
  Qvvs at;
  at.stretch = {1, 2, 1};
  EXPECT_TRUE(check_shape(Box{{}, {}, {1, 1, 1}}, at));
  EXPECT_EQ(code_of(Box{{}, turned, {1, 1, 1}}, at), ErrorCode::kInvalidArgument);
  Qvvs part;
  part.position = {1, 0, 0};
  const Compound straight =
      Compound::build(std::vector<Compound::Part>{{Sphere{}, part}, {Box{}, {}}}).value();
  EXPECT_TRUE(check_shape(straight, at));
  part.rotation = turned;
  const Compound askew = Compound::build(std::vector<Compound::Part>{{Box{}, {}}, {Sphere{}, part}}).value();
  EXPECT_EQ(code_of(askew, at), ErrorCode::kInvalidArgument);
  EXPECT_EQ(check_shape(askew, at).error().index, 1U);
  at.stretch = {2, 2, 2};
  EXPECT_TRUE(check_shape(askew, at));
  EXPECT_TRUE(check_shape(Box{{}, turned, {1, 1, 1}}, at));
}

TEST(TriangleMesh, SaysWhatIsWrong) {
  const std::vector<Vec3> vertices{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const std::vector<std::array<std::uint32_t, 3>> bad{{0, 1, 2}, {0, 1, 3}};
  const auto missing = TriangleMesh::build(vertices, bad);
  ASSERT_FALSE(missing);
  EXPECT_EQ(test::code_of(missing), ErrorCode::kInvalidArgument);
  EXPECT_EQ(missing.error().index, 1U);
  const std::vector<Vec3> wild{{0, 0, 0}, {1, 0, 0}, {0, kInf, 0}};
  const auto infinite = TriangleMesh::build(wild, std::span(bad).first(1));
  ASSERT_FALSE(infinite);
  EXPECT_EQ(test::code_of(infinite), ErrorCode::kNotFinite);
  EXPECT_EQ(infinite.error().index, 2U);
  const TriangleMesh none = TriangleMesh::build({}, {}).value();
  EXPECT_EQ(none.triangle_count(), 0U);
  EXPECT_FALSE(none.closed());
  EXPECT_FALSE(raycast(none, {}, {{0, 0, -1}, {0, 0, 1}}));
  EXPECT_FALSE(closest(none, {}, Sphere{{}, 1}, {}));
  EXPECT_FALSE(contains(none, {}, {}));
}

TEST(TriangleMesh, ClosedMeansEveryEdgeTwiceInOppositeDirections) {
  const test::Soup soup = test::make_sphere(300);
  const auto closed = [](const test::Soup& s) {
    return TriangleMesh::build(s.vertices, s.triangles).value().closed();
  };
  EXPECT_TRUE(closed(soup));
  test::Soup open = soup;
  open.triangles.pop_back();
  EXPECT_FALSE(closed(open));
  test::Soup turned = soup;
  std::swap(turned.triangles[7][0], turned.triangles[7][1]);
  EXPECT_FALSE(closed(turned));
  test::Soup twice = soup;
  twice.triangles.insert(twice.triangles.end(), soup.triangles.begin(), soup.triangles.end());
  EXPECT_FALSE(closed(twice));  // every edge four times
  test::Soup split;             // three vertices of its own for each triangle, as along seams of texture
  for (const auto& t : soup.triangles) {
    const auto first = static_cast<std::uint32_t>(split.vertices.size());
    for (const std::uint32_t v : t) {
      split.vertices.push_back(soup.vertices[v]);
    }
    split.triangles.push_back({first, first + 1, first + 2});
  }
  EXPECT_TRUE(closed(split));
  split.triangles.push_back({5, 5, 9});  // no area, no edge
  EXPECT_TRUE(closed(split));
}

TEST(TriangleMesh, KeepsTheInput) {
  test::RandomShapes random(31);
  const test::Soup soup = test::make_soup(test::Kind::kRandom, 500, random.draws());
  const TriangleMesh mesh = TriangleMesh::build(soup.vertices, soup.triangles).value();
  ASSERT_EQ(mesh.triangle_count(), 500U);
  Aabb3 box{{kInf, kInf, kInf}, {-kInf, -kInf, -kInf}};
  for (std::uint32_t i = 0; i < 500; ++i) {
    const Triangle t = mesh.triangle(i);
    const auto& v = soup.vertices[soup.triangles[i][1]];
    EXPECT_EQ(t.b, (Vec3{v[0], v[1], v[2]}));
    for (const std::uint32_t c : soup.triangles[i]) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        box.lo[axis] = std::min(box.lo[axis], soup.vertices[c][axis]);
        box.hi[axis] = std::max(box.hi[axis], soup.vertices[c][axis]);
      }
    }
  }
  EXPECT_EQ(mesh.bounds(), box);
  EXPECT_GT(mesh.memory_bytes(), 500 * 3 * sizeof(float));
}

TEST(Compound, SaysWhatIsWrong) {
  EXPECT_EQ(test::code_of(Compound::build({})), ErrorCode::kInvalidArgument);
  const Compound inner = Compound::build(std::vector<Compound::Part>{{Sphere{}, {}}}).value();
  const auto nested = Compound::build(std::vector<Compound::Part>{{Box{}, {}}, {inner, {}}});
  EXPECT_EQ(test::code_of(nested), ErrorCode::kInvalidArgument);
  EXPECT_EQ(nested.error().index, 1U);
  const auto bad =
      Compound::build(std::vector<Compound::Part>{{Box{}, {}}, {Box{}, {}}, {Sphere{{}, kNaN}, {}}});
  EXPECT_EQ(test::code_of(bad), ErrorCode::kNotFinite);
  EXPECT_EQ(bad.error().index, 2U);
}

TEST(HeightField, SaysWhatIsWrongAndCountsTriangles) {
  std::vector<float> heights(6, 0);
  EXPECT_EQ(test::code_of(HeightField::build(1, 6, 1, heights)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(HeightField::build(3, 3, 1, heights)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(HeightField::build(3, 2, 0, heights)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(HeightField::build(3, 2, kNaN, heights)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(HeightField::build(3, 2, 2e38F, heights)), ErrorCode::kInvalidArgument);
  heights[4] = kInf;
  EXPECT_EQ(HeightField::build(3, 2, 1, heights).error().index, 4U);
  heights = {0, 1, 2, 3, 4, 5};
  const HeightField field = HeightField::build(3, 2, 2, heights).value();
  const Triangle even = field.triangle(2), odd = field.triangle(3);
  const auto holds = [](const Triangle& t, Vec3 p) { return t.a == p || t.b == p || t.c == p; };
  const Vec3 low{2, 1, 0}, across{4, 5, 2}, right{4, 2, 0}, up{2, 4, 2};
  EXPECT_TRUE(holds(even, low) && holds(even, across) && holds(even, right));
  EXPECT_TRUE(holds(odd, low) && holds(odd, across) && holds(odd, up));
  for (const Triangle& t : {even, odd}) {
    EXPECT_GT(cross(V3(t.b) - V3(t.a), V3(t.c) - V3(t.a)).y, 0);
  }
}

// gcc 12 at -O2 takes the double of a float of x for x where it makes vectors of them.
TEST(Frame, RoundedMeansRounded) {
  test::RandomShapes random(36);
  for (int i = 0; i < 1000; ++i) {
    const V3 p = V3(random.inside()) * 0.1;
    const V3 there(p.rounded());
    const volatile float x = static_cast<float>(p.x), y = static_cast<float>(p.y),
                         z = static_cast<float>(p.z);
    EXPECT_EQ(there.x, static_cast<double>(x));
    EXPECT_EQ(there.y, static_cast<double>(y));
    EXPECT_EQ(there.z, static_cast<double>(z));
  }
}

TEST(BoundsOf, HoldTheShapeAndNoMoreThanRounding) {
  test::RandomShapes random(32);
  for (int i = 0; i < 5000; ++i) {
    test::Placed placed = random.shape(random.size());
    placed.at.position = random.inside() * (i % 2 == 0 ? 3000.0F : 1.0F);
    const test::Solid solid = placed.solid({});
    const Aabb3 box = bounds_of(placed.shape, placed.at);
    for (int axis = 0; axis < 3; ++axis) {
      const auto at = [axis](V3 p) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; };
      double lo = test::kFar, hi = -test::kFar;
      for (const V3& p : solid.points) {
        lo = std::min(lo, at(p) - solid.radius);
        hi = std::max(hi, at(p) + solid.radius);
      }
      const double ulp = 1e-12 * (1 + std::abs(lo) + std::abs(hi));
      ASSERT_LE(static_cast<double>(box.lo[axis]), lo + ulp);
      ASSERT_GE(static_cast<double>(box.hi[axis]), hi - ulp);
      ASSERT_GE(static_cast<double>(std::nextafter(box.lo[axis], kInf)), lo - ulp);
      ASSERT_LE(static_cast<double>(std::nextafter(box.hi[axis], -kInf)), hi + ulp);
    }
  }
  EXPECT_EQ(bounds_of(Sphere{{1, 2, 3}, 0.5F}), (Aabb3{{0.5F, 1.5F, 2.5F}, {1.5F, 2.5F, 3.5F}}));
}

TEST(BoundsOf, SurfacesAndCompounds) {
  test::RandomShapes random(33);
  const test::Soup soup = test::make_soup(test::Kind::kRandom, 50, random.draws());
  const TriangleMesh mesh = TriangleMesh::build(soup.vertices, soup.triangles).value();
  const HeightField holes = HeightField::build(2, 2, 1, std::vector<float>{0, kNaN, kNaN, 0}).value();
  EXPECT_TRUE(bounds_of(holes).empty());
  for (int i = 0; i < 300; ++i) {
    Qvvs at;
    at.rotation = random.rotation();
    at.position = random.inside() * 100;
    at.stretch = {1, 2, 1};
    const Compound compound =
        Compound::build(std::vector<Compound::Part>{{mesh, at}, {holes, {}}, {Sphere{{9, 9, 9}, 1}, {}}})
            .value();
    Qvvs whole;
    whole.rotation = random.rotation();
    whole.scale = 3;
    const Aabb3 box = bounds_of(mesh, at), all = bounds_of(compound, whole);
    const shape_detail::Frame frame(at, V3()), outer(whole, V3());
    const auto inside = [](const Aabb3& b, V3 p) {
      const double c[3] = {p.x, p.y, p.z};
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_GE(c[axis], static_cast<double>(b.lo[axis]) - 1e-9);
        EXPECT_LE(c[axis], static_cast<double>(b.hi[axis]) + 1e-9);
      }
    };
    for (const auto& v : soup.vertices) {
      const V3 p = frame(V3(Vec3{v[0], v[1], v[2]}));
      inside(box, p);
      inside(all, outer(p));
    }
  }
}

TEST(Contains, ConvexShapesToTheirSurface) {
  test::RandomShapes random(34);
  int in = 0, out = 0;
  for (int i = 0; i < 20000; ++i) {
    test::Placed placed = random.shape(random.size());
    placed.at.position = random.inside() * (i % 2 == 0 ? 1000.0F : 1.0F);
    const V3 origin = placed.at.position;
    const test::Solid solid = placed.solid(origin);
    V3 middle;
    for (const V3& p : solid.points) {
      middle = middle + p * (1 / static_cast<double>(solid.points.size()));
    }
    const Vec3 point = (origin + middle + V3(random.inside()) * (0.7 * solid.size)).rounded();
    test::Solid dot_there;
    dot_there.points = {V3(point) - origin};
    const double distance = test::truth_of(dot_there, solid).distance;
    const bool got = contains(placed.shape, placed.at, point);
    if (std::abs(distance) > 2e-6 * solid.size) {
      EXPECT_EQ(got, distance < 0) << i << " " << static_cast<int>(placed.shape.kind()) << " " << distance
                                   << " size " << solid.size << " r " << solid.radius << " "
                                   << placed.at.position.x << " " << point.x;
      (distance < 0 ? in : out) += 1;
    }
  }
  EXPECT_GT(in, 1000);
  EXPECT_GT(out, 1000);
}

/// How often a mesh winds around a point: the solid angles of all triangles (van Oosterom, Strackee 1983).
int winding_of(const TriangleMesh& mesh, V3 p) {
  double sum = 0;
  for (std::uint32_t i = 0; i < mesh.triangle_count(); ++i) {
    const Triangle t = mesh.triangle(i);
    const V3 a = V3(t.a) - p, b = V3(t.b) - p, c = V3(t.c) - p;
    const double la = length(a), lb = length(b), lc = length(c);
    sum +=
        2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return static_cast<int>(std::lround(sum / (4 * 3.14159265358979)));
}

/// Shells of spheres: centre, size, and whether it is turned inside out.
struct Shell {
  Vec3 at;
  float size;
  bool hollow;
};
TriangleMesh shells(const std::vector<Shell>& list) {
  test::Soup all;
  const test::Soup one = test::make_sphere(200);
  for (const Shell& shell : list) {
    const auto first = static_cast<std::uint32_t>(all.vertices.size());
    for (const auto& v : one.vertices) {
      all.vertices.push_back(
          {v[0] * shell.size + shell.at.x, v[1] * shell.size + shell.at.y, v[2] * shell.size + shell.at.z});
    }
    for (const auto& t : one.triangles) {
      all.triangles.push_back(
          {first + t[0], first + t[shell.hollow ? 2 : 1], first + t[shell.hollow ? 1 : 2]});
    }
  }
  return TriangleMesh::build(all.vertices, all.triangles).value();
}

TEST(Contains, ClosedMeshesAreSolid) {
  test::RandomShapes random(35);
  for (const std::vector<Shell>& list :
       {std::vector<Shell>{{{}, 1, false}}, std::vector<Shell>{{{}, 1, true}},
        std::vector<Shell>{{{}, 1, false}, {{}, 0.5F, true}},
        std::vector<Shell>{{{}, 0.7F, false}, {{0.4F, 0, 0}, 0.6F, false}}}) {
    const TriangleMesh mesh = shells(list);
    ASSERT_TRUE(mesh.closed());
    Qvvs at;
    at.rotation = random.rotation();
    at.position = {0, 0, 0};
    at.scale = 2;
    at.stretch = {1, 2, 0.5F};
    const shape_detail::Frame frame(at, V3());
    int in = 0;
    for (int i = 0; i < 3000; ++i) {
      V3 p(random.inside());
      const Triangle t =
          mesh.triangle(random.draws().below(static_cast<std::uint32_t>(mesh.triangle_count())));
      if (i % 4 == 1) {  // rays along an axis from here pass through a corner
        p = {V3(t.a).x, V3(t.a).y, p.z};
      } else if (i % 4 == 2) {  // or through two
        p = {V3(t.b).x, p.y, V3(t.b).z};
      } else if (i % 4 == 3) {
        EXPECT_TRUE(contains(mesh, {}, i % 8 == 3 ? t.a : ((V3(t.a) + V3(t.b)) * 0.5).rounded()));
        continue;
      }
      test::Solid point;
      point.points = {p};
      const bool on = static_cast<bool>(closest(Sphere{p.rounded(), 1e-4F}, {}, mesh, {}, 0));
      if (on) {
        continue;
      }
      const bool inside = winding_of(mesh, p) != 0;
      in += inside ? 1 : 0;
      EXPECT_EQ(contains(mesh, {}, p.rounded()), inside);
      EXPECT_EQ(contains(mesh, at, frame(p).rounded()), inside);
    }
    EXPECT_GT(in, 50);
  }
}

TEST(Contains, SurfacesHoldWhatLiesOnThem) {
  const test::Soup soup = test::make_sphere(200);
  test::Soup open = soup;
  open.triangles.pop_back();
  const TriangleMesh mesh = TriangleMesh::build(open.vertices, open.triangles).value();
  EXPECT_FALSE(contains(mesh, {}, {0.1F, 0.2F, 0}));
  EXPECT_TRUE(contains(mesh, {}, mesh.triangle(3).b));
  const HeightField field = HeightField::build(2, 2, 1, std::vector<float>{0, 1, 1, 2}).value();
  EXPECT_TRUE(contains(field, {}, {0.25F, 0.75F, 0.5F}));
  EXPECT_FALSE(contains(field, {}, {0.25F, 0.7499F, 0.5F}));
  const Compound compound =
      Compound::build(std::vector<Compound::Part>{{field, {}}, {Sphere{{5, 0, 0}, 1}, {}}}).value();
  EXPECT_TRUE(contains(compound, {}, {5.5F, 0, 0}));
  EXPECT_TRUE(contains(compound, {}, {0.25F, 0.75F, 0.5F}));
  EXPECT_FALSE(contains(compound, {}, {3, 0, 0}));
  EXPECT_FALSE(contains(compound, {}, {kNaN, 0, 0}));
}

}  // namespace
}  // namespace juxta
