// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Hulls against what defines them: all points inside all planes, the same reach in any direction, faces that
// close.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "scenes/draws.h"
#include "shape/frame.h"
#include "shape/parts_store.h"
#include "support/code_of.h"

namespace juxta {
namespace {

using shape_detail::V3;

double size_of(const std::vector<Vec3>& points) {
  V3 lo(points[0]), hi(points[0]);
  for (const Vec3& p : points) {
    lo = {std::min(lo.x, V3(p).x), std::min(lo.y, V3(p).y), std::min(lo.z, V3(p).z)};
    hi = {std::max(hi.x, V3(p).x), std::max(hi.y, V3(p).y), std::max(hi.z, V3(p).z)};
  }
  return std::max({hi.x - lo.x, hi.y - lo.y, hi.z - lo.z});
}

double reach(std::span<const Vec3> points, V3 way) {
  double most = -std::numeric_limits<double>::infinity();
  for (const Vec3& p : points) {
    most = std::max(most, dot(V3(p), way));
  }
  return most;
}

Vec3 in_cube(scenes::Draws& draws) {
  return {draws.uniform(-1, 1), draws.uniform(-1, 1), draws.uniform(-1, 1)};
}

/// Each edge once in each direction, and Euler's formula: the faces are a closed surface without handles.
void expect_closed(const shape_detail::HullStore& store) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  std::vector<bool> used(store.vertices.size(), false);
  for (std::size_t f = 0; f + 1 < store.first.size(); ++f) {
    const std::uint32_t first = store.first[f], last = store.first[f + 1];
    ASSERT_GE(last - first, 3U);
    for (std::uint32_t c = first; c < last; ++c) {
      const std::uint32_t next = c + 1 < last ? c + 1 : first;
      ++edges[{store.corners[c], store.corners[next]}];
      used[store.corners[c]] = true;
    }
  }
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_EQ(edges.count({edge.second, edge.first}), 1U);
  }
  EXPECT_EQ(std::count(used.begin(), used.end(), false), 0);
  EXPECT_EQ(store.vertices.size() + store.planes.size(), edges.size() / 2 + 2);
}

void expect_hull(const std::vector<Vec3>& points) {
  const ConvexHull hull = ConvexHull::build(points).value();
  const double size = size_of(points);
  const shape_detail::HullStore& store = shape_detail::Access::store(hull);
  expect_closed(store);
  for (std::size_t f = 0; f < store.sides.size(); ++f) {
    const shape_detail::HullStore::Side& side = store.sides[f];
    EXPECT_NEAR(length(side.normal), 1, 1e-12);
    for (const Vec3& p : points) {
      ASSERT_LE(dot(side.normal, V3(p) - store.middle), side.reach + 1e-6 * size);
    }
    if (f >= hull.faces().size()) {
      continue;  // a rim
    }
    for (std::uint32_t c = store.first[f]; c < store.first[f + 1]; ++c) {
      const Vec3& corner = store.vertices[store.corners[c]];
      EXPECT_GE(dot(side.normal, V3(corner) - store.middle), side.reach - 1e-6 * size);
      EXPECT_LE(dot(V3(hull.faces()[f].normal), V3(corner)), -static_cast<double>(hull.faces()[f].offset));
    }
  }
  scenes::Draws draws(7);
  for (int i = 0; i < 200; ++i) {
    const V3 raw(in_cube(draws));
    const V3 way = raw * (1 / length(raw));
    EXPECT_NEAR(reach(hull.vertices(), way), reach(points, way), 1e-6 * size);
  }
  for (const Vec3& v : hull.vertices()) {
    EXPECT_NE(std::find(points.begin(), points.end(), v), points.end());
  }
}

TEST(ConvexHull, RandomPointsAreInsideAndReached) {
  scenes::Draws draws(1);
  for (const int count : {4, 5, 8, 30, 300, 3000}) {
    for (int round = 0; round < 20; ++round) {
      const Vec3 stretch{1, draws.uniform(0.001F, 1), draws.uniform(0.001F, 1)};
      std::vector<Vec3> points;
      for (int i = 0; i < count; ++i) {
        points.push_back(in_cube(draws) * stretch);
      }
      expect_hull(points);
    }
  }
}

TEST(ConvexHull, PointsOnASphereAreAllVertices) {
  scenes::Draws draws(2);
  std::vector<Vec3> points;
  while (points.size() < 2000) {
    const V3 p(in_cube(draws));
    if (length(p) > 0.1) {
      points.push_back((p * (1000 / length(p))).rounded());
    }
  }
  expect_hull(points);
  EXPECT_EQ(ConvexHull::build(points).value().vertices().size(), 2000U);
}

TEST(ConvexHull, FacesOfAGridOfPointsAreJoined) {
  scenes::Draws draws(3);
  for (int round = 0; round < 50; ++round) {
    const Quat turn = normalized({draws.uniform(-1, 1), draws.uniform(-1, 1), draws.uniform(-1, 1), 0.5F});
    const Vec3 middle = round % 2 == 0 ? Vec3{} : Vec3{2, -3, 1};
    std::vector<Vec3> points;
    for (int i = 0; i < 216; ++i) {
      const Vec3 p{static_cast<float>(i % 6), static_cast<float>(i / 6 % 6), static_cast<float>(i / 36)};
      points.push_back((round == 0 ? p : rotate(turn, p)) + middle);
    }
    expect_hull(points);
    const ConvexHull hull = ConvexHull::build(points).value();
    EXPECT_EQ(hull.vertices().size(), 8U) << round;
    EXPECT_EQ(hull.faces().size(), 6U) << round;
  }
}

TEST(ConvexHull, FlatHullsKeepTheirCornersInOrder) {
  scenes::Draws draws(4);
  for (int round = 0; round < 100; ++round) {
    const Quat turn = normalized({draws.uniform(-1, 1), draws.uniform(-1, 1), draws.uniform(-1, 1), 0.3F});
    std::vector<Vec3> points;
    for (int i = 0; i < 64; ++i) {  // an octagon's corners among points of its inside
      constexpr float kCorner[8][2] = {{3, 1},   {1, 3},   {-1, 3}, {-3, 1},
                                       {-3, -1}, {-1, -3}, {1, -3}, {3, -1}};
      const float* c = kCorner[i % 8];
      const float k = i < 8 ? 1 : draws.uniform(0, 0.99F);
      points.push_back(rotate(turn, {c[0] * k, c[1] * k, 0}));
    }
    for (std::size_t i = points.size(); i > 1; --i) {
      std::swap(points[i - 1], points[draws.below(static_cast<std::uint32_t>(i))]);
    }
    const ConvexHull hull = ConvexHull::build(points).value();
    ASSERT_EQ(hull.vertices().size(), 8U);
    EXPECT_TRUE(hull.faces().empty());
    V3 sum;
    for (std::size_t i = 0; i < 8; ++i) {
      sum = sum + cross(V3(hull.vertices()[i]), V3(hull.vertices()[(i + 1) % 8]));
    }
    EXPECT_NEAR(length(sum), 2 * 28, 1e-4);  // twice the octagon's area: the corners are in order
  }
}

TEST(ConvexHull, LinesAndPoints) {
  std::vector<Vec3> line;
  for (int i = 0; i < 9; ++i) {
    const auto x = static_cast<float>((i * 4) % 9);
    line.push_back({1 + x, 2 - 2 * x, 0.5F * x});
  }
  const ConvexHull segment = ConvexHull::build(line).value();
  ASSERT_EQ(segment.vertices().size(), 2U);
  EXPECT_EQ(std::abs(segment.vertices()[0].x - segment.vertices()[1].x), 8);
  const std::vector<Vec3> one(5, Vec3{1, 2, 3});
  const ConvexHull point = ConvexHull::build(one).value();
  ASSERT_EQ(point.vertices().size(), 1U);
  EXPECT_EQ(point.vertices()[0], (Vec3{1, 2, 3}));
  EXPECT_TRUE(point.faces().empty() && segment.faces().empty());
}

TEST(ConvexHull, AnySizeAndPlace) {
  scenes::Draws draws(5);
  for (const float size : {1e-30F, 1e-6F, 1.0F, 1e6F, 1e30F}) {
    std::vector<Vec3> points;
    for (int i = 0; i < 200; ++i) {
      points.push_back(in_cube(draws) * size);
    }
    expect_hull(points);
  }
  std::vector<Vec3> far;  // only 2^14 places along each axis are left there
  for (int i = 0; i < 500; ++i) {
    far.push_back(in_cube(draws) + Vec3{1000, -1000, 1000});
  }
  expect_hull(far);
}

TEST(ConvexHull, NearlyFlatNeedlesAndSteps) {
  scenes::Draws draws(6);
  for (int power = 0; power < 9; ++power) {
    std::vector<Vec3> plate, needle;
    for (int i = 0; i < 300; ++i) {
      const auto thin = static_cast<float>(std::ldexp(1.0, -3 * power));
      plate.push_back(in_cube(draws) * Vec3{1, 1, thin});
      needle.push_back(in_cube(draws) * Vec3{1, thin, thin});
    }
    for (const std::vector<Vec3>& points : {plate, needle}) {
      const ConvexHull hull = ConvexHull::build(points).value();
      if (!hull.faces().empty()) {
        expect_hull(points);
      }
      EXPECT_EQ(hull.faces().empty(), power >= 8) << power;  // 2^-21 is still above 2^-22
    }
  }
}

TEST(ConvexHull, SaysWhatIsWrong) {
  EXPECT_EQ(test::code_of(ConvexHull::build({})), ErrorCode::kInvalidArgument);
  const std::vector<Vec3> bad{{0, 0, 0}, {0, std::numeric_limits<float>::quiet_NaN(), 0}};
  EXPECT_EQ(test::code_of(ConvexHull::build(bad)), ErrorCode::kNotFinite);
  EXPECT_EQ(ConvexHull::build(bad).error().index, 1U);
  scenes::Draws draws(8);
  std::vector<Vec3> many;
  while (many.size() < 70000) {
    const V3 p(in_cube(draws));
    if (length(p) > 0.1) {
      many.push_back((p * (1 / length(p))).rounded());
    }
  }
  EXPECT_EQ(test::code_of(ConvexHull::build(many)), ErrorCode::kTooLarge);
  many.resize(60000);
  EXPECT_GT(ConvexHull::build(many).value().vertices().size(), 50000U);
}

// By a plain loop over all faces; numbers of faces that are no multiple of a block.
TEST(ConvexHull, RaysMeetTheFaceThatALoopFinds) {
  scenes::Draws draws(31);
  int hits = 0;
  for (const std::uint32_t corners : {4U, 5U, 9U, 30U, 101U, 500U}) {
    std::vector<Vec3> points(corners);
    for (Vec3& p : points) {
      p = in_cube(draws);
      const V3 v(p);
      p = (v * (1 / length(v))).rounded();
    }
    const ConvexHull hull = ConvexHull::build(points).value();
    for (int i = 0; i < 200; ++i) {
      const Vec3 from = in_cube(draws) * 3.0F, to = in_cube(draws);
      const Vec3 way = to - from;
      double enter = -std::numeric_limits<double>::infinity(), leave = -enter;
      V3 normal;
      for (const shape_detail::HullStore::Side& side : shape_detail::Access::store(hull).sides) {
        const double height =
            dot(side.normal, V3(from) - shape_detail::Access::store(hull).middle) - side.reach;
        const double speed = dot(side.normal, V3(way));
        if (speed < 0 && -height / speed > enter) {
          enter = -height / speed;
          normal = side.normal;
        } else if (speed > 0) {
          leave = std::min(leave, -height / speed);
        }
      }
      const SurfaceHit got = raycast(Shape(hull), {}, {{from.x, from.y, from.z}, {way.x, way.y, way.z}});
      if (std::abs(enter) < 1e-6 || std::abs(enter - leave) < 1e-6) {
        continue;  // a graze
      }
      const bool inside = enter < 0 && leave >= 0;
      ASSERT_EQ(got.hit, inside || (enter >= 0 && enter <= leave));
      if (got.hit && !inside) {
        ++hits;
        ASSERT_NEAR(static_cast<double>(got.t), enter, 1e-6 * (1 + enter));
        ASSERT_GT(dot(normal, V3(got.normal)), 1 - 1e-5);
      }
    }
  }
  EXPECT_GT(hits, 300);
}

/// Plates around the thickness from which a hull is solid: what a ray hits is on the plate, and not beside it
/// where a wall was joined with the top.
TEST(ConvexHull, RaysHitThinPlatesWhereTheyAre) {
  scenes::Draws draws(32);
  const auto check = [&](const std::vector<Vec3>& points, float thin, int rays) {
    const ConvexHull hull = ConvexHull::build(points).value();
    const Shape shape(hull);
    int hits = 0;
    for (int i = 0; i < rays; ++i) {
      const Vec3 from = in_cube(draws) * 3.0F, to = in_cube(draws) * 2.0F;
      const SurfaceHit hit = raycast(shape, {}, segment(from, {to.x, to.y, to.z * thin}));
      if (hit) {
        ++hits;
        EXPECT_LT(closest(shape, {}, Sphere{hit.point, 0}, {}).distance, 2e-5F) << thin << " thick";
      }
    }
    return hits;
  };
  const std::vector<Vec3> found{{-2.37676859F, 1, 0},
                                {2.58722253e-06F, 1.5F, -2.50016456e-06F},
                                {-2.08835506F, 1.5F, 3.1900214e-07F},
                                {-1.25F, -1.25F, 1.49469804e-06F}};
  int hits = check(found, 1e-6F, 1000);
  for (int round = 0; round < 2000; ++round) {
    std::vector<Vec3> points(4 + draws.below(5));
    const float thin = std::pow(10.0F, -draws.uniform(3, 8));
    for (Vec3& p : points) {
      p = in_cube(draws);
      p.z *= thin;
    }
    hits += check(points, thin, 20);
    ASSERT_FALSE(testing::Test::HasFailure()) << "plate " << round;
  }
  EXPECT_GT(hits, 1000);
}

}  // namespace
}  // namespace juxta
