// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Ranked points from C give the answers of C++, from columns and from arrays of structs at the end of a page.
#include <gtest/gtest.h>
#include <juxta.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "c/last_page.h"
#include "juxta/ranked/ranked_points.h"

namespace juxta {
namespace {

template <class Coordinate, class Rank>
struct Place {
  char name[3];
  Coordinate x, y;
  Rank rank;
};

template <class T>
constexpr juxta_scalar kScalar = std::is_same_v<T, float>          ? JUXTA_FLOAT
                                 : std::is_same_v<T, double>       ? JUXTA_DOUBLE
                                 : std::is_same_v<T, std::int32_t> ? JUXTA_INT32
                                                                   : JUXTA_INT64;

juxta_rect draw_rect(std::mt19937& random) {
  std::uniform_real_distribution<double> side(-1, 101);
  const double a = side(random), b = side(random), c = side(random), d = side(random);
  return {std::min(a, b), std::min(c, d), std::max(a, b), std::max(c, d)};
}

template <class Coordinate, class Rank>
void compare(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> whole(0, 1000);
  std::vector<Place<Coordinate, Rank>> places(size);
  for (auto& place : places) {
    place = {"", static_cast<Coordinate>(whole(random)) / 10, static_cast<Coordinate>(whole(random)) / 10,
             static_cast<Rank>(whole(random))};
  }
  // The columns of an array of structs; the last one's rank is the last thing in the page.
  using P = Place<Coordinate, Rank>;
  const test::LastPage<P> at_end(places);
  const auto column = [&](std::size_t offset, juxta_scalar type) {
    return juxta_column{at_end.bytes() + offset, sizeof(P), type};
  };
  juxta_ranked_points* c = nullptr;
  juxta_error error;
  ASSERT_EQ(juxta_ranked_points_build(
                column(offsetof(P, x), kScalar<Coordinate>), column(offsetof(P, y), kScalar<Coordinate>),
                column(offsetof(P, rank), kScalar<Rank>), size, nullptr, nullptr, &c, &error),
            JUXTA_OK)
      << error.message;
  const P none = {}, *const first = places.empty() ? &none : places.data();
  const RankedPoints cpp = RankedPoints::build({&first->x, size, sizeof(P)}, {&first->y, size, sizeof(P)},
                                               {&first->rank, size, sizeof(P)})
                               .value();
  EXPECT_EQ(juxta_ranked_points_size(c), size);
  EXPECT_EQ(juxta_ranked_points_memory_bytes(c), cpp.memory_bytes());
  const juxta_rect bounds = juxta_ranked_points_bounds(c);
  EXPECT_EQ((RectD{bounds.lx, bounds.ly, bounds.hx, bounds.hy}), cpp.bounds());

  std::vector<juxta_rect> rects;
  std::vector<RectD> cpp_rects;
  constexpr std::size_t kMost = 10;
  for (int i = 0; i < 200; ++i) {
    const juxta_rect rect = draw_rect(random);
    rects.push_back(rect);
    cpp_rects.push_back({rect.lx, rect.ly, rect.hx, rect.hy});
    std::vector<std::uint32_t> a(kMost, 7), b(kMost, 7);
    const juxta_query_result found = juxta_ranked_points_top(c, &rect, kMost, a.data());
    EXPECT_EQ(found.written, cpp.top(cpp_rects.back(), kMost, b).written);
    EXPECT_EQ(a, b);
    EXPECT_EQ(juxta_ranked_points_count(c, &rect), cpp.count(cpp_rects.back()).found);
    std::vector<std::uint32_t> cells(12, 7), cpp_cells(12, 7);
    juxta_query_result sum = {};
    ASSERT_EQ(juxta_ranked_points_count_cells(c, &rect, 4, 3, cells.data(), nullptr, &sum, &error), JUXTA_OK)
        << error.message;
    EXPECT_EQ(sum.found, cpp.count_cells(cpp_rects.back(), 4, 3, cpp_cells).value().found);
    EXPECT_EQ(cells, cpp_cells);
  }
  for (const std::size_t stride : {sizeof(juxta_rect), std::size_t{41}}) {
    const test::LastPage<juxta_rect> given(rects, stride);
    std::vector<std::uint32_t> a(rects.size() * kMost, 7), b(a), a_counts(rects.size()),
        b_counts(rects.size());
    juxta_query_result found;
    ASSERT_EQ(juxta_ranked_points_top_batch(c, given.as<juxta_rect>(), stride, rects.size(), kMost, a.data(),
                                            a_counts.data(), nullptr, &found, nullptr),
              JUXTA_OK);
    EXPECT_EQ(found.found, cpp.top(cpp_rects, kMost, b, b_counts).value().found);
    EXPECT_EQ(a, b);
    EXPECT_EQ(a_counts, b_counts);
  }
  juxta_ranked_points_free(c);
}

TEST(CRanked, AnswersAreThoseOfCppForEveryTypeOfColumn) {
  for (const std::size_t size : {0UL, 1UL, 5000UL}) {
    SCOPED_TRACE(size);
    compare<float, std::int32_t>(size, 1);
    compare<float, std::int64_t>(size, 2);
    compare<float, float>(size, 3);
    compare<double, double>(size, 4);
  }
}

TEST(CRanked, MistakesHaveAReason) {
  const float x[3] = {1, 2, std::numeric_limits<float>::infinity()};
  const juxta_column floats = {x, 0, JUXTA_FLOAT}, ranks = {x, 0, JUXTA_INT32},
                     nothing = {nullptr, 0, JUXTA_FLOAT};
  juxta_ranked_points* points = nullptr;
  juxta_error error;
  EXPECT_EQ(juxta_ranked_points_build(floats, floats, ranks, 3, nullptr, nullptr, &points, &error),
            JUXTA_NOT_FINITE);
  EXPECT_EQ(error.index, 2U);
  EXPECT_EQ(juxta_ranked_points_build(ranks, floats, ranks, 2, nullptr, nullptr, &points, &error),
            JUXTA_INVALID_ARGUMENT);
  EXPECT_NE(std::string(error.message).find("column x"), std::string::npos);
  EXPECT_EQ(juxta_ranked_points_build(floats, nothing, ranks, 2, nullptr, nullptr, &points, &error),
            JUXTA_INVALID_ARGUMENT);
  juxta_ranked_options options = {};
  EXPECT_EQ(juxta_ranked_points_build(floats, floats, ranks, 2, &options, nullptr, &points, &error),
            JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(points, nullptr);
  options = juxta_default_ranked_options();
  options.borrow_coordinates = true;
  ASSERT_EQ(juxta_ranked_points_build(floats, floats, ranks, 2, &options, nullptr, &points, &error),
            JUXTA_OK);
  EXPECT_EQ(juxta_ranked_points_rebuild(points, floats, floats, ranks, 3, nullptr, nullptr, &error),
            JUXTA_NOT_FINITE);
  EXPECT_EQ(juxta_ranked_points_size(points), 2U) << "an error changes nothing";
  const juxta_rect all = {0, 0, 9, 9};
  EXPECT_EQ(juxta_ranked_points_top(points, &all, 5, nullptr).written, 0U);
  EXPECT_EQ(
      juxta_ranked_points_top_batch(points, &all, 0, 1, SIZE_MAX, nullptr, nullptr, nullptr, nullptr, &error),
      JUXTA_INVALID_ARGUMENT);
  std::uint32_t cell = 0;
  EXPECT_EQ(juxta_ranked_points_count_cells(points, &all, 0, 1, &cell, nullptr, nullptr, &error),
            JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(juxta_ranked_points_count_cells(points, &all, 1, 1, nullptr, nullptr, nullptr, &error),
            JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(juxta_ranked_points_count_cells(points, &all, SIZE_MAX, 2, &cell, nullptr, nullptr, &error),
            JUXTA_TOO_LARGE);
  juxta_ranked_points_free(points);
  juxta_ranked_points_free(nullptr);
}

TEST(CRanked, FiltersAreThoseOfCpp) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> side(0, 100);
  const std::size_t n = 3000;
  std::vector<double> x(n), y(n), rank(n);
  std::vector<std::uint64_t> masks(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = side(random);
    y[i] = side(random);
    rank[i] = side(random);
    masks[i] = random() & random();
  }
  const test::LastPage<std::uint64_t> given(masks, sizeof(std::uint64_t));
  juxta_ranked_options options = juxta_default_ranked_options();
  EXPECT_EQ(options.categories, nullptr);
  options.categories = given.as<std::uint64_t>();
  juxta_ranked_points* points = nullptr;
  ASSERT_EQ(juxta_ranked_points_build({x.data(), 0, JUXTA_DOUBLE}, {y.data(), 0, JUXTA_DOUBLE},
                                      {rank.data(), 0, JUXTA_DOUBLE}, n, &options, nullptr, &points, nullptr),
            JUXTA_OK);
  const auto cpp = RankedPoints::build(x, y, rank, {.categories = masks}).value();
  EXPECT_EQ(juxta_ranked_points_categories(points), cpp.categories());
  std::vector<juxta_rect> rects;
  std::vector<RectD> cpp_rects;
  for (int i = 0; i < 40; ++i) {
    rects.push_back(draw_rect(random));
    cpp_rects.push_back({rects.back().lx, rects.back().ly, rects.back().hx, rects.back().hy});
  }
  const std::size_t k = 9, m = rects.size();
  for (const juxta_ranked_filter& filter :
       {juxta_ranked_filter{0, 0, 0, {}}, juxta_ranked_filter{0, 4, 0, {}}, juxta_ranked_filter{3, 8, 0, {}},
        juxta_ranked_filter{7, 0, 1, {}}}) {
    const RankedFilter same = {.any = filter.any, .all = filter.all, .none = filter.none};
    std::vector<std::uint32_t> a(m * k), b(m * k), a_counts(m), b_counts(m);
    juxta_query_result sum;
    ASSERT_EQ(juxta_ranked_points_top_filtered_batch(points, rects.data(), sizeof(juxta_rect), m, k, a.data(),
                                                     a_counts.data(), &filter, nullptr, &sum, nullptr),
              JUXTA_OK);
    EXPECT_EQ(sum.found, cpp.top(cpp_rects, k, b, b_counts, same).value().found);
    EXPECT_EQ(a, b);
    EXPECT_EQ(a_counts, b_counts);
    ASSERT_EQ(juxta_ranked_points_count_filtered_batch(points, rects.data(), sizeof(juxta_rect), m,
                                                       a_counts.data(), &filter, nullptr, &sum, nullptr),
              JUXTA_OK);
    EXPECT_EQ(sum.found, cpp.count(cpp_rects, b_counts, same).value().found);
    EXPECT_EQ(a_counts, b_counts);
    for (std::size_t i = 0; i < m; ++i) {
      std::vector<std::uint32_t> one(k);
      const auto top = juxta_ranked_points_top_filtered(points, &rects[i], k, one.data(), &filter);
      EXPECT_EQ(top.written, std::min(k, std::size_t{a_counts[i]}));
      EXPECT_TRUE(std::equal(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(top.written),
                             a.begin() + static_cast<std::ptrdiff_t>(i * k)));
      EXPECT_EQ(juxta_ranked_points_count_filtered(points, &rects[i], &filter), a_counts[i]);
    }
  }
  const double xs[4] = {10, 90, 60, 20}, ys[4] = {10, 30, 95, 80};
  const test::LastPage<double> guarded_x(std::vector<double>(xs, xs + 4), sizeof(double));
  const std::pair<juxta_ranked_region, RankedRegion> regions[] = {
      {juxta_ranked_region_ring(50, 50, 10, 40), RankedRegion::ring(50, 50, 10, 40)},
      {juxta_ranked_region_across({70, 10, 30, 90}), RankedRegion::across({70, 10, 30, 90})},
      {juxta_ranked_region_polygon(guarded_x.as<double>(), ys, 4, nullptr, 0),
       RankedRegion::polygon(xs, ys)}};
  const juxta_ranked_filter only = {0, 4, 1, {}};
  for (const auto& [c_region, region] : regions) {
    std::vector<std::uint32_t> a(50), b(50);
    a.resize(juxta_ranked_points_top_in_region(points, &c_region, 50, a.data(), nullptr).written);
    b.resize(cpp.top(region, 50, b).written);
    EXPECT_EQ(a, b);
    EXPECT_EQ(a.size(), 50U);
    EXPECT_EQ(juxta_ranked_points_count_in_region(points, &c_region, nullptr), cpp.count(region).found);
    EXPECT_EQ(juxta_ranked_points_count_in_region(points, &c_region, &only),
              cpp.count(region, {.all = 4, .none = 1}).found);
  }
  juxta_ranked_points_free(points);
}

TEST(CRanked, RangesAreThoseOfCpp) {
  std::mt19937 random(9);
  const std::size_t n = 3000;
  std::vector<double> x(n), price(n);
  std::vector<std::int64_t> time(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<double>(random() % 1000);
    price[i] = i % 7 == 0 ? std::nan("") : static_cast<double>(random() % 50);
    time[i] = (std::int64_t{1} << 53) + static_cast<std::int64_t>(random() % 9);
  }
  const test::LastPage<double> prices(price, sizeof(double));
  const juxta_column xs = {x.data(), 0, JUXTA_DOUBLE};
  const juxta_column columns[] = {{prices.as<double>(), 0, JUXTA_DOUBLE}, {time.data(), 0, JUXTA_INT64}};
  juxta_ranked_options options = juxta_default_ranked_options();
  options.values = columns;
  options.value_columns = 2;
  juxta_ranked_points* points = nullptr;
  juxta_error error;
  ASSERT_EQ(juxta_ranked_points_build(xs, xs, xs, n, &options, nullptr, &points, &error), JUXTA_OK);
  const ValueColumn values[] = {price, time};
  const auto cpp = RankedPoints::build(x, x, x, {.values = values}).value();
  const juxta_rect rect = {100, 0, 900, 1000};
  const juxta_ranked_range open = {}, prices_of = {0, 0, 9.5, 20, JUXTA_RANGE_REALS},
                           times_of = {time[0], time[0] + 3, 0, 0, JUXTA_RANGE_INTEGERS},
                           wrong = {0, 9, 0, 9, 77};
  const RankedRange cpp_prices = {9.5, 20}, cpp_times = {time[0], time[0] + 3};
  const std::pair<juxta_ranked_filter, RankedFilter> cases[] = {
      {{0, 0, 0, {open, open}}, {}},
      {{0, 0, 0, {prices_of, open}}, {.ranges = {cpp_prices}}},
      {{0, 0, 0, {open, times_of}}, {.ranges = {{}, cpp_times}}},
      {{0, 0, 0, {prices_of, times_of}}, {.ranges = {cpp_prices, cpp_times}}},
      {{0, 0, 0, {wrong, open}}, {.ranges = {{2, 1}}}}};
  std::size_t least = n;
  for (const auto& [c, same] : cases) {
    const std::size_t count = juxta_ranked_points_count_filtered(points, &rect, &c);
    EXPECT_EQ(count, cpp.count({100, 0, 900, 1000}, same).found);
    std::vector<std::uint32_t> a(50), b(50);
    a.resize(juxta_ranked_points_top_filtered(points, &rect, 50, a.data(), &c).written);
    b.resize(cpp.top({100, 0, 900, 1000}, 50, b, same).written);
    EXPECT_EQ(a, b);
    least = std::min(least, count);
  }
  EXPECT_EQ(least, 0U);
  juxta_ranked_points_free(points);

  options.value_columns = 3;
  EXPECT_EQ(juxta_ranked_points_build(xs, xs, xs, n, &options, nullptr, &points, &error),
            JUXTA_INVALID_ARGUMENT);
  options = juxta_default_ranked_options();
  options.value_columns = 1;
  EXPECT_EQ(juxta_ranked_points_build(xs, xs, xs, n, &options, nullptr, &points, &error),
            JUXTA_INVALID_ARGUMENT);
  const juxta_column null = {nullptr, 0, JUXTA_DOUBLE}, odd = {x.data(), 0, 99};
  for (const juxta_column& column : {null, odd}) {
    options.values = &column;
    EXPECT_EQ(juxta_ranked_points_build(xs, xs, xs, n, &options, nullptr, &points, &error),
              JUXTA_INVALID_ARGUMENT);
  }
}

TEST(CRanked, PagesAsInCpp) {
  std::vector<double> x, rank;
  for (int i = 0; i < 5000; ++i) {
    x.push_back(i % 97);
    rank.push_back(i % 11);
  }
  const juxta_column xs = {x.data(), 0, JUXTA_DOUBLE}, ranks = {rank.data(), 0, JUXTA_DOUBLE};
  juxta_ranked_options options = juxta_default_ranked_options();
  options.keep_ranks = true;
  juxta_ranked_points* points = nullptr;
  juxta_error error;
  ASSERT_EQ(juxta_ranked_points_build(xs, xs, ranks, x.size(), &options, nullptr, &points, &error), JUXTA_OK);
  const auto cpp = RankedPoints::build(x, x, rank, {.keep_ranks = true}).value();
  const juxta_rect rect = {3, 3, 60, 60};
  const juxta_ranked_region circle = juxta_ranked_region_ring(40, 40, 0, 12);
  for (const juxta_ranked_cursor after :
       {juxta_ranked_cursor_after_real(3, 1000), juxta_ranked_cursor_after_integer(3, 1000)}) {
    std::vector<std::uint32_t> a(40), b(40);
    juxta_query_result result;
    ASSERT_EQ(juxta_ranked_points_top_after(points, &after, &rect, 40, a.data(), nullptr, &result, &error),
              JUXTA_OK);
    EXPECT_EQ(cpp.top_after({3.0, 1000}, RectD{3, 3, 60, 60}, 40, b)->written, result.written);
    EXPECT_EQ(a, b);
    ASSERT_EQ(juxta_ranked_points_top_after_in_region(points, &after, &circle, 40, a.data(), nullptr, nullptr,
                                                      &error),
              JUXTA_OK);
    EXPECT_TRUE(cpp.top_after({3.0, 1000}, RankedRegion::circle(40, 40, 12), 40, b));
    EXPECT_EQ(a, b);
  }
  const juxta_ranked_cursor nan = juxta_ranked_cursor_after_real(std::nan(""), 1);
  EXPECT_EQ(juxta_ranked_points_top_after(points, &nan, &rect, 1, nullptr, nullptr, nullptr, &error),
            JUXTA_INVALID_ARGUMENT);  // no place for the answer
  std::uint32_t one = 0;
  EXPECT_EQ(juxta_ranked_points_top_after(points, &nan, &rect, 1, &one, nullptr, nullptr, &error),
            JUXTA_NOT_FINITE);
  juxta_ranked_points_free(points);
}

TEST(CRanked, NearestIsThatOfCpp) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> side(0, 100);
  const std::size_t n = 2000;
  std::vector<float> x(n), y(n), rank(n);
  std::vector<std::uint64_t> masks(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = side(random);
    y[i] = side(random);
    rank[i] = side(random);
    masks[i] = random() & 7;
  }
  juxta_ranked_options build = juxta_default_ranked_options();
  build.categories = masks.data();
  juxta_ranked_points* points = nullptr;
  ASSERT_EQ(juxta_ranked_points_build({x.data(), 0, JUXTA_FLOAT}, {y.data(), 0, JUXTA_FLOAT},
                                      {rank.data(), 0, JUXTA_FLOAT}, n, &build, nullptr, &points, nullptr),
            JUXTA_OK);
  const auto cpp = RankedPoints::build(x, y, rank, {.categories = masks}).value();
  constexpr std::size_t kMost = 20;
  for (int i = 0; i < 60; ++i) {
    const double px = static_cast<double>(side(random)), py = static_cast<double>(side(random));
    juxta_ranked_nearest_options c = juxta_default_ranked_nearest_options();
    RankedNearestOptions same;
    if (i % 2 == 1) {
      c.most_important = same.most_important = 500;
      c.filter.all = same.filter.all = 2;
      c.max_distance = same.max_distance = 4;
    }
    std::vector<std::uint32_t> a(kMost, 7), b(kMost, 7);
    std::vector<double> a_far(kMost, 7), b_far(kMost, 7);
    const juxta_query_result got =
        juxta_ranked_points_nearest(points, px, py, kMost, a.data(), a_far.data(), i % 4 == 0 ? nullptr : &c);
    EXPECT_EQ(got.written, cpp.nearest(px, py, kMost, b, b_far, same).written);
    EXPECT_EQ(a, b);
    EXPECT_EQ(a_far, b_far);
  }
  std::uint32_t out = 7;
  double far = 7;
  const juxta_ranked_nearest_options wrong = {};
  EXPECT_EQ(juxta_ranked_points_nearest(points, 1, 1, 1, &out, &far, &wrong).found, 0U);
  EXPECT_EQ(juxta_ranked_points_nearest(points, 1, 1, 1, &out, nullptr, nullptr).found, 0U);
  EXPECT_EQ(out, 7U);
  juxta_ranked_points_free(points);
}

}  // namespace
}  // namespace juxta
