// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Casts by a ray against the difference of two cores: beside those by distances, on every instruction set.
#include "shape/cast_core.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

#include "shape/convex_pairs.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

using shape_detail::Ahead;
using shape_detail::cast_by_distance;
using shape_detail::cast_by_ray;
using shape_detail::core_of;
using shape_detail::Touch;
using shape_detail::V3;
using shape_detail::Verdict;
using test::Piece;
using test::Pieces;
using test::Solid;

struct Cast {
  Piece a, b;
  V3 way;

  Verdict by_ray(Touch& touch) const {
    const Ahead ahead(way);
    return cast_by_ray(core_of(a.convex({}), ahead), core_of(b.convex({}), ahead), ahead, 1, touch);
  }
};

Cast random_cast(Pieces& pieces, std::uint32_t round) {
  const std::uint32_t kind = round % (test::kPieces * test::kPieces);
  Cast cast;
  cast.a = pieces.piece(kind / test::kPieces);
  cast.b = pieces.piece(kind % test::kPieces);
  cast.a.at.position = pieces.inside() * pieces.between(0, 6);
  const V3 off = V3(pieces.inside());
  cast.way = off - V3(cast.a.at.position) * static_cast<double>(pieces.between(0, 2));
  return cast;
}

TEST(ShapeCastRay, TheFarthestVertexIsThatOfAPlainLoop) {
  test::for_each_isa([](Isa) {
    Pieces pieces(3);
    for (std::uint32_t round = 0; round < 2'000; ++round) {
      // Half of them on a grid, where many are as far.
      std::vector<Vec3> points(1 + pieces.draws().below(70));
      const bool grid = round % 2 == 0;
      for (Vec3& p : points) {
        p = pieces.inside();
        p = grid ? Vec3{std::round(p.x), std::round(p.y), std::round(p.z)} : p;
      }
      V3 way(pieces.inside());
      way = round % 3 == 0 ? V3(0, 0, std::copysign(1.0, way.x)) : round % 7 == 0 ? V3() : way;
      std::uint32_t want = 0;
      for (std::uint32_t i = 1; i < points.size(); ++i) {
        want = dot(V3(points[i]), way) > dot(V3(points[want]), way) ? i : want;
      }
      const std::vector<double> columns = test::columns_of(points);
      ASSERT_EQ(shape_detail::farthest_of_columns(columns.data(), points.size(), way), want) << round;
    }
  });
}

struct Answer {
  Verdict verdict;
  Touch touch;
};

TEST(ShapeCastRay, TheSameBitsOnEveryInstructionSet) {
  std::vector<Answer> first;
  test::for_each_isa([&](Isa) {
    Pieces pieces(4);
    std::vector<Answer> answers;
    for (std::uint32_t round = 0; round < 5'000; ++round) {
      const Cast cast = random_cast(pieces, round);
      Answer& answer = answers.emplace_back();
      answer.verdict = cast.by_ray(answer.touch);
    }
    if (first.empty()) {
      first = answers;
    }
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const Touch &got = answers[i].touch, &want = first[i].touch;
      ASSERT_EQ(answers[i].verdict, first[i].verdict) << i;
      for (const auto& [x, y] :
           {std::pair(got.t, want.t), std::pair(got.point.x, want.point.x),
            std::pair(got.point.y, want.point.y), std::pair(got.point.z, want.point.z),
            std::pair(got.normal.x, want.normal.x), std::pair(got.normal.y, want.normal.y),
            std::pair(got.normal.z, want.normal.z)}) {
        ASSERT_EQ(x, y) << i;
      }
    }
  });
}

struct Count {
  std::uint32_t hit = 0, miss = 0, unsure = 0;
};

void compare(const Cast& cast, double off, Count& count) {
  const Solid a = cast.a.solid({}), b = cast.b.solid({});
  const double tiny = off * (a.size + b.size + length(cast.way));
  Touch by_ray, by_distance;
  const Verdict verdict = cast.by_ray(by_ray);
  const bool hit = cast_by_distance(cast.a.convex({}), cast.way, cast.b.convex({}), 1, by_distance);
  if (verdict == Verdict::kUnsure) {
    count.unsure += by_distance.t > 0 ? 1U : 0U;
    ASSERT_EQ(by_ray.t, test::kFar);
    return;
  }
  if (verdict == Verdict::kMiss) {
    ASSERT_EQ(by_ray.t, test::kFar);
    ASSERT_TRUE(!hit || test::least_distance(a, cast.way, b) >= -tiny);
    ++count.miss;
    return;
  }
  ASSERT_TRUE(hit);
  ASSERT_GT(by_ray.t, 0);
  // Neither is late. Which of two planes they name where both fit is theirs.
  ASSERT_NEAR(test::truth_of(a.moved(cast.way * by_ray.t), b).distance, 0, tiny);
  ASSERT_GE(test::oracle::gap(b, a.moved(cast.way * by_ray.t), by_ray.normal) - a.radius - b.radius, -tiny);
  ASSERT_GE(test::oracle::gap(b, a, by_ray.normal) - a.radius - b.radius, 0);
  ++count.hit;
}

TEST(ShapeCastRay, DecidesWhatDistancesDecide) {
  Pieces pieces(5);
  Count count;
  for (std::uint32_t round = 0; round < 8'000; ++round) {
    const Cast cast = random_cast(pieces, round);
    SCOPED_TRACE(testing::Message() << "round " << round);
    compare(cast, 3e-8, count);
    if (HasFatalFailure()) {
      return;
    }
  }
  EXPECT_GT(count.hit, 2'000u);
  EXPECT_GT(count.miss, 1'500u);
  EXPECT_LT(count.unsure, 600u);
}

TEST(ShapeCastRay, IsUnsureOnlyWhereSolidsTouchAtTheStartOrGraze) {
  Pieces pieces(6);
  Count count;
  std::uint32_t apart = 0;
  for (std::uint32_t round = 0; round < 20'000; ++round) {
    Cast cast = random_cast(pieces, round);
    cast.a = pieces.piece(round % 2 == 0 ? 4 : 8);
    cast.b = pieces.piece(std::array{1U, 3U, 4U, 8U}[round / 2 % 4]);
    cast.a.at.position = pieces.inside() * 6;
    cast.way = V3(pieces.inside()) - V3(cast.a.at.position) * 1.5;
    const Solid a = cast.a.solid({}), b = cast.b.solid({});
    if (test::truth_of(a, b).distance <= 1e-3) {
      continue;
    }
    ++apart;
    compare(cast, 3e-8, count);
    ASSERT_FALSE(HasFatalFailure()) << round;
  }
  EXPECT_GT(apart, 10'000u);
  EXPECT_GT(count.hit, 2'000u);
  EXPECT_LT(count.unsure, apart / 100);
}

TEST(ShapeCastRay, LeavesTheStartAndNoWayToDistances) {
  Pieces pieces(7);
  Cast cast;
  cast.a = pieces.piece(4);
  cast.b = pieces.piece(4);
  Touch touch;
  cast.way = V3(1, 2, 3);
  EXPECT_EQ(cast.by_ray(touch), Verdict::kUnsure);  // one in the other
  cast.a.at.position = {9, 0, 0};
  cast.way = V3();
  EXPECT_EQ(cast.by_ray(touch), Verdict::kUnsure);
  EXPECT_EQ(touch.t, test::kFar);
  cast.a = pieces.piece(8);
  cast.a.columns.clear();
  cast.way = V3(-1, 0, 0);
  EXPECT_EQ(cast.by_ray(touch), Verdict::kUnsure);
}

}  // namespace
}  // namespace juxta
