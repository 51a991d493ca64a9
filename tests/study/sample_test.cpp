// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Samples: even in each parameter, the published points, whole numbers equally likely, and limits.
#include "juxta/study/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "juxta/core/random.h"
#include "juxta/study/sweep.h"
#include "study/pond.h"
#include "study/replica.h"
#include "study/scratch.h"
#include "study/sweep_file.h"
#include "support/code_of.h"
#include "support/executors.h"

namespace juxta {
namespace {

using test::ponds;

Parameters unit_cube(std::size_t dimensions) {
  std::vector<Parameter> all;
  for (std::size_t d = 0; d < dimensions; ++d) {
    all.push_back({"p" + std::to_string(d), 0, 0, 1, false, ""});
  }
  return Parameters(all);
}
std::vector<SampleRange> unit_ranges(std::size_t dimensions) {
  std::vector<SampleRange> ranges;
  for (std::size_t d = 0; d < dimensions; ++d) {
    ranges.push_back({"p" + std::to_string(d), 0, 1});
  }
  return ranges;
}
std::vector<std::vector<double>> unit_sample(std::size_t dimensions, const SampleOptions& options) {
  const auto made = sample(unit_cube(dimensions), unit_ranges(dimensions), options);
  EXPECT_TRUE(made) << made.error().message;
  std::vector<std::vector<double>> columns;
  for (const auto& [name, values] : *made) {
    columns.push_back(values);
  }
  return columns;
}

/// Sobol's sequence needs Boost's headers.
bool has_sobol() {
  return sample(unit_cube(1), unit_ranges(1), {.kind = SampleKind::kSobol, .count = 1}).has_value();
}

/// Every one of so many equal parts of [0, 1) has one value.
bool one_in_each_part(const std::vector<double>& values) {
  std::set<double> parts;
  for (const double value : values) {
    parts.insert(std::floor(value * static_cast<double>(values.size())));
  }
  return parts.size() == values.size() && *parts.begin() == 0 &&
         *parts.rbegin() == static_cast<double>(values.size() - 1);
}

TEST(StudySample, LatinHasOneValueInEachPartOfEachColumn) {
  for (const std::size_t count : {1u, 2u, 7u, 64u, 1000u}) {
    for (const std::uint64_t seed : {0u, 1u, 99u}) {
      const auto columns = unit_sample(5, {.kind = SampleKind::kLatin, .count = count, .seed = seed});
      for (const auto& column : columns) {
        ASSERT_EQ(column.size(), count);
        EXPECT_TRUE(one_in_each_part(column)) << count << " " << seed;
      }
      EXPECT_TRUE(count < 7 || columns[0] != columns[1]);
    }
  }
  const SampleOptions options{.kind = SampleKind::kLatin, .count = 64, .seed = 3};
  EXPECT_EQ(unit_sample(3, options), unit_sample(3, options));
  EXPECT_NE(unit_sample(3, options), unit_sample(3, {.count = 64, .seed = 4}));
}

// The same on every machine: these are the library's own counter-based numbers, and exact arithmetic on them.
TEST(StudySample, LatinIsMadeOfTheDocumentedRandomNumbers) {
  const auto column = unit_sample(2, {.kind = SampleKind::kLatin, .count = 8, .seed = 11})[1];
  std::vector<std::uint32_t> part(8);
  random_order({11, 0, 1}, part);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(column[i], (part[i] + double{random_float({11, 1, 1}, i)}) / 8);
  }
}

// The first points of S. Joe and F. Y. Kuo's sequence in three dimensions, in Gray code order, as their
// program sobol.cc prints them (2008).
TEST(StudySample, SobolIsThePublishedSequence) {
  if (!has_sobol()) {
    GTEST_SKIP() << "built without Boost's headers";
  }
  const auto columns = unit_sample(3, {.kind = SampleKind::kSobol, .count = 10, .seed = 0});
  EXPECT_EQ(columns[0], (std::vector<double>{0, .5, .75, .25, .375, .875, .625, .125, .1875, .6875}));
  EXPECT_EQ(columns[1], (std::vector<double>{0, .5, .25, .75, .375, .875, .125, .625, .3125, .8125}));
  EXPECT_EQ(columns[2], (std::vector<double>{0, .5, .25, .75, .625, .125, .875, .375, .9375, .4375}));
}

TEST(StudySample, SobolStaysEvenWhenASeedShiftsIt) {
  if (!has_sobol()) {
    GTEST_SKIP() << "built without Boost's headers";
  }
  std::set<std::vector<double>> firsts;
  for (const std::uint64_t seed : {0u, 1u, 2u, 77u}) {
    const auto columns =
        unit_sample(kMostSampledParameters, {.kind = SampleKind::kSobol, .count = 256, .seed = seed});
    for (const auto& column : columns) {
      EXPECT_TRUE(one_in_each_part(column)) << seed;
    }
    // In two parameters at once: one of 256 points in each of 16 x 16 squares.
    std::set<std::pair<double, double>> squares;
    for (std::size_t i = 0; i < 256; ++i) {
      squares.insert({std::floor(columns[0][i] * 16), std::floor(columns[1][i] * 16)});
    }
    EXPECT_EQ(squares.size(), 256u) << seed;
    firsts.insert(columns[0]);
  }
  EXPECT_EQ(firsts.size(), 4u);  // each seed has points of its own
}

TEST(StudySample, RangesAreThoseAskedFor) {
  const Parameters parameters = test::pond_with({});
  const std::vector<SampleRange> ranges = {{"splits_at", 0.5, 10}, {"fish", 3, 6}};
  for (const SampleKind kind : {SampleKind::kLatin, SampleKind::kSobol}) {
    if (kind == SampleKind::kSobol && !has_sobol()) {
      continue;
    }
    const auto made = sample(parameters, ranges, {.kind = kind, .count = 128}).value();
    ASSERT_EQ(made.size(), 2u);
    EXPECT_EQ(made[0].first, "splits_at");
    for (const double value : made[0].second) {
      EXPECT_TRUE(value >= 0.5 && value <= 10) << value;
    }
    std::map<double, int> fish;
    for (const double value : made[1].second) {
      ++fish[value];
    }
    EXPECT_EQ(fish, (std::map<double, int>{{3, 32}, {4, 32}, {5, 32}, {6, 32}}));  // each equally likely
  }
  const auto one =
      sample(parameters, std::vector<SampleRange>{{"fish", 7, 7}, {"splits_at", 2, 2}}, {.count = 5});
  EXPECT_EQ((*one)[0].second, std::vector<double>(5, 7));
  EXPECT_EQ((*one)[1].second, std::vector<double>(5, 2));
  // Ends so far apart that their difference is no number.
  const Parameters wide({{"w", 0, -1e308, 1e308, false, ""}});
  const auto far = sample(wide, std::vector<SampleRange>{{"w", -1e308, 1e308}}, {.count = 9}).value();
  EXPECT_TRUE(std::ranges::all_of(far[0].second, [](double w) { return std::isfinite(w); }));
}

void refuses(const Parameters& parameters, const std::vector<SampleRange>& ranges, std::size_t count,
             ErrorCode code, const std::string& words) {
  const auto made = sample(parameters, ranges, {.count = count});
  ASSERT_FALSE(made) << words;
  EXPECT_EQ(test::code_of(made), code) << made.error().message;
  EXPECT_NE(made.error().message.find(words), std::string::npos) << made.error().message;
}

TEST(StudySample, LimitsAndSlipsAreNamed) {
  const Parameters pond = test::pond_with({});
  refuses(pond, {{"fish", 0, 1}}, 0, ErrorCode::kInvalidArgument, "at least one point");
  refuses(pond, {}, 3, ErrorCode::kInvalidArgument, "one parameter that varies");
  refuses(pond, {{"fish", 0, 1}}, kMostSamples + 1, ErrorCode::kTooLarge, "1000001 points is too large");
  refuses(unit_cube(65), unit_ranges(65), 2, ErrorCode::kTooLarge, "65 parameters is too large");
  refuses(unit_cube(20), unit_ranges(20), 600'000, ErrorCode::kTooLarge, "more than 10000000 numbers");
  refuses(pond, {{"whales", 0, 1}}, 2, ErrorCode::kNotFound, "no parameter 'whales'");
  refuses(pond, {{"fish", 0, 1001}}, 2, ErrorCode::kInvalidArgument, "a whole number from 0 to 1000");
  refuses(pond, {{"fish", 0.5, 3}}, 2, ErrorCode::kInvalidArgument, "a whole number from 0 to 1000");
  refuses(pond, {{"splits_at", 3, 2}}, 2, ErrorCode::kInvalidArgument, "from = 3 is above to = 2");
  refuses(pond, {{"splits_at", std::nan(""), 2}}, 2, ErrorCode::kInvalidArgument, "from 0.5 to 10");
  refuses(pond, {{"fish", 1, 2}, {"fish", 1, 3}}, 2, ErrorCode::kInvalidArgument, "fish varies twice");
  EXPECT_EQ(unit_sample(1, {.count = kMostSamples})[0].size(), kMostSamples);
}

constexpr const char* kSampled = R"(model = "pond"
steps = 6
every = 3
seeds = [4, 9]
sample = { kind = "sobol", count = 8, seed = 2 }
[set]
tables = 1
[vary]
splits_at = { from = 2, to = 3 }
fish = { from = 5, to = 20 }
)";

TEST(StudySample, ASweepRunsEachPointWithEachSeed) {
  if (!has_sobol()) {
    GTEST_SKIP() << "built without Boost's headers";
  }
  const auto sweep = study_detail::parse_sweep(kSampled, ponds());
  ASSERT_TRUE(sweep) << sweep.error().message;
  EXPECT_TRUE(sweep->together);
  EXPECT_EQ(sweep->replicas(), 16u);
  const std::vector<SampleRange> ranges = {{"splits_at", 2, 3}, {"fish", 5, 20}};
  const auto points =
      sample(sweep->parameters, ranges, {.kind = SampleKind::kSobol, .count = 8, .seed = 2}).value();
  EXPECT_EQ(sweep->vary, points);
  const auto done = run_sweep(*sweep);
  ASSERT_TRUE(done) << done.error().message;
  ASSERT_EQ(done->table.rows(), 48u);
  for (std::size_t row = 0; row < 48; ++row) {
    const std::size_t replica = row / 3;
    EXPECT_EQ(done->table.column("seed")[row], replica % 2 == 0 ? 4 : 9);
    EXPECT_EQ(done->table.column(2)[row], points[0].second[replica / 2]);
    EXPECT_EQ(done->table.column(3)[row], points[1].second[replica / 2]);
  }
  test::for_each_executor([&](const Executor* executor) {
    const test::ScratchFolder folder;
    const std::string journal = (folder / "journal").string();
    EXPECT_EQ(run_sweep(*sweep, {.journal = journal}, {.executor = executor})->table.csv(),
              done->table.csv());
    const auto again = run_sweep(*sweep, {.journal = journal});
    EXPECT_EQ(again->resumed, 16u);
    EXPECT_EQ(again->table.csv(), done->table.csv());
  });
}

TEST(StudySample, ValuesThatGoTogetherAreAsManyForEach) {
  Sweep sweep;
  sweep.model = &ponds()[1];
  sweep.parameters = test::pond_with({});
  sweep.seeds = {1, 2, 3};
  sweep.together = true;
  EXPECT_EQ(sweep.replicas(), 3u);  // nothing varies
  EXPECT_EQ(run_sweep(sweep)->table.rows(), 3u);
  sweep.vary = {{"fish", {1, 2}}, {"splits_at", {2, 3}}};
  EXPECT_EQ(sweep.replicas(), 6u);
  EXPECT_EQ(run_sweep(sweep)->table.rows(), 6u);
  sweep.vary[1].second.push_back(4);
  const auto uneven = run_sweep(sweep);
  ASSERT_FALSE(uneven);
  EXPECT_NE(uneven.error().message.find("fish has 2, and splits_at has 3"), std::string::npos);
}

}  // namespace
}  // namespace juxta
