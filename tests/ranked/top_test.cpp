// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// top() and count() against brute force: every hard point set and query family, every instruction set, many
// k.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ranked/brute.h"
#include "scenes/contest.h"
#include "scenes/hard_points.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

using test::as_double;
using test::BruteForce;
using test::top_of;

constexpr double kInf = std::numeric_limits<double>::infinity();

class HardSets : public testing::TestWithParam<scenes::HardSet> {};

TEST_P(HardSets, AnswersEqualBruteForce) {
  for (const std::size_t n : {33u, 700u, 30'000u}) {
    const scenes::HardPoints set = scenes::make_hard_points(GetParam(), n, n);
    const BruteForce brute(set.x, set.y, set.rank);
    const auto points = RankedPoints::build(set.x, set.y, set.rank);
    ASSERT_TRUE(points) << points.error().message;
    test::for_each_isa([&](Isa) {
      for (const auto family : scenes::kQueryFamilies) {
        for (const RectF& query : scenes::make_hard_queries(family, set, 40, n)) {
          const RectD rect = as_double(query);
          for (const std::size_t k : {1u, 20u, 100u, 600u}) {
            ASSERT_EQ(top_of(*points, rect, k), brute.top(rect, k))
                << "n " << n << " " << scenes::name(family) << " k " << k;
          }
          ASSERT_EQ(points->count(rect).found, brute.count(rect)) << "n " << n << " " << scenes::name(family);
        }
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Ranked, HardSets, testing::ValuesIn(scenes::kHardSets),
                         [](const auto& set) { return std::string(scenes::name(set.param)); });

TEST(RankedTop, ContestWorldAndItsOutliers) {
  scenes::ContestWorld world = scenes::make_contest(50'000).value();
  const BruteForce brute(world.x, world.y, world.rank);
  const auto points = RankedPoints::build(world.x, world.y, world.rank).value();
  for (const RectF& query : scenes::contest_queries(world, 500)) {
    ASSERT_EQ(top_of(points, as_double(query), 20), brute.top(as_double(query), 20));
    ASSERT_EQ(points.count(as_double(query)).found, brute.count(as_double(query)));
  }
  const RectD far = {-1e11, -1e11, -1e9, 1e11};
  EXPECT_EQ(top_of(points, far, 5), brute.top(far, 5));
  EXPECT_EQ(points.count({-kInf, -kInf, kInf, kInf}).found, 50'000u);
}

TEST(RankedTop, EveryKUpToAllPoints) {
  const scenes::HardPoints set = scenes::make_hard_points(scenes::HardSet::kUniform, 3000, 1);
  const BruteForce brute(set.x, set.y, set.rank);
  const auto points = RankedPoints::build(set.x, set.y, set.rank).value();
  const RectD all = {-kInf, -kInf, kInf, kInf};
  for (std::size_t k = 0; k <= 3100; k += k < 70 ? 1 : 101) {
    ASSERT_EQ(top_of(points, all, k), brute.top(all, k)) << k;
  }
}

TEST(RankedTop, KBeyondTheSmallBuffersOnManyPoints) {
  const scenes::HardPoints set = scenes::make_hard_points(scenes::HardSet::kUgly, 200'000, 2);
  const BruteForce brute(set.x, set.y, set.rank);
  const auto points = RankedPoints::build(set.x, set.y, set.rank).value();
  for (const auto family : scenes::kQueryFamilies) {
    for (const RectF& query : scenes::make_hard_queries(family, set, 3, 7)) {
      for (const std::size_t k : {255u, 256u, 257u, 2100u, 5000u, 8193u, 150'000u}) {
        ASSERT_EQ(top_of(points, as_double(query), k), brute.top(as_double(query), k)) << k;
      }
    }
  }
}

/// Few distinct values, so that ties of everything are common, and rectangles between, on and beside them.
template <class T, class R>
void check_small_sets() {
  std::uint32_t state = 99;
  const auto draw = [&](std::uint32_t below) {
    return (state = state * 1664525u + 1013904223u) / 65536 % below;
  };
  for (std::size_t n = 1; n <= 140; n += 1 + n / 20) {
    std::vector<T> xs(n), ys(n);
    std::vector<R> ranks(n);
    for (std::size_t i = 0; i < n; ++i) {
      xs[i] = draw(8) == 0 ? static_cast<T>(-0.0) : static_cast<T>(draw(6)) - 2;
      ys[i] = draw(16) == 0 ? static_cast<T>(draw(2) ? 1e30 : -1e30) : static_cast<T>(draw(100)) / 8;
      ranks[i] = static_cast<R>(static_cast<std::int32_t>(draw(7)) - 3);
    }
    const BruteForce brute(xs, ys, ranks);
    const auto points = RankedPoints::build(xs, ys, ranks).value();
    for (int q = 0; q < 60; ++q) {
      const double lx = draw(12) / 2.0 - 3, ly = draw(200) / 16.0;
      const RectD rect = {lx, ly, lx + draw(8) / 2.0 - 0.5, ly + draw(100) / 8.0 - 1};
      ASSERT_EQ(top_of(points, rect, 1 + draw(40)).size() > 0, brute.count(rect) > 0);
      ASSERT_EQ(top_of(points, rect, n), brute.top(rect, n));
      ASSERT_EQ(points.count(rect).found, brute.count(rect));
    }
  }
}

TEST(RankedTop, SmallSetsOfEveryType) {
  test::for_each_isa([](Isa) {
    check_small_sets<float, std::int32_t>();
    check_small_sets<float, double>();
    check_small_sets<double, std::int64_t>();
    check_small_sets<double, float>();
  });
}

TEST(RankedTop, EdgesBelongToTheRectangleToTheLastBit) {
  const float one = 1.0f, above = std::nextafter(one, 2.0f), below = std::nextafter(one, 0.0f);
  const std::vector<float> xs = {below, one, above}, ys = {0, 0, 0};
  const std::vector<std::int32_t> ranks = {0, 1, 2};
  const auto points = RankedPoints::build(xs, ys, ranks).value();
  using Indices = std::vector<std::uint32_t>;
  EXPECT_EQ(top_of(points, {1, 0, 1, 0}, 3), (Indices{1}));
  EXPECT_EQ(top_of(points, {1, -0.0, 2, -0.0}, 3), (Indices{1, 2}));
  EXPECT_EQ(top_of(points, {0, 0, std::nextafter(1.0, 2.0), 0}, 3), (Indices{0, 1}));
  EXPECT_EQ(top_of(points, {std::nextafter(1.0, 0.0), 0, 2, 0}, 3), (Indices{1, 2}));
}

TEST(RankedTop, DoublesThatFloatCannotTellApart) {
  std::vector<double> xs, ys;
  std::vector<std::int64_t> ranks;
  for (int i = 0; i < 1000; ++i) {
    xs.push_back(1e9 + i * 1e-6);
    ys.push_back(-1e9 - i * 1e-6);
    ranks.push_back(std::numeric_limits<std::int64_t>::max() - i * 7919 % 1000);
  }
  const BruteForce brute(xs, ys, ranks);
  const auto points = RankedPoints::build(xs, ys, ranks).value();
  for (int i = 0; i < 1000; i += 13) {
    const RectD rect = {xs[static_cast<std::size_t>(i)], -2e9, 1e9 + 900e-6, 0};
    ASSERT_EQ(top_of(points, rect, 20), brute.top(rect, 20));
    ASSERT_EQ(points.count(rect).found, brute.count(rect));
  }
}

TEST(RankedTop, RectanglesWithoutPoints) {
  const std::vector<float> xs = {1, 2, 3}, ys = {1, 2, 3};
  const auto points = RankedPoints::build(xs, ys, std::vector<float>{3, 2, 1}).value();
  const double nan = std::nan("");
  for (const RectD& rect :
       {RectD{2, 2, 1, 3}, RectD{nan, 0, 9, 9}, RectD{0, 0, 9, nan}, RectD{5, 5, 9, 9},
        RectD{1.25, 1, 1.5, 3}, RectD{kInf, 0, kInf, 9}, RectD{-kInf, -kInf, -kInf, -kInf}}) {
    EXPECT_EQ(top_of(points, rect, 3).size(), 0u);
    EXPECT_EQ(points.count(rect).found, 0u);
  }
  EXPECT_EQ(top_of(points, {-kInf, -kInf, kInf, kInf}, 9), (std::vector<std::uint32_t>{2, 1, 0}));
  EXPECT_EQ(top_of(points, {2, 2, 2, 2}, 9), (std::vector<std::uint32_t>{1}));
}

TEST(RankedTop, AllPointsInOnePlace) {
  const std::size_t n = 20'000;
  const std::vector<float> same(n, 7.0f);
  const std::vector<std::int32_t> ranks(n, -1);
  const auto points = RankedPoints::build(same, same, ranks).value();
  const auto found = top_of(points, {7, 7, 7, 7}, 300);
  ASSERT_EQ(found.size(), 300u);
  for (std::uint32_t i = 0; i < 300; ++i) {
    ASSERT_EQ(found[i], i);  // ties go by input order
  }
  EXPECT_EQ(points.count({0, 0, 7, 7}).found, n);
  EXPECT_EQ(points.count({0, 0, 6.99, 7}).found, 0u);
}

TEST(RankedTop, LowRanksAllAroundSendTheSearchToTheOtherTree) {
  scenes::HardPoints set = scenes::make_hard_points(scenes::HardSet::kUniform, 600'000, 9);
  const RectF& f = set.frame;
  const float w = f.hx - f.lx, h = f.hy - f.ly;
  const RectF hole = {f.lx + w / 4, f.ly + h / 4, f.hx - w / 4, f.hy - h / 4};
  for (std::size_t i = 0; i < set.x.size(); ++i) {
    set.rank[i] += hole.contains(set.x[i], set.y[i]) ? 600'000 : 0;
  }
  const BruteForce brute(set.x, set.y, set.rank);
  const auto points = RankedPoints::build(set.x, set.y, set.rank).value();
  std::vector<std::uint32_t> out(20);
  EXPECT_GT(points.top(as_double(hole), 20, out).visited, 600u);  // more than the first tree is given
  for (const std::size_t k : {1u, 5u, 20u, 100u, 700u}) {
    ASSERT_EQ(top_of(points, as_double(hole), k), brute.top(as_double(hole), k)) << k;
  }
}

TEST(RankedTop, BatchEqualsSingleCalls) {
  scenes::ContestWorld world = scenes::make_contest(60'000).value();
  const auto points = RankedPoints::build(world.x, world.y, world.rank).value();
  std::vector<RectD> rects;
  for (const RectF& query : scenes::contest_queries(world, 1000)) {
    rects.push_back(as_double(query));
  }
  const std::size_t k = 33;
  const auto executor = TbbExecutor::build(3);
  const Executor* executors[] = {nullptr, executor ? &*executor : nullptr};
  for (const Executor* e : executors) {
    std::vector<std::uint32_t> out(rects.size() * k), counts(rects.size());
    ASSERT_TRUE(points.top(rects, k, out, counts, {.executor = e}));
    for (std::size_t i = 0; i < rects.size(); ++i) {
      const auto begin = out.begin() + static_cast<std::ptrdiff_t>(i * k);
      ASSERT_EQ(std::vector(begin, begin + counts[i]), top_of(points, rects[i], k));
    }
    EXPECT_FALSE(points.top(rects, k, std::span(out).first(out.size() - 1), counts, {.executor = e}));
    EXPECT_FALSE(points.top(rects, k, out, std::span(counts).first(10), {.executor = e}));
  }
}

TEST(RankedTop, CostOfLargeKIsBoundedWhereRanksFollowThePlace) {
  const scenes::HardPoints set = scenes::make_hard_points(scenes::HardSet::kUgly, 500'000, 3);
  const auto points = RankedPoints::build(set.x, set.y, set.rank).value();
  std::vector<std::uint32_t> out(256);
  std::size_t visited = 0;
  const auto queries = scenes::make_hard_queries(scenes::QueryFamily::kRightHalf, set, 50, 5);
  for (const RectF& query : queries) {
    visited += points.top(as_double(query), out.size(), out).visited;
  }
  EXPECT_LT(visited / queries.size(), 2000u);
}

TEST(RankedTop, CostIsBounded) {
  const scenes::HardPoints set = scenes::make_hard_points(scenes::HardSet::kUniform, 500'000, 3);
  const auto points = RankedPoints::build(set.x, set.y, set.rank).value();
  std::vector<std::uint32_t> out(20);
  for (const auto family : scenes::kQueryFamilies) {
    std::size_t visited = 0;
    const auto queries = scenes::make_hard_queries(family, set, 200, 5);
    for (const RectF& query : queries) {
      visited += points.top(as_double(query), 20, out).visited;
    }
    EXPECT_LT(visited / queries.size(), 100u) << scenes::name(family);
  }
}

}  // namespace
}  // namespace juxta
