// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Oxygen in a tissue beside the steady state of its equation, and how a colony grows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "juxta/study/collector.h"
#include "juxta/study/model.h"
#include "juxta/study/run.h"
#include "models/models.h"

namespace juxta {
namespace {

Parameters with(std::initializer_list<std::pair<const char*, double>> settings) {
  const ModelInfo info = models::tissue();
  Parameters parameters(info.parameters);
  for (const auto& [name, value] : settings) {
    EXPECT_TRUE(parameters.set(name, value)) << name;
  }
  return parameters;
}

Run run_of(const Parameters& parameters, std::uint64_t seed, int steps) {
  const ModelInfo info = models::tissue();
  Run run = Run::begin(info, parameters, seed).value();
  for (int step = 0; step < steps; ++step) {
    const auto done = run.step();
    EXPECT_TRUE(done) << done.error().message;
  }
  return run;
}

/// Solves 1.6 * laplace(u) = uptake * cells * u with u = 1 at the edge, by relaxation in doubles.
std::vector<double> steady_oxygen(std::span<const float> cells, std::size_t n, double uptake) {
  std::vector<double> u(n * n, 1);
  for (int sweep = 0; sweep < 4000; ++sweep) {
    for (std::size_t y = 1; y + 1 < n; ++y) {
      for (std::size_t x = 1; x + 1 < n; ++x) {
        const std::size_t i = x + n * y;
        const double around = u[i - 1] + u[i + 1] + u[i - n] + u[i + n];
        u[i] = 1.6 * around / (4 * 1.6 + uptake * static_cast<double>(cells[i]));
      }
    }
  }
  return u;
}

/// The model's own scheme, in doubles and without a library, for so many rounds.
std::vector<double> plain_oxygen(std::span<const float> cells, std::size_t n, double uptake, int rounds) {
  std::vector<double> u(n * n, 1), next(n * n);
  for (int i = 0; i < rounds * 8; ++i) {
    for (std::size_t cell = 0; cell < u.size(); ++cell) {
      const std::size_t x = cell % n, y = cell / n;
      const auto flow = [&](bool there, std::size_t beside) {
        return there ? 0.2 * (u[beside] - u[cell]) : 0;
      };
      next[cell] = u[cell] + flow(x > 0, cell - 1) + flow(x + 1 < n, cell + 1) + flow(y > 0, cell - n) +
                   flow(y + 1 < n, cell + n);
    }
    u.swap(next);
    for (std::size_t cell = 0; i % 8 == 7 && cell < u.size(); ++cell) {
      const std::size_t x = cell % n, y = cell / n;
      const bool edge = x == 0 || y == 0 || x + 1 == n || y + 1 == n;
      u[cell] = edge ? 1 : u[cell] / (1 + uptake * static_cast<double>(cells[cell]));
    }
  }
  return u;
}

TEST(Tissue, OxygenSettlesWhereItsEquationSays) {
  constexpr std::size_t kSize = 40;
  // Cells that neither divide nor die, all over the dish.
  const Parameters parameters =
      with({{"size", kSize}, {"cells", 1200}, {"divide", 0}, {"starving", 0}, {"rounds", 20}});
  const juxta::Run run = run_of(parameters, 3, 150);
  const Field& medium = *run.simulation().find_field("medium");
  const std::vector<double> equation = steady_oxygen(medium.values(1), kSize, 0.01);
  const std::vector<double> plain = plain_oxygen(medium.values(1), kSize, 0.01, 3000);
  EXPECT_LT(*std::min_element(equation.begin(), equation.end()), 0.6);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const auto oxygen = static_cast<double>(medium.values(0)[i]);
    ASSERT_NEAR(oxygen, plain[i], 1e-3) << i % kSize << ' ' << i / kSize;
    ASSERT_NEAR(oxygen, equation[i], 0.06) << i % kSize << ' ' << i / kSize;  // the edge is restored in steps
  }
}

TEST(Tissue, ALargeColonyGrowsAtItsRimAroundADeadCore) {
  const juxta::Run run = run_of(with({{"size", 100}}), 1, 400);
  const Population& cells = *run.simulation().find_population("cells");
  const auto x = cells.read(cells.position(0)), y = cells.read(cells.position(1));
  const auto alive = cells.read(cells.find_column<float>("alive").value());
  const auto oxygen = cells.read(cells.find_column<float>("oxygen").value());
  double core = 0, dead = 0, rim = 0, growing = 0;
  for (std::size_t row = 0; row < x.size(); ++row) {
    const auto distance = static_cast<double>(std::hypot(x[row], y[row]));
    core += alive[row] == 0 ? distance : 0;
    dead += alive[row] == 0;
    rim += oxygen[row] >= 0.4F ? distance : 0;
    growing += oxygen[row] >= 0.4F;
  }
  ASSERT_GT(dead, 20);
  ASSERT_GT(growing, 50);
  EXPECT_LT(core / dead * 2, rim / growing);
  const auto living = run.collected().steps().column("living");
  EXPECT_GT(living[150], 3 * living[0]);
  // Where all have oxygen growth is by a share of all, later by a share of the rim.
  EXPECT_GT(living[50] / living[0], 2 * living[400] / living[350]);
}

TEST(Tissue, ADishWithoutCellsKeepsItsOxygen) {
  const juxta::Run run = run_of(with({{"cells", 0}, {"size", 30}}), 1, 20);
  EXPECT_EQ(run.collected().steps().column("least_oxygen").back(), 1);
}

}  // namespace
}  // namespace juxta
