// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Fields over ranks: every value, answer and total has the bits of one machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "juxta/core/ranks.h"
#include "juxta/grid/field.h"
#include "scenes/draws.h"
#include "support/code_of.h"
#include "support/thread_ranks.h"

namespace juxta {
namespace {

using scenes::Draws;

struct Case {
  std::uint32_t dimensions;
  std::array<std::uint32_t, 3> cells;
  std::array<Edge, 3> edges;
};

const Case kCases[] = {
    {2, {40, 33, 1}, {Edge::kWall, Edge::kWall, Edge::kOpen}},
    {2, {17, 60, 1}, {Edge::kPeriodic, Edge::kPeriodic, Edge::kOpen}},
    {2, {70, 4, 1}, {Edge::kOpen, Edge::kOpen, Edge::kOpen}},
    {2, {1200, 70, 1}, {Edge::kWall, Edge::kPeriodic, Edge::kOpen}},  // more than a block of a total
    {2, {9, 1, 1}, {Edge::kWall, Edge::kPeriodic, Edge::kOpen}},
    {3, {12, 9, 20}, {Edge::kPeriodic, Edge::kWall, Edge::kPeriodic}},
    {3, {20, 20, 3}, {Edge::kOpen, Edge::kPeriodic, Edge::kWall}},
};

FieldOptions options_of(const Case& of) {
  FieldOptions options;
  options.world.dimensions = of.dimensions;
  options.world.edges = of.edges;
  options.world.lo = {-3, 2, 0};
  options.world.hi = {5, 9.5F, of.dimensions == 2 ? 1.0F : 4.0F};
  options.cells = of.cells;
  options.components = 2;
  return options;
}

/// Positions along each axis; on open and periodic axes also beyond the world.
struct Points {
  std::array<std::vector<float>, 3> at;
  std::vector<float> amounts;

  [[nodiscard]] std::span<const float> axis(std::size_t a, std::size_t first, std::size_t last) const {
    return at[a].empty() ? std::span<const float>{} : std::span(at[a]).subspan(first, last - first);
  }
};

Points make_points(const FieldOptions& options, std::size_t count, std::uint64_t seed) {
  Draws draws(seed);
  Points points;
  for (std::uint32_t a = 0; a < options.world.dimensions; ++a) {
    const float lo = options.world.lo[a], hi = options.world.hi[a];
    const float slack = options.world.edges[a] == Edge::kWall ? 0 : (hi - lo) * 0.3F;
    for (std::size_t i = 0; i < count; ++i) {
      points.at[a].push_back(std::clamp(draws.uniform(lo - slack, hi + slack), lo - slack, hi + slack));
    }
  }
  // Sorted along the slabs, as agents are: rank r has a run of them.
  auto& slabs = points.at[options.world.dimensions - 1];
  std::sort(slabs.begin(), slabs.end());
  for (std::size_t i = 0; i < count; ++i) {
    points.amounts.push_back(draws.uniform(-1.0F, 3.0F));
  }
  return points;
}

/// All that a step can do, with points [first, last). What was read is appended to `read`.
void step(Field& field, const Points& points, std::size_t first, std::size_t last, int round,
          std::vector<float>& read) {
  const bool flat = field.options().world.dimensions == 2;
  const auto x = points.axis(0, first, last), y = points.axis(1, first, last),
             z = points.axis(2, first, last);
  const auto method = round % 2 == 0 ? FieldMethod::kLinear : FieldMethod::kNearest;
  const FieldAccess access{.component = static_cast<std::uint32_t>(round % 2), .method = method};
  ASSERT_TRUE(field.deposit(x, y, z, std::span(points.amounts).subspan(first, last - first), access));
  const auto steps = static_cast<std::uint32_t>(std::array{1, 3, 8, 11}[static_cast<std::size_t>(round % 4)]);
  ASSERT_TRUE(field.diffuse({.amount = 0.15F, .decay = 0.01F, .steps = steps}));
  const auto values = field.values(0);  // a rule for each cell alone, as models have them
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] += static_cast<float>((field.first_cell() + i) % 7) * 0.01F;
  }
  std::array<std::vector<float>, 4> out;
  std::fill(out.begin(), out.end(), std::vector<float>(x.size()));
  ASSERT_TRUE(field.sample(x, y, z, out[0], access));
  ASSERT_TRUE(field.gradient(x, y, z, out[1], out[2], flat ? std::span<float>{} : std::span(out[3]), access));
  for (const auto& one : out) {
    read.insert(read.end(), one.begin(), one.end());
  }
}

constexpr std::size_t kPoints = 300;
constexpr int kRounds = 5;

/// What points read in a round: value, then slope along x, y and z; each by point.
std::vector<float> by_point(const std::vector<float>& read, std::size_t count, int round) {
  const auto first = read.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(round) * 4 * count);
  return {first, first + static_cast<std::ptrdiff_t>(4 * count)};
}

TEST(FieldOverRanks, HasTheBitsOfOneMachine) {
  for (const Case& of : kCases) {
    const FieldOptions options = options_of(of);
    SCOPED_TRACE(std::to_string(of.cells[0]) + " x " + std::to_string(of.cells[1]) + " x " +
                 std::to_string(of.cells[2]));
    const Points points = make_points(options, kPoints, of.cells[0]);
    Field alone = Field::build(options).value();
    std::vector<float> expected;
    std::vector<double> totals;
    for (int round = 0; round < kRounds; ++round) {
      step(alone, points, 0, kPoints, round, expected);
      totals.push_back(alone.total(1).value());
    }
    for (const std::uint32_t size : {1U, 2U, 3U, 5U}) {
      SCOPED_TRACE(std::to_string(size) + " ranks");
      test::run_ranks(size, [&](Ranks& ranks) {
        const std::size_t first = kPoints * ranks.rank() / size, last = kPoints * (ranks.rank() + 1) / size;
        Field field = Field::build(options).value();
        ASSERT_TRUE(field.distribute(ranks));
        std::vector<float> read;
        for (int round = 0; round < kRounds; ++round) {
          step(field, points, first, last, round, read);
          ASSERT_EQ(field.total(1).value(), totals[static_cast<std::size_t>(round)]);
        }
        for (int round = 0; round < kRounds; ++round) {
          const auto mine = by_point(read, last - first, round), all = by_point(expected, kPoints, round);
          for (std::size_t o = 0; o < 4; ++o) {
            for (std::size_t i = first; i < last; ++i) {
              ASSERT_EQ(mine[o * (last - first) + i - first], all[o * kPoints + i]) << "round " << round;
            }
          }
        }
        const Field whole = field.gather().value();
        if (ranks.rank() == 0) {
          ASSERT_TRUE(whole == alone);
        }
      });
    }
  }
}

TEST(FieldOverRanks, AnyRankMayAskAboutAnyPlace) {
  const FieldOptions options = options_of(kCases[1]);
  const Points points = make_points(options, kPoints, 3);
  Field alone = Field::build(options).value();
  std::vector<float> ignored;
  step(alone, points, 0, kPoints, 0, ignored);
  std::vector<float> expected(kPoints);
  ASSERT_TRUE(alone.sample(points.at[0], points.at[1], {}, expected));
  test::run_ranks(4, [&](Ranks& ranks) {
    Field field = Field::build(options).value();
    if (ranks.rank() == 0) {
      std::copy(alone.values(0).begin(), alone.values(0).end(), field.values(0).begin());
    }
    ASSERT_TRUE(field.distribute(ranks));  // values are those of rank 0
    std::vector<float> read(ranks.rank() == 2 ? kPoints : 0);
    const auto part = [&](std::size_t a) { return points.axis(a, 0, read.size()); };
    ASSERT_TRUE(field.sample(part(0), part(1), {}, read));
    ASSERT_TRUE(ranks.rank() != 2 || read == expected);
  });
}

TEST(FieldOverRanks, AnErrorIsOneOfAllRanks) {
  FieldOptions options = options_of(kCases[0]);
  test::run_ranks(3, [&](Ranks& ranks) {
    Field field = Field::build(options).value();
    ASSERT_TRUE(field.distribute(ranks));
    EXPECT_EQ(test::code_of(field.distribute(ranks)), ErrorCode::kInvalidArgument);
    EXPECT_EQ(test::code_of(field.save("/nowhere/field")), ErrorCode::kInvalidArgument);
    EXPECT_EQ(test::code_of(field.gather(3)), ErrorCode::kInvalidArgument);
    const std::vector<float> x = {0}, y = {ranks.rank() == 1 ? 1000.0F : 5.0F};
    std::vector<float> out(1);
    EXPECT_EQ(test::code_of(field.deposit(x, y, {}, x)), ErrorCode::kInvalidArgument);
    EXPECT_EQ(test::code_of(field.sample(x, y, {}, out)), ErrorCode::kInvalidArgument);
    if (ranks.rank() == 1) {
      field.values(0)[0] = std::numeric_limits<float>::quiet_NaN();
    }
    const auto done = field.diffuse({.amount = 0.1F});
    EXPECT_EQ(test::code_of(done), ErrorCode::kNotFinite);
    EXPECT_NE(done.error().message.find("cell (0, 11)"), std::string::npos) << done.error().message;
    if (ranks.rank() == 1) {
      field.values(0)[0] = 1;
    }
    EXPECT_TRUE(field.diffuse({.amount = 0.1F}));
  });
  test::run_ranks(2, [&](Ranks& ranks) {
    FieldOptions own = options;
    own.components += ranks.rank();
    EXPECT_EQ(test::code_of(Field::build(own).value().distribute(ranks)), ErrorCode::kInvalidArgument);
  });
}

}  // namespace
}  // namespace juxta
