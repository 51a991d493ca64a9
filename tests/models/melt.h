// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A Lennard-Jones model under way, and the same atoms as the scalar version has them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "juxta/study/model.h"
#include "models/lennard_jones_atoms.h"
#include "models/models.h"
#include "tests/models/scalar/lennard_jones.h"

namespace juxta::test {

inline Parameters melt_parameters(std::initializer_list<std::string_view> assignments,
                                  std::string_view preset = "small") {
  Parameters parameters = *parameters_of(models::lennard_jones(), preset);
  for (const std::string_view assignment : assignments) {
    EXPECT_TRUE(parameters.set(assignment)) << assignment;
  }
  return parameters;
}

class Melt {
 public:
  explicit Melt(const Parameters& parameters, std::uint64_t seed = 1)
      : Melt(parameters, models::lennard_jones().begin(parameters, seed).value()) {}
  /// One that there is, to go on.
  Melt(const Parameters& parameters, Simulation&& started)
      : parameters_(parameters),
        simulation_(std::make_unique<Simulation>(std::move(started))),
        model_(models::lennard_jones().open(parameters, *simulation_).value()),
        atoms_(*models::find_atoms(*simulation_)) {
    for (std::uint32_t row = 0; row < atoms_.population->size(); ++row) {
      ids_.push_back(atoms_.population->id_of(row));
    }
    model_->declare(collector_);
    collector_.collect(simulation_->step());
  }

  void run(std::uint32_t steps, const Executor* executor = nullptr) {
    for (std::uint32_t i = 0; i < steps; ++i) {
      const auto done = model_->step({.executor = executor});
      ASSERT_TRUE(done) << done.error().message;
      collector_.collect(simulation_->step());
    }
  }

  [[nodiscard]] Model& model() { return *model_; }
  [[nodiscard]] Simulation& simulation() const { return *simulation_; }
  [[nodiscard]] std::span<const double> reported(std::string_view name) const {
    return collector_.steps().column(name);
  }
  [[nodiscard]] double last(std::string_view name) const { return reported(name).back(); }
  /// Without those that were not asked for.
  [[nodiscard]] std::vector<double> measured(std::string_view name) const {
    std::vector<double> values;
    for (const double value : reported(name)) {
      if (!std::isnan(value)) {
        values.push_back(value);
      }
    }
    return values;
  }
  /// Of the last values that were reported.
  [[nodiscard]] double mean(std::string_view name, std::size_t count) const {
    double sum = 0;
    for (const double value : reported(name).last(count)) {
      sum += value;
    }
    return sum / static_cast<double>(count);
  }

  [[nodiscard]] std::size_t size() const { return ids_.size(); }
  [[nodiscard]] double half() const { return static_cast<double>(simulation_->world().hi[0]); }
  // By number: the order that atoms stood in at first.
  [[nodiscard]] std::vector<scalar::Vector> places() const { return values(atoms_.place); }
  [[nodiscard]] std::vector<scalar::Vector> velocities() const { return values(atoms_.velocity); }
  [[nodiscard]] std::vector<scalar::Vector> forces() const { return values(atoms_.force); }
  /// The same state, for the same rules.
  [[nodiscard]] scalar::LennardJonesWorld in_scalar() const {
    return scalar::make_lennard_jones({half(), parameters_["cutoff"], 0.3, parameters_["dt"]}, places(),
                                      velocities());
  }

 private:
  template <class T>
  [[nodiscard]] std::vector<scalar::Vector> values(const std::array<Column<T>, 3>& columns) const {
    std::vector<std::uint32_t> rows(size());
    atoms_.population->rows_of(ids_, rows);
    std::vector<scalar::Vector> all;
    for (const std::uint32_t row : rows) {
      const auto at = [&](Column<T> column) {
        return static_cast<double>(atoms_.population->read(column)[row]);
      };
      all.push_back({at(columns[0]), at(columns[1]), at(columns[2])});
    }
    return all;
  }

  Parameters parameters_;
  std::unique_ptr<Simulation> simulation_;
  Owned<Model> model_;
  models::Atoms atoms_;
  Collector collector_;
  std::vector<Id> ids_;
};

/// The longest difference between two lists of vectors, by nearest image in a cube of this edge; 0: as they
/// are.
inline double furthest(const std::vector<scalar::Vector>& a, const std::vector<scalar::Vector>& b,
                       double edge = 0) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    double square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double d = std::abs(a[i][axis] - b[i][axis]);
      const double nearest = edge > 0 ? std::min(std::fmod(d, edge), std::abs(edge - std::fmod(d, edge))) : d;
      square += nearest * nearest;
    }
    most = std::max(most, std::sqrt(square));
  }
  return most;
}

struct Drift {
  double drift;  // from the mean of the first fifth to that of the last
  double noise;  // the root of the mean square of what values are off their mean
};
inline Drift drift_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size()), fifth = std::floor(count / 5);
  double drift = 0, mean = 0, square = 0;
  for (std::size_t i = 0; i < values.size() / 5; ++i) {
    drift += (values[values.size() - 1 - i] - values[i]) / fifth;
  }
  for (const double value : values) {
    mean += value / count;
  }
  for (const double value : values) {
    square += (value - mean) * (value - mean) / count;
  }
  return {drift, std::sqrt(square)};
}

}  // namespace juxta::test
