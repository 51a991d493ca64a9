// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Lists and counts of neighbours against all pairs.
#include "juxta/points/neighbours.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <string>

#include "juxta/core/monitor.h"
#include "juxta/core/workspace.h"
#include "points/clouds.h"
#include "support/code_of.h"
#include "support/counting_resource.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using test::Cloud;

template <class T>
class Neighbours : public testing::Test {};
template <int D_, class Real_>
struct Kind {
  static constexpr int D = D_;
  using Real = Real_;
};
using Kinds = testing::Types<Kind<2, float>, Kind<3, float>, Kind<2, double>, Kind<3, double>>;
TYPED_TEST_SUITE(Neighbours, Kinds);

template <int D, class Real>
struct Written {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> index, pairs;
  std::vector<std::int64_t> index64, pairs64;
  std::vector<Real> distance, displacement;
  friend bool operator==(const Written&, const Written&) = default;
};

template <int D, class Real>
Written<D, Real> write(const BasicNeighbourTable<D, Real>& table, const Context& context = {},
                       bool measured = true) {
  const std::size_t n = table.found();
  Written<D, Real> out{{table.offsets().begin(), table.offsets().end()},
                       std::vector<std::uint32_t>(n),
                       std::vector<std::uint32_t>(2 * n),
                       std::vector<std::int64_t>(n),
                       std::vector<std::int64_t>(2 * n),
                       std::vector<Real>(measured ? n : 0),
                       std::vector<Real>(measured ? n * D : 0)};
  const auto result =
      table.write({out.index, out.index64, out.pairs, out.pairs64, out.distance, out.displacement}, context);
  EXPECT_TRUE(result) << result.error().message;
  return out;
}

template <int D, class Real>
void expect_lists(const std::vector<std::vector<test::Sight<D, Real>>>& expected,
                  const BasicNeighbourTable<D, Real>& table) {
  const Written<D, Real> got = write(table);
  ASSERT_EQ(table.size(), expected.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(got.offsets[i], at) << "point " << i;
    ASSERT_EQ(got.offsets[i + 1] - got.offsets[i], expected[i].size()) << "point " << i;
    for (const auto& sight : expected[i]) {
      ASSERT_EQ(got.index[at], sight.index) << "point " << i;
      ASSERT_EQ(got.index64[at], sight.index);
      ASSERT_EQ(got.pairs[2 * at], i);
      ASSERT_EQ(got.pairs[2 * at + 1], sight.index);
      ASSERT_EQ(got.pairs64[2 * at], static_cast<std::int64_t>(i));
      ASSERT_EQ(got.pairs64[2 * at + 1], sight.index);
      ASSERT_EQ(got.distance[at], std::sqrt(sight.d2));
      for (std::size_t axis = 0; axis < D; ++axis) {
        ASSERT_EQ(got.displacement[at * D + axis], sight.d[axis]) << i << " and " << sight.index;
      }
      ++at;
    }
  }
  ASSERT_EQ(table.found(), at);
}

template <int D, class Real>
void expect_own(const std::vector<Real>& points, Real radius, const PointSpace<D, Real>& space) {
  const auto tree = BasicPointTree<D, Real>::build(points, space);
  ASSERT_TRUE(tree) << tree.error().message;
  for (const bool half : {false, true}) {
    const auto expected = test::by_hand<D, Real>(points, points, true, half, {radius}, space);
    const auto table = BasicNeighbourTable<D, Real>::build(*tree, radius, {.half = half, .measured = true});
    ASSERT_TRUE(table) << table.error().message;
    expect_lists<D, Real>(expected, *table);
    const auto plain = BasicNeighbourTable<D, Real>::build(*tree, radius, {.half = half});
    ASSERT_EQ(write(*plain, {}, false).index, write(*table).index);
    std::vector<std::uint32_t> counts(points.size() / D, 77);
    const auto counted = count_neighbours(*tree, radius, counts, {.half = half});
    ASSERT_TRUE(counted);
    ASSERT_EQ(counted->found, table->found());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(counts[i], expected[i].size());
    }
    // Not sorted: the same sets.
    const auto natural =
        BasicNeighbourTable<D, Real>::build(*tree, radius, {.half = half, .sorted = false, .measured = true});
    auto lists = write(*natural);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto begin = lists.index.begin() + static_cast<std::ptrdiff_t>(lists.offsets[i]);
      std::sort(begin, begin + static_cast<std::ptrdiff_t>(expected[i].size()));
    }
    ASSERT_EQ(lists.index, write(*table).index);
  }
}

TYPED_TEST(Neighbours, OfEveryCloudAreThoseOfAllPairs) {
  constexpr int D = TypeParam::D;
  using Real = typename TypeParam::Real;
  test::for_each_isa([](Isa) {
    scenes::Draws draws(D + sizeof(Real));
    for (const Cloud cloud : test::kClouds) {
      for (const std::size_t count : {0UL, 1UL, 2UL, 17UL, 150UL}) {
        const auto points = test::draw_cloud<D, Real>(cloud, count, draws);
        for (const Real radius : {Real(0), Real(0.02), Real(0.125), Real(3)}) {
          SCOPED_TRACE("cloud " + std::to_string(int(cloud)) + ", " + std::to_string(count) +
                       " points, radius " + std::to_string(radius));
          expect_own<D, Real>(points, radius, {});
          if (testing::Test::HasFatalFailure()) {
            return;
          }
        }
      }
    }
  });
}

TYPED_TEST(Neighbours, AcrossPeriodicEdgesAreThoseOfAllPairs) {
  constexpr int D = TypeParam::D;
  using Real = typename TypeParam::Real;
  scenes::Draws draws(7);
  for (const Cloud cloud : {Cloud::kUniform, Cloud::kEdges, Cloud::kLattice, Cloud::kClumps}) {
    for (unsigned axes = 1; axes < (1U << D); ++axes) {
      const auto points = test::draw_cloud<D, Real>(cloud, 120, draws);
      // Half of the points are outside of the second world; the third is not as wide as the radius.
      for (const auto& space : {test::periodic_space<D, Real>(axes, 0, 1),
                                test::periodic_space<D, Real>(axes, Real(0.25), Real(0.8)),
                                test::periodic_space<D, Real>(axes, Real(-0.01), Real(0.03))}) {
        for (const Real radius : {Real(0.05), Real(0.3), Real(0.5), Real(0.7)}) {
          SCOPED_TRACE("cloud " + std::to_string(int(cloud)) + ", axes " + std::to_string(axes) + ", hi " +
                       std::to_string(space.hi[0]) + ", radius " + std::to_string(radius));
          expect_own<D, Real>(points, radius, space);
          if (testing::Test::HasFatalFailure()) {
            return;
          }
        }
      }
    }
  }
}

TYPED_TEST(Neighbours, OfOtherPointsAreThoseOfAllPairs) {
  constexpr int D = TypeParam::D;
  using Real = typename TypeParam::Real;
  scenes::Draws draws(11);
  for (const unsigned axes : {0U, 2U}) {
    const auto space = test::periodic_space<D, Real>(axes, 0, 1);
    for (const Cloud cloud : test::kClouds) {
      const auto points = test::draw_cloud<D, Real>(cloud, 300, draws);
      auto others = test::draw_cloud<D, Real>(Cloud::kUniform, 200, draws);
      std::copy_n(points.begin(), 30, others.begin());  // some in the same places
      for (std::size_t i = 60; i < 70; ++i) {
        others[i] *= 1000;  // and some far away
      }
      const auto tree = BasicPointTree<D, Real>::build(points, space);
      ASSERT_TRUE(tree);
      std::vector<Real> radii(200);
      for (Real& radius : radii) {
        radius = static_cast<Real>(draws.unit()) * Real(0.4);
      }
      for (const auto& given : {radii, std::vector<Real>{Real(0.2)}}) {
        const auto expected = test::by_hand<D, Real>(others, points, false, false, given, space);
        const auto table = BasicNeighbourTable<D, Real>::build(*tree, others, given, {.measured = true});
        ASSERT_TRUE(table) << table.error().message;
        expect_lists<D, Real>(expected, *table);
        std::vector<std::uint32_t> counts(200);
        ASSERT_EQ(count_neighbours(*tree, others, given, counts)->found, table->found());
      }
    }
  }
}

// The tree's own points, given once more: each sees itself. Then one of them moves.
TYPED_TEST(Neighbours, OfTheSamePointsIncludeThemselves) {
  constexpr int D = TypeParam::D;
  using Real = typename TypeParam::Real;
  scenes::Draws draws(13);
  for (const unsigned axes : {0U, 1U}) {
    const auto space = test::periodic_space<D, Real>(axes, 0, 1);
    for (const Cloud cloud : test::kClouds) {
      const auto points = test::draw_cloud<D, Real>(cloud, 200, draws);
      const auto tree = BasicPointTree<D, Real>::build(points, space);
      ASSERT_TRUE(tree);
      auto moved = points;
      moved[D * 150] = Real(0.123);
      std::vector<Real> radii(200);
      for (Real& radius : radii) {
        radius = static_cast<Real>(draws.unit()) * Real(0.4);
      }
      for (const auto& seers : {points, moved}) {
        for (const auto& given : {radii, std::vector<Real>{Real(0.2)}}) {
          const auto table = BasicNeighbourTable<D, Real>::build(*tree, seers, given, {.measured = true});
          ASSERT_TRUE(table) << table.error().message;
          expect_lists<D, Real>(test::by_hand<D, Real>(seers, points, false, false, given, space), *table);
        }
      }
    }
  }
}

// Beyond the candidates of one group, and lists that are not sorted by ranks.
TYPED_TEST(Neighbours, ManyAreFoundToo) {
  constexpr int D = TypeParam::D;
  using Real = typename TypeParam::Real;
  scenes::Draws draws(13);
  const auto points = test::draw_cloud<D, Real>(Cloud::kUniform, 18'000, draws);
  const auto tree = BasicPointTree<D, Real>::build(points);
  const auto others = test::draw_cloud<D, Real>(Cloud::kUniform, 20, draws);
  for (const Real radius : {Real(0.15), Real(2)}) {
    const auto expected = test::by_hand<D, Real>(others, points, false, false, {radius}, {});
    const auto table =
        BasicNeighbourTable<D, Real>::build(*tree, others, std::vector<Real>{radius}, {.measured = true});
    ASSERT_TRUE(table);
    expect_lists<D, Real>(expected, *table);
  }
}

TYPED_TEST(Neighbours, AreTheSameOnAnyExecutor) {
  constexpr int D = TypeParam::D;
  using Real = typename TypeParam::Real;
  scenes::Draws draws(17);
  const auto points = test::draw_cloud<D, Real>(Cloud::kClumps, 30'000, draws);
  Written<D, Real> first;
  for (const bool sorted : {false, true}) {
    test::for_each_executor([&](const Executor* executor) {
      const Context context{.executor = executor};
      const auto tree = BasicPointTree<D, Real>::build(points, {}, context);
      const auto table = BasicNeighbourTable<D, Real>::build(*tree, Real(0.01),
                                                             {.sorted = sorted, .measured = true}, context);
      const auto written = write(*table, context);
      if (executor == nullptr) {
        first = written;
      }
      ASSERT_TRUE(written == first);
    });
  }
}

// Differences that single precision cannot tell apart.
TEST(NeighboursOfDoubles, AreDecidedByDoubles) {
  std::vector<double> points;
  for (int i = 0; i < 200; ++i) {
    points.insert(points.end(), {1e6 + i * 1e-9, 0, 0});
  }
  expect_own<3, double>(points, 1e-9, {});
  expect_own<3, double>(points, 5e-9, {});
  for (double& x : points) {
    x *= 1e120;
  }
  expect_own<3, double>(points, 3e111, {});
  for (double& x : points) {
    x *= 1e-260;
  }
  expect_own<3, double>(points, 3e-149, {});
}

TEST(NeighboursOfFloats, MayBeAsFarApartAsFloatsAllow) {
  const float most = PointTree::kMost;
  const std::vector<float> points{-most, most, most, most, -most, -most, 0, 0, 0, most, most, most};
  for (const float radius : {0.0F, most, 2 * most, 4 * most, std::numeric_limits<float>::infinity()}) {
    expect_own<3, float>(points, radius, {});
  }
}

TEST(NeighbourTable, RebuildsInPlaceWithoutMemory) {
  scenes::Draws draws(19);
  const auto points = test::draw_cloud<3, float>(Cloud::kUniform, 5000, draws);
  test::CountingResource memory;
  PointTree tree(&memory);
  NeighbourTable table(&memory);
  Workspace workspace;
  const Context context{.workspace = &workspace};
  ASSERT_TRUE(tree.rebuild(points, {}, context));
  ASSERT_TRUE(table.rebuild(tree, 0.1F, {}, context));
  const std::size_t before = memory.calls(), found = table.found();
  ASSERT_TRUE(tree.rebuild(points, {}, context));
  ASSERT_TRUE(table.rebuild(tree, 0.1F, {}, context));
  EXPECT_EQ(memory.calls(), before);
  EXPECT_EQ(table.found(), found);
}

struct CancelAt final : Monitor {
  int left;
  explicit CancelAt(int calls) : left(calls) {}
  bool on_progress(std::string_view, std::uint64_t, std::uint64_t) override { return left-- > 0; }
};

TEST(NeighbourTable, IsCancelledAnywhere) {
  scenes::Draws draws(23);
  const auto points = test::draw_cloud<3, float>(Cloud::kUniform, 20'000, draws);
  int cancelled = 0;
  for (int calls = 0;; ++calls) {
    CancelAt monitor(calls);
    const Context context{.monitor = &monitor};
    const auto tree = PointTree::build(points, {}, context);
    if (!tree) {
      ASSERT_EQ(test::code_of(tree), ErrorCode::kCancelled);
      continue;
    }
    NeighbourTable table;
    if (const auto built = table.rebuild(*tree, 0.02F, {}, context); !built) {
      ASSERT_EQ(test::code_of(built), ErrorCode::kCancelled);
      ASSERT_EQ(table.found(), 0U);
      ++cancelled;
      continue;
    }
    break;
  }
  EXPECT_GT(cancelled, 3);
}

TEST(NeighboursErrors, NameThePlace) {
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  const auto bad = PointTree::build(std::vector<float>{0, 0, 0, 1, nan, 0});
  ASSERT_FALSE(bad);
  EXPECT_EQ(test::code_of(bad), ErrorCode::kNotFinite);
  EXPECT_EQ(bad.error().index, 1U);
  EXPECT_NE(bad.error().message.find("point 1 has a NaN as its y"), std::string::npos) << bad.error().message;
  EXPECT_FALSE(PointTree::build(std::vector<float>{0, 0}));
  EXPECT_FALSE(PointTree::build(std::vector<float>{0, 0, 1e19F}));
  EXPECT_FALSE((BasicPointTree<2, double>::build(std::vector<double>{0, 1e200})));
  EXPECT_FALSE(PointTree::build({}, test::periodic_space<3, float>(7, 1, 1)));
  EXPECT_FALSE(PointTree::build({}, test::periodic_space<3, float>(7, 0, nan)));
  const auto tree = PointTree::build(std::vector<float>{0, 0, 0, 1, 1, 1});
  ASSERT_TRUE(tree);
  EXPECT_FALSE(NeighbourTable::build(*tree, -1));
  EXPECT_FALSE(NeighbourTable::build(*tree, nan));
  std::vector<std::uint32_t> counts(3);
  EXPECT_FALSE(count_neighbours(*tree, 1, counts));
  const std::vector<float> other{0, 0, 0};
  EXPECT_FALSE(NeighbourTable::build(*tree, other, std::vector<float>{1, 2}));
  EXPECT_FALSE(NeighbourTable::build(*tree, std::vector<float>{0, nan, 0}, std::vector<float>{1}));
  const auto table = NeighbourTable::build(*tree, 5);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->found(), 2U);
  std::vector<std::uint32_t> index(1);
  EXPECT_FALSE(table->write({.index = index}));
  std::vector<float> distance(2);
  EXPECT_FALSE(table->write({.distance = distance}));  // was not asked for
}

}  // namespace
}  // namespace juxta
