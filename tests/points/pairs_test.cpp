// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Pairs as they are found, against all pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "juxta/core/monitor.h"
#include "juxta/points/point_pairs.h"
#include "points/clouds.h"
#include "points/pairs_kernel.h"
#include "points/prepare.h"
#include "support/code_of.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using test::Cloud;

template <class T>
class Pairs : public testing::Test {};
template <int D_, class Real_>
struct Kind {
  static constexpr int D = D_;
  using Real = Real_;
};
using Kinds = testing::Types<Kind<2, float>, Kind<3, float>, Kind<2, double>, Kind<3, double>>;
TYPED_TEST_SUITE(Pairs, Kinds);

using Numbers = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

template <int D, class Real>
Numbers find(const BasicPointTree<D, Real>& tree, Real radius, const Executor* executor = nullptr) {
  Numbers pairs;
  const auto take = [&](std::span<const PointPair> more) {
    EXPECT_FALSE(more.empty());
    for (const PointPair& pair : more) {
      pairs.emplace_back(pair.a, pair.b);
    }
    return true;
  };
  const auto result = visit_pairs(tree, radius, take, {.executor = executor});
  EXPECT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->found, pairs.size());
  EXPECT_EQ(result->written, pairs.size());
  return pairs;
}

template <int D, class Real>
Numbers by_hand(const std::vector<Real>& points, Real radius, const PointSpace<D, Real>& space) {
  Numbers pairs;
  const auto lists = test::by_hand<D, Real>(points, points, true, true, {radius}, space);
  for (std::uint32_t i = 0; i < lists.size(); ++i) {
    for (const auto& sight : lists[i]) {
      pairs.emplace_back(i, sight.index);
    }
  }
  return pairs;
}

TYPED_TEST(Pairs, OfEveryCloudAreAllPairs) {
  constexpr int D = TypeParam::D;
  using Real = typename TypeParam::Real;
  test::for_each_isa([](Isa) {
    scenes::Draws draws(D + sizeof(Real));
    for (const Cloud cloud : test::kClouds) {
      for (const std::size_t count : {0UL, 1UL, 2UL, 16UL, 17UL, 230UL}) {
        const auto points = test::draw_cloud<D, Real>(cloud, count, draws);
        for (const unsigned axes : {0U, 1U, (1U << D) - 1}) {
          const auto space = test::periodic_space<D, Real>(axes, 0, 1);
          const auto tree = BasicPointTree<D, Real>::build(points, space);
          ASSERT_TRUE(tree);
          for (const Real radius : {Real(0), Real(0.05), Real(0.4), std::numeric_limits<Real>::infinity()}) {
            SCOPED_TRACE("cloud " + std::to_string(int(cloud)) + ", " + std::to_string(count) +
                         " points, axes " + std::to_string(axes) + ", radius " + std::to_string(radius));
            auto pairs = find<D, Real>(*tree, radius);
            std::sort(pairs.begin(), pairs.end());
            ASSERT_TRUE((pairs == by_hand<D, Real>(points, radius, space)));
          }
        }
      }
    }
  });
}

// More candidates than a group has room for: more than 1024 blocks within the radius of one.
TYPED_TEST(Pairs, AreAllWhereCandidatesComeInParts) {
  constexpr int D = TypeParam::D;
  using Real = typename TypeParam::Real;
  scenes::Draws draws(5);
  const std::size_t count = 17'000;
  const auto points = test::draw_cloud<D, Real>(Cloud::kOnePoint, count, draws);
  const auto tree = BasicPointTree<D, Real>::build(points);
  std::uint64_t found = 0, sum = 0;
  bool ordered = true;
  const auto take = [&](std::span<const PointPair> more) {
    for (const PointPair& pair : more) {
      ordered = ordered && pair.a < pair.b;
      sum += pair.a + pair.b;
    }
    found += more.size();
    return true;
  };
  ASSERT_TRUE(visit_pairs(*tree, Real(0), take));
  EXPECT_TRUE(ordered);
  EXPECT_EQ(found, count * (count - 1) / 2);
  EXPECT_EQ(sum, count * (count - 1) / 2 * (count - 1));
}

TYPED_TEST(Pairs, HaveOneOrderOnAnyExecutor) {
  constexpr int D = TypeParam::D;
  using Real = typename TypeParam::Real;
  scenes::Draws draws(17);
  const auto points = test::draw_cloud<D, Real>(Cloud::kClumps, 30'000, draws);
  const auto tree = BasicPointTree<D, Real>::build(points);
  Numbers first;
  test::for_each_executor([&](const Executor* executor) {
    const auto pairs = find<D, Real>(*tree, Real(0.004), executor);
    if (executor == nullptr) {
      first = pairs;
      ASSERT_GT(pairs.size(), 10'000U);
    }
    ASSERT_TRUE(pairs == first);
  });
}

TYPED_TEST(Pairs, AreThoseOfThePlainTwinInItsOrder) {
  constexpr int D = TypeParam::D;
  using Real = typename TypeParam::Real;
  using namespace points_detail;
  test::for_each_isa([](Isa) {
    scenes::Draws draws(3);
    for (const Cloud cloud : {Cloud::kUniform, Cloud::kLattice, Cloud::kEdges}) {
      const auto points = test::draw_cloud<D, Real>(cloud, 500, draws);
      const auto tree = BasicPointTree<D, Real>::build(points, test::periodic_space<D, Real>(1, 0, 1));
      Limit limit;
      const Search<D> search = search_own(Access::store(*tree), Real(0.2), limit);
      std::vector<PointPair> both[2];
      for (const bool plain : {false, true}) {
        std::vector<PointPair> room(500 * 500 + PairSink::kLeastRoom);
        const auto more = [](PairSink&) { return false; };
        PairSink sink{room.data(), room.data() + room.size(), more};
        SearchWork work;
        ASSERT_TRUE(plain ? pair_blocks_plain(search, sink, 1, 20) : pair_blocks(search, sink, 1, 20, work));
        both[plain].assign(room.data(), sink.at);
      }
      ASSERT_FALSE(both[0].empty());
      ASSERT_TRUE(both[0] == both[1]);
    }
  });
}

TEST(PairErrors, AndStops) {
  scenes::Draws draws(9);
  const auto points = test::draw_cloud<3, float>(Cloud::kUniform, 50'000, draws);
  const auto tree = PointTree::build(points);
  std::size_t calls = 0, taken = 0;
  const auto stop = [&](std::span<const PointPair> more) {
    taken += more.size();
    return ++calls < 3;
  };
  EXPECT_FALSE(visit_pairs(*tree, -1.0F, stop));
  EXPECT_FALSE(visit_pairs(*tree, std::numeric_limits<float>::quiet_NaN(), stop));
  EXPECT_EQ(calls, 0U);
  test::for_each_executor([&](const Executor* executor) {
    calls = taken = 0;
    const auto result = visit_pairs(*tree, 0.05F, stop, {.executor = executor});
    ASSERT_TRUE(result);
    EXPECT_EQ(calls, 3U);
    EXPECT_EQ(result->found, taken);
  });
  struct Never final : Monitor {
    bool on_progress(std::string_view, std::uint64_t, std::uint64_t) override { return false; }
  } never;
  calls = 0;
  const auto result = visit_pairs(*tree, 0.05F, stop, {.monitor = &never});
  ASSERT_FALSE(result);
  EXPECT_EQ(test::code_of(result), ErrorCode::kCancelled);
  EXPECT_EQ(calls, 0U);
}

}  // namespace
}  // namespace juxta
