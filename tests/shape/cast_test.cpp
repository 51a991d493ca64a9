// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Convex shapes that move along a line: closed forms, brute force, grazing, starts that touch.
#include <gtest/gtest.h>

#include <vector>

#include "juxta/shape/parts.h"
#include "shape/convex.h"
#include "shape/convex_pairs.h"

namespace juxta {
namespace {

using shape_detail::Touch;
using shape_detail::V3;
using test::kFar;
using test::Piece;
using test::Pieces;
using test::Solid;
using test::Truth;

Touch cast(const Shape& a, V3 way, const Shape& b, double most = 1) {
  Touch touch;
  const bool hit =
      cast_convex(shape_detail::convex_of(a, {}), way, shape_detail::convex_of(b, {}), most, touch);
  EXPECT_EQ(hit, touch.t <= most);
  return touch;
}

void expect_near(V3 got, V3 want, double off) {
  EXPECT_NEAR(got.x, want.x, off);
  EXPECT_NEAR(got.y, want.y, off);
  EXPECT_NEAR(got.z, want.z, off);
}

TEST(ShapeCast, ClosedForms) {
  const Sphere ball{{0, 0, 0}, 1};
  Touch touch = cast(ball, {10, 0, 0}, Sphere{{7, 0, 0}, 1});
  EXPECT_NEAR(touch.t, 0.5, 1e-12);
  expect_near(touch.point, {6, 0, 0}, 1e-10);
  expect_near(touch.normal, {-1, 0, 0}, 1e-12);
  // Off the middle by 1.2 of 2: the centres are 1.6 apart along the way.
  touch = cast(ball, {10, 0, 0}, Sphere{{6.6F, 1.2F, 0}, 1});
  EXPECT_NEAR(touch.t, 0.5, 1e-7);
  expect_near(touch.normal, {-0.8, -0.6, 0}, 1e-6);
  const Box wall{{5, 0, 0}, {}, {1, 10, 10}};
  touch = cast(ball, {10, 3, 1}, wall);
  EXPECT_NEAR(touch.t, 0.3, 1e-12);
  expect_near(touch.normal, {-1, 0, 0}, 1e-12);
  expect_near(touch.point, {4, 0.9, 0.3}, 1e-10);
  touch = cast(Box{{0, 0, 0}, {}, {1, 1, 1}}, {10, 3, 1}, wall);
  EXPECT_NEAR(touch.t, 0.3, 1e-11);
  expect_near(touch.normal, {-1, 0, 0}, 1e-9);
  touch = cast(Capsule{{0, -1, 0}, {0, 1, 0}, 0.5F}, {0, 0, 8}, Triangle{{-5, -5, 4}, {5, -5, 4}, {0, 5, 4}});
  EXPECT_NEAR(touch.t, 3.5 / 8, 1e-12);
  touch = cast(Sphere{{0, 0, 0}, 0}, {4, 0, 0}, Sphere{{2, 0, 0}, 0});  // a point into a point
  EXPECT_NEAR(touch.t, 0.5, 1e-12);
  expect_near(touch.normal, {-1, 0, 0}, 1e-12);
}

// Corner before corner, and all but touching: then a face slides over a face until they meet.
TEST(ShapeCast, TheNormalIsThatOfTheContactHoweverNearTheyStart) {
  constexpr float kGap = 1.2e-8F;
  std::vector<Vec3> points;
  for (const float x : {kGap, 1.0F}) {
    for (const float y : {kGap, 1.0F}) {
      points.push_back({x, y, -0.5F});
      points.push_back({x, y, 0.5F});
    }
  }
  const ConvexHull hull = ConvexHull::build(points).value();
  const Box still{{-0.5F, -0.5F, 0}, {}, {0.5F, 0.5F, 0.5F}};
  const Touch touch = cast(Shape(hull), {-0.1, -static_cast<double>(kGap), 0}, still);
  EXPECT_LE(touch.t, 1);
  expect_near(touch.normal, {0, 1, 0}, 1e-5);
}

TEST(ShapeCast, StartsWaysAndLimits) {
  const Sphere ball{{0, 0, 0}, 1};
  const Box wall{{3, 0, 0}, {}, {1, 5, 5}};
  EXPECT_EQ(cast(ball, {-5, 0, 0}, wall).t, kFar);  // away from it
  EXPECT_EQ(cast(ball, {0, 5, 0}, wall).t, kFar);   // along it
  EXPECT_EQ(cast(ball, {0.9, 0, 0}, wall).t, kFar);
  EXPECT_EQ(cast(ball, {2, 0, 0}, wall, 0.45).t, kFar);
  EXPECT_NEAR(cast(ball, {2, 0, 0}, wall, 0.55).t, 0.5, 1e-11);
  EXPECT_EQ(cast(ball, {0, 0, 0}, wall).t, kFar);  // no way at all
  const Sphere inside{{1.75F, 0, 0}, 1};
  for (const V3 way : {V3(0, 0, 0), V3(-9, 0, 0), V3(9, 1, 0)}) {
    const Touch touch = cast(inside, way, wall);
    EXPECT_EQ(touch.t, 0);
    expect_near(touch.normal, {-1, 0, 0}, 1e-9);
    EXPECT_NEAR(touch.distance, -0.75, 1e-9);
  }
  EXPECT_EQ(cast(Sphere{{1, 0, 0}, 1}, {-1, 0, 0}, wall).t, 0);  // touching is overlapping
}

TEST(ShapeCast, GrazingBallsAreFoundAsLongAsTheyTouch) {
  for (const float off : {1.9F, 1.99F, 1.9999F, 1.999999F, 2.000001F, 2.0001F, 2.01F}) {
    const Touch touch = cast(Sphere{{0, 0, 0}, 1}, {100, 0, 0}, Sphere{{50, off, 0}, 1});
    const double d = static_cast<double>(off), squared = 4 - d * d;
    if (squared < 0) {
      EXPECT_EQ(touch.t, kFar) << off;
      continue;
    }
    const double truth = (50 - std::sqrt(squared)) / 100;
    EXPECT_NEAR(touch.t, truth, 1e-7) << off;
    EXPECT_LE(touch.t, truth + 1e-13) << off;
  }
}

struct Count {
  std::uint64_t start = 0, hit = 0, miss = 0;
};

void check(const Piece& a, const Piece& b, V3 way, double off, Count& count) {
  const Solid sa = a.solid({}), sb = b.solid({});
  const double size = sa.size + sb.size, tiny = off * (size + length(way));
  Touch touch;
  const bool hit = cast_convex(a.convex({}), way, b.convex({}), 1, touch);
  if (!hit) {
    ASSERT_EQ(touch.t, kFar);
    ASSERT_GE(test::least_distance(sa, way, sb), -tiny);
    ++count.miss;
    return;
  }
  const Truth then = test::truth_of(sa.moved(way * touch.t), sb);
  ASSERT_NEAR(length(touch.normal), 1, 1e-9);
  if (touch.t == 0) {
    ASSERT_LE(then.distance, tiny);
    ASSERT_GE(test::oracle::gap(sa, sb, -touch.normal) - sa.radius - sb.radius, then.distance - tiny);
    ++count.start;
    return;
  }
  // Neither early nor late: there is no gap left, and a plane stands between them.
  ASSERT_NEAR(then.distance, 0, tiny);
  ASSERT_GE(test::oracle::gap(sa.moved(way * touch.t), sb, -touch.normal) - sa.radius - sb.radius, -tiny);
  ASSERT_LE(dot(touch.normal, way), 0);
  Solid point;
  point.points = {touch.point};
  ASSERT_LE(test::truth_of(sb, point).distance, tiny);
  ASSERT_LE(test::truth_of(sa.moved(way * touch.t), point).distance, tiny);
  Touch limited;
  ASSERT_FALSE(cast_convex(a.convex({}), way, b.convex({}), touch.t * 0.999 - 1e-6, limited));
  ++count.hit;
}

TEST(ShapeCast, EveryPairOfKindsAsBruteForce) {
  Pieces pieces(17);
  Count count;
  for (std::uint32_t round = 0; round < 8'000; ++round) {
    const std::uint32_t kind = round % (test::kPieces * test::kPieces);
    Piece a = pieces.piece(kind / test::kPieces), b = pieces.piece(kind % test::kPieces);
    a.at.position = pieces.inside() * pieces.between(0, 6);
    const V3 way = V3(pieces.inside()) - V3(a.at.position) * static_cast<double>(pieces.between(0, 2));
    SCOPED_TRACE(testing::Message() << "round " << round << " kinds " << kind);
    check(a, b, way, 3e-8, count);
    if (HasFatalFailure()) {
      return;
    }
  }
  EXPECT_GT(count.start, 500u);
  EXPECT_GT(count.hit, 2'000u);
  EXPECT_GT(count.miss, 1'000u);
}

}  // namespace
}  // namespace juxta
