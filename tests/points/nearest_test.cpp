// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The k nearest against all pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "juxta/points/nearest_points.h"
#include "points/clouds.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using test::Cloud;

template <class T>
class Nearest : public testing::Test {};
template <int D_, class Real_>
struct Kind {
  static constexpr int D = D_;
  using Real = Real_;
};
using Kinds = testing::Types<Kind<2, float>, Kind<3, float>, Kind<2, double>, Kind<3, double>>;
TYPED_TEST_SUITE(Nearest, Kinds);

constexpr int kNone = 77;  // instead of NaN, which equals nothing

template <class Real>
struct Found {
  std::vector<std::uint32_t> index;
  std::vector<Real> distance2;
  std::vector<Real> displacement;  // kNone where there is no neighbour
  std::size_t found = 0;
  friend bool operator==(const Found&, const Found&) = default;
};

template <int D, class Real>
Found<Real> by_hand(const std::vector<Real>& points, const std::vector<Real>& others, bool own, std::size_t k,
                    Real most, const PointSpace<D, Real>& space) {
  Found<Real> found;
  for (std::size_t i = 0; i < points.size() / D; ++i) {
    std::vector<std::pair<Real, std::uint32_t>> all;
    for (std::uint32_t j = 0; j < others.size() / D; ++j) {
      const auto sight = test::look<D, Real>(points, i, others, j, space);
      if (!(own && i == j) && sight.d2 <= most * most) {
        all.emplace_back(sight.d2, j);
      }
    }
    std::sort(all.begin(), all.end());
    for (std::size_t n = 0; n < k; ++n) {
      found.index.push_back(n < all.size() ? all[n].second : kNoPoint);
      found.distance2.push_back(n < all.size() ? all[n].first : std::numeric_limits<Real>::infinity());
      const auto to = n < all.size() ? all[n].second : 0;
      const auto sight = test::look<D, Real>(points, n < all.size() ? i : 0, others, to, space);
      for (const Real d : sight.d) {
        found.displacement.push_back(n < all.size() ? d : Real(kNone));
      }
      found.found += n < all.size() ? 1 : 0;
    }
  }
  return found;
}

/// Room for k neighbours of each of some points.
template <int D, class Real>
Found<Real> room_for(std::size_t points, std::size_t k) {
  return {std::vector<std::uint32_t>(points * k, 5), std::vector<Real>(points * k, -1),
          std::vector<Real>(points * k * D, -1)};
}

template <class Real>
void name_nan(Found<Real>& found) {
  for (Real& d : found.displacement) {
    d = std::isnan(d) ? Real(kNone) : d;
  }
}

template <int D, class Real>
Found<Real> find(const BasicPointTree<D, Real>& tree, std::size_t k, Real most,
                 const Executor* executor = nullptr) {
  auto found = room_for<D, Real>(tree.size(), k);
  const auto result =
      nearest(tree, k, most, {found.index, found.distance2, found.displacement}, {.executor = executor});
  EXPECT_TRUE(result) << result.error().message;
  found.found = result ? result->found : 0;
  name_nan(found);
  return found;
}

TYPED_TEST(Nearest, OfEveryCloudAreThoseOfAllPairs) {
  constexpr int D = TypeParam::D;
  using Real = typename TypeParam::Real;
  constexpr Real kInf = std::numeric_limits<Real>::infinity();
  test::for_each_isa([](Isa) {
    scenes::Draws draws(D + sizeof(Real));
    for (const Cloud cloud : test::kClouds) {
      for (const std::size_t count : {0UL, 1UL, 17UL, 40UL, 230UL}) {
        const auto points = test::draw_cloud<D, Real>(cloud, count, draws);
        for (const unsigned axes : {0U, (1U << D) - 1}) {
          const auto space = test::periodic_space<D, Real>(axes, 0, 1);
          const auto tree = BasicPointTree<D, Real>::build(points, space);
          ASSERT_TRUE(tree);
          for (const std::size_t k : {0UL, 1UL, 8UL, 60UL, 300UL}) {
            for (const Real most : {Real(0.1), kInf}) {
              SCOPED_TRACE("cloud " + std::to_string(int(cloud)) + ", " + std::to_string(count) +
                           " points, axes " + std::to_string(axes) + ", k " + std::to_string(k));
              ASSERT_TRUE(
                  (find<D, Real>(*tree, k, most) == by_hand<D, Real>(points, points, true, k, most, space)));
            }
          }
        }
      }
    }
  });
}

/// The first k of each list of `most`.
template <int D, class Real>
Found<Real> first_of(const Found<Real>& lists, std::size_t most, std::size_t k) {
  Found<Real> found;
  const auto copy = [&](const auto& from, auto& to, std::size_t width) {
    for (std::size_t at = 0; at < from.size(); at += most * width) {
      const auto first = from.begin() + static_cast<std::ptrdiff_t>(at);
      to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(k * width));
    }
  };
  copy(lists.index, found.index, 1);
  copy(lists.distance2, found.distance2, 1);
  copy(lists.displacement, found.displacement, D);
  found.found = found.index.size() -
                static_cast<std::size_t>(std::count(found.index.begin(), found.index.end(), kNoPoint));
  return found;
}

// Every small k, on whole blocks and on more than one: the kernel keeps lists of 1, 4, 8 and 15 in registers.
// Among many points, the k where it changes from one list to the next.
TYPED_TEST(Nearest, FewOfEveryCloudAreThoseOfAllPairs) {
  constexpr int D = TypeParam::D;
  using Real = typename TypeParam::Real;
  constexpr Real kInf = std::numeric_limits<Real>::infinity();
  constexpr std::size_t kMost = 17;
  const std::set<std::size_t> ends = {1, 2, 4, 5, 8, 9, 15, 16};
  scenes::Draws draws(40 + D + sizeof(Real));
  for (const Cloud cloud : test::kClouds) {
    for (const std::size_t count : {3UL, 16UL, 33UL, 900UL}) {
      const auto points = test::draw_cloud<D, Real>(cloud, count, draws);
      for (const unsigned axes : {0U, 1U, (1U << D) - 1}) {
        const auto space = test::periodic_space<D, Real>(axes, 0, 1);
        const auto tree = BasicPointTree<D, Real>::build(points, space);
        ASSERT_TRUE(tree);
        for (const Real most : {Real(0), Real(0.07), kInf}) {
          const auto all = by_hand<D, Real>(points, points, true, kMost, most, space);
          for (std::size_t k = 1; k <= kMost; ++k) {
            if (count > 100 && ends.count(k) == 0) {
              continue;
            }
            SCOPED_TRACE("cloud " + std::to_string(int(cloud)) + ", " + std::to_string(count) +
                         " points, axes " + std::to_string(axes) + ", k " + std::to_string(k));
            const auto right = first_of<D, Real>(all, kMost, k);
            test::for_each_isa([&](Isa) { ASSERT_TRUE((find<D, Real>(*tree, k, most) == right)); });
          }
        }
      }
    }
  }
}

// The tree's points again, which then find themselves; points among them, and far away.
TYPED_TEST(Nearest, FewOfOtherPointsAreThoseOfAllPairs) {
  constexpr int D = TypeParam::D;
  using Real = typename TypeParam::Real;
  constexpr std::size_t kMost = 16;
  constexpr Real kInf = std::numeric_limits<Real>::infinity();
  scenes::Draws draws(50 + D + sizeof(Real));
  for (const Cloud cloud : test::kClouds) {
    const auto points = test::draw_cloud<D, Real>(cloud, 500, draws);
    auto among = test::draw_cloud<D, Real>(cloud, 300, draws);
    std::copy_n(points.begin(), 90, among.begin());
    auto far = test::draw_cloud<D, Real>(Cloud::kUniform, 100, draws);
    for (std::size_t i = 0; i < far.size(); ++i) {
      far[i] = (far[i] - Real(0.4)) * std::ldexp(Real(1), static_cast<int>(i % 30));
    }
    for (const unsigned axes : {0U, 3U}) {
      const auto space = test::periodic_space<D, Real>(axes, 0, 1);
      const auto tree = BasicPointTree<D, Real>::build(points, space);
      for (const auto& others : {points, among, far}) {
        for (const Real most : {Real(0.04), kInf}) {
          const auto all = by_hand<D, Real>(others, points, false, kMost, most, space);
          test::for_each_isa([&](Isa) {
            for (const std::size_t k : {1UL, 2UL, 3UL, 4UL, 5UL, 8UL, 9UL, 15UL, 16UL}) {
              SCOPED_TRACE("cloud " + std::to_string(int(cloud)) + ", axes " + std::to_string(axes) + ", k " +
                           std::to_string(k));
              auto found = room_for<D, Real>(others.size() / D, k);
              const auto result =
                  nearest(*tree, others, k, most, {found.index, found.distance2, found.displacement});
              ASSERT_TRUE(result) << result.error().message;
              found.found = result->found;
              name_nan(found);
              ASSERT_TRUE((found == first_of<D, Real>(all, kMost, k)));
            }
          });
        }
      }
    }
  }
}

// Sixteen seers far from each other among more points than they may share.
TYPED_TEST(Nearest, FewOfScatteredPointsAreThoseOfAllPairs) {
  constexpr int D = TypeParam::D;
  using Real = typename TypeParam::Real;
  scenes::Draws draws(60);
  const auto points = test::draw_cloud<D, Real>(Cloud::kUniform, 20'000, draws);
  const auto others = test::draw_cloud<D, Real>(Cloud::kUniform, 48, draws);
  const auto tree = BasicPointTree<D, Real>::build(points);
  const Real most = std::numeric_limits<Real>::infinity();
  const auto all = by_hand<D, Real>(others, points, false, 8, most, {});
  test::for_each_isa([&](Isa) {
    for (const std::size_t k : {1UL, 8UL}) {
      auto found = room_for<D, Real>(48, k);
      ASSERT_TRUE(nearest(*tree, others, k, most, {found.index, found.distance2, found.displacement}));
      found.found = 48 * k;
      ASSERT_TRUE((found == first_of<D, Real>(all, 8, k)));
    }
  });
}

TYPED_TEST(Nearest, OfOtherPointsAreThoseOfAllPairs) {
  constexpr int D = TypeParam::D;
  using Real = typename TypeParam::Real;
  scenes::Draws draws(3);
  for (const unsigned axes : {0U, 2U}) {
    const auto space = test::periodic_space<D, Real>(axes, 0, 1);
    for (const Cloud cloud : test::kClouds) {
      const auto points = test::draw_cloud<D, Real>(cloud, 2000, draws);
      auto others = test::draw_cloud<D, Real>(Cloud::kUniform, 100, draws);
      std::copy_n(points.begin(), 30, others.begin());
      for (std::size_t i = 60; i < 80; ++i) {
        others[i] *= i < 70 ? Real(50) : Real(1e6);
      }
      const auto tree = BasicPointTree<D, Real>::build(points, space);
      for (const std::size_t k : {1UL, 7UL, 100UL, 2500UL}) {
        SCOPED_TRACE("cloud " + std::to_string(int(cloud)) + ", k " + std::to_string(k));
        auto found = room_for<D, Real>(100, k);
        const Real most = k == 7 ? Real(0.2) : std::numeric_limits<Real>::infinity();
        const auto result =
            nearest(*tree, others, k, most, {found.index, found.distance2, found.displacement});
        ASSERT_TRUE(result) << result.error().message;
        found.found = result->found;
        name_nan(found);
        ASSERT_TRUE((found == by_hand<D, Real>(others, points, false, k, most, space)));
      }
    }
  }
}

TYPED_TEST(Nearest, AreTheSameOnAnyExecutor) {
  constexpr int D = TypeParam::D;
  using Real = typename TypeParam::Real;
  scenes::Draws draws(17);
  const auto points = test::draw_cloud<D, Real>(Cloud::kClumps, 20'000, draws);
  const auto tree = BasicPointTree<D, Real>::build(points);
  Found<Real> first;
  test::for_each_executor([&](const Executor* executor) {
    const auto found = find<D, Real>(*tree, 5, std::numeric_limits<Real>::infinity(), executor);
    if (executor == nullptr) {
      first = found;
    }
    ASSERT_TRUE(found == first);
  });
}

// Points and neighbours that single precision cannot tell apart.
TEST(NearestOfDoubles, AreDecidedByDoubles) {
  std::vector<double> points;
  for (int i = 0; i < 300; ++i) {
    points.insert(points.end(), {1e6 + ((i * 37) % 300) * 1e-9, i == 0 ? -1e6 : 0, 0});
  }
  const auto tree = BasicPointTree<3, double>::build(points);
  for (const std::size_t k : {1UL, 3UL, 8UL, 10UL, 299UL, 310UL}) {
    const double most = std::numeric_limits<double>::infinity();
    ASSERT_TRUE((find<3, double>(*tree, k, most) == by_hand<3, double>(points, points, true, k, most, {})));
  }
}

TEST(NearestErrors, SayWhatIsWrong) {
  const auto tree = PointTree::build(std::vector<float>{0, 0, 0, 1, 1, 1});
  ASSERT_TRUE(tree);
  std::vector<std::uint32_t> index(2);
  EXPECT_FALSE(nearest(*tree, 2, 1.0F, {index, {}}));
  std::vector<float> too_few(5);
  EXPECT_FALSE(nearest(*tree, 1, 1.0F, {index, {}, too_few}));
  EXPECT_FALSE(nearest(*tree, 1, -1.0F, {index, {}}));
  EXPECT_FALSE(nearest(*tree, 1, std::numeric_limits<float>::quiet_NaN(), {index, {}}));
  EXPECT_FALSE(nearest(*tree, kMostNearest + 1, 1.0F, {index, {}}));
  EXPECT_TRUE(nearest(*tree, 1, 0.0F, {index, {}}));
  EXPECT_EQ(index[0], kNoPoint);
}

}  // namespace
}  // namespace juxta
