// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// When an order is kept for its skin, and when it is not.
#include <gtest/gtest.h>

#include <cmath>

#include "agents/crowds.h"
#include "agents/pass_check.h"
#include "scenes/draws.h"
#include "support/executors.h"
#include "support/saved_bytes.h"

namespace juxta {
namespace {

using scenes::Draws;
using test::Crowd;
using test::Crowding;

constexpr std::array kArrangements{Arrangement::kAuto,    Arrangement::kRows,   Arrangement::kMorton,
                                   Arrangement::kHilbert, Arrangement::kHashed, Arrangement::kTree};

class Skin : public ::testing::Test {
 protected:
  /// A periodic world, so that positions go round.
  void make(std::uint32_t dimensions, bool extents, std::size_t count = 400) {
    simulation.emplace(Simulation::build(test::make_world(dimensions, dimensions == 2 ? 8 : 26)).value());
    agents = simulation->add_population("agents").value();
    Crowd crowd = test::draw_crowd(draws, agents->world(), Crowding::kUniform, count, 1);
    if (extents) {
      test::draw_extents(draws, agents->world(), crowd);
    }
    test::fill(*agents, crowd, draws);
  }
  /// Whether the order was made anew.
  bool sorts(const SortOptions& options, const Context& context = {}) {
    const auto done = agents->sort(options, context);
    EXPECT_TRUE(done) << done.error().message;
    EXPECT_TRUE(agents->sorted());
    return done && done->sorted;
  }
  void shift(float by) {
    for (std::uint32_t axis = 0; axis < agents->world().dimensions; ++axis) {
      for (float& x : agents->write(agents->position(axis))) {
        x += by;
      }
    }
  }

  Draws draws{5};
  std::optional<Simulation> simulation;
  Population* agents = nullptr;
};

// Slowly round the whole world: positions are brought back at its edges, and the order is kept across them.
TEST_F(Skin, IsMeasuredToTheNearestImage) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const Arrangement arrangement : kArrangements) {
      make(dimensions, arrangement == Arrangement::kTree);
      const SortOptions options{.radius = 0.7F, .skin = 1, .arrangement = arrangement};
      EXPECT_TRUE(sorts(options));
      int kept = 0;
      for (int step = 1; step <= 12; ++step) {
        shift(0.09F);
        kept += sorts(options) ? 0 : 1;
        ASSERT_EQ(test::compare_census(*agents, *agents, 0.7F, {}), "") << step;
        ASSERT_EQ(test::compare_census(*agents, *agents, 6, {}), "") << step;
      }
      // 0.09 on each axis: half of the skin holds three steps in either world.
      EXPECT_EQ(kept, 9) << static_cast<int>(arrangement);
    }
  }
}

TEST_F(Skin, SeersOfAnotherPopulationMeetWhoMoved) {
  for (const Arrangement arrangement : kArrangements) {
    make(2, false);
    Population& others = *simulation->add_population("others").value();
    test::fill(others, test::draw_crowd(draws, others.world(), Crowding::kUniform, 100, 1), draws);
    const SortOptions options{.radius = 0.5F, .skin = 2, .arrangement = arrangement};
    ASSERT_TRUE(sorts(options));
    for (std::uint32_t axis = 0; axis < 2; ++axis) {
      for (float& x : agents->write(agents->position(axis))) {
        x += draws.uniform(-0.7F, 0.7F);
      }
    }
    ASSERT_FALSE(sorts(options));
    EXPECT_EQ(test::compare_census(others, *agents, 0.5F, {}), "");
    SeeOptions box;
    box.metric = Metric::kBox;
    EXPECT_EQ(test::compare_census(others, *agents, 0.2F, box), "");
  }
}

TEST_F(Skin, EndsWhenAnythingElseChanges) {
  make(2, true);
  const SortOptions options{.radius = 1, .skin = 0.5F};
  const auto kept = [&] { return !sorts(options); };
  EXPECT_FALSE(kept());
  EXPECT_TRUE(kept());
  agents->write(test::column(*agents, "mass"))[3] = 77;
  EXPECT_TRUE(kept());
  EXPECT_TRUE(sorts({.radius = 2, .skin = 0.5F}));
  EXPECT_TRUE(sorts({.radius = 1, .skin = 0.5F}));
  EXPECT_TRUE(sorts({.radius = 1, .skin = 0.5F, .arrangement = Arrangement::kHashed}));
  EXPECT_FALSE(sorts({.radius = 1, .skin = 0.9F, .arrangement = Arrangement::kHashed}));
  EXPECT_FALSE(kept());
  EXPECT_TRUE(sorts({.radius = 1}));  // no skin: nothing is kept, nor for later
  EXPECT_FALSE(kept());
  agents->write(test::column(*agents, "ex"))[5] += 1;
  EXPECT_FALSE(kept());
  EXPECT_EQ(test::compare_census(*agents, *agents, 1, {}), "");
  agents->changes().kill(7);
  ASSERT_TRUE(simulation->end_step());
  EXPECT_FALSE(kept());
  EXPECT_TRUE(kept());
  ASSERT_TRUE(simulation->end_step());  // nobody comes or goes
  EXPECT_TRUE(kept());
  ASSERT_TRUE(agents->insert(1));
  EXPECT_FALSE(kept());
  EXPECT_EQ(test::compare_census(*agents, *agents, 1, {}), "");
}

TEST_F(Skin, ARefusedSortLeavesIt) {
  make(2, false);
  const SortOptions options{.radius = 1, .skin = 0.5F};
  ASSERT_TRUE(sorts(options));
  const float x = agents->read(agents->position(0))[9];
  agents->write(agents->position(0))[9] = std::nanf("");
  EXPECT_FALSE(agents->sort(options));
  EXPECT_FALSE(agents->sorted());
  agents->write(agents->position(0))[9] = x;
  EXPECT_FALSE(sorts(options));
  EXPECT_EQ(test::compare_census(*agents, *agents, 1, {}), "");
}

// A file taken between two sorts: what goes on from it keeps the order as this does.
TEST_F(Skin, GoesOnFromAFile) {
  for (const Arrangement arrangement : kArrangements) {
    for (const bool extents : {false, true}) {
      make(2, extents, 1000);
      const SortOptions options{.radius = 0.5F, .skin = 1, .arrangement = arrangement};
      ASSERT_TRUE(sorts(options));
      shift(0.2F);
      Simulation loaded = test::from_bytes<Simulation>(test::saved_bytes(*simulation));
      Population& again = loaded.population(0);
      for (int step = 0; step < 4; ++step) {
        const auto report = again.sort(options);
        ASSERT_TRUE(report);
        ASSERT_EQ(report->sorted, sorts(options)) << step;
        ASSERT_TRUE(see(again, again, 0.5F, test::Push{}));
        ASSERT_TRUE(see(*agents, *agents, 0.5F, test::Push{}));
        for (const std::string_view name : {"number", "push_x", "push_y", "lengths"}) {
          ASSERT_EQ(test::values(again, name), test::values(*agents, name)) << name << " in step " << step;
        }
        ASSERT_EQ(test::compare_census(again, again, 0.5F, {}), "");
        for (Population* population : {agents, &again}) {
          for (float& x : population->write(population->position(0))) {
            x -= 0.1F;
          }
        }
      }
    }
  }
}

TEST_F(Skin, TheSameOnAnyExecutor) {
  std::vector<float> expected;
  test::for_each_executor([&](const Executor* executor) {
    draws = Draws(5);
    make(2, false, 40'000);
    std::vector<float> trace;
    for (int step = 0; step < 5; ++step) {
      trace.push_back(sorts({.radius = 0.1F, .skin = 0.2F}, {.executor = executor}) ? 1 : 0);
      ASSERT_TRUE(see(*agents, *agents, 0.1F, test::Push{}, {}, {.executor = executor}));
      const auto push = test::values(*agents, "push_x");
      trace.insert(trace.end(), push.begin(), push.end());
      shift(0.03F);
    }
    expected = expected.empty() ? trace : expected;
    EXPECT_TRUE(trace == expected);
  });
}

}  // namespace
}  // namespace juxta
