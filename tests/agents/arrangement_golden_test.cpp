// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Literal hashes of passes over each arrangement, and of the k nearest: one for every compiler, optimisation,
// instruction set and executor.
#include <gtest/gtest.h>

#include <vector>

#include "agents/pass_scenario.h"
#include "juxta/agents/nearest.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

std::uint64_t run_passes(std::uint32_t dimensions, Arrangement arrangement, bool extents) {
  test::ScenarioOptions options;
  options.dimensions = dimensions;
  options.arrangement = arrangement;
  options.extents = extents;
  options.skin = extents ? 0.3F : 0;
  options.agents = 1000;
  options.steps = 4;
  return test::PassScenario(options, nullptr).run().back();
}

std::uint64_t run_nearest(std::uint32_t dimensions) {
  auto simulation = Simulation::build(test::make_world(dimensions, 2)).value();
  Population& agents = *simulation.add_population("agents").value();
  scenes::Draws draws(21);
  const auto crowd = test::draw_crowd(draws, simulation.world(), test::Crowding::kUniform, 1500, 1);
  test::fill(agents, crowd, draws);
  EXPECT_TRUE(agents.sort({.radius = 0.5F, .arrangement = Arrangement::kTree}));
  std::vector<std::uint32_t> rows(1500 * 6), counts(1500);
  std::vector<float> distance2(1500 * 6);
  EXPECT_TRUE(nearest(agents, agents, 6, 3, rows, distance2, counts));
  return test::fnv(std::span<const std::uint32_t>(rows), test::fnv(std::span<const float>(distance2)));
}

TEST(ArrangementGolden, Passes) {
  test::for_each_isa([&](Isa) {
    EXPECT_EQ(run_passes(2, Arrangement::kMorton, false), 0xca5e11385af9b78cU);
    EXPECT_EQ(run_passes(3, Arrangement::kMorton, true), 0x38b37b5c4a55712cU);
    EXPECT_EQ(run_passes(2, Arrangement::kHilbert, true), 0xfe37ba1aa54c05eaU);
    EXPECT_EQ(run_passes(3, Arrangement::kHilbert, false), 0xf53b9a4b20b2ddd8U);
    EXPECT_EQ(run_passes(2, Arrangement::kHashed, false), 0x8fb52f09687c8792U);
    EXPECT_EQ(run_passes(3, Arrangement::kHashed, true), 0xdf53087675dd00eeU);
    EXPECT_EQ(run_passes(2, Arrangement::kTree, true), 0xe5bc3e6fa7eb1b5cU);
    EXPECT_EQ(run_passes(3, Arrangement::kTree, false), 0xe67bc233643354feU);
    EXPECT_EQ(run_passes(2, Arrangement::kAuto, true), 0xe5bc3e6fa7eb1b5cU);
  });
}

TEST(ArrangementGolden, Nearest) {
  test::for_each_isa([&](Isa) {
    EXPECT_EQ(run_nearest(2), 0x34ac2cc9bef97769U);
    EXPECT_EQ(run_nearest(3), 0xe84b1594cf8d90c4U);
  });
}

}  // namespace
}  // namespace juxta
