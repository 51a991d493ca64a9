// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What neighbour_lists.h refuses, and how much memory it takes.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "agents/crowds.h"
#include "agents/list_book.h"
#include "agents/pass_check.h"
#include "juxta/core/workspace.h"
#include "scenes/draws.h"
#include "support/code_of.h"
#include "support/counting_resource.h"
#include "support/executors.h"

namespace juxta {
namespace {

Population& add_agents(Simulation& simulation, std::string_view name, std::size_t count) {
  scenes::Draws draws(3);
  Population& agents = *simulation.add_population(name).value();
  test::Crowd crowd = test::draw_crowd(draws, simulation.world(), test::Crowding::kUniform, count, 1);
  test::draw_radii(draws, 1, crowd);
  test::fill(agents, crowd, draws);
  EXPECT_TRUE(agents.sort({.radius = 1}));
  return agents;
}

void expect_refused(const Population& seers, const Population& seen, float radius,
                    const NeighbourListOptions& options, std::string_view word) {
  SCOPED_TRACE(word);
  std::vector<std::uint64_t> offsets(seers.size() + 1, 77);
  std::vector<std::uint32_t> rows(100, 77);
  bool called = false;
  const auto visit = [&](const NeighbourBlock&) { called = true; };
  for (const auto& result : {neighbour_lists(seers, seen, radius, offsets, {.rows = rows}, options),
                             neighbour_pairs(seers, seen, radius, {.rows = rows}, options),
                             visit_neighbour_pairs(seers, seen, radius, visit, options)}) {
    ASSERT_FALSE(result);
    EXPECT_EQ(test::code_of(result), ErrorCode::kInvalidArgument);
    EXPECT_NE(result.error().message.find(word), std::string::npos) << result.error().message;
  }
  EXPECT_EQ(offsets, std::vector<std::uint64_t>(seers.size() + 1, 77));
  EXPECT_EQ(rows, std::vector<std::uint32_t>(100, 77));
  EXPECT_FALSE(called);
}

TEST(NeighbourListRefusals, AreAboutRadiiPopulationsAndOptions) {
  auto simulation = Simulation::build(test::make_world(2, 0)).value();
  auto another = Simulation::build(test::make_world(2, 0)).value();
  Population& agents = add_agents(simulation, "agents", 50);
  const Population& others = add_agents(simulation, "others", 50);
  const Population& strangers = add_agents(another, "strangers", 50);
  for (const float radius : {0.0F, -1.0F, std::numeric_limits<float>::quiet_NaN(),
                             std::numeric_limits<float>::infinity(), 1e30F}) {
    expect_refused(agents, agents, radius, {}, "radius");
  }
  expect_refused(agents, strangers, 1, {}, "two simulations");
  expect_refused(agents, others, 1, {.half = true}, "one population");
  expect_refused(agents, agents, 1, {.radii = agents.find_column<float>("sight").value(), .half = true},
                 "one radius");
  expect_refused(agents, agents, 0.5F, {.radii = agents.find_column<float>("sight").value()}, "own radius");
  expect_refused(agents, agents, 1, {.radii = {1234}}, "radii");
  for (const std::size_t size : {0UL, 50UL, 52UL}) {
    std::vector<std::uint64_t> offsets(size, 77);
    const auto result = neighbour_lists(agents, agents, 1, offsets, {});
    ASSERT_FALSE(result);
    EXPECT_EQ(test::code_of(result), ErrorCode::kInvalidArgument);
    EXPECT_EQ(offsets, std::vector<std::uint64_t>(size, 77));
  }
  agents.write(agents.position(0))[0] += 0.5F;
  expect_refused(agents, agents, 1, {}, "sort()");
}

// From half a period on, an agent may be near by two of its images.
TEST(NeighbourListRefusals, AreAboutTheImagesOfASmallPeriodicWorld) {
  const World world{.dimensions = 2, .edges = {Edge::kWall, Edge::kPeriodic}, .lo = {0, 0}, .hi = {3, 8}};
  auto simulation = Simulation::build(world).value();
  Population& agents = add_agents(simulation, "agents", 50);
  for (const float radius : {4.0F, 5.0F, 100.0F}) {
    expect_refused(agents, agents, radius, {}, "half the period (4.0");
    expect_refused(agents, agents, radius, {.metric = Metric::kBox}, "axis y");
    EXPECT_TRUE(neighbour_pairs(agents, agents, radius, {}, {.nearest_images = true}));
  }
  EXPECT_TRUE(neighbour_pairs(agents, agents, 3.99F, {}));
  ASSERT_TRUE(agents.add_extents());
  for (float& extent : agents.write(agents.find_column<float>("ey").value())) {
    extent = 0.25F;
  }
  ASSERT_TRUE(agents.sort({.radius = 1}));
  expect_refused(agents, agents, 3.5F, {}, "period");
  EXPECT_TRUE(neighbour_pairs(agents, agents, 3.25F, {}));
}

TEST(NeighbourListMemory, IsTakenOnceWithAWorkspace) {
  auto simulation = Simulation::build(test::make_world(3, 0)).value();
  const Population& agents = add_agents(simulation, "agents", 3000);
  std::vector<std::uint64_t> offsets(agents.size() + 1);
  std::vector<std::uint32_t> rows(200'000);
  const test::ThreadsExecutor threads(3);
  const auto ignore = [](const NeighbourBlock&) {};
  test::CountingResource resource;
  Workspace workspace(&resource);
  std::size_t after_one = 0;
  for (int step = 0; step < 3; ++step) {
    workspace.reset();
    for (const Executor* const executor :
         {static_cast<const Executor*>(nullptr), static_cast<const Executor*>(&threads)}) {
      const Context context{.executor = executor, .workspace = &workspace};
      ASSERT_TRUE(neighbour_lists(agents, agents, 0.5F, offsets, {.rows = rows}, {}, context));
      ASSERT_TRUE(visit_neighbour_pairs(agents, agents, 0.5F, ignore, {}, context));
    }
    after_one = step == 1 ? resource.calls() : after_one;
  }
  EXPECT_EQ(resource.calls(), after_one);
}

}  // namespace
}  // namespace juxta
