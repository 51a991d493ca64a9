// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Passes between moves: within a skin and beyond it, and actions that make the moves.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "agents/crowds.h"
#include "agents/pass_check.h"
#include "juxta/agents/act.h"
#include "scenes/draws.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

using scenes::Draws;
using test::Crowd;
using test::Crowding;

/// Everybody by up to `most` along each axis, inside the walls.
void move_all(Draws& draws, Population& population, float most) {
  const World& world = population.world();
  for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
    for (float& at : population.write(population.position(axis))) {
      at += draws.uniform(-most, most);
      at = world.edges[axis] == Edge::kWall ? std::min(std::max(at, world.lo[axis]), world.hi[axis]) : at;
    }
  }
}

struct Moves {
  World world;
  Arrangement arrangement = Arrangement::kAuto;
  float radius = 1, skin = 0.5F, move = 0.02F;
  bool extents = false;
};

/// Moves, sorts and sees ten times; how often the order was kept.
void run_moves(const Moves& m, int& kept) {
  kept = 0;
  Draws draws(8);
  auto simulation = Simulation::build(m.world).value();
  Population& agents = *simulation.add_population("agents").value();
  Crowd crowd = test::draw_crowd(draws, m.world, Crowding::kUniform, 250, m.radius);
  if (m.extents) {
    test::draw_extents(draws, m.world, crowd);
  }
  test::fill(agents, crowd, draws);
  for (int step = 0; step < 10; ++step) {
    SortOptions options;
    options.radius = m.radius;
    options.skin = m.skin;
    options.arrangement = m.arrangement;
    const auto before = test::values(agents, "number");
    const auto done = agents.sort(options);
    ASSERT_TRUE(done) << done.error().message;
    ASSERT_TRUE(agents.sorted());
    ASSERT_TRUE(step > 0 || done->sorted);
    if (!done->sorted) {
      ++kept;
      ASSERT_EQ(test::values(agents, "number"), before) << "kept, yet reordered";
    }
    for (const float radius : {m.radius, m.radius / 2, m.radius * 3}) {
      ASSERT_EQ(test::compare_pass(agents, agents, radius, {}), "")
          << test::name(m.world) << ", step " << step << ", radius " << radius << ", arrangement "
          << static_cast<int>(m.arrangement);
    }
    move_all(draws, agents, m.move);
  }
}

constexpr std::array kArrangements{Arrangement::kAuto,    Arrangement::kRows,   Arrangement::kMorton,
                                   Arrangement::kHilbert, Arrangement::kHashed, Arrangement::kTree};

TEST(SeeMoves, WithinASkinTheOrderIsKept) {
  for (const std::uint32_t edges : {0U, 4U, 8U, 2U, 26U}) {
    for (const Arrangement arrangement : kArrangements) {
      for (const bool extents : {false, true}) {
        int kept = 0;
        const World world = test::make_world(edges == 26 ? 3 : 2, edges);
        // 0.02 a step and axis: at least three steps fit into half a skin of 0.5.
        ASSERT_NO_FATAL_FAILURE(
            run_moves({.world = world, .arrangement = arrangement, .extents = extents}, kept));
        EXPECT_GE(kept, 5) << test::name(world);
      }
    }
  }
}

TEST(SeeMoves, BeyondTheSkinItIsNot) {
  for (const std::uint32_t edges : {0U, 4U, 8U}) {
    for (const Arrangement arrangement : kArrangements) {
      for (const float skin : {0.0F, 0.05F}) {
        int kept = 0;
        ASSERT_NO_FATAL_FAILURE(run_moves(
            {.world = test::make_world(2, edges), .arrangement = arrangement, .skin = skin, .move = 1.5F},
            kept));
        EXPECT_EQ(kept, 0);
      }
    }
  }
}

// One agent alone goes far: whoever looks at a few of them misses it.
TEST(SeeMoves, OneAgentLeavesTheSkin) {
  Draws draws(9);
  auto simulation = Simulation::build(test::make_world(2, 0)).value();
  Population& agents = *simulation.add_population("agents").value();
  test::fill(agents, test::draw_crowd(draws, agents.world(), Crowding::kUniform, 500, 1), draws);
  SortOptions options;
  options.radius = 1;
  options.skin = 0.5F;
  ASSERT_TRUE(agents.sort(options));
  for (const std::size_t row : {0U, 1U, 255U, 498U, 499U}) {
    agents.write(agents.position(1))[row] += 0.26F;
    const auto done = agents.sort(options);
    ASSERT_TRUE(done && done->sorted) << row;
    ASSERT_EQ(test::compare_pass(agents, agents, 1, {}), "") << row;
    agents.write(agents.position(0))[row] += 0.2F;
    const auto again = agents.sort(options);
    ASSERT_TRUE(again && !again->sorted) << row;
    ASSERT_EQ(test::compare_pass(agents, agents, 1, {}), "") << row;
  }
}

TEST(SeeMoves, BirthsAndDeathsEndASkin) {
  Draws draws(10);
  auto simulation = Simulation::build(test::make_world(2, 8)).value();
  Population& agents = *simulation.add_population("agents").value();
  test::fill(agents, test::draw_crowd(draws, agents.world(), Crowding::kUniform, 200, 1), draws);
  SortOptions options;
  options.radius = 1;
  options.skin = 1;
  for (int step = 0; step < 12; ++step) {
    const auto done = agents.sort(options);
    ASSERT_TRUE(done && done->sorted);
    ASSERT_EQ(test::compare_pass(agents, agents, 1, {}), "") << step;
    for (std::uint32_t row = 0; row < agents.size(); row += 7) {
      step % 3 == 0 ? agents.changes().kill(row) : static_cast<void>(agents.changes().spawn_like(row));
    }
    if (step == 9) {  // dies out, and comes back
      for (std::uint32_t row = 0; row < agents.size(); ++row) {
        agents.changes().kill(row);
      }
      ASSERT_TRUE(simulation.end_step());
      ASSERT_TRUE(agents.sort(options));
      ASSERT_TRUE(see(agents, agents, 1, test::Count{}));
      ASSERT_TRUE(agents.insert(20));
      continue;
    }
    ASSERT_TRUE(simulation.end_step());
    EXPECT_FALSE(agents.sorted());
  }
}

// An action against the same template over plain floats, one agent at a time.
TEST(SeeMoves, ActionsDoWhatAScalarDoes) {
  for (const std::size_t count : {0U, 1U, 15U, 16U, 17U, 1000U, 10'000U}) {
    test::for_each_isa([&](Isa) {
      Draws draws(11);
      auto simulation = Simulation::build(test::make_world(2, 0)).value();
      Population& agents = *simulation.add_population("agents").value();
      test::fill(agents, test::draw_crowd(draws, agents.world(), Crowding::kUniform, count, 1), draws);
      for (const std::string_view name : {"push_x", "push_y", "vx", "vy", "count"}) {
        for (float& value : agents.write(test::column(agents, name))) {
          value = draws.below(5) == 0 ? 0 : draws.uniform(-1, 1);
        }
      }
      ASSERT_TRUE(agents.sort({.radius = 1}));
      constexpr std::array<std::string_view, 7> kNames{"x", "y", "vx", "vy", "push_x", "push_y", "count"};
      std::array<std::vector<float>, kNames.size()> before, after;
      for (std::size_t i = 0; i < kNames.size(); ++i) {
        before[i] = test::values(agents, kNames[i]);
      }
      const test::Drift drift{0.25F};
      ASSERT_TRUE(act(agents, drift));
      for (std::size_t i = 0; i < kNames.size(); ++i) {
        after[i] = test::values(agents, kNames[i]);
      }
      for (std::size_t row = 0; row < count; ++row) {
        const test::Drift::Reads<float> in{before[4][row], before[5][row], before[6][row]};
        test::Drift::Writes<float> agent{before[0][row], before[1][row], before[2][row], before[3][row]};
        drift(in, agent);
        for (const auto& [got, right] :
             {std::pair(after[0][row], agent.x), std::pair(after[1][row], agent.y),
              std::pair(after[2][row], agent.vx), std::pair(after[3][row], agent.vy),
              std::pair(after[4][row], in.push_x)}) {
          ASSERT_EQ(std::bit_cast<std::uint32_t>(got), std::bit_cast<std::uint32_t>(right)) << row;
        }
      }
      EXPECT_FALSE(agents.sorted());
    });
  }
}

}  // namespace
}  // namespace juxta
