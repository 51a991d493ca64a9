// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Depths of convex shapes that overlap: closed forms, brute force, what is flat, what lies on a grid.
#include <gtest/gtest.h>

#include <vector>

#include "shape/convex.h"
#include "shape/convex_pairs.h"

namespace juxta {
namespace {

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

TEST(ShapeEpa, ClosedForms) {
  const Box box{{0, 0, 0}, {}, {1, 2, 3}};
  Near near = closest(box, Box{{1.5F, 0.5F, -1}, {}, {1, 1, 1}});
  EXPECT_NEAR(near.distance, -0.5, 1e-12);
  EXPECT_NEAR(near.normal.x, 1, 1e-12);
  EXPECT_NEAR(near.on_a.x, 1, 1e-12);
  EXPECT_NEAR(near.on_b.x, 0.5, 1e-12);
  near = closest(box, Sphere{{0.75F, 0, 0}, 0.5F});
  EXPECT_NEAR(near.distance, -0.75, 1e-12);
  EXPECT_NEAR(near.normal.x, 1, 1e-12);
  near = closest(box, box);  // one in the other
  EXPECT_NEAR(near.distance, -2, 1e-12);
  near = closest(box, Capsule{{-5, 1, 0}, {5, 1, 0}, 0.25F});  // through and through
  EXPECT_NEAR(near.distance, -1.25, 1e-12);
  EXPECT_NEAR(near.normal.y, 1, 1e-12);
}

TEST(ShapeEpa, FlatDifferencesHaveDepthZeroAlongTheirNormal) {
  const Triangle t{{0, 0, 1}, {4, 0, 1}, {0, 4, 1}};
  for (const Shape& other :
       {Shape(Triangle{{1, 1, 1}, {5, 1, 1}, {1, 5, 1}}), Shape(t), Shape(Capsule{{1, 1, 1}, {2, 2, 1}, 0}),
        Shape(Sphere{{1, 1, 1}, 0}), Shape(Box{{1, 1, 1}, {}, {1, 1, 0}})}) {
    const Near near = closest(t, other);
    EXPECT_NEAR(near.distance, 0, 1e-12);
    EXPECT_NEAR(std::abs(near.normal.z), 1, 1e-12);
    EXPECT_NEAR(near.on_a.z, 1, 1e-12);
  }
  const Near crossed = closest(Capsule{{-1, 0, 0}, {1, 0, 0}, 0.5F}, Capsule{{0, -1, 0}, {0, 1, 0}, 0.25F});
  EXPECT_NEAR(crossed.distance, -0.75, 1e-12);
  EXPECT_NEAR(std::abs(crossed.normal.z), 1, 1e-12);
  EXPECT_NEAR(std::abs((crossed.on_a + crossed.on_b).z), 0.25, 1e-12);
  const Near along = closest(Capsule{{0, 0, 0}, {3, 0, 0}, 0.5F}, Capsule{{1, 0, 0}, {5, 0, 0}, 0.5F});
  EXPECT_NEAR(along.distance, -1, 1e-12);
  EXPECT_NEAR(along.normal.x, 0, 1e-12);
  EXPECT_NEAR(length(along.normal), 1, 1e-12);
}

void check(const Piece& a, const Piece& b, double off, std::uint64_t& deep) {
  const Solid sa = a.solid({}), sb = b.solid({});
  const Truth truth = test::truth_of(sa, sb);
  const double size = sa.size + sb.size + std::abs(truth.distance), tiny = off * size;
  Near near;
  ASSERT_TRUE(closest_convex(a.convex({}), b.convex({}), kFar, near));
  ASSERT_NEAR(near.distance, truth.distance, tiny);
  if (size > 0) {
    ASSERT_NEAR(length(near.normal), 1, 1e-9);
  }
  ASSERT_GE(test::oracle::gap(sa, sb, near.normal) - sa.radius - sb.radius, near.distance - tiny);
  for (const auto& [solid, p] : {std::pair(&sa, near.on_a), std::pair(&sb, near.on_b)}) {
    Solid point;
    point.points = {p};
    ASSERT_LE(test::truth_of(*solid, point).distance, tiny);
  }
  deep += truth.core <= 0 ? 1 : 0;
}

TEST(ShapeEpa, EveryPairOfKindsAsBruteForceWhenDeep) {
  Pieces pieces(11);
  std::uint64_t deep = 0;
  for (std::uint32_t round = 0; round < 40'000; ++round) {
    const std::uint32_t kind = round % (test::kPieces * test::kPieces);
    Piece a = pieces.piece(kind / test::kPieces), b = pieces.piece(kind % test::kPieces);
    b.at.position = pieces.inside() * pieces.between(0, 0.7F);
    SCOPED_TRACE(testing::Message() << "round " << round << " kinds " << kind);
    check(a, b, 1e-8, deep);
    if (HasFatalFailure()) {
      return;
    }
  }
  EXPECT_GT(deep, 10'000u);
}

// Whole coordinates: faces in one plane, edges on edges, corners on corners, doubled points.
TEST(ShapeEpa, ShapesOnAGridAsBruteForce) {
  Pieces pieces(12);
  const auto whole = [&] {
    const auto one = [&] { return static_cast<float>(pieces.draws().below(3)) - 1; };
    return Vec3{one(), one(), one()};
  };
  std::uint64_t deep = 0;
  for (std::uint32_t round = 0; round < 60'000; ++round) {
    Piece two[2];
    for (Piece& piece : two) {
      const Vec3 p = whole(), q = whole();
      switch (pieces.draws().below(5)) {
        case 0:
          piece.shape = Sphere{p, static_cast<float>(pieces.draws().below(2))};
          break;
        case 1:
          piece.shape = Capsule{p, q, static_cast<float>(pieces.draws().below(2))};
          break;
        case 2:
          piece.shape = Box{p, {}, {std::abs(q.x), std::abs(q.y), std::abs(q.z)}};
          break;
        case 3:
          piece.shape = Triangle{p, q, whole()};
          break;
        default:
          piece.cloud = {p, q, whole(), whole(), whole(), whole(), whole()};
      }
    }
    SCOPED_TRACE(testing::Message() << "round " << round);
    check(two[0], two[1], 1e-8, deep);
    if (HasFatalFailure()) {
      return;
    }
  }
  EXPECT_GT(deep, 10'000u);
}

TEST(ShapeEpa, SizesFarApart) {
  Pieces pieces(13);
  std::uint64_t deep = 0;
  for (std::uint32_t round = 0; round < 40'000; ++round) {
    const std::uint32_t kind = round % (test::kPieces * test::kPieces);
    Piece a = pieces.piece(kind / test::kPieces), b = pieces.piece(kind % test::kPieces);
    b.at.position = pieces.inside() * pieces.between(0, 1);
    constexpr float kScales[5] = {1e-6F, 1e-3F, 1, 1e3F, 1e6F};
    a.at.scale *= kScales[pieces.draws().below(5)];
    b.at.scale *= kScales[pieces.draws().below(5)];
    b.at.position = b.at.position * a.at.scale;
    SCOPED_TRACE(testing::Message() << "round " << round << " kinds " << kind << " scales " << a.at.scale
                                    << " " << b.at.scale);
    check(a, b, 1e-6, deep);
    if (HasFatalFailure()) {
      return;
    }
  }
  EXPECT_GT(deep, 5'000u);
}

}  // namespace
}  // namespace juxta
