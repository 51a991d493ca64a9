// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Labels against every pair of boxes, tried zoom by zoom.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "juxta/core/monitor.h"
#include "juxta/core/workspace.h"
#include "juxta/ranked/labels.h"
#include "support/code_of.h"

namespace juxta {
namespace {

using Ids = std::vector<std::uint32_t>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class T>
struct LabelWorld {
  std::vector<T> x, y;
  std::vector<int> rank;
  std::vector<float> widths, heights;
  double units_per_pixel = 1;
  unsigned first_zoom = 0, last_zoom = 8;

  [[nodiscard]] RankedLabelsOptions options() const {
    return {.widths = widths,
            .heights = heights,
            .units_per_pixel = units_per_pixel,
            .first_zoom = first_zoom,
            .last_zoom = last_zoom};
  }
  [[nodiscard]] RankedLabels build(const Context& context = {}) const {
    return RankedLabels::build(x, y, rank, options(), context).value();
  }
  [[nodiscard]] bool overlap(std::size_t a, std::size_t b, unsigned zoom) const {
    const auto width = [&](std::size_t i) { return double{widths.empty() ? 80 : widths[i]}; };
    const auto height = [&](std::size_t i) { return double{heights.empty() ? 20 : heights[i]}; };
    const double units = units_per_pixel * std::pow(0.5, zoom);
    const double dx = std::abs(static_cast<double>(x[a]) - static_cast<double>(x[b])),
                 dy = std::abs(static_cast<double>(y[a]) - static_cast<double>(y[b]));
    return dx < (width(a) + width(b)) / 2 * units && dy < (height(a) + height(b)) / 2 * units;
  }
  [[nodiscard]] Ids by_rank() const {
    Ids order(x.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return rank[i]; });
    return order;
  }
};

/// The definition, word for word.
template <class T>
std::vector<std::uint8_t> appears_by_brute_force(const LabelWorld<T>& world) {
  std::vector<std::uint8_t> appears(world.x.size(), RankedLabels::kNever);
  const Ids order = world.by_rank();
  Ids shown;
  for (unsigned zoom = world.first_zoom; zoom <= world.last_zoom; ++zoom) {
    for (const std::uint32_t i : order) {
      if (appears[i] == RankedLabels::kNever &&
          std::ranges::none_of(shown, [&](std::uint32_t s) { return world.overlap(i, s, zoom); })) {
        appears[i] = static_cast<std::uint8_t>(zoom);
        shown.push_back(i);
      }
    }
  }
  return appears;
}

enum class Places { kEven, kClusters, kOnePlace, kLine, kLattice, kHuge, kTiny };
constexpr Places kAllPlaces[] = {Places::kEven,    Places::kClusters, Places::kOnePlace, Places::kLine,
                                 Places::kLattice, Places::kHuge,     Places::kTiny};

template <class T>
LabelWorld<T> make_world(Places places, std::size_t points, bool mixed, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> even(-1000, 1000);
  std::normal_distribution<double> bell;
  std::uniform_int_distribution<int> whole(0, 1000);
  LabelWorld<T> world;
  constexpr double kHuge = sizeof(T) == 4 ? 1e35 : 1e300;
  world.units_per_pixel = places == Places::kTiny                    ? 1e-140
                          : places == Places::kHuge && seed % 2 == 0 ? 1e130
                                                                     : 4;
  for (std::size_t i = 0; i < points; ++i) {
    double x = even(random), y = even(random);
    switch (places) {
      case Places::kEven:
      case Places::kTiny:
        break;
      case Places::kClusters:
        x = std::round(x / 400) * 400 + bell(random) * std::exp2(i % 8);
        y = std::round(y / 400) * 400 + bell(random) * std::exp2(i % 8);
        break;
      case Places::kOnePlace:
        x = i % 100 == 0 ? x : 7;
        y = i % 100 == 0 ? y : -3;
        break;
      case Places::kLine:
        x = 5;
        break;
      case Places::kLattice:  // boxes that touch
        x = std::round(x / 40) * 40;
        y = std::round(y / 20) * 20;
        break;
      case Places::kHuge:
        x *= i % 3 == 0 ? kHuge : 1;
        y *= i % 3 == 1 ? kHuge : 1;
        break;
    }
    world.x.push_back(static_cast<T>(x));
    world.y.push_back(static_cast<T>(y));
    world.rank.push_back(whole(random));
    if (mixed) {
      world.widths.push_back(std::exp2(static_cast<float>(whole(random)) / 100 - 1));
      world.heights.push_back(whole(random) == 0 ? 4096.0F
                                                 : 1.0F / 64 + static_cast<float>(whole(random)) / 40);
    }
  }
  return world;
}

/// The answer of top() for every kind of length of `out`; the places behind it must be untouched.
template <class T>
void expect_views(const LabelWorld<T>& world, const RankedLabels& labels, unsigned seed) {
  const std::vector<std::uint8_t> appears(labels.appears_at_zoom().begin(), labels.appears_at_zoom().end());
  const Ids order = world.by_rank();
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> even(-1100, 1100);
  for (int i = 0; i < 60; ++i) {
    const double a = even(random), b = even(random), size = std::exp2(i % 12);
    RectD view = {a - size, b - size, a + size, b + size};
    view = i == 0 ? RectD{-kInfinity, -kInfinity, kInfinity, kInfinity} : view;
    view = i == 1 ? RectD{a, -kInfinity, kInfinity, b} : view;
    for (const double zoom : {-1.0, 0.0, 1.99, 5.0, 8.0, 100.0}) {
      Ids want;
      for (const std::uint32_t p : order) {
        if (appears[p] != RankedLabels::kNever && appears[p] <= zoom && zoom >= world.first_zoom &&
            view.contains(static_cast<double>(world.x[p]), static_cast<double>(world.y[p]))) {
          want.push_back(p);
        }
      }
      for (const std::size_t capacity :
           {std::size_t{0}, std::size_t{1}, std::size_t{7}, want.size(), want.size() + 3}) {
        Ids got(capacity + 1, 0xDEADBEEF);
        const QueryResult result = labels.top(view, zoom, std::span(got).first(capacity));
        ASSERT_EQ(result.found, want.size());
        ASSERT_EQ(result.written, std::min(capacity, want.size()));
        ASSERT_EQ(got[result.written], 0xDEADBEEF);
        got.resize(result.written);
        ASSERT_EQ(got, Ids(want.begin(), want.begin() + static_cast<std::ptrdiff_t>(result.written)));
      }
    }
  }
}

template <class T>
void expect_brute_force(std::size_t points) {
  for (const Places places : kAllPlaces) {
    for (const bool mixed : {false, true}) {
      for (const unsigned seed : {1U, 2U}) {
        SCOPED_TRACE(std::to_string(static_cast<int>(places)) + " mixed " + std::to_string(mixed) + " seed " +
                     std::to_string(seed));
        LabelWorld<T> world = make_world<T>(places, points, mixed, seed);
        world.first_zoom = seed - 1;
        const RankedLabels labels = world.build();
        const auto got = labels.appears_at_zoom();
        const auto want = appears_by_brute_force(world);
        ASSERT_TRUE(std::ranges::equal(got, want));
        EXPECT_EQ(labels.size(), points);
        EXPECT_EQ(labels.first_zoom(), world.first_zoom);
        EXPECT_EQ(labels.last_zoom(), 8U);
        EXPECT_EQ(labels.shown(),
                  points - static_cast<std::size_t>(std::ranges::count(want, RankedLabels::kNever)));
        expect_views(world, labels, seed);
      }
    }
  }
}

TEST(RankedLabels, AreThoseOfEveryPair) {
  expect_brute_force<float>(500);
  expect_brute_force<double>(500);
}

TEST(RankedLabels, FewPoints) {
  for (const std::size_t points : {0UL, 1UL, 2UL}) {
    const LabelWorld<double> world = make_world<double>(Places::kOnePlace, points, false, 1);
    const RankedLabels labels = world.build();
    EXPECT_TRUE(std::ranges::equal(labels.appears_at_zoom(), appears_by_brute_force(world)));
    expect_views(world, labels, 1);
  }
  EXPECT_EQ(RankedLabels().top({0, 0, 1, 1}, 3, {}).found, 0U);
  EXPECT_EQ(RankedLabels().appears_at_zoom(0), RankedLabels::kNever);
}

// What a user relies on, at a size where brute force takes too long: it is checked around samples.
TEST(RankedLabels, NothingOverlapsAndNothingIsHiddenWithoutCause) {
  const LabelWorld<double> world = make_world<double>(Places::kClusters, 8'000, true, 3);
  const RankedLabels labels = world.build();
  for (unsigned zoom = 0; zoom <= 8; zoom += 2) {
    Ids shown(world.x.size());
    shown.resize(labels.top({-1e9, -1e9, 1e9, 1e9}, zoom, shown).written);
    for (std::uint32_t i = 0; i < world.x.size(); i += 97) {
      const bool is_shown = labels.appears_at_zoom(i) <= zoom;
      const auto overlaps =
          std::ranges::count_if(shown, [&](std::uint32_t s) { return s != i && world.overlap(i, s, zoom); });
      ASSERT_EQ(overlaps == 0, is_shown) << i;
    }
  }
}

TEST(RankedLabels, PanningAndZoomingInKeepWhatIsInView) {
  const LabelWorld<double> world = make_world<double>(Places::kClusters, 5000, false, 4);
  const RankedLabels labels = world.build();
  Ids before(5000), after(5000);
  for (double pan = 0; pan < 500; pan += 37) {
    const RectD view = {-600 + pan, -300, 200 + pan, 300}, next = {-563 + pan, -280, 237 + pan, 320};
    const std::span seen(before.data(), labels.top(view, 4, before).written);
    for (const double zoom : {4.0, 5.0}) {
      const std::span now(after.data(), labels.top(next, zoom, after).written);
      for (const std::uint32_t i : seen) {
        ASSERT_TRUE(!next.contains(world.x[i], world.y[i]) || std::ranges::count(now, i) == 1);
      }
    }
  }
}

TEST(RankedLabels, ViewsThatHoldNothing) {
  const RankedLabels labels = make_world<float>(Places::kEven, 1000, false, 5).build();
  Ids out(1000);
  for (const RectD& view : {RectD{5, 5, 1, 9}, RectD{kNan, 0, 1, 1}, RectD{0, 0, 1, kNan},
                            RectD{kInfinity, kInfinity, kInfinity, kInfinity}}) {
    EXPECT_EQ(labels.top(view, 8, out), QueryResult{}) << view.lx;
  }
  EXPECT_EQ(labels.top({-1000, -1000, 1000, 1000}, kNan, out), QueryResult{});
  EXPECT_EQ(labels.top({-1000, -1000, 1000, 1000}, -kInfinity, out), QueryResult{});
  EXPECT_EQ(labels.top({-1000, -1000, 1000, 1000}, kInfinity, out).found, labels.shown());
}

void expect_error(const RankedLabelsOptions& options, ErrorCode code, const std::string& words,
                  std::uint64_t index = Error::kNowhere) {
  const std::vector<float> x = {1, 2, 3};
  const auto made = RankedLabels::build(x, x, x, options);
  ASSERT_FALSE(made) << words;
  EXPECT_EQ(test::code_of(made), code);
  EXPECT_EQ(made.error().index, index);
  EXPECT_NE(made.error().message.find(words), std::string::npos) << made.error().message;
}

TEST(RankedLabels, MistakesHaveAReason) {
  constexpr auto kInvalid = ErrorCode::kInvalidArgument;
  const std::vector<float> two = {1, 2}, zero = {1, 2, 0}, nan = {1, NAN, 2}, large = {4096.5F, 1, 1};
  expect_error({.widths = two}, kInvalid, "2 values of width for 3 points");
  expect_error({.heights = two}, kInvalid, "2 values of height for 3 points");
  expect_error({.widths = zero}, kInvalid, "width of label 2 is 0", 2);
  expect_error({.heights = nan}, kInvalid, "height of label 1 is nan", 1);
  expect_error({.widths = large}, kInvalid, "from 1/64 to 4096", 0);
  expect_error({.width = -1}, kInvalid, "the width of all labels is -1");
  expect_error({.height = INFINITY}, kInvalid, "the height of all labels is inf");
  expect_error({.units_per_pixel = 0}, kInvalid, "units_per_pixel is 0");
  expect_error({.units_per_pixel = kNan}, kInvalid, "units_per_pixel is nan");
  expect_error({.units_per_pixel = kInfinity}, kInvalid, "units_per_pixel is inf");
  expect_error({.last_zoom = 31}, kInvalid, "0 to 31");
  expect_error({.first_zoom = 5, .last_zoom = 4}, kInvalid, "5 to 4");

  const std::vector<float> x = {1, 2, INFINITY}, good = {1, 2, 3}, short_one = {1};
  EXPECT_EQ(test::code_of(RankedLabels::build(x, good, good)), ErrorCode::kNotFinite);
  EXPECT_EQ(RankedLabels::build(good, x, good).error().index, 2U);
  EXPECT_EQ(RankedLabels::build(good, good, nan).error().index, 1U);
  EXPECT_EQ(test::code_of(RankedLabels::build(good, good, short_one)), kInvalid);
  EXPECT_EQ(test::code_of(RankedLabels::build(good, std::vector<double>{1, 2, 3}, good)), kInvalid);
}

/// Cancels at one of its calls.
class CancelAt final : public Monitor {
 public:
  explicit CancelAt(int call) : left_(call) {}
  bool on_progress(std::string_view, std::uint64_t done, std::uint64_t total) override {
    EXPECT_LE(done, total);
    return --left_ >= 0;
  }
  [[nodiscard]] bool cancelled() const { return left_ < 0; }

 private:
  int left_;
};

TEST(RankedLabels, AMonitorCancelsAtEveryCall) {
  const LabelWorld<float> world = make_world<float>(Places::kClusters, 500, false, 6);
  for (int call = 0;; ++call) {
    CancelAt monitor(call);
    const auto made =
        RankedLabels::build(world.x, world.y, world.rank, world.options(), {.monitor = &monitor});
    if (!monitor.cancelled()) {
      EXPECT_TRUE(made);
      EXPECT_GE(call, 10);
      break;
    }
    ASSERT_FALSE(made);
    EXPECT_EQ(test::code_of(made), ErrorCode::kCancelled);
  }
}

TEST(RankedLabels, TheContextDoesNotChangeThem) {
  const TbbExecutor threads = TbbExecutor::build(3).value();
  Workspace workspace;
  const LabelWorld<float> world = make_world<float>(Places::kClusters, 9'000, true, 7);
  const RankedLabels once = world.build();
  RankedLabels again = world.build({.executor = &threads, .workspace = &workspace});
  again = world.build({.executor = &threads, .workspace = &workspace});
  EXPECT_TRUE(std::ranges::equal(once.appears_at_zoom(), again.appears_at_zoom()));
  EXPECT_EQ(once.memory_bytes(), again.memory_bytes());
  EXPECT_LE(once.memory_bytes(), 9'000 + once.shown() * 40 + 4096);
}

}  // namespace
}  // namespace juxta
