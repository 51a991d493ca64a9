// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Distances of convex shapes that are apart: closed forms, brute force, symmetry, far from the origin.
#include <gtest/gtest.h>

#include "shape/convex.h"
#include "shape/convex_pairs.h"

namespace juxta {
namespace {

using shape_detail::Convex;
using shape_detail::Near;
using shape_detail::V3;
using test::kFar;
using test::Piece;
using test::Pieces;
using test::Solid;
using test::Truth;

Near closest(const Shape& a, const Shape& b) {
  Near near;
  EXPECT_TRUE(closest_convex(shape_detail::convex_of(a, {}), shape_detail::convex_of(b, {}), kFar, near));
  return near;
}

void expect_near(V3 got, V3 want, double off) {
  EXPECT_NEAR(got.x, want.x, off);
  EXPECT_NEAR(got.y, want.y, off);
  EXPECT_NEAR(got.z, want.z, off);
}

TEST(ShapeGjk, ClosedForms) {
  Near near = closest(Sphere{{0, 0, 0}, 1}, Sphere{{0, 3, 4}, 2});
  EXPECT_DOUBLE_EQ(near.distance, 2);
  expect_near(near.normal, {0, 0.6, 0.8}, 1e-15);
  expect_near(near.on_a, {0, 0.6, 0.8}, 1e-15);
  expect_near(near.on_b, {0, 1.8, 2.4}, 1e-15);
  near = closest(Sphere{{5, 2, 0}, 0.5F}, Capsule{{0, 0, 0}, {4, 0, 0}, 1});
  EXPECT_DOUBLE_EQ(near.distance, std::sqrt(5.0) - 1.5);
  near = closest(Capsule{{-1, 0, 0}, {1, 0, 0}, 0.25F}, Capsule{{0, -1, 2}, {0, 1, 2}, 0.25F});
  EXPECT_DOUBLE_EQ(near.distance, 1.5);
  expect_near(near.on_a, {0, 0, 0.25}, 1e-15);
  near = closest(Capsule{{0, 0, 0}, {4, 0, 0}, 0}, Capsule{{1, 1, 0}, {9, 1, 0}, 0});  // parallel
  EXPECT_DOUBLE_EQ(near.distance, 1);
  expect_near(near.normal, {0, 1, 0}, 0);
  near = closest(Box{{0, 0, 0}, {}, {1, 1, 1}}, Box{{3, 0.5F, 0}, {}, {1, 1, 1}});
  EXPECT_DOUBLE_EQ(near.distance, 1);
  expect_near(near.normal, {1, 0, 0}, 1e-15);
  near = closest(Box{{0, 0, 0}, {}, {1, 1, 1}}, Sphere{{4, 5, 1}, 1});
  EXPECT_DOUBLE_EQ(near.distance, 4);
  expect_near(near.on_b, {3.4, 4.2, 1}, 1e-14);
  near = closest(Triangle{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, Triangle{{0, 0, 2}, {1, 0, 2}, {0, 1, 2}});
  EXPECT_DOUBLE_EQ(near.distance, 2);
}

TEST(ShapeGjk, SpheresInOnePlaceHaveADirection) {
  const Near near = closest(Sphere{{1, 2, 3}, 2}, Sphere{{1, 2, 3}, 1});
  EXPECT_DOUBLE_EQ(near.distance, -3);
  EXPECT_DOUBLE_EQ(length(near.normal), 1);
  expect_near(near.on_b, near.on_a + near.normal * -3, 1e-15);
}

/// Whether `p` lies on the surface of a solid, or in it: against its planes, or nearer to its core than the
/// radius.
double outside_by(const Solid& solid, V3 p) {
  Solid point;
  point.points = {p};
  return test::truth_of(solid, point).distance;
}

struct Checked {
  std::uint64_t apart = 0, deep = 0, far = 0;
};

/// All that a pair's answer promises. `off`: of the two sizes.
void check(const Piece& a, const Piece& b, V3 origin, double off, Checked& count) {
  const Solid sa = a.solid(origin), sb = b.solid(origin);
  const Truth truth = test::truth_of(sa, sb);
  const double size = sa.size + sb.size + std::abs(truth.distance), tiny = off * size;
  Near near;
  ASSERT_TRUE(closest_convex(a.convex(origin), b.convex(origin), kFar, near));
  ASSERT_NEAR(near.distance, truth.distance, tiny);
  ASSERT_NEAR(length(near.normal), 1, 1e-12);
  const V3 across = near.on_b - near.on_a - near.normal * near.distance;
  ASSERT_LE(length(across), 1e-12 * size);
  ASSERT_LE(outside_by(sa, near.on_a), tiny);
  ASSERT_LE(outside_by(sb, near.on_b), tiny);
  // The plane between: all of a on one side, all of b on the other, `distance` apart.
  ASSERT_GE(test::oracle::gap(sa, sb, near.normal) - sa.radius - sb.radius, near.distance - tiny);
  Near back;
  ASSERT_TRUE(closest_convex(b.convex(origin), a.convex(origin), kFar, back));
  ASSERT_NEAR(back.distance, near.distance, tiny);
  // A limit: found exactly when it is not farther, else a lower bound above the limit.
  const double most = truth.distance / 2;
  if (truth.distance > 2 * tiny) {
    Near limited;
    ASSERT_FALSE(closest_convex(a.convex(origin), b.convex(origin), most, limited));
    ASSERT_GT(limited.distance, most);
    ASSERT_LE(limited.distance, truth.distance + tiny);
    ++count.far;
  }
  ++(truth.distance > 0 ? count.apart : count.deep);
}

TEST(ShapeGjk, EveryPairOfKindsAsBruteForce) {
  Pieces pieces(7);
  Checked count;
  for (std::uint32_t round = 0; round < 60'000; ++round) {
    const std::uint32_t kind = round % (test::kPieces * test::kPieces);
    Piece a = pieces.piece(kind / test::kPieces), b = pieces.piece(kind % test::kPieces);
    b.at.position = pieces.inside() * pieces.between(0, 4);
    SCOPED_TRACE(testing::Message() << "round " << round << " kinds " << kind);
    check(a, b, {}, 1e-8, count);
    if (HasFatalFailure()) {
      return;
    }
  }
  EXPECT_GT(count.apart, 30'000u);
  EXPECT_GT(count.deep, 8'000u);
  EXPECT_GT(count.far, 30'000u);
}

}  // namespace
}  // namespace juxta
