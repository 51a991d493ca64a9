// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Building: what is refused and how, rebuilding in place, borrowed and strided columns, progress and cancel.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory_resource>
#include <new>
#include <string>

#include "juxta/core/monitor.h"
#include "juxta/core/workspace.h"
#include "ranked/brute.h"
#include "scenes/hard_points.h"
#include "support/code_of.h"
#include "support/counting_resource.h"

namespace juxta {
namespace {

using test::top_of;
using Ranks = std::vector<std::int32_t>;
const RectD kAll = {-1e300, -1e300, 1e300, 1e300};

TEST(RankedBuild, RefusesWhatHasNoPlaceAndSaysWhere) {
  const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
  const std::vector<float> good = {1, 2, 3};
  const Ranks ranks = {1, 2, 3};
  const auto code_and_index = [](const Result<RankedPoints>& result) {
    return result ? std::pair{ErrorCode::kIo, std::uint64_t{0}}
                  : std::pair{result.error().code, result.error().index};
  };
  using Pair = std::pair<ErrorCode, std::uint64_t>;
  EXPECT_EQ(code_and_index(RankedPoints::build(std::vector<float>{1, nan, nan}, good, ranks)),
            Pair(ErrorCode::kNotFinite, 1));
  EXPECT_EQ(code_and_index(RankedPoints::build(good, std::vector<float>{1, 2, -inf}, ranks)),
            Pair(ErrorCode::kNotFinite, 2));
  EXPECT_EQ(code_and_index(RankedPoints::build(good, good, std::vector<double>{0, std::nan(""), 0})),
            Pair(ErrorCode::kNotFinite, 1));
  EXPECT_EQ(code_and_index(RankedPoints::build(good, good, Ranks{1, 2})).first, ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_and_index(RankedPoints::build(good, std::vector<double>{1, 2, 3}, ranks)).first,
            ErrorCode::kInvalidArgument);
  const auto error = RankedPoints::build(std::vector<float>{1, nan, 3}, good, ranks).error();
  EXPECT_NE(error.message.find("point 1"), std::string::npos) << error.message;
}

TEST(RankedBuild, MoreThanAnIndexHoldsIsRefusedBeforeItIsRead) {
  const float one = 1;
  const std::int32_t rank = 0;
  const std::size_t too_many = std::size_t{1} << 32;
  const auto result = RankedPoints::build({&one, too_many, 0}, {&one, too_many, 0}, {&rank, too_many, 0});
  ASSERT_FALSE(result);
  EXPECT_EQ(test::code_of(result), ErrorCode::kTooLarge);
}

TEST(RankedBuild, InfiniteRanksAreRanks) {
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<float> xs = {0, 1, 2, 3};
  const auto points = RankedPoints::build(xs, xs, std::vector<double>{inf, 0.0, -inf, -0.0}).value();
  EXPECT_EQ(top_of(points, kAll, 4), (std::vector<std::uint32_t>{2, 1, 3, 0}));
}

TEST(RankedBuild, EmptyAnswersNothing) {
  const auto points = RankedPoints::build(std::vector<float>{}, std::vector<float>{}, Ranks{}).value();
  EXPECT_EQ(points.size(), 0u);
  EXPECT_EQ(top_of(points, kAll, 5).size(), 0u);
  EXPECT_EQ(points.count(kAll).found, 0u);
  EXPECT_TRUE(points.bounds().empty());
}

TEST(RankedBuild, AnErrorLeavesThePointsAsTheyWere) {
  RankedPoints points = RankedPoints::build(std::vector<float>{1}, std::vector<float>{1}, Ranks{1}).value();
  EXPECT_FALSE(points.rebuild(std::vector<float>{NAN}, std::vector<float>{1}, Ranks{1}));
  EXPECT_EQ(top_of(points, kAll, 5).size(), 1u);
}

TEST(RankedBuild, ARecordArrayIsReadInPlace) {
#pragma pack(push, 1)
  struct Record {
    std::int8_t kind;
    double rank;
    float x, y;
  };
#pragma pack(pop)
  std::vector<Record> records;
  const scenes::HardPoints set = scenes::make_hard_points(scenes::HardSet::kCities, 5000, 8);
  for (std::size_t i = 0; i < set.x.size(); ++i) {
    records.push_back({0, static_cast<double>(set.rank[i]), set.x[i], set.y[i]});
  }
  const auto* base = reinterpret_cast<const std::byte*>(records.data());
  const StridedColumn<float> xs{base + offsetof(Record, x), sizeof(Record)},
      ys{base + offsetof(Record, y), sizeof(Record)};
  const StridedColumn<double> ranks{base + offsetof(Record, rank), sizeof(Record)};
  RankedPointsOptions borrow;
  borrow.borrow_coordinates = true;
  const auto borrowed = RankedPoints::build({xs, 5000}, {ys, 5000}, {ranks, 5000}, borrow).value();
  const auto owned = RankedPoints::build({xs, 5000}, {ys, 5000}, {ranks, 5000}).value();
  EXPECT_LT(borrowed.memory_bytes(), owned.memory_bytes());
  const test::BruteForce brute(set.x, set.y, set.rank);
  for (const RectF& query : scenes::make_hard_queries(scenes::QueryFamily::kOfficialLike, set, 200, 1)) {
    const RectD rect = test::as_double(query);
    ASSERT_EQ(top_of(borrowed, rect, 20), brute.top(rect, 20));
    ASSERT_EQ(top_of(owned, rect, 20), brute.top(rect, 20));
  }
}

TEST(RankedBuild, RebuildingInPlaceAllocatesNothing) {
  test::CountingResource resource;
  Workspace workspace(&resource);
  Context options;
  options.workspace = &workspace;
  const scenes::HardPoints a = scenes::make_hard_points(scenes::HardSet::kUniform, 40'000, 1);
  const scenes::HardPoints b = scenes::make_hard_points(scenes::HardSet::kUgly, 40'000, 2);
  RankedPoints points = RankedPoints::build(a.x, a.y, a.rank, {}, options, &resource).value();
  workspace.reset();  // joins the blocks of the first build
  ASSERT_TRUE(points.rebuild(b.x, b.y, b.rank, {}, options));
  const std::size_t before = resource.calls();
  ASSERT_TRUE(points.rebuild(a.x, a.y, a.rank, {}, options));
  ASSERT_TRUE(points.rebuild(std::span(b.x).first(30'000), std::span(b.y).first(30'000),
                             std::span(b.rank).first(30'000), {}, options));
  EXPECT_EQ(resource.calls(), before);
  EXPECT_EQ(points.size(), 30'000u);
  EXPECT_EQ(points.count(kAll).found, 30'000u);
}

/// Refuses from some allocation on.
class ScarceResource final : public std::pmr::memory_resource {
 public:
  explicit ScarceResource(int allocations) : left_(allocations) {}

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (left_-- <= 0) {
      throw std::bad_alloc();
    }
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(block, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  int left_;
};

TEST(RankedBuild, WhenMemoryEndsThePointsAreEmpty) {
  const scenes::HardPoints set = scenes::make_hard_points(scenes::HardSet::kUniform, 2000, 1);
  int failures = 0;
  for (int allocations = 0; allocations < 60; ++allocations) {
    ScarceResource resource(allocations);
    RankedPoints points(&resource);
    try {
      ASSERT_TRUE(points.rebuild(set.x, set.y, set.rank));
      EXPECT_EQ(points.count(kAll).found, 2000u);
    } catch (const std::bad_alloc&) {
      ++failures;
      EXPECT_EQ(points.size(), 0u);
      EXPECT_EQ(top_of(points, kAll, 5).size(), 0u);
    }
  }
  EXPECT_GT(failures, 10);
  EXPECT_LT(failures, 60);
}

class StopAfter final : public Monitor {
 public:
  explicit StopAfter(int calls) : left_(calls) {}
  bool on_progress(std::string_view, std::uint64_t done, std::uint64_t total) override {
    EXPECT_LE(done, total);
    return left_-- > 0;
  }

 private:
  int left_;
};

TEST(RankedBuild, AMonitorCanStopEveryStage) {
  const scenes::HardPoints set = scenes::make_hard_points(scenes::HardSet::kUniform, 2000, 1);
  int stops = 0;
  for (int calls = 0; calls < 20; ++calls) {
    StopAfter monitor(calls);
    Context options;
    options.monitor = &monitor;
    RankedPoints points = RankedPoints::build(std::vector<float>{1}, std::vector<float>{1}, Ranks{1}).value();
    if (const auto done = points.rebuild(set.x, set.y, set.rank, {}, options); !done) {
      EXPECT_EQ(test::code_of(done), ErrorCode::kCancelled);
      EXPECT_EQ(points.size(), 0u);
      ++stops;
    } else {
      EXPECT_EQ(points.size(), 2000u);
    }
  }
  EXPECT_GE(stops, 5);
  EXPECT_LT(stops, 20);
}

}  // namespace
}  // namespace juxta
