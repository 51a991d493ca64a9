// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Live points from C are those of C++: the same changes, the same answers.
#include <gtest/gtest.h>
#include <juxta.h>

#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "c/last_page.h"
#include "juxta/ranked/live_points.h"

namespace juxta {
namespace {

struct Columns {
  explicit Columns(std::size_t size, unsigned seed = 1) {
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < size; ++i) {
      x.push_back(static_cast<double>(random() % 1000));
      y.push_back(static_cast<double>(random() % 1000));
      rank.push_back(static_cast<std::int32_t>(random() % 100));
      categories.push_back(random() & random() & 3);
    }
  }
  [[nodiscard]] juxta_ranked_columns c() const {
    return {{x.data(), 0, JUXTA_DOUBLE},
            {y.data(), 0, JUXTA_DOUBLE},
            {rank.data(), 0, JUXTA_INT32},
            categories.data(),
            x.size(),
            nullptr,
            0};
  }
  std::vector<double> x, y;
  std::vector<std::int32_t> rank;
  std::vector<std::uint64_t> categories;
};

/// One set, from both sides.
class CLive : public testing::Test {
 protected:
  CLive()
      : from_(2000), cpp_(LiveRankedPoints::build({from_.x, from_.y, from_.rank, from_.categories}).value()) {
    const juxta_ranked_columns columns = from_.c();
    EXPECT_EQ(juxta_live_points_build(&columns, nullptr, nullptr, &c_, &error_), JUXTA_OK) << error_.message;
  }
  ~CLive() override { juxta_live_points_free(c_); }

  void expect_same_places(juxta_ranked_snapshot* snapshot, const RankedSnapshot& now) {
    juxta_ranked_nearest_options options = juxta_default_ranked_nearest_options();
    options.most_important = 900;
    options.filter.any = 1;
    options.max_distance = 400;
    std::vector<juxta_id> got(50);
    std::vector<Id> want(50);
    std::vector<double> got_far(50), want_far(50);
    juxta_query_result result;
    for (const juxta_ranked_nearest_options* asked :
         {static_cast<const juxta_ranked_nearest_options*>(nullptr), &std::as_const(options)}) {
      ASSERT_EQ(juxta_ranked_snapshot_nearest(snapshot, 300, 400, 50, got.data(), got_far.data(), asked,
                                              &result, &error_),
                JUXTA_OK);
      const RankedNearestOptions same = {.most_important = 900, .filter = {.any = 1}, .max_distance = 400};
      const std::size_t written =
          now.nearest(300, 400, 50, want, want_far, asked == nullptr ? RankedNearestOptions{} : same).written;
      ASSERT_EQ(result.written, written);
      ASSERT_GT(written, 5U);
      expect_ids(got, want, written);
      EXPECT_TRUE(std::equal(got_far.begin(), got_far.begin() + static_cast<std::ptrdiff_t>(written),
                             want_far.begin()));
    }
    options.cookie = 7;
    EXPECT_EQ(juxta_ranked_snapshot_nearest(snapshot, 1, 1, 50, got.data(), got_far.data(), &options, &result,
                                            &error_),
              JUXTA_INVALID_ARGUMENT);
    const juxta_rect rect = {100, 100, 700, 800};
    std::vector<std::uint32_t> got_cells(70), want_cells(70);
    ASSERT_EQ(juxta_ranked_snapshot_count_cells(snapshot, &rect, 10, 7, got_cells.data(), nullptr, &result,
                                                &error_),
              JUXTA_OK);
    EXPECT_EQ(result.found, now.count_cells({100, 100, 700, 800}, 10, 7, want_cells)->found);
    EXPECT_EQ(got_cells, want_cells);
    EXPECT_EQ(juxta_ranked_snapshot_count_cells(snapshot, &rect, 10, 0, got_cells.data(), nullptr, &result,
                                                &error_),
              JUXTA_INVALID_ARGUMENT);
  }

  void expect_same() {
    const juxta_ranked_region regions[] = {juxta_ranked_region_rect({100, 100, 700, 800}),
                                           juxta_ranked_region_ring(500, 500, 0, 300),
                                           juxta_ranked_region_across({900, 0, 100, 1000})};
    const RankedRegion same[] = {RankedRegion::rect({100, 100, 700, 800}),
                                 RankedRegion::circle(500, 500, 300),
                                 RankedRegion::across({900, 0, 100, 1000})};
    juxta_ranked_snapshot* snapshot = nullptr;
    ASSERT_EQ(juxta_live_points_snapshot(c_, &snapshot, &error_), JUXTA_OK);
    const RankedSnapshot now = cpp_.snapshot();
    EXPECT_EQ(juxta_ranked_snapshot_size(snapshot), now.size());
    const juxta_ranked_filter filter = {1, 0, 2, {}};
    for (int i = 0; i < 3; ++i) {
      juxta_query_result result;
      std::vector<juxta_id> got(50);
      std::vector<Id> want(50);
      ASSERT_EQ(juxta_ranked_snapshot_top(snapshot, &regions[i], 50, got.data(), &filter, &result, &error_),
                JUXTA_OK);
      EXPECT_EQ(result.written, now.top(same[i], 50, want, {.any = 1, .none = 2}).written);
      expect_ids(got, want, result.written);
      const juxta_ranked_cursor after = juxta_ranked_cursor_after_integer(40, 700);
      ASSERT_EQ(juxta_ranked_snapshot_top_after(snapshot, &after, &regions[i], 50, got.data(), nullptr,
                                                &result, &error_),
                JUXTA_OK);
      EXPECT_EQ(result.written, now.top_after({40, 700}, same[i], 50, want)->written);
      expect_ids(got, want, result.written);
      ASSERT_EQ(juxta_ranked_snapshot_count(snapshot, &regions[i], &filter, &result, &error_), JUXTA_OK);
      EXPECT_EQ(result.found, now.count(same[i], {.any = 1, .none = 2}).found);
    }
    expect_same_places(snapshot, now);
    juxta_ranked_snapshot_free(snapshot);
  }
  static void expect_ids(const std::vector<juxta_id>& got, const std::vector<Id>& want, std::size_t size) {
    EXPECT_GT(size, 0U);
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ((Id{got[i].slot, got[i].generation}), want[i]);
    }
  }

  Columns from_;
  LiveRankedPoints cpp_;
  juxta_live_points* c_ = nullptr;
  juxta_error error_{};
};

TEST_F(CLive, NumbersAreThoseOfCpp) {
  const std::size_t size = from_.x.size();
  std::vector<float> price(size);
  std::vector<std::int64_t> time(size);
  for (std::size_t i = 0; i < size; ++i) {
    price[i] = static_cast<float>(i % 40) / 4;
    time[i] = static_cast<std::int64_t>(i) << 34;
  }
  const juxta_column values[] = {{price.data(), 0, JUXTA_FLOAT}, {time.data(), 0, JUXTA_INT64}};
  juxta_ranked_columns columns = from_.c();
  columns.values = values;
  columns.value_columns = 3;
  juxta_live_points* points = nullptr;
  EXPECT_EQ(juxta_live_points_build(&columns, nullptr, nullptr, &points, &error_), JUXTA_INVALID_ARGUMENT);
  columns.value_columns = 2;
  ASSERT_EQ(juxta_live_points_build(&columns, nullptr, nullptr, &points, &error_), JUXTA_OK);

  const float dear = 77;
  const juxta_id seventh = {7, 1}, dead = {7, 3};
  const juxta_column one = {&dear, 0, JUXTA_FLOAT};
  ASSERT_EQ(juxta_live_points_set_value(points, &seventh, 0, one, 1, &error_), JUXTA_OK);
  EXPECT_EQ(juxta_live_points_set_value(points, &seventh, 2, one, 1, &error_), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(juxta_live_points_set_value(points, &dead, 0, one, 1, &error_), JUXTA_NOT_FOUND);
  juxta_ranked_point found;
  ASSERT_EQ(juxta_live_points_find(points, seventh, &found, &error_), JUXTA_OK);
  EXPECT_EQ(found.real_values[0], 77);
  EXPECT_EQ(found.value_types[0], static_cast<std::uint32_t>(JUXTA_DOUBLE));
  EXPECT_EQ(found.integer_values[1], std::int64_t{7} << 34);
  EXPECT_EQ(found.value_types[1], static_cast<std::uint32_t>(JUXTA_INT64));

  juxta_ranked_snapshot* snapshot = nullptr;
  ASSERT_EQ(juxta_live_points_snapshot(points, &snapshot, &error_), JUXTA_OK);
  const juxta_ranked_region all = juxta_ranked_region_rect({0, 0, 1000, 1000});
  juxta_ranked_filter filter{};
  filter.ranges[0] = {0, 0, 9.5, 80, JUXTA_RANGE_REALS};  // a twentieth of all, and the seventh
  juxta_query_result result;
  ASSERT_EQ(juxta_ranked_snapshot_count(snapshot, &all, &filter, &result, &error_), JUXTA_OK);
  EXPECT_EQ(result.found, size / 20 + 1);
  filter.ranges[1] = {std::int64_t{7} << 34, (std::int64_t{39} << 34) - 1, 0, 0, JUXTA_RANGE_INTEGERS};
  juxta_id best[3];
  ASSERT_EQ(juxta_ranked_snapshot_top(snapshot, &all, 3, best, &filter, &result, &error_), JUXTA_OK);
  ASSERT_EQ(result.written, 2U);  // 7 and 38
  EXPECT_EQ(best[0].slot + best[1].slot, 45U);
  juxta_ranked_snapshot_free(snapshot);
  juxta_live_points_free(points);
}

TEST_F(CLive, ChangesAreThoseOfCpp) {
  expect_same();
  const Columns more(300, 2);
  const juxta_ranked_columns columns = more.c();
  std::vector<juxta_id> ids(300);
  std::vector<Id> same(300);
  ASSERT_EQ(juxta_live_points_insert(c_, &columns, ids.data(), &error_), JUXTA_OK) << error_.message;
  ASSERT_TRUE(cpp_.insert({more.x, more.y, more.rank, more.categories}, same));
  expect_ids(ids, same, 300);
  expect_same();
  ASSERT_EQ(juxta_live_points_move(c_, ids.data(), {more.y.data(), 0, JUXTA_DOUBLE},
                                   {more.x.data(), 0, JUXTA_DOUBLE}, 300, &error_),
            JUXTA_OK);
  ASSERT_TRUE(cpp_.move(same, more.y, more.x));
  expect_same();
  const std::vector<std::int32_t> ranks(300, -5);
  ASSERT_EQ(juxta_live_points_set_rank(c_, ids.data(), {ranks.data(), 0, JUXTA_INT32}, 300, &error_),
            JUXTA_OK);
  ASSERT_TRUE(cpp_.set_rank(same, ranks));
  const std::vector<std::uint64_t> masks(300, 1);
  ASSERT_EQ(juxta_live_points_set_categories(c_, ids.data(), masks.data(), 300, &error_), JUXTA_OK);
  ASSERT_TRUE(cpp_.set_categories(same, masks));
  expect_same();
  ASSERT_EQ(juxta_live_points_remove(c_, ids.data(), 100, &error_), JUXTA_OK);
  ASSERT_TRUE(cpp_.remove(std::span(same).first(100)));
  expect_same();
  EXPECT_EQ(juxta_live_points_size(c_), 2200U);
  EXPECT_GT(juxta_live_points_unmerged(c_), 0U);
  ASSERT_EQ(juxta_live_points_merge(c_, nullptr, &error_), JUXTA_OK);
  EXPECT_EQ(juxta_live_points_unmerged(c_), 0U);
  expect_same();
  EXPECT_GT(juxta_live_points_memory_bytes(c_), 2200U * 20);
}

TEST_F(CLive, FindsOne) {
  juxta_ranked_point point;
  ASSERT_EQ(juxta_live_points_find(c_, {7, 1}, &point, &error_), JUXTA_OK);
  EXPECT_EQ(point.x, from_.x[7]);
  EXPECT_EQ(point.integer_rank, from_.rank[7]);
  EXPECT_EQ(point.rank_type, static_cast<std::uint32_t>(JUXTA_INT64));
  EXPECT_EQ(point.categories, from_.categories[7]);
  EXPECT_EQ(juxta_live_points_find(c_, {7, 2}, &point, &error_), JUXTA_NOT_FOUND);
}

// Nothing behind the last element is read, and ids of the caller end with their page.
TEST_F(CLive, NothingIsReadBehindTheEnd) {
  const Columns more(10, 3);
  const test::LastPage<double> x(more.x), y(more.y, 24);
  const test::LastPage<std::int32_t> rank(more.rank);
  const test::LastPage<std::uint64_t> categories(more.categories);
  const juxta_ranked_columns columns = {{x.bytes(), 0, JUXTA_DOUBLE},
                                        {y.bytes(), 24, JUXTA_DOUBLE},
                                        {rank.bytes(), 0, JUXTA_INT32},
                                        categories.as<std::uint64_t>(),
                                        10,
                                        nullptr,
                                        0};
  std::vector<juxta_id> ids(10);
  ASSERT_EQ(juxta_live_points_insert(c_, &columns, ids.data(), &error_), JUXTA_OK);
  const test::LastPage<juxta_id> named(ids);
  ASSERT_EQ(juxta_live_points_move(c_, named.as<juxta_id>(), columns.y, columns.x, 10, &error_), JUXTA_OK);
  ASSERT_EQ(juxta_live_points_remove(c_, named.as<juxta_id>(), 10, &error_), JUXTA_OK);
}

TEST_F(CLive, KeepsItsFiles) {
  const auto folder = std::filesystem::temp_directory_path() / ("juxta_c_live_" + std::to_string(::getpid()));
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "points.jxr").string();
  ASSERT_EQ(juxta_live_points_keep(c_, path.c_str(), nullptr, &error_), JUXTA_OK) << error_.message;
  EXPECT_EQ(juxta_live_points_keep(c_, path.c_str(), nullptr, &error_), JUXTA_INVALID_ARGUMENT);
  const juxta_id dying[] = {{3, 1}, {4, 1}};
  ASSERT_EQ(juxta_live_points_remove(c_, dying, 2, &error_), JUXTA_OK);
  ASSERT_TRUE(cpp_.remove(std::vector<Id>{{3, 1}, {4, 1}}));
  ASSERT_EQ(juxta_live_points_sync(c_, &error_), JUXTA_OK);
  juxta_live_points* none = nullptr;
  EXPECT_EQ(juxta_live_points_open(path.c_str(), nullptr, nullptr, &none, &error_), JUXTA_IO);
  juxta_live_points_free(std::exchange(c_, nullptr));
  juxta_live_points_options options = juxta_default_live_points_options();
  options.sync_to_disk = true;
  ASSERT_EQ(juxta_live_points_open(path.c_str(), &options, nullptr, &c_, &error_), JUXTA_OK)
      << error_.message;
  expect_same();
  std::filesystem::remove_all(folder);
}

TEST_F(CLive, Refusals) {
  const juxta_id dead[] = {{0, 1}, {1, 9}};
  EXPECT_EQ(juxta_live_points_remove(c_, dead, 2, &error_), JUXTA_NOT_FOUND);
  EXPECT_EQ(error_.index, 1U);
  EXPECT_EQ(juxta_live_points_size(c_), 2000U);
  EXPECT_EQ(juxta_live_points_remove(c_, nullptr, 2, &error_), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(juxta_live_points_set_categories(c_, dead, nullptr, 1, &error_), JUXTA_INVALID_ARGUMENT);
  juxta_ranked_columns columns = from_.c();
  columns.x.type = JUXTA_INT32;
  juxta_id ids[1];
  EXPECT_EQ(juxta_live_points_insert(c_, &columns, ids, &error_), JUXTA_INVALID_ARGUMENT);
  juxta_live_points_options options = juxta_default_live_points_options();
  options.cookie = 0;
  columns = from_.c();
  juxta_live_points* none = nullptr;
  EXPECT_EQ(juxta_live_points_build(&columns, &options, nullptr, &none, &error_), JUXTA_INVALID_ARGUMENT);
  const juxta_executor empty = {nullptr, nullptr};
  options = juxta_default_live_points_options();
  options.executor = &empty;
  EXPECT_EQ(juxta_live_points_build(&columns, &options, nullptr, &none, &error_), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(none, nullptr);
  juxta_live_points_free(nullptr);
  juxta_ranked_snapshot_free(nullptr);
}

}  // namespace
}  // namespace juxta
