// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Pages, one behind the other, against all answers in rank order; and cursors at places where no point is.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "juxta/ranked/ranked_points.h"
#include "ranked/brute.h"
#include "scenes/hard_points.h"
#include "support/code_of.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

using test::as_double;
using test::BruteForce;
using Ids = std::vector<std::uint32_t>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr RectD kEverywhere = {-kInfinity, -kInfinity, kInfinity, kInfinity};

template <class R>
struct World {
  std::vector<float> x, y;
  std::vector<R> rank;
  std::vector<std::uint64_t> masks;

  [[nodiscard]] RankedPoints build(bool keep_ranks = true) const {
    return RankedPoints::build(x, y, rank, {.categories = masks, .keep_ranks = keep_ranks}).value();
  }
  /// All answers in rank order.
  template <class Inside>
  [[nodiscard]] Ids all(const RankedFilter& filter, const Inside& inside) const {
    Ids found;
    for (std::uint32_t i = 0; i < x.size(); ++i) {
      const std::uint64_t m = masks[i];
      if (inside(x[i], y[i]) && (m & filter.all) == filter.all && (m & filter.none) == 0 &&
          (filter.any == 0 || (m & filter.any) != 0)) {
        found.push_back(i);
      }
    }
    std::ranges::stable_sort(found, [&](auto a, auto b) { return rank[a] < rank[b]; });
    return found;
  }
};

/// `ranks`: how many different ones there are; few of them make many ties.
template <class R>
World<R> make_world(std::size_t points, unsigned ranks, unsigned seed) {
  std::mt19937 random(seed);
  World<R> world;
  for (std::size_t i = 0; i < points; ++i) {
    world.x.push_back(static_cast<float>(random() % 1000));
    world.y.push_back(static_cast<float>(random() % 1000));
    world.rank.push_back(static_cast<R>(random() % ranks) - static_cast<R>(ranks / 2));
    world.masks.push_back(random() & random() & 7);
  }
  return world;
}

/// Reads all pages of `where` and compares each one; `sizes` are taken in turn.
template <class R, class Where>
void expect_pages(const RankedPoints& points, const World<R>& world, const Where& where,
                  const RankedFilter& filter, const Ids& want, std::span<const std::size_t> sizes) {
  Ids page(sizes[0]);
  page.resize(points.top(where, sizes[0], page, filter).written);
  auto next = want.begin();
  for (std::size_t turn = 1;; ++turn) {
    ASSERT_LE(page.size(), static_cast<std::size_t>(want.end() - next));
    ASSERT_TRUE(std::equal(page.begin(), page.end(), next)) << "page " << turn;
    next += static_cast<std::ptrdiff_t>(page.size());
    if (page.empty()) {
      break;
    }
    const std::uint32_t last = page.back();
    const std::size_t k = sizes[turn % sizes.size()];
    page.assign(k + 1, 0xDEADBEEF);
    const auto result =
        points.top_after({world.rank[last], last}, where, k, std::span(page).first(k), filter).value();
    ASSERT_EQ(page.back(), 0xDEADBEEF);
    ASSERT_EQ(result.found, result.written);
    page.resize(result.written);
  }
  EXPECT_EQ(next, want.end());
}

const std::vector<RankedFilter> kFilters = {
    {}, {.all = 1}, {.any = 6}, {.any = 1, .none = 4}, {.all = 3, .none = 4}};

template <class R>
void expect_all_pages(const World<R>& world) {
  const RankedPoints points = world.build();
  constexpr std::size_t kSmall[] = {7, 20, 1}, kMixed[] = {20, 300, 3, 2000};
  for (const RankedFilter& filter : kFilters) {
    for (const RectD& rect : {RectD{100, 200, 900, 800}, RectD{400, 400, 440, 430}, RectD{10, 0, 12, 999}}) {
      const Ids want = world.all(filter, [&](auto x, auto y) { return rect.contains(x, y); });
      expect_pages(points, world, rect, filter, want, kMixed);
      if (want.size() < 3000) {
        expect_pages(points, world, rect, filter, want, kSmall);
      }
    }
    const auto circle = RankedRegion::circle(500, 500, 120);
    const Ids round = world.all(filter, [&](auto x, auto y) { return circle.contains(x, y); });
    expect_pages(points, world, circle, filter, round, kMixed);
    const auto across = RankedRegion::across({950, 100, 40, 400});
    const Ids edge = world.all(filter, [&](auto x, auto y) { return across.contains(x, y); });
    expect_pages(points, world, across, filter, edge, kSmall);
    expect_pages(points, world, across, filter, edge, kMixed);
  }
}

TEST(RankedPages, EveryPageOfEveryRegion) {
  test::for_each_isa([&](Isa) {
    expect_all_pages(make_world<std::int32_t>(30'000, 1'000'000, 1));
    expect_all_pages(make_world<float>(3'000, 5, 2));
  });
}

TEST(RankedPages, EveryTypeOfRank) {
  for (const unsigned ranks : {1U, 3U, 100'000U}) {
    const auto check = [&]<class R>(R) {
      const auto world = make_world<R>(5'000, ranks, ranks);
      constexpr std::size_t kSizes[] = {100, 33};
      expect_pages(world.build(), world, kEverywhere, {}, world.all({}, [](auto, auto) { return true; }),
                   kSizes);
    };
    check(std::int32_t{});
    check(std::int64_t{});
    check(float{});
    check(double{});
  }
}

/// A page behind some of the answers.
void expect_pages_after(const RankedPoints& points, std::span<const std::int32_t> ranks, const RectD& rect,
                        const Ids& want) {
  for (const std::size_t before : {1U, 30U, 1000U, 20'000U}) {
    for (const std::size_t k : {20U, 400U}) {
      if (before > want.size()) {
        continue;
      }
      const std::uint32_t last = want[before - 1];
      Ids got(k);
      got.resize(points.top_after({ranks[last], last}, rect, k, got).value().written);
      const auto begin = want.begin() + static_cast<std::ptrdiff_t>(before);
      const auto size = static_cast<std::ptrdiff_t>(std::min(k, want.size() - before));
      ASSERT_EQ(got, Ids(begin, begin + size)) << before << " " << k;
    }
  }
}

// Large sets, in which levels, lists and trees all have their turn; ranks follow the place in some.
TEST(RankedPages, HardPoints) {
  for (const scenes::HardSet kind : scenes::kHardSets) {
    const scenes::HardPoints set = scenes::make_hard_points(kind, 40'000, 3);
    const auto points = RankedPoints::build(set.x, set.y, set.rank, {.keep_ranks = true}).value();
    const BruteForce brute(set.x, set.y, set.rank);
    for (const auto family : scenes::kQueryFamilies) {
      SCOPED_TRACE(testing::Message() << scenes::name(kind) << " " << scenes::name(family));
      for (const RectF& query : scenes::make_hard_queries(family, set, 6, 3)) {
        expect_pages_after(points, set.rank, as_double(query), brute.top(as_double(query), set.x.size()));
      }
    }
  }
}

// A cursor whose own point is there is looked up in a list; the same place without a point is found by its
// rank.
TEST(RankedPages, BothWaysToOnePlace) {
  const scenes::HardPoints set = scenes::make_hard_points(scenes::HardSet::kUniform, 200'000, 8);
  const auto points = RankedPoints::build(set.x, set.y, set.rank, {.keep_ranks = true}).value();
  for (const auto family : scenes::kQueryFamilies) {
    for (const RectF& query : scenes::make_hard_queries(family, set, 50, 8)) {
      Ids page(20), again(20);
      const RectD rect = as_double(query);
      if (points.top(rect, 20, page).written < 20) {
        continue;
      }
      const std::uint32_t last = page.back();
      page.resize(points.top_after({set.rank[last], last}, rect, 20, page)->written);
      again.resize(points.top_after({set.rank[last], last + 200'000}, rect, 20, again)->written);
      ASSERT_EQ(page, again);  // no two ranks are the same
    }
  }
}

// Its own point may be gone: what is behind it does not change.
TEST(RankedPages, CursorsBetweenPoints) {
  const std::vector<float> x = {0, 1, 2, 3, 4}, y = {0, 0, 0, 0, 0};
  const std::vector<std::int32_t> rank = {5, 3, 5, 9, 5};  // order: 1, 0, 2, 4, 3
  const auto points = RankedPoints::build(x, y, rank, {.keep_ranks = true}).value();
  const auto behind = [&](const RankedCursor& after) {
    Ids got(9);
    got.resize(points.top_after(after, kEverywhere, 9, got).value().written);
    return got;
  };
  EXPECT_EQ(behind({-7, 0}), (Ids{1, 0, 2, 4, 3}));
  EXPECT_EQ(behind({3, 0}), (Ids{1, 0, 2, 4, 3}));  // index 1 is behind index 0
  EXPECT_EQ(behind({3, 1}), (Ids{0, 2, 4, 3}));
  EXPECT_EQ(behind({4, 77}), (Ids{0, 2, 4, 3}));
  EXPECT_EQ(behind({5, 1}), (Ids{2, 4, 3}));
  EXPECT_EQ(behind({5, 3}), (Ids{4, 3}));
  EXPECT_EQ(behind({5, 99}), (Ids{3}));
  EXPECT_EQ(behind({std::int64_t{1} << 40, 0}), Ids{});
  EXPECT_EQ(behind({9, 3}), Ids{});
}

// Zeros of both signs are one rank, and infinities are in order.
TEST(RankedPages, RanksOfFloat) {
  const std::vector<float> x = {0, 1, 2, 3};
  const std::vector<double> rank = {0.0, -0.0, kInfinity, -kInfinity};  // order: 3, 0, 1, 2
  const auto points = RankedPoints::build(x, x, rank, {.keep_ranks = true}).value();
  Ids got(4);
  got.resize(points.top_after({-0.0, 0}, kEverywhere, 4, got).value().written);
  EXPECT_EQ(got, (Ids{1, 2}));
  got.resize(4);
  got.resize(points.top_after({0, 1}, kEverywhere, 4, got).value().written);  // of an integer
  EXPECT_EQ(got, (Ids{2}));
  got.resize(4);
  got.resize(points.top_after({-kInfinity, 9}, kEverywhere, 4, got).value().written);
  EXPECT_EQ(got, (Ids{0, 1, 2}));
}

TEST(RankedPages, Refusals) {
  const auto world = make_world<std::int32_t>(100, 10, 4);
  const auto code = [](const RankedPoints& points, const RankedCursor& after) {
    Ids out(5);
    return test::code_of(points.top_after(after, kEverywhere, 5, out));
  };
  EXPECT_EQ(code(world.build(false), {1, 1}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(world.build(), {1.0, 1}), ErrorCode::kInvalidArgument);
  const auto real = make_world<float>(100, 10, 4).build();
  EXPECT_EQ(code(real, {(std::int64_t{1} << 53) + 1, 1}), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(real, {kNan, 1}), ErrorCode::kNotFinite);
  EXPECT_EQ(code(real, {std::numeric_limits<float>::quiet_NaN(), 1}), ErrorCode::kNotFinite);
}

TEST(RankedPages, NothingToShow) {
  const RankedPoints none;
  Ids out(5);
  EXPECT_EQ(none.top_after({1, 1}, kEverywhere, 5, out)->written, 0U);
  const auto world = make_world<std::int32_t>(100, 10, 4);
  const auto points = world.build();
  EXPECT_EQ(points.top_after({-100, 1}, kEverywhere, 0, out)->written, 0U);
  EXPECT_EQ(points.top_after({-100, 1}, kEverywhere, 5, {})->written, 0U);
  EXPECT_EQ(points.top_after({-100, 1}, RectD{5, 5, 1, 1}, 5, out)->written, 0U);
  EXPECT_EQ(points.top_after({-100, 1}, kEverywhere, 5, out, {.all = 1U << 20})->written, 0U);
}

TEST(RankedPages, FilesKeepRanks) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("juxta_pages_" + std::to_string(::getpid()))).string();
  const auto check = [&]<class R>(R) {
    const auto world = make_world<R>(5'000, 50, 5);
    ASSERT_TRUE(world.build().save(path));
    const auto points = RankedPoints::load(path).value();
    constexpr std::size_t kSizes[] = {500, 33};
    expect_pages(points, world, kEverywhere, kFilters[2],
                 world.all(kFilters[2], [](auto, auto) { return true; }), kSizes);
  };
  check(std::int32_t{});
  check(std::int64_t{});
  check(float{});
  check(double{});
  std::filesystem::remove(path);
}

TEST(RankedPages, RebuildForgetsRanks) {
  const auto world = make_world<std::int32_t>(1'000, 10, 6);
  RankedPoints points = world.build();
  const std::size_t with = points.memory_bytes();
  ASSERT_TRUE(points.rebuild(world.x, world.y, world.rank));
  Ids out(5);
  EXPECT_FALSE(points.top_after({1, 1}, kEverywhere, 5, out));
  EXPECT_GE(with, world.build(false).memory_bytes() + 4 * world.x.size());
}

}  // namespace
}  // namespace juxta
