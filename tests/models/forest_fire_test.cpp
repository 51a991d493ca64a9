// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "models/models.h"
#include "tests/models/scalar/forest_fire.h"

namespace juxta {
namespace {

Parameters with(double size, double density) {
  Parameters parameters = *parameters_of(models::forest_fire());
  EXPECT_TRUE(parameters.set("size", size));
  EXPECT_TRUE(parameters.set("density", density));
  return parameters;
}

std::span<const std::uint8_t> states_of(const Simulation& simulation) {
  const Population& forest = *simulation.find_population("forest");
  return forest.read(*forest.find_column<std::uint8_t>("state"));
}

void expect_same_steps(const Parameters& parameters, std::uint64_t seed, std::uint32_t steps) {
  const ModelInfo info = models::forest_fire();
  Simulation simulation = *info.begin(parameters, seed);
  auto model = *info.open(parameters, simulation);
  scalar::ForestFire plain(static_cast<std::int32_t>(parameters.count("size")), parameters["density"], seed);
  Collector collector;
  model->declare(collector);
  for (std::uint32_t step = 0; step <= steps; ++step) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", step " << step);
    ASSERT_TRUE(std::ranges::equal(states_of(simulation), plain.states()));
    collector.collect(step);
    const auto counted = [&](std::uint8_t state) {
      return static_cast<double>(std::ranges::count(plain.states(), state));
    };
    ASSERT_EQ(collector.steps().column("green").back(), counted(scalar::ForestFire::kGreen));
    ASSERT_EQ(collector.steps().column("burning").back(), counted(scalar::ForestFire::kBurning));
    ASSERT_EQ(collector.steps().column("burnt").back(), counted(scalar::ForestFire::kBurnt));
    ASSERT_TRUE(model->step({}));
    plain.step();
  }
}

TEST(ForestFire, StepsAsTheScalarVersion) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 42U}) {
    expect_same_steps(*parameters_of(models::forest_fire(), "small"), seed, 100);
    expect_same_steps(with(60, 0.6), seed, 200);  // winds its way, back and forth
  }
  expect_same_steps(*parameters_of(models::forest_fire(), "large"), 1, 20);
}

TEST(ForestFire, ParametersAtTheirLimits) {
  expect_same_steps(with(1, 1), 1, 3);
  expect_same_steps(with(1, 0), 1, 3);
  expect_same_steps(with(30, 0), 1, 3);
  expect_same_steps(with(30, 1), 1, 35);  // a front, column by column
}

TEST(ForestFire, AFullForestBurnsColumnByColumn) {
  const ModelInfo info = models::forest_fire();
  const Parameters parameters = with(20, 1);
  Simulation simulation = *info.begin(parameters, 1);
  auto model = *info.open(parameters, simulation);
  for (std::size_t step = 0; step < 21; ++step) {
    const auto states = states_of(simulation);
    for (std::size_t cell = 0; cell < 400; ++cell) {
      ASSERT_EQ(states[cell], cell % 20 < step ? 3 : cell % 20 == step ? 2 : 1);
    }
    ASSERT_TRUE(model->step({}));
  }
}

TEST(ForestFire, RefusesTheStateOfAnotherModelOrSize) {
  const ModelInfo info = models::forest_fire();
  Simulation simulation = *info.begin(with(10, 0.5), 1);
  EXPECT_TRUE(info.open(with(10, 0.5), simulation));
  EXPECT_FALSE(info.open(with(11, 0.5), simulation));
  Simulation other = *models::schelling().begin(*parameters_of(models::schelling()), 1);
  EXPECT_FALSE(info.open(with(10, 0.5), other));
}

TEST(ForestFire, AStateOpenedAnewGoesOnAsTheOneThatWasNeverClosed) {
  const ModelInfo info = models::forest_fire();
  const Parameters parameters = with(50, 0.65);
  Simulation straight = *info.begin(parameters, 9), stopped = *info.begin(parameters, 9);
  auto model = *info.open(parameters, straight);
  for (int step = 0; step < 60; ++step) {
    ASSERT_TRUE(model->step({}));
    ASSERT_TRUE((*info.open(parameters, stopped))->step({}));
    ASSERT_TRUE(std::ranges::equal(states_of(straight), states_of(stopped)));
  }
}

TEST(ForestFire, DrawsEachCell) {
  const ModelInfo info = models::forest_fire();
  const Parameters parameters = with(16, 0.5);
  Simulation simulation = *info.begin(parameters, 1);
  auto model = *info.open(parameters, simulation);
  ASSERT_TRUE(model->step({}));
  Raster image(16, 16);
  model->draw(image);
  constexpr Rgb kColours[] = {{245, 240, 230}, {60, 130, 70}, {230, 80, 20}, {60, 60, 60}};
  for (std::size_t cell = 0; cell < 256; ++cell) {
    EXPECT_EQ(image.pixels()[(15 - cell / 16) * 16 + cell % 16], kColours[states_of(simulation)[cell]]);
  }
}

}  // namespace
}  // namespace juxta
