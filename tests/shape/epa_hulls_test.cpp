// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Depths of hulls of many corners: smooth ones, where a polytope of few corners is far from the truth. The
// oracle takes every face of the Minkowski difference: faces of one, faces of the other, and pairs of edges
// whose arcs of normals cross.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "shape/check_convex.h"
#include "shape/convex.h"
#include "shape/parts_store.h"

namespace juxta {
namespace {

using shape_detail::V3;
using test::kFar;

struct Edge {
  V3 way, left, right;  // normals of its faces
  V3 corner;
};

/// A hull as it stands, by its public corners and planes.
struct Body {
  std::vector<V3> points, normals;
  std::vector<Edge> edges;

  Body(const ConvexHull& hull, const Qvvs& at, const V3& origin) {
    const shape_detail::Frame frame(at, origin);
    const shape_detail::HullStore& store = shape_detail::Access::store(hull);
    for (const Vec3& p : hull.vertices()) {
      points.push_back(frame(V3(p)));
    }
    std::map<std::pair<std::uint32_t, std::uint32_t>, V3> left_of;
    for (std::size_t f = 0; f + 1 < store.first.size(); ++f) {
      const V3 normal = frame.normal(store.sides[f].normal);
      normals.push_back(normal * (1 / length(normal)));
      for (std::uint32_t c = store.first[f]; c < store.first[f + 1]; ++c) {
        const std::uint32_t next = c + 1 < store.first[f + 1] ? c + 1 : store.first[f];
        left_of[{store.corners[c], store.corners[next]}] = normals.back();
      }
    }
    for (const auto& [edge, normal] : left_of) {
      if (edge.first < edge.second) {
        edges.push_back({points[edge.second] - points[edge.first], normal,
                         left_of.at({edge.second, edge.first}), points[edge.first]});
      }
    }
  }
  [[nodiscard]] double reach(V3 way) const {
    double most = -kFar;
    for (const V3& p : points) {
      most = std::max(most, dot(p, way));
    }
    return most;
  }
};

/// The arc l - r of one and the arc of -m .. -k of the other cross, or nearly: which of two sides rounding
/// takes does not matter, because each direction tried is a way out.
bool arcs_cross(const Edge& e, const Edge& g) {
  const double slack = 1e-9 * length(e.way) * length(g.way);
  const double l = -dot(g.way, e.left) * length(e.way), r = -dot(g.way, e.right) * length(e.way);
  const double m = -dot(e.way, g.left) * length(g.way), k = -dot(e.way, g.right) * length(g.way);
  return std::min(l, r) <= slack && std::max(l, r) >= -slack && std::min(m, k) <= slack &&
         std::max(m, k) >= -slack && dot(e.left + e.right, g.left + g.right) <= 0;
}

double depth_of(const Body& a, const Body& b) {
  double least = kFar;
  for (const V3& n : a.normals) {
    least = std::min(least, a.reach(n) + b.reach(-n));
  }
  for (const V3& n : b.normals) {
    least = std::min(least, a.reach(-n) + b.reach(n));
  }
  for (const Edge& e : a.edges) {
    for (const Edge& g : b.edges) {
      if (!arcs_cross(e, g)) {
        continue;
      }
      const V3 n = cross(e.way, g.way);
      const double size = length(n);
      if (size > 1e-9 * length(e.way) * length(g.way)) {
        const V3 way = n * ((dot(n, e.left + e.right) > 0 ? 1 : -1) / size);
        const double width = dot(way, e.corner - g.corner);
        // The edges' own width is the least that it can be; whether it is the whole one is asked where it
        // matters.
        least = width < least ? std::min(least, a.reach(way) + b.reach(-way)) : least;
      }
    }
  }
  return least;
}

class Smooth {
 public:
  explicit Smooth(std::uint64_t seed) : random_(seed) {}

  test::RandomShapes& random() { return random_; }
  /// Points on a sphere of radius 1.
  ConvexHull ball(std::uint32_t corners) {
    std::vector<Vec3> points(corners);
    for (Vec3& p : points) {
      p = random_.direction();
    }
    return ConvexHull::build(points).value();
  }
  /// Evenly, along a spiral: faces whose distances from the middle are nearly one.
  static ConvexHull spiral(std::uint32_t corners) {
    std::vector<Vec3> points(corners);
    for (std::uint32_t i = 0; i < corners; ++i) {
      const double z = 1 - (2.0 * i + 1) / corners, r = std::sqrt(1 - z * z), turn = 2.399963229728653 * i;
      points[i] = V3(r * std::cos(turn), r * std::sin(turn), z).rounded();
    }
    return ConvexHull::build(points).value();
  }

 private:
  test::RandomShapes random_;
};

/// The answer of closest() for two hulls, against their depth.
void check(const ConvexHull& a, const Qvvs& at_a, const ConvexHull& b, const Qvvs& at_b) {
  const V3 origin(at_a.position);
  const Body x(a, at_a, origin), y(b, at_b, origin);
  const double depth = depth_of(x, y);
  const double size = shape_detail::convex_of(Shape(a), shape_detail::Frame(at_a, origin)).size +
                      shape_detail::convex_of(Shape(b), shape_detail::Frame(at_b, origin)).size;
  const ClosestPoints got = closest(Shape(a), at_a, Shape(b), at_b);
  ASSERT_TRUE(got.found);
  EXPECT_NEAR(test::wide(got.distance), -depth, 1e-5 * size);
  const V3 n(got.normal), on_a = V3(got.on_a) - origin, on_b = V3(got.on_b) - origin;
  EXPECT_NEAR(length(n), 1, 1e-6);
  EXPECT_NEAR(x.reach(n) + y.reach(-n), depth, 1e-5 * size);
  // Both points are on the surface, where the normal is theirs, and not beside it.
  EXPECT_NEAR(dot(n, on_a), x.reach(n), 2e-5 * size);
  EXPECT_NEAR(dot(-n, on_b), y.reach(-n), 2e-5 * size);
  EXPECT_LE(length(on_b - on_a - n * test::wide(got.distance)), 2e-5 * size);
  EXPECT_TRUE(closest(Shape(a), at_a, Shape(Sphere{got.on_a, 0}), {}).distance <= 2e-5 * size);
  EXPECT_TRUE(closest(Shape(b), at_b, Shape(Sphere{got.on_b, 0}), {}).distance <= 2e-5 * size);
}

TEST(ShapeEpaHulls, SmoothHullsAreAsDeepAsTheirFacesSay) {
  Smooth smooth(21);
  for (const std::uint32_t corners : {50U, 150U, 400U, 1000U}) {
    const ConvexHull ball = smooth.ball(corners), other = smooth.ball(corners / 2 + 5);
    const ConvexHull spiral = Smooth::spiral(corners);
    for (int pose = 0; pose < 5; ++pose) {
      SCOPED_TRACE(testing::Message() << corners << " corners, pose " << pose);
      Qvvs a, b;
      b.position = smooth.random().direction() * (pose == 2   ? 0.05F
                                                  : pose == 3 ? 0.9F
                                                  : pose == 4 ? 1.9F
                                                              : 0);
      if (pose != 0) {
        a.rotation = smooth.random().rotation();
        b.rotation = smooth.random().rotation();
        b.stretch = {1, smooth.random().between(0.7F, 1.5F), 1};
      }
      check(ball, a, ball, b);
      check(ball, a, other, b);
      check(spiral, a, spiral, b);
      check(spiral, a, ball, b);
    }
  }
}

TEST(ShapeEpaHulls, FiveThousandCorners) {
  Smooth smooth(22);
  const ConvexHull ball = smooth.ball(5000), few = smooth.ball(300);
  Qvvs turned;
  turned.rotation = smooth.random().rotation();
  check(ball, {}, few, turned);
  check(few, {}, ball, {});
  check(ball, {}, ball, {});
}

// Of a box, a triangle, a segment, a point in a smooth hull.
TEST(ShapeEpaHulls, SmallShapesInSmoothHulls) {
  Smooth smooth(23);
  const Shape small[] = {Box{{}, {}, {0.3F, 0.2F, 0.4F}}, Triangle{{0.1F, 0, 0}, {0, 0.2F, 0}, {0, 0, -0.3F}},
                         Capsule{{-0.2F, 0, 0}, {0.3F, 0.1F, 0}, 0.1F}, Sphere{{0, 0.01F, 0}, 0.2F}};
  for (const std::uint32_t corners : {300U, 2000U}) {
    const ConvexHull ball = smooth.ball(corners);
    for (const Shape& shape : small) {
      SCOPED_TRACE(testing::Message() << corners << " corners, kind " << static_cast<int>(shape.kind()));
      const Body hull(ball, {}, {});
      const test::Skin skin = test::skin_of(shape);
      const test::Solid solid = test::solid_of(shape, skin, {}, {});
      Body other = hull;
      other.points = solid.points;
      other.normals.clear();
      other.edges.clear();
      for (const auto& f : solid.faces) {
        const V3 n = cross(solid.points[f[1]] - solid.points[f[0]], solid.points[f[2]] - solid.points[f[0]]);
        other.normals.push_back(n * (1 / length(n)));
        other.normals.push_back(n * (-1 / length(n)));
      }
      // Edges without known faces: all pairs, each a way out.
      double depth = depth_of(hull, other) + solid.radius;
      for (const auto& g : solid.edges) {
        for (const Edge& e : hull.edges) {
          const V3 n = cross(e.way, solid.along(g));
          if (const double size = length(n); size > 1e-12) {
            for (const double sign : {1.0, -1.0}) {
              const V3 way = n * (sign / size);
              if (dot(way, e.corner) + other.reach(-way) + solid.radius < depth) {
                depth = std::min(depth, hull.reach(way) + other.reach(-way) + solid.radius);
              }
            }
          }
        }
      }
      for (const bool first : {false, true}) {
        const ClosestPoints got =
            first ? closest(shape, {}, Shape(ball), {}) : closest(Shape(ball), {}, shape, {});
        EXPECT_NEAR(test::wide(got.distance), -depth, 1e-5 * (1 + solid.size));
        const V3 n = V3(got.normal) * (first ? -1.0 : 1.0);
        EXPECT_NEAR(hull.reach(n) + other.reach(-n) + solid.radius, depth, 1e-5 * (1 + solid.size));
        EXPECT_NEAR(dot(n, V3(first ? got.on_b : got.on_a)), hull.reach(n), 2e-5 * (1 + solid.size));
      }
    }
  }
}

// Two discs: flat hulls of many corners, through each other.
TEST(ShapeEpaHulls, DiscsThroughEachOther) {
  std::vector<Vec3> ring(1000);
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const double turn = 2 * 3.141592653589793 * static_cast<double>(i) / static_cast<double>(ring.size());
    ring[i] = V3(std::cos(turn), std::sin(turn), 0).rounded();
  }
  const ConvexHull disc = ConvexHull::build(ring).value();
  Smooth smooth(24);
  for (int round = 0; round < 20; ++round) {
    Qvvs a, b;
    a.rotation = smooth.random().rotation();
    b.rotation = smooth.random().rotation();
    b.position = round < 4 ? Vec3{} : smooth.random().inside() * 0.5F;
    const ClosestPoints got = closest(Shape(disc), a, Shape(disc), b);
    if (got.distance >= 0) {
      continue;
    }
    // Round discs: the least of h along both normals and of a fine search of all directions.
    const shape_detail::Frame fa(a, {}), fb(b, {});
    const V3 na = fa.turned({0, 0, 1}), nb = fb.turned({0, 0, 1}), at(b.position);
    const auto width = [&](V3 n) {
      return std::sqrt(std::max(0.0, 1 - dot(n, na) * dot(n, na))) +
             std::sqrt(std::max(0.0, 1 - dot(n, nb) * dot(n, nb))) - dot(n, at);
    };
    double depth = std::min(std::min(width(na), width(-na)), std::min(width(nb), width(-nb)));
    for (int i = 0; i < 200'000; ++i) {
      const double z = 1 - (2.0 * i + 1) / 200'000, r = std::sqrt(1 - z * z), turn = 2.399963229728653 * i;
      depth = std::min(depth, width({r * std::cos(turn), r * std::sin(turn), z}));
    }
    EXPECT_NEAR(test::wide(got.distance), -depth, 1e-4) << "round " << round;
    const V3 n(got.normal);
    double end = -kFar, begin = kFar;  // of the rings as they are
    for (const Vec3& p : disc.vertices()) {
      end = std::max(end, dot(n, fa(V3(p))));
      begin = std::min(begin, dot(n, fb(V3(p))));
    }
    EXPECT_NEAR(end - begin, -test::wide(got.distance), 1e-6) << "round " << round;
    EXPECT_NEAR(end, dot(n, V3(got.on_a)), 1e-6) << "round " << round;
  }
}

}  // namespace
}  // namespace juxta
