// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Contacts of shapes of any kind: names of features, groups, and edges inside of surfaces.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "shape/contact_scenes.h"
#include "shape/random_shapes.h"

namespace juxta {
namespace {

using test::about_y;
using test::at;
using test::flat;
using test::grid;
using test::Solids;

std::set<std::uint32_t> features(const Manifold& manifold) {
  std::set<std::uint32_t> out;
  for (std::uint32_t i = 0; i < manifold.count; ++i) {
    out.insert(manifold.points[i].feature);
  }
  return out;
}

/// Slides all solids over a surface, surface first and solid first. Returns how many manifolds there were.
int slide_over(const Shape& surface, float from, float to) {
  int seen = 0;
  test::slide(from, to, [&](const Shape& solid, const Qvvs& place, float height) {
    std::array<Manifold, kMostManifolds> out;
    for (const bool first : {true, false}) {
      const QueryResult found = first ? contacts(surface, {}, solid, place, 0.01F, out)
                                      : contacts(solid, place, surface, {}, 0.01F, out);
      EXPECT_EQ(found.found, 1U);
      for (std::size_t i = 0; i < found.written; ++i) {
        EXPECT_GT(first ? out[i].normal.y : -out[i].normal.y, 0.99999F) << out[i].normal.x;
        EXPECT_NEAR(out[i].points[0].distance, height, 1e-5F);
        ++seen;
      }
    }
  });
  return seen;
}

TEST(ShapeContacts, NoGhostEdgesOnFlatMeshes) {
  for (const bool diagonal : {false, true}) {
    for (const bool merged : {true, false}) {
      SCOPED_TRACE(testing::Message() << diagonal << merged);
      EXPECT_EQ(slide_over(grid(8, diagonal, merged, flat), 1.5F, 6.5F), 6 * 4 * 4 * 200);
    }
  }
}

TEST(ShapeContacts, NoGhostEdgesOnFlatHeightFields) {
  const HeightField field = HeightField::build(9, 9, 1, std::vector<float>(81, 0.0F)).value();
  EXPECT_EQ(slide_over(field, 1.5F, 6.5F), 6 * 4 * 4 * 200);
}

TEST(ShapeContacts, ARidgeIsTouchedBetweenItsFaces) {
  const auto ridge = [](float x) { return -0.5F * std::fabs(x - 4); };
  for (const bool merged : {true, false}) {
    const TriangleMesh mesh = grid(8, false, merged, ridge);
    const Box box{{}, {}, {0.7F, 0.5F, 0.4F}};
    for (int step = 0; step <= 20; ++step) {
      const float x = 3.5F + static_cast<float>(step) / 20;
      std::array<Manifold, kMostManifolds> out;
      const QueryResult found = contacts(mesh, {}, box, at({x, 0.499F, 4.3F}), 0.005F, out);
      ASSERT_EQ(found.found, 1U) << x;
      EXPECT_GT(out[0].normal.y, 0.99999F) << x;
      EXPECT_NEAR(out[0].points[0].distance, -0.001F, 1e-5F);
      // A ball that leans over either side.
      const float side = x - 4;
      const Vec3 centre{x, std::sqrt(0.25F - side * side), 4.3F};
      const bool above_ridge = std::fabs(side) < 0.5F * 0.447F;  // sine of the slope
      const QueryResult ball = contacts(mesh, {}, Sphere{{}, 0.5F}, at(centre), 0.005F, out);
      if (above_ridge) {
        ASSERT_EQ(ball.found, 1U) << x;
        EXPECT_NEAR(out[0].normal.x, side * 2, 1e-4F);
        EXPECT_NEAR(out[0].points[0].distance, 0, 1e-5F);
      }
    }
  }
}

TEST(ShapeContacts, FloorAndWallAreTwoManifolds) {
  const auto step = [](float x) { return x <= 4 ? 0.0F : 5.0F * (x - 4); };  // a steep wall from x = 4
  const TriangleMesh mesh = grid(8, true, true, step);
  std::array<Manifold, kMostManifolds> out;
  const QueryResult found = contacts(mesh, {}, Sphere{{}, 0.5F}, at({3.59F, 0.499F, 4.2F}), 0.01F, out);
  ASSERT_EQ(found.found, 2U);
  std::sort(out.begin(), out.begin() + 2,
            [](const auto& p, const auto& q) { return p.normal.y < q.normal.y; });
  EXPECT_NEAR(out[0].normal.x, -5 / std::sqrt(26.0F), 1e-4F);
  EXPECT_NEAR(out[1].normal.y, 1, 1e-5F);
  EXPECT_EQ(contacts(mesh, {}, Sphere{{}, 0.5F}, at({3.59F, 0.499F, 4.2F}), 0.01F, {}).found, 2U);
}

TEST(ShapeContacts, PartsOfACompoundHaveTheirOwn) {
  const Box leg{{}, {}, {0.1F, 0.5F, 0.1F}};
  const Compound table =
      Compound::build(std::vector<Compound::Part>{
                          {leg, at({-1, 0, 0})}, {leg, at({1, 0, 0})}, {Sphere{{}, 0.1F}, at({0, 3, 0})}})
          .value();
  const Box floor{{}, {}, {10, 1, 10}};
  std::array<Manifold, kMostManifolds> out;
  ASSERT_EQ(contacts(floor, at({0, -1, 0}), table, at({0, 0.499F, 0}), 0, out).found, 2U);
  for (std::uint32_t part = 0; part < 2; ++part) {
    EXPECT_EQ(out[part].part_b, (PartId{part, kNoPart}));
    EXPECT_EQ(out[part].part_a, PartId{});
    EXPECT_EQ(out[part].count, 4U);
    EXPECT_NEAR(out[part].normal.y, 1, 1e-6F);
  }
  for (const std::uint32_t feature : features(out[0])) {
    EXPECT_EQ(features(out[1]).count(feature), 0U);
  }
}

/// Small motions that leave the same features touching.
TEST(ShapeContacts, FeaturesStayUnderSmallMotion) {
  const Solids solids;
  const Shape floor = Box{{}, {}, {3, 1, 2}};
  const Box beam{{}, {}, {0.5F, 0.5F, 4}};
  test::RandomShapes random(5);
  for (const Shape& solid : {solids.all[0].second, solids.all[3].second, solids.all[5].second, Shape(beam)}) {
    const Quat turn = about_y(0.2F);
    const auto base = features(contact(floor, at({}), solid, at({0.1F, 1.499F, 0.2F}, turn), 0.05F));
    ASSERT_GE(base.size(), 2U);
    for (int round = 0; round < 500; ++round) {
      const auto small = [&] { return random.between(-1e-3F, 1e-3F); };
      const Quat tilt = normalized(Quat{small(), small(), small(), 1});
      const Qvvs place = at({0.1F + small(), 1.499F + small(), 0.2F + small()}, tilt * turn);
      // Either of the two faces may be the one that cuts.
      ASSERT_EQ(features(contact(floor, at({}), solid, place, 0.05F)), base) << round;
    }
  }
}

/// Boxes of one size on top of each other: corners lie on the other's corners but for rounding.
TEST(ShapeContacts, FeaturesOfAlignedBoxesStay) {
  const Box cube{{}, {}, {0.5F, 0.5F, 0.5F}};
  test::RandomShapes random(6);
  const auto base = features(contact(cube, at({}), cube, at({0, 0.999F, 0}), 0.01F));
  ASSERT_EQ(base.size(), 4U);
  int same = 0;
  for (int round = 0; round < 200; ++round) {
    const auto small = [&] { return random.between(-1e-5F, 1e-5F); };
    const Quat tilt = normalized(Quat{small(), small(), small(), 1});
    const Manifold manifold = contact(cube, at({}), cube, at({small(), 0.999F, small()}, tilt), 0.01F);
    ASSERT_EQ(manifold.count, 4U);
    same += features(manifold) == base ? 1 : 0;
  }
  EXPECT_GE(same,
            190);  // an edge along a side may cross it in the middle: match_contacts() takes the nearest
}

TEST(ShapeContacts, PointsLieOnBothAndSpanTheArea) {
  const TriangleMesh mesh = grid(8, true, true, flat);
  const Box box{{}, {}, {1.3F, 0.5F, 1.1F}};
  for (int step = 0; step < 50; ++step) {
    const float x = 2.5F + 0.05F * static_cast<float>(step);
    std::array<Manifold, kMostManifolds> out;
    ASSERT_EQ(contacts(mesh, {}, box, at({x, 0.499F, 4.1F}), 0.01F, out).found, 1U);
    ASSERT_EQ(out[0].count, 4U);
    float lo = 100, hi = -100, front = 100, back = -100;
    for (const Manifold::Point& p : out[0].points) {
      lo = std::min(lo, p.point.x);
      hi = std::max(hi, p.point.x);
      front = std::min(front, p.point.z);
      back = std::max(back, p.point.z);
      EXPECT_NEAR(p.point.y, -0.0005F, 1e-5F);
      EXPECT_NEAR(p.distance, -0.001F, 1e-5F);
    }
    EXPECT_GT((hi - lo) * (back - front), 0.99F * 2.6F * 2.2F);  // the whole foot, 30 or more points
  }
}

TEST(ShapeContacts, RefusesWhatHasNoMargin) {
  const TriangleMesh mesh = grid(2, false, true, flat);
  const Box box{{}, {}, {1, 1, 1}};
  for (const float margin : {-1.0F, std::nanf("")}) {
    EXPECT_EQ(contacts(mesh, {}, box, at({1, 0.5F, 1}), margin, {}).found, 0U);
  }
  EXPECT_EQ(contacts(box, {}, box, at({1, 0.5F, 1}), 0, {}).found, 1U);
}

}  // namespace
}  // namespace juxta
