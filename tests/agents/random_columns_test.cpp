// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/agents/random_columns.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "juxta/agents/simulation.h"
#include "support/code_of.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

constexpr RandomKey kKey{0xFEDC'BA98'7654'3210, 17, 3};
constexpr std::array kNames{"a", "b", "c", "d"};

struct Crowd {
  explicit Crowd(std::size_t count, const World& world = walled_plane(8, 4))
      : simulation(*Simulation::build(world)) {
    population = *simulation.add_population("crowd");
    EXPECT_TRUE(population->add_columns({"a", "b"}));
    EXPECT_TRUE(population->add_results({"c", "d"}));
    EXPECT_TRUE(population->insert(count));
  }
  [[nodiscard]] std::vector<float> column(const char* name) const {
    const auto values = population->read(*population->find_column<float>(name));
    return {values.begin(), values.end()};
  }
  Simulation simulation;
  Population* population = nullptr;
};

TEST(RandomColumns, AreTheWordsOfEachAgentsBlockOnEveryInstructionSet) {
  test::for_each_isa([](Isa) {
    for (const std::size_t count : {0U, 1U, 7U, 33U, 300U, 5000U}) {
      Crowd crowd(count);
      if (count > 2) {  // later generations, in another order
        crowd.population->changes().kill(1);
        crowd.population->changes().spawn();
        ASSERT_TRUE(crowd.simulation.end_step());
      }
      ASSERT_TRUE(place_anywhere(*crowd.population, {}));
      ASSERT_TRUE(crowd.population->sort({.radius = 1}));
      ASSERT_TRUE(fill_random(*crowd.population, kKey, {"a", "b", "c", "d"}));
      for (std::size_t c = 0; c < kNames.size(); ++c) {
        const std::vector<float> column = crowd.column(kNames[c]);
        for (std::uint32_t row = 0; row < column.size(); ++row) {
          const auto block = random_block(kKey, random_id(crowd.population->id_of(row)));
          ASSERT_EQ(column[row], random_fraction(block[c])) << count << " row " << row << " word " << c;
        }
      }
    }
  });
}

TEST(RandomColumns, TheSameOnEveryExecutorAndOthersUntouched) {
  Crowd crowd(10'000);
  ASSERT_TRUE(fill_random(*crowd.population, kKey, {"c"}));
  const std::vector<float> expected = crowd.column("c");
  test::for_each_executor([&](const Executor* executor) {
    ASSERT_TRUE(fill_random(*crowd.population, {}, {"c"}));
    ASSERT_TRUE(fill_random(*crowd.population, kKey, {"c"}, {.executor = executor}));
    EXPECT_EQ(crowd.column("c"), expected);
  });
  EXPECT_EQ(crowd.column("a"), std::vector<float>(10'000, 0.0F));
}

TEST(RandomColumns, PlacesAreAllOverTheWorldAndPositionsAreStale) {
  World box{3, {Edge::kWall, Edge::kPeriodic, Edge::kWall}, {-1, 10, 0}, {1, 14, 0.5F}};
  Crowd crowd(20'000, box);
  ASSERT_TRUE(place_anywhere(*crowd.population, kKey));
  EXPECT_FALSE(crowd.population->sorted());
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    double sum = 0;
    for (const float at : crowd.population->read(crowd.population->position(axis))) {
      ASSERT_TRUE(at >= box.lo[axis] && at <= box.hi[axis]);
      sum += static_cast<double>(at);
    }
    const double edge = static_cast<double>(box.hi[axis] - box.lo[axis]);  // a mean is within 5 deviations
    EXPECT_NEAR(sum / 20'000, static_cast<double>(box.lo[axis]) + edge / 2, 5 * edge / 490);
  }
  EXPECT_TRUE(crowd.population->sort({.radius = 1}));
}

TEST(RandomColumns, RefusesAndWritesNothing) {
  Crowd crowd(10);
  ASSERT_TRUE(crowd.population->add_column<std::int32_t>("whole"));
  Population& p = *crowd.population;
  EXPECT_EQ(test::code_of(fill_random(p, kKey, {"a", "none"})), ErrorCode::kNotFound);
  EXPECT_EQ(test::code_of(fill_random(p, kKey, {"a", "whole"})), ErrorCode::kInvalidArgument);
  EXPECT_NE(fill_random(p, kKey, {"a", "a"}).error().message.find("named twice"), std::string::npos);
  EXPECT_NE(fill_random(p, kKey, {"a", "b", "c", "d", "x"}).error().message.find("at most four"),
            std::string::npos);
  EXPECT_EQ(crowd.column("a"), std::vector<float>(10, 0.0F));
  Crowd open(3, {.dimensions = 2, .edges = {Edge::kWall, Edge::kOpen}, .lo = {}, .hi = {1, 1, 1}});
  EXPECT_NE(place_anywhere(*open.population, kKey).error().message.find("an axis without ends"),
            std::string::npos);
  EXPECT_EQ(open.column("x"), std::vector<float>(3, 0.0F));
}

TEST(RandomColumns, WritingPositionsMakesTheOrderStale) {
  Crowd crowd(10);
  ASSERT_TRUE(crowd.population->sort({.radius = 1}));
  ASSERT_TRUE(fill_random(*crowd.population, kKey, {"a"}));
  EXPECT_TRUE(crowd.population->sorted());
  ASSERT_TRUE(fill_random(*crowd.population, kKey, {"y"}));
  EXPECT_FALSE(crowd.population->sorted());
}

}  // namespace
}  // namespace juxta
