// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Contacts of convex shapes: what they are on faces, edges and corners, and what holds for any pair.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "shape/convex_pairs.h"

namespace juxta {
namespace {

using shape_detail::Near;
using shape_detail::V3;
using test::Piece;
using test::Pieces;
using test::Solid;

Qvvs at(Vec3 position, Quat rotation = {}) {
  Qvvs place;
  place.position = position;
  place.rotation = rotation;
  return place;
}
constexpr Quat kEighthAboutY{0, 0.38268343F, 0, 0.92387953F};
const Box kCube{{}, {}, {1, 1, 1}};

/// The corners of a manifold, in order of (x, z).
std::vector<std::pair<float, float>> places(const Manifold& manifold) {
  std::vector<std::pair<float, float>> out;
  for (std::uint32_t i = 0; i < manifold.count; ++i) {
    out.emplace_back(manifold.points[i].point.x, manifold.points[i].point.z);
  }
  std::sort(out.begin(), out.end());
  return out;
}

void expect_places(const Manifold& manifold, const std::vector<std::pair<float, float>>& want) {
  const auto got = places(manifold);
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(got[i].first, want[i].first, 1e-5F) << i;
    EXPECT_NEAR(got[i].second, want[i].second, 1e-5F) << i;
  }
}

/// All points at one depth and one height.
void expect_level(const Manifold& manifold, float distance, float y) {
  EXPECT_NEAR(manifold.normal.y, 1, 1e-6F);
  for (std::uint32_t i = 0; i < manifold.count; ++i) {
    EXPECT_NEAR(manifold.points[i].distance, distance, 1e-6F);
    EXPECT_NEAR(manifold.points[i].point.y, y, 1e-6F);
  }
}

TEST(ShapeContact, FaceOnFaceIsWhatTheyShare) {
  // Half beside each other, sunk in by 0.25; then as far apart, which a margin sees.
  for (const float gap : {-0.25F, 0.25F}) {
    const Manifold manifold = contact(kCube, at({}), kCube, at({1, 2 + gap, 0.5F}), 0.25F);
    expect_level(manifold, gap, 1 + gap / 2);
    expect_places(manifold, {{0, -0.5F}, {0, 1}, {1, -0.5F}, {1, 1}});
  }
  EXPECT_EQ(contact(kCube, at({}), kCube, at({1, 2.25F, 0.5F}), 0.2F).count, 0u);
}

TEST(ShapeContact, OfEightCornersFourSpanTheMost) {
  const Manifold manifold = contact(kCube, at({}), kCube, at({0, 1.75F, 0}, kEighthAboutY));
  ASSERT_EQ(manifold.count, 4u);
  expect_level(manifold, -0.25F, 0.875F);
  // An octagon with corners (1, 0.414): the best four are a rectangle; a square of four neighbours' spans
  // less.
  float width = 0, depth = 0;
  const auto corners = places(manifold);
  for (const auto& [x, z] : corners) {
    width = std::max(width, std::abs(x));
    depth = std::max(depth, std::abs(z));
    EXPECT_NEAR(x * x + z * z, 1.1715729F, 1e-4F);
  }
  EXPECT_NEAR(std::max(width, depth), 1, 1e-5F);
  EXPECT_GT(corners[3].first - corners[0].first, 1.4F);
}

TEST(ShapeContact, EdgesAndCornersOnAFace) {
  const Box floor{{}, {}, {10, 1, 10}};
  constexpr Quat kEighthAboutX{0.38268343F, 0, 0, 0.92387953F};
  const float high = std::sqrt(2.0F);
  const Manifold edge = contact(floor, at({}), kCube, at({3, 1 + high - 0.125F, 2}, kEighthAboutX));
  expect_level(edge, -0.125F, 0.9375F);
  expect_places(edge, {{2, 2}, {4, 2}});
  const Manifold triangle = contact(floor, at({}), Triangle{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, at({0, 1, 0}));
  expect_level(triangle, 0, 1);
  expect_places(triangle, {{0, 0}, {0, 1}, {1, 0}});
}

TEST(ShapeContact, RoundShapes) {
  const Box floor{{}, {}, {10, 1, 10}};
  const Manifold ball = contact(floor, at({}), Sphere{{}, 1}, at({2, 1.75F, 3}));
  ASSERT_EQ(ball.count, 1u);
  expect_level(ball, -0.25F, 0.875F);
  expect_places(ball, {{2, 3}});
  const Capsule rod{{-1, 0, 0}, {1, 0, 0}, 0.5F};
  const Manifold lies = contact(floor, at({}), rod, at({9.5F, 1.25F, 0}));
  ASSERT_EQ(lies.count, 2u);  // cut at the floor's side
  expect_level(lies, -0.25F, 0.875F);
  expect_places(lies, {{8.5F, 0}, {10, 0}});
  const Manifold beside = contact(rod, at({}), rod, at({0.5F, 0.75F, 0}));
  ASSERT_EQ(beside.count, 2u);
  expect_level(beside, -0.25F, 0.375F);
  expect_places(beside, {{-0.5F, 0}, {1, 0}});
  EXPECT_EQ(contact(rod, at({}), rod, at({0, 0.75F, 0}, kEighthAboutY)).count, 1u);
  EXPECT_EQ(contact(rod, at({}), rod, at({2.5F, 0, 0})).count, 1u);  // end to end
}

// Also of shapes that overlap by far: no margin is none, as for contacts().
TEST(ShapeContact, AMarginBelowZeroOrNaNFindsNothing) {
  const Shape a(Box{{}, {}, {1, 1, 1}}), b(Sphere{{0, 1, 0}, 1});
  EXPECT_EQ(contact(a, {}, b, {}, 0).count, 1U);
  EXPECT_EQ(contact(a, {}, b, {}, -0.0F).count, 1U);
  for (const float margin : {-1e-30F, -0.25F, -std::numeric_limits<float>::infinity(), std::nanf("")}) {
    const Manifold none = contact(a, {}, b, {}, margin);
    EXPECT_EQ(none.count, 0U) << margin;
    EXPECT_EQ(none.normal, (Vec3{})) << margin;
    std::vector<Manifold> out(1);
    EXPECT_EQ(contacts(a, {}, b, {}, margin, out).found, 0U) << margin;
  }
}

TEST(ShapeContact, HullsAreTheirFaces) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) {
    corners.push_back(
        {(i & 1) != 0 ? 1.0F : -1.0F, (i & 2) != 0 ? 1.0F : -1.0F, (i & 4) != 0 ? 1.0F : -1.0F});
  }
  const ConvexHull cube = ConvexHull::build(corners).value();
  const ConvexHull sheet =
      ConvexHull::build(std::vector<Vec3>{{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}}).value();
  Qvvs placed = at({1, 1.75F, 0.5F});
  placed.stretch = {1, 0.5F, 1};
  const Manifold manifold = contact(kCube, at({}), cube, at({1, 1.75F, 0.5F}));
  expect_level(manifold, -0.25F, 0.875F);
  expect_places(manifold, {{0, -0.5F}, {0, 1}, {1, -0.5F}, {1, 1}});
  const Manifold stretched = contact(cube, at({}), cube, placed, 0.5F);
  expect_level(stretched, 0.25F, 1.125F);
  expect_places(stretched, {{0, -0.5F}, {0, 1}, {1, -0.5F}, {1, 1}});
  const Manifold flat = contact(cube, at({}), sheet, at({1, 1.125F, 0.5F}), 0.25F);
  expect_level(flat, 0.125F, 1.0625F);
  expect_places(flat, {{0, -0.5F}, {0, 1}, {1, -0.5F}, {1, 1}});
}

/// What holds for any pair: the deepest is the pair's distance, all lie between the two surfaces.
void check(const Piece& a, const Piece& b, float margin, std::uint64_t (&counts)[5]) {
  const Manifold manifold = contact(a.shape, a.at, b.shape, b.at, margin);
  ASSERT_LE(manifold.count, 4u);
  ++counts[manifold.count];
  const V3 origin(a.at.position);
  Near near;
  if (!closest_convex(a.convex(origin), b.convex(origin), static_cast<double>(margin), near)) {
    ASSERT_EQ(manifold.count, 0u);
    return;
  }
  const Solid sa = a.solid(origin), sb = b.solid(origin);
  const double size = sa.size + sb.size + std::abs(near.distance), tiny = 2e-6 * size;
  const V3 normal(manifold.normal);
  ASSERT_GE(manifold.count, 1u);
  ASSERT_NEAR(static_cast<double>(manifold.points[0].distance), near.distance, tiny);
  ASSERT_NEAR(dot(normal, near.normal), 1, 1e-6);
  for (std::uint32_t i = 0; i < manifold.count; ++i) {
    const Manifold::Point& p = manifold.points[i];
    ASSERT_LE(p.distance, margin);
    ASSERT_GE(p.distance, i == 0 ? p.distance : manifold.points[i - 1].distance);
    // Half its distance each way are the two surfaces; a face may be turned by 6 degrees.
    const double distance = static_cast<double>(p.distance);
    const double slack = 0.12 * (std::abs(distance) + sa.radius + sb.radius) + 1e-5 * size;
    Solid point;
    point.points = {V3(p.point) - origin - normal * (distance / 2)};
    ASSERT_LE(test::truth_of(sa, point).distance, slack);
    point.points = {V3(p.point) - origin + normal * (distance / 2)};
    ASSERT_LE(test::truth_of(sb, point).distance, slack);
  }
  const Manifold back = contact(b.shape, b.at, a.shape, a.at, margin);
  ASSERT_NEAR(back.points[0].distance, manifold.points[0].distance, static_cast<float>(tiny));
}

TEST(ShapeContact, EveryPairOfKindsHereAndAKilometreAway) {
  Pieces pieces(19);
  std::uint64_t counts[5] = {};
  constexpr std::uint32_t kKinds = 8;  // all but the hulls made of points
  for (std::uint32_t round = 0; round < 30'000; ++round) {
    const std::uint32_t kind = round % (kKinds * kKinds);
    Piece a = pieces.piece(kind / kKinds), b = pieces.piece(kind % kKinds);
    const Vec3 there = round % 2 == 0 ? Vec3{} : Vec3{1000, -750, 500};
    b.at.rotation = round % 3 == 0 ? a.at.rotation : b.at.rotation;  // side by side
    a.at.position = there;
    b.at.position = there + pieces.inside() * pieces.between(0, 3);
    // Positions a kilometre away are rounded to 6e-5 when they are written down.
    SCOPED_TRACE(testing::Message() << "round " << round << " kinds " << kind);
    if (round % 2 == 0) {
      check(a, b, pieces.between(0, 0.5F), counts);
    } else {
      Piece near_a = a, near_b = b;
      near_b.at.position = b.at.position - a.at.position;
      near_a.at.position = {};
      const Manifold far = contact(a.shape, a.at, b.shape, b.at, 0.25F);
      const Manifold here = contact(near_a.shape, near_a.at, near_b.shape, near_b.at, 0.25F);
      ASSERT_EQ(far.count, here.count);
      ASSERT_EQ(far.normal, here.normal);
      for (std::uint32_t i = 0; i < far.count; ++i) {
        ASSERT_EQ(far.points[i].distance, here.points[i].distance);
      }
    }
    if (HasFatalFailure()) {
      return;
    }
  }
  for (const std::uint64_t count : counts) {
    EXPECT_GT(count, 100u);
  }
}

}  // namespace
}  // namespace juxta
