// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "models/dam_break_tank.h"
#include "models/models.h"

namespace juxta::test {

/// A dam break under way.
struct DamRun {
  explicit DamRun(std::initializer_list<std::string_view> assignments)
      : parameters(with(assignments)),
        simulation(info.begin(parameters, 1).value()),
        model(info.open(parameters, simulation).value()) {}

  void step(std::uint32_t steps, const Executor* executor = nullptr) {
    for (std::uint32_t i = 0; i < steps; ++i) {
      const Result<void> done = model->step({.executor = executor});
      ASSERT_TRUE(done) << done.error().message;
    }
  }
  void resume(Simulation loaded) {
    model = {};
    simulation = std::move(loaded);
    model = info.open(parameters, simulation).value();
  }
  [[nodiscard]] const Population& all() const { return *simulation.find_population("particles"); }
  [[nodiscard]] std::span<const float> column(const char* name) const {
    return all().read(all().find_column<float>(name).value());
  }
  [[nodiscard]] std::span<const float> place(std::uint32_t axis) const {
    return all().read(all().position(axis));
  }
  [[nodiscard]] std::span<const float> speed(std::uint32_t axis) const {
    return column(std::array{"vx", "vy", "vz"}[axis]);
  }
  [[nodiscard]] std::vector<std::uint32_t> rows_by_slot() const {
    std::vector<std::uint32_t> rows(all().size());
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
      rows[all().id_of(row).slot] = row;
    }
    return rows;
  }
  /// What the model reports now.
  [[nodiscard]] double report(const char* name) const {
    Collector collector;
    model->declare(collector);
    collector.collect(simulation.step());
    return collector.steps().column(name).back();
  }

  static Parameters with(std::initializer_list<std::string_view> assignments) {
    Parameters parameters(models::dam_break().parameters);
    for (const std::string_view assignment : assignments) {
      const Result<void> set = parameters.set(assignment);
      EXPECT_TRUE(set) << set.error().message;
    }
    return parameters;
  }

  ModelInfo info = models::dam_break();
  Parameters parameters;
  Simulation simulation;
  Owned<Model> model;
};

/// The front Z = x / a of a column twice as high as wide at T = t sqrt(2 g / a): Martin and Moyce,
/// "An experimental study of the collapse of liquid columns on a rigid horizontal plane" (1952), table 2.
inline constexpr std::array<std::array<double, 2>, 15> kMartinAndMoyce{{{0.41, 1.11},
                                                                        {0.84, 1.22},
                                                                        {1.19, 1.44},
                                                                        {1.43, 1.67},
                                                                        {1.63, 1.89},
                                                                        {1.83, 2.11},
                                                                        {1.98, 2.33},
                                                                        {2.20, 2.56},
                                                                        {2.32, 2.78},
                                                                        {2.51, 3.00},
                                                                        {2.65, 3.22},
                                                                        {2.83, 3.44},
                                                                        {2.98, 3.67},
                                                                        {3.11, 3.89},
                                                                        {3.33, 4.11}}};

/// The front's times T are all less than theirs by one amount, since here the dam is gone at once and there
/// it was not: by how much at most, and how far any of them may be off that amount. The first is left out: it
/// is within a few spacings of the dam. And which part of its energy the water may lose on the way.
struct FrontTolerance {
  double ahead, off, lost;
};

/// Lets the front run as far as the table goes, and compares; water and its density are kept all the while.
inline void follow_martin_and_moyce(DamRun& run, const FrontTolerance& tolerance) {
  const models::Tank tank(run.parameters);
  const double width = tank.across * tank.spacing, unit = std::sqrt(2 * tank.gravity / width);
  const auto time = [&] { return run.report("time") * unit; };
  const auto front = [&] { return run.report("front") / width; };
  std::vector<double> ahead;
  double t0 = time(), z0 = front(), mean = 0;
  for (const auto& [t, z] : kMartinAndMoyce) {
    for (double t1 = t0, z1 = z0; z1 < z; t0 = t1, z0 = z1) {
      run.step(10);
      t1 = time();
      z1 = front();
      ASSERT_LT(t1, 4) << "the front stands";
      ASSERT_LE(z1, 1 + 2 * t1 + 0.5 / tank.across) << "faster than Ritter's 2 sqrt(g h)";
      if (z1 >= z) {
        ahead.push_back(t - (t0 + (t1 - t0) * (z - z0) / (z1 - z0)));
      }
    }
    EXPECT_EQ(run.report("outside"), 0);
    EXPECT_NEAR(run.report("compression"), 0, 0.005);
    EXPECT_GT(run.report("lost"), -0.001);
    EXPECT_LT(run.report("lost"), tolerance.lost);
  }
  ASSERT_EQ(ahead.size(), kMartinAndMoyce.size());
  for (std::size_t i = 1; i < ahead.size(); ++i) {
    mean += ahead[i] / static_cast<double>(ahead.size() - 1);
  }
  EXPECT_GT(mean, 0);
  EXPECT_LT(mean, tolerance.ahead);
  for (std::size_t i = 1; i < ahead.size(); ++i) {
    EXPECT_NEAR(ahead[i], mean, tolerance.off) << "Z = " << kMartinAndMoyce[i][1];
  }
}

}  // namespace juxta::test
