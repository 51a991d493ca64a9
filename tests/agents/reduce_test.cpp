// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The passes that the library brings along have the bits of rules that a user would write, in every world and
// on every instruction set.
#include "juxta/agents/reduce.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "agents/crowds.h"
#include "agents/pass_check.h"
#include "agents/reduce_rules.h"
#include "juxta/core/workspace.h"
#include "scenes/draws.h"
#include "support/code_of.h"
#include "support/counting_resource.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using scenes::Draws;

std::vector<std::uint32_t> bits(const Population& population, std::string_view column) {
  std::vector<std::uint32_t> all;
  for (const float value : population.read(population.find_column<float>(column).value())) {
    all.push_back(std::isnan(value) ? 0x7fc00000U : std::bit_cast<std::uint32_t>(value));
  }
  return all;
}

/// Agents with a "value" and velocities of any sign; of the values some are NaN where that is asked for.
Population& add_agents(Simulation& simulation, std::string_view name, Draws& draws, test::Crowding crowding,
                       std::size_t count, bool extents = false) {
  Population& agents = *simulation.add_population(name).value();
  test::Crowd crowd = test::draw_crowd(draws, simulation.world(), crowding, count, 1);
  if (extents) {
    test::draw_extents(draws, simulation.world(), crowd);
  }
  test::draw_radii(draws, 1.1F, crowd);
  test::fill(agents, crowd, draws);
  EXPECT_TRUE(agents.add_columns({"value", "vz", "into"}));
  EXPECT_TRUE(agents.add_results({"n", "sum", "least", "greatest", "n_boids", "svx", "svy", "svz", "sdx",
                                  "sdy", "sdz", "nx", "ny", "nz"}));
  for (const char* const column : {"value", "vx", "vy", "vz"}) {
    for (float& value : agents.write(agents.find_column<float>(column).value())) {
      value = test::draw_unit(draws) * 3 - 1;
    }
  }
  return agents;
}

struct Case {
  World world;
  test::Crowding crowding = test::Crowding::kUniform;
  Metric metric = Metric::kBall;
  bool extents = false, radii = false, others = false;
  std::size_t count = 500;
};

void expect_reductions_of_rules(const Case& c) {
  SCOPED_TRACE(test::name(c.world) + ", " + std::string(test::name(c.crowding)));
  Draws draws(5);
  auto simulation = Simulation::build(c.world).value();
  Population& seers = add_agents(simulation, "seers", draws, c.crowding, c.count, c.extents);
  const Population& seen = c.others ? add_agents(simulation, "seen", draws, c.crowding, 2 * c.count) : seers;
  for (std::size_t i = 0; i < simulation.population_count(); ++i) {
    ASSERT_TRUE(simulation.population(i).sort({.radius = 1.1F}));
  }
  SeeOptions options;
  options.metric = c.metric;
  if (c.radii) {
    options.radii = seers.find_column<float>("sight").value();
  }
  const auto by_rules = see(seers, seen, 1.1F, test::Totals{}, options);
  ASSERT_TRUE(by_rules) << by_rules.error().message;
  test::for_each_isa([&](Isa) {
    for (const auto& [reduction, column] :
         {std::pair{Reduction::kCount, "n"}, std::pair{Reduction::kSum, "sum"},
          std::pair{Reduction::kLeast, "least"}, std::pair{Reduction::kGreatest, "greatest"}}) {
      const auto reduced = reduce(seers, seen, 1.1F, reduction, "value", "into", options);
      ASSERT_TRUE(reduced) << reduced.error().message;
      EXPECT_EQ(reduced->tested, by_rules->tested);
      EXPECT_EQ(bits(seers, "into"), bits(seers, column)) << column;
    }
    ASSERT_TRUE(reduce(seers, seen, 1.1F, Reduction::kMean, "value", "into", options));
    const auto mean = seers.read(seers.find_column<float>("into").value());
    const auto sum = seers.read(seers.find_column<float>("sum").value());
    const auto n = seers.read(seers.find_column<float>("n").value());
    for (std::size_t i = 0; i < mean.size(); ++i) {
      EXPECT_TRUE(n[i] > 0 ? mean[i] == sum[i] / n[i] : std::isnan(mean[i])) << i;
    }
  });
}

template <class Body>
void for_each_world(Body&& body) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (std::uint32_t edges = 0; edges < test::world_count(dimensions); edges += 4) {
      body(test::make_world(dimensions, edges));
    }
  }
}

TEST(Reduce, HasTheBitsOfRules) {
  for_each_world([](const World& world) {
    for (const Metric metric : {Metric::kBall, Metric::kBox}) {
      expect_reductions_of_rules({.world = world, .metric = metric});
      expect_reductions_of_rules({.world = world, .metric = metric, .extents = true});
      expect_reductions_of_rules({.world = world, .metric = metric, .radii = true, .others = true});
    }
  });
}

TEST(Reduce, HasTheBitsOfRulesInEveryCrowd) {
  for (const test::Crowding crowding : test::kCrowdings) {
    for (const std::size_t count : {0UL, 1UL, 3UL, 700UL}) {
      expect_reductions_of_rules(
          {.world = test::make_world(3, 14), .crowding = crowding, .others = true, .count = count});
    }
  }
  expect_reductions_of_rules(
      {.world = test::make_world(2, 0), .crowding = test::Crowding::kPoint, .count = 5000});
}

TEST(Reduce, MayFillTheColumnThatItReads) {
  Draws draws(7);
  auto simulation = Simulation::build(test::make_world(2, 8)).value();
  Population& agents = add_agents(simulation, "agents", draws, test::Crowding::kUniform, 2000);
  ASSERT_TRUE(agents.sort({.radius = 1}));
  ASSERT_TRUE(reduce(agents, agents, 1, Reduction::kSum, "value", "into"));
  const auto expected = bits(agents, "into");
  const test::ThreadsExecutor threads(3);
  ASSERT_TRUE(reduce(agents, agents, 1, Reduction::kSum, "value", "value", {}, {.executor = &threads}));
  EXPECT_EQ(bits(agents, "value"), expected);
  EXPECT_TRUE(agents.sorted());
}

TEST(Reduce, NaNsArePassedOverByLeastAndGreatest) {
  auto simulation = Simulation::build({.dimensions = 2}).value();
  Population& agents = *simulation.add_population("agents").value();
  ASSERT_TRUE(agents.add_columns({"value", "into"}));
  ASSERT_TRUE(agents.insert(3));
  const auto value = agents.write(agents.find_column<float>("value").value());
  value[0] = std::nanf(""), value[1] = 4, value[2] = 2;
  ASSERT_TRUE(agents.sort({.radius = 1}));
  ASSERT_TRUE(reduce(agents, agents, 1, Reduction::kLeast, "value", "into"));
  const auto least = agents.read(agents.find_column<float>("into").value());
  EXPECT_EQ(std::vector<float>(least.begin(), least.end()), (std::vector<float>{2, 2, 4}));
  ASSERT_TRUE(reduce(agents, agents, 1, Reduction::kSum, "value", "into"));
  EXPECT_EQ(std::isnan(least[0]), false);
  EXPECT_EQ(std::isnan(least[1]), true);
}

TEST(Reduce, MistakesHaveAReasonAndWriteNothing) {
  Draws draws(7);
  auto simulation = Simulation::build(test::make_world(2, 8)).value();
  auto other = Simulation::build(test::make_world(2, 8)).value();
  Population& agents = add_agents(simulation, "agents", draws, test::Crowding::kUniform, 100);
  Population& strangers = add_agents(other, "strangers", draws, test::Crowding::kUniform, 100);
  const auto refused = [&](Population& seers, float radius, Reduction reduction, std::string_view of,
                           std::string_view into) {
    const auto before = bits(agents, "into");
    const auto result = reduce(seers, agents, radius, reduction, of, into);
    EXPECT_EQ(bits(agents, "into"), before);
    return result ? std::string("accepted") : result.error().message;
  };
  EXPECT_NE(refused(agents, 1, Reduction::kSum, "value", "into").find("sort() first"), std::string::npos);
  ASSERT_TRUE(agents.sort({.radius = 1}));
  EXPECT_NE(refused(agents, -1, Reduction::kSum, "value", "into").find("radius"), std::string::npos);
  EXPECT_NE(refused(agents, 1, Reduction::kSum, "valu", "into").find("no column 'valu'"), std::string::npos);
  EXPECT_NE(refused(agents, 1, Reduction::kSum, "value", "onto").find("no column 'onto'"), std::string::npos);
  EXPECT_NE(refused(agents, 1, Reduction::kSum, "value", "x").find("where agents are"), std::string::npos);
  EXPECT_NE(refused(strangers, 1, Reduction::kSum, "value", "into").find("two simulations"),
            std::string::npos);
  EXPECT_EQ(refused(agents, 1, Reduction::kCount, "not looked at", "n"), "accepted");
  BoidRules rules;
  rules.avoid_radius = 2;
  EXPECT_FALSE(steer_boids(agents, rules));
  rules = {};
  rules.velocity[1] = "speed";
  EXPECT_EQ(test::code_of(steer_boids(agents, rules)), ErrorCode::kNotFound);
  rules = {};
  rules.velocity[0] = "x";
  EXPECT_EQ(test::code_of(steer_boids(agents, rules)), ErrorCode::kInvalidArgument);
}

TEST(SteerBoids, HasTheBitsOfRules) {
  for_each_world([](const World& world) {
    SCOPED_TRACE(test::name(world));
    Draws draws(9);
    auto simulation = Simulation::build(world).value();
    Population& boids = add_agents(simulation, "boids", draws, test::Crowding::kUniform, 1500);
    ASSERT_TRUE(boids.sort({.radius = 1.1F}));
    BoidRules rules;
    rules.see_radius = 1.1F;
    rules.avoid_radius = 0.7F;
    ASSERT_TRUE(see(boids, boids, 1.1F, test::BoidTotals{0.7F * 0.7F}));
    const auto column = [&](const char* name) { return boids.read(boids.find_column<float>(name).value()); };
    const auto n = column("n_boids");
    constexpr const char* kColumns[3][4] = {
        {"vx", "svx", "sdx", "nx"}, {"vy", "svy", "sdy", "ny"}, {"vz", "svz", "sdz", "nz"}};
    std::vector<std::vector<float>> expected, before;
    for (std::uint32_t a = 0; a < world.dimensions; ++a) {
      const auto v = column(kColumns[a][0]), sv = column(kColumns[a][1]), sd = column(kColumns[a][2]),
                 near = column(kColumns[a][3]);
      before.emplace_back(v.begin(), v.end());
      auto& to = expected.emplace_back(v.begin(), v.end());
      for (std::size_t i = 0; i < v.size(); ++i) {
        if (n[i] > 0) {
          to[i] += rules.cohere * (sd[i] / n[i]);
          to[i] -= rules.avoid * near[i];
          to[i] += rules.align * (sv[i] / n[i] - to[i]);
        }
      }
    }
    test::for_each_isa([&](Isa) {
      for (std::uint32_t a = 0; a < world.dimensions; ++a) {
        const auto v = boids.write(boids.find_column<float>(kColumns[a][0]).value());
        std::copy(before[a].begin(), before[a].end(), v.begin());
      }
      ASSERT_TRUE(steer_boids(boids, rules));
      for (std::uint32_t a = 0; a < world.dimensions; ++a) {
        const auto v = column(kColumns[a][0]);
        EXPECT_EQ(std::vector<float>(v.begin(), v.end()), expected[a]) << a;
      }
    });
  });
}

TEST(SteerBoids, AllocatesNothingWithAWorkspace) {
  Draws draws(9);
  auto simulation = Simulation::build(test::make_world(3, 0)).value();
  Population& boids = add_agents(simulation, "boids", draws, test::Crowding::kUniform, 1500);
  ASSERT_TRUE(boids.sort({.radius = 0.5F}));
  test::CountingResource resource;
  Workspace workspace(&resource);
  std::size_t after_one = 0;
  for (int step = 0; step < 3; ++step) {
    workspace.reset();
    ASSERT_TRUE(steer_boids(boids, {}, {.workspace = &workspace}));
    ASSERT_TRUE(reduce(boids, boids, 0.5F, Reduction::kMean, "value", "into", {}, {.workspace = &workspace}));
    after_one = step == 1 ? resource.calls() : after_one;
  }
  EXPECT_EQ(resource.calls(), after_one);
}

}  // namespace
}  // namespace juxta
