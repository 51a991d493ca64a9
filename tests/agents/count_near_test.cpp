// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Counts without a sort, against brute force and the kernel's twin.
#include "juxta/agents/count_near.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "juxta/agents/random_columns.h"
#include "juxta/agents/reduce.h"
#include "juxta/agents/simulation.h"
#include "juxta/core/context.h"
#include "juxta/core/workspace.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Town {
  explicit Town(std::uint32_t dimensions, std::size_t count, float edge = 10) {
    World world{dimensions, {Edge::kWall, Edge::kWall, Edge::kWall}, {-3, 5, 0}, {edge - 3, edge + 5, edge}};
    simulation = std::make_unique<Simulation>(*Simulation::build(world, 7));
    people = *simulation->add_population("people");
    state = *people->add_column<float>("state");
    near = *people->add_column<float>("near", -7);
    EXPECT_TRUE(people->insert(count));
    EXPECT_TRUE(place_anywhere(*people, simulation->key(0)));
    EXPECT_TRUE(fill_random(*people, simulation->key(1), {"state"}));
  }
  [[nodiscard]] std::vector<float> counted(float radius, const CountOptions& options,
                                           const Context& context = {}) const {
    EXPECT_TRUE(count_near(*people, *people, radius, "near", options, context));
    const auto values = people->read(near);
    return {values.begin(), values.end()};
  }
  std::unique_ptr<Simulation> simulation;
  Population* people = nullptr;
  Column<float> state, near;
};

bool has(const Population& population, const Where& where, std::size_t row) {
  if (where.column.index == Column<float>::kNone) {
    return true;
  }
  const float value = population.read(where.column)[row];
  return value >= where.least && value <= where.most;
}

std::vector<float> by_force(const Population& seers, const Population& seen, float radius,
                            const CountOptions& options) {
  std::vector<float> counts(seers.size());
  for (std::size_t i = 0; i < seers.size(); ++i) {
    for (std::size_t j = 0; has(seers, options.seers, i) && j < seen.size(); ++j) {
      float distance2 = 0;
      for (std::uint32_t a = 0; a < seen.world().dimensions; ++a) {
        const float d = seen.read(seen.position(a))[j] - seers.read(seers.position(a))[i];
        distance2 = a == 0 ? d * d : distance2 + d * d;
      }
      const bool counts_it = has(seen, options.seen, j) && !(&seers == &seen && i == j);
      counts[i] += counts_it && distance2 <= radius * radius ? 1 : 0;
    }
  }
  return counts;
}

TEST(CountNear, IsWhatBruteForceCountsOnEveryInstructionSet) {
  test::for_each_isa([](Isa) {
    for (const std::uint32_t dimensions : {2U, 3U}) {
      for (const std::size_t count : {0U, 1U, 2U, 15U, 17U, 700U}) {
        const Town town(dimensions, count);
        for (const float radius : {1e-4F, 0.3F, 1.0F, 4.0F, 30.0F}) {
          for (const CountOptions& options :
               {CountOptions{}, CountOptions{{town.state, 0.5F}, {town.state, 0, 0.02F}},
                CountOptions{{}, {town.state, 0.9F}}, CountOptions{{town.state, 2}, {}}}) {
            EXPECT_EQ(town.counted(radius, options), by_force(*town.people, *town.people, radius, options))
                << dimensions << "D " << count << " radius " << radius;
          }
        }
      }
    }
  });
}

// Rows that hold more than a register, people on the edges of cells, one place for all.
TEST(CountNear, CrowdsAndLattices) {
  Town town(2, 900);
  const auto x = town.people->write(town.people->position(0)),
             y = town.people->write(town.people->position(1));
  for (std::size_t i = 0; i < 900; ++i) {
    x[i] = static_cast<float>(i % 30) * 0.25F;
    y[i] = static_cast<float>(i / 30) * 0.25F;
  }
  for (const float radius : {0.25F, 0.5F, 0.35355338F, 2.5F}) {
    EXPECT_EQ(town.counted(radius, {}), by_force(*town.people, *town.people, radius, {})) << radius;
  }
  std::fill(x.begin(), x.end(), 1e6F);
  std::fill(y.begin(), y.end(), 1.0F);
  EXPECT_EQ(town.counted(0.5F, {}), std::vector<float>(900, 899.0F));
}

TEST(CountNear, IsWhatReduceCounts) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    Town town(dimensions, 5'000, 40);
    ASSERT_TRUE(town.people->add_results({"reduced"}));
    ASSERT_TRUE(town.people->sort({.radius = 1}));
    ASSERT_TRUE(reduce(*town.people, *town.people, 1, Reduction::kCount, {}, "reduced"));
    const auto reduced = town.people->read(*town.people->find_column<float>("reduced"));
    EXPECT_EQ(town.counted(1, {}), std::vector<float>(reduced.begin(), reduced.end()));
  }
}

TEST(CountNear, AnotherPopulationFarAndNear) {
  Town town(2, 300);
  Population& dogs = **town.simulation->add_population("dogs");
  ASSERT_TRUE(dogs.insert(40));
  ASSERT_TRUE(place_anywhere(dogs, town.simulation->key(5)));
  dogs.write(dogs.position(0))[0] = 1e30F;  // stretches the cells
  for (const bool far : {true, false}) {
    dogs.write(dogs.position(0))[0] = far ? 1e30F : 0.0F;
    ASSERT_TRUE(count_near(*town.people, dogs, 1.5F, "near"));
    const auto near = town.people->read(town.near);
    EXPECT_EQ(std::vector<float>(near.begin(), near.end()), by_force(*town.people, dogs, 1.5F, {}));
  }
}

TEST(CountNear, WhoIsNowhereCountsNobody) {
  Town town(2, 200);
  for (const auto& [row, value] : {std::pair{0U, kNan}, {1U, kInfinity}, {2U, -kInfinity}, {199U, kNan}}) {
    town.people->write(town.people->position(row % 2))[row] = value;
  }
  const std::vector<float> counts = town.counted(3, {});
  EXPECT_EQ(counts, by_force(*town.people, *town.people, 3, {}));
  EXPECT_EQ(counts[0] + counts[1] + counts[2] + counts[199], 0);
}

TEST(CountNear, TheSameOnEveryExecutor) {
  const Town town(2, 20'000, 100);
  const CountOptions options{{town.state, 0.1F}, {town.state, 0, 0.7F}};
  const std::vector<float> expected = town.counted(1, options);
  Workspace workspace;
  test::for_each_executor([&](const Executor* executor) {
    EXPECT_EQ(town.counted(1, options, {.executor = executor, .workspace = &workspace}), expected);
  });
}

TEST(CountNear, TheColumnFilledMaySayWhoIsSeen) {
  Town town(2, 500);
  const std::vector<float> expected =
      by_force(*town.people, *town.people, 1, {{town.state, 0.5F}, {town.state, 0.5F}});
  ASSERT_TRUE(count_near(*town.people, *town.people, 1, "state", {{town.state, 0.5F}, {town.state, 0.5F}}));
  const auto state = town.people->read(town.state);
  EXPECT_EQ(std::vector<float>(state.begin(), state.end()), expected);
}

TEST(CountNear, RefusesWhatItCannotDo) {
  Town town(2, 50), other(2, 50);
  const auto refused = [&](float radius, std::string_view into, const CountOptions& options = {}) {
    const Result<void> done = count_near(*town.people, *town.people, radius, into, options);
    return done ? std::string("done") : done.error().message;
  };
  EXPECT_NE(refused(0, "near").find("radius must be a finite number above 0"), std::string::npos);
  EXPECT_NE(refused(kNan, "near").find("radius"), std::string::npos);
  EXPECT_NE(refused(1e20F, "near").find("radius"), std::string::npos);
  EXPECT_NE(refused(1, "nera").find("has no column 'nera'"), std::string::npos);
  EXPECT_NE(refused(1, "x").find("says where agents are"), std::string::npos);
  EXPECT_NE(refused(1, "near", {{{77}}, {}}).find("the column of a Where"), std::string::npos);
  EXPECT_FALSE(count_near(*town.people, *other.people, 1, "near"));
  for (const float near : town.people->read(town.near)) {
    EXPECT_EQ(near, -7);
  }
  Simulation ring = *Simulation::build(periodic_plane(10, 10));
  Population& round = **ring.add_population("round");
  ASSERT_TRUE(round.add_columns({"near"}));
  EXPECT_NE(count_near(round, round, 1, "near").error().message.find("periodic"), std::string::npos);
  ASSERT_TRUE(town.people->add_extents());
  EXPECT_NE(refused(1, "near").find("agents with sizes"), std::string::npos);
}

TEST(CountWhere, CountsValuesFromLeastToMost) {
  Town town(2, 4);
  const auto state = town.people->write(town.state);
  std::copy_n(std::vector<float>{1, 2, 3, kNan}.begin(), 4, state.begin());
  EXPECT_EQ(count_where(*town.people, {town.state, 2}), 2u);
  EXPECT_EQ(count_where(*town.people, {town.state, 1, 2}), 2u);
  EXPECT_EQ(count_where(*town.people, {town.state}), 3u);
  EXPECT_EQ(count_where(*town.people, {}), 4u);
  EXPECT_EQ(count_where(*town.people, {{99}, 0}), 0u);
}

}  // namespace
}  // namespace juxta
