// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Questions with ranges of numbers against every point looked at: columns of all types, with repeated
// numbers, NaN, infinities and integers that no double holds.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ranked/brute.h"
#include "ranked/store.h"
#include "ranked/value_range.h"
#include "scenes/hard_points.h"
#include "support/code_of.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
using Column = std::variant<std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<float>,
                            std::vector<double>>;
using Ids = std::vector<std::uint32_t>;
using Random = std::mt19937_64;

ValueColumn borrowed(const Column& column) {
  return std::visit([](const auto& values) { return ValueColumn(values); }, column);
}

/// Holds every int64 and every double.
using Wide = long double;
static_assert(std::numeric_limits<Wide>::digits >= 64);
Wide wide(const RankValue& value) {
  return value.is_integer() ? static_cast<Wide>(value.integer()) : static_cast<Wide>(value.real());
}
Wide wide(const Column& column, std::size_t i) {
  return std::visit([i](const auto& values) { return static_cast<Wide>(values[i]); }, column);
}

bool holds(const RankedRange& range, Wide number) {
  const bool open = !range.least.is_integer() && range.least.real() == -kInfinity &&
                    !range.most.is_integer() && range.most.real() == kInfinity;
  return open || (wide(range.least) <= number && number <= wide(range.most));
}

/// A column of n numbers. 0: five integers; 1: integers near the ends and beyond 2^53; 2: floats without
/// some; 3: doubles, half of which are one number; 4: the place in the input; 5: no numbers at all.
Column make_column(std::uint64_t kind, std::size_t n, Random& random) {
  const auto fill = [&]<class T>(T, auto draw) {
    std::vector<T> values(n);
    std::ranges::generate(values, draw);
    return Column(std::move(values));
  };
  const auto real = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  switch (kind % 6) {
    case 0:
      return fill(std::int32_t{}, [&] { return static_cast<std::int32_t>(random() % 5) - 2; });
    case 1:
      return fill(std::int64_t{}, [&] {
        const auto small = static_cast<std::int64_t>(random() % 9);
        const std::int64_t at[] = {std::numeric_limits<std::int64_t>::min() + small,
                                   std::numeric_limits<std::int64_t>::max() - small,
                                   (std::int64_t{1} << 53) + small, static_cast<std::int64_t>(random())};
        return at[random() % 4];
      });
    case 2:
      return fill(float{}, [&] {
        const float special[] = {std::nanf(""), -INFINITY, INFINITY, -0.0F, 0.0F};
        return random() % 4 == 0 ? special[random() % 5] : static_cast<float>(real() * 20 - 10);
      });
    case 3:
      return fill(double{}, [&] { return random() % 2 == 0 ? 1.5 : std::exp(real() * 20); });
    case 4: {
      std::vector<double> values(n);
      std::iota(values.begin(), values.end(), 0.0);
      return values;
    }
    default:
      return fill(double{}, [] { return kNaN; });
  }
}

RankValue number_of(const Column& column, std::size_t i) {
  return std::visit([i](const auto& values) { return RankValue(values[i]); }, column);
}

/// Open, wide, narrow, of one number, between integers, of another type, inverted, or NaN.
RankedRange make_range(const Column& column, std::size_t n, Random& random) {
  const auto some = [&] { return number_of(column, random() % n); };
  const RankValue a = some(), b = some();
  switch (random() % 10) {
    case 0:
      return {};
    case 1:
      return {a, a};
    case 2:
      return {-kInfinity, a};
    case 3:
      return {a, kInfinity};
    case 4:
      return {a.real(), std::nextafter(b.real(), kInfinity)};
    case 5:
      return {a.real() - 0.5, a.real() + 0.5};
    case 6:
      return {kNaN, a};
    case 7:
      return {std::numeric_limits<std::int64_t>::min() + static_cast<std::int64_t>(random() % 3),
              static_cast<std::int64_t>(random() >> (random() % 60))};
    default:
      return wide(a) <= wide(b) || random() % 8 == 0 ? RankedRange{a, b} : RankedRange{b, a};
  }
}

class World {
 public:
  World(scenes::HardSet kind, std::size_t n, std::uint64_t seed)
      : random_(seed), set_(scenes::make_hard_points(kind, n, seed)), order_(n), masks_(n) {
    std::iota(order_.begin(), order_.end(), 0U);
    std::ranges::stable_sort(order_, [&](auto a, auto b) { return set_.rank[a] < set_.rank[b]; });
    columns_ = {make_column(random_(), n, random_), make_column(random_(), n, random_)};
    columns_.resize(1 + seed % 2);
    for (std::uint64_t& mask : masks_) {
      mask = random_() & 5;
    }
  }

  [[nodiscard]] RankedPoints build(const Context& context = {}) const {
    std::vector<ValueColumn> values;
    for (const Column& column : columns_) {
      values.push_back(borrowed(column));
    }
    return RankedPoints::build(set_.x, set_.y, set_.rank,
                               {.categories = masks_, .keep_ranks = true, .values = values}, context)
        .value();
  }

  /// A random filter, half of them of categories too.
  [[nodiscard]] RankedFilter filter() {
    const RankedFilter some[] = {{}, {}, {.all = 1}, {.any = 5}, {.none = 4}};
    RankedFilter drawn = some[random_() % 5];
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      drawn.ranges[i] = make_range(columns_[i], masks_.size(), random_);
    }
    return drawn;
  }

  [[nodiscard]] bool passes(std::uint32_t i, const RankedFilter& f) const {
    for (std::size_t c = 0; c < 2; ++c) {
      if (!holds(f.ranges[c], c < columns_.size() ? wide(columns_[c], i) : Wide(kNaN))) {
        return false;
      }
    }
    return (masks_[i] & f.all) == f.all && (masks_[i] & f.none) == 0 &&
           (f.any == 0 || (masks_[i] & f.any) != 0);
  }

  /// All that pass inside, in rank order.
  [[nodiscard]] Ids all(const RankedRegion& region, const RankedFilter& f) const {
    Ids found;
    for (const std::uint32_t i : order_) {
      if (region.contains(set_.x[i], set_.y[i]) && passes(i, f)) {
        found.push_back(i);
      }
    }
    return found;
  }

  [[nodiscard]] const scenes::HardPoints& set() const { return set_; }
  [[nodiscard]] Random& random() { return random_; }

 private:
  Random random_;
  scenes::HardPoints set_;
  Ids order_;
  std::vector<std::uint64_t> masks_;
  std::vector<Column> columns_;
};

Ids first_of(const Ids& all, std::size_t from, std::size_t k) {
  const std::size_t begin = std::min(from, all.size()), end = std::min(all.size(), begin + k);
  return {all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end)};
}

void expect_region(const World& world, const RankedPoints& points, const RankedRegion& region,
                   const RankedFilter& filter) {
  const Ids want = world.all(region, filter);
  ASSERT_EQ(points.count(region, filter).found, want.size());
  for (const std::size_t k : {1U, 20U, 255U, 700U}) {
    Ids got(k + 1, 0xDEADBEEF);
    const QueryResult result = points.top(region, k, std::span(got).first(k), filter);
    ASSERT_EQ(got.back(), 0xDEADBEEF);
    got.resize(result.written);
    ASSERT_EQ(got, first_of(want, 0, k)) << "k = " << k;
  }
  if (want.size() > 3) {  // the page behind the third
    const std::size_t k = 40;
    Ids got(k);
    got.resize(points.top_after({world.set().rank[want[2]], want[2]}, region, k, got, filter)->written);
    ASSERT_EQ(got, first_of(want, 3, k));
  }
}

void expect_nearest(const World& world, const RankedPoints& points, double x, double y,
                    const RankedFilter& filter) {
  const Ids passing = world.all(RankedRegion::rect({-kInfinity, -kInfinity, kInfinity, kInfinity}), filter);
  std::vector<std::pair<double, std::size_t>> want(passing.size());
  for (std::size_t i = 0; i < passing.size(); ++i) {
    const double dx = world.set().x[passing[i]] - x, dy = world.set().y[passing[i]] - y;
    want[i] = {dx * dx + dy * dy, i};
  }
  std::ranges::sort(want);
  Ids got(12);
  std::vector<double> distances(12);
  got.resize(points.nearest(x, y, 12, got, distances, {.filter = filter}).written);
  ASSERT_EQ(got.size(), std::min<std::size_t>(12, want.size()));
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i], passing[want[i].second]);
  }
}

void ask(World& world, const RankedPoints& points, int rounds) {
  const RectF frame = world.set().frame;
  const double width = frame.hx - frame.lx, height = frame.hy - frame.ly;
  const auto real = [&] { return static_cast<double>(world.random()() >> 11) * 0x1p-53; };
  for (int round = 0; round < rounds; ++round) {
    const RankedFilter filter = world.filter();
    const double x = frame.lx + real() * width, y = frame.ly + real() * height, size = real() * width;
    const double xs[] = {x - size, x + size, x}, ys[] = {y - size, y, y + size};
    for (const RankedRegion& region :
         {RankedRegion::rect(test::as_double(frame)),
          RankedRegion::rect({x - size, y - size, x + size, y + size}), RankedRegion::circle(x, y, size),
          RankedRegion::polygon(xs, ys), RankedRegion::across({x, frame.ly, x - size / 2, frame.hy})}) {
      expect_region(world, points, region, filter);
    }
    expect_nearest(world, points, x, y, filter);
    if (testing::Test::HasFatalFailure()) {
      return;
    }
  }
}

TEST(RankedRange, FindsWhatALoopFinds) {
  std::uint64_t seed = 0;
  for (const auto kind : scenes::kHardSets) {
    for (const std::size_t n : {1U, 5U, 31U, 600U, 9'000U}) {
      SCOPED_TRACE(std::string(scenes::name(kind)) + " " + std::to_string(n));
      World world(kind, n, ++seed);
      const RankedPoints points = world.build();
      test::for_each_isa([&](Isa) { ask(world, points, n < 1000 ? 12 : 4); });
      ASSERT_FALSE(HasFatalFailure());
    }
  }
}

// All quanta in use, and runs that are shorter than what the tree would read.
TEST(RankedRange, FindsWhatALoopFindsInLargeSets) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    World world(scenes::kHardSets[seed % scenes::kHardSets.size()], 280'000, seed);
    const RankedPoints points = world.build();
    ask(world, points, 8);
    ASSERT_FALSE(HasFatalFailure());
  }
}

TEST(RankedRange, IsTheSameFromAFileAndOnAnyExecutor) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("juxta_" + std::to_string(::getpid()) + "_values.jxr"))
          .string();
  World world(scenes::kHardSets.front(), 20'000, 3);
  const RankedPoints points = world.build();
  ASSERT_TRUE(points.save(path));
  const auto loaded = RankedPoints::load(path);
  ASSERT_TRUE(loaded) << loaded.error().message;
  ask(world, *loaded, 20);
  test::for_each_executor([&](const Executor* executor) {
    const RankedPoints other = world.build({.executor = executor});
    EXPECT_EQ(other.memory_bytes(), points.memory_bytes());
    ask(world, other, 5);
  });
  std::filesystem::remove(path);
}

TEST(RankedRange, BatchesAreTheSame) {
  World world(scenes::kHardSets.back(), 5'000, 5);
  const RankedPoints points = world.build();
  std::vector<RectD> rects;
  for (const RectF& query : scenes::make_hard_queries(scenes::kQueryFamilies.front(), world.set(), 300, 4)) {
    rects.push_back(test::as_double(query));
  }
  for (int round = 0; round < 10; ++round) {
    const RankedFilter filter = world.filter();
    Ids out(rects.size() * 5), counts(rects.size()), inside(rects.size()), one(5);
    ASSERT_TRUE(points.top(rects, 5, out, counts, filter) && points.count(rects, inside, filter));
    for (std::size_t i = 0; i < rects.size(); ++i) {
      ASSERT_EQ(counts[i], points.top(rects[i], 5, one, filter).written);
      ASSERT_TRUE(
          std::equal(one.begin(), one.begin() + counts[i], out.begin() + static_cast<std::ptrdiff_t>(i * 5)));
      ASSERT_EQ(inside[i], points.count(rects[i], filter).found);
    }
  }
}

// Integers that no double holds, against doubles: 2^53 + 1 lies between two, and 2^53 + 3 would round up.
TEST(RankedRange, ComparesIntegersAndRealsExactly) {
  constexpr std::int64_t kTwo53 = std::int64_t{1} << 53;
  const std::vector<float> x = {1, 2, 3};
  const std::vector<double> reals = {0x1p53, 0x1p53 + 2, 0x1p53 + 4};
  const ValueColumn column[] = {reals};
  const RankedPoints points = RankedPoints::build(x, x, x, {.values = column}).value();
  const auto count = [&](std::int64_t least, std::int64_t most) {
    return points.count({0, 0, 9, 9}, {.ranges = {{least, most}}}).found;
  };
  EXPECT_EQ(count(kTwo53 + 1, kTwo53 + 1), 0U);
  EXPECT_EQ(count(kTwo53 + 3, kTwo53 + 3), 0U);
  EXPECT_EQ(count(kTwo53 + 1, kTwo53 + 3), 1U);
  EXPECT_EQ(count(kTwo53, kTwo53 + 3), 2U);
  EXPECT_EQ(count(kTwo53 + 3, std::numeric_limits<std::int64_t>::max()), 1U);
  EXPECT_EQ(count(std::numeric_limits<std::int64_t>::min(), kTwo53 + 1), 1U);
}

// A number that half of the points have is a quantum of its own: nothing is in doubt, and the run is no
// longer.
TEST(RankedRange, ARepeatedNumberIsAQuantumOfItsOwn) {
  std::vector<float> x(1000), numbers(1000, 7);
  std::iota(x.begin(), x.end(), 0.0F);
  std::iota(numbers.begin() + 500, numbers.end(), -200.0F);  // one 7 more
  const ValueColumn column[] = {numbers};
  const RankedPoints points = RankedPoints::build(x, x, x, {.values = column}).value();
  ranked_detail::ValueRange found;
  ASSERT_TRUE(ranked_detail::find_range(ranked_detail::StoreAccess::view(points).values, 0, {7, 7}, found));
  EXPECT_FALSE(found.first_is_mixed || found.last_is_mixed);
  EXPECT_EQ(found.run_end - found.run_begin, 501U);
}

TEST(RankedRange, RefusesColumnsThatDoNotSuit) {
  const std::vector<float> x = {1, 2, 3}, two = {1, 2};
  const std::vector<std::int32_t> rank = {3, 1, 2};
  const auto build = [&](std::vector<ValueColumn> values) {
    return RankedPoints::build(x, x, rank, {.values = values});
  };
  for (const auto& refused : {build({two}), build({x, two}), build({x, x, x})}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(test::code_of(refused), ErrorCode::kInvalidArgument);
  }
  const RectD all = {0, 0, 9, 9};
  const RankedPoints one = build({x}).value();
  EXPECT_EQ(one.count(all, {.ranges = {{2, 3}}}).found, 2U);
  EXPECT_EQ(one.count(all, {.ranges = {{}, {2, 3}}}).found, 0U);  // there is no second column
  EXPECT_EQ(RankedPoints::build(x, x, rank)->count(all, {.ranges = {{2, 3}}}).found, 0U);
  EXPECT_EQ(RankedPoints().count(all, {.ranges = {{2, 3}}}).found, 0U);
}

TEST(RankedRange, ColumnsGoAndComeWithRebuild) {
  const std::vector<float> x = {1, 2, 3, 4};
  const std::vector<std::uint64_t> masks = {1, 2, 1, 2};
  const std::vector<ValueColumn> two = {x, x}, one = {x}, none;
  const RectD all = {0, 0, 9, 9};
  RankedPoints points;
  for (const auto* columns : {&two, &one, &none, &two}) {
    for (const bool with_categories : {true, false}) {
      ASSERT_TRUE(points.rebuild(
          x, x, x,
          {.categories = with_categories ? masks : std::vector<std::uint64_t>{}, .values = *columns}));
      const std::size_t size = columns->size();
      EXPECT_EQ(points.count(all, {.ranges = {{2, 3}}}).found, size == 0 ? 0U : 2U);
      EXPECT_EQ(points.count(all, {.ranges = {{}, {2, 9}}}).found, size < 2 ? 0U : 3U);
      EXPECT_EQ(points.count(all, {.all = 2, .ranges = {{2, 3}}}).found,
                size != 0 && with_categories ? 1U : 0U);
    }
  }
}

// What the header promises.
TEST(RankedRange, TakesTheMemoryThatIsSaid) {
  const std::size_t n = 300'000;
  const scenes::HardPoints set = scenes::make_hard_points(scenes::kHardSets.front(), n, 2);
  const std::vector<double> numbers(n, 1.5);
  const auto bytes = [&](std::vector<ValueColumn> values) {
    const RankedPoints points = RankedPoints::build(set.x, set.y, set.rank, {.values = values}).value();
    return static_cast<double>(points.memory_bytes()) / static_cast<double>(n);
  };
  const double alone = bytes({}), tables = 1.32e6 / static_cast<double>(n);
  EXPECT_LT(bytes({set.x}) - alone, 17 + tables);
  EXPECT_LT(bytes({numbers}) - alone, 21 + tables);
  EXPECT_LT(bytes({set.x, numbers}) - alone, 17 + 21 + 4 + 2 * tables);
}

}  // namespace
}  // namespace juxta
