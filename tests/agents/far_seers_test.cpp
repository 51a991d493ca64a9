// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A few agents that see much further than the others look by themselves: the same neighbours as by brute
// force.
#include "agents/far_seers.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "agents/crowds.h"
#include "agents/pass_check.h"
#include "juxta/agents/see.h"
#include "scenes/draws.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

using scenes::Draws;
using test::Crowd;
using test::Crowding;

constexpr std::size_t kAgents = 1100;

struct Case {
  World world;
  Crowding crowding = Crowding::kUniform;
  Arrangement arrangement = Arrangement::kAuto;
  Metric metric = Metric::kBall;
  bool extents = false;
  bool others = false;  // a second population is seen
  float radius = 2.5F;
};

/// Each `every`-th agent sees as far as the pass, the others a tenth of it.
void draw_sights(Draws& draws, float radius, std::size_t every, Crowd& crowd) {
  crowd.radii.resize(crowd.size());
  for (std::size_t i = 0; i < crowd.size(); ++i) {
    crowd.radii[i] = i % every == 0 ? radius : 0.1F * radius * test::draw_unit(draws);
  }
}

std::string run(const Case& c) {
  Draws draws(7);
  auto simulation = Simulation::build(c.world).value();
  Population& seers = *simulation.add_population("seers").value();
  Population* seen = &seers;
  const auto fill = [&](Population& population, std::size_t count, std::size_t every) {
    Crowd crowd = test::draw_crowd(draws, c.world, c.crowding, count, 1.3F);
    draw_sights(draws, c.radius, every, crowd);
    if (c.extents) {
      test::draw_extents(draws, c.world, crowd);
    }
    test::fill(population, crowd, draws);
    return population.sort({.radius = 0.3F, .arrangement = c.arrangement}).has_value();
  };
  if (!fill(seers, kAgents, 37)) {
    return "sort";
  }
  if (c.others) {
    seen = simulation.add_population("seen").value();
    if (!fill(*seen, 200, 1)) {
      return "sort";
    }
  }
  SeeOptions see;
  see.metric = c.metric;
  see.radii = test::column(seers, "sight");
  return test::compare_pass(seers, *seen, c.radius, see);
}

TEST(FarSeers, EveryWorld) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (std::uint32_t edges = 0; edges < test::world_count(dimensions); ++edges) {
      const World world = test::make_world(dimensions, edges);
      EXPECT_EQ(run({.world = world}), "") << test::name(world);
      EXPECT_EQ(run({.world = world, .others = true}), "") << test::name(world);
      EXPECT_EQ(run({.world = world, .metric = Metric::kBox, .extents = true}), "") << test::name(world);
    }
  }
}

TEST(FarSeers, EveryCrowdAndArrangement) {
  const World world = test::make_world(2, 0);
  for (const Crowding crowding : test::kCrowdings) {
    for (const Arrangement arrangement : {Arrangement::kAuto, Arrangement::kHashed, Arrangement::kTree}) {
      EXPECT_EQ(run({.world = world, .crowding = crowding, .arrangement = arrangement}), "")
          << test::name(crowding);
    }
  }
}

TEST(FarSeers, EveryInstructionSet) {
  test::for_each_isa([](Isa) {
    for (const std::uint32_t dimensions : {2U, 3U}) {
      const World wrapped = test::make_world(dimensions, test::world_count(dimensions) - 1);
      EXPECT_EQ(run({.world = wrapped}), "");
      EXPECT_EQ(run({.world = wrapped, .extents = true, .radius = 40}), "");
    }
  });
}

// Otherwise the tests above would say nothing.
TEST(FarSeers, AreFound) {
  std::vector<float> radii(2000, 1), x(2000), y(2000);
  for (std::size_t i = 0; i < radii.size(); ++i) {
    x[i] = static_cast<float>(i % 40);
    y[i] = static_cast<float>(i / 40);
  }
  radii[3] = radii[77] = radii[1999] = 20;
  agents_detail::SweepTask task{};
  task.dimensions = 2;
  task.radii = radii.data();
  task.seer_position[0] = x.data();
  task.seer_position[1] = y.data();
  Workspace scratch;
  const agents_detail::FarSeers far = agents_detail::find_far_seers(task, radii.size(), scratch);
  EXPECT_EQ(std::vector<std::uint32_t>(far.rows.begin(), far.rows.end()),
            (std::vector<std::uint32_t>{3, 77, 1999}));
  EXPECT_EQ(far.furthest, 1);
  x[3] = std::numeric_limits<float>::quiet_NaN();
  y[77] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(agents_detail::find_far_seers(task, radii.size(), scratch).rows.size(), 3);
  radii.assign(2000, 5);
  EXPECT_TRUE(agents_detail::find_far_seers(task, radii.size(), scratch).rows.empty());
}

}  // namespace
}  // namespace juxta
