// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "models/models.h"
#include "support/code_of.h"
#include "tests/models/scalar/schelling.h"
#include "tests/models/scalar/schelling_counts.h"
#include "tests/models/scalar/schelling_turns.h"

namespace juxta {
namespace {

Parameters with(std::string_view preset, std::initializer_list<std::pair<const char*, double>> values = {}) {
  Parameters parameters = *parameters_of(models::schelling(), preset);
  for (const auto& [name, value] : values) {
    EXPECT_TRUE(parameters.set(name, value)) << name;
  }
  return parameters;
}

/// Steps of the model beside those of the scalar versions: every agent in the same cell, one a cell, nobody
/// lost, and the reporters say what the scalar version counts.
void expect_same_steps(const Parameters& parameters, std::uint64_t seed, std::uint32_t steps) {
  const ModelInfo info = models::schelling();
  Simulation simulation = *info.begin(parameters, seed);
  auto model = *info.open(parameters, simulation);
  const auto whole = [&](const char* name) { return static_cast<std::int32_t>(parameters.count(name)); };
  scalar::Schelling plain(simulation, whole("size"), whole("radius"), whole("happy"),
                          scalar::SchellingOrder::kByWords);
  scalar::SchellingCounts counts(
      simulation, static_cast<std::uint32_t>(whole("size")), static_cast<std::uint32_t>(whole("radius")),
      static_cast<std::uint32_t>(whole("happy")), scalar::SchellingOrder::kByWords);
  scalar::SchellingTurns turns(simulation, static_cast<std::uint32_t>(whole("size")),
                               static_cast<std::uint32_t>(whole("radius")),
                               static_cast<std::uint32_t>(whole("happy")));
  const Population& agents = *simulation.find_population("agents");
  Collector collector;
  model->declare(collector);
  for (std::uint32_t step = 0; step <= steps; ++step) {
    const auto x = agents.read(agents.position(0)), y = agents.read(agents.position(1));
    const auto group = agents.read(*agents.find_column<std::uint8_t>("group"));
    ASSERT_EQ(agents.size(), parameters.count("agents"));
    ASSERT_EQ(agents.size(), plain.agents().size());
    const auto cells = counts.cells();
    const auto turned = turns.cells();
    ASSERT_EQ(agents.size(), cells.size());
    ASSERT_EQ(agents.size(), turned.size());
    std::vector<bool> taken(parameters.count("size") * parameters.count("size"));
    double happy = 0, share = 0, with_neighbours = 0;
    for (std::uint32_t row = 0; row < agents.size(); ++row) {
      const scalar::Schelling::Agent& agent = plain.agents()[row];
      ASSERT_EQ(x[row], static_cast<float>(agent.x)) << "step " << step << ", row " << row;
      ASSERT_EQ(y[row], static_cast<float>(agent.y)) << "step " << step << ", row " << row;
      ASSERT_EQ(x[row], static_cast<float>(cells[row].x)) << "step " << step << ", row " << row;
      ASSERT_EQ(y[row], static_cast<float>(cells[row].y)) << "step " << step << ", row " << row;
      ASSERT_EQ(x[row], static_cast<float>(turned[row].x)) << "step " << step << ", row " << row;
      ASSERT_EQ(y[row], static_cast<float>(turned[row].y)) << "step " << step << ", row " << row;
      ASSERT_EQ(group[row] + 1, agent.group);
      ASSERT_EQ(group[row], row < agents.size() / 2 ? 0 : 1);
      const auto cell =
          static_cast<std::size_t>(agent.y) * parameters.count("size") + static_cast<std::size_t>(agent.x);
      ASSERT_FALSE(taken[cell]) << "two in one cell";
      taken[cell] = true;
      happy += plain.alike(agent) >= whole("happy");
      if (const std::int32_t near = plain.neighbours(agent); near > 0) {
        share += static_cast<double>(plain.alike(agent)) / near;
        ++with_neighbours;
      }
    }
    collector.collect(step);
    ASSERT_EQ(collector.steps().column("happy").back(),
              agents.size() == 0 ? 0 : happy / static_cast<double>(agents.size()));
    ASSERT_EQ(collector.steps().column("segregation").back(),
              with_neighbours > 0 ? share / with_neighbours : 0);
    ASSERT_EQ(collector.steps().column("moves").back(), static_cast<double>(plain.moves()));
    ASSERT_TRUE(model->step({}));
    plain.step();
    counts.step();
    turns.step();
  }
}

TEST(Schelling, StepsAsTheScalarVersion) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 42U}) {
    expect_same_steps(with("small"), seed, 20);
    expect_same_steps(with("large"), seed, 20);
  }
}

struct Moments {
  double sum = 0, squares = 0;
  void add(double value) {
    sum += value;
    squares += value * value;
  }
};

/// The model is the same whether its order comes from words or from a shuffle: so are its means.
TEST(Schelling, MeansDoNotDependOnHowTheOrderIsMade) {
  constexpr int kRuns = 300;
  for (const std::uint32_t steps : {1U, 3U, 20U}) {
    const Parameters parameters = with("small");
    Moments moves[2], happy[2];
    for (const auto how : {scalar::SchellingOrder::kByWords, scalar::SchellingOrder::kShuffled}) {
      const auto which = static_cast<std::size_t>(how);
      for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
        const Simulation start = *models::schelling().begin(parameters, seed + 1000 * which);
        scalar::Schelling plain(start, 40, 1, 3, how);
        for (std::uint32_t step = 0; step < steps; ++step) {
          plain.step();
        }
        moves[which].add(static_cast<double>(plain.moves()));
        happy[which].add(static_cast<double>(std::ranges::count_if(
            plain.agents(), [&](const auto& agent) { return plain.alike(agent) >= 3; })));
      }
    }
    for (const auto* both : {moves, happy}) {
      const auto mean = [&](int i) { return both[i].sum / kRuns; };
      const auto square = [&](int i) { return (both[i].squares / kRuns - mean(i) * mean(i)) / kRuns; };
      const double error = std::sqrt(square(0) + square(1));
      EXPECT_GT(error, 0);
      EXPECT_LT(std::abs(mean(0) - mean(1)), 4 * error)
          << mean(0) << " and " << mean(1) << ", steps " << steps;
      EXPECT_LT(error, 0.01 * mean(0));  // a difference of a few hundredths would be seen
    }
  }
}

TEST(Schelling, ParametersAtTheirLimits) {
  expect_same_steps(with("small", {{"agents", 0}}), 1, 3);
  expect_same_steps(with("small", {{"agents", 1}}), 1, 3);  // alone and never happy
  expect_same_steps(with("small", {{"size", 1}, {"agents", 0}}), 1, 3);
  expect_same_steps(with("small", {{"size", 12}, {"agents", 143}}), 1, 20);               // one free cell
  expect_same_steps(with("small", {{"size", 12}, {"agents", 143}, {"happy", 9}}), 1, 5);  // all move, always
  expect_same_steps(with("small", {{"size", 3}, {"agents", 8}, {"radius", 7}}), 1,
                    20);  // sees the whole grid
  expect_same_steps(with("small", {{"size", 20}, {"agents", 399}, {"radius", 7}, {"happy", 120}}), 1, 20);
  expect_same_steps(with("small", {{"size", 90}, {"agents", 8099}, {"happy", 6}}), 1,
                    2);  // a thousand draws fail
  expect_same_steps(with("small", {{"happy", 0}}), 1, 3);
  expect_same_steps(with("large", {{"radius", 3}, {"happy", 20}}), 1, 5);
}

TEST(Schelling, SaysThatThereAreMoreAgentsThanCells) {
  for (const double agents : {100.0, 101.0}) {
    const auto simulation = models::schelling().begin(with("small", {{"size", 10}, {"agents", agents}}), 1);
    ASSERT_FALSE(simulation);
    EXPECT_EQ(test::code_of(simulation), ErrorCode::kInvalidArgument);
    EXPECT_NE(simulation.error().message.find("size * size"), std::string::npos)
        << simulation.error().message;
  }
}

TEST(Schelling, RefusesTheStateOfAnotherModelOrSize) {
  const ModelInfo info = models::schelling();
  Simulation large = *info.begin(with("large"), 1);
  EXPECT_FALSE(info.open(with("small"), large)) << "agents outside the grid";
  EXPECT_TRUE(info.open(with("large"), large));
  Population& agents = *large.find_population("agents");
  agents.write(agents.position(0))[5] = agents.read(agents.position(0))[6];
  agents.write(agents.position(1))[5] = agents.read(agents.position(1))[6];
  EXPECT_FALSE(info.open(with("large"), large)) << "two in a cell";
  Simulation empty = *Simulation::build(large.world());
  EXPECT_FALSE(info.open(with("large"), empty)) << "no agents";
  EXPECT_TRUE(empty.add_population("agents"));
  EXPECT_FALSE(info.open(with("large"), empty)) << "no columns";
}

TEST(Schelling, AStateOpenedAnewGoesOnAsTheOneThatWasNeverClosed) {
  const ModelInfo info = models::schelling();
  const Parameters parameters = with("small");
  Simulation straight = *info.begin(parameters, 9), stopped = *info.begin(parameters, 9);
  auto model = *info.open(parameters, straight);
  for (int step = 0; step < 10; ++step) {
    ASSERT_TRUE(model->step({}));
    ASSERT_TRUE((*info.open(parameters, stopped))->step({}));  // with tables made anew
  }
  const Population &a = *straight.find_population("agents"), &b = *stopped.find_population("agents");
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    EXPECT_TRUE(std::ranges::equal(a.read(a.position(axis)), b.read(b.position(axis))));
  }
}

TEST(Schelling, DrawsAgentsInTheirCells) {
  const ModelInfo info = models::schelling();
  const Parameters parameters = with("small", {{"size", 4}, {"agents", 6}});
  Simulation simulation = *info.begin(parameters, 3);
  Raster image(4, 4);
  (*info.open(parameters, simulation))->draw(image);
  const Population& agents = *simulation.find_population("agents");
  std::vector<bool> taken(16);
  for (std::size_t row = 0; row < 6; ++row) {
    const auto x = static_cast<std::size_t>(agents.read(agents.position(0))[row]);
    const auto y = static_cast<std::size_t>(agents.read(agents.position(1))[row]);
    taken[(3 - y) * 4 + x] = true;
    EXPECT_EQ(image.pixels()[(3 - y) * 4 + x] == (Rgb{38, 98, 166}), row < 3);
  }
  for (std::size_t pixel = 0; pixel < 16; ++pixel) {
    EXPECT_EQ(image.pixels()[pixel] != (Rgb{255, 255, 255}), taken[pixel]);
  }
}

}  // namespace
}  // namespace juxta
