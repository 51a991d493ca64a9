// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The grid models over many seeds, beside what is known of them. The margins are some five standard
// deviations of the means; each test shows that a rule a little off is outside of them.
#include "tests/models/ensemble.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace juxta {
namespace {

using test::Curves;
using test::parameters_with;
using test::run_ensemble;

constexpr std::uint64_t kSeeds = 100;

/// The probability that of `draws` cells, out of `cells` of which `alike` hold one of mine, at least `enough`
/// do.
double at_least(std::size_t enough, std::size_t draws, std::size_t alike, std::size_t cells) {
  std::vector<double> chance(draws + 1);  // by how many were found
  chance[0] = 1;
  for (std::size_t drawn = 0; drawn < draws; ++drawn) {
    for (std::size_t found = drawn + 1; found-- > 0;) {
      const double hit =
          static_cast<double>(alike - std::min(alike, found)) / static_cast<double>(cells - drawn);
      chance[found + 1] += chance[found] * hit;
      chance[found] *= 1 - hit;
    }
  }
  double sum = 0;
  for (std::size_t found = enough; found <= draws; ++found) {
    sum += chance[found];
  }
  return sum;
}

/// The expected share of happy agents at the start, by counting cells near each cell of the grid.
double happy_by_lot(const Parameters& p, std::size_t enough) {
  const auto size = static_cast<std::int64_t>(p.count("size")),
             radius = static_cast<std::int64_t>(p.count("radius"));
  const auto span = [&](std::int64_t at) {
    return static_cast<std::size_t>(std::min(size - 1, at + radius) - std::max<std::int64_t>(0, at - radius) +
                                    1);
  };
  double sum = 0;
  for (std::int64_t y = 0; y < size; ++y) {
    for (std::int64_t x = 0; x < size; ++x) {
      sum += at_least(enough, span(x) * span(y) - 1, p.count("agents") / 2 - 1,
                      static_cast<std::size_t>(size * size - 1));
    }
  }
  return sum / static_cast<double>(size * size);
}

TEST(Ensemble, SchellingStartsAsTheLotHasIt) {
  const ModelInfo info = models::schelling();
  for (const char* preset : {"small", "large"}) {
    const Parameters p = parameters_with(info, preset);
    const auto curves = run_ensemble(info, p, kSeeds, 0, {"happy", "segregation"});
    const std::size_t enough = p.count("happy");
    EXPECT_NEAR(curves[0].mean(0), happy_by_lot(p, enough), 0.01) << preset;
    // Who counts itself, or needs more than enough, is far from that.
    EXPECT_GT(std::abs(curves[0].mean(0) - happy_by_lot(p, enough - 1)), 0.05) << preset;
    EXPECT_GT(std::abs(curves[0].mean(0) - happy_by_lot(p, enough + 1)), 0.05) << preset;
    const auto others = static_cast<double>(p.count("agents"));
    EXPECT_NEAR(curves[1].mean(0), (others / 2 - 1) / (others - 1), 0.005) << preset;
  }
}

// Schelling, 1971: nobody asks for more than a third (3 of 8 cells; 8 of 24), all get it soon, and the groups
// end far more apart than anybody asked for.
TEST(Ensemble, SchellingSegregates) {
  const ModelInfo info = models::schelling();
  const auto small = run_ensemble(info, parameters_with(info, "small"), kSeeds, 20, {"happy", "segregation"});
  EXPECT_NEAR(small[0].mean(20), 0.9985, 0.001);
  EXPECT_NEAR(small[1].mean(20), 0.875, 0.007);
  const auto large = run_ensemble(info, parameters_with(info, "large"), kSeeds, 20, {"happy", "segregation"});
  EXPECT_NEAR(large[0].mean(20), 0.9996, 0.0003);
  EXPECT_NEAR(large[1].mean(20), 0.830, 0.006);
  for (std::size_t seed = 0; seed < kSeeds; ++seed) {  // in every single run
    EXPECT_GT(small[1].values[seed][20], 0.8);
    EXPECT_GT(large[1].values[seed][20], 0.75);
  }
  // One neighbour more or less to be happy.
  for (const double happy : {7.0, 9.0}) {
    const auto other =
        run_ensemble(info, parameters_with(info, "large", {{"happy", happy}}), 10, 20, {"segregation"});
    EXPECT_GT(std::abs(other[0].mean(20) - 0.830), 0.03) << happy;
  }
}

// The first step of sheep alone, by hand: a tenth begins with energy 0 and dies unless it eats. There is
// grass in every other cell, for the first that comes: of cells with Poisson's distribution of sheep, (1 -
// e^-m) / m of the sheep are first, m = 0.1 sheep a cell. Those that live share with a child in four of ten
// cases.
TEST(Ensemble, SheepLiveDieAndBreedAsTheRulesSay) {
  const ModelInfo info = models::wolf_sheep();
  const Parameters p = parameters_with(info, "large", {{"wolves", 0}});
  const double after = run_ensemble(info, p, kSeeds, 1, {"sheep"})[0].mean(1);
  const double eats = 0.5 * (1 - std::exp(-0.1)) / 0.1;
  const auto expected = [&](double starving) { return 1000 * (1 - starving * (1 - eats)) * 1.4; };
  EXPECT_NEAR(after, expected(0.1), 10);
  EXPECT_GT(std::abs(after - expected(0.2)), 40) << "who dies at 0 already";
  EXPECT_GT(std::abs(after - expected(0)), 40) << "who begins with 1 at least";
}

// Lotka's and Volterra's cycle, as Wilensky's model is known for: sheep multiply, wolves after them, grass
// comes back when the wolves are many, and so on; with grass nobody dies out.
TEST(Ensemble, WolvesFollowSheep) {
  const ModelInfo info = models::wolf_sheep();
  const auto curves =
      run_ensemble(info, parameters_with(info, "large"), kSeeds, 100, {"sheep", "wolves", "grass"});
  const Curves &sheep = curves[0], &wolves = curves[1], &grass = curves[2];
  const std::size_t first = sheep.peak(0, 40), second = sheep.peak(45, 90);
  EXPECT_NEAR(static_cast<double>(first), 9, 2);
  EXPECT_NEAR(static_cast<double>(second), 64, 4);
  EXPECT_NEAR(static_cast<double>(wolves.peak(0, 50)), 28, 3);  // a quarter of a cycle and more behind
  EXPECT_NEAR(static_cast<double>(wolves.peak(60, 100)), 80, 4);
  EXPECT_NEAR(static_cast<double>(grass.peak(20, 60)), 41, 4);  // when sheep are few
  EXPECT_LT(sheep.mean(36), 0.4 * sheep.mean(second));
  EXPECT_LT(wolves.mean(52), 0.6 * wolves.mean(wolves.peak(60, 100)));
  for (std::size_t seed = 0; seed < kSeeds; ++seed) {
    EXPECT_GT(sheep.values[seed][100], 0) << seed;
    EXPECT_GT(wolves.values[seed][100], 0) << seed;
  }
  // Meals that give a little less: the cycle is another.
  const Parameters hungry = parameters_with(info, "large", {{"wolf_gain", 11}});
  const auto other = run_ensemble(info, hungry, 20, 50, {"wolves"});
  EXPECT_LT(other[0].mean(28), 0.97 * wolves.mean(28));
}

TEST(Ensemble, WolvesOfTheSmallPastureLive) {
  const ModelInfo info = models::wolf_sheep();
  const auto curves =
      run_ensemble(info, parameters_with(info, "small"), kSeeds, 100, {"sheep", "wolves", "grass"});
  // Means of 100 runs; one run of 100 steps has a standard deviation of a quarter of them.
  EXPECT_NEAR(curves[0].mean(100), 92, 12);
  EXPECT_NEAR(curves[1].mean(100), 32, 6);
  EXPECT_LT(curves[0].peak(0, 30), curves[1].peak(0, 30));
}

/// In how many of the forests the fire gets from the left column to the right one.
double crossing(double density, std::uint64_t seeds) {
  const ModelInfo info = models::forest_fire();
  const Parameters p = parameters_with(info, "small", {{"density", density}});
  std::uint64_t crossed = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Simulation simulation = *info.begin(p, seed);
    auto model = *info.open(p, simulation);
    Collector collector;
    model->declare(collector);
    do {
      EXPECT_TRUE(model->step({}));
      collector.collect(simulation.step());
    } while (collector.steps().column("burning").back() > 0);
    const Population& forest = *simulation.find_population("forest");
    const auto states = forest.read(*forest.find_column<std::uint8_t>("state"));
    bool far = false;
    for (std::size_t y = 0; y < 100; ++y) {
      far = far || states[y * 100 + 99] == 3;
    }
    crossed += far;
  }
  return static_cast<double>(crossed) / static_cast<double>(seeds);
}

// Site percolation on the square lattice: the threshold is 0.592746 (Stauffer and Aharony; Ziff), where a
// square is crossed every other time (Langlands, Pichet, Pouliot and Saint-Aubin, 1992). With 8 neighbours
// instead of 4 the threshold would be 0.407, and all of these forests would burn.
TEST(Ensemble, FiresPercolate) {
  EXPECT_EQ(crossing(0.5, kSeeds), 0);
  EXPECT_LT(crossing(0.55, kSeeds), 0.05);
  EXPECT_NEAR(crossing(0.592746, 400), 0.5, 0.1);
  EXPECT_GT(crossing(0.65, kSeeds), 0.95);
  EXPECT_EQ(crossing(0.7, kSeeds), 1);
}

}  // namespace
}  // namespace juxta
