// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// The flock as fields is no flock by the rules, so what is held here is what it promises: a boid never finds
// itself, pairs well inside the disc count as they should, errors shrink with the grid, and what it found is
// steered by as the rules say.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/agents/field_flock.h"
#include "classics/agents/boids.h"
#include "classics/agents/boids_rules-inl.h"
#include "scenes/draws.h"

namespace juxta::bench {
namespace {

using classics::Boid;
using Sums = FieldBoids::Sums;

constexpr float kHalf = 5;
constexpr float kSmall = 1;  // The half size of a world for one or two: grids are as fine anywhere.
const FlockRules kRules;

std::vector<Boid> scattered(std::uint64_t seed, std::size_t count, float extent) {
  scenes::Draws draws(seed);
  std::vector<Boid> boids(count);
  for (Boid& boid : boids) {
    boid.x = draws.uniform(-extent, extent);
    boid.y = draws.uniform(-extent, extent);
    boid.vx = draws.uniform(-1, 1);
    boid.vy = draws.uniform(-1, 1);
  }
  return boids;
}

std::vector<Sums> found(FieldBoids& field, const std::vector<Boid>& boids) {
  field.set(boids);
  std::vector<Sums> sums(boids.size());
  field.look(sums);
  return sums;
}

std::vector<Sums> found(const std::vector<Boid>& boids, const FieldOptions& options) {
  FieldBoids field(kHalf, kRules, options);
  return found(field, boids);
}

std::vector<Sums> by_all_pairs(const std::vector<Boid>& boids) {
  std::vector<Sums> all(boids.size());
  for (std::size_t i = 0; i < boids.size(); ++i) {
    classics::Found pairs;
    for (std::size_t j = 0; j < boids.size(); ++j) {
      if (j != i) {
        classics::meet(boids[i], boids[j], kRules, pairs);
      }
    }
    all[i] = {pairs.count,  pairs.sum_vx, pairs.sum_vy, pairs.sum_dx,
              pairs.sum_dy, pairs.away_x, pairs.away_y};
  }
  return all;
}

void expect_near(const Sums& got, const Sums& wanted, float tolerance) {
  EXPECT_NEAR(got.count, wanted.count, tolerance);
  EXPECT_NEAR(got.sum_vx, wanted.sum_vx, tolerance);
  EXPECT_NEAR(got.sum_vy, wanted.sum_vy, tolerance);
  EXPECT_NEAR(got.sum_dx, wanted.sum_dx, tolerance);
  EXPECT_NEAR(got.sum_dy, wanted.sum_dy, tolerance);
  EXPECT_NEAR(got.away_x, wanted.away_x, tolerance);
  EXPECT_NEAR(got.away_y, wanted.away_y, tolerance);
}

TEST(FieldFlock, ALoneBoidFindsNothing) {
  std::vector<Boid> places = scattered(1, 60, kSmall - 0.01F);
  places.push_back({kSmall - 0.01F, kSmall - 0.01F, 1, 1});
  places.push_back({0.01F - kSmall, 0.01F - kSmall, 1, -1});
  for (const std::uint32_t nodes : {2U, 3U, 4U, 8U}) {
    for (const bool same_spread : {false, true}) {
      FieldBoids field(kSmall, kRules, {nodes, FieldAvoid::kField, same_spread});
      for (const Boid& boid : places) {
        SCOPED_TRACE(testing::Message() << nodes << " nodes at " << boid.x << ", " << boid.y);
        expect_near(found(field, {boid})[0], {}, 2e-5F);
      }
    }
  }
}

TEST(FieldFlock, PairsWellInsideTheDiscCountInFull) {
  scenes::Draws draws(2);
  FieldBoids field(kSmall, kRules, {16, FieldAvoid::kField, false});
  for (int i = 0; i < 50; ++i) {
    const float x = draws.uniform(-0.9F, 0.9F), y = draws.uniform(-0.9F, 0.9F);
    const float dx = draws.uniform(-0.06F, 0.06F), dy = draws.uniform(-0.06F, 0.06F);
    const std::vector<Boid> boids{{x, y, 0.3F, -0.7F}, {x + dx, y + dy, -1, 0.5F}};
    const std::vector<Sums> sums = found(field, boids), pairs = by_all_pairs(boids);
    expect_near(sums[0], pairs[0], 2e-5F);
    expect_near(sums[1], pairs[1], 2e-5F);
  }
}

TEST(FieldFlock, PairsFarApartDoNotCount) {
  const std::vector<Boid> boids{{0, 0, 1, 0}, {0.8F, 0, 0, 1}};
  for (const std::uint32_t nodes : {2U, 4U, 8U}) {
    expect_near(found(boids, {nodes, FieldAvoid::kField})[0], {}, 2e-5F);
  }
}

double rms_error(const std::vector<Sums>& got, const std::vector<Sums>& wanted, float Sums::*member) {
  double miss = 0, length = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double error = double{got[i].*member} - double{wanted[i].*member};
    miss += error * error;
    length += double{wanted[i].*member} * double{wanted[i].*member};
  }
  return std::sqrt(miss / length);
}

TEST(FieldFlock, FinerGridsAreNearerToTheRules) {
  const std::vector<Boid> boids = scattered(3, 4000, kHalf - 0.5F);
  const std::vector<Sums> wanted = by_all_pairs(boids);
  for (const auto member : {&Sums::count, &Sums::sum_vx, &Sums::sum_vy, &Sums::sum_dx, &Sums::sum_dy,
                            &Sums::away_x, &Sums::away_y}) {
    double last = 1;
    for (const std::uint32_t nodes : {2U, 4U, 8U}) {
      const double error = rms_error(found(boids, {nodes, FieldAvoid::kField}), wanted, member);
      EXPECT_LT(error, 0.95 * last) << nodes;
      last = error;
    }
  }
}

TEST(FieldFlock, CountsAreRightOnAverage) {
  const std::vector<Boid> boids = scattered(4, 4000, kHalf - 0.5F);
  double wanted = 0;
  for (const Sums& sums : by_all_pairs(boids)) {
    wanted += double{sums.count};
  }
  for (const std::uint32_t nodes : {2U, 3U, 4U, 8U}) {
    double got = 0;
    for (const Sums& sums : found(boids, {nodes, FieldAvoid::kField})) {
      got += double{sums.count};
    }
    EXPECT_NEAR(got / wanted, 1, 0.01) << nodes;
  }
}

TEST(FieldFlock, PairsToAvoidAreThoseOfTheRules) {
  std::vector<Boid> boids = scattered(5, 1500, kHalf - 0.01F);
  for (const Boid& boid : scattered(6, 500, 0.2F)) {  // A dense flock: runs of many.
    boids.push_back(boid);
  }
  const std::vector<Sums> got = found(boids, {2, FieldAvoid::kPairs}), wanted = by_all_pairs(boids);
  for (std::size_t i = 0; i < boids.size(); ++i) {
    EXPECT_NEAR(got[i].away_x, wanted[i].away_x, 1e-4) << i;
    EXPECT_NEAR(got[i].away_y, wanted[i].away_y, 1e-4) << i;
  }
}

TEST(FieldFlock, StepsByWhatWasFound) {
  for (const FieldAvoid avoid : {FieldAvoid::kField, FieldAvoid::kPairs}) {
    for (const std::size_t count : {1U, 15U, 16U, 17U, 1001U}) {
      FieldBoids field(kHalf, kRules, {3, avoid});
      std::vector<Boid> before = scattered(count, count, kHalf - 0.01F), after(count);
      before[0].vx = before[0].vy = 0;
      field.set(before);
      std::vector<Sums> sums(count);
      for (int step = 0; step < 40; ++step) {
        field.look(sums);
        field.step();
        field.get(after);
        for (std::size_t i = 0; i < count; ++i) {
          const Sums& s = sums[i];
          const Boid wanted = classics::steered(
              before[i],
              {s.count >= 0.5F ? s.count : 0, s.sum_vx, s.sum_vy, s.sum_dx, s.sum_dy, s.away_x, s.away_y},
              kRules, kHalf);
          ASSERT_NEAR(after[i].x, wanted.x, 1e-5) << count << " boids, step " << step << ", boid " << i;
          ASSERT_NEAR(after[i].y, wanted.y, 1e-5);
          ASSERT_NEAR(after[i].vx, wanted.vx, 1e-5);
          ASSERT_NEAR(after[i].vy, wanted.vy, 1e-5);
        }
        before = after;
      }
    }
  }
}

TEST(FieldFlock, NobodyIsFine) {
  FieldBoids field;
  field.set({});
  field.step();
  field.get({});
  field.set(std::vector<Boid>{{1, 1, 1, 0}});
  field.step();
  Boid boid;
  field.get({&boid, 1});
  EXPECT_FLOAT_EQ(boid.vx, kRules.min_speed);
}

}  // namespace
}  // namespace juxta::bench
