// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Three slips in the code that the contest entry's article prints: each is written here as printed, shown to
// go wrong, and held against the form that classics/ranked has.
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "classics/ranked/record_scan.h"
#include "scenes/contest.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

namespace juxta::classics {
namespace {

std::vector<Record> in_rank_order(const scenes::ContestWorld& w) {
  const RectF all{-2e10F, -2e10F, 2e10F, 2e10F};
  std::vector<Record> records(w.x.size());
  records.resize(RecordScan({w.x, w.y, w.rank, w.id}).top(all, w.x.size(), records.data()));
  return records;
}

// `if(n == n_points)` compares the hits with the number of points, not with the number wanted, and guards
// nothing: every hit is written, whatever room there is.
std::size_t printed_linear_search(const RectF& rect, const std::vector<Record>& points, Record* out) {
  std::size_t n = 0;
  for (const Record& point : points) {
    if (rect.contains(point.x, point.y)) {
      out[n++] = point;
      if (n == points.size()) {
        break;
      }
    }
  }
  return n;
}

TEST(ContestArticleSlips, TheFirstLoopStopsAtTheNumberOfPointsNotAtTheNumberWanted) {
  const auto world = std::move(*scenes::make_contest(5000));
  const std::vector<Record> points = in_rank_order(world);
  const RectF all{-2e10F, -2e10F, 2e10F, 2e10F};
  constexpr std::size_t kWanted = 20;
  std::vector<Record> out(points.size());
  EXPECT_EQ(printed_linear_search(all, points, out.data()), points.size()) << "20 were wanted";
  EXPECT_EQ(RecordScan({world.x, world.y, world.rank, world.id}).top(all, kWanted, out.data()), kWanted);
}

#if defined(__x86_64__) && defined(__GNUC__)
struct Lanes {
  float x[8], y[8];
};

// Whether the loop goes on to look at single lanes.
__attribute__((target("avx"))) bool printed_test_of_lanes(const RectF& rect, const Lanes& points) {
  const __m256 x = _mm256_loadu_ps(points.x), y = _mm256_loadu_ps(points.y);
  const __m256 x_in = _mm256_and_ps(_mm256_cmp_ps(_mm256_set1_ps(rect.lx), x, _CMP_LE_OQ),
                                    _mm256_cmp_ps(_mm256_set1_ps(rect.hx), x, _CMP_GE_OQ));
  const __m256 y_in = _mm256_and_ps(_mm256_cmp_ps(_mm256_set1_ps(rect.ly), y, _CMP_LE_OQ),
                                    _mm256_cmp_ps(_mm256_set1_ps(rect.hy), y, _CMP_GE_OQ));
  return (static_cast<void>(!_mm256_testz_ps(x_in, y_in)), 0) != 0;  // the comma: what counts is the 0
}
__attribute__((target("avx"))) bool meant_test_of_lanes(const RectF& rect, const Lanes& points) {
  const __m256 x = _mm256_loadu_ps(points.x), y = _mm256_loadu_ps(points.y);
  const __m256 x_in = _mm256_and_ps(_mm256_cmp_ps(_mm256_set1_ps(rect.lx), x, _CMP_LE_OQ),
                                    _mm256_cmp_ps(_mm256_set1_ps(rect.hx), x, _CMP_GE_OQ));
  const __m256 y_in = _mm256_and_ps(_mm256_cmp_ps(_mm256_set1_ps(rect.ly), y, _CMP_LE_OQ),
                                    _mm256_cmp_ps(_mm256_set1_ps(rect.hy), y, _CMP_GE_OQ));
  return _mm256_testz_ps(x_in, y_in) == 0;
}

TEST(ContestArticleSlips, TheCommaAfterTestzLetsNoLaneHit) {
  if (!__builtin_cpu_supports("avx")) {
    GTEST_SKIP() << "this machine has no AVX";
  }
  const RectF rect{0, 0, 1, 1};
  Lanes points{};
  for (int lane = 0; lane < 8; ++lane) {
    points.x[lane] = lane == 5 ? 0.5F : 7.0F;
    points.y[lane] = 0.5F;
  }
  EXPECT_TRUE(meant_test_of_lanes(rect, points));
  EXPECT_FALSE(printed_test_of_lanes(rect, points)) << "lane 5 is inside";
}
#endif

// The table of levels has 6,670,350 points in the last one, "actually" 6,668,302: the 2048 best left out once
// more. Levels that share no point and hold ten million leave 6,666,350.
TEST(ContestArticleSlips, TheLastLevelHoldsWhatTheOthersLeave) {
  std::size_t before = 0;
  for (std::size_t level = 0, size = 3050; level < 7; ++level, size *= 3) {
    before += size;
  }
  EXPECT_EQ(std::size_t{10'000'000} - before, 6'666'350U);
  EXPECT_EQ(std::size_t{3050} * 2187, 6'670'350U);
  EXPECT_EQ(std::size_t{6'670'350} - 2048, 6'668'302U);
}

}  // namespace
}  // namespace juxta::classics
