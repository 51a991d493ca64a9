// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Random histories of all changes and questions, in lockstep with a plain list of points.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "juxta/core/monitor.h"
#include "juxta/ranked/live_points.h"
#include "ranked/live_lockstep.h"
#include "support/code_of.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

using test::Lockstep;
using test::Scene;
using Ids = std::vector<Id>;
constexpr LiveRankedOptions kByHand = {.merge_in_background = false};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr RectD kEverywhere = {-kInfinity, -kInfinity, kInfinity, kInfinity};

template <class T, class R>
void run(const Scene& scene, unsigned seed, int changes, bool merges,
         const LiveRankedOptions& options = {.merge_in_background = false}) {
  SCOPED_TRACE(testing::Message() << scene.points << " points, " << scene.places << " places, " << scene.ranks
                                  << " ranks, seed " << seed);
  Lockstep<T, R> lockstep(scene, seed, options);
  for (int i = 0; i < changes && !testing::Test::HasFatalFailure(); ++i) {
    lockstep.change();
    lockstep.find();
    if (i % 3 == 0) {
      lockstep.ask();
    }
    if (merges && i % 97 == 50) {
      lockstep.merge();
      lockstep.ask();
    }
  }
}

TEST(LiveRankedPoints, RandomHistories) {
  test::for_each_isa([](Isa) {
    unsigned seed = 1;
    for (const std::size_t points : {0U, 40U, 3000U}) {
      for (const bool merges : {false, true}) {
        run<float, std::int32_t>({.points = points}, ++seed, 400, merges);
        run<double, double>({.points = points, .ranks = 5}, ++seed, 400, merges);
      }
    }
  });
}

TEST(LiveRankedPoints, EveryType) {
  run<float, float>({.points = 500}, 3, 300, true);
  run<float, std::int64_t>({.points = 500}, 4, 300, true);
  run<float, double>({.points = 500}, 5, 300, true);
  run<double, float>({.points = 500}, 6, 300, true);
  run<double, std::int32_t>({.points = 500}, 7, 300, true);
  run<double, std::int64_t>({.points = 500}, 8, 300, true);
}

// Filters ask for ranges of numbers: of points that have none at first, of one or two columns, of few
// different numbers.
TEST(LiveRankedPoints, Numbers) {
  test::for_each_isa([](Isa) {
    unsigned seed = 40;
    for (const std::size_t points : {0U, 40U, 3000U}) {
      for (const bool merges : {false, true}) {
        run<float, std::int32_t>({.points = points, .values = 2}, ++seed, 300, merges);
        run<double, double>({.points = points, .ranks = 50, .values = 1}, ++seed, 300, merges);
      }
    }
    run<float, std::int32_t>({.points = 3000, .places = 4, .ranks = 30, .values = 2}, ++seed, 400, true);
  });
}

TEST(LiveRankedPoints, NumbersThatDoNotFit) {
  const std::vector<double> one = {1};
  const std::vector<std::int32_t> integer = {7};
  const std::vector<float> real = {0.5F};
  const ValueColumn columns[] = {integer, real};
  auto live = LiveRankedPoints::build({one, one, integer, {}, columns}, kByHand).value();
  const auto code = [&](const RankValue& first, const RankValue& second) {
    RankedPoint point = {.x = 1, .y = 1, .rank = 1};
    point.values[0] = first;
    point.values[1] = second;
    return test::code_of(live.insert(point));
  };
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(code(kNone, 1), ErrorCode::kInvalidArgument);  // integers have no "none"
  EXPECT_EQ(code(1.5, 1), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(std::int64_t{1} << 40, 1), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(1, (std::int64_t{1} << 53) + 1), ErrorCode::kInvalidArgument);
  Ids ids(1);
  EXPECT_EQ(live.insert({one, one, integer, {}, std::span(columns).first(1)}, ids).error().code,
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(live.set_value(Id{0, 1}, 2, 1).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(live.size(), 1U);
  ASSERT_TRUE(live.set_value(Id{0, 1}, 1, kNone));
  EXPECT_TRUE(std::isnan(live.find(Id{0, 1})->values[1].real()));
  EXPECT_EQ(live.find(Id{0, 1})->values[0].integer(), 7);
  const ValueColumn three[] = {integer, real, real};
  EXPECT_EQ(test::code_of(LiveRankedPoints::build({one, one, integer, {}, three}, kByHand)),
            ErrorCode::kInvalidArgument);
}

// All at one place, all of one rank, and points far outside of what the axes of the frozen index know.
TEST(LiveRankedPoints, HardScenes) {
  for (const bool merges : {false, true}) {
    run<float, std::int32_t>({.points = 300, .places = 1}, 11, 500, merges);
    run<float, std::int32_t>({.points = 300, .ranks = 1}, 12, 500, merges);
    run<float, std::int32_t>({.points = 0, .places = 1, .ranks = 1}, 13, 500, merges);
    run<float, std::int32_t>({.points = 2000, .spread = 1e6}, 14, 500, merges);
    run<double, double>({.points = 2000, .places = 3, .spread = -1e9}, 15, 500, merges);
  }
}

// Slivers, in which no quantum decides: hundreds of records are looked up, more than wait together, and many
// of them lie outside. Ranks are often equal.
TEST(LiveRankedPoints, ManyDoubtfulPoints) {
  constexpr std::uint32_t kBuilt = 2000, kAll = 6000;
  std::vector<float> x, y;
  std::vector<std::int32_t> rank;
  for (std::uint32_t i = 0; i < kAll; ++i) {
    const std::uint32_t h = i * 2654435761U;
    x.push_back(static_cast<float>(h >> 29) + (i < kBuilt ? 0.0F : 0.25F * static_cast<float>(h >> 7 & 3)));
    y.push_back(static_cast<float>(h >> 10 & 1023));
    rank.push_back(static_cast<std::int32_t>(h >> 20) / 4);
  }
  const auto column = [&](auto& of, std::size_t from, std::size_t to) {
    return std::span(of.data() + from, to - from);
  };
  auto live =
      LiveRankedPoints::build({column(x, 0, kBuilt), column(y, 0, kBuilt), column(rank, 0, kBuilt)}, kByHand)
          .value();
  Ids ids(kAll - kBuilt);
  ASSERT_TRUE(
      live.insert({column(x, kBuilt, kAll), column(y, kBuilt, kAll), column(rank, kBuilt, kAll)}, ids));
  test::for_each_isa([&](Isa) {
    const RankedSnapshot now = live.snapshot();
    for (const RectD& rect : {RectD{3, 0, 3, 1023}, RectD{3.1, 100, 3.3, 900}, RectD{5.5, 0, 5.6, 700},
                              RectD{2.9, 7, 3.9, 8}, RectD{6.75, 0, 7, 1023}}) {
      Ids want;
      for (std::uint32_t i = 0; i < kAll; ++i) {
        if (rect.contains(static_cast<double>(x[i]), static_cast<double>(y[i]))) {
          want.push_back({i, 1});
        }
      }
      std::ranges::stable_sort(want, {}, [&](const Id& id) { return rank[id.slot]; });
      EXPECT_EQ(now.count(rect).found, want.size());
      for (const std::size_t k : {std::size_t{1}, std::size_t{20}, std::size_t{100}, std::size_t{6000}}) {
        Ids got(k);
        got.resize(now.top(rect, k, got).written);
        const auto end = want.begin() + static_cast<std::ptrdiff_t>(std::min(k, want.size()));
        EXPECT_EQ(got, Ids(want.begin(), end)) << k;
      }
      const std::size_t half = want.size() / 2;
      if (half != 0) {
        const Id last = want[half - 1];
        for (const std::size_t k : {std::size_t{5}, want.size()}) {
          Ids page(k);
          const auto found = now.top_after({rank[last.slot], last.slot}, RankedRegion::rect(rect), k, page);
          page.resize(found->written);
          const auto begin = want.begin() + static_cast<std::ptrdiff_t>(half);
          EXPECT_EQ(page, Ids(begin, begin + static_cast<std::ptrdiff_t>(std::min(k, want.size() - half))));
        }
      }
    }
  });
}

TEST(LiveRankedPoints, MergesInTheBackground) {
  run<float, std::int32_t>({.points = 2000}, 21, 3000, false, {});
  run<double, double>({.points = 0, .ranks = 50}, 22, 2000, false, {});
}

/// Changes points whenever a merge reports itself.
class Changing final : public Monitor {
 public:
  Changing(Lockstep<float, std::int32_t>& lockstep, int changes) : lockstep_(lockstep), changes_(changes) {}
  bool on_progress(std::string_view, std::uint64_t, std::uint64_t) override {
    for (int i = 0; i < changes_; ++i) {
      lockstep_.change();
    }
    lockstep_.ask();
    return true;
  }

 private:
  Lockstep<float, std::int32_t>& lockstep_;
  int changes_;
};

// What changes during a merge is made to the new index too: a few changes at its end, many before that.
TEST(LiveRankedPoints, ChangesWhileItMerges) {
  for (const int changes : {1, 3, 40}) {
    Lockstep<float, std::int32_t> lockstep({.points = 1000}, 31, {.merge_in_background = false});
    for (int merge = 0; merge < 4; ++merge) {
      Changing monitor(lockstep, changes);
      ASSERT_TRUE(lockstep.live().merge({.monitor = &monitor}));
      for (int i = 0; i < 20; ++i) {
        lockstep.ask();
        lockstep.find();
      }
    }
  }
}

// The best ones go first: the frozen index answers with what is gone, and has to be asked again.
TEST(LiveRankedPoints, TheBestGoFirst) {
  std::vector<float> x;
  std::vector<std::int32_t> rank;
  for (int i = 0; i < 5000; ++i) {
    x.push_back(static_cast<float>(i * 7919 % 5000));
    rank.push_back(i);
  }
  auto live = LiveRankedPoints::build({x, x, rank}, {.merge_in_background = false}).value();
  for (std::uint32_t i = 0; i < 4000; ++i) {
    ASSERT_TRUE(live.remove(Id{i, 1}));
    if (i % 250 == 0 || i > 3990) {
      Ids got(3);
      const RankedSnapshot now = live.snapshot();
      ASSERT_EQ(now.top(kEverywhere, 3, got).written, 3U);
      EXPECT_EQ(got, (Ids{{i + 1, 1}, {i + 2, 1}, {i + 3, 1}}));
      EXPECT_EQ(now.count(kEverywhere).found, 4999 - i);
    }
  }
}

// A snapshot keeps what it has, over changes and merges.
TEST(LiveRankedPoints, SnapshotsStay) {
  auto live = LiveRankedPoints::build(
                  {std::vector<float>{1, 2}, std::vector<float>{1, 2}, std::vector<std::int32_t>{1, 2}},
                  {.merge_in_background = false})
                  .value();
  std::vector<RankedSnapshot> snapshots;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    if (i % 100 == 0) {
      snapshots.push_back(live.snapshot());
    }
    ASSERT_TRUE(live.insert({static_cast<double>(i), 5, static_cast<int>(i) + 3}));
    if (i % 1000 == 500) {
      ASSERT_TRUE(live.merge());
    }
  }
  for (std::uint32_t i = 0; i < 3000; ++i) {
    ASSERT_TRUE(live.remove(Id{i, 1}));
  }
  for (std::size_t i = 0; i < snapshots.size(); ++i) {
    EXPECT_EQ(snapshots[i].count(kEverywhere).found, 100 * i + 2);
    Ids got(1000);
    const std::size_t wanted = std::min<std::size_t>(1000, 100 * i + 2);
    ASSERT_EQ(snapshots[i].top(kEverywhere, 1000, got).written, wanted);
    for (std::uint32_t p = 0; p < wanted; ++p) {
      ASSERT_EQ(got[p], (Id{p, 1}));
    }
  }
}

TEST(LiveRankedPoints, Refusals) {
  auto live =
      LiveRankedPoints::build({std::vector<float>{1}, std::vector<float>{1}, std::vector<std::int32_t>{1}})
          .value();
  const auto code = [](const auto& result) { return test::code_of(result); };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(code(live.insert({kNan, 0, 1})), ErrorCode::kNotFinite);
  EXPECT_EQ(code(live.insert({0, kInfinity, 1})), ErrorCode::kNotFinite);
  EXPECT_EQ(code(live.insert({1e200, 0, 1})), ErrorCode::kNotFinite);  // not a float
  EXPECT_EQ(code(live.insert({0, 0, 1.0})), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(live.insert({0, 0, std::int64_t{1} << 40})), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(live.remove(Id{0, 2})), ErrorCode::kNotFound);
  EXPECT_EQ(code(live.remove(Id{})), ErrorCode::kNotFound);
  EXPECT_EQ(code(live.move(Id{5, 1}, 0, 0)), ErrorCode::kNotFound);
  EXPECT_EQ(code(live.move(Id{0, 1}, kNan, 0)), ErrorCode::kNotFinite);
  EXPECT_EQ(code(live.set_rank(Id{0, 1}, 1.5)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(live.find(Id{9, 1})), ErrorCode::kNotFound);
  const Ids ids = {{0, 1}, {3, 1}};
  EXPECT_EQ(live.set_categories(ids, std::vector<std::uint64_t>{1, 2}).error().index, 1U);
  EXPECT_EQ(code(live.set_categories(ids, std::vector<std::uint64_t>{1})), ErrorCode::kInvalidArgument);
  EXPECT_EQ(live.find(Id{0, 1})->categories, 0U);  // nothing was changed
  EXPECT_EQ(live.size(), 1U);
  Ids out(1);
  const RankedSnapshot now = live.snapshot();
  EXPECT_EQ(code(now.top_after({1.5, 0}, RankedRegion::rect(kEverywhere), 1, out)),
            ErrorCode::kInvalidArgument);
}

// A page behind slot 0, which no frozen point has, and a rank that is an integer among real ones.
TEST(LiveRankedPoints, PagesBehindTheFirstSlot) {
  const std::vector<double> x = {0, 1, 2, 3}, rank = {9, 4.5, 5, 5};
  auto live = LiveRankedPoints::build({x, x, rank}, {.merge_in_background = false}).value();
  ASSERT_TRUE(live.remove(Id{0, 1}));
  ASSERT_TRUE(live.merge());
  const auto first = live.insert({7, 7, 5}).value();
  ASSERT_EQ(first, (Id{0, 3}));
  const auto behind = [&](const RankedCursor& after) {
    Ids got(9);
    got.resize(live.snapshot().top_after(after, RankedRegion::rect(kEverywhere), 9, got).value().written);
    return got;
  };
  EXPECT_EQ(behind({4.5, 1}), (Ids{{0, 3}, {2, 1}, {3, 1}}));
  EXPECT_EQ(behind({5.0, 0}), (Ids{{2, 1}, {3, 1}}));
  EXPECT_EQ(behind({5, 0}), (Ids{{2, 1}, {3, 1}}));
  EXPECT_EQ(behind({-(std::int64_t{1} << 53), 0}), (Ids{{1, 1}, {0, 3}, {2, 1}, {3, 1}}));
  EXPECT_EQ(behind({-kInfinity, 0}), (Ids{{1, 1}, {0, 3}, {2, 1}, {3, 1}}));
  const auto whole = LiveRankedPoints::build({x, x, std::vector<std::int64_t>{1, 2, 3, 4}}).value();
  Ids got(9);
  EXPECT_EQ(
      whole.snapshot()
          .top_after({std::numeric_limits<std::int64_t>::min(), 0}, RankedRegion::rect(kEverywhere), 9, got)
          ->written,
      4U);
}

TEST(LiveRankedPoints, RoundsToTheTypeOfTheColumns) {
  auto live =
      LiveRankedPoints::build({std::vector<float>{1}, std::vector<float>{1}, std::vector<float>{1}}).value();
  const Id id = live.insert({0.1, 0.1, 0.1}).value();
  EXPECT_EQ(live.find(id)->x, static_cast<double>(0.1F));
  EXPECT_EQ(live.find(id)->rank.real(), static_cast<double>(0.1F));
  ASSERT_TRUE(live.merge());
  EXPECT_EQ(live.find(id)->x, static_cast<double>(0.1F));
  ASSERT_TRUE(live.set_rank(id, 1e300));
  EXPECT_EQ(live.find(id)->rank.real(), kInfinity);
}

}  // namespace
}  // namespace juxta
