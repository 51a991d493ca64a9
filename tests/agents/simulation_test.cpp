// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Worlds, populations and steps.
#include "juxta/agents/simulation.h"
#include "support/code_of.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace juxta {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

World closed(Edge edge, float lo, float hi) {
  return {.dimensions = 3, .edges = {edge, edge, edge}, .lo = {lo, lo, lo}, .hi = {hi, hi, hi}};
}

TEST(AgentsSimulation, RefusesWorldsThatMakeNoSense) {
  const auto code = [](const World& world) { return test::code_of(Simulation::build(world)); };
  for (const std::uint32_t dimensions : {0U, 1U, 4U, 0xFFFFFFFFU}) {
    EXPECT_EQ(code({.dimensions = dimensions}), ErrorCode::kInvalidArgument);
  }
  for (const Edge edge : {Edge::kWall, Edge::kPeriodic}) {
    EXPECT_TRUE(Simulation::build(closed(edge, -1, 1)));
    EXPECT_EQ(code(closed(edge, 1, 1)), ErrorCode::kInvalidArgument);
    EXPECT_EQ(code(closed(edge, 1, -1)), ErrorCode::kInvalidArgument);
    EXPECT_EQ(code(closed(edge, 0, kInfinity)), ErrorCode::kNotFinite);
    EXPECT_EQ(code(closed(edge, -kInfinity, 0)), ErrorCode::kNotFinite);
    EXPECT_EQ(code(closed(edge, kNan, 0)), ErrorCode::kNotFinite);
    EXPECT_EQ(code(closed(edge, -3e38F, 3e38F)), ErrorCode::kNotFinite);  // a period that leaves float
    World one = closed(Edge::kOpen, kNan, kNan);
    EXPECT_TRUE(Simulation::build(one));
    one.edges[2] = edge;
    EXPECT_EQ(Simulation::build(one).error().index, 2u);
    one.dimensions = 2;  // no third axis
    EXPECT_TRUE(Simulation::build(one));
  }
  World odd = closed(Edge::kWall, 0, 1);
  for (const std::uint32_t dimensions : {3U, 2U}) {
    odd.dimensions = dimensions;
    odd.edges[2] = static_cast<Edge>(7);
    EXPECT_EQ(code(odd), ErrorCode::kInvalidArgument);
  }
}

TEST(AgentsSimulation, FindsItsPopulations) {
  Simulation sim = Simulation::build(closed(Edge::kWall, 0, 2), 42).value();
  EXPECT_EQ(sim.find_population("wolves"), nullptr);
  Population* const wolves = sim.add_population("wolves").value();
  Population* const sheep = sim.add_population("sheep").value();
  EXPECT_EQ(test::code_of(sim.add_population("sheep")), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(sim.add_population("")), ErrorCode::kInvalidArgument);
  EXPECT_EQ(sim.population_count(), 2u);
  EXPECT_EQ(sim.find_population("sheep"), sheep);
  EXPECT_EQ(std::as_const(sim).find_population("wolves"), wolves);
  EXPECT_EQ(&sim.population(0), wolves);
  EXPECT_EQ(sheep->world(), sim.world());
  // Populations stay where they are when the simulation moves.
  Simulation moved = std::move(sim);
  EXPECT_EQ(moved.find_population("sheep"), sheep);
  Simulation other = Simulation::build({}).value();
  other = std::move(moved);
  EXPECT_EQ(&other.population(1), sheep);
  EXPECT_TRUE(sheep->add_references("mother", *wolves));
}

TEST(AgentsSimulation, CountsStepsAndKeysThem) {
  Simulation sim = Simulation::build({}, 42).value();
  Population& sheep = *sim.add_population("sheep").value();
  ASSERT_TRUE(sim.add_population("wolves"));
  EXPECT_EQ(sim.step(), 0u);
  ASSERT_TRUE(sheep.insert(3));
  sheep.changes().kill(2);
  sheep.changes().spawn();
  sheep.changes().spawn();
  const auto reports = sim.end_step().value();
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[0].born, 2u);
  EXPECT_EQ(reports[0].died, 1u);
  EXPECT_EQ(reports[1].born + reports[1].died + reports[1].nulled, 0u);
  EXPECT_EQ(sim.step(), 1u);
  const RandomKey key = sim.key(9);
  EXPECT_EQ(key.seed, 42u);
  EXPECT_EQ(key.step, 1u);
  EXPECT_EQ(key.purpose, 9u);
  const auto next = sim.end_step().value();
  EXPECT_EQ(next[0].born + next[0].died, 0u);  // once
}

}  // namespace
}  // namespace juxta
