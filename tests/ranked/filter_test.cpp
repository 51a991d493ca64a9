// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Questions with a filter against every point looked at, on every instruction set and executor.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "juxta/core/workspace.h"
#include "ranked/brute.h"
#include "scenes/hard_points.h"
#include "support/code_of.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using Masks = std::vector<std::uint64_t>;

bool passes(std::uint64_t mask, const RankedFilter& filter) {
  return (mask & filter.all) == filter.all && (mask & filter.none) == 0 &&
         (filter.any == 0 || (mask & filter.any) != 0);
}

// Bits 0, 1, 2: at random, 1 %, 10 %, 50 %. 3: every point. 4: a half of the space. 5: the better half of the
// ranks. 9: one point. 40: points that bit 2 does not have. 63: at random, a quarter.
Masks make_masks(const scenes::HardPoints& set, std::uint64_t seed) {
  Masks masks(set.x.size());
  std::uint64_t state = seed;
  const auto draw = [&] {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state >> 11) * 0x1p-53;
  };
  const std::size_t n = set.x.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t& mask = masks[i];
    mask = std::uint64_t{draw() < 0.01} | std::uint64_t{draw() < 0.1} << 1 | std::uint64_t{draw() < 0.5} << 2;
    mask |= 1U << 3 | std::uint64_t{set.x[i] < set.frame.lx + (set.frame.hx - set.frame.lx) / 2} << 4;
    mask |= std::uint64_t{static_cast<std::size_t>(set.rank[i]) < n / 2} << 5;
    mask |= std::uint64_t{i == n / 3} << 9 | std::uint64_t{(mask & 4) == 0} << 40;
    mask |= std::uint64_t{draw() < 0.25} << 63;
  }
  return masks;
}

constexpr std::uint64_t bit(int b) {
  return std::uint64_t{1} << b;
}

const std::vector<RankedFilter> kFilters = {
    {},
    {.any = bit(0)},
    {.all = bit(1)},
    {.all = bit(2)},
    {.all = bit(3)},
    {.any = bit(4)},
    {.all = bit(5)},
    {.all = bit(9)},
    {.all = bit(63)},
    {.none = bit(2)},
    {.none = bit(3)},           // nobody
    {.all = bit(2) | bit(40)},  // nobody, but both are everywhere
    {.any = bit(0) | bit(1)},   // in place of one
    {.any = bit(0) | bit(63), .none = bit(2)},
    {.any = bit(1) | bit(4), .all = bit(63), .none = bit(5)},
    {.any = bit(4) | bit(9), .all = bit(4)},   // `all` has one of `any`
    {.any = bit(0) | bit(2), .none = bit(2)},  // one of `any` is left
    {.any = bit(17)},                          // bits that no point has
    {.all = bit(17) | bit(2)},
    {.none = bit(17)},
    {.any = bit(17) | bit(2)},
    {.any = bit(2), .none = bit(2)},  // nobody can
    {.any = ~std::uint64_t{0}},
    {.none = ~std::uint64_t{0}},
};

std::string temporary(const char* name) {
  return (std::filesystem::temp_directory_path() / ("juxta_" + std::to_string(::getpid()) + "_" + name))
      .string();
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Every point, looked at in rank order.
class FilteredBrute {
 public:
  FilteredBrute(const scenes::HardPoints& set, const Masks& masks)
      : set_(set), masks_(masks), order_(order_of(set)) {}

  [[nodiscard]] std::vector<std::uint32_t> all(const RectD& rect, const RankedFilter& filter) const {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t i : order_) {
      if (rect.contains(set_.x[i], set_.y[i]) && passes(masks_[i], filter)) {
        found.push_back(i);
      }
    }
    return found;
  }

 private:
  static std::vector<std::uint32_t> order_of(const scenes::HardPoints& set) {
    std::vector<std::uint32_t> order(set.x.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, [&](auto a, auto b) { return set.rank[a] < set.rank[b]; });
    return order;
  }
  const scenes::HardPoints& set_;
  const Masks& masks_;
  std::vector<std::uint32_t> order_;
};

void expect_answers(const RankedPoints& points, const FilteredBrute& brute, const RectD& rect,
                    std::span<const std::size_t> ks) {
  for (const RankedFilter& filter : kFilters) {
    SCOPED_TRACE(testing::Message() << std::hex << "any " << filter.any << " all " << filter.all << " none "
                                    << filter.none);
    const std::vector<std::uint32_t> want = brute.all(rect, filter);
    ASSERT_EQ(points.count(rect, filter).found, want.size());
    for (const std::size_t k : ks) {
      std::vector<std::uint32_t> got(k + 1, 0xDEADBEEF);
      const QueryResult result = points.top(rect, k, std::span(got).first(k), filter);
      ASSERT_EQ(got.back(), 0xDEADBEEF);
      got.resize(result.written);
      ASSERT_EQ(result.found, result.written);
      ASSERT_EQ(got, std::vector<std::uint32_t>(
                         want.begin(), want.begin() + static_cast<std::ptrdiff_t>(std::min(k, want.size()))))
          << "k = " << k;
    }
  }
}

RankedPoints build(const scenes::HardPoints& set, const Masks& masks, const Context& context = {}) {
  return RankedPoints::build(set.x, set.y, set.rank, {.categories = masks}, context).value();
}

TEST(RankedFilter, FindsWhatALoopFinds) {
  for (const auto kind : scenes::kHardSets) {
    for (const std::size_t n : {1U, 31U, 600U, 12'000U}) {
      SCOPED_TRACE(std::string(scenes::name(kind)) + " " + std::to_string(n));
      const scenes::HardPoints set = scenes::make_hard_points(kind, n, n);
      const Masks masks = make_masks(set, n);
      const RankedPoints points = build(set, masks);
      const FilteredBrute brute(set, masks);
      test::for_each_isa([&](Isa) {
        const std::vector<std::size_t> ks = {1, 20, 300};
        expect_answers(points, brute, test::as_double(set.frame), ks);
        for (const auto family : scenes::kQueryFamilies) {
          for (const RectF& query : scenes::make_hard_queries(family, set, 2, n)) {
            expect_answers(points, brute, test::as_double(query), ks);
          }
        }
      });
    }
  }
}

// Lists of several depths, and k beyond what they hold.
TEST(RankedFilter, FindsWhatALoopFindsInLargeSets) {
  const std::size_t n = 300'000;
  for (const auto kind : {scenes::kHardSets.front(), scenes::kHardSets.back()}) {
    const scenes::HardPoints set = scenes::make_hard_points(kind, n, 3);
    const Masks masks = make_masks(set, 3);
    const RankedPoints points = build(set, masks);
    const FilteredBrute brute(set, masks);
    const std::vector<std::size_t> ks = {20, 100, 255, 256, 5000};
    for (const auto family : scenes::kQueryFamilies) {
      for (const RectF& query : scenes::make_hard_queries(family, set, 2, 5)) {
        expect_answers(points, brute, test::as_double(query), ks);
      }
    }
    expect_answers(points, brute, test::as_double(set.frame), ks);
  }
}

TEST(RankedFilter, BatchesAreTheSame) {
  const scenes::HardPoints set = scenes::make_hard_points(scenes::kHardSets.front(), 5'000, 9);
  const Masks masks = make_masks(set, 9);
  const RankedPoints points = build(set, masks);
  std::vector<RectD> rects;  // more than one task of 256
  for (const RectF& query : scenes::make_hard_queries(scenes::kQueryFamilies.front(), set, 300, 4)) {
    rects.push_back(test::as_double(query));
  }
  constexpr std::size_t k = 7;
  for (const RankedFilter& filter : kFilters) {
    test::for_each_executor([&](const Executor* executor) {
      std::vector<std::uint32_t> out(rects.size() * k), counts(rects.size(), 77), inside(rects.size(), 77);
      const auto top = points.top(rects, k, out, counts, filter, {.executor = executor});
      const auto count = points.count(rects, inside, filter, {.executor = executor});
      ASSERT_TRUE(top && count);
      std::size_t written = 0, found = 0;
      for (std::size_t i = 0; i < rects.size(); ++i) {
        std::vector<std::uint32_t> one(k);
        one.resize(points.top(rects[i], k, one, filter).written);
        ASSERT_EQ(counts[i], one.size());
        ASSERT_TRUE(std::equal(one.begin(), one.end(), out.begin() + static_cast<std::ptrdiff_t>(i * k)));
        ASSERT_EQ(inside[i], points.count(rects[i], filter).found);
        written += counts[i];
        found += inside[i];
      }
      EXPECT_EQ(top->written, written);
      EXPECT_EQ(count->found, found);
    });
  }
}

TEST(RankedFilter, IsTheSameFromAFileAndOnAnyExecutor) {
  const scenes::HardPoints set = scenes::make_hard_points(scenes::kHardSets.front(), 30'000, 2);
  const Masks masks = make_masks(set, 2);
  const std::string path = temporary("points.jxr"), other = temporary("other.jxr");
  const RankedPoints points = build(set, masks);
  ASSERT_TRUE(points.save(path));
  const auto loaded = RankedPoints::load(path);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->categories(), points.categories());
  const FilteredBrute brute(set, masks);
  const std::vector<std::size_t> ks = {20, 1000};
  for (const RectF& query : scenes::make_hard_queries(scenes::kQueryFamilies.front(), set, 10, 4)) {
    expect_answers(*loaded, brute, test::as_double(query), ks);
  }
  test::for_each_executor([&](const Executor* executor) {
    ASSERT_TRUE(build(set, masks, {.executor = executor}).save(other));
    EXPECT_EQ(bytes_of(other), bytes_of(path));
  });
  ASSERT_TRUE(loaded->save(other));
  EXPECT_EQ(bytes_of(other), bytes_of(path));
  std::filesystem::remove(path);
  std::filesystem::remove(other);
}

TEST(RankedFilter, CategoriesGoAndComeWithRebuild) {
  const scenes::HardPoints set = scenes::make_hard_points(scenes::kHardSets.front(), 5'000, 2);
  const Masks masks = make_masks(set, 2);
  const RectD all = test::as_double(set.frame);
  RankedPoints points = build(set, masks);
  EXPECT_EQ(points.categories(),
            std::accumulate(masks.begin(), masks.end(), std::uint64_t{0}, std::bit_or{}));
  EXPECT_GT(points.count(all, {.all = bit(2)}).found, 0U);
  ASSERT_TRUE(points.rebuild(set.x, set.y, set.rank));
  EXPECT_EQ(points.categories(), 0U);
  EXPECT_EQ(points.count(all, {.all = bit(2)}).found, 0U);
  EXPECT_EQ(points.count(all, {.none = bit(2)}).found, set.x.size());
  ASSERT_TRUE(points.rebuild(set.x, set.y, set.rank, {.categories = masks}));
  EXPECT_GT(points.count(all, {.all = bit(2)}).found, 0U);
}

TEST(RankedFilter, RefusesAnotherNumberOfMasks) {
  const std::vector<float> x = {1, 2, 3};
  const std::vector<std::int32_t> rank = {3, 1, 2};
  const Masks masks = {1, 2};
  const auto refused = RankedPoints::build(x, x, rank, {.categories = masks});
  ASSERT_FALSE(refused);
  EXPECT_EQ(test::code_of(refused), ErrorCode::kInvalidArgument);
  const RankedPoints none;
  EXPECT_EQ(none.count({0, 0, 9, 9}, {.none = 1}).found, 0U);
  std::vector<std::uint32_t> out(3), counts(1);
  EXPECT_EQ(none.top({0, 0, 9, 9}, 3, out, {.none = 1}).written, 0U);
  const std::vector<RectD> rects(2);
  EXPECT_FALSE(none.count(rects, counts, {.any = 1}));
}

// At most 10 bytes a point and category, as the header promises.
TEST(RankedFilter, TakesTenBytesAMember) {
  for (const std::size_t n : {300'000U, 1'100'000U}) {
    const scenes::HardPoints set = scenes::make_hard_points(scenes::kHardSets.front(), n, 2);
    const std::size_t alone = RankedPoints::build(set.x, set.y, set.rank).value().memory_bytes();
    const Masks masks(n, 1);
    const auto bytes = static_cast<double>(build(set, masks).memory_bytes() - alone);
    EXPECT_LT(bytes / static_cast<double>(n), 10.5) << n;  // half a byte of it says who has the bit
  }
}

}  // namespace
}  // namespace juxta
