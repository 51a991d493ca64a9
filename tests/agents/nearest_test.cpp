// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The k nearest against brute force.
#include "juxta/agents/nearest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "agents/crowds.h"
#include "agents/pass_check.h"
#include "scenes/draws.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using scenes::Draws;
using test::Crowd;
using test::Crowding;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr std::array kArrangements{Arrangement::kAuto,    Arrangement::kRows,   Arrangement::kMorton,
                                   Arrangement::kHilbert, Arrangement::kHashed, Arrangement::kTree};

struct Found {
  std::vector<std::uint32_t> rows, counts;
  std::vector<float> distance2;
  friend bool operator==(const Found&, const Found&) = default;
};

Result<QueryResult> search(const Population& seers, const Population& seen, std::uint32_t k, float radius,
                           Found& found, const Executor* executor = nullptr) {
  found.rows.assign(seers.size() * k, 12345);
  found.distance2.assign(seers.size() * k, -1);
  found.counts.assign(seers.size(), 12345);
  return nearest(seers, seen, k, radius, found.rows, found.distance2, found.counts, {executor});
}

Found by_hand(const Population& seers, const Population& seen, std::uint32_t k, float radius) {
  const Crowd a = test::crowd_of(seers, false), b = test::crowd_of(seen, false);
  Found found;
  for (std::size_t seer = 0; seer < a.size(); ++seer) {
    std::vector<std::pair<float, std::uint32_t>> all;
    test::for_each_seen(seers.world(), Metric::kBall, a, seer, b, &seers == &seen, radius,
                        [&](std::size_t row, const test::Sight& sight) {
                          all.emplace_back(sight.distance2, seen.id_of(static_cast<std::uint32_t>(row)).slot);
                        });
    std::sort(all.begin(), all.end());
    const std::size_t count = std::min<std::size_t>(k, all.size());
    found.counts.push_back(static_cast<std::uint32_t>(count));
    for (std::size_t i = 0; i < k; ++i) {
      found.distance2.push_back(i < count ? all[i].first : kInf);
      std::uint32_t row = Population::kNoRow;
      for (std::uint32_t r = 0; i < count && r < seen.size(); ++r) {
        row = seen.id_of(r).slot == all[i].second ? r : row;
      }
      found.rows.push_back(row);
    }
  }
  return found;
}

struct Scene {
  Scene(const World& world, Crowding crowding, std::size_t count, std::size_t others, bool extents,
        const SortOptions& options)
      : simulation(Simulation::build(world).value()),
        seers(*simulation.add_population("seers").value()),
        seen(*simulation.add_population("seen").value()) {
    Draws draws(count + others);
    for (Population* population : {&seers, &seen}) {
      Crowd crowd =
          test::draw_crowd(draws, world, crowding, population == &seers ? count : others, options.radius);
      if (extents) {
        test::draw_extents(draws, world, crowd);
      }
      test::fill(*population, crowd, draws);
      const auto done = population->sort(options);
      sorted = sorted && done;
    }
  }
  Simulation simulation;
  Population &seers, &seen;
  bool sorted = true;
};

void expect_right(const Population& seers, const Population& seen, std::uint32_t k, float radius) {
  Found found;
  const auto done = search(seers, seen, k, radius, found);
  ASSERT_TRUE(done) << done.error().message;
  const Found right = by_hand(seers, seen, k, radius);
  EXPECT_EQ(found.counts, right.counts);
  EXPECT_EQ(found.distance2, right.distance2);
  EXPECT_EQ(found.rows, right.rows);
  std::size_t sum = 0;
  for (const std::uint32_t count : right.counts) {
    sum += count;
  }
  EXPECT_EQ(done->found, sum);
  EXPECT_GE(done->tested, sum);
}

TEST(Nearest, EveryWorldAndArrangement) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (std::uint32_t edges = 0; edges < test::world_count(dimensions); ++edges) {
      for (const Arrangement arrangement : kArrangements) {
        const Scene scene(test::make_world(dimensions, edges), Crowding::kUniform, 60, 90, edges % 2 == 1,
                          {.radius = 0.8F, .arrangement = arrangement});
        ASSERT_TRUE(scene.sorted);
        SCOPED_TRACE(test::name(scene.seers.world()) + " " + std::to_string(static_cast<int>(arrangement)));
        ASSERT_NO_FATAL_FAILURE(expect_right(scene.seers, scene.seers, 5, kInf));
        ASSERT_NO_FATAL_FAILURE(expect_right(scene.seers, scene.seen, 3, 2.5F));
      }
    }
  }
}

// Agents at 0, 1, 2 ... times a length whose square is beyond float, along x.
TEST(Nearest, OrdersWhatIsFurtherThanAFloatSquares) {
  for (const float unit : {1e19F, 1e30F}) {
    Simulation simulation = Simulation::build(test::make_world(2, 0)).value();
    Population& agents = *simulation.add_population("agents").value();
    constexpr std::uint32_t kAgents = 9;
    ASSERT_TRUE(agents.insert(kAgents));
    const std::span<float> x = agents.write(agents.position(0));
    for (std::uint32_t row = 0; row < kAgents; ++row) {
      x[row] = unit * static_cast<float>(row * 5 % kAgents);
    }
    ASSERT_TRUE(agents.sort({.radius = 1}));
    Found found;
    ASSERT_TRUE(search(agents, agents, 3, kInf, found));
    const std::span<const float> sorted = agents.read(agents.position(0));
    for (std::uint32_t row = 0; row < kAgents; ++row) {
      const std::uint32_t first = found.rows[row * 3], second = found.rows[row * 3 + 1];
      EXPECT_NEAR(std::abs(sorted[first] - sorted[row]) / unit, 1, 1e-5) << unit;
      EXPECT_LE(std::abs(sorted[second] - sorted[row]) / unit, 2.001F) << unit;
      EXPECT_EQ(std::isinf(found.distance2[row * 3]), unit > 1.8e19F);
    }
    ASSERT_TRUE(search(agents, agents, 3, unit * 1.5F, found));
    EXPECT_EQ(std::count_if(found.counts.begin(), found.counts.end(), [](auto n) { return n == 0; }), 0);
    EXPECT_EQ(std::count_if(found.counts.begin(), found.counts.end(), [](auto n) { return n > 2; }), 0);
  }
}

TEST(Nearest, EveryCrowdAndRadius) {
  for (const Crowding crowding : test::kCrowdings) {
    for (const std::uint32_t edges : {0U, 8U}) {
      for (const Arrangement arrangement : {Arrangement::kAuto, Arrangement::kTree}) {
        const Scene scene(test::make_world(2, edges), crowding, 120, 80, false,
                          {.radius = 0.75F, .arrangement = arrangement});
        ASSERT_TRUE(scene.sorted);
        SCOPED_TRACE(std::string(test::name(crowding)) + " " + std::to_string(edges));
        for (const float radius : {1e-3F, 0.75F, 6.0F, 1e20F, kInf}) {
          ASSERT_NO_FATAL_FAILURE(expect_right(scene.seers, scene.seers, 7, radius));
        }
      }
    }
  }
}

TEST(Nearest, FromNoneToMoreThanThereAre) {
  for (const std::size_t count : {0U, 1U, 2U, 17U}) {
    for (const std::size_t others : {0U, 1U, 40U}) {
      for (const std::uint32_t k : {0U, 1U, 16U, 17U, 100U}) {
        const Scene scene(test::make_world(2, 8), Crowding::kUniform, count, others, false, {.radius = 0.1F});
        ASSERT_TRUE(scene.sorted);
        ASSERT_NO_FATAL_FAILURE(expect_right(scene.seers, scene.seers, k, kInf));
        ASSERT_NO_FATAL_FAILURE(expect_right(scene.seers, scene.seen, k, 3));
      }
    }
  }
}

TEST(Nearest, BetweenMovesWithASkin) {
  Scene scene(test::make_world(2, 8), Crowding::kUniform, 300, 1, false, {.radius = 1, .skin = 1});
  ASSERT_TRUE(scene.sorted);
  Draws draws(3);
  int kept = 0;
  for (int step = 0; step < 8; ++step) {
    for (std::uint32_t axis = 0; axis < 2; ++axis) {
      for (float& x : scene.seers.write(scene.seers.position(axis))) {
        x += draws.uniform(-0.1F, 0.1F);
      }
    }
    const auto done = scene.seers.sort({.radius = 1, .skin = 1});
    ASSERT_TRUE(done);
    kept += done->sorted ? 0 : 1;
    ASSERT_NO_FATAL_FAILURE(expect_right(scene.seers, scene.seers, 6, kInf));
    ASSERT_NO_FATAL_FAILURE(expect_right(scene.seen, scene.seers, 6, 0.9F));
  }
  EXPECT_GE(kept, 3);
}

TEST(Nearest, AnyExecutorAndInstructionSet) {
  const Scene scene(test::make_world(3, 2), Crowding::kUniform, 3000, 1, false, {.radius = 1});
  Found expected;
  const auto first = search(scene.seers, scene.seers, 8, kInf, expected);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->found, 8u * 3000);
  EXPECT_LT(first->tested, 3000u * 3000 / 4);
  const auto again = [&](const Executor* executor) {
    Found found;
    const auto done = search(scene.seers, scene.seers, 8, kInf, found, executor);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->tested, first->tested);
    EXPECT_TRUE(found == expected);
  };
  test::for_each_executor(again);
  test::for_each_isa([&](Isa) { again(nullptr); });
}

TEST(Nearest, Refuses) {
  Scene scene(test::make_world(2, 8), Crowding::kUniform, 10, 20, false, {.radius = 1});
  auto elsewhere = Simulation::build(test::make_world(2, 8)).value();
  Population& stranger = *elsewhere.add_population("stranger").value();
  ASSERT_TRUE(stranger.sort({.radius = 1}));
  std::vector<std::uint32_t> rows(30, 7), counts(10, 7);
  std::vector<float> distance2(30, 7);
  const auto refused = [&](const Population& seen, std::uint32_t k, float radius) {
    const auto done = nearest(scene.seers, seen, k, radius, rows, distance2, counts);
    return !done && done.error().code == ErrorCode::kInvalidArgument &&
           std::count(rows.begin(), rows.end(), 7U) == 30;
  };
  for (const float radius : {0.0F, -1.0F, -kInf, std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_TRUE(refused(scene.seen, 3, radius)) << radius;
  }
  EXPECT_TRUE(refused(scene.seen, 2, 1));
  EXPECT_TRUE(refused(scene.seen, 4, 1));
  EXPECT_TRUE(refused(stranger, 3, 1));
  scene.seen.write(scene.seen.position(0))[0] += 1;
  EXPECT_TRUE(refused(scene.seen, 3, 1));
  ASSERT_TRUE(scene.seen.sort({.radius = 1}));
  scene.seers.write(scene.seers.position(0))[0] += 1;  // seers need no order
  EXPECT_TRUE(nearest(scene.seers, scene.seen, 3, 1, rows, distance2, counts));
}

}  // namespace
}  // namespace juxta
