// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Runs of one model with many seeds.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "models/models.h"

namespace juxta::test {

/// What one reporter says, run after run: values[seed][step].
struct Curves {
  std::vector<std::vector<double>> values;

  [[nodiscard]] double mean(std::size_t step) const {
    double sum = 0;
    for (const std::vector<double>& run : values) {
      sum += run[step];
    }
    return sum / static_cast<double>(values.size());
  }
  /// The step in [first, last) at which the mean is largest.
  [[nodiscard]] std::size_t peak(std::size_t first, std::size_t last) const {
    std::size_t best = first;
    for (std::size_t step = first; step < last; ++step) {
      best = mean(step) > mean(best) ? step : best;
    }
    return best;
  }
};

inline Parameters parameters_with(const ModelInfo& info, std::string_view preset,
                                  std::initializer_list<std::pair<const char*, double>> values = {}) {
  Parameters parameters = *parameters_of(info, preset);
  for (const auto& [name, value] : values) {
    EXPECT_TRUE(parameters.set(name, value)) << name;
  }
  return parameters;
}

/// Of each reporter named: the curves of so many seeds, from 0 on.
inline std::vector<Curves> run_ensemble(const ModelInfo& info, const Parameters& parameters,
                                        std::uint64_t seeds, std::uint32_t steps,
                                        std::initializer_list<std::string_view> reporters) {
  std::vector<Curves> all(reporters.size());
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    Simulation simulation = *info.begin(parameters, seed);
    auto model = *info.open(parameters, simulation);
    Collector collector;
    model->declare(collector);
    collector.collect(0);
    for (std::uint32_t step = 1; step <= steps; ++step) {
      EXPECT_TRUE(model->step({}));
      collector.collect(step);
    }
    std::size_t next = 0;
    for (const std::string_view reporter : reporters) {
      const auto column = collector.steps().column(reporter);
      all[next++].values.emplace_back(column.begin(), column.end());
    }
  }
  return all;
}

}  // namespace juxta::test
