// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "models/models.h"
#include "tests/models/scalar/wolf_sheep.h"

namespace juxta {
namespace {

Parameters with(std::string_view preset, std::initializer_list<std::pair<const char*, double>> values = {}) {
  Parameters parameters = *parameters_of(models::wolf_sheep(), preset);
  for (const auto& [name, value] : values) {
    EXPECT_TRUE(parameters.set(name, value)) << name;
  }
  return parameters;
}

scalar::WolfSheepRules rules_of(const Parameters& p) {
  return {.size = static_cast<std::int32_t>(p.count("size")),
          .regrowth = static_cast<std::int32_t>(p.count("regrowth")),
          .sheep_gain = p["sheep_gain"],
          .wolf_gain = p["wolf_gain"],
          .sheep_reproduction = p["sheep_reproduction"],
          .wolf_reproduction = p["wolf_reproduction"]};
}

void expect_same_animals(const Population& population, const std::vector<scalar::WolfSheep::Animal>& plain) {
  ASSERT_EQ(population.size(), plain.size());
  const auto x = population.read(population.position(0)), y = population.read(population.position(1));
  const auto energy = population.read(*population.find_column<double>("energy"));
  for (std::size_t i = 0; i < plain.size(); ++i) {
    ASSERT_EQ(x[i], static_cast<float>(plain[i].x)) << population.name() << " " << i;
    ASSERT_EQ(y[i], static_cast<float>(plain[i].y)) << population.name() << " " << i;
    ASSERT_EQ(energy[i], plain[i].energy) << population.name() << " " << i;
  }
}

/// The model keeps the step from which on a cell has grass; the scalar version counts down as published.
void expect_same_grass(const Simulation& simulation, const scalar::WolfSheep& plain, std::int32_t regrowth) {
  const Population& grass = *simulation.find_population("grass");
  const auto ready = grass.read(*grass.find_column<std::uint32_t>("ready"));
  ASSERT_EQ(ready.size(), plain.grown().size());
  for (std::size_t cell = 0; cell < ready.size(); ++cell) {
    const auto left = static_cast<std::int32_t>(ready[cell]) - static_cast<std::int32_t>(simulation.step());
    ASSERT_EQ(left <= 0, plain.grown()[cell] != 0) << "cell " << cell;
    ASSERT_EQ(left <= 0 ? regrowth : left - 1, plain.countdown()[cell]) << "cell " << cell;
  }
}

void expect_same_steps(const Parameters& parameters, std::uint64_t seed, std::uint32_t steps) {
  const ModelInfo info = models::wolf_sheep();
  Simulation simulation = *info.begin(parameters, seed);
  auto model = *info.open(parameters, simulation);
  scalar::WolfSheep plain(simulation, rules_of(parameters));
  Collector collector;
  model->declare(collector);
  for (std::uint32_t step = 0; step <= steps; ++step) {
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", step " << step);
    expect_same_animals(*simulation.find_population("sheep"), plain.sheep());
    expect_same_animals(*simulation.find_population("wolves"), plain.wolves());
    expect_same_grass(simulation, plain, rules_of(parameters).regrowth);
    collector.collect(step);
    EXPECT_EQ(collector.steps().column("sheep").back(), static_cast<double>(plain.sheep().size()));
    EXPECT_EQ(collector.steps().column("wolves").back(), static_cast<double>(plain.wolves().size()));
    EXPECT_EQ(collector.steps().column("grass").back(),
              static_cast<double>(std::ranges::count(plain.grown(), std::uint8_t{1})));
    if (testing::Test::HasFailure()) {
      return;
    }
    ASSERT_TRUE(model->step({}));
    plain.step();
  }
}

TEST(WolfSheep, StepsAsTheScalarVersion) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 42U}) {
    expect_same_steps(with("small"), seed, 100);
    expect_same_steps(with("large"), seed, 100);
  }
}

TEST(WolfSheep, ParametersAtTheirLimits) {
  expect_same_steps(with("small", {{"sheep", 0}, {"wolves", 0}}), 1, 5);
  expect_same_steps(with("small", {{"sheep", 0}}), 1, 40);   // all wolves starve
  expect_same_steps(with("small", {{"wolves", 0}}), 1, 40);  // grass alone limits the sheep
  expect_same_steps(with("small", {{"sheep_reproduction", 0}, {"wolf_reproduction", 0}}), 1, 40);
  expect_same_steps(with("small", {{"sheep_reproduction", 1}, {"wolf_reproduction", 1}}), 1, 40);
  expect_same_steps(with("small", {{"regrowth", 1}, {"sheep_gain", 1}, {"wolf_gain", 1}}), 1, 40);
  expect_same_steps(with("small", {{"size", 1}, {"sheep", 300}, {"wolves", 100}}), 1, 40);  // all in one cell
  expect_same_steps(with("small", {{"size", 2}, {"sheep", 50}, {"wolves", 3}}), 1, 40);
  expect_same_steps(with("small", {{"size", 60}, {"regrowth", 1'000'000}}), 1, 20);
}

TEST(WolfSheep, WithoutMealsEveryWolfDiesInItsTime) {
  const Parameters parameters = with("small", {{"sheep", 0}, {"wolf_reproduction", 0}});
  const ModelInfo info = models::wolf_sheep();
  Simulation simulation = *info.begin(parameters, 4);
  const Population& wolves = *simulation.find_population("wolves");
  const auto energy = *wolves.find_column<double>("energy");
  const std::vector<double> start(wolves.read(energy).begin(), wolves.read(energy).end());
  EXPECT_GE(std::ranges::min(start), 0);
  EXPECT_LE(std::ranges::max(start), 25);
  auto model = *info.open(parameters, simulation);
  for (int step = 1; step <= 27; ++step) {
    ASSERT_TRUE(model->step({}));
    // Who began with e lives e steps: energy 0 is enough, -1 is not.
    EXPECT_EQ(wolves.size(), static_cast<std::size_t>(
                                 std::ranges::count_if(start, [&](double each) { return each >= step; })));
  }
  EXPECT_EQ(wolves.size(), 0u);
}

TEST(WolfSheep, RefusesTheStateOfAnotherModelOrSize) {
  const ModelInfo info = models::wolf_sheep();
  Simulation large = *info.begin(with("large"), 1);
  EXPECT_TRUE(info.open(with("large"), large));
  EXPECT_FALSE(info.open(with("small"), large)) << "a grid of another size";
  Population& sheep = *large.find_population("sheep");
  sheep.write(sheep.position(1))[3] = -1;
  EXPECT_FALSE(info.open(with("large"), large)) << "a sheep outside";
  Simulation other = *models::schelling().begin(*parameters_of(models::schelling()), 1);
  EXPECT_FALSE(info.open(with("small"), other));
}

TEST(WolfSheep, AStateOpenedAnewGoesOnAsTheOneThatWasNeverClosed) {
  const ModelInfo info = models::wolf_sheep();
  const Parameters parameters = with("small");
  Simulation straight = *info.begin(parameters, 9), stopped = *info.begin(parameters, 9);
  auto model = *info.open(parameters, straight);
  for (int step = 0; step < 50; ++step) {
    ASSERT_TRUE(model->step({}));
    ASSERT_TRUE((*info.open(parameters, stopped))->step({}));
  }
  for (const char* name : {"sheep", "wolves"}) {
    const Population &a = *straight.find_population(name), &b = *stopped.find_population(name);
    const auto energy = *a.find_column<double>("energy");
    EXPECT_GT(a.size(), 0u);
    EXPECT_TRUE(std::ranges::equal(a.read(a.position(0)), b.read(b.position(0))));
    EXPECT_TRUE(std::ranges::equal(a.read(a.position(1)), b.read(b.position(1))));
    EXPECT_TRUE(std::ranges::equal(a.read(energy), b.read(energy)));
  }
}

TEST(WolfSheep, DrawsGrassAndAnimals) {
  const ModelInfo info = models::wolf_sheep();
  const Parameters parameters = with("small", {{"sheep", 0}, {"wolves", 1}});
  Simulation simulation = *info.begin(parameters, 1);
  Raster image(250, 250);
  (*info.open(parameters, simulation))->draw(image);
  const Population& grass = *simulation.find_population("grass");
  const auto ready = grass.read(*grass.find_column<std::uint32_t>("ready"));
  for (std::size_t cell = 0; cell < 625; ++cell) {  // its lower left corner, where no animal is drawn
    const std::size_t pixel = (249 - cell / 25 * 10) * 250 + cell % 25 * 10;
    EXPECT_EQ(image.pixels()[pixel] == (Rgb{120, 170, 80}), ready[cell] == 0) << cell;
  }
  EXPECT_EQ(std::ranges::count(image.pixels(), Rgb{30, 30, 40}), 36);  // the wolf
}

}  // namespace
}  // namespace juxta
