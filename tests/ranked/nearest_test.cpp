// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// nearest() against every point looked at, on every instruction set, over points and distances that break
// bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "juxta/ranked/ranked_points.h"
#include "scenes/hard_points.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

using Ids = std::vector<std::uint32_t>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

struct Answer {
  Ids ids;
  std::vector<double> distances;
  bool operator==(const Answer&) const = default;
};

template <class T>
struct World {
  std::vector<T> x, y;
  std::vector<std::int32_t> rank;
  std::vector<std::uint64_t> masks;
  Ids order;  // by rank

  void add(double px, double py, std::int32_t r, std::uint64_t mask) {
    x.push_back(static_cast<T>(px));
    y.push_back(static_cast<T>(py));
    rank.push_back(r);
    masks.push_back(mask);
  }
  [[nodiscard]] RankedPoints build() {
    order.resize(x.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return rank[i]; });
    return RankedPoints::build(x, y, rank, {.categories = masks}).value();
  }

  [[nodiscard]] bool passes(std::uint32_t i, const RankedFilter& filter) const {
    const std::uint64_t m = masks[i];
    return (m & filter.all) == filter.all && (m & filter.none) == 0 &&
           (filter.any == 0 || (m & filter.any) != 0);
  }
  /// The definition.
  [[nodiscard]] Answer brute(double px, double py, std::size_t k, const RankedNearestOptions& options) const {
    std::vector<std::pair<double, std::size_t>> found;  // squared distance, place in rank order
    for (std::size_t p = 0; p < std::min(options.most_important, order.size()); ++p) {
      const double dx = static_cast<double>(x[order[p]]) - px, dy = static_cast<double>(y[order[p]]) - py;
      const double square = dx * dx + dy * dy;
      if (passes(order[p], options.filter) && square <= options.max_distance * options.max_distance) {
        found.emplace_back(square, p);
      }
    }
    const bool sound = std::isfinite(px) && std::isfinite(py) && options.max_distance >= 0;
    const std::size_t size = sound ? std::min(k, found.size()) : 0;
    std::ranges::sort(found);
    Answer answer;
    for (std::size_t i = 0; i < size; ++i) {
      answer.ids.push_back(order[found[i].second]);
      answer.distances.push_back(std::sqrt(found[i].first));
    }
    return answer;
  }
};

/// The answer of nearest(); the places behind it must be untouched.
Answer ask(const RankedPoints& points, double x, double y, std::size_t k,
           const RankedNearestOptions& options) {
  constexpr std::uint32_t kGuard = 0xDEADBEEF;
  Answer got = {Ids(k + 1, kGuard), std::vector<double>(k + 1, -7)};
  const QueryResult result =
      points.nearest(x, y, k, std::span(got.ids).first(k), std::span(got.distances).first(k), options);
  EXPECT_EQ(result.found, result.written);
  EXPECT_LE(result.written, k);
  for (std::size_t i = result.written; i <= k; ++i) {
    EXPECT_EQ(got.ids[i], kGuard);
    EXPECT_EQ(got.distances[i], -7);
  }
  got.ids.resize(result.written);
  got.distances.resize(result.written);
  return got;
}

constexpr RankedFilter kFilters[] = {{},         {.all = 1}, {.all = 8}, {.any = 6}, {.all = 2, .none = 1},
                                     {.all = 64}};

/// Every combination of k, most_important and filter that `step` does not skip.
template <class T>
void expect_nearest(const RankedPoints& points, const World<T>& world, double x, double y, std::size_t step,
                    double max_distance = kInfinity) {
  const std::size_t n = world.x.size();
  std::size_t turn = 0;
  for (const std::size_t most : {kAll, std::size_t{1000}, n / 3, std::size_t{10}, std::size_t{1}, n / 40}) {
    for (const RankedFilter& filter : kFilters) {
      for (const std::size_t k :
           {std::size_t{1}, std::size_t{10}, std::size_t{40}, std::size_t{300}, n + 5}) {
        if (turn++ % step == 0) {
          const RankedNearestOptions options = {most, filter, max_distance};
          ASSERT_EQ(ask(points, x, y, k, options), world.brute(x, y, k, options))
              << x << ' ' << y << " k " << k << " of " << most;
        }
      }
    }
  }
}

template <class T>
World<T> random_world(std::size_t points, double scale, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(-scale, scale);
  World<T> world;
  for (std::size_t i = 0; i < points; ++i) {
    world.add(place(random), place(random), static_cast<std::int32_t>(random() % 1000),
              (random() & random() & 7) | (i % 50 == 0 ? 8 : 0));
  }
  return world;
}

template <class T>
void check_random(double scale) {
  for (const std::size_t n : {1U, 3U, 33U, 513U, 9000U}) {
    World<T> world = random_world<T>(n, scale, static_cast<unsigned>(n));
    const RankedPoints points = world.build();
    std::mt19937 random(1);
    std::uniform_real_distribution<double> place(-1.2 * scale, 1.2 * scale);
    test::for_each_isa([&](Isa) {
      for (int i = 0; i < 12; ++i) {
        const double x = place(random), y = place(random);
        expect_nearest(points, world, x, y, n < 600 ? 1 : 7);
        expect_nearest(points, world, x, y, 23, scale / 8);
      }
      expect_nearest(points, world, static_cast<double>(world.x[0]), static_cast<double>(world.y[0]), 11);
      expect_nearest(points, world, 1000 * scale, 3 * scale, 11);
      expect_nearest(points, world, -scale, -1e9 * scale, 11);
    });
  }
}

TEST(RankedNearest, RandomPoints) {
  check_random<float>(1);
  check_random<double>(1);
}

// Squares that vanish, are rounded to few bits, or overflow: by the definition, many are equal then.
TEST(RankedNearest, TinyAndHugeNumbers) {
  for (const double scale : {1e-200, 3e-162, 1e-155, 1e100, 1e154, 1e300, 8e307}) {
    SCOPED_TRACE(scale);
    World<double> world = random_world<double>(2000, scale, 9);
    world.add(0, 0, 5, 3);
    world.add(1, -1, 7, 3);
    const RankedPoints points = world.build();
    for (const double x : {0.0, 0.3 * scale, -2 * scale, 1.0, 1.7e308}) {
      expect_nearest(points, world, x, 0.1 * scale, 5);
      expect_nearest(points, world, x, 0.1 * scale, 29, scale / 2);
      expect_nearest(points, world, x, 0.1 * scale, 29, 0);
    }
  }
}

// Ties: whole numbers, each place many times, and nearly all points in one place.
TEST(RankedNearest, EqualDistancesGoByRank) {
  std::mt19937 random(3);
  World<float> lattice, pile;
  for (int i = 0; i < 6000; ++i) {
    lattice.add(static_cast<double>(random() % 20), static_cast<double>(random() % 20),
                static_cast<std::int32_t>(random() % 50), random() & 7);
    const bool away = i % 100 == 0;
    pile.add(away ? static_cast<double>(random() % 100) : 5, away ? static_cast<double>(random() % 100) : 5,
             static_cast<std::int32_t>(random() % 9999), random() & 7);
  }
  for (World<float>* world : {&lattice, &pile}) {
    const RankedPoints points = world->build();
    test::for_each_isa([&](Isa) {
      for (const auto& [x, y] : {std::pair{5.0, 5.0}, {5.5, 5.5}, {0.0, 19.0}, {-40.0, 3.0}, {5.0, 1e6}}) {
        expect_nearest(points, *world, x, y, 5);
      }
    });
  }
}

TEST(RankedNearest, HardPoints) {
  for (const auto kind : scenes::kHardSets) {
    SCOPED_TRACE(std::string(scenes::name(kind)));
    const scenes::HardPoints set = scenes::make_hard_points(kind, 12'000, 4);
    World<float> world;
    for (std::size_t i = 0; i < set.x.size(); ++i) {
      world.add(static_cast<double>(set.x[i]), static_cast<double>(set.y[i]), set.rank[i], i & 7);
    }
    const RankedPoints points = world.build();
    for (const RectF& q : scenes::make_hard_queries(scenes::QueryFamily::kOfficialLike, set, 6, 6)) {
      expect_nearest(points, world, double{q.lx}, double{q.hy}, 13);
    }
  }
}

// One axis a million times as long as the other: circles are slivers among the quanta.
TEST(RankedNearest, FlatAndTallWorlds) {
  for (const double width : {1e-6, 1e6}) {
    World<double> world = random_world<double>(9000, 1, 12);
    for (double& x : world.x) {
      x *= width;
    }
    const RankedPoints points = world.build();
    std::mt19937 random(1);
    std::uniform_real_distribution<double> place(-1.2, 1.2);
    for (int i = 0; i < 12; ++i) {
      expect_nearest(points, world, place(random) * width, place(random), 7);
    }
  }
}

// Few points of many are found through the levels, more than one of them here.
TEST(RankedNearest, FewOfMany) {
  std::mt19937 random(21);
  std::uniform_real_distribution<double> unit(0, 1);
  World<float> world;
  const std::size_t n = 600'000;
  for (std::size_t i = 0; i < n; ++i) {
    const bool clump = i % 3 == 0;
    world.add(clump ? 0.3 + 0.001 * unit(random) : unit(random),
              50 * (clump ? unit(random) / 900 : unit(random)), static_cast<std::int32_t>(random() % n), 1);
  }
  const RankedPoints points = world.build();
  test::for_each_isa([&](Isa) {
    for (int i = 0; i < 24; ++i) {
      const double x = i % 4 == 0 ? 0.3005 : 1.2 * unit(random) - 0.1,
                   y = i % 4 == 0 ? 0.02 : 50 * unit(random);
      for (const std::size_t most : {std::size_t{1000}, std::size_t{4096}, std::size_t{4097}, n / 64}) {
        for (const std::size_t k : {1U, 10U, 300U}) {
          const RankedNearestOptions options = {most, {}, i % 5 == 0 ? 0.1 : kInfinity};
          ASSERT_EQ(ask(points, x, y, k, options), world.brute(x, y, k, options)) << x << ' ' << y;
        }
      }
    }
    ASSERT_EQ(ask(points, 0.5, 9, n, {.most_important = 9000}),
              world.brute(0.5, 9, n, {.most_important = 9000}));
  });
}

TEST(RankedNearest, MaxDistanceIsInclusive) {
  World<double> world;
  world.add(3, 4, 1, 0);
  world.add(-4, 3, 0, 0);
  world.add(5.000001, 0, 0, 0);
  world.add(0, 0, 9, 0);
  const RankedPoints points = world.build();
  EXPECT_EQ(ask(points, 0, 0, 9, {.max_distance = 5}), (Answer{{3, 1, 0}, {0, 5, 5}}));
  EXPECT_EQ(ask(points, 0, 0, 9, {.max_distance = std::nextafter(5, 0)}), (Answer{{3}, {0}}));
  EXPECT_EQ(ask(points, 0, 0, 9, {.max_distance = 0}), (Answer{{3}, {0}}));
  EXPECT_EQ(ask(points, 0, 0, 2, {.most_important = 2}), (Answer{{1, 2}, {5, 5.000001}}));
  EXPECT_EQ(ask(points, 99, 0, 9, {.max_distance = 5}), Answer());
}

// As the header says: the points of a circle.
TEST(RankedNearest, MaxDistanceIsACircle) {
  World<double> world = random_world<double>(3000, 1, 7);
  const RankedPoints points = world.build();
  std::mt19937 random(2);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int i = 0; i < 50; ++i) {
    const double x = unit(random), y = unit(random), r = unit(random);
    Ids inside(world.x.size());
    inside.resize(points.top(RankedRegion::circle(x, y, r), inside.size(), inside).written);
    Ids near = ask(points, x, y, world.x.size(), {.max_distance = r}).ids;
    std::ranges::sort(inside);
    std::ranges::sort(near);
    ASSERT_EQ(inside, near);
  }
}

TEST(RankedNearest, NothingToFind) {
  World<float> world = random_world<float>(100, 1, 5);
  const RankedPoints points = world.build();
  for (const double bad : {kNan, kInfinity, -kInfinity}) {
    EXPECT_EQ(ask(points, bad, 0, 5, {}), Answer());
    EXPECT_EQ(ask(points, 0, bad, 5, {}), Answer());
  }
  EXPECT_EQ(ask(points, 0, 0, 5, {.max_distance = kNan}), Answer());
  EXPECT_EQ(ask(points, 0, 0, 5, {.max_distance = -1}), Answer());
  EXPECT_EQ(ask(points, 0, 0, 0, {}), Answer());
  EXPECT_EQ(ask(points, 0, 0, 5, {.most_important = 0}), Answer());
  EXPECT_EQ(ask(points, 0, 0, 5, {.filter = {.all = 1U << 30}}), Answer());
  EXPECT_EQ(ask(RankedPoints(), 0, 0, 5, {}), Answer());
  Ids out(9);
  std::vector<double> distances(4);
  EXPECT_EQ(points.nearest(0, 0, 9, out, distances).written, 4U);
  EXPECT_EQ(points.nearest(0, 0, 9, std::span(out).first(2), distances).written, 2U);
}

TEST(RankedNearest, LoadedPointsGiveTheSame) {
  World<float> world = random_world<float>(3000, 1, 8);
  const std::string path = testing::TempDir() + "ranked_nearest.jxr";
  ASSERT_TRUE(world.build().save(path));
  const RankedPoints points = RankedPoints::load(path).value();
  std::remove(path.c_str());
  for (int i = -3; i <= 3; ++i) {
    expect_nearest(points, world, 0.3 * i, 0.1, 3);
  }
}

}  // namespace
}  // namespace juxta
